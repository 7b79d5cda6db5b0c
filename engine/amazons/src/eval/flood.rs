//! How far each free square is from the queens of either side, as sets of squares for each distance.
//!
//! A queen distance counts queen moves, a king distance steps (Lieberum, "An evaluation function for the game of
//! Amazons", 2005: D1 and D2). All queens of a side are flooded at once, the eight directions by parallel prefix: a set
//! moved by 1, 2, 4 and again 2 squares along squares that are free reaches nine squares, which is as far as there are.

use crate::rays::DIRECTIONS;
use crate::squares::Squares;

/// Queen distances that are told apart: 1, 2, 3, 4, more, never.
pub const QUEEN_CLASSES: usize = 6;
/// King distances that are told apart: 1 to 5, more, never.
pub const KING_CLASSES: usize = 7;

/// The free squares, and those before which 2 and 4 in a row are free, by direction and sense.
struct Lines {
    free: u128,
    up: [(u128, u128); 4],
    down: [(u128, u128); 4],
}

impl Lines {
    #[inline(always)]
    fn new(free: u128) -> Lines {
        #[inline(always)]
        fn up<const K: u32>(free: u128) -> (u128, u128) {
            let two = free & (free << K);
            (two, two & (two << (2 * K)))
        }
        #[inline(always)]
        fn down<const K: u32>(free: u128) -> (u128, u128) {
            let two = free & (free >> K);
            (two, two & (two >> (2 * K)))
        }
        const D: [u32; 4] = DIRECTIONS;
        Lines {
            free,
            up: [
                up::<{ D[0] }>(free),
                up::<{ D[1] }>(free),
                up::<{ D[2] }>(free),
                up::<{ D[3] }>(free),
            ],
            down: [
                down::<{ D[0] }>(free),
                down::<{ D[1] }>(free),
                down::<{ D[2] }>(free),
                down::<{ D[3] }>(free),
            ],
        }
    }

    /// The free squares that queens on any of these squares reach in one move, and the squares themselves.
    #[inline(always)]
    fn queen_moves(&self, from: u128) -> u128 {
        #[inline(always)]
        fn up<const K: u32>(from: u128, free: u128, (two, four): (u128, u128)) -> u128 {
            let mut set = from | free & (from << K);
            set |= two & (set << (2 * K));
            set |= four & (set << (4 * K));
            set | two & (set << (2 * K))
        }
        #[inline(always)]
        fn down<const K: u32>(from: u128, free: u128, (two, four): (u128, u128)) -> u128 {
            let mut set = from | free & (from >> K);
            set |= two & (set >> (2 * K));
            set |= four & (set >> (4 * K));
            set | two & (set >> (2 * K))
        }
        const D: [u32; 4] = DIRECTIONS;
        up::<{ D[0] }>(from, self.free, self.up[0])
            | up::<{ D[1] }>(from, self.free, self.up[1])
            | up::<{ D[2] }>(from, self.free, self.up[2])
            | up::<{ D[3] }>(from, self.free, self.up[3])
            | down::<{ D[0] }>(from, self.free, self.down[0])
            | down::<{ D[1] }>(from, self.free, self.down[1])
            | down::<{ D[2] }>(from, self.free, self.down[2])
            | down::<{ D[3] }>(from, self.free, self.down[3])
    }
}

/// A set with all its neighbours, which may hang over the board's edges.
#[inline(always)]
pub(crate) fn dilate(set: u128) -> u128 {
    let row = set | set << DIRECTIONS[0] | set >> DIRECTIONS[0];
    row | row << DIRECTIONS[2] | row >> DIRECTIONS[2]
}

/// The free squares by their distance from one side's queens.
#[derive(Clone, Copy, Debug)]
pub struct Distances {
    /// By queen distance: 1 to 4, more, never.
    pub queen: [Squares; QUEEN_CLASSES],
    /// By king distance: 1 to 5, more, never.
    pub king: [Squares; KING_CLASSES],
    /// All that is ever reached.
    pub reach: Squares,
}

impl Distances {
    #[inline(always)]
    fn measure(queens: u128, lines: &Lines) -> Distances {
        let free = lines.free;
        let mut king = [Squares::EMPTY; KING_CLASSES];
        let mut near = queens;
        for class in &mut king[..KING_CLASSES - 2] {
            let new = dilate(near) & free & !near;
            *class = Squares(new);
            near |= new;
        }
        let mut queen = [Squares::EMPTY; QUEEN_CLASSES];
        let mut seen = queens;
        for class in &mut queen[..QUEEN_CLASSES - 2] {
            let new = lines.queen_moves(seen) & !seen;
            if new == 0 {
                break;
            }
            *class = Squares(new);
            seen |= new;
        }
        let few = seen;
        while dilate(seen) & free & !seen != 0 {
            seen = lines.queen_moves(seen);
        }
        let reach = seen & free;
        queen[QUEEN_CLASSES - 2] = Squares(reach & !few);
        queen[QUEEN_CLASSES - 1] = Squares(free & !reach);
        king[KING_CLASSES - 2] = Squares(reach & !near);
        king[KING_CLASSES - 1] = Squares(free & !reach);
        Distances { queen, king, reach: Squares(reach) }
    }
}

/// The distances from the queens of two sides.
#[inline(always)]
pub fn distances(queens: [Squares; 2], free: Squares) -> [Distances; 2] {
    let lines = Lines::new(free.0);
    queens.map(|queens| Distances::measure(queens.0, &lines))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Color, Position, Square};

    /// Distances found square by square.
    fn by_walking(queens: Squares, free: Squares, queen_moves: bool) -> Vec<(Square, usize)> {
        let mut found: Vec<(Square, usize)> = queens.iter().map(|q| (q, 0)).collect();
        let mut at = 0;
        while at < found.len() {
            let (from, distance) = found[at];
            let reached = if queen_moves {
                crate::rays::reach(from, free)
            } else {
                Squares(dilate(Squares::from(from).0)) & free
            };
            for to in reached {
                if found.iter().all(|f| f.0 != to) {
                    found.push((to, distance + 1));
                }
            }
            at += 1;
        }
        found
    }

    #[test]
    fn floods_agree_with_a_walk() {
        let mut position = Position::start();
        let mut seed = 7u64;
        for _ in 0..60 {
            let sides = Color::BOTH.map(|color| position.queens(color));
            let flooded = distances(sides, position.free());
            for (queens, found) in sides.into_iter().zip(flooded) {
                for (square, distance) in by_walking(queens, position.free(), true) {
                    if distance > 0 {
                        let class = distance.min(QUEEN_CLASSES - 1) - 1;
                        assert!(found.queen[class].contains(square), "{position}\n{square:?}");
                        assert!(found.reach.contains(square));
                    }
                }
                for (square, distance) in by_walking(queens, position.free(), false) {
                    if distance > 0 {
                        let class = distance.min(KING_CLASSES - 1) - 1;
                        assert!(found.king[class].contains(square), "{position}\n{square:?}");
                    }
                }
                let count = |classes: &[Squares]| classes.iter().map(|c| c.len()).sum::<u32>();
                assert_eq!(count(&found.queen), position.free().len());
                assert_eq!(count(&found.king), position.free().len());
            }
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            position.make(moves[(seed >> 33) as usize % moves.len()]);
        }
    }
}
