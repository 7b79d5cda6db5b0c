//! Boards of up to 5x5 points as bits.

use crate::game::AnyBoard;
use crate::{Color, Point};

/// A set of points: a bit each, in rows of [`STRIDE`] bits, of which the last is border.
pub type Bits = u32;

/// Bits in a row.
pub const STRIDE: u32 = 6;
/// The largest side.
pub const MAX_SIDE: u8 = 5;

/// The points of a board of some size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// All points.
    pub all: Bits,
    /// How many.
    pub area: i32,
}

impl Shape {
    /// A board of so many columns and rows; none when a side is longer than [`MAX_SIDE`].
    pub fn new(width: u8, height: u8) -> Option<Shape> {
        let fits = |side| (1..=MAX_SIDE).contains(&side);
        let row: Bits = (1 << width.min(MAX_SIDE)) - 1;
        (fits(width) && fits(height)).then(|| Shape {
            all: (0..u32::from(height)).fold(0, |all, at| all | row << (at * STRIDE)),
            area: i32::from(width) * i32::from(height),
        })
    }

    /// The points beside these, and these.
    #[inline(always)]
    pub fn grown(self, bits: Bits) -> Bits {
        (bits | bits << 1 | bits >> 1 | bits << STRIDE | bits >> STRIDE) & self.all
    }

    /// What of `within` hangs together with these points.
    #[inline(always)]
    pub fn flood(self, seed: Bits, within: Bits) -> Bits {
        let mut flooded = seed & within;
        loop {
            let next = self.grown(flooded) & within;
            if next == flooded {
                return flooded;
            }
            flooded = next;
        }
    }

    /// The parts of a set that hang together.
    pub fn parts(self, mut bits: Bits) -> impl Iterator<Item = Bits> {
        std::iter::from_fn(move || {
            let part = (bits != 0).then(|| self.flood(bits & bits.wrapping_neg(), bits))?;
            bits &= !part;
            Some(part)
        })
    }
}

/// The bit of a point.
pub fn bit(point: Point) -> Bits {
    1 << (u32::from(point.row()) * STRIDE + u32::from(point.col()))
}

/// The point of a bit.
pub fn point(bit: Bits) -> Point {
    let place = bit.trailing_zeros();
    Point::new((place % STRIDE) as u8, (place / STRIDE) as u8)
}

/// A position seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Stones of the side to move.
    pub own: Bits,
    /// The other side's.
    pub other: Bits,
    /// Where a simple ko forbids to take back, or nothing.
    pub ko: Bits,
    /// The other side has just passed.
    pub passed: bool,
}

impl Position {
    /// The stones on a board, as `color` sees them when it is to move.
    pub fn of(board: &AnyBoard, color: Color) -> Position {
        let stones = |color| {
            let of_color = board.stones().filter(|stone| stone.1 == color);
            of_color.fold(0, |all, (p, _)| all | bit(p))
        };
        let ko = board.ko().map_or(0, bit);
        Position { own: stones(color), other: stones(color.other()), ko, passed: false }
    }

    /// After a pass.
    #[inline]
    pub fn after_pass(self) -> Position {
        Position { own: self.other, other: self.own, ko: 0, passed: true }
    }

    /// After a stone on an empty point, which may be suicide: then the stone's chain is off the board.
    #[inline]
    pub fn after(self, shape: Shape, at: Bits) -> Position {
        let (mut own, mut other) = (self.own | at, self.other);
        let mut beside = shape.grown(at) & other;
        let mut captured = 0;
        while beside != 0 {
            let chain = shape.flood(beside & beside.wrapping_neg(), other);
            beside &= !chain;
            if shape.grown(chain) & !(own | other) & shape.all == 0 {
                captured |= chain;
            }
        }
        other &= !captured;
        let chain = shape.flood(at, own);
        let liberties = shape.grown(chain) & shape.all & !(own | other);
        if liberties == 0 {
            own &= !chain;
        }
        let is_ko = captured.count_ones() == 1 && chain == at && liberties == captured;
        Position { own: other, other: own, ko: if is_ko { captured } else { 0 }, passed: false }
    }

    /// The mover's area less the other side's, every stone alive.
    pub fn score(self, shape: Shape) -> i32 {
        let mut score = self.own.count_ones() as i32 - self.other.count_ones() as i32;
        for region in shape.parts(shape.all & !(self.own | self.other)) {
            let beside = shape.grown(region);
            let size = region.count_ones() as i32;
            match (beside & self.own != 0, beside & self.other != 0) {
                (true, false) => score += size,
                (false, true) => score -= size,
                _ => {}
            }
        }
        score
    }
}

