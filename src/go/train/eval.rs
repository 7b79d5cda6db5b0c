//! `tesuji patterns eval`: how well moves are predicted in games that were not learned from.

use super::games::{Part, Source, collect};
use super::katz::KatzArgs;
use super::{interrupted, read};
use crate::output::print;
use crate::progress::Bar;
use anyhow::{Context, Result};
use clap::Args;
use go_patterns::eval::{Model, Outcome, PHASES, RANKS, predict_game};
use go_patterns::frequencies::{Katz, Table, Template};
use go_patterns::game::Game;
use go_patterns::learned;
use go_patterns::predict::predictor::Predictor;
use go_patterns::progress::Progress;
use rayon::prelude::*;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

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
    #[command(flatten)]
    katz: KatzArgs,
    /// Look at so many games at most, spread evenly
    #[arg(long)]
    games: Option<usize>,
    /// Which of the games to look at
    #[arg(long, value_enum, default_value_t = Part::Validation)]
    part: Part,
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
    models.push(Model::Katz("Katz, paper", Some(Katz::PAPER)));
    models.push(Model::Katz("Katz, table", None));
    if args.katz.is_given() {
        models.push(Model::Katz("Katz, asked", Some(args.katz.or(table.katz))));
    }
    models.push(Model::Predictor);

    bar.begin("predicting", games.len() as u64);
    let outcomes = games
        .par_iter()
        .map(|game| {
            let mut outcomes = vec![Outcome::default(); models.len()];
            if !bar.stopped() {
                predict_game(game, &models, &table, &predictor, &mut outcomes);
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
