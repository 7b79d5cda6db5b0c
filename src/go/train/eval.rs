//! `tesuji patterns eval`: how well moves are predicted in games that were not learned from.

use super::games::{Part, Source, collect};
use super::progress::Bar;
use super::{interrupted, print, read, with_side};
use anyhow::{Context, Result};
use clap::Args;
use cpu_time::ThreadTime;
use go_engine::{Color, Site};
use go_patterns::eval::{PHASES, RANKS, Score, phase};
use go_patterns::frequencies::{IncrementalCodes, Katz, Name, TEMPLATES, Table, Template};
use go_patterns::game::{Game, Replay};
use go_patterns::learned;
use go_patterns::predict::features::Position;
use go_patterns::predict::predictor::{Predictor, Scratch};
use go_patterns::progress::Progress;
use rayon::prelude::*;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Options of `tesuji patterns eval`.
#[derive(Args, Debug)]
pub struct EvalArgs {
    #[command(flatten)]
    source: Source,
    /// A table of frequencies [default: the built-in one]
    #[arg(long)]
    table: Option<PathBuf>,
    /// A predictor of moves [default: the built-in one]
    #[arg(long)]
    predictor: Option<PathBuf>,
    /// Look at so many games at most, spread evenly
    #[arg(long)]
    games: Option<usize>,
    /// Which of the games to look at
    #[arg(long, value_enum, default_value_t = Part::Validation)]
    part: Part,
}

