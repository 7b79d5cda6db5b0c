//! `tesuji-amazons solve`: which side wins.

use std::path::PathBuf;
use std::process::ExitCode;

use std::time::{Duration, Instant};

use amazons_engine::notation::GameMove;
use amazons_engine::solve::{Limits, Solver};
use amazons_engine::{Color, Position};
use anyhow::{Context, Result, bail};
use clap::{Args, value_parser};
use game_core::{Proven, StopSignal};
use serde_json::json;

use super::perft::position;
use super::record;
use crate::options::{default_memory, seconds};
use crate::output::say;
use crate::{files, interrupt};

/// Options of `solve`.
#[derive(Args, Debug)]
pub struct SolveArgs {
    /// A record, SGF or moves in a row, whose last position is solved
    #[arg(value_name = "RECORD", conflicts_with = "position")]
    file: Option<PathBuf>,

    /// Turns of the record to play first [default: all]
    #[arg(long, value_name = "N")]
    turns: Option<usize>,

    /// A diagram instead of a record: rows from the top, X White, O Black, # or * an arrow, divided by |; or 10, 5 or 4
    #[arg(long, value_name = "DIAGRAM", value_parser = position)]
    position: Option<Position>,

    /// Who is to move, instead of whose turn it is
    #[arg(long, value_name = "COLOUR", value_parser = ["white", "black"])]
    to_move: Option<String>,

    /// Seconds at most
    #[arg(long, value_name = "SECONDS", default_value_t = 3600.0, value_parser = seconds)]
    time: f64,

    /// Positions expanded at most
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Memory of the transposition table, in MiB
    #[arg(long, value_name = "MIB", default_value_t = default_memory(1024), value_parser = value_parser!(u64).range(1..=1 << 16))]
    max_memory: u64,

    /// Answers in JSON
    #[arg(long)]
    json: bool,
}

/// Solves a position.
///
/// # Errors
/// When the record cannot be read.
pub fn run(args: &SolveArgs) -> Result<ExitCode> {
    let mut position = match (&args.file, args.position) {
        (Some(path), _) => {
            let place = || path.display().to_string();
            let bytes = files::read_record(path).with_context(place)?;
            *record::load(&bytes, args.turns).with_context(place)?.position()
        }
        (None, Some(position)) => position,
        (None, None) => bail!("name a record, or a position by --position"),
    };
    match args.to_move.as_deref() {
        Some("white") => position.set_to_move(Color::White),
        Some("black") => position.set_to_move(Color::Black),
        _ => {}
    }
    let stop = interrupt::flag();
    let begun = Instant::now();
    let deadline = Some(begun + Duration::from_secs_f64(args.time));
    let limits = Limits { nodes: args.nodes, stop: StopSignal { deadline, flag: Some(stop) } };
    let mut solver = Solver::new(args.max_memory as usize);
    let report = solver.solve(&position, &limits);
    let seconds = begun.elapsed().as_secs_f64();
    let side = position.to_move();
    let best =
        report.best.map(|mv| GameMove(mv).to_string()).filter(|_| report.proven == Proven::Win);
    let text = if args.json {
        let verdict = match report.proven {
            Proven::Win => "win",
            Proven::Loss => "loss",
            Proven::Unknown => "unknown",
        };
        json!({
            "side": side.to_string(), "verdict": verdict, "move": best,
            "nodes": report.nodes, "seconds": seconds,
        })
        .to_string()
    } else {
        let verdict = match (report.proven, &best) {
            (Proven::Win, Some(best)) => format!("{} wins with {best}", side.title()),
            (Proven::Win, None) => format!("{} wins", side.title()),
            (Proven::Loss, _) => format!("{} loses", side.title()),
            (Proven::Unknown, _) => "unknown: not decided within the limits".to_owned(),
        };
        format!("{verdict}; {} nodes, {seconds:.3} s", report.nodes)
    };
    say(&text)?;
    Ok(ExitCode::SUCCESS)
}
