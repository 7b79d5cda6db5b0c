//! How many moves a side has in a region of its own.
//!
//! Every move takes one free square, so there are as many moves as free squares at most; but some regions cannot be
//! filled without a square being cut off. Finding out is NP-hard in general (Buro 2000), and quick in those that occur: a
//! depth-first search that is cut off where the squares still in reach cannot be enough.

use std::ops::Add;

use crate::eval::flood::dilate;
use crate::moves::Move;
use crate::rays::reach;
use crate::squares::Squares;
use game_core::StopSignal;

/// Between how many and how many moves there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// So many for certain.
    pub min: u32,
    /// No more than so many.
    pub max: u32,
}

impl Bounds {
    /// The number, where it is certain.
    pub fn exact(self) -> Option<u32> {
        (self.min == self.max).then_some(self.min)
    }
}

impl Add for Bounds {
    type Output = Bounds;
    fn add(self, other: Bounds) -> Bounds {
        Bounds { min: self.min + other.min, max: self.max + other.max }
    }
}

/// Counts the moves in regions of one side, and remembers them.
#[derive(Clone, Debug)]
pub struct Filler {
    /// Counts by queens and free squares.
    known: ahash::AHashMap<(u128, u128), Bounds>,
    /// Positions looked at for one region before its count is left open.
    patience: u32,
    left: u32,
    /// Ends a count, which is left open then.
    signal: StopSignal,
    is_stopped: bool,
}

/// Regions that are remembered; then all are forgotten.
const MAX_KNOWN: usize = 1 << 16;

impl Filler {
    /// A counter that looks at so many positions for a region at most.
    pub fn new(patience: u32) -> Filler {
        let (known, signal) = (ahash::AHashMap::new(), StopSignal::default());
        Filler { known, patience, left: 0, signal, is_stopped: false }
    }

    /// Makes counts from here on end, and be left open, when this is raised.
    pub fn set_stop(&mut self, signal: StopSignal) {
        self.signal = signal;
        self.is_stopped = false;
    }

    /// Whether to end. It stays so: what is counted afterwards would be left open too.
    fn is_stopped(&mut self) -> bool {
        self.is_stopped = self.is_stopped || self.signal.is_raised();
        self.is_stopped
    }

    /// The moves that these queens have on these free squares, with nobody in their way.
    pub fn count(&mut self, queens: Squares, free: Squares) -> Bounds {
        let free = in_reach(queens, free);
        if free.is_empty() || queens.is_empty() {
            return Bounds::default();
        }
        self.left = self.patience;
        if let Some(&known) = self.known.get(&(queens.0, free.0)) {
            return known;
        }
        let mut best = 0;
        let finished = self.search(queens, free, 0, &mut best, free.len());
        let max = if finished { best } else { free.len() };
        let bounds = Bounds { min: best, max };
        if !self.is_stopped {
            self.remember(queens, free, bounds);
        }
        bounds
    }

    fn remember(&mut self, queens: Squares, free: Squares, bounds: Bounds) {
        if self.known.len() >= MAX_KNOWN {
            self.known.clear();
        }
        self.known.insert((queens.0, free.0), bounds);
    }

    /// A move that leaves as many moves as there can be, where one is found within the patience; else the best of those
    /// looked at.
    pub fn best_move(&mut self, queens: Squares, free: Squares) -> Option<Move> {
        let goal = self.count(queens, free).min;
        let free = in_reach(queens, free);
        let mut best: Option<(u32, Move)> = None;
        let mut spent = 0;
        for (_, mv) in ordered(queens, free) {
            let (queens, free) = after(queens, free, mv);
            let min = self.count(queens, free).min;
            spent += self.patience - self.left;
            if best.is_none_or(|(max, _)| min > max) {
                best = Some((min, mv));
            }
            if min + 1 >= goal || spent > self.patience || self.is_stopped() {
                break;
            }
        }
        best.map(|(_, mv)| mv)
    }

    /// Looks for more than `best` moves; whether everything that could be better was looked at.
    fn search(
        &mut self,
        queens: Squares,
        free: Squares,
        made: u32,
        best: &mut u32,
        goal: u32,
    ) -> bool {
        *best = made.max(*best);
        let free = in_reach(queens, free);
        if made + free.len() <= *best {
            return true;
        }
        if self.left == 0 || self.is_stopped() {
            return false;
        }
        self.left -= 1;
        let mut finished = true;
        for (_, mv) in ordered(queens, free) {
            let (queens, free) = after(queens, free, mv);
            finished &= self.search(queens, free, made + 1, best, goal);
            if *best == goal {
                // The most there can be at all: whoever follows this row of moves need not search again.
                let all = goal - made - 1;
                let free = in_reach(queens, free);
                if free.len() == all {
                    self.remember(queens, free, Bounds { min: all, max: all });
                }
                return true;
            }
            if !finished && (self.left == 0 || self.is_stopped) {
                return false;
            }
        }
        finished
    }
}

