//! The usual course of play after a transition, and the ladders that lie on it.

use super::machine::{Machine, StateId, Transition, Turn};

/// Moves of the usual course that are followed.
const COURSE: usize = 6;

/// The moves that usually follow a transition, with whether they are the same player's: while more
/// than half of all players answer, and more than half of them on one place.
pub(super) fn usual_course<'m>(
    machine: &'m Machine,
    transition: &Transition,
) -> impl Iterator<Item = (bool, &'m Transition)> + use<'m> {
    let mut next = transition.next;
    let mut own = true;
    std::iter::from_fn(move || {
        let state = machine.state(next?);
        own = !own;
        let usual = machine.shares(state, Turn::Answer).next()?;
        if state.turns.here(Turn::Answer) < 0.5 || usual.share < 0.5 {
            return None;
        }
        next = usual.transition.next;
        Some((own, usual.transition))
    })
    .take(COURSE)
}

/// Marks moves in whose usual course the same player comes to a move that needs a ladder.
pub(super) fn mark_later_needs(machine: &mut Machine) {
    for number in 0..machine.states().len() as u32 {
        let id = StateId(number);
        let moves = machine.moves(machine.state(id));
        let needs = |t| usual_course(machine, t).any(|(own, t)| own && t.need.now());
        let later: Vec<bool> = moves.iter().map(needs).collect();
        for (transition, later) in machine.moves_mut(id).iter_mut().zip(later) {
            transition.need.later = later;
        }
    }
}
