//! `tesuji-connect6 bench`: speed, and a signature that changes when, and only when, the engine does something else.

use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Args, value_parser};
use connect6_engine::search::{Control, Search, SearchLimits, Searcher};
use connect6_engine::tss::{Options, Solver};
use connect6_engine::{Color, Game, Rules};
use cpu_time::ProcessTime;
use game_core::Fnv1a;

use super::record::from_moves;
use crate::output::say;

/// Options of `bench`.
#[derive(Args, Debug)]
pub struct BenchArgs {
    /// Visits for each of the searches
    #[arg(long, alias = "playouts", value_name = "N", default_value_t = 500, value_parser = value_parser!(u64).range(1..))]
    visits: u64,

    /// Nodes for each of the threat searches
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
}

/// Middle games in which neither side has a quick win.
const POSITIONS: [&str; 6] = [
    "j10 k11i11 l11j12 j9j13 h11h10",
    "j10 j11l10 k11k9 l8k8 i9h8 l12g7 j9l9 m9h9",
    "j10 k11i10 i11h12 g13j12 i13g11 f10i15 m9h14 h11k9",
    "j10 j9k11 k8l11 m9l10 n8l9 m10m8",
    "j10 k9h10 j8h9 i8j12 g9g8 f7f9",
    "j10 k11l10 m9j12 k9j8 m11k8 l9m8 n7l8 k7i9",
];

/// Runs the bench. The signature depends on what the engine does, not on the machine.
///
/// # Errors
/// When the processor time cannot be told.
pub fn run(args: &BenchArgs) -> Result<ExitCode> {
    let games: Vec<Game> = POSITIONS
        .iter()
        .map(|row| from_moves(row, Rules::CONNECT6, None))
        .collect::<Result<_, _>>()?;
    let mut signature = Fnv1a::new();
    let mut nodes = 0;
    let begun = ProcessTime::try_now().context("the processor time cannot be told")?;
    let mut solver = Solver::new(64);
    for game in &games {
        for side in Color::BOTH {
            let options = Options {
                stones: 2,
                turns: connect6_engine::tss::Turns::Singles,
                nodes: args.nodes,
            };
            let report = solver.solve(&mut game.board().clone(), side, &options);
            nodes += report.nodes;
            signature.number(report.nodes * 4 + report.result as u64);
        }
    }
    let solving = begun.try_elapsed().context("the processor time cannot be told")?.as_secs_f64();
    let mut searcher = Searcher::new(connect6_engine::weights::shipped(), 1, 64);
    let mut visits = 0;
    let begun = ProcessTime::try_now().context("the processor time cannot be told")?;
    for game in &games {
        searcher.clear();
        let limits = SearchLimits { visits: Some(args.visits), ..SearchLimits::default() };
        let progress = searcher.search(game, &limits, &mut |_| Control::Continue);
        visits += progress.visits;
        signature.number(progress.nodes as u64);
        signature.number(progress.solver_nodes);
        for choice in progress.moves.iter().take(3) {
            for stone in choice.mv.stones() {
                signature.number(stone.index() as u64);
            }
            signature.number(u64::from(choice.visits));
        }
    }
    let searching = begun.try_elapsed().context("the processor time cannot be told")?.as_secs_f64();
    say(&format!(
        "threat search: {nodes} nodes, {solving:.2} s of processor time, {:.0} nodes/s",
        nodes as f64 / solving
    ))?;
    say(&format!(
        "tree search: {visits} visits, {searching:.2} s of processor time, {:.0} visits/s",
        visits as f64 / searching
    ))?;
    say(&format!("signature {:016x}", signature.get()))?;
    Ok(ExitCode::SUCCESS)
}
