//! The canonical form of a corner's position, the minimum of its symmetric forms under a 128-bit
//! Zobrist key, kept move by move, and the transform that leads back from the form to the board.
//!
//! The key says how the position looks to the player to move: own stones, the opponent's, and the
//! point where a ko forbids to take back. That the corner is measured from its own borders makes
//! the four corners equal; that stones are own or not, the two colours; the minimum of two flips, the
//! diagonal: 16 forms, one key. The order of play does not enter. Two exclusive ors a corner bring
//! a key up to date, and the minimum of two numbers is the state.

use super::corner::{Corner, Place, REGION, SIDE};
use super::stones::{CornerPosition, Stones};
use game_core::splitmix;
use go_engine::{Board, Color, Point, Site};

/// The name of a corner's position: as it looks to the player to move, or, from
/// [`Forms::position_key`], without regard to that.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord, Default)]
pub struct Key(pub u128);

impl Key {
    /// A part of the key for tables.
    #[inline]
    pub(super) const fn short(self) -> u64 {
        self.0 as u64
    }
}

/// Random numbers by place: own stone, the opponent's, ko.
const NUMBERS: [[u128; REGION]; 3] = {
    let mut numbers = [[0; REGION]; 3];
    let mut i = 0;
    while i < 3 * REGION {
        let (high, low) =
            (splitmix(0x6a6f_7365_6b69 + 2 * i as u64), splitmix(0x6a6f_7365_6b6a + 2 * i as u64));
        numbers[i / REGION][i % REGION] = (high as u128) << 64 | low as u128;
        i += 1;
    }
    numbers
};
const OWN: usize = 0;
const OTHER: usize = 1;
const KO: usize = 2;

/// The keys of a corner's four forms: seen by Black and by White, each plain and flipped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Forms([[u128; 2]; 2]);

/// A corner seen by the player to move, with the way back to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// The state's name.
    pub key: Key,
    /// The corner has to be flipped to lie as the key means it.
    pub flipped: bool,
    /// The position is its own mirror image over the diagonal: each move has a twin.
    pub symmetric: bool,
}

impl View {
    /// From a place of the corner to that of the state, and back: the way is the same.
    #[inline]
    pub const fn turn(self, place: Place) -> Place {
        if self.flipped { place.flipped() } else { place }
    }

    /// The state's name for a move on a place of the corner: of twins, the lesser.
    #[inline]
    pub fn move_name(self, place: Place) -> Place {
        let place = self.turn(place);
        if self.symmetric { place.min(place.flipped()) } else { place }
    }
}

impl Forms {
    /// The forms of these stones.
    pub fn of(stones: Stones) -> Forms {
        let mut forms = Forms::default();
        for color in Color::BOTH {
            stones.of(color).iter().for_each(|place| forms.toggle(place, color));
        }
        forms
    }

    /// Puts a stone on a place or takes it off.
    #[inline]
    pub fn toggle(&mut self, place: Place, color: Color) {
        let (plain, flip) = (place.index(), place.flipped().index());
        let (mine, theirs) = (color.index(), color.other().index());
        self.0[mine][0] ^= NUMBERS[OWN][plain];
        self.0[mine][1] ^= NUMBERS[OWN][flip];
        self.0[theirs][0] ^= NUMBERS[OTHER][plain];
        self.0[theirs][1] ^= NUMBERS[OTHER][flip];
    }

    /// The corner as `mover` sees it, who may not take back at `ko`.
    #[inline]
    pub fn view(&self, mover: Color, ko: Option<Place>) -> View {
        let [mut plain, mut flip] = self.0[mover.index()];
        if let Some(ko) = ko {
            plain ^= NUMBERS[KO][ko.index()];
            flip ^= NUMBERS[KO][ko.flipped().index()];
        }
        View { key: Key(plain.min(flip)), flipped: flip < plain, symmetric: flip == plain }
    }

    /// The name of the position alone, whoever is to move.
    pub fn position_key(&self) -> Key {
        let [[a, b], [c, d]] = self.0;
        Key(a.min(b).min(c.min(d)))
    }
}

impl CornerPosition {
    /// The view of this corner. Its own way of lying is the plain one.
    pub fn view(self) -> View {
        Forms::of(Stones { black: self.own, white: self.other }).view(Color::Black, self.ko)
    }

    /// The corner the way round that its key means.
    pub fn canonical(self) -> CornerPosition {
        if self.view().flipped { self.flipped() } else { self }
    }
}

/// The forms of all four corners of a board, kept move by move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Corners {
    forms: [Forms; 4],
    stones: [Stones; 4],
    width: u8,
    height: u8,
}

impl Corners {
    /// Those of a board; `None` when it is smaller than the regions, 10 x 10.
    pub fn of_board<const N: usize, const W: usize>(board: &Board<N, W>) -> Option<Corners> {
        let (width, height) = (board.width(), board.height());
        if width < SIDE || height < SIDE {
            return None;
        }
        let mut corners =
            Corners { forms: [Forms::default(); 4], stones: [Stones::default(); 4], width, height };
        for site in board.sites() {
            if let Some(color) = board.color(site) {
                corners.toggle(board.point(site), color);
            }
        }
        Some(corners)
    }

    /// Puts a stone on a point or takes it off.
    #[inline]
    pub fn toggle(&mut self, point: Point, color: Color) {
        for corner in Corner::ALL {
            if let Some(place) = corner.place(point, self.width, self.height) {
                self.forms[corner as usize].toggle(place, color);
                self.stones[corner as usize].toggle(place, color);
            }
        }
    }

    /// Follows a move: `board` is the position after `color` played on `site`, `captured` how many
    /// stones came off. Captures are rare enough to look at the board anew.
    pub fn follow<const N: usize, const W: usize>(
        &mut self,
        board: &Board<N, W>,
        site: Site,
        color: Color,
        captured: u32,
    ) {
        let vanished = board.is_empty(site);
        if captured > 0 || vanished {
            if let Some(corners) = Corners::of_board(board) {
                *self = corners;
            }
        } else {
            self.toggle(board.point(site), color);
        }
    }

    /// The forms of a corner.
    #[inline]
    pub fn forms(&self, corner: Corner) -> &Forms {
        &self.forms[corner as usize]
    }

    /// The stones of a corner.
    #[inline]
    pub fn stones(&self, corner: Corner) -> Stones {
        self.stones[corner as usize]
    }

    /// The place of a board's point in a corner.
    #[inline]
    pub fn place(&self, corner: Corner, point: Point) -> Option<Place> {
        corner.place(point, self.width, self.height)
    }

    /// The board's point of a place.
    #[inline]
    pub fn point(&self, corner: Corner, place: Place) -> Point {
        corner.point(place, self.width, self.height)
    }

    /// Where a ko of the board forbids to take back in a corner.
    #[inline]
    pub fn ko<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        corner: Corner,
    ) -> Option<Place> {
        let ko = board.ko();
        if ko.is_pass() { None } else { self.place(corner, board.point(ko)) }
    }

    /// A corner as `mover` sees it, exactly.
    pub fn seen<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        corner: Corner,
        mover: Color,
    ) -> CornerPosition {
        self.stones(corner).seen_by(mover, self.ko(board, corner))
    }

    /// A corner as `mover` sees it, with the board's ko.
    #[inline]
    pub fn view<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        corner: Corner,
        mover: Color,
    ) -> View {
        self.forms(corner).view(mover, self.ko(board, corner))
    }
}
