//! `tesuji joseki eval`: how well moves in corners are foreseen in games that were not learned from.

use super::book;
use crate::go::train::games::{Part, Source, collect};
use crate::go::train::interrupted;
use crate::go::train::joseki::check_size;
use crate::output::print;
use crate::progress::Bar;
use anyhow::Result;
use clap::Args;
use go_engine::Color;
use go_patterns::game::Game;
use go_patterns::joseki::{ERAS, Era, Evaluation, JosekiBook, Tally};
use go_patterns::progress::Progress;
use rayon::prelude::*;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Options of `tesuji joseki eval`.
#[derive(Args, Debug)]
pub struct EvalArgs {
    #[command(flatten)]
    source: Source,
    /// A machine [default: the built-in one]
    #[arg(long = "machine", value_name = "MACHINE")]
    book: Option<PathBuf>,
    /// Moves of each game that are looked at
    #[arg(long, default_value_t = 60)]
    opening: usize,
    /// Look at the moves of black or white only
    #[arg(long, value_parser = color)]
    color: Option<Color>,
    /// Which of the games to look at
    #[arg(long, value_enum, default_value_t = Part::Validation)]
    part: Part,
}

fn color(text: &str) -> Result<Color, String> {
    let found = Color::BOTH.into_iter().find(|color| color.to_string() == text);
    found.ok_or_else(|| "black or white is expected".to_owned())
}

/// Corners by the stones in them, up to so many; the last row has all with more.
const DEPTHS: usize = 21;

type Tallies = [[Tally; DEPTHS]; ERAS.len()];

fn merge(mut sum: Tallies, part: Tallies) -> Tallies {
    for (sum, part) in sum.iter_mut().flatten().zip(part.iter().flatten()) {
        sum.merge(part);
    }
    sum
}

/// Runs `tesuji joseki eval`.
///
/// # Errors
/// When records or the book cannot be read.
pub fn run(args: &EvalArgs) -> Result<ExitCode> {
    check_size(args.source.size)?;
    let book = book(args.book.as_deref())?;
    let bar = Bar::new();
    let games = collect(&args.source, args.part, &bar)?;
    let evaluation = Evaluation { book: &book, opening: args.opening, color: args.color };
    bar.begin("foreseeing", games.len() as u64);
    let tallies = games
        .par_iter()
        .map(|game| {
            let mut tallies = Tallies::default();
            let era = Era::of(game, book.recent_since);
            if !bar.stopped() {
                evaluation.eval(game, &mut tallies[era as usize]);
            }
            bar.advance(1);
            tallies
        })
        .reduce(Tallies::default, merge);
    bar.end();
    if bar.stopped() {
        return Ok(interrupted());
    }
    print(&report(&games, &book, &tallies))?;
    Ok(ExitCode::SUCCESS)
}

fn report(games: &[Game], book: &JosekiBook, tallies: &Tallies) -> String {
    let mut text = String::new();
    let share = |part: u64, of: u64| 100.0 * part as f64 / of.max(1) as f64;
    let mut row = |name: &str, games: Option<usize>, tally: &Tally| {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{name:12} {:>7} {:>9} {:>6.1}% {:>6.1}% {:>6.1}% {:>6.1}% {:>6.1}% {:>6.1}%",
            games.map(|games| games.to_string()).unwrap_or_default(),
            tally.moves,
            share(tally.known, tally.moves),
            share(tally.within[0], tally.known),
            share(tally.within[1], tally.known),
            share(tally.strictly, tally.known),
            share(tally.recommended, tally.known),
            share(tally.within[1], tally.moves),
        );
    };
    let total = |tallies: &[Tally]| {
        tallies.iter().fold(Tally::default(), |mut sum, part| {
            sum.merge(part);
            sum
        })
    };
    let eras = ERAS.map(|era| {
        let played = games.iter().filter(|game| Era::of(game, book.recent_since) == era);
        (played.count(), total(&tallies[era as usize]))
    });
    let year = book.recent_since;
    row(&format!("before {year}"), Some(eras[0].0), &eras[0].1);
    row(&format!("since {year}"), Some(eras[1].0), &eras[1].1);
    let all = total(&[eras[0].1, eras[1].1]);
    row("all", Some(games.len()), &all);
    for (depth, (before, since)) in tallies[0].iter().zip(&tallies[1]).enumerate() {
        let more = if depth + 1 == DEPTHS { "+" } else { "" };
        row(&format!("{depth}{more} stones"), None, &total(&[*before, *since]));
    }
    format!(
        "{:12} {:>7} {:>9} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}\n{text}",
        "", "games", "moves", "known", "first", "in 3", "strict", "named", "of all"
    )
}
