//! `tesuji-amazons bench`: speed, and a signature that changes when, and only when, the engine does something else.

use std::process::ExitCode;
use std::sync::Arc;

use amazons_engine::eval::Weights;
use amazons_engine::game::Stage;
use amazons_engine::net::file::{Architecture, Net};
use amazons_engine::net::patent::{Kind, Network};
use amazons_engine::net::policy::{Policy, Scratch};
use amazons_engine::net::resnet::ResNet;
use amazons_engine::search::{Control, Search, SearchLimits, Searcher};
use amazons_engine::solve::{self, Solver};
use amazons_engine::{Game, Position, perft::perft};
use anyhow::{Context, Result};
use clap::{Args, value_parser};
use cpu_time::ProcessTime;
use game_core::{Fnv1a, Proven};

use super::record;
use crate::output::say;

/// Options of `bench`.
#[derive(Args, Debug)]
pub struct BenchArgs {
    /// Visits for each of the searches
    #[arg(long, alias = "playouts", value_name = "N", default_value_t = 2000, value_parser = value_parser!(u64).range(1..))]
    visits: u64,

    /// Evaluations
    #[arg(long, value_name = "N", default_value_t = 2_000_000, value_parser = value_parser!(u64).range(1..))]
    evaluations: u64,

    /// Turns of the residual network; the patent's make a twentieth of them
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = value_parser!(u64).range(20..))]
    turns: u64,
}

/// A game of the engine against itself, from which positions are taken.
const GAME: &str = include_str!("bench.txt");
/// Turns after which its positions are searched.
const AFTER: [usize; 5] = [0, 10, 20, 30, 40];
/// What the solver is given.
const ENDGAME: &str = "X.#..O|..#...|.O....|#...#X|..#..#|....#.";

/// Runs the bench. The signature depends on what the engine does, not on the machine.
///
/// # Errors
/// When the processor time cannot be told or nothing be written.
pub fn run(args: &BenchArgs) -> Result<ExitCode> {
    let clock = || ProcessTime::try_now().context("the processor time cannot be told");
    let mut signature = Fnv1a::new();
    let mut sign = |number: u64| signature.number(number);
    let report = |what: &str, count: u64, unit: &str, seconds: f64| {
        let speed = count as f64 / seconds.max(1e-9);
        say(&format!(
            "{what}: {count} {unit}, {seconds:.2} s of processor time, {speed:.0} {unit}/s"
        ))
        .context("cannot write")
    };

    let begun = clock()?;
    let moves = perft(&mut Position::start(), 2);
    report("perft", moves, "moves", begun.try_elapsed()?.as_secs_f64())?;
    sign(moves);

    let whole = record::load(GAME.as_bytes(), None).context("the bench's own game")?;
    let positions: Vec<Position> =
        (0..whole.moves().len()).filter_map(|n| whole.before(n).copied()).collect();
    let weights = Weights::shipped();
    let begun = clock()?;
    let mut sum = 0.0f64;
    for position in positions.iter().cycle().take(args.evaluations as usize) {
        sum += f64::from(weights.evaluate(std::hint::black_box(position)));
    }
    report("evaluation", args.evaluations, "positions", begun.try_elapsed()?.as_secs_f64())?;
    std::hint::black_box(sum);
    for position in &positions {
        // Rounded, so that the order of additions does not show.
        sign((weights.evaluate(position) * 1000.0).round() as i64 as u64);
    }

    // A turn asks a network twice, once for the queen's move and once for the arrow.
    let resnet = Net::ResNet(Box::new((*ResNet::shipped()).clone()));
    let mut parameters = Network::random_parameters(Kind::Move, 1);
    parameters.extend(Network::random_parameters(Kind::Arrow, 1));
    let patent = Architecture::Patent.network(&parameters).context("the patent's networks")?;
    let networks =
        [("residual network", resnet, args.turns), ("patent's networks", patent, args.turns / 20)];
    for (name, network, turns) in networks {
        let (policy, mut scratch) = (Policy::Network(Arc::new(network)), Scratch::default());
        let begun = clock()?;
        for position in positions.iter().cycle().take(turns as usize) {
            std::hint::black_box(policy.turn(&weights, position, Stage::From, &mut scratch));
        }
        report(name, turns, "turns", begun.try_elapsed()?.as_secs_f64())?;
    }

    let begun = clock()?;
    let mut visits = 0;
    for turns in AFTER {
        let game: Game =
            record::load(GAME.as_bytes(), Some(turns)).context("the bench's own game")?;
        let mut searcher = Searcher::new(weights.clone(), 1, 256);
        let limits = SearchLimits { visits: Some(args.visits), ..SearchLimits::default() };
        let found = searcher.search(&game, &limits, &mut |_| Control::Continue);
        visits += found.visits;
        sign(found.nodes as u64);
        for choice in found.moves.iter().take(3) {
            sign(choice.mv.to.bit() as u64 * 128 + choice.mv.arrow.bit() as u64);
            sign(u64::from(choice.visits));
        }
    }
    report("search", visits, "visits", begun.try_elapsed()?.as_secs_f64())?;

    let begun = clock()?;
    let endgame: Position = ENDGAME.parse().context("the bench's own endgame")?;
    let limits = solve::Limits { nodes: Some(5000), ..solve::Limits::default() };
    let solved = Solver::new(64).solve(&endgame, &limits);
    report("solver", solved.nodes, "nodes", begun.try_elapsed()?.as_secs_f64())?;
    sign(solved.nodes * 2 + u64::from(solved.proven == Proven::Win));

    say(&format!("signature {:016x}", signature.get())).context("cannot write")?;
    Ok(ExitCode::SUCCESS)
}
