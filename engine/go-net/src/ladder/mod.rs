//! Ladders as networks know them: which chains are caught by atari after atari, and by which first moves.
//!
//! Every chain of one or two liberties is read out, of either colour, whoever is to move. The defender, in atari, may
//! capture or extend; the attacker gives atari again; who leaves a ko behind has not caught anything. Playouts read ladders
//! in another way (`go_engine::playout`): shorter, and any capture saves.

mod board;

use board::LadderBoard;
use go_engine::Color;
use go_engine::board::{Board, Site, SiteSet};

/// Most moves of one reading; what needs more counts as an escape.
const MAX_MOVES: u32 = 25_000;
/// Captures that are tried at once; there are hardly ever more than two.
const MAX_CAPTURES: usize = 12;

/// What was read on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ladders<const W: usize> {
    /// Stones of chains that are caught.
    pub caught: SiteSet<W>,
    /// First moves that catch a chain of two liberties, by the colour of the chain: Black's, White's.
    pub working_moves: [SiteSet<W>; 2],
}

impl<const W: usize> Default for Ladders<W> {
    fn default() -> Self {
        Ladders { caught: SiteSet::EMPTY, working_moves: [SiteSet::EMPTY; 2] }
    }
}

/// Reads ladders; owns the board that they are read on.
pub struct LadderReader<const N: usize, const W: usize> {
    board: Box<LadderBoard<N, W>>,
    /// Moves that may still be made in this reading.
    budget: u32,
    max_depth: u32,
}

impl<const N: usize, const W: usize> Default for LadderReader<N, W> {
    fn default() -> Self {
        LadderReader { board: Box::new(LadderBoard::new()), budget: 0, max_depth: 0 }
    }
}

impl<const N: usize, const W: usize> LadderReader<N, W> {
    /// Reads all ladders of a board.
    pub fn read(&mut self, board: &Board<N, W>) -> Ladders<W> {
        let mut ladders = Ladders::default();
        let mut loaded = false;
        for site in board.sites() {
            let Some(color) = board.color(site) else { continue };
            let liberties = board.liberties(site);
            if board.chain(site) != site || liberties > 2 {
                continue;
            }
            if !loaded {
                self.board.load(board);
                self.max_depth = (board.area() * 3 / 2) as u32;
                loaded = true;
            }
            let caught = if liberties == 1 {
                self.start(site, color)
            } else {
                let mut any = false;
                let liberties = self.board.find_liberties::<2>(site);
                for (first, other) in [(0, 1), (1, 0)].map(|(a, b)| (liberties[a], liberties[b])) {
                    if self.catches(site, color, first, other) {
                        ladders.working_moves[color.index()].insert(Board::<N, W>::bit(first));
                        any = true;
                    }
                }
                any
            };
            if caught {
                for stone in board.chain_stones(site) {
                    ladders.caught.insert(Board::<N, W>::bit(stone));
                }
            }
        }
        ladders
    }

    /// Whether the attacker catches a chain of two liberties by beginning with one of them.
    fn catches(&mut self, prey: Site, color: Color, first: Site, other: Site) -> bool {
        if !self.board.is_legal(first, color.other()) || self.frees(other, first, color, prey) {
            return false;
        }
        let mark = self.board.mark();
        self.board.play(first, color.other());
        let caught = self.start(prey, color);
        self.board.undo(mark);
        caught
    }

    /// Whether a chain, in atari and to move, is caught. No ko forbids the first move.
    fn start(&mut self, prey: Site, color: Color) -> bool {
        let mark = self.board.mark();
        self.board.lift_ko();
        self.budget = MAX_MOVES;
        let caught = self.defender_loses(prey, color, 0) && self.budget > 0;
        self.board.undo(mark);
        caught
    }

    /// Whether a chain surely has three liberties after it extends to `site`, once `filled` is filled too: by the empty
    /// points about it, or by those of a chain that it joins.
    #[inline(always)]
    fn frees(&self, site: Site, filled: Site, color: Color, prey: Site) -> bool {
        let board = &self.board;
        let mut empties = 0;
        for beside in LadderBoard::<N, W>::neighbours(site) {
            if board.is_empty(beside) {
                empties += u16::from(beside != filled);
            } else if board.is(beside, color)
                && board.liberties(beside) >= 5
                && board.head(beside) != board.head(prey)
            {
                return true;
            }
        }
        empties >= 3
    }

