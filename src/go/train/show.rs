//! `tesuji patterns show`: the patterns about a point, drawn, with their counts.

use super::read;
use crate::go::recorded::{check, name, record};
use crate::output::print;
use anyhow::{Context, Result, bail};
use clap::Args;
use go_engine::{Board, Color, Point, Site, with_layout};
use go_patterns::frequencies::{Estimator, IncrementalCodes, Katz, Table, Template};
use go_patterns::game::Game;
use go_patterns::learned;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Options of `tesuji patterns show`.
#[derive(Args, Debug)]
pub struct ShowArgs {
    /// A record
    file: PathBuf,
    /// Number of the game in the file
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    game: u64,
    /// The position after so many moves
    #[arg(short, long = "move", value_name = "N", default_value_t = 0)]
    moves: usize,
    /// The point to look at [default: where the next move was played]
    #[arg(short, long)]
    point: Option<Point>,
    /// A table of frequencies [default: the built-in one]
    #[arg(long)]
    table: Option<PathBuf>,
}

/// Runs `tesuji patterns show`.
///
/// # Errors
/// When the record has no such game or move, or the table cannot be read.
pub fn run(args: &ShowArgs) -> Result<ExitCode> {
    let table = match &args.table {
        Some(path) => Table::from_bytes(&read(path)?)
            .with_context(|| format!("cannot use {}", path.display()))?,
        None => learned::frequencies()?,
    };
    let record = record(&args.file, args.game)?;
    let place = || name(&args.file, args.game);
    let Some(side) = record.size.side().filter(|&side| side <= 25) else {
        bail!("{}: a {} board: only square ones up to 25 are looked at", place(), record.size);
    };
    let game = Game::of_any_length(&record, side).with_context(place)?;
    check(&args.file, args.moves, game.moves.len())?;
    let first = record.header.to_play.unwrap_or(Color::Black);
    print(&with_layout!(side, show(&game, first, args, &table)).with_context(place)?)?;
    Ok(ExitCode::SUCCESS)
}

fn show<const N: usize, const W: usize>(
    game: &Game,
    first: Color,
    args: &ShowArgs,
    table: &Table,
) -> Result<String> {
    let mut tracker = IncrementalCodes::<N, W>::new(game).context("the board does not fit")?;
    for _ in 0..args.moves {
        tracker.advance();
    }
    // After the last move it is the other's turn.
    let next = game.moves.last().map_or(first, |last| last.0.other());
    let (mover, played) = tracker.upcoming().unwrap_or((next, Site::PASS));
    let board = &tracker.replay().board;
    let site = match args.point {
        None => played,
        Some(point) => board.site(point).with_context(|| format!("{point} is not on the board"))?,
    };
    if site.is_pass() {
        bail!("no point was played on after move {}: name one with --point", args.moves);
    }
    if !board.is_empty(site) {
        bail!("there is a stone on {} after move {}", board.point(site), args.moves);
    }
    // Writing to a string cannot fail.
    let mut text =
        format!("after move {}, {mover} to play, about {}\n", args.moves, board.point(site));
    let names = tracker.codes().names_of_move(board, site, mover, table.timing);
    for template in Template::all() {
        let known = match table.get(names[template.index()]) {
            None => format!("played less than {} times", table.min_count),
            Some(entry) => format!(
                "played {} of {} times it could be: {:.5}",
                entry.played,
                entry.chances,
                entry.rate()
            ),
        };
        let _ = writeln!(text, "\n{template}  {known}");
        draw(board, site, mover, template, &mut text);
    }
    let paper = Estimator::with(table, Katz::PAPER).estimate(names);
    let _ = writeln!(text, "\nKatz, paper  {paper:.5}");
    let _ = writeln!(text, "Katz, table  {:.5}", Estimator::of(table).estimate(names));
    Ok(text)
}

/// Draws a pattern: `X` the mover's stones, `O` the other's, `#` border, `*` the point itself.
fn draw<const N: usize, const W: usize>(
    board: &Board<N, W>,
    site: Site,
    mover: Color,
    template: Template,
    out: &mut String,
) {
    let centre = board.point(site);
    let radius = i32::from(template.radius());
    for dy in (-radius..=radius).rev() {
        let mut row = String::new();
        for dx in -radius..=radius {
            let (col, y) = (i32::from(centre.col()) + dx, i32::from(centre.row()) + dy);
            let inside = (0..i32::from(board.width())).contains(&col)
                && (0..i32::from(board.height())).contains(&y);
            let color = if inside {
                board.site(Point::new(col as u8, y as u8)).and_then(|site| board.color(site))
            } else {
                None
            };
            row.push(' ');
            row.push(match (Template::of_offset(dx, dy), inside, color) {
                (None, ..) if (dx, dy) == (0, 0) => '*',
                (Some(part), ..) if part > template => ' ',
                (None, ..) => ' ',
                (_, false, _) => '#',
                (_, _, None) => '.',
                (_, _, Some(color)) if color == mover => 'X',
                _ => 'O',
            });
        }
        let _ = writeln!(out, " {}", row.trim_end());
    }
}
