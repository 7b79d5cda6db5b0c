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

/// Queens and what is free for them.
type Area = (Squares, Squares);

/// What is remembered of an area.
#[derive(Clone, Copy, Debug)]
struct Known {
    bounds: Bounds,
    /// Whether it was searched to its end or the patience's, and not only met on another area's row of moves.
    is_searched: bool,
}

/// Counts the moves in regions of one side, and remembers them.
#[derive(Clone, Debug)]
pub struct Filler {
    known: ahash::AHashMap<(u128, u128), Known>,
    /// Positions looked at for one region before its count is left open.
    patience: u32,
    left: u32,
    /// Ends a count, which is left open then.
    signal: StopSignal,
    is_stopped: bool,
}

/// Areas that are remembered at most; then all are forgotten.
const MAX_KNOWN: usize = 1 << 16;

/// The rows of moves that a count goes through.
struct Rows {
    /// The most moves that were found or are known of.
    best: u32,
    /// No row has more.
    goal: u32,
    /// What the moves made leave.
    line: Vec<Area>,
    /// The same of the longest row; empty where it was known before.
    longest: Vec<Area>,
}

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
        let known = self.known.get(&(queens.0, free.0)).copied();
        if let Some(known) = known.filter(|known| known.is_searched) {
            return known.bounds;
        }
        // An area and the row that was found for it are remembered, and forgotten, together.
        let is_full = self.known.len() + free.len() as usize >= MAX_KNOWN;
        if is_full {
            self.known.clear();
        }
        let known = known.filter(|_| !is_full);
        let before = known.map_or(Bounds { min: 0, max: free.len() }, |known| known.bounds);
        self.left = self.patience;
        let (line, longest) = (Vec::new(), Vec::new());
        let mut rows = Rows { best: before.min, goal: before.max, line, longest };
        let finished = self.search((queens, free), &mut rows);
        let bounds = Bounds { min: rows.best, max: if finished { rows.best } else { before.max } };
        // What is behind the row's moves has as many moves less, and one that is known to the end shows the best move later.
        for (made, &area) in (1..).zip(&rows.longest) {
            let [min, max] = [bounds.min, bounds.max].map(|moves| moves - made);
            self.remember(area, Bounds { min, max }, min == max);
        }
        self.remember((queens, free), bounds, !self.is_stopped || finished);
        bounds
    }

    fn remember(&mut self, (queens, free): Area, bounds: Bounds, is_searched: bool) {
        let known = self.known.entry((queens.0, free.0));
        let known = known.or_insert(Known { bounds, is_searched });
        known.bounds.min = known.bounds.min.max(bounds.min);
        known.bounds.max = known.bounds.max.min(bounds.max);
        known.is_searched |= is_searched;
    }

    /// A move that leaves as many moves as the region's count says for certain.
    pub fn best_move(&mut self, queens: Squares, free: Squares) -> Option<Move> {
        let goal = self.count(queens, free).min;
        let moves = ordered(queens, in_reach(queens, free));
        let keeps = |&&(_, mv): &&(u32, Move)| {
            let (queens, free) = after(queens, free, mv);
            let free = in_reach(queens, free);
            let known = self.known.get(&(queens.0, free.0));
            goal <= 1 + known.map_or(0, |known| known.bounds.min)
        };
        // None is found where the count was stopped before it began.
        moves.iter().find(keeps).or(moves.first()).map(|&(_, mv)| mv)
    }

    /// Looks for longer rows of moves; whether everything that could be longer was looked at.
    fn search(&mut self, (queens, free): Area, rows: &mut Rows) -> bool {
        let made = rows.line.len() as u32;
        if made > rows.best {
            rows.best = made;
            rows.longest.clone_from(&rows.line);
        }
        if made + free.len() <= rows.best {
            return true;
        }
        if self.left == 0 || self.is_stopped() {
            return false;
        }
        self.left -= 1;
        let mut finished = true;
        for (_, mv) in ordered(queens, free) {
            let (queens, free) = after(queens, free, mv);
            let area = (queens, in_reach(queens, free));
            rows.line.push(area);
            finished &= self.search(area, rows);
            rows.line.pop();
            if rows.best == rows.goal {
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

    #[test]
    fn what_was_counted_within_the_patience_can_be_played() {
        // Counted to the end, but not what is left after the wrong one of the first moves.
        let diagram = "######|###.##|##.###|#.####|#.####|X##.##|#..#X.|.##.##|.#.#..|##.###";
        let position: Position = diagram.parse().expect("a diagram");
        let (mut queens, mut free) = (position.queens(Color::White), position.free());
        let mut filler = Filler::new(2000);
        assert_eq!(filler.count(queens, free).exact(), Some(15));
        for left in (0..15).rev() {
            let mv = filler.best_move(queens, free).expect("a move");
            (queens, free) = after(queens, free, mv);
            assert_eq!(filler.count(queens, free).exact(), Some(left), "{mv:?}");
        }
    }
}
