//! The continuations of a corner on a real board.

use super::book::JosekiBook;
use super::canonical::{Corners, View};
use super::continuation::usual_continuation;
use super::corner::{Corner, Place};
use super::ladder::Ladder;
use super::state::{Need, State, Transition, Turn};
use go_engine::{Board, Color, Site};

/// A corner whose state is known.
#[derive(Clone, Copy, Debug)]
pub struct Query<'m> {
    /// The corner.
    pub corner: Corner,
    /// Its state.
    pub state: &'m State,
    /// Whether the opponent's last move was in this corner.
    pub turn: Turn,
    view: View,
    book: &'m JosekiBook,
}

/// A move that can be recommended.
#[derive(Clone, Copy, Debug)]
pub struct Suggestion<'m> {
    /// Where on the board.
    pub site: Site,
    /// The move of the book.
    pub transition: &'m Transition,
    /// The share of the moves made here on such a turn that were this one, 0 to 1. In a corner that
    /// is its own mirror image twins have half each.
    pub share: f32,
}

impl<'m> Query<'m> {
    /// What is known of a corner with `mover` to move after a move on `last` ([`Site::PASS`] for
    /// none); `None` when its state is unknown: what was never met, too seldom, or after the
    /// sequence had ended.
    #[inline]
    pub fn of<const N: usize, const W: usize>(
        book: &'m JosekiBook,
        corners: &Corners,
        board: &Board<N, W>,
        corner: Corner,
        mover: Color,
        last: Site,
    ) -> Option<Query<'m>> {
        let view = corners.view(board, corner, mover);
        let state = book.state(book.find(view.key)?);
        let is_answer = !last.is_pass()
            && board.color(last) != Some(mover)
            && corners.place(corner, board.point(last)).is_some();
        let turn = if is_answer { Turn::Answer } else { Turn::Return };
        Some(Query { corner, state, turn, view, book })
    }

    /// How likely the next move is made in this corner, 0 to 1.
    #[inline]
    pub fn here(&self) -> f32 {
        self.state.turns.here(self.turn)
    }

    /// The book's name for a move on a place of this corner.
    pub fn move_name(&self, place: Place) -> Place {
        self.view.move_name(place)
    }

    /// All moves of the state on the board, the most played first, whatever the rest of the board
    /// says: neither rules nor ladders are looked at.
    #[inline]
    pub fn continuations<'a, const N: usize, const W: usize>(
        &'a self,
        corners: &'a Corners,
        board: &'a Board<N, W>,
    ) -> impl Iterator<Item = Suggestion<'m>> + 'a {
        self.book.shares(self.state, self.turn).flat_map(move |found| {
            let place = self.view.turn(found.place);
            let has_twin = self.view.symmetric && place != place.flipped();
            let twin = has_twin.then(|| place.flipped());
            let share = if has_twin { found.share / 2.0 } else { found.share };
            [Some(place), twin].into_iter().flatten().filter_map(move |place| {
                let site = board.site(corners.point(self.corner, place))?;
                Some(Suggestion { site, transition: found.transition, share })
            })
        })
    }

    /// The moves that can be recommended: legal, and with the ladders that they need.
    #[inline]
    pub fn suggestions<'a, const N: usize, const W: usize>(
        &'a self,
        corners: &'a Corners,
        board: &'a Board<N, W>,
        mover: Color,
    ) -> impl Iterator<Item = Suggestion<'m>> + 'a {
        self.continuations(corners, board).filter(move |found| {
            board.is_legal(found.site, mover) && self.ladders_work(corners, board, mover, found)
        })
    }

    /// Whether the ladders that a legal move and its usual continuation need turn out well for its player.
    #[inline]
    pub fn ladders_work<const N: usize, const W: usize>(
        &self,
        corners: &Corners,
        board: &Board<N, W>,
        mover: Color,
        found: &Suggestion<'m>,
    ) -> bool {
        !found.transition.need.any() || self.read_ladders(corners, board, mover, found)
    }

    #[inline(never)]
    fn read_ladders<const N: usize, const W: usize>(
        &self,
        corners: &Corners,
        board: &Board<N, W>,
        mover: Color,
        found: &Suggestion<'m>,
    ) -> bool {
        let works = |board: &Board<N, W>, site: Site, need: Need| {
            let ladder = Ladder::after(board, site, mover);
            !(need.safe && ladder.caught || need.deadly && ladder.escapes)
        };
        let need = found.transition.need;
        if need.now() && !works(board, found.site, need) {
            return false;
        }
        if !need.later {
            return true;
        }
        // The usual continuation on the real board, as far as it can be played.
        let mut board = board.clone();
        let mut corners = corners.clone();
        let captured = board.play(found.site, mover);
        corners.follow(&board, found.site, mover, captured);
        for (own, transition) in usual_continuation(self.book, found.transition) {
            let color = if own { mover } else { mover.other() };
            let view = corners.view(&board, self.corner, color);
            let place = view.turn(transition.place);
            let Some(site) = board.site(corners.point(self.corner, place)) else { break };
            if !board.is_legal(site, color) {
                break;
            }
            if own && transition.need.now() && !works(&board, site, transition.need) {
                return false;
            }
            let captured = board.play(site, color);
            corners.follow(&board, site, color, captured);
        }
        true
    }
}
