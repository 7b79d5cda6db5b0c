//! What was learned of openings: how often turns were played in recorded games, and how they ended.
//!
//! Positions that are turned or mirrored images of each other are one. The book does not play blindly: it
//! moves the priors of the search's first turns and its value of first positions.

use crate::Color;
use crate::board::Board;
use crate::game::Game;
use crate::learn::Sample;
use crate::point::{MAX_SIDE, Point, Turn};
use crate::rules::Rules;
use game_core::Symmetry;
use std::collections::BTreeMap;

/// Positions of more stones than this are no opening.
pub const MAX_STONES: usize = 9;
/// Positions of fewer games than this are left out.
const MIN_GAMES: u32 = 6;
/// The value of a position counts as so many games beside those recorded.
const PRIOR_GAMES: f32 = 30.0;

/// A turn's record.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Entry {
    /// The turn, in the position's first image.
    pub turn: Turn,
    /// Games in which it was played.
    pub games: u32,
    /// Points it made in them: 1 for a win, 0.5 for a draw.
    pub points: f32,
}

/// Recorded turns by position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Book {
    positions: BTreeMap<u64, Vec<Entry>>,
}

/// Where a point comes to.
fn image_of(symmetry: Symmetry, point: Point) -> Point {
    let (at, side) = ((point.col() as u8, point.row() as u8), MAX_SIDE as u8);
    let (col, row) = symmetry.of(at, (side, side));
    Point::new(col.into(), row.into()).unwrap_or(point)
}

/// Where a turn's stones come to.
fn turn_of(symmetry: Symmetry, turn: Turn) -> Turn {
    let first = image_of(symmetry, turn.first());
    match turn.second() {
        Some(second) => Turn::pair(first, image_of(symmetry, second)),
        None => Turn::single(first),
    }
}

/// The minimum key of a position's images, and the image that has it.
fn first_image(board: &Board) -> (u64, Symmetry) {
    let stones: Vec<(Color, Point)> = (0..board.rules().height())
        .flat_map(|row| (0..board.rules().width()).filter_map(move |col| Point::new(col, row)))
        .filter_map(|p| Some((board.get(p)?, p)))
        .collect();
    let key = |image: Symmetry| {
        stones
            .iter()
            .fold(0, |key, &(c, p)| key ^ board.geometry().key(c.index(), image_of(image, p)))
    };
    Symmetry::all()
        .map(|image| (key(image), image))
        .min_by_key(|k| k.0)
        .unwrap_or((board.key(), Symmetry::NONE))
}

/// A number that positions share which are turned or mirrored images of each other.
pub fn symmetric_key(board: &Board) -> u64 {
    first_image(board).0
}

impl Book {
    /// Bytes of a turn as [`Book::encode`] writes it.
    pub const TURN_BYTES: usize = 16;

