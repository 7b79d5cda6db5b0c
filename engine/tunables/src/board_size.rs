//! How large a board is, for what is best set otherwise on boards of other sizes.

/// How large a board is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BoardSize {
    /// Sides of up to 9 points.
    #[default]
    Small,
    /// Up to 13.
    Medium,
    /// More.
    Large,
}

impl BoardSize {
    /// The size of a board whose longer side has so many points.
    ///
    /// ```
    /// use tunables::BoardSize;
    /// assert_eq!([9, 10, 13, 14].map(BoardSize::of_side), {
    ///     use BoardSize::{Large, Medium, Small};
    ///     [Small, Medium, Medium, Large]
    /// });
    /// ```
    pub fn of_side(side: u8) -> BoardSize {
        match side {
            0..=9 => BoardSize::Small,
            10..=13 => BoardSize::Medium,
            _ => BoardSize::Large,
        }
    }
}
