//! What lies on a site.

use super::Color;

/// What lies on a site. The numbers are the two bits that a site has in a [`Pattern3x3`](super::Pattern3x3): a stone's are
/// its colour's, and the border has both, so that "this colour's or border" is one bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Cell {
    /// Nothing.
    Empty = 0,
    /// A black stone.
    Black = Color::Black as u8,
    /// A white stone.
    White = Color::White as u8,
    /// No site of the board.
    Border = 3,
}

impl Cell {
    /// All four, by their numbers.
    pub const ALL: [Cell; 4] = [Cell::Empty, Cell::Black, Cell::White, Cell::Border];

    /// That of the two lowest bits.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Cell {
        // SAFETY: two bits have four values, and each is the number of one of the four. A `match` says the same, and takes
        // a tenth off the speed of light playouts.
        unsafe { std::mem::transmute::<u8, Cell>((bits & 3) as u8) }
    }

    /// The colour of the stone, if it is one.
    #[inline(always)]
    pub const fn color(self) -> Option<Color> {
        match self {
            Cell::Black => Some(Color::Black),
            Cell::White => Some(Color::White),
            Cell::Empty | Cell::Border => None,
        }
    }
}

/// Whether it is a stone of this colour.
impl PartialEq<Color> for Cell {
    #[inline(always)]
    fn eq(&self, color: &Color) -> bool {
        *self as u8 == *color as u8
    }
}

impl From<Color> for Cell {
    #[inline(always)]
    fn from(color: Color) -> Cell {
        match color {
            Color::Black => Cell::Black,
            Color::White => Cell::White,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_bits_are_a_cell_and_its_colour_is_the_same_cell() {
        for (bits, cell) in (0..).zip(Cell::ALL) {
            assert_eq!(cell as u16, bits);
            assert_eq!(Cell::from_bits(bits), cell);
            assert_eq!(Cell::from_bits(bits | 0xfffc), cell, "the other bits do not count");
            assert!(cell.color().is_none_or(|color| Cell::from(color) == cell && cell == color));
        }
    }
}
