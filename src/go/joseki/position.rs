//! The position of a record that a command looks at.

use crate::go::record::replay;
use crate::go::train::read;
use anyhow::{Context, Result, bail};
use clap::Args;
use game_record::{Games, Record};
use go_engine::Game;
use go_patterns::joseki::SIDE;
use std::path::PathBuf;

/// Which position of which record.
#[derive(Args, Debug)]
pub struct PositionArgs {
    /// A record
    file: PathBuf,
    /// Number of the game in the file
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    game: u64,
    /// Number of a move, from 1: the position before it is looked at [default: the last position]
    #[arg(short = 'm', long = "move", value_parser = clap::value_parser!(u64).range(1..))]
    number: Option<u64>,
}

impl PositionArgs {
    /// The game so far.
    ///
    /// # Errors
    /// When the file has no such game or move, or the board has no corners.
    pub fn read(&self) -> Result<Game> {
        let place = || format!("{}, game {}", self.file.display(), self.game);
        let bytes = read(&self.file)?;
        let text = Games::new(&bytes).nth(self.game as usize - 1);
        let text = text.with_context(|| format!("there is no {}", place()))?.with_context(place)?;
        let record = Record::read(&text).with_context(place)?;
        let last = record.moves().count();
        let moves = self.number.map(|number| number as usize - 1);
        if moves.is_some_and(|moves| moves > last) {
            bail!("{} has {last} moves", place());
        }
        let like = Game::new(19, 19).context("no such board")?;
        let game = replay(&record, moves, &like).with_context(place)?;
        let (width, height) = (game.board().width(), game.board().height());
        if width < SIDE || height < SIDE {
            bail!("a corner is {SIDE} x {SIDE}: there is none on a {width} x {height} board");
        }
        Ok(game)
    }
}
