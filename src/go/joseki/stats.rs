//! `tesuji joseki stats`: how well codes tell positions apart and how fast, beside the paper's
//! figures for its own.

use super::book;
use crate::go::train::games::{Part, Source, collect};
use crate::go::train::interrupted;
use crate::go::train::joseki::{CutArgs, check_size};
use crate::output::print;
use crate::progress::Bar;
use anyhow::Result;
use clap::Args;
use go_patterns::joseki::{Code, Cut, Encoding, Figures, Forms, JosekiBook, Speed, Timed, encode};
use go_patterns::progress::Progress;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Options of `tesuji joseki stats`.
#[derive(Args, Debug)]
pub struct StatsArgs {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    cut: CutArgs,
    /// Look at so many games at most, spread evenly
    #[arg(long)]
    games: Option<usize>,
    /// A machine whose look-up is timed [default: the built-in one]
    #[arg(long = "machine", value_name = "MACHINE")]
    book: Option<PathBuf>,
    /// Which of the games to count
    #[arg(long, value_enum, default_value_t = Part::All)]
    part: Part,
}

/// Runs `tesuji joseki stats`.
///
/// # Errors
/// When records or the book cannot be read.
pub fn run(args: &StatsArgs) -> Result<ExitCode> {
    check_size(args.source.size)?;
    let book = book(args.book.as_deref())?;
    let bar = Bar::new();
    let mut games = collect(&args.source, args.part, &bar)?;
    if let Some(max_games) = args.games.filter(|&max_games| max_games < games.len()) {
        let all = games.len();
        games = (0..max_games).map(|i| games[i * all / max_games].clone()).collect();
    }
    let cut = args.cut.cut();
    let Some(encoding) = encode(&games, cut, &bar) else {
        return Ok(interrupted());
    };
    bar.end();
    print(&report(games.len(), cut, &encoding, &book))?;
    Ok(ExitCode::SUCCESS)
}

fn report(games: usize, cut: Cut, encoding: &Encoding, book: &JosekiBook) -> String {
    let positions = &encoding.positions;
    let paper = encoding.figures(|stones| Code::of(stones).s());
    let own = encoding.figures(|stones| Forms::of(stones).position_key());
    let mut text = format!(
        "{games} games, {} encodings (after every corner move, {} a corner at most, of the first \
         {} moves), {} positions\n\n{:24} {:>10} {:>8} {:>10} {:>7} {:>10} {:>8}\n",
        paper.encodings,
        cut.moves,
        cut.opening,
        paper.positions,
        "",
        "codes",
        "shared",
        "positions",
        "split",
        "all, ms",
        "one, ns",
    );
    let mut row = |name: &str, figures: Option<Figures>, Timed { items, time }: Timed| {
        let cells = figures.map_or([const { String::new() }; 4], |f| {
            [f.codes, f.shared, f.confused, f.split].map(|number| number.to_string())
        });
        let [codes, shared, confused, split] = cells;
        let one = time.as_secs_f64() * 1e9 / items.max(1) as f64;
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{name:24} {codes:>10} {shared:>8} {confused:>10} {split:>7} {:>10.3} {one:>8.1}",
            time.as_secs_f64() * 1e3
        );
    };
    let speed = Speed::measure(positions, book);
    row("paper's code", Some(paper), speed.code);
    row("canonical key", Some(own), speed.key);
    row("  kept move by move", None, speed.kept);
    row("next moves on the board", None, speed.next);
    row("  of known corners only", None, speed.known);
    let _ = writeln!(
        text,
        "\nshared: codes of several different positions, and those positions; split: positions whose \
         forms differ in code; the machine of {} games knows {} of the {} encodings",
        book.games,
        speed.known.items,
        positions.len()
    );
    text
}
