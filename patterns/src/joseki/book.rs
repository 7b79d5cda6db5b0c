//! The finite state machine.

use super::canonical::Key;
use super::corner::Place;
use super::state::{State, StateId, Transition, Turn};

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
}
