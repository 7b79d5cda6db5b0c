//! A state of the machine: how a corner stands, what players did then, and with which moves.

use super::canonical::Key;
use super::corner::Place;
use crate::file::{FileError, Reader};

/// A state's number, in order of the keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct StateId(pub u32);

/// What players did when it was their turn and a corner stood so.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Turns {
    /// They answered the opponent's last move, which was in this corner, here.
    pub answered: u32,
    /// They left it unanswered: tenuki.
    pub left: u32,
    /// They played here after a move elsewhere.
    pub returned: u32,
    /// They let it rest on.
    pub rested: u32,
}

impl Turns {
    /// Moves made here.
    pub const fn played(self) -> u32 {
        self.answered + self.returned
    }

    /// Of the moves made here, the share that was made on such turns: 0 to 1.
    fn share(self, turn: Turn) -> f32 {
        let part = match turn {
            Turn::Answer => self.answered,
            Turn::Return => self.returned,
        };
        part as f32 / self.played().max(1) as f32
    }

    /// How likely the next move is made here, 0 to 1.
    pub fn here(self, turn: Turn) -> f32 {
        let (here, all) = match turn {
            Turn::Answer => (self.answered, self.answered + self.left),
            Turn::Return => (self.returned, self.returned + self.rested),
        };
        // A turn more on either side, so that nothing is certain that was seen a few times only.
        (here as f32 + 0.5) / (all as f32 + 1.0)
    }

    /// Adds other turns.
    pub fn merge(&mut self, other: Turns) {
        self.answered = count_sum(self.answered, other.answered);
        self.left = count_sum(self.left, other.left);
        self.returned = count_sum(self.returned, other.returned);
        self.rested = count_sum(self.rested, other.rested);
    }
}

/// No count is larger, so that sums of a few of them cannot overflow.
const MAX_COUNT: u32 = (1 << 28) - 1;

/// Two counts together, up to the largest.
pub(super) fn count_sum(a: u32, b: u32) -> u32 {
    a.saturating_add(b).min(MAX_COUNT)
}

/// A count of a file.
pub(super) fn read_count(file: &mut Reader<'_>) -> Result<u32, FileError> {
    let count = u32::try_from(file.number()?).map_err(|_| FileError::Damaged)?;
    if count <= MAX_COUNT { Ok(count) } else { Err(FileError::Damaged) }
}

/// What a transition asks of the ladders about it, when these depend on the rest of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Need {
    /// The mover's stones must not be caught.
    pub safe: bool,
    /// What is put into atari must not run out.
    pub deadly: bool,
    /// A move of the mover's that comes later in the usual continuation has a need.
    pub later: bool,
}

impl Need {
    pub(super) const NONE: Need = Need { safe: false, deadly: false, later: false };

    /// Whether this move itself has one.
    pub const fn now(self) -> bool {
        self.safe || self.deadly
    }

    /// Whether this move or a later one has.
    pub const fn any(self) -> bool {
        self.now() || self.later
    }

    pub(super) fn bits(self) -> u8 {
        u8::from(self.safe) | u8::from(self.deadly) << 1 | u8::from(self.later) << 2
    }

    pub(super) fn of_bits(bits: u8) -> Option<Need> {
        let has = |bit: u8| bits >> bit & 1 != 0;
        (bits < 8).then(|| Need { safe: has(0), deadly: has(1), later: has(2) })
    }
}

/// A move from a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transition {
    /// Where, in the state's way of lying. In a symmetric state the twin means the same.
    pub place: Place,
    /// How often it was played.
    pub count: u32,
    /// How often in games of the recent years.
    pub recent: u32,
    /// How often as an answer to the opponent's last move.
    pub answers: u32,
    /// Twice the games that the mover won, and once those without a winner.
    pub half_wins: u32,
    /// What it asks of ladders.
    pub need: Need,
    /// The state that it leads to, if that one is known.
    pub next: Option<StateId>,
}

impl Transition {
    /// The share of games that the mover won, 0 to 1.
    pub fn win_rate(&self) -> f32 {
        self.half_wins as f32 / (2 * self.count.max(1)) as f32
    }

    /// How often it was played, recent games counting `weight` times as much as the others.
    fn weighted(&self, weight: f32) -> f32 {
        weighted_count(self.count, self.recent, weight)
    }
}

fn weighted_count(count: u32, recent: u32, weight: f32) -> f32 {
    count as f32 + (weight - 1.0) * recent as f32
}

/// Which of two kinds of turn: an answer to the opponent's last move, or a return from elsewhere.
/// The same corner often goes on differently.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// The opponent's last move was in this corner.
    Answer,
    /// It was elsewhere.
    Return,
}

/// Moves that a turn's share of a move is drawn towards the state's, as if seen so often.
const DRAW: f32 = 2.0;

/// A corner's position as the player to move sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// Its name.
    pub key: Key,
    /// What players did.
    pub turns: Turns,
    /// Moves made here in games of the recent years.
    pub recent: u32,
    /// The state that a move elsewhere leads to: the same stones with the opponent to move.
    pub passed: Option<StateId>,
    /// The number of its first move in the book.
    pub(super) first: u32,
    /// How many moves it has there.
    pub(super) n: u32,
}

impl State {
    /// A state without its transitions, which a book is given beside it.
    pub(super) fn new(key: Key, turns: Turns, recent: u32, passed: Option<StateId>) -> State {
        State { key, turns, recent, passed, first: 0, n: 0 }
    }

    /// The weight of a move on a turn: how often it was played on such turns, recent games counting
    /// `weight` times.
    pub(super) fn weight(&self, transition: &Transition, turn: Turn, weight: f32) -> f32 {
        let part = match turn {
            Turn::Answer => transition.answers,
            Turn::Return => transition.count - transition.answers,
        };
        let share =
            (part as f32 + DRAW * self.turns.share(turn)) / (transition.count as f32 + DRAW);
        transition.weighted(weight) * share
    }

    /// The sum of the weights of all moves, where `moves` are those that were kept.
    pub(super) fn sum(&self, moves: &[Transition], turn: Turn, weight: f32) -> f32 {
        let all = weighted_count(self.turns.played(), self.recent, weight);
        let kept: f32 = moves.iter().map(|t| t.weighted(weight)).sum();
        let dropped = (all - kept).max(0.0) * self.turns.share(turn);
        let sum: f32 = moves.iter().map(|t| self.weight(t, turn, weight)).sum();
        (sum + dropped).max(f32::MIN_POSITIVE)
    }
}
