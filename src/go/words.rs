//! Between the protocol's words and the engine's types.

use go_engine::{Game, Move, Point};

use crate::gtp::{Args, Failure};

/// The next word as a move on the board of `game`: a vertex or `pass`.
pub fn take_move(args: &mut Args<'_>, game: &Game) -> Result<Move, Failure> {
    let word = args.next().ok_or_else(bad_coordinate)?;
    read_move(word, game).ok_or_else(bad_coordinate)
}

/// A move from a word; a point outside the board is none.
pub fn read_move(word: &str, game: &Game) -> Option<Move> {
    if word.eq_ignore_ascii_case("pass") {
        return Some(Move::Pass);
    }
    read_point(word, game).map(Move::Play)
}

/// A point of the board of `game` from a word.
pub fn read_point(word: &str, game: &Game) -> Option<Point> {
    word.parse().ok().filter(|&point| game.board().contains(point))
}

/// The failure of a word that is no colour or no point.
pub fn bad_coordinate() -> Failure {
    Failure::new("invalid color or coordinate")
}

/// Vertices with spaces between them.
pub fn join<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(" ")
}
