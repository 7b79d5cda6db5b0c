//! What matters of a position for who wins it.

use crate::moves::Move;
use crate::position::Position;
use crate::rays::reach;
use crate::region::{Filler, fill::in_reach, split};
use crate::squares::Squares;

/// A position without the regions that are one side's, from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    /// The queens of the side to move, and of the other, where it is fought.
    pub queens: [Squares; 2],
    /// What is free there.
    pub free: Squares,
    /// How many more moves the side to move has in regions of its own than the other side has in its own.
    pub lead: i8,
}

/// A turn where it is fought, or one in a region of one's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A queen moves and shoots.
    Move(Move),
    /// One of the moves that nobody can take away.
    Spare,
}

impl State {
    /// What matters of a position.
    pub fn of(position: &Position, filler: &mut Filler) -> State {
        let (own, other) = (position.to_move(), position.to_move().other());
        let queens = [position.queens(own), position.queens(other)];
        State { queens, free: position.free(), lead: 0 }.reduced(filler)
    }

    /// Takes off the regions of one side that can be counted.
    fn reduced(self, filler: &mut Filler) -> State {
        let mut state =
            State { queens: [Squares::EMPTY; 2], free: Squares::EMPTY, lead: self.lead };
        for region in split(self.queens, self.free) {
            let owner = match region.queens.map(Squares::is_empty) {
                [false, true] => Some(0),
                [true, false] => Some(1),
                _ => None,
            };
            let moves = owner.and_then(|side| {
                filler.count(region.queens[side], region.free).exact().map(|moves| (side, moves))
            });
            match moves {
                Some((0, moves)) => state.lead += moves as i8,
                Some((_, moves)) => state.lead -= moves as i8,
                None => {
                    for (queens, here) in state.queens.iter_mut().zip(region.queens) {
                        *queens = *queens | here;
                    }
                    state.free = state.free | region.free;
                }
            }
        }
        state
    }

    /// Whether the side to move wins, where counting says so: whoever has enough moves of its own can leave what is fought
    /// for to the other side, which then has no more moves there than squares that it reaches.
    pub fn decided(&self) -> Option<bool> {
        let lead = i32::from(self.lead);
        let reach = |side: usize| in_reach(self.queens[side], self.free).len() as i32;
        if lead > 0 && lead > reach(1) {
            Some(true)
        } else if lead <= 0 && lead + reach(0) <= 0 {
            Some(false)
        } else {
            None
        }
    }

    /// The state after a step, from the other side.
    pub fn after(&self, step: Step, filler: &mut Filler) -> State {
        let [own, other] = self.queens;
        match step {
            Step::Spare => State { queens: [other, own], free: self.free, lead: 1 - self.lead },
            Step::Move(Move { from, to, arrow }) => {
                let own = (own - from.into()) | to.into();
                let free = (self.free | from.into()) - to.into() - arrow.into();
                State { queens: [other, own], free, lead: -self.lead }.reduced(filler)
            }
        }
    }

    /// The steps of the side to move. Its own moves matter only where it has more of them than the other side.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        for from in self.queens[0] {
            for to in reach(from, self.free) {
                for arrow in reach(to, (self.free | from.into()) - to.into()) {
                    steps.push(Step::Move(Move { from, to, arrow }));
                }
            }
        }
        if self.lead > 0 {
            steps.push(Step::Spare);
        }
        steps
    }

    /// A number that hardly any two states share.
    pub fn key(&self) -> u64 {
        let mut key = self.lead as u8 as u64;
        for word in [self.queens[0].0, self.queens[1].0, self.free.0] {
            for half in [word as u64, (word >> 64) as u64] {
                key = game_core::mix64((key ^ half).wrapping_add(game_core::GOLDEN_GAMMA));
            }
        }
        key
    }
}
