//! `tesuji joseki show`: the continuations of each corner in a position.

use super::book;
use super::continuations::{Continuation, KnownCorner, Standing, known};
use super::position;
use crate::go::recorded::{Position, PositionArgs};
use crate::output::print;
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
    let Position { game, moves } = position(&args.position)?;
    let corners = Corner::ALL.into_iter().filter(|&c| args.corner.is_none_or(|wanted| wanted == c));
    let mut text = format!("after move {moves}, {} to play\n", game.to_play());
    let corners: Vec<_> = corners.map(|corner| (corner, known(&book, &game, corner))).collect();
    let all: Vec<&KnownCorner> = corners.iter().filter_map(|(_, known)| known.as_ref()).collect();
    for (corner, known) in &corners {
        match known {
            Some(known) => text += &show(&book, known, &all),
            // Writing to a string cannot fail.
            None => drop(write!(text, "\n{corner}: not known\n")),
        }
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// A move as a row shows it: in a corner that is its own mirror image it has two points.
struct Row<'k> {
    points: String,
    share: f32,
    found: &'k Continuation,
}

/// The moves of a corner, each once: twins of a mirrored corner together, and a point of the middle lines, which belongs
/// to two corners, only in the one where it has the larger share.
fn rows<'k>(known: &'k KnownCorner, all: &[&KnownCorner]) -> Vec<Row<'k>> {
    let is_elsewhere = |found: &Continuation| {
        let before = all.iter().take_while(|other| other.corner != known.corner).count();
        all.iter().enumerate().any(|(number, other)| {
            other.corner != known.corner
                && other.moves.iter().any(|same| {
                    same.point == found.point
                        && (same.share > found.share
                            || same.share == found.share && number < before)
                })
        })
    };
    let mut rows: Vec<Row> = Vec::new();
    for found in known.moves.iter().filter(|found| !is_elsewhere(found)) {
        let is_twin = |row: &&mut Row| {
            row.found.transition == found.transition && row.found.standing == found.standing
        };
        match rows.iter_mut().find(is_twin) {
            Some(row) => {
                row.points += &format!(" {}", found.point);
                row.share += found.share;
            }
            None => rows.push(Row { points: found.point.to_string(), share: found.share, found }),
        }
    }
    rows
}

fn show(book: &JosekiBook, known: &KnownCorner, all: &[&KnownCorner]) -> String {
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
        writeln!(text, "  {:7} {:>7} {:>7} {since:>10} {:>7}", "move", "share", "played", "won");
    for Row { points, share, found } in rows(known, all) {
        let note = match found.standing {
            Standing::Sound => "",
            Standing::LadderWorks => "  its ladder works",
            Standing::LadderFails => "  not here: its ladder does not work",
            Standing::Illegal => "  not here: the rules forbid it",
        };
        let _ = writeln!(
            text,
            "  {points:7} {:>6.1}% {:>7} {:>10} {:>6.1}%{note}",
            100.0 * share,
            found.transition.count,
            found.transition.recent,
            100.0 * found.transition.win_rate(),
        );
    }
    text
}
