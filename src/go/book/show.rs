//! `tesuji book show`: what a book says of the position after some moves.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use go_engine::{Game, Move, Point};
use go_patterns::opening::{BookPosition, OpeningBook};

use super::{BUILT_IN_BOOK, Books, kind};
use crate::output::print;

/// Options of `tesuji book show`.
#[derive(Args, Debug)]
pub struct ShowArgs {
    /// The moves that lead to the position, from the empty board, such as E5 C4
    #[arg(value_name = "MOVE")]
    moves: Vec<Point>,
    /// The book: built-in, or a file of `tesuji book make`
    #[arg(long, value_name = "FILE", default_value = BUILT_IN_BOOK)]
    book: PathBuf,
    /// Of several books the one for this komi
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true)]
    komi: Option<f32>,
}

/// Runs `tesuji book show`.
///
/// # Errors
/// When there is no such book, or the moves cannot be played.
pub fn run(args: &ShowArgs) -> Result<ExitCode> {
    let books = Books::open(&args.book)?;
    let mut found = books
        .all()
        .iter()
        .filter(|book| args.komi.is_none_or(|komi| komi == book.conditions().komi));
    let Some(book) = found.next() else {
        let has: Vec<String> = books.all().iter().map(|book| kind(book.conditions())).collect();
        match has.is_empty() {
            true => bail!("there is no book to show"),
            false => bail!("{} has no such book, but: {}", args.book.display(), has.join("; ")),
        }
    };
    let game = position(book, &args.moves)?;
    print(&show(book, &game))?;
    Ok(ExitCode::SUCCESS)
}

/// The game of these moves.
fn position(book: &OpeningBook, moves: &[Point]) -> Result<Game> {
    let conditions = book.conditions();
    let mut game = Game::new(conditions.size, conditions.size).context("no such board")?;
    game.set_rules(conditions.rules);
    game.set_komi(f64::from(conditions.komi));
    for (number, &point) in moves.iter().enumerate() {
        let player = game.to_play();
        let played = game.play(player, Move::Play(point));
        ensure!(played.is_ok(), "move {}: {}", number + 1, played.unwrap_err());
    }
    Ok(game)
}

fn show(book: &OpeningBook, game: &Game) -> String {
    let conditions = book.conditions();
    let mut text = format!(
        "Book for {}: {} positions, up to {} moves deep, {} visits each, network {}\n",
        kind(conditions),
        book.len(),
        book.depth(),
        conditions.visits,
        conditions.network
    );
    let moves: Vec<String> = game.moves().iter().map(|played| played.mv.to_string()).collect();
    let after = if moves.is_empty() {
        "On the empty board".to_owned()
    } else {
        format!("After {}", moves.join(" "))
    };
    let player = game.to_play();
    // Writing to a string cannot fail.
    let _ = match book.position(game) {
        None => writeln!(text, "\n{after} the book knows nothing."),
        Some(position) => {
            let value = position.value;
            let _ = writeln!(
                text,
                "\n{after} {player} wins {:.1}%, leads by {:.1}; {:.0} visits\n",
                100.0 * value.winrate,
                value.lead,
                value.visits
            );
            write!(text, "{}", table(&position))
        }
    };
    text
}

fn table(position: &BookPosition) -> String {
    let mut text =
        format!("  {:8} {:>7} {:>6} {:>7} {:>12}\n", "move", "tried", "won", "lead", "visits");
    for mv in &position.moves {
        let Some((point, others)) = mv.points.split_first() else { continue };
        let mut notes = Vec::new();
        if !others.is_empty() {
            let others: Vec<String> = others.iter().map(Point::to_string).collect();
            notes.push(format!("also {}", others.join(" ")));
        }
        if !mv.goes_on {
            notes.push("the book ends here".to_owned());
        }
        let row = format!(
            "  {:8} {:>7} {:>5.1}% {:>7.1} {:>12.0}  {}",
            point.to_string(),
            mv.visits,
            100.0 * mv.value.winrate,
            mv.value.lead,
            mv.value.visits,
            notes.join("; ")
        );
        text += row.trim_end();
        text.push('\n');
    }
    text
}
