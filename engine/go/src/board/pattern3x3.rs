//! The 3x3 code: what lies on the eight sites about a site, two bits each.

use super::{Cell, Color};

/// The eight neighbours of a site in 16 bits. Bits 0 to 7 hold the orthogonal neighbours (up,
/// right, down, left), bits 8 to 15 the diagonal ones, clockwise from the upper right.
///
/// The bits are those of [`Cell`], so that questions about all four neighbours are a mask and a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Pattern3x3(pub u16);

const LOW: u16 = 0x55;

impl Pattern3x3 {
    /// The code of a site whose neighbours are told by `cell` for each step.
    pub(super) fn from_cells(cell: impl Fn(isize) -> Cell, stride: usize) -> Pattern3x3 {
        let s = stride as isize;
        let steps = [s, 1, -s, -1, s + 1, 1 - s, -s - 1, s - 1];
        let pairs = steps.iter().enumerate();
        Pattern3x3(pairs.fold(0, |code, (i, &step)| code | (cell(step) as u16) << (2 * i)))
    }

    /// The orthogonal neighbours that are empty: bit `2 * i` for neighbour `i`.
    #[inline(always)]
    pub const fn ortho_empties(self) -> u16 {
        !(self.0 | self.0 >> 1) & LOW
    }

    /// The code with the colours changed for White, so that a mover's own stones are always Black's.
    #[inline(always)]
    pub const fn seen_by(self, mover: Color) -> Pattern3x3 {
        match mover {
            Color::Black => self,
            // The two bits of each cell change places; empty and border stay.
            Color::White => Pattern3x3((self.0 & 0x5555) << 1 | (self.0 >> 1 & 0x5555)),
        }
    }

    /// All neighbours that are empty: bit `2 * i` for neighbour `i`.
    #[inline(always)]
    pub const fn all_empties(self) -> u16 {
        !(self.0 | self.0 >> 1) & 0x5555
    }

    /// The orthogonal neighbours that are stones of this colour: bit `2 * i` for neighbour `i`.
    #[inline(always)]
    pub const fn ortho_stones(self, color: Color) -> u16 {
        let (mine, other) = self.split(color);
        mine & !other & LOW
    }

    /// Whether an orthogonal neighbour is empty.
    #[inline(always)]
    pub const fn touches_empty(self) -> bool {
        self.ortho_empties() != 0
    }

    /// How many orthogonal neighbours are empty.
    #[inline(always)]
    pub const fn empties(self) -> u32 {
        self.ortho_empties().count_ones()
    }

    /// How many orthogonal neighbours are stones of this colour.
    #[inline(always)]
    pub const fn stones(self, color: Color) -> u32 {
        self.ortho_stones(color).count_ones()
    }

    /// The bits "mine or border" and "theirs or border", one in each pair.
    #[inline(always)]
    const fn split(self, color: Color) -> (u16, u16) {
        match color {
            Color::Black => (self.0, self.0 >> 1),
            Color::White => (self.0 >> 1, self.0),
        }
    }

    /// Whether all four orthogonal neighbours are this colour's or border.
    #[inline(always)]
    pub const fn is_surrounded(self, color: Color) -> bool {
        self.split(color).0 & LOW == LOW
    }

    /// Whether the site is a one-point eye of this colour: surrounded, and at most one diagonal
    /// neighbour (none at the border) the opponent's. The rule of MoGo and of libEGO.
    #[inline(always)]
    pub const fn is_eye(self, color: Color) -> bool {
        let (mine, other) = self.split(color);
        let diagonal_other = (other & !mine) >> 8 & LOW;
        let diagonal_border = (other & mine) >> 8 & LOW;
        let open = diagonal_other.count_ones() + (diagonal_border != 0) as u32;
        // One `&`: whether a random site is surrounded is nothing to branch on.
        (mine & LOW == LOW) & (open <= 1)
    }

    /// Changes the neighbour at `place` (0 to 7) between empty and a stone of `color`.
    #[inline(always)]
    pub(super) fn toggle(&mut self, place: usize, color: Color) {
        self.0 ^= (color as u16) << (2 * place);
    }

    /// The cell at `place`: 0 to 3 orthogonal, 4 to 7 diagonal.
    #[inline(always)]
    pub const fn cell(self, place: usize) -> Cell {
        Cell::from_bits(self.0 >> (2 * place))
    }
}
