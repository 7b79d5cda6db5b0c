//! The finite state machine, and its file.

use super::canonical::Key;
use super::corner::{Place, REGION, SIDE};
use crate::file::{FileError, Reader, Writer};

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
        self.answered += other.answered;
        self.left += other.left;
        self.returned += other.returned;
        self.rested += other.rested;
    }
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
    const NONE: Need = Need { safe: false, deadly: false, later: false };

    /// Whether this move itself has one.
    pub const fn now(self) -> bool {
        self.safe || self.deadly
    }

    /// Whether this move or a later one has.
    pub const fn any(self) -> bool {
        self.now() || self.later
    }

    fn bits(self) -> u8 {
        u8::from(self.safe) | u8::from(self.deadly) << 1 | u8::from(self.later) << 2
    }

    fn of_bits(bits: u8) -> Option<Need> {
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
    first: u32,
    n: u32,
}

impl State {
    /// A state without its transitions, which [`JosekiBook::new`] is given beside it.
    pub(super) fn new(key: Key, turns: Turns, recent: u32, passed: Option<StateId>) -> State {
        State { key, turns, recent, passed, first: 0, n: 0 }
    }

    /// The weight of a move on a turn: how often it was played on such turns, recent games counting
    /// `weight` times.
    fn weight(&self, transition: &Transition, turn: Turn, weight: f32) -> f32 {
        let part = match turn {
            Turn::Answer => transition.answers,
            Turn::Return => transition.count - transition.answers,
        };
        let share =
            (part as f32 + DRAW * self.turns.share(turn)) / (transition.count as f32 + DRAW);
        transition.weighted(weight) * share
    }

    /// The sum of the weights of all moves, where `moves` are those that were kept.
    fn sum(&self, moves: &[Transition], turn: Turn, weight: f32) -> f32 {
        let all = weighted_count(self.turns.played(), self.recent, weight);
        let kept: f32 = moves.iter().map(|t| t.weighted(weight)).sum();
        let dropped = (all - kept).max(0.0) * self.turns.share(turn);
        let sum: f32 = moves.iter().map(|t| self.weight(t, turn, weight)).sum();
        (sum + dropped).max(f32::MIN_POSITIVE)
    }
}

/// A transition by its number, with its share on a turn. It has the place beside it, so that a
/// look-up reads one row of memory only.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Ranked {
    at: u32,
    share: f32,
    place: Place,
}

/// A transition as it is on some turn.
#[derive(Clone, Copy, Debug)]
pub struct Share<'m> {
    /// The transition.
    pub transition: &'m Transition,
    /// Its place.
    pub place: Place,
    /// Its share of the moves made on such turns, 0 to 1.
    pub share: f32,
}

/// What was learned of corners.
#[derive(Clone, PartialEq, Debug)]
pub struct JosekiBook {
    /// The side of the boards that it was learned on; it speaks of those and larger ones.
    pub side: u8,
    /// Games that it was learned from.
    pub games: u64,
    /// The first of the recent years.
    pub recent_since: u16,
    /// How many times as much a game of these counts.
    pub recent_weight: f32,
    states: Vec<State>,
    moves: Vec<Transition>,
    /// Each state's moves again, on turns that answer and that return, the greatest share first.
    ranked: [Vec<Ranked>; 2],
    /// Open addressing by the low bits of the key; the state's number and one, 0 for none.
    slots: Vec<u32>,
}

const KIND: &[u8; 8] = b"TSJ-JSKI";
const VERSION: u32 = 1;

