//! `tesuji bench`: fixed positions, a fixed seed and one thread; tells how fast playouts and the
//! search are, and a signature of what they did.
//!
//! The signature is a hash of everything that playouts and searches decide: who won how often, and
//! for every position the visits and values of all moves at the root. It changes when behaviour
//! does and only then; a change that is meant to change nothing keeps it.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use cpu_time::ThreadTime;
use game_core::Fnv1a;
use go_engine::game::AnyBoard;
use go_engine::params::Params as SearchParams;
use go_engine::playout::light::play_outs;
use go_engine::rng::Rng;
use go_engine::search::{Limits, Options, Search};
use go_engine::{Color, Game, Move, Point};
use go_patterns::knowledge::{self, Library, Patterns};
use go_patterns::params::Params as PatternParams;
use serde::Serialize;
use tunables::Table as _;

use crate::output::say;

/// Options of `tesuji bench`.
#[derive(Args, Debug)]
pub struct BenchArgs {
    /// Playouts of each search; the signature is that of the default only
    #[arg(long, alias = "visits", value_name = "N", default_value_t = 4000,
          value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    playouts: u64,
    /// Patterns that heavy playouts and searches use: what plays unless told otherwise, or one of the others;
    /// `hand` is what no learning changes
    #[arg(long, value_name = "KIND", default_value = "full")]
    patterns: Patterns,
    /// Instead compare the speed of playouts with that of another kind's, in turn
    #[arg(long, value_name = "KIND", conflicts_with_all = ["json", "playouts"])]
    against: Option<Patterns>,
    /// Print one line of JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// A position to search: a board size and moves from an empty board, Black first.
const POSITIONS: [(u8, &str); 6] = [
    (9, ""),
    (9, "e5 c3 g4 d7 e7 e8 f8 d8 g7 c5 e3 d3 e2 g2"),
    (13, ""),
    (13, "d4 k10 k4 d10 f3 c6 d6 c7 k7 f11 l9 l10 h10 h11"),
    (19, ""),
    (19, "q16 d4 q3 d16 o4 c14 r10 k3 f3 d6 c3 c4 d3 e4 g4 f5 j3 k4 r14 o17"),
];

/// How fast one kind of work is.
#[derive(Serialize)]
struct Rate {
    what: &'static str,
    size: u8,
    moves: usize,
    playouts: u64,
    cpu_seconds: f64,
    per_second: f64,
}

impl Rate {
    fn new(what: &'static str, size: u8, moves: usize, playouts: u64, time: Duration) -> Rate {
        let cpu_seconds = time.as_secs_f64();
        Rate {
            what,
            size,
            moves,
            playouts,
            cpu_seconds,
            per_second: playouts as f64 / cpu_seconds.max(1e-9),
        }
    }
}

/// Runs the benchmark.
///
/// # Errors
/// When standard output cannot be written.
pub fn run(args: &BenchArgs) -> Result<ExitCode> {
    if let Some(against) = args.against {
        return super::bench_ratio::run(args.patterns, against);
    }
    let (signature, rates) = match args.patterns {
        Patterns::Hand => {
            measure(&|side| Search::handcrafted(options(args.patterns, side)), args.playouts)?
        }
        patterns => {
            let library = Arc::new(Library::built_in()?);
            let learned = |side| {
                let params = PatternParams::on(patterns.size_of_defaults(side));
                knowledge::search(patterns, &library, options(patterns, side), &params)
            };
            measure(&learned, args.playouts)?
        }
    };
    if args.json {
        let json =
            serde_json::json!({ "signature": format!("{:016x}", signature.get()), "rates": rates });
        say(&json.to_string())?;
    } else {
        say(&format!(
            "{:<16} {:>5} {:>6} {:>9} {:>10} {:>12}",
            "what", "size", "moves", "playouts", "CPU s", "playouts/s"
        ))?;
        for r in &rates {
            say(&format!(
                "{:<16} {:>5} {:>6} {:>9} {:>10.3} {:>12.0}",
                r.what, r.size, r.moves, r.playouts, r.cpu_seconds, r.per_second
            ))?;
        }
        say(&format!("signature {:016x}", signature.get()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Measures playouts and searches with searches that `make` makes, each time anew.
fn measure(make: &dyn Fn(u8) -> Search, searched: u64) -> Result<(Fnv1a, Vec<Rate>)> {
    let mut signature = Fnv1a::new();
    let mut rates = Vec::new();
    let out = &mut (&mut rates, &mut signature);
    light_playouts(9, 4000, out)?;
    light_playouts(13, 2000, out)?;
    light_playouts(19, 1000, out)?;
    heavy_playouts(9, &make(9), 4000, out)?;
    heavy_playouts(13, &make(13), 2000, out)?;
    heavy_playouts(19, &make(19), 1000, out)?;
    for (size, moves) in POSITIONS {
        rates.push(search(size, moves, make(size), searched, &mut signature)?);
    }
    Ok((signature, rates))
}

/// Light playouts from an empty board.
fn light_playouts(
    side: u8,
    n: u64,
    (rates, signature): &mut (&mut Vec<Rate>, &mut Fnv1a),
) -> Result<()> {
    let empty = AnyBoard::new(side, side).context("the board is too large")?;
    let start = ThreadTime::now();
    play_outs(&empty, Color::Black, &mut Rng::new(1), n, &mut |score| {
        signature.number(score as u64);
    });
    rates.push(Rate::new("light playouts", side, 0, n, start.elapsed()));
    Ok(())
}

/// Heavy playouts from an empty board.
fn heavy_playouts(
    side: u8,
    search: &Search,
    n: u64,
    (rates, signature): &mut (&mut Vec<Rate>, &mut Fnv1a),
) -> Result<()> {
    let game = Game::new(side, side).context("the board is too large")?;
    let start = ThreadTime::now();
    search.evaluate(&game, &mut Rng::new(1), n, &mut |leaf| {
        signature.number(leaf.margin as i64 as u64);
    });
    rates.push(Rate::new("heavy playouts", side, 0, n, start.elapsed()));
    Ok(())
}

/// What a search with these patterns plays by on boards of this side.
fn options(patterns: Patterns, side: u8) -> Options {
    let params = SearchParams::on(patterns.size_of_defaults(side));
    Options { threads: 1, seed: 1, params, ..Options::default() }
}

/// A search of one position.
fn search(
    size: u8,
    moves: &str,
    mut search: Search,
    playouts: u64,
    signature: &mut Fnv1a,
) -> Result<Rate> {
    let mut game = Game::new(size, size).context("the board is too large")?;
    game.set_komi(7.5);
    let moves: Vec<Point> = moves.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    let mut color = Color::Black;
    for &point in &moves {
        game.play(color, Move::Play(point))?;
        color = color.other();
    }
    let limits = Limits { stop_early: false, ..Limits::playouts(playouts) };
    let start = cpu_time::ProcessTime::now();
    let report = search.search(&game, color, &limits, None);
    let time = start.elapsed();
    signature.number(report.nodes as u64);
    for found in &report.moves {
        let number = match found.mv {
            Move::Pass => u64::MAX,
            Move::Play(point) => u64::from(point.row()) * 32 + u64::from(point.col()),
        };
        signature.number(number);
        signature.number(u64::from(found.visits));
        signature.number(u64::from(found.winrate.to_bits()));
    }
    Ok(Rate::new("search", size, moves.len(), report.playouts, time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_can_be_played_and_the_signature_repeats() {
        let signature = || {
            let mut signature = Fnv1a::new();
            for (size, moves) in POSITIONS {
                let made = Search::handcrafted(options(Patterns::Hand, size));
                search(size, moves, made, 40, &mut signature).unwrap();
            }
            signature.get()
        };
        assert_eq!(signature(), signature());
    }
}
