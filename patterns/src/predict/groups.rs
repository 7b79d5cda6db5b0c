//! The tactical features, in groups. A candidate has at most one value of a group, or one for each chain that it touches.

/// A group of features, and what its values tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Group {
    /// Line of the board by phase of the game.
    Line,
    /// Place on the board, folded into an octant, by phase.
    Place,
    /// Distance to the last move.
    LastDistance,
    /// Distance to the move before it.
    SecondDistance,
    /// Both distances and that between the two moves, coarsely.
    Distances,
    /// Distances to the last two moves along chains (common fate graph).
    CommonFate,
    /// Step from the last move, folded, by line.
    LastStep,
    /// Captures: stones, whether a friend in atari is saved, whether the last move's chain is
    /// captured, whether it would escape otherwise.
    Capture,
    /// Saves a friend from atari: its size, its liberties after, whether extending fails.
    Save,
    /// Puts itself in atari: size, whether it captures, whether it gives atari.
    SelfAtari,
    /// Liberties after the move, chains joined, chains touched.
    Liberties,
    /// Gives atari: size, whether a ladder works, whether on the last move's chain, own liberties.
    Atari,
    /// Takes the third liberty: size, whether the last move's chain, own liberties.
    ThirdLiberty,
    /// Takes the fourth liberty: size, whether the last move's chain.
    FourthLiberty,
    /// Joins a friend with two liberties: size, liberties after, whether a ladder would catch it,
    /// whether the last move touched it.
    OwnTwo,
    /// Joins a friend with three liberties: size, liberties after, whether the last move touched it.
    OwnThree,
    /// Takes a ko; or plays elsewhere while one is open, threatening or not.
    Ko,
    /// Fills an eye, the mover's or the opponent's.
    Eye,
    /// The closed region that the point lies in: size, whose, how many neighbours in it.
    Region,
    /// Nearest friend and enemy, by line.
    Nearest,
    /// Friends and enemies around, by phase.
    Crowd,
    /// Liberty of a friend that the last move touched: its liberties and size.
    Answer,
    /// Liberty of the last move's chain: its liberties and size.
    Contact,
}

/// Groups that are the same for all candidates of a position; they act through the hidden units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Context {
    /// Stones on the board.
    Phase = Group::COUNT,
    /// The largest friend in atari.
    InAtari,
    /// The largest enemy in atari.
    EnemyInAtari,
    /// Distance between the last two moves.
    Gap,
    /// The line of the last move.
    LastLine,
}

const ALL: usize = Group::COUNT + Context::COUNT;

const SIZES: [usize; ALL] = [
    9 * 6,
    55 * 3,
    19,
    19,
    216,
    100,
    21 * 4,
    40,
    32,
    20,
    6 * 4 * 4,
    48,
    24,
    8,
    80,
    32,
    4,
    4,
    120,
    363,
    72,
    12,
    12,
    16,
    5,
    5,
    7,
    9,
];

const BASES: [usize; ALL] = {
    let mut bases = [0; ALL];
    let mut i = 1;
    while i < ALL {
        bases[i] = bases[i - 1] + SIZES[i - 1];
        i += 1;
    }
    bases
};

/// How many tactical features there are.
pub const TACTICAL: usize = BASES[ALL - 1] + SIZES[ALL - 1];

impl Group {
    /// How many groups of candidates' features there are.
    pub(super) const COUNT: usize = 23;

    /// The number of the group that a row is of, as [`Group::row`] gave it.
    #[inline]
    pub(super) fn index_of_row(row: u16) -> usize {
        BASES.partition_point(|&base| base <= usize::from(row)) - 1
    }

    /// The number of a value of this group among all tactical features.
    #[inline(always)]
    pub fn row(self, value: usize) -> u32 {
        debug_assert!(value < SIZES[self as usize], "{self:?} has no value {value}");
        (BASES[self as usize] + value) as u32
    }
}

impl Context {
    const COUNT: usize = 5;

    /// As [`Group::row`].
    #[inline(always)]
    pub fn row(self, value: usize) -> u32 {
        debug_assert!(value < SIZES[self as usize], "{self:?} has no value {value}");
        (BASES[self as usize] + value) as u32
    }
}
