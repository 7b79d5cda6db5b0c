//! A game to learn from: its moves, checked by playing them.

use game_core::Fnv1a;
use game_record::{Color as Side, Record, Step};
use go_engine::{Board, Color, Point, Site};

/// A game as a learner wants it: short, and known to be legal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Game {
    /// The board's side.
    pub side: u8,
    /// Stones placed before the first move.
    pub setup: Vec<(Color, Point)>,
    /// The moves; `None` is a pass.
    pub moves: Vec<(Color, Option<Point>)>,
    /// The year that the record's date names, if it names one.
    pub year: Option<u16>,
    /// Who won, where the record says so.
    pub winner: Option<Color>,
}

/// Why a record is left out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RejectReason {
    /// Not a game of Go.
    #[error("not a game of Go (GM[{0}])")]
    OtherGame(u32),
    /// Not the size that is being learned.
    #[error("a {0} board, not {1}x{1}")]
    OtherSize(String, u8),
    /// Stones are placed or removed in the middle of the game.
    #[error("stones are placed after the first move")]
    LateSetup,
    /// A move on a stone, into a ko, or a suicide.
    #[error("illegal move {number} at {point}")]
    Illegal {
        /// Number of the move, from 1.
        number: usize,
        /// Where.
        point: Point,
    },
    /// Setup stones on top of each other or without a liberty.
    #[error("bad setup at {0}")]
    BadSetup(Point),
    /// No move but passes.
    #[error("no moves")]
    Empty,
}

impl Game {
    /// Takes a game to learn from out of a record and plays it through.
    ///
    /// # Errors
    /// Why the record is to be left out.
    pub fn from_record(record: &Record, side: u8) -> Result<Game, RejectReason> {
        let game = Self::of_any_length(record, side)?;
        match game.moves.iter().all(|(_, point)| point.is_none()) {
            true => Err(RejectReason::Empty),
            false => Ok(game),
        }
    }

    /// The same of a record that may be a position without moves, which is nothing to learn from.
    ///
    /// # Errors
    /// As [`Game::from_record`], but for [`RejectReason::Empty`].
    pub fn of_any_length(record: &Record, side: u8) -> Result<Game, RejectReason> {
        if record.header.game != 1 {
            return Err(RejectReason::OtherGame(record.header.game));
        }
        if record.size.side() != Some(side) {
            return Err(RejectReason::OtherSize(record.size.to_string(), side));
        }
        let point = |p: game_record::Point| Point::new(p.column, side - 1 - p.row);
        let color = |side: Side| match side {
            Side::Black => Color::Black,
            Side::White => Color::White,
        };
        let mut game = Game {
            side,
            setup: Vec::new(),
            moves: Vec::with_capacity(record.steps.len()),
            year: record.header.date.as_deref().and_then(year),
            winner: record.header.result.as_ref().and_then(|result| result.winner()).map(color),
        };
        for placed in &record.setup {
            let at = point(placed.point);
            game.setup.retain(|&(_, other)| other != at);
            game.setup.extend(placed.stone.map(|stone| (color(stone), at)));
        }
        for step in &record.steps {
            match step {
                Step::Play(play) => game.moves.push((color(play.color), play.point.map(point))),
                Step::Setup(_) => return Err(RejectReason::LateSetup),
                // The next move tells it too.
                Step::ToPlay(_) => {}
            }
        }
        match side {
            0..=9 => game.check::<128, 2>()?,
            10..=13 => game.check::<256, 3>()?,
            14..=19 => game.check::<512, 6>()?,
            _ => game.check::<1024, 11>()?,
        }
        Ok(game)
    }

