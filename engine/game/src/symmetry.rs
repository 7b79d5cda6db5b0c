//! The eight ways to turn and mirror a board.

/// One of the eight ways to turn and mirror a square board; four of them keep the sides of a rectangle.
///
/// ```
/// use game_core::Symmetry;
/// let images: Vec<_> = Symmetry::of_board((9, 9)).map(|turned| turned.of((2, 3), (9, 9))).collect();
/// assert_eq!(images[..3], [(2, 3), (6, 3), (2, 5)]);
/// assert_eq!((images.len(), Symmetry::of_board((9, 7)).count()), (8, 4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry(u8);

impl Symmetry {
    /// Nothing is turned.
    pub const NONE: Symmetry = Symmetry(0);

    /// The one of a number; only its last three bits count.
    pub const fn new(number: u64) -> Symmetry {
        Symmetry((number & 7) as u8)
    }

    /// All eight, [`Symmetry::NONE`] first.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        (0..8).map(Symmetry)
    }

    /// Those that leave the sides of a board of so many columns and rows as they are.
    pub fn of_board((columns, rows): (u8, u8)) -> impl Iterator<Item = Symmetry> {
        (0..if columns == rows { 8 } else { 4 }).map(Symmetry)
    }

    /// Where a point (column and row, from 0) of a board of this size (columns and rows) comes to.
    #[inline]
    pub const fn of(self, (column, row): (u8, u8), (columns, rows): (u8, u8)) -> (u8, u8) {
        let column = if self.0 & 1 != 0 { columns - 1 - column } else { column };
        let row = if self.0 & 2 != 0 { rows - 1 - row } else { row };
        if self.0 & 4 != 0 { (row, column) } else { (column, row) }
    }

    /// The one that undoes this one.
    pub const fn inverse(self) -> Symmetry {
        match self.0 {
            5 => Symmetry(6),
            6 => Symmetry(5),
            same => Symmetry(same),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn eight_images_that_can_be_undone() {
        let size = (10, 10);
        let images: HashSet<_> = Symmetry::all().map(|turned| turned.of((2, 4), size)).collect();
        assert_eq!(images.len(), 8);
        for turned in Symmetry::all() {
            assert_eq!(turned.inverse().of(turned.of((2, 4), size), size), (2, 4));
        }
        for turned in Symmetry::of_board((5, 3)) {
            let (column, row) = turned.of((4, 0), (5, 3));
            assert!(column < 5 && row < 3);
        }
    }
}