/// The points that stones hold unconditionally against `other`, who may move as often as they like, also into suicide where
/// that is allowed: as [`safe_area`](crate::endgame::safe_area).
pub fn safe_area(shape: Shape, own: Bits, other: Bits, suicide: bool) -> Bits {
    // Who has no two regions about their stones has no two eyes.
    if own.count_ones() < 5 && shape.area > 9 {
        return 0;
    }
    // The points that the other side might leave empty.
    let open = shape.all & !(own | if suicide { 0 } else { other });
    let mut chains: [(Bits, Bits); 16] = [(0, 0); 16];
    let mut n_chains = 0;
    for chain in shape.parts(own).take(16) {
        chains[n_chains] = (chain, shape.grown(chain) & open);
        n_chains += 1;
    }
    let mut regions: [(Bits, bool); 16] = [(0, true); 16];
    let mut n_regions = 0;
    for region in shape.parts(shape.all & !own).take(16) {
        regions[n_regions] = (region, true);
        n_regions += 1;
    }
    if n_regions < 2 {
        return 0;
    }
    loop {
        let before = n_chains;
        let mut kept = 0;
        for k in 0..n_chains {
            let (chain, touched) = chains[k];
            let vital = regions[..n_regions].iter().filter(|&&(region, healthy)| {
                healthy && shape.grown(region) & chain != 0 && region & open & !touched == 0
            });
            if vital.count() >= 2 {
                chains[kept] = chains[k];
                kept += 1;
            }
        }
        n_chains = kept;
        if n_chains == before {
            break;
        }
        let alive = chains[..n_chains].iter().fold(0, |all, chain| all | chain.0);
        for (region, healthy) in &mut regions[..n_regions] {
            *healthy &= shape.grown(*region) & own & !alive == 0;
        }
    }
    let (stones, breaths) =
        chains[..n_chains].iter().fold((0, 0), |all, chain| (all.0 | chain.0, all.1 | chain.1));
    let mut area = stones;
    for &(region, _) in &regions[..n_regions] {
        let walls = shape.grown(region) & own;
        if walls != 0 && walls & !stones == 0 && region & open & !breaths == 0 {
            area |= region;
        }
    }
    area
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board9;
    use crate::endgame;
    use crate::rng::Rng;

    #[test]
    fn random_games_agree_with_the_board_that_plays() {
        for seed in 0..300 {
            let mut rng = Rng::new(seed);
            let (width, height) = (2 + (seed % 4) as u8, 2 + (seed / 4 % 4) as u8);
            let shape = Shape::new(width, height).unwrap();
            let mut board = Board9::new(width, height).unwrap();
            let mut position = Position { own: 0, other: 0, ko: 0, passed: false };
            let mut color = Color::Black;
            for _ in 0..60 {
                let empties: Vec<_> = board.empties().collect();
                let s = empties[rng.below(empties.len() as u32) as usize];
                if board.is_legal(s, color) || board.is_suicide(s, color) {
                    let at = bit(board.point(s));
                    board.play(s, color);
                    position = position.after(shape, at);
                } else {
                    board.pass();
                    position = position.after_pass();
                }
                color = color.other();
                let stones = |color| {
                    let sites = board.sites().filter(|&s| board.color(s) == Some(color));
                    sites.fold(0, |all, s| all | bit(board.point(s)))
                };
                assert_eq!((position.own, position.other), (stones(color), stones(color.other())));
                let ko = if board.ko().is_pass() { 0 } else { bit(board.point(board.ko())) };
                assert_eq!(position.ko, ko);
                let sign = if color == Color::Black { 1 } else { -1 };
                assert_eq!(position.score(shape), sign * board.area_score());
                let suicide = seed % 2 == 0;
                let safe = endgame::safe_area(&board, color, suicide);
                let sites = board.sites().filter(|&s| {
                    let bit = Board9::bit(s);
                    safe.stones.contains(bit) || safe.territory.contains(bit)
                });
                let expected = sites.fold(0, |all, s| all | bit(board.point(s)));
                let found = safe_area(shape, position.own, position.other, suicide);
                assert!(found & !expected == 0, "{found:b} {expected:b}");
                assert!(
                    found == expected || position.own.count_ones() < 5,
                    "{found:b} {expected:b}"
                );
            }
        }
    }
}
