//! The stones of a corner, exactly.

use super::corner::{Corner, Place, Places, SIDE};
use go_engine::{Board, Color};

/// The stones in a corner's region.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord, Default)]
pub struct Stones {
    /// Black's.
    pub black: Places,
    /// White's.
    pub white: Places,
}

/// A corner as the player to move sees it, the way round that its key names: what a state is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord, Default)]
pub struct CornerPosition {
    /// The mover's stones.
    pub own: Places,
    /// The opponent's.
    pub other: Places,
    /// Where a ko forbids the mover to take back.
    pub ko: Option<Place>,
}

impl Stones {
    /// The stones of a corner of a board of at least 10 x 10.
    pub fn of_board<const N: usize, const W: usize>(board: &Board<N, W>, corner: Corner) -> Stones {
        let mut stones = Stones::default();
        for place in Place::all() {
            let point = corner.point(place, board.width(), board.height());
            match board.site(point).and_then(|site| board.color(site)) {
                Some(Color::Black) => stones.black.add(place),
                Some(Color::White) => stones.white.add(place),
                None => {}
            }
        }
        stones
    }

    /// Puts a stone on a place or takes it off.
    #[inline]
    pub const fn toggle(&mut self, place: Place, color: Color) {
        match color {
            Color::Black => self.black.toggle(place),
            Color::White => self.white.toggle(place),
        }
    }

    /// The stones of a colour.
    pub const fn of(self, color: Color) -> Places {
        match color {
            Color::Black => self.black,
            Color::White => self.white,
        }
    }

    /// The minimum of the four forms that flip and swap of colours make: the corners make the other
    /// three fourths of the 16 equal already. For comparing positions exactly.
    pub fn canonical_form(self) -> Stones {
        let swapped = |stones: Stones| Stones { black: stones.white, white: stones.black };
        let flipped = Stones { black: self.black.flipped(), white: self.white.flipped() };
        [self, flipped, swapped(self), swapped(flipped)].into_iter().min().unwrap_or(self)
    }

    /// The stones as a player sees them who may not take back at `ko`.
    pub const fn seen_by(self, mover: Color, ko: Option<Place>) -> CornerPosition {
        match mover {
            Color::Black => CornerPosition { own: self.black, other: self.white, ko },
            Color::White => CornerPosition { own: self.white, other: self.black, ko },
        }
    }
}

impl CornerPosition {
    /// The corner flipped over its diagonal.
    pub fn flipped(self) -> CornerPosition {
        CornerPosition {
            own: self.own.flipped(),
            other: self.other.flipped(),
            ko: self.ko.map(Place::flipped),
        }
    }

    /// The same stones with the other player to move and no ko: after a move elsewhere.
    pub const fn passed(self) -> CornerPosition {
        CornerPosition { own: self.other, other: self.own, ko: None }
    }

    /// The corner after the mover's stone on an empty place, as the other player sees it. Chains
    /// without a liberty are taken off; what reaches the tenth line is thought to have one beyond.
    pub fn played(mut self, place: Place) -> CornerPosition {
        self.own.add(place);
        let mut captured = Places::EMPTY;
        for next in place.neighbours().filter(|&next| self.other.has(next)) {
            let (chain, liberties) = self.chain(next);
            if liberties == 0 {
                captured = captured.union(chain);
            }
        }
        captured.iter().for_each(|gone| self.other.remove(gone));
        let (chain, liberties) = self.chain(place);
        if captured.is_empty() && liberties == 0 {
            chain.iter().for_each(|gone| self.own.remove(gone));
        }
        let is_ko = captured.len() == 1 && chain.len() == 1 && liberties == 1;
        let ko = captured.iter().next().filter(|_| is_ko);
        CornerPosition { own: self.other, other: self.own, ko }
    }

    /// The chain of the stone on a place, and its liberties; the edge towards the rest of the board
    /// counts as two, so that no chain there is taken or thought to be one half of a ko.
    fn chain(self, place: Place) -> (Places, usize) {
        let same = if self.own.has(place) { self.own } else { self.other };
        let (mut chain, mut liberties) = (Places::EMPTY, Places::EMPTY);
        let mut beyond = 0;
        let mut open = vec![place];
        chain.add(place);
        while let Some(at) = open.pop() {
            if at.x() == SIDE || at.y() == SIDE {
                beyond = 2;
            }
            for next in at.neighbours() {
                if same.has(next) && !chain.has(next) {
                    chain.add(next);
                    open.push(next);
                } else if !self.own.has(next) && !self.other.has(next) {
                    liberties.add(next);
                }
            }
        }
        (chain, liberties.len() + beyond)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(list: &[(u8, u8)]) -> Places {
        list.iter().map(|&(x, y)| Place::new(x, y).unwrap()).collect()
    }

    #[test]
    fn captures_and_kos_are_seen() {
        // A stone at (2,2) surrounded on three sides, beside one that can be taken back.
        let seen = CornerPosition {
            own: places(&[(1, 2), (2, 1), (2, 3)]),
            other: places(&[(2, 2), (3, 1), (3, 3), (4, 2)]),
            ko: None,
        };
        let after = seen.played(Place::new(3, 2).unwrap());
        assert_eq!(after.own, places(&[(3, 1), (3, 3), (4, 2)]));
        assert_eq!(after.other, places(&[(1, 2), (2, 1), (2, 3), (3, 2)]));
        assert_eq!(after.ko, Place::new(2, 2));
        assert_eq!(after.passed().ko, None);
        assert_eq!(after.passed().passed().own, after.own);
    }
}
