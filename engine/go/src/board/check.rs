//! What must hold of a board at all times, worked out again from the cells: for tests and fuzzing.

use super::{Board, Cell, Color, Pattern3x3, Site, SiteSet, zobrist};
use std::fmt;

impl<const N: usize, const W: usize> Board<N, W> {
    /// Compares everything that is kept incrementally with what the cells say.
    ///
    /// # Errors
    /// The first thing that differs, in words.
    pub fn check_invariants(&self) -> Result<(), String> {
        let mut key = 0;
        let mut on_board = [0u32; 2];
        let mut n_empties = 0;
        for s in self.sites() {
            let i = Self::ix(s);
            let pattern = Pattern3x3::from_cells(|step| self.cell(s.offset(step)), Self::STRIDE);
            if pattern != self.pattern3x3(s) {
                return Err(format!("the 3x3 code of {} is stale", self.point(s)));
            }
            match self.color(s) {
                None => {
                    n_empties += 1;
                    if self.empties[usize::from(self.place[i]) & (N - 1)] != s.0 {
                        return Err(format!("{} is not listed as empty", self.point(s)));
                    }
                }
                Some(color) => {
                    key ^= zobrist::of(&Self::KEYS[i], color);
                    on_board[color.index()] += 1;
                    self.check_chain(s, color)?;
                }
            }
        }
        if key != self.key {
            return Err("the key is stale".into());
        }
        if on_board != Color::BOTH.map(|c| self.stones_on_board(c)) || n_empties != self.n_empties()
        {
            return Err("the counts of stones are stale".into());
        }
        if !self.ko.is_pass() && self.cell(self.ko) != Cell::Empty {
            return Err("the ko is on a stone".into());
        }
        Ok(())
    }

    fn check_chain(&self, s: Site, color: Color) -> Result<(), String> {
        let mut stones = SiteSet::<W>::EMPTY;
        let mut libs = SiteSet::<W>::EMPTY;
        let mut stack = vec![s];
        stones.insert(Self::bit(s));
        while let Some(t) = stack.pop() {
            for step in Self::ORTHO {
                let u = t.offset(step);
                if self.cell(u) == Cell::Empty {
                    libs.insert(Self::bit(u));
                } else if self.cell(u) == color && stones.insert(Self::bit(u)) {
                    stack.push(u);
                }
            }
        }
        let mut ring = SiteSet::<W>::EMPTY;
        for t in self.chain_stones(s) {
            if !ring.insert(Self::bit(t)) || self.chain(t) != self.chain(s) {
                return Err(format!("the ring of the chain at {} is broken", self.point(s)));
            }
        }
        if ring != stones || self.chain_len(s) != stones.len() {
            return Err(format!("the chain at {} has lost or gained stones", self.point(s)));
        }
        if libs.is_empty() {
            return Err(format!("the chain at {} has no liberty", self.point(s)));
        }
        if *self.liberty_set(s) != libs || self.liberties(s) != libs.len() {
            return Err(format!("the liberties of the chain at {} are stale", self.point(s)));
        }
        Ok(())
    }
}

impl<const N: usize, const W: usize> fmt::Display for Board<N, W> {
    /// The board as text, `X` Black and `O` White, row 1 last.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..self.height).rev() {
            for col in 0..self.width {
                let s = super::site::site_of(crate::Point::new(col, row), Self::STRIDE);
                let sign = match self.cell(s) {
                    Cell::Empty => '.',
                    Cell::Black => 'X',
                    Cell::White => 'O',
                    Cell::Border => '#',
                };
                write!(f, "{sign}{}", if col + 1 < self.width { " " } else { "\n" })?;
            }
        }
        Ok(())
    }
}

impl<const N: usize, const W: usize> fmt::Debug for Board<N, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}
