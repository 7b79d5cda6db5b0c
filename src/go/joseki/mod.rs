//! What is played in corners, shown to people and reported on: `tesuji joseki`.
//!
//! * [`code`]: the paper's code of a position; [`stats`]: how well codes tell positions apart.
//! * [`eval`]: how well moves are foreseen in games that were not learned from.
//! * [`show`]: a position's continuations, put together in [`continuations`]; [`export`]: the book as an SGF tree.

pub mod code;
pub mod continuations;
pub mod eval;
pub mod export;
pub(super) mod gogui;
pub mod show;
pub mod stats;

use crate::go::recorded::{Position, PositionArgs};
use crate::go::train::read;
use anyhow::{Context, Result, ensure};
use clap::Subcommand;
use go_patterns::joseki::{JosekiBook, SIDE};
use go_patterns::learned;
use std::borrow::Cow;
use std::path::Path;
use std::process::ExitCode;

/// The commands of `tesuji joseki`.
#[derive(Subcommand, Debug)]
pub enum Joseki {
    /// The code of Yue, Li and Qiu of each corner, in its parts
    Code(code::CodeArgs),
    /// How well the code of Yue, Li and Qiu and the canonical key tell positions apart, and how fast
    Stats(stats::StatsArgs),
    /// How well moves in corners are foreseen in games not learned from
    Eval(eval::EvalArgs),
    /// The continuations of each corner in a position
    Show(show::ShowArgs),
    /// Write what was learned as an SGF tree
    Export(export::ExportArgs),
}

/// Runs `tesuji joseki`.
///
/// # Errors
/// What went wrong, in words.
pub fn run(what: &Joseki) -> Result<ExitCode> {
    match what {
        Joseki::Code(args) => code::run(args),
        Joseki::Stats(args) => stats::run(args),
        Joseki::Eval(args) => eval::run(args),
        Joseki::Show(args) => show::run(args),
        Joseki::Export(args) => export::run(args),
    }
}

/// The book of a file, or the built-in one.
fn book(path: Option<&Path>) -> Result<Cow<'static, JosekiBook>> {
    Ok(match path {
        Some(path) => Cow::Owned(
            JosekiBook::from_bytes(&read(path)?)
                .with_context(|| format!("cannot use {}", path.display()))?,
        ),
        None => Cow::Borrowed(learned::joseki()?),
    })
}

/// The position that a command names, on a board that has corners.
fn position(args: &PositionArgs) -> Result<Position> {
    let position = args.read()?;
    let game = &position.game;
    let (width, height) = (game.board().width(), game.board().height());
    ensure!(
        width >= SIDE && height >= SIDE,
        "{}: a corner is {SIDE} x {SIDE}: there is none on a {width} x {height} board",
        args.file.display()
    );
    Ok(position)
}
