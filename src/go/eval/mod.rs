//! `tesuji eval`: how well a network predicts moves and results of games that it was not taught from, beside playouts and
//! beside another network.

mod parts;
mod totals;

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, value_parser};
use game_core::Fnv1a;
use game_record::Record;
use go_engine::search::{Limits, Options};
use go_engine::{Color, Game, Rules};
use go_network::{GameEvaluation, Network, Symmetry, evaluate_game};
use go_patterns::eval::{PHASES, Score, phase};
use go_patterns::knowledge::{self, Library, Patterns};
use go_patterns::params::Params as PatternParams;
use go_patterns::progress::Progress;
use rayon::prelude::*;
use tunables::Table as _;

use super::network_file::{OWN_NETWORK, open_network};
use super::record::replay;
use super::train::games::{Part, Source, collect_as};
use super::train::{check_writable, interrupted};
use crate::files;
use crate::output::print;
use crate::progress::Bar;
use crate::shard::{Shard, ShardArgs};
use totals::{
    EVALUATORS, EXPERTS, Errors, EvalTotals, NETWORK, PLAYOUTS, PREDICTOR, TEACHER, best_mixture,
    counted,
};

/// Options of `tesuji eval`.
#[derive(Args, Debug)]
pub struct EvalArgs {
    #[command(flatten)]
    source: Source,

    /// The network: built-in, or a file, also one of KataGo's
    #[arg(long, value_name = "FILE", default_value = OWN_NETWORK)]
    network: PathBuf,

    /// Another network, to compare with
    #[arg(long, value_name = "FILE")]
    teacher: Option<PathBuf>,

    /// Evaluates each position by so many playouts too; 0 plays none
    #[arg(long, alias = "visits", value_name = "N", default_value_t = 0)]
    playouts: u64,

    /// Look at so many games at most, spread evenly
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = value_parser!(u64).range(1..))]
    games: u64,

    /// Positions of each game, spread evenly
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = value_parser!(u16).range(1..))]
    turns: u16,

    /// Which of the games to look at
    #[arg(long, value_enum, default_value_t = Part::Validation)]
    part: Part,

    /// Write the report to this file; parts of it are put beside
    #[arg(short, long, value_name = "FILE", required_if_eq("merge", "true"))]
    out: Option<PathBuf>,

    #[command(flatten)]
    shard: ShardArgs,
}

/// A game whose winner is known, as far as it was played.
struct Played {
    game: Game,
    winner: Option<Color>,
    /// A hash of both.
    hash: u64,
}

/// Takes the game of a record. What it does not say is as everywhere: Chinese rules, no komi.
fn take(
    record: &Record,
    part: Part,
    game: &go_patterns::game::Game,
) -> Result<Option<Played>, String> {
    if !part.has(game) {
        return Ok(None);
    }
    let mut like = Game::new(game.side, game.side).ok_or("no such board")?;
    like.set_rules(Rules::CHINESE);
    let played = replay(record, None, &like).map_err(|why| why.to_string())?;
    // A result tells nothing where the komi is not known.
    let winner = game.winner.filter(|_| record.header.komi.is_some());
    let mut hash = Fnv1a::new();
    game.add_to(&mut hash);
    hash.number(played.komi().to_bits());
    Ok(Some(Played { game: played, winner, hash: hash.get() }))
}

/// What evaluates positions.
struct Evaluators<'a> {
    args: &'a EvalArgs,
    library: Arc<Library>,
    network: Network,
    teacher: Option<Network>,
}

/// Runs `tesuji eval`.
///
/// # Errors
/// When records or networks cannot be read.
pub fn run(args: &EvalArgs) -> Result<ExitCode> {
    ensure!(args.source.size <= 19, "networks know boards up to 19x19");
    args.out.as_deref().map(check_writable).transpose()?;
    let library = Arc::new(Library::built_in().context("cannot read what was learned")?);
    let open = |name: &PathBuf| {
        open_network(name, &library)
            .with_context(|| format!("cannot use the network {}", name.display()))
    };
    let (network, teacher) = (open(&args.network)?, args.teacher.as_ref().map(open).transpose()?);
    for (name, network) in
        [(Some(&args.network), Some(&network)), (args.teacher.as_ref(), teacher.as_ref())]
    {
        ensure!(
            network.is_none_or(|network| network.knows_size(args.source.size, args.source.size)),
            "the network {1} does not know boards of {0}x{0}",
            args.source.size,
            name.map_or_else(String::new, |name| name.display().to_string())
        );
    }
    let bar = Bar::new();
    let part = args.part;
    let all = collect_as(&args.source, &bar, &|record, game| take(record, part, &game))?;
    let count = usize::try_from(args.games).unwrap_or(usize::MAX).min(all.len());
    let chosen: Vec<&Played> = (0..count).map(|number| &all[number * all.len() / count]).collect();
    let evaluators = Evaluators { args, library, network, teacher };
    let settings = args.settings(&chosen);
    if args.shard.merge {
        let out = args.out.as_deref().context("--merge needs --out")?;
        let rows = parts::read(out, &settings, count)?;
        let found = rows.iter().fold(EvalTotals::default(), |sum, row| sum.merge(row));
        return args.tell(&evaluators.report(count, &found));
    }
    let shard = args.shard.shard.unwrap_or(Shard::WHOLE);
    let numbers: Vec<usize> = (0..count).filter(|&number| shard.has(number as u64)).collect();
    bar.begin("evaluating games", numbers.len() as u64);
    let evaluate = |&number: &usize| {
        let found =
            if bar.stopped() { EvalTotals::default() } else { evaluators.game(chosen[number]) };
        bar.advance(1);
        (number, found)
    };
    let rows: Vec<(usize, EvalTotals)> = numbers.par_iter().map(evaluate).collect();
    bar.end();
    if bar.stopped() {
        return Ok(interrupted());
    }
    match (args.shard.shard, &args.out) {
        (Some(shard), Some(out)) => {
            let part = parts::write(&shard.part_of(out), &settings, count, &rows)?;
            print(&format!("{} games evaluated in {}\n", rows.len(), part.display()))?;
            Ok(ExitCode::SUCCESS)
        }
        (Some(_), None) => bail!("--shard needs --out, beside which the part is written"),
        // Added up in the order of games, as by --merge: sums of real numbers depend on it.
        _ => {
            let found = rows.iter().fold(EvalTotals::default(), |sum, (_, row)| sum.merge(row));
            args.tell(&evaluators.report(count, &found))
        }
    }
}

