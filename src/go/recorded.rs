//! The position of a record that a command line names: a file, a game in it, and a number of moves.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, value_parser};
use game_record::{Games, Record};
use go_engine::Game;

use super::record::{replay, usual_komi};
use crate::files;

/// Which position of which record.
#[derive(Args, Debug)]
pub struct PositionArgs {
    /// A record
    pub file: PathBuf,
    /// Where in it.
    #[command(flatten)]
    pub place: PlaceArgs,
}

/// A game up to a position of a record.
pub struct Position {
    /// The game, which begins anew where stones are set up on the way.
    pub game: Game,
    /// How many moves the record has up to there.
    pub moves: usize,
}

/// Where in a file of records.
#[derive(Args, Debug)]
pub struct PlaceArgs {
    /// Number of the game in the file
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u64).range(1..))]
    game: u64,
    /// The position after so many moves [default: the last]
    #[arg(short, long = "move", value_name = "N")]
    moves: Option<usize>,
}

impl PositionArgs {
    /// The game up to that position.
    ///
    /// # Errors
    /// When the file has no such game or move.
    pub fn read(&self) -> Result<Position> {
        self.place.read(&self.file)
    }
}

impl PlaceArgs {
    /// In the first game, after so many moves or at its end.
    pub fn of_first(moves: Option<usize>) -> PlaceArgs {
        PlaceArgs { game: 1, moves }
    }

    /// The game of a file up to that position. What the record does not say is as in a review: Chinese rules, and the usual
    /// komi.
    ///
    /// # Errors
    /// When the file has no such game or move.
    pub fn read(&self, file: &Path) -> Result<Position> {
        let record = record(file, self.game)?;
        let all = record.moves().count();
        let moves = self.moves.unwrap_or(all);
        check(file, moves, all)?;
        let mut like = Game::new(19, 19).context("no such board")?;
        like.set_komi(usual_komi(&record.header));
        let game = replay(&record, self.moves, &like).with_context(|| name(file, self.game))?;
        Ok(Position { game, moves })
    }
}

/// A record, with what is wrong with it told with its file.
///
/// # Errors
/// When the file cannot be read or has no such game.
pub fn record(file: &Path, game: u64) -> Result<Record> {
    let bytes =
        files::read_record(file).with_context(|| format!("cannot read {}", file.display()))?;
    let index = usize::try_from(game - 1).unwrap_or(usize::MAX);
    let text = match Games::new(&bytes).nth(index) {
        None => bail!("{} has no game {game}", file.display()),
        // An error tells the number of the game.
        Some(text) => text.with_context(|| file.display().to_string())?,
    };
    Record::read(&text).with_context(|| file.display().to_string())
}

/// Says that a record is shorter than it was thought to be.
///
/// # Errors
/// When more moves are wanted than there are.
pub fn check(file: &Path, wanted: usize, moves: usize) -> Result<()> {
    match wanted <= moves {
        true => Ok(()),
        false => bail!("{} has {moves} moves, not {wanted}", file.display()),
    }
}

/// A file, and the game in it unless it is the first.
pub fn name(file: &Path, game: u64) -> String {
    match game {
        1 => file.display().to_string(),
        game => format!("{}, game {game}", file.display()),
    }
}
