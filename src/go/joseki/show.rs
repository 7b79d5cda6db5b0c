//! `tesuji joseki show`: the continuations of each corner in a position.

use super::book;
use super::continuations::{KnownCorner, Standing, known};
use super::position::PositionArgs;
use crate::go::train::print;
use anyhow::Result;
use clap::Args;
use go_patterns::joseki::{Corner, JosekiBook, Turn};
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Options of `tesuji joseki show`.
#[derive(Args, Debug)]
pub struct ShowArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Only this corner: lower-left, lower-right, upper-right or upper-left
    #[arg(short, long)]
    corner: Option<Corner>,
    /// A machine [default: the built-in one]
    #[arg(long = "machine", value_name = "MACHINE")]
    book: Option<PathBuf>,
}

/// Runs `tesuji joseki show`.
///
/// # Errors
/// When there is no such position, or the book cannot be read.
pub fn run(args: &ShowArgs) -> Result<ExitCode> {
    let book = book(args.book.as_deref())?;
    let game = args.position.read()?;
    let corners = Corner::ALL.into_iter().filter(|&c| args.corner.is_none_or(|wanted| wanted == c));
    let mut text = format!("after {} moves, {} to play\n", game.moves().len(), game.to_play());
    for corner in corners {
        match known(&book, &game, corner) {
            Some(known) => text += &show(&book, &known),
            // Writing to a string cannot fail.
            None => drop(write!(text, "\n{corner}: not known\n")),
        }
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn show(book: &JosekiBook, known: &KnownCorner) -> String {
    let mut text = format!(
        "\n{}: {} moves were played here so; {}here {:.0}%, elsewhere {:.0}%\n",
        known.corner,
        known.turns.played(),
        match known.turn {
            Turn::Answer => "the answer is ",
            Turn::Return => "the next move is ",
        },
        100.0 * known.here,
        100.0 * (1.0 - known.here),
    );
    let since = format!("since {}", book.recent_since);
    let _ =
        writeln!(text, "  {:5} {:>7} {:>7} {since:>10} {:>7}", "move", "share", "played", "won");
    for found in &known.moves {
        let note = match found.standing {
            Standing::Sound => "",
            Standing::LadderWorks => "  its ladder works",
            Standing::LadderFails => "  not here: its ladder does not work",
            Standing::Illegal => "  not here: the rules forbid it",
        };
        let _ = writeln!(
            text,
            "  {:5} {:>6.1}% {:>7} {:>10} {:>6.1}%{note}",
            found.point.to_string(),
            100.0 * found.share,
            found.transition.count,
            found.transition.recent,
            100.0 * found.transition.win_rate(),
        );
    }
    text
}