    fn defender_loses(&mut self, prey: Site, color: Color, depth: u32) -> bool {
        if self.board.liberties(prey) >= 2 || !self.board.ko().is_pass() {
            return false;
        }
        if depth >= self.max_depth {
            return true;
        }
        let [last] = self.board.find_liberties::<1>(prey);
        // The most likely to save comes first; the answer is the same in any order.
        if self.frees(last, Site::PASS, color, prey) || !self.loses_after(last, prey, color, depth)
        {
            return false;
        }
        let attacker = color.other();
        let mut tried = [Site::PASS; MAX_CAPTURES];
        let mut count = 0;
        let mut stone = prey;
        loop {
            for beside in LadderBoard::<N, W>::neighbours(stone) {
                if !self.board.is(beside, attacker) || self.board.liberties(beside) != 1 {
                    continue;
                }
                let [at] = self.board.find_liberties::<1>(beside);
                if at == last || tried[..count].contains(&at) {
                    continue;
                }
                if count < MAX_CAPTURES {
                    tried[count] = at;
                    count += 1;
                }
                if !self.loses_after(at, prey, color, depth) {
                    return false;
                }
            }
            stone = self.board.next(stone);
            if stone == prey {
                return true;
            }
        }
    }

    /// Whether a defender's move does not help.
    fn loses_after(&mut self, at: Site, prey: Site, color: Color, depth: u32) -> bool {
        if !self.board.is_legal(at, color) {
            return true;
        }
        if self.budget == 0 {
            return false;
        }
        self.budget -= 1;
        let mark = self.board.mark();
        self.board.play(at, color);
        let caught = self.attacker_wins(prey, color, depth + 1);
        self.board.undo(mark);
        caught
    }

    fn attacker_wins(&mut self, prey: Site, color: Color, depth: u32) -> bool {
        match self.board.liberties(prey) {
            ..=1 => return true,
            2 => {}
            _ => return false,
        }
        if depth >= self.max_depth {
            return true;
        }
        let [a, b] = self.board.find_liberties::<2>(prey);
        if self.is_double_ko(prey, color, a, b) {
            return true;
        }
        let frees = [self.frees(b, a, color, prey), self.frees(a, b, color, prey)];
        let mut moves = [(a, frees[0]), (b, frees[1])];
        // Where the defender would gain more is the better place.
        if self.board.empties_beside(b) > self.board.empties_beside(a) {
            moves.swap(0, 1);
        }
        moves.into_iter().any(|(at, frees)| !frees && self.wins_after(at, prey, color, depth))
    }

    /// Whether an attacker's move catches the chain.
    fn wins_after(&mut self, at: Site, prey: Site, color: Color, depth: u32) -> bool {
        if self.budget == 0 || !self.board.is_legal(at, color.other()) {
            return false;
        }
        self.budget -= 1;
        let mark = self.board.mark();
        self.board.play(at, color.other());
        let caught = self.defender_loses(prey, color, depth + 1);
        self.board.undo(mark);
        caught
    }

    /// Whether both liberties are mouths of kos that the defender cannot get out of.
    fn is_double_ko(&mut self, prey: Site, color: Color, a: Site, b: Site) -> bool {
        let mouths = [a, b];
        mouths.iter().all(|&at| self.is_ko_mouth(at, color))
            && mouths.iter().all(|&at| self.liberties_after(at, color) <= 2)
            && !self.touches_atari(prey, color.other())
    }

    /// Whether the attacker takes a ko on an empty site: only the defender's stones about it, of which exactly one is in
    /// atari and alone.
    #[inline(always)]
    fn is_ko_mouth(&self, at: Site, color: Color) -> bool {
        let board = &self.board;
        let mut taken = Site::PASS;
        for beside in LadderBoard::<N, W>::neighbours(at) {
            if board.is_empty(beside) || board.is(beside, color.other()) {
                return false;
            }
            if board.is(beside, color) && board.liberties(beside) == 1 {
                if !taken.is_pass() || board.stones(beside) != 1 {
                    return false;
                }
                taken = beside;
            }
        }
        !taken.is_pass()
    }

    /// Liberties of the chain that a stone on an empty site would belong to; 0 where it would have none.
    fn liberties_after(&mut self, at: Site, color: Color) -> u16 {
        if !LadderBoard::<N, W>::neighbours(at).into_iter().any(|beside| {
            self.board.is_empty(beside)
                || self.board.is(beside, color) && self.board.liberties(beside) > 1
                || self.board.is(beside, color.other()) && self.board.liberties(beside) == 1
        }) {
            return 0;
        }
        let mark = self.board.mark();
        self.board.play(at, color);
        let liberties = self.board.liberties(at);
        self.board.undo(mark);
        liberties
    }

    /// Whether a chain in atari of this colour touches another.
    fn touches_atari(&self, prey: Site, color: Color) -> bool {
        let mut stone = prey;
        loop {
            let mut beside = LadderBoard::<N, W>::neighbours(stone).into_iter();
            if beside.any(|at| self.board.is(at, color) && self.board.liberties(at) == 1) {
                return true;
            }
            stone = self.board.next(stone);
            if stone == prey {
                return false;
            }
        }
    }
}
