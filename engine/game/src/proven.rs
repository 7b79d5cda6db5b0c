//! What is proven of a position or a move.

/// Who wins, as far as it is proven, for the side that is to move or makes a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Proven {
    /// Nothing is proven.
    #[default]
    Unknown = 0,
    /// That side wins.
    Win = 1,
    /// That side loses.
    Loss = 2,
}

impl Proven {
    /// That of a number; a number that stands for none is [`Proven::Unknown`].
    ///
    /// ```
    /// use game_core::Proven;
    ///
    /// assert_eq!(Proven::from_byte(Proven::Loss as u8), Proven::Loss);
    /// ```
    #[inline(always)]
    pub fn from_byte(byte: u8) -> Proven {
        match byte {
            1 => Proven::Win,
            2 => Proven::Loss,
            _ => Proven::Unknown,
        }
    }

    /// A win or a loss, when it is known which.
    pub fn from_win(wins: Option<bool>) -> Proven {
        match wins {
            Some(true) => Proven::Win,
            Some(false) => Proven::Loss,
            None => Proven::Unknown,
        }
    }

    /// The same from the other side.
    #[inline(always)]
    pub fn other(self) -> Proven {
        match self {
            Proven::Unknown => Proven::Unknown,
            Proven::Win => Proven::Loss,
            Proven::Loss => Proven::Win,
        }
    }

    /// Whether it is known who wins.
    #[inline(always)]
    pub fn is_known(self) -> bool {
        self != Proven::Unknown
    }
}