impl JosekiBook {
    /// A book of states, in order of their keys, each with its transitions, the first
    /// recommended first.
    pub(super) fn new(
        (side, games): (u8, u64),
        recent_since: u16,
        recent_weight: f32,
        parts: impl IntoIterator<Item = (State, Vec<Transition>)>,
    ) -> JosekiBook {
        let (mut states, mut moves) = (Vec::new(), Vec::new());
        for (mut state, transitions) in parts {
            state.first = moves.len() as u32;
            state.n = transitions.len() as u32;
            moves.extend(transitions);
            states.push(state);
        }
        let mut book = JosekiBook {
            side,
            games,
            recent_since,
            recent_weight,
            states,
            moves,
            ranked: [const { Vec::new() }; 2],
            slots: Vec::new(),
        };
        book.rank_all();
        book.slots = book.index();
        book
    }

    /// Works out the shares and the orders.
    fn rank_all(&mut self) {
        for turn in [Turn::Answer, Turn::Return] {
            let ranked = self.states.iter().flat_map(|state| self.rank(state, turn)).collect();
            self.ranked[turn as usize] = ranked;
        }
    }

    /// A state's moves on a turn, the greatest share first. Of equal shares the first stays first.
    fn rank(&self, state: &State, turn: Turn) -> Vec<Ranked> {
        let weight = self.recent_weight;
        let moves = self.moves(state);
        let sum = state.sum(moves, turn, weight);
        let share = |t| state.weight(t, turn, weight) / sum;
        let ranked = (state.first..).zip(moves).map(|(at, t)| Ranked {
            at,
            share: share(t),
            place: t.place,
        });
        let mut ranked: Vec<Ranked> = ranked.collect();
        ranked.sort_by(|a, b| b.share.total_cmp(&a.share));
        ranked
    }

    fn index(&self) -> Vec<u32> {
        let mut slots = vec![0; (2 * self.states.len().max(1)).next_power_of_two()];
        let mask = slots.len() - 1;
        for (number, state) in (1..).zip(&self.states) {
            let mut at = state.key.short() as usize & mask;
            while slots[at] != 0 {
                at = (at + 1) & mask;
            }
            slots[at] = number;
        }
        slots
    }

    /// Whether it speaks of boards of this size: those that it was learned on, and larger ones.
    #[inline]
    pub fn speaks_of(&self, width: u8, height: u8) -> bool {
        width.min(height) >= self.side
    }

    /// The state of this name.
    #[inline]
    pub fn find(&self, key: Key) -> Option<StateId> {
        let mask = self.slots.len() - 1;
        let mut at = key.short() as usize & mask;
        loop {
            let id = StateId(self.slots[at].checked_sub(1)?);
            if self.states[id.0 as usize].key == key {
                return Some(id);
            }
            at = (at + 1) & mask;
        }
    }

    /// A state of this book.
    ///
    /// # Panics
    /// When the number is another book's and too large here.
    #[inline]
    pub fn state(&self, id: StateId) -> &State {
        &self.states[id.0 as usize]
    }