/// The free squares that the queens can come to.
pub(crate) fn in_reach(queens: Squares, free: Squares) -> Squares {
    let mut seen = queens.0;
    loop {
        let grown = dilate(seen) & free.0 | seen;
        if grown == seen {
            return Squares(seen & free.0);
        }
        seen = grown;
    }
}

fn after(queens: Squares, free: Squares, mv: Move) -> (Squares, Squares) {
    let (from, to, arrow) = (Squares::from(mv.from), Squares::from(mv.to), Squares::from(mv.arrow));
    ((queens - from) | to, (free | from) - to - arrow)
}

/// Moves, those first that lose no square and close the one with the fewest free neighbours.
fn ordered(queens: Squares, free: Squares) -> Vec<(u32, Move)> {
    let mut moves = Vec::new();
    for from in queens {
        for to in reach(from, free) {
            for arrow in reach(to, (free | from.into()) - to.into()) {
                let mv = Move { from, to, arrow };
                let (queens, left) = after(queens, free, mv);
                let lost = left.len() - in_reach(queens, left).len();
                let around = (dilate(Squares::from(arrow).0) & left.0).count_ones();
                moves.push((16 * lost + around, mv));
            }
        }
    }
    moves.sort_by_key(|&(rank, _)| rank);
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Color, Position};

    fn count(diagram: &str) -> Bounds {
        let position: Position = diagram.parse().expect("a diagram");
        Filler::new(100_000).count(position.queens(Color::White), position.free())
    }

    /// The longest row of moves by trying all.
    fn exhaustive(queens: Squares, free: Squares) -> u32 {
        let mut best = 0;
        for (_, mv) in ordered(queens, free) {
            let (queens, free) = after(queens, free, mv);
            best = best.max(1 + exhaustive(queens, free));
        }
        best
    }

    #[test]
    fn plain_regions_are_filled() {
        assert_eq!(count("X..|...|..."), Bounds { min: 8, max: 8 });
        // Whichever arm the queen fills, the other is cut off.
        assert_eq!(count(".#.|#X#|###"), Bounds { min: 1, max: 1 });
        // Two dead ends, one of which is shot at from the other.
        assert_eq!(count(".##|.X.|###").exact(), Some(3));
        assert_eq!(count("X##|##.|..."), Bounds::default());
    }

    #[test]
    fn a_count_that_is_stopped_is_left_open_and_not_remembered() {
        use std::sync::{Arc, atomic::AtomicBool};
        let position: Position = "X.....|......|......".parse().expect("a diagram");
        let (queens, free) = (position.queens(Color::White), position.free());
        let mut filler = Filler::new(100_000);
        let flag = Some(Arc::new(AtomicBool::new(true)));
        filler.set_stop(StopSignal { flag, ..StopSignal::default() });
        assert_eq!(filler.count(queens, free).exact(), None);
        assert!(filler.best_move(queens, free).is_some(), "there is something to play");
        filler.set_stop(StopSignal::default());
        assert_eq!(filler.count(queens, free).exact(), Some(17));
    }

    #[test]
    fn counts_are_those_of_all_moves() {
        let mut seed = 5u64;
        for _ in 0..60 {
            let mut position = Position::empty(crate::Size::new(3, 3).expect("a size"));
            let queen = crate::Square::new((seed >> 40) as u8 % 3, (seed >> 50) as u8 % 3);
            position.put_queen(Color::White, queen.expect("a square"));
            for column in 0..3 {
                for row in 0..3 {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    if seed >> 63 == 0 {
                        position.put_arrow(crate::Square::new(column, row).expect("a square"));
                    }
                }
            }
            let (queens, free) = (position.queens(Color::White), position.free());
            let found = Filler::new(1_000_000).count(queens, free);
            assert_eq!(found.exact(), Some(exhaustive(queens, free)), "{position}");
        }
    }

    #[test]
    fn the_best_move_keeps_the_count() {
        let position: Position = "..X|#..|...".parse().expect("a diagram");
        let (mut queens, mut free) = (position.queens(Color::White), position.free());
        let mut filler = Filler::new(100_000);
        let mut made = 0;
        let goal = filler.count(queens, free).exact().expect("a count");
        while let Some(mv) = filler.best_move(queens, free) {
            (queens, free) = after(queens, free, mv);
            made += 1;
        }
        assert_eq!(made, goal);
    }
}