/// A way to weigh moves.
#[derive(Clone, Copy, Debug)]
enum Model {
    /// C_A / C_N of one template alone; 0 where the pattern is unknown.
    Alone(Template),
    /// The back-off chain.
    Katz(&'static str, Katz),
    /// The competition.
    Competition,
}

impl Model {
    fn name(self) -> String {
        match self {
            Model::Alone(template) => template.to_string(),
            Model::Katz(name, _) => name.to_owned(),
            Model::Competition => "competition".to_owned(),
        }
    }
}

/// A model's results: by phase, and the time it took.
#[derive(Clone, Copy, Default)]
struct Outcome {
    phases: [Score; PHASES.len()],
    time: Duration,
}

impl Outcome {
    fn total(&self) -> Score {
        let mut total = Score::default();
        self.phases.iter().for_each(|score| total.merge(score));
        total
    }
}

/// Loads what is to be measured.
fn load(args: &EvalArgs) -> Result<(Table, Predictor)> {
    let table = match &args.table {
        Some(path) => Table::from_bytes(&read(path)?)
            .with_context(|| format!("cannot use {}", path.display()))?,
        None => learned::frequencies()?,
    };
    let predictor = match &args.predictor {
        Some(path) => Predictor::from_bytes(&read(path)?)
            .with_context(|| format!("cannot use {}", path.display()))?,
        None => learned::predictor(args.source.size)?,
    };
    Ok((table, predictor))
}

/// Runs `tesuji patterns eval`.
///
/// # Errors
/// When records or what was learned cannot be read.
pub fn run(args: &EvalArgs) -> Result<ExitCode> {
    let (table, predictor) = load(args)?;
    let bar = Bar::new();
    let mut games = collect(&args.source, args.part, &bar)?;
    if let Some(max_games) = args.games.filter(|&max_games| max_games < games.len()) {
        let all = games.len();
        games = (0..max_games).map(|i| games[i * all / max_games].clone()).collect();
    }
    let mut models: Vec<Model> = Template::all().map(Model::Alone).collect();
    models.push(Model::Katz("Katz, d=0", Katz::PAPER));
    models.push(Model::Katz("Katz, full", Katz::FULL));
    models.push(Model::Competition);

    bar.begin("predicting", games.len() as u64);
    let outcomes = games
        .par_iter()
        .map(|game| {
            let mut outcomes = vec![Outcome::default(); models.len()];
            if !bar.stopped() {
                let (table, predictor) = (&table, &predictor);
                with_side!(game.side, evaluate(game, &models, table, predictor, &mut outcomes));
            }
            bar.advance(1);
            outcomes
        })
        .reduce(
            || vec![Outcome::default(); models.len()],
            |mut sum, part| {
                for (sum, part) in sum.iter_mut().zip(part) {
                    sum.time += part.time;
                    for (a, b) in sum.phases.iter_mut().zip(&part.phases) {
                        a.merge(b);
                    }
                }
                sum
            },
        );
    bar.end();
    if bar.stopped() {
        return Ok(interrupted());
    }
    print(&report(&games, &models, &outcomes))?;
    Ok(ExitCode::SUCCESS)
}

/// Predicts every move of a game with every model, and takes the time of each.
///
/// The competition goes through the game by itself, so that what the others leave in the processor's cache,
/// which is smaller than their tables, has no part in its time.
fn evaluate<const N: usize, const W: usize>(
    game: &Game,
    models: &[Model],
    table: &Table,
    predictor: &Predictor,
    outcomes: &mut [Outcome],
) {
    let mut names: Vec<[Name; TEMPLATES]> = Vec::new();
    let mut weights: Vec<f32> = Vec::new();
    replay::<N, W>(game, |tracker, mover, moves, number, played| {
        let started = ThreadTime::now();
        names.clear();
        for &site in moves {
            let cell = tracker.codes().cell(&tracker.replay().board, site);
            names.push(tracker.codes().all_names(cell, mover));
        }
        let naming = started.elapsed();
        for (model, outcome) in models.iter().zip(outcomes.iter_mut()) {
            let started = ThreadTime::now();
            weights.clear();
            match *model {
                Model::Alone(template) => weights.extend(names.iter().map(|names| {
                    let entry = table.get(names[template.index()]);
                    entry.map_or(0.0, |entry| entry.rate() as f32)
                })),
                Model::Katz(_, katz) => weights.extend(
                    names.iter().map(|names| katz.estimate(table, names.iter().copied()) as f32),
                ),
                Model::Competition => continue,
            }
            outcome.time += naming + started.elapsed();
            outcome.phases[phase(number)].add(&weights, played);
        }
    });
    let mut scratch = Scratch::default();
    for (model, outcome) in models.iter().zip(outcomes.iter_mut()) {
        if !matches!(model, Model::Competition) {
            continue;
        }
        replay::<N, W>(game, |tracker, mover, _, number, played| {
            let Replay { board, last, .. } = tracker.replay();
            let started = ThreadTime::now();
            let position = Position { board, mover, last: *last };
            let found = predictor.predict(position, &mut scratch);
            outcome.time += started.elapsed();
            outcome.phases[phase(number)].add(found.probabilities(), played);
        });
    }
}

/// Goes through the moves of a game, passes left out, until one is illegal: the position before it, who
/// plays it, the legal moves, its number in the game and its place among the legal moves.
fn replay<const N: usize, const W: usize>(
    game: &Game,
    mut see: impl FnMut(&IncrementalCodes<'_, N, W>, Color, &[Site], usize, usize),
) {
    let Some(mut tracker) = IncrementalCodes::<N, W>::new(game) else { return };
    while let Some((mover, site)) = tracker.upcoming() {
        let number = tracker.replay().next + 1;
        if !site.is_pass() {
            let board = &tracker.replay().board;
            let moves: Vec<_> = board.sites().filter(|&s| board.is_legal(s, mover)).collect();
            let Some(played) = moves.iter().position(|&s| s == site) else { break };
            see(&tracker, mover, &moves, number, played);
        }
        tracker.advance();
    }
}

fn report(games: &[Game], models: &[Model], outcomes: &[Outcome]) -> String {
    let moves = outcomes.first().map_or(0, |outcome| outcome.total().moves);
    // Writing to a string cannot fail.
    let mut text = format!("{} games, {moves} moves\n{:12}", games.len(), "model");
    for rank in RANKS {
        let _ = write!(text, " {:>7}", format!("in {rank}"));
    }
    let _ = write!(text, " {:>8} {:>8}", "log-l.", "us");
    for (first, last) in PHASES {
        let phase = if last < 1000 { format!("{first}-{last}") } else { format!("{first}-") };
        let _ = write!(text, " {phase:>8}");
    }
    let _ = writeln!(text, "   (the move first, by phase)");
    for (model, outcome) in models.iter().zip(outcomes) {
        let total = outcome.total();
        let _ = write!(text, "{:12}", model.name());
        for share in total.shares() {
            let _ = write!(text, " {:>6.2}%", 100.0 * share);
        }
        let time = outcome.time.as_secs_f64() * 1e6 / total.moves.max(1) as f64;
        let _ = write!(text, " {:>8.4} {:>8.1}", total.mean_log_likelihood(), time);
        for score in &outcome.phases {
            let _ = write!(text, " {:>7.2}%", 100.0 * score.shares()[0]);
        }
        text.push('\n');
    }
    text
}