    /// A book of games, Black's first stone left out.
    pub fn learn<'a>(samples: impl IntoIterator<Item = &'a Sample>) -> Book {
        let mut positions: BTreeMap<u64, BTreeMap<u32, (u32, f32)>> = BTreeMap::new();
        for sample in samples {
            let mut game = Game::new(Rules::CONNECT6);
            for pair in sample.stones.get(1..).unwrap_or_default().chunks_exact(2) {
                if game.board().count() == 0 && game.play(Color::Black, sample.stones[0]).is_err() {
                    break;
                }
                if game.board().count() > MAX_STONES {
                    break;
                }
                let (key, image) = first_image(game.board());
                let side = game.to_move().color;
                let turn = turn_of(image, Turn::pair(pair[0], pair[1]));
                let entry = positions.entry(key).or_default().entry(turn.pack()).or_default();
                entry.0 += 1;
                entry.1 += sample.result(side);
                if game.play_turn(side, Turn::pair(pair[0], pair[1])).is_err() {
                    break;
                }
            }
        }
        let entries = |turns: BTreeMap<u32, (u32, f32)>| -> Vec<Entry> {
            let of =
                |(turn, (games, points))| Some(Entry { turn: Turn::unpack(turn)?, games, points });
            turns.into_iter().filter(|t| t.1.0 >= 2).filter_map(of).collect()
        };
        let enough = |turns: &BTreeMap<u32, (u32, f32)>| {
            turns.values().map(|t| t.0).sum::<u32>() >= MIN_GAMES
        };
        let positions = positions
            .into_iter()
            .filter(|(_, turns)| enough(turns))
            .map(|(key, turns)| (key, entries(turns)));
        Book { positions: positions.filter(|(_, turns)| !turns.is_empty()).collect() }
    }

    /// How many positions it holds.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The recorded turns of a position, as they are on this board; none on other boards than 19x19.
    pub fn turns(&self, board: &Board) -> Vec<Entry> {
        if self.is_empty() || board.rules() != Rules::CONNECT6 || board.count() > MAX_STONES {
            return Vec::new();
        }
        let (key, image) = first_image(board);
        let back = image.inverse();
        let turned = |e: &Entry| Entry { turn: turn_of(back, e.turn), ..*e };
        // A file may say anything.
        let is_legal = |e: &Entry| e.turn.stones().all(|at| board.is_empty(at));
        let turns = self.positions.get(&key).into_iter().flatten();
        turns.map(turned).filter(is_legal).collect()
    }

    /// The chance that the side to move wins, from a value and the recorded games.
    pub fn chance(value: f32, turns: &[Entry]) -> f32 {
        let games: u32 = turns.iter().map(|t| t.games).sum();
        let points: f32 = turns.iter().map(|t| t.points).sum();
        (value * PRIOR_GAMES + points) / (PRIOR_GAMES + games as f32)
    }

    /// The book as bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (key, turns) in &self.positions {
            for t in turns {
                bytes.extend(key.to_le_bytes());
                bytes.extend(t.turn.pack().to_le_bytes());
                bytes.extend((t.games.min(65_535) as u16).to_le_bytes());
                bytes.extend(((t.points * 2.0).min(65_535.0) as u16).to_le_bytes());
            }
        }
        bytes
    }

    /// The book that [`Book::encode`] wrote; a rest of fewer than [`Book::TURN_BYTES`] is left out.
    pub fn decode(bytes: &[u8]) -> Book {
        let mut book = Book::default();
        for b in bytes.chunks_exact(Self::TURN_BYTES) {
            let word = |at: usize| u32::from_le_bytes([b[at], b[at + 1], b[at + 2], b[at + 3]]);
            let key = u64::from(word(0)) | u64::from(word(4)) << 32;
            if let Some(turn) = Turn::unpack(word(8)) {
                let (games, points) = (word(12) & 0xffff, (word(12) >> 16) as f32 / 2.0);
                book.positions.entry(key).or_default().push(Entry { turn, games, points });
            }
        }
        book
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_that_cannot_be_played_are_left_out() {
        let at = |col, row| Point::new(col, row).unwrap();
        let game = Game::from_stones(Rules::CONNECT6, [at(9, 9)]).unwrap();
        let entry = |turn| Entry { turn, games: 8, points: 8.0 };
        let entries = [(at(9, 9), at(9, 10)), (at(3, 3), at(3, 4))];
        let entries = entries.map(|(a, b)| entry(Turn::pair(a, b)));
        let positions = [(first_image(game.board()).0, entries.to_vec())].into();
        let turns = Book { positions }.turns(game.board());
        assert_eq!(turns.len(), 1, "{turns:?}");
    }

    #[test]
    fn images_of_a_game_are_one_position() {
        let at = |col, row| Point::new(col, row).unwrap();
        let sample = |image: Symmetry| Sample {
            stones: [at(9, 9), at(10, 10), at(8, 10), at(9, 11), at(11, 9)]
                .map(|p| image_of(image, p))
                .to_vec(),
            outcome: crate::Outcome::Win(Color::White),
            searched: Vec::new(),
        };
        let samples: Vec<Sample> = Symmetry::all().map(sample).collect();
        let book = Book::learn(&samples);
        assert_eq!(Book::decode(&book.encode()), book);
        let mut game = Game::new(Rules::CONNECT6);
        game.play(Color::Black, at(9, 9)).unwrap();
        let turns = book.turns(game.board());
        assert_eq!(turns.iter().map(|t| t.games).sum::<u32>(), 8);
        assert_eq!(turns.iter().map(|t| t.points).sum::<f32>(), 8.0);
        for image in Symmetry::all() {
            let mut game = Game::from_stones(Rules::CONNECT6, [at(9, 9)]).unwrap();
            let turn = turn_of(image, Turn::pair(at(10, 10), at(8, 10)));
            game.play_turn(Color::White, turn).unwrap();
            let next = book.turns(game.board());
            assert!(
                !next.is_empty()
                    && next.iter().all(|t| t.turn.stones().all(|p| game.board().is_empty(p)))
            );
        }
    }
}
