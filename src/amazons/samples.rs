//! `tesuji-amazons samples`: games of self-play in the sample form of CN 111330255 B, as a table.
//!
//! Every turn gives two samples, one of the queen's move and one of the arrow on the board after it. The board is 100
//! digits in the order of the patent's square numbers, from a1 row by row: 0 an arrow, 1 free, 2 a black queen, 3 a white
//! one; squares are these numbers, -1 where one does not apply; the result is 1 when the side to move won. Games, not
//! samples, are split 7:2:1 into train, validation and test.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use amazons_engine::learn::Part;
use amazons_engine::net::planes::{AREA, number, numbered};
use amazons_engine::{Color, Position};
use anyhow::{Context, Result};
use clap::Args;

use super::selfplay::read_games;
use crate::files;
use crate::output::say;

/// Options of `samples`.
#[derive(Args, Debug)]
pub struct SamplesArgs {
    /// Files of games that `selfplay` has written
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    games: Vec<PathBuf>,

    /// File for the table, CSV
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
}

/// The board as 100 digits.
fn board(position: &Position) -> String {
    let digit = |square| match position.queen_at(square) {
        Some(Color::Black) => '2',
        Some(Color::White) => '3',
        None if position.free().contains(square) => '1',
        None => '0',
    };
    (0..AREA).filter_map(numbered).map(digit).collect()
}

/// Writes the samples of all games.
///
/// # Errors
/// When games cannot be read or hold an illegal move, or the table not be written.
pub fn run(args: &SamplesArgs) -> Result<ExitCode> {
    let mut table = String::from("part,game,turn,board,type,from,to,arrow,result,chance\n");
    let mut samples = 0;
    for path in &args.games {
        for (line, game) in read_games(path)?.iter().enumerate() {
            let mut position = Position::start();
            for (turn, played) in game.turns.iter().enumerate() {
                let place = || format!("{}, line {}, turn {}", path.display(), line + 1, turn + 1);
                let mv = played.mv;
                position.check(mv).with_context(place)?;
                let head = format!("{},{},{}", Part::of(game.seed).name(), game.seed, turn + 1);
                let won = u8::from(game.winner == position.to_move());
                let chance = played.chance.map(|chance| format!("{chance:.4}")).unwrap_or_default();
                let (from, to, arrow) = (number(mv.from), number(mv.to), number(mv.arrow));
                let before = board(&position);
                let between = board(&position.after_queen(mv.from, mv.to));
                // Writing to a string cannot fail.
                let _ = writeln!(table, "{head},{before},Amazon,{from},{to},-1,{won},{chance}");
                let _ = writeln!(table, "{head},{between},Arrow,-1,-1,{arrow},{won},{chance}");
                samples += 2;
                position.make(mv);
            }
        }
    }
    files::replace(&args.output, table.as_bytes())
        .with_context(|| args.output.display().to_string())?;
    say(&format!("{samples} samples"))?;
    Ok(ExitCode::SUCCESS)
}
