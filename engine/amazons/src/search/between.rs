//! Which moves were played between two positions, to find the part of a tree that is still of use.

use super::partial_move::PartialMove;
use crate::moves::Move;
use crate::position::Position;

/// The steps of one or two moves that lead from one position to another.
pub(super) fn steps_between(from: &Position, to: &Position) -> Option<Vec<PartialMove>> {
    let mut steps = Vec::new();
    let mut here = *from;
    for _ in 0..2 {
        if here == *to {
            break;
        }
        let side = here.to_move();
        let gone = here.queens(side) - to.queens(side);
        let come = to.queens(side) - here.queens(side);
        let (from_square, to_square) = (gone.iter().next()?, come.iter().next()?);
        if gone.len() != 1 || come.len() != 1 {
            return None;
        }
        // Of two arrows that were shot the first is one that this queen can have shot; the second is tried too.
        let new = to.arrows_shot() - here.arrows_shot();
        let shots = here.arrows(from_square, to_square) & new;
        let next = shots.iter().find_map(|arrow| {
            let mv = Move { from: from_square, to: to_square, arrow };
            let mut after = here;
            after.play(mv).ok()?;
            (after == *to || steps_left(&after, to)).then_some((mv, after))
        });
        let (mv, after) = next?;
        steps.push(PartialMove { from: mv.from, to: mv.to });
        steps.push(PartialMove::arrow(mv.arrow));
        here = after;
    }
    (here == *to).then_some(steps)
}

/// Whether one move leads from a position to another.
fn steps_left(from: &Position, to: &Position) -> bool {
    let side = from.to_move();
    let gone = from.queens(side) - to.queens(side);
    let come = to.queens(side) - from.queens(side);
    let new = to.arrows_shot() - from.arrows_shot();
    let (Some(a), Some(b), Some(arrow)) =
        (gone.iter().next(), come.iter().next(), new.iter().next())
    else {
        return false;
    };
    let mut after = *from;
    after.play(Move { from: a, to: b, arrow }).is_ok() && after == *to
}