impl EvalArgs {
    /// What all parts have to have in common.
    fn settings(&self, chosen: &[&Played]) -> String {
        let EvalArgs { source, network, teacher, playouts, games, turns, part, .. } = self;
        let teacher = teacher.as_ref().map_or("none".into(), |teacher| teacher.to_string_lossy());
        let mut hash = Fnv1a::new();
        chosen.iter().for_each(|played| hash.number(played.hash));
        format!(
            "--size {} --network {} --teacher {teacher} --playouts {playouts} --games {games} --turns {turns} --part {part:?}, \
             records {:016x}",
            source.size,
            network.display(),
            hash.get()
        )
    }

    /// Prints the report, or writes it to the file that is wanted.
    fn tell(&self, report: &str) -> Result<ExitCode> {
        match &self.out {
            None => print(report)?,
            Some(out) => files::replace(out, report.as_bytes())
                .with_context(|| format!("cannot write {}", out.display()))?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl Evaluators<'_> {
    /// Looks at some positions of a game.
    fn game(&self, played: &Played) -> EvalTotals {
        let mut found = EvalTotals::default();
        let moves = played.game.moves();
        let count = usize::from(self.args.turns).min(moves.len());
        let side = self.args.source.size;
        let options = Options { threads: 1, max_memory: 64 << 20, ..Options::for_side(side) };
        let params = PatternParams::for_side(side);
        let mut search = knowledge::search(Patterns::Full, &self.library, options, &params);
        for number in 0..count {
            // The middle of each of so many parts: else every game's empty board would be among them.
            let turn = (2 * number + 1) * moves.len() / (2 * count);
            let mut game = played.game.clone();
            game.undo_to(turn);
            let next = moves[turn];
            game.set_to_play(next.color);
            if !self.network.knows(&game) {
                continue;
            }
            let phase = phase(turn + 1);
            found.positions += 1;
            let result = played.winner.map(|winner| if winner == next.color { 1.0 } else { -1.0 });
            let mut add = |evaluator: usize, value: f64| {
                if let Some(result) = result {
                    found.values[evaluator][phase].add(value - result);
                }
            };
            let expected = search.policy(&game, next.color);
            let predicted = |policy: &[(go_engine::Move, f32)], score: &mut Score| {
                let weights: Vec<f32> = policy.iter().map(|&(_, chance)| chance).collect();
                if let Some(at) = policy.iter().position(|&(mv, _)| mv == next.mv) {
                    score.add(&weights, at);
                }
            };
            predicted(&expected, &mut found.moves[PREDICTOR]);
            let ask = |network| evaluate_game(network, &game, 0.0, Symmetry::NONE);
            let Some(said) = ask(&self.network) else { continue };
            add(NETWORK, value(&said));
            predicted(&said.policy, &mut found.moves[NETWORK]);
            // What experts would play, where the network knows that.
            let experts = evaluate_game(&self.network, &game, 1.0, Symmetry::NONE);
            let experts = experts.filter(|_| self.network.knows_experts());
            let policy = experts.as_ref().map_or(&said.policy, |experts| &experts.policy);
            predicted(policy, &mut found.by_phase[phase]);
            if experts.is_some() {
                predicted(policy, &mut found.moves[EXPERTS]);
            }
            if let Some(taught) = self.teacher.as_ref().and_then(ask) {
                add(TEACHER, value(&taught));
                predicted(&taught.policy, &mut found.moves[TEACHER]);
                let best = |said: &GameEvaluation| said.policy.first().map(|&(mv, _)| mv);
                found.agree += u64::from(best(&said) == best(&taught));
                let [values, owners, leads] = &mut found.beside;
                values.add(value(&said) - value(&taught));
                leads.add(f64::from(said.evaluation.lead - taught.evaluation.lead));
                for (own, theirs) in said.owners.iter().zip(&taught.owners) {
                    owners.add(f64::from(own.1 - theirs.1));
                }
            }
            if self.args.playouts > 0 {
                search.clear();
                let limits = Limits::playouts(self.args.playouts);
                let report = search.search(&game, next.color, &limits, None);
                let played_out = 2.0 * f64::from(report.winrate) - 1.0;
                add(PLAYOUTS, played_out);
                if let Some(result) = result {
                    found.together[phase].add_product(value(&said) - result, played_out - result);
                }
            }
        }
        found
    }

    fn report(&self, games: usize, found: &EvalTotals) -> String {
        let experts = self.network.knows_experts();
        let asked = [true, experts, true, self.teacher.is_some(), self.args.playouts > 0];
        let phases = PHASES.iter().map(|&(first, last)| match last {
            ..1000 => format!("{first}-{last}"),
            _ => format!("{first}-"),
        });
        let phases: Vec<String> = phases.collect();
        // Writing to a string cannot fail.
        let mut text = format!("{games} games, {} positions\n\n", found.positions);
        let _ = writeln!(text, "{:12} {:>8} {:>8} {:>8}", "moves", "first", "in 5", "log-l.");
        for (evaluator, name) in
            EVALUATORS.iter().enumerate().take(PLAYOUTS).filter(|&(j, _)| asked[j])
        {
            let score = &found.moves[evaluator];
            let [first, five, ..] = score.shares();
            let share = |share: f64| counted(score.moves, format!("{:.2}%", 100.0 * share));
            let log = counted(score.moves, format!("{:.4}", score.mean_log_likelihood()));
            let _ = writeln!(text, "{name:12} {:>8} {:>8} {log:>8}", share(first), share(five));
        }
        let _ = write!(text, "\n{:12}", "by phase");
        phases.iter().for_each(|phase| text.push_str(&format!(" {phase:>8}")));
        let _ = write!(text, "\n{:12}", "first");
        for score in &found.by_phase {
            let first = format!("{:.2}%", 100.0 * score.shares()[0]);
            let _ = write!(text, " {:>8}", counted(score.moves, first));
        }
        text.push_str("\n\nsquared error of the value, -1 to 1, against the game's result\n");
        let _ = write!(text, "{:12} {:>8}", "", "all");
        phases.iter().for_each(|phase| text.push_str(&format!(" {phase:>8}")));
        for (evaluator, name) in
            EVALUATORS.iter().enumerate().skip(NETWORK).filter(|&(j, _)| asked[j])
        {
            let all = Errors::sum_of(&found.values[evaluator]);
            let _ = write!(text, "\n{name:12}");
            for errors in std::iter::once(&all).chain(&found.values[evaluator]) {
                let _ = write!(text, " {:>8}", errors.words());
            }
        }
        text.push('\n');
        if self.args.playouts > 0 {
            tell_mixtures(&mut text, found);
        }
        if self.teacher.is_some() {
            let [values, owners, leads] = found.beside.map(|errors| errors.mean());
            let agree = 100.0 * found.agree as f64 / found.positions.max(1) as f64;
            let _ = writeln!(
                text,
                "\nbeside the teacher: the same best move {agree:.2}%, squared error of the value {values:.4}, of owners \
                 {owners:.4}, of the lead {leads:.2} points"
            );
        }
        text
    }
}

/// How much of the playouts' value is best mixed into the network's, for all positions and by phase, and what comes of it.
fn tell_mixtures(text: &mut String, found: &EvalTotals) {
    let evaluators = [&found.values[NETWORK], &found.values[PLAYOUTS], &found.together];
    let by_phase = (0..PHASES.len()).map(|phase| evaluators.map(|phases| phases[phase].mean()));
    let all = std::iter::once(evaluators.map(|phases| Errors::sum_of(phases).mean()));
    let counts = found.together.iter().map(|errors| errors.count);
    let counts: Vec<u64> = std::iter::once(counts.clone().sum()).chain(counts).collect();
    let mixtures = all.chain(by_phase).map(best_mixture);
    let mixtures: Vec<_> = counts.into_iter().zip(mixtures).collect();
    let _ = write!(text, "{:12}", "both mixed");
    for &(count, (_, error)) in &mixtures {
        let _ = write!(text, " {:>8}", counted(count, format!("{error:.4}")));
    }
    let _ = write!(text, "\n{:12}", "of playouts");
    for &(count, (share, _)) in &mixtures {
        let _ = write!(text, " {:>8}", counted(count, format!("{:.1}%", 100.0 * share)));
    }
    text.push('\n');
}

/// The value for the player to move, -1 to 1.
fn value(said: &GameEvaluation) -> f64 {
    f64::from(said.evaluation.win - said.evaluation.loss)
}