    /// The transitions of a state as they are on a turn, the greatest share first.
    #[inline]
    pub fn shares<'m>(
        &'m self,
        state: &'m State,
        turn: Turn,
    ) -> impl Iterator<Item = Share<'m>> + use<'m> {
        let first = state.first as usize;
        let ranked = &self.ranked[turn as usize][first..first + state.n as usize];
        ranked.iter().map(|&Ranked { at, share, place }| Share {
            transition: &self.moves[at as usize],
            place,
            share,
        })
    }

    /// The transitions of a state, the most played first, recent games counting more.
    #[inline]
    pub fn moves(&self, state: &State) -> &[Transition] {
        let first = state.first as usize;
        &self.moves[first..first + state.n as usize]
    }

    /// All states, in order of their keys.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// How many transitions there are, tenuki not counted.
    pub fn transitions(&self) -> usize {
        self.moves.len()
    }

    pub(super) fn moves_mut(&mut self, id: StateId) -> &mut [Transition] {
        let State { first, n, .. } = self.states[id.0 as usize];
        &mut self.moves[first as usize..(first + n) as usize]
    }

    /// The book as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new(KIND, VERSION);
        out.byte(self.side);
        out.number(self.games);
        out.number(u64::from(self.recent_since));
        out.float(self.recent_weight);
        out.number(self.states.len() as u64);
        let target = |id: Option<StateId>| id.map_or(0, |id| u64::from(id.0) + 1);
        for state in &self.states {
            state.key.0.to_be_bytes().into_iter().for_each(|byte| out.byte(byte));
            let Turns { answered, left, returned, rested } = state.turns;
            for number in [answered, left, returned, rested, state.recent, state.n] {
                out.number(u64::from(number));
            }
            out.number(target(state.passed));
            for t in self.moves(state) {
                out.byte(t.place.index() as u8);
                for number in [t.count, t.recent, t.answers, t.half_wins] {
                    out.number(u64::from(number));
                }
                // Needs are rare: most targets take no byte more for them.
                out.number(target(t.next) << 1 | u64::from(t.need != Need::NONE));
                if t.need != Need::NONE {
                    out.byte(t.need.bits());
                }
            }
        }
        out.finish()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it is no such file, of another version, cut short or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<JosekiBook, FileError> {
        let mut file = Reader::open(bytes, KIND, VERSION)?;
        let side = file.byte()?;
        let games = file.number()?;
        let recent_since = u16::try_from(file.number()?).map_err(|_| FileError::Damaged)?;
        let recent_weight = file.float()?;
        let n_states = u32::try_from(file.number()?).map_err(|_| FileError::Damaged)?;
        let is_weight = recent_weight.is_finite() && recent_weight > 0.0;
        if !is_weight || !(SIDE..=25).contains(&side) {
            return Err(FileError::Damaged);
        }
        let mut parts: Vec<(State, Vec<Transition>)> = Vec::new();
        for _ in 0..n_states {
            let part = read_state(&mut file, n_states)?;
            if parts.last().is_some_and(|(last, _)| last.key >= part.0.key) {
                return Err(FileError::Damaged);
            }
            parts.push(part);
        }
        file.end()?;
        Ok(JosekiBook::new((side, games), recent_since, recent_weight, parts))
    }
}

fn read_state(file: &mut Reader<'_>, n_states: u32) -> Result<(State, Vec<Transition>), FileError> {
    let target = |number: u64| match u32::try_from(number) {
        Ok(0) => Ok(None),
        Ok(number) if number <= n_states => Ok(Some(StateId(number - 1))),
        _ => Err(FileError::Damaged),
    };
    // Counts stay far below this, so that sums of a few of them cannot overflow.
    let count = |file: &mut Reader<'_>| match u32::try_from(file.number()?) {
        Ok(count) if count < 1 << 28 => Ok(count),
        _ => Err(FileError::Damaged),
    };
    let mut key = [0; 16];
    for byte in &mut key {
        *byte = file.byte()?;
    }
    let turns = Turns {
        answered: count(file)?,
        left: count(file)?,
        returned: count(file)?,
        rested: count(file)?,
    };
    let recent = count(file)?;
    let n = count(file)?;
    if n as usize > REGION {
        return Err(FileError::Damaged);
    }
    let passed = target(file.number()?)?;
    let mut transitions = Vec::new();
    for _ in 0..n {
        let place = Place::from_index(usize::from(file.byte()?)).ok_or(FileError::Damaged)?;
        let (count, recent, answers, half_wins) =
            (count(file)?, count(file)?, count(file)?, count(file)?);
        let next = file.number()?;
        let need = if next & 1 != 0 { Need::of_bits(file.byte()?) } else { Some(Need::NONE) };
        let need = need.ok_or(FileError::Damaged)?;
        let next = target(next >> 1)?;
        if recent > count || answers > count {
            return Err(FileError::Damaged);
        }
        transitions.push(Transition { place, count, recent, answers, half_wins, need, next });
    }
    if recent > turns.played() {
        return Err(FileError::Damaged);
    }
    Ok((State::new(Key(u128::from_be_bytes(key)), turns, recent, passed), transitions))
}
