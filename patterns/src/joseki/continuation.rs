//! The usual continuation of play after a transition, and the ladders that lie on it.

use super::book::JosekiBook;
use super::state::{StateId, Transition, Turn};

/// Moves of the usual continuation that are followed.
const MAX_MOVES: usize = 6;

/// The moves that usually follow a transition, with whether they are the same player's: while more
/// than half of all players answer, and more than half of them on one place.
pub(super) fn usual_continuation<'m>(
    book: &'m JosekiBook,
    transition: &Transition,
) -> impl Iterator<Item = (bool, &'m Transition)> + use<'m> {
    let mut next = transition.next;
    let mut own = true;
    std::iter::from_fn(move || {
        let state = book.state(next?);
        own = !own;
        let usual = book.shares(state, Turn::Answer).next()?;
        if state.turns.here(Turn::Answer) < 0.5 || usual.share < 0.5 {
            return None;
        }
        next = usual.transition.next;
        Some((own, usual.transition))
    })
    .take(MAX_MOVES)
}

/// Marks moves in whose usual continuation the same player comes to a move that needs a ladder.
pub(super) fn mark_later_needs(book: &mut JosekiBook) {
    for number in 0..book.states().len() as u32 {
        let id = StateId(number);
        let moves = book.moves(book.state(id));
        let needs = |t| usual_continuation(book, t).any(|(own, t)| own && t.need.now());
        let later: Vec<bool> = moves.iter().map(needs).collect();
        for (transition, later) in book.moves_mut(id).iter_mut().zip(later) {
            transition.need.later = later;
        }
    }
}