    fn check<const N: usize, const W: usize>(&self) -> Result<(), RejectReason> {
        let size = || RejectReason::OtherSize(format!("{0}x{0}", self.side), self.side);
        let mut replay = self.replay::<N, W>().ok_or_else(size)?;
        for &(_, point) in &self.setup {
            let site = replay.board.site(point);
            if site.is_none_or(|site| replay.board.is_empty(site)) {
                return Err(RejectReason::BadSetup(point));
            }
        }
        for (index, &(color, point)) in self.moves.iter().enumerate() {
            if let Some(point) = point {
                let site = replay.board.site(point);
                if !site.is_some_and(|site| replay.board.is_legal(site, color)) {
                    return Err(RejectReason::Illegal { number: index + 1, point });
                }
            }
            replay.advance();
        }
        Ok(())
    }

    /// The game from its beginning; `None` when the board does not fit the layout.
    pub fn replay<const N: usize, const W: usize>(&self) -> Option<Replay<'_, N, W>> {
        let mut board = Board::new(self.side, self.side)?;
        for &(color, point) in &self.setup {
            let site = board.site(point)?;
            if board.is_legal(site, color) {
                board.play(site, color);
            }
        }
        board.lift_ko();
        Some(Replay { game: self, board, next: 0, last: [Site::PASS; 2] })
    }

    /// A number that the first forty moves decide: games that begin alike stay on one side when a
    /// collection is split by it.
    pub fn opening_hash(&self) -> u64 {
        let mut hash = Fnv1a::new();
        for &(color, point) in self.moves.iter().take(40) {
            let place = point.map_or(625, |p| u64::from(p.row()) * 25 + u64::from(p.col()));
            for byte in [color as u64, place & 255, place >> 8] {
                hash.step(byte);
            }
        }
        hash.get() ^ hash.get() >> 32
    }

    /// Adds all that the game is to a hash.
    pub fn add_to(&self, hash: &mut Fnv1a) {
        let place = |point: Point| u64::from(point.row()) * 25 + u64::from(point.col());
        for &(color, point) in &self.setup {
            hash.number(place(point) << 1 | color as u64);
        }
        hash.number(u64::MAX);
        for &(color, point) in &self.moves {
            hash.number(point.map_or(625, place) << 1 | color as u64);
        }
        hash.number(self.winner.map_or(2, |winner| winner as u64));
    }

    /// Whether the game is kept for validation, not learned from: one of twenty, by [`Game::opening_hash`].
    pub fn is_validation(&self) -> bool {
        self.opening_hash().is_multiple_of(20)
    }
}

/// The year in a date: its first number of four digits that can be one.
fn year(date: &str) -> Option<u16> {
    let numbers = date.split(|c: char| !c.is_ascii_digit()).filter(|digits| digits.len() == 4);
    numbers.filter_map(|digits| digits.parse().ok()).find(|year| (1000..=2999).contains(year))
}

/// A game being played through.
pub struct Replay<'g, const N: usize, const W: usize> {
    game: &'g Game,
    /// The position before the next move.
    pub board: Board<N, W>,
    /// Number of the next move, from 0.
    pub next: usize,
    /// The last move and the one before; [`Site::PASS`] for none.
    pub last: [Site; 2],
}

impl<'g, const N: usize, const W: usize> Replay<'g, N, W> {
    /// The next move: who, and where ([`Site::PASS`] for a pass). `None` at the end.
    pub fn upcoming(&self) -> Option<(Color, Site)> {
        let &(color, point) = self.game.moves.get(self.next)?;
        Some((color, point.and_then(|point| self.board.site(point)).unwrap_or(Site::PASS)))
    }

    /// Plays the next move.
    pub fn advance(&mut self) {
        let Some((color, site)) = self.upcoming() else { return };
        self.next += 1;
        if site.is_pass() || !self.board.is_empty(site) {
            self.board.pass();
            self.last = [Site::PASS, self.last[0]];
        } else {
            self.board.play(site, color);
            self.last = [site, self.last[0]];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_are_found_in_dates() {
        let dates =
            ["1698-01-01", "2016-03-09,10", "16th March 2004", "March", "0000-00-00", "12345"];
        let years = [Some(1698), Some(2016), Some(2004), None, None, None];
        assert_eq!(dates.map(year), years);
    }
}
