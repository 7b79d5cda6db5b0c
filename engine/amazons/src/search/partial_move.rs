//! A turn as the tree holds it, in two edges: a queen's move, then an arrow.

use crate::game::Stage;
use crate::square::Square;
use tree_search::puct::{self, TreeMove};

/// A queen's move (from, to), or an arrow (its square twice).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartialMove {
    /// Where the queen comes from; the arrow's square.
    pub from: Square,
    /// Where it goes; the arrow's square.
    pub to: Square,
}

/// What the evaluation says of a queen's move or an arrow.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Its share of the prior, 0 to 1.
    pub prior: f32,
    /// The chance that the side to move wins with it.
    pub value: f32,
}

/// A queen's move or an arrow with what the evaluation says of it.
pub type Choice = puct::Choice<PartialMove>;

impl PartialMove {
    /// An arrow.
    pub fn arrow(square: Square) -> PartialMove {
        PartialMove { from: square, to: square }
    }

    /// Whether it fits what of the turn has been made.
    pub fn fits(self, stage: Stage) -> bool {
        match stage {
            Stage::From => true,
            Stage::To(from) => self.from == from,
            Stage::Arrow(from, to) => self == PartialMove { from, to },
        }
    }
}

impl TreeMove for PartialMove {
    type Estimate = Estimate;
    type Extra = ();

    fn pack(self) -> u32 {
        (self.from.bit() << 7 | self.to.bit()) as u32
    }

    fn unpack(bits: u32) -> PartialMove {
        PartialMove { from: Square::from_bit(bits >> 7), to: Square::from_bit(bits & 127) }
    }

    fn ends_turn(self) -> bool {
        self.from == self.to
    }
}

const FRACTION: f32 = u16::MAX as f32;

/// Both in 16 bits, as fractions of 65,535.
impl puct::Estimate for Estimate {
    fn prior(self) -> f32 {
        self.prior
    }

    fn pack(self) -> u32 {
        let [prior, value] =
            [self.prior, self.value].map(|part| u32::from((part * FRACTION).round() as u16));
        prior << 16 | value
    }

    fn unpack(bits: u32) -> Estimate {
        let [prior, value] = [bits >> 16, bits & 0xffff].map(|part| part as f32 / FRACTION);
        Estimate { prior, value }
    }
}
