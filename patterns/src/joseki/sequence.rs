//! Cutting corner sequences out of whole games: which moves belong to a corner, and until when.
//!
//! A move belongs to a corner when it lies in its 10 x 10 region; one on the middle lines belongs to
//! both corners beside it. Every turn on which the player moves elsewhere is a tenuki of a corner.
//! What is played in the other corners in between does not end a sequence. It ends
//!
//! * when it has as many moves as a joseki may have, or the opening is over;
//! * when nobody has come back to it for long;
//! * when a chain runs out of the region, or a move outside takes stones in it: then the corner is
//!   no longer settled by what lies in it.

use super::canonical::Corners;
use super::corner::Corner;
use super::{Place, View};
use crate::game::Game;
use go_engine::{Board, Color, Site};

/// Where sequences end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cut {
    /// Moves of one corner at most.
    pub moves: usize,
    /// Moves of the game that are looked at.
    pub opening: usize,
    /// Moves of the game after which a corner that was left is not come back to.
    pub patience: usize,
}

impl Default for Cut {
    fn default() -> Cut {
        Cut { moves: 30, opening: 120, patience: 60 }
    }
}

/// A player's turn, as a corner sees it.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// The corner.
    pub corner: Corner,
    /// Whose turn it is.
    pub mover: Color,
    /// The corner before the move, as the mover sees it.
    pub view: View,
    /// Where the mover played in this corner; `None` for a move elsewhere or a pass.
    pub place: Option<Place>,
    /// Whether the opponent's last move was in this corner.
    pub answering: bool,
    /// How many moves the corner's sequence has had.
    pub moves: usize,
}

/// What is known of a corner's sequence.
#[derive(Clone, Copy, Default)]
struct Progress {
    moves: usize,
    /// Number of the game's move that was last in it.
    last: usize,
    ended: bool,
}

/// A game being cut up.
pub struct Sequences {
    cut: Cut,
    progress: [Progress; 4],
    /// Who made the game's last move, and which corners it was in.
    last: Option<(Color, [bool; 4])>,
}

impl Sequences {
    /// With these rules, at the beginning of a game.
    pub fn new(cut: Cut) -> Sequences {
        Sequences { cut, progress: [Progress::default(); 4], last: None }
    }

    /// Walks through a game. `see` is called for every corner whose sequence is under way, at every
    /// turn, with the position before the move and the site of the move.
    pub fn walk<const N: usize, const W: usize>(
        cut: Cut,
        game: &Game,
        mut see: impl FnMut(&Event, &Corners, &Board<N, W>, Site),
    ) {
        let Some(mut replay) = game.replay::<N, W>() else { return };
        let Some(mut corners) = Corners::of_board(&replay.board) else { return };
        let mut sequences = Sequences::new(cut);
        while let Some((mover, site)) = replay.upcoming() {
            if replay.next >= cut.opening {
                break;
            }
            let number = replay.next;
            sequences.end_what_is_over(number);
            for corner in Corner::ALL {
                if let Some(event) = sequences.event(&replay.board, &corners, corner, mover, site) {
                    see(&event, &corners, &replay.board, site);
                }
            }
            let before = corners.clone();
            let captured = replay.board.captured(mover.other());
            replay.advance();
            if !site.is_pass() {
                let captured = replay.board.captured(mover.other()) - captured;
                corners.follow(&replay.board, site, mover, captured);
            }
            sequences.follow(&replay.board, &before, &corners, mover, site, number);
        }
    }

    /// Ends what has as many moves as it may have, and what was left for long.
    fn end_what_is_over(&mut self, number: usize) {
        for progress in &mut self.progress {
            let is_left = progress.moves > 0 && number - progress.last > self.cut.patience;
            progress.ended |= is_left || progress.moves >= self.cut.moves;
        }
    }

    /// The turn as a corner sees it; `None` when its sequence is over.
    fn event<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        corners: &Corners,
        corner: Corner,
        mover: Color,
        site: Site,
    ) -> Option<Event> {
        let progress = self.progress[corner as usize];
        if progress.ended {
            return None;
        }
        let place = if site.is_pass() { None } else { corners.place(corner, board.point(site)) };
        let answering =
            self.last.is_some_and(|(color, inside)| color != mover && inside[corner as usize]);
        let view = corners.view(board, corner, mover);
        Some(Event { corner, mover, view, place, answering, moves: progress.moves })
    }

    /// Notes the game's move number `number`; the board and `after` are the position behind it.
    fn follow<const N: usize, const W: usize>(
        &mut self,
        board: &Board<N, W>,
        before: &Corners,
        after: &Corners,
        mover: Color,
        site: Site,
        number: usize,
    ) {
        let mut inside = [false; 4];
        if !site.is_pass() {
            let chain = !board.is_empty(site);
            for corner in Corner::ALL {
                let has = |site: Site| after.place(corner, board.point(site)).is_some();
                let progress = &mut self.progress[corner as usize];
                inside[corner as usize] = has(site);
                if has(site) {
                    progress.moves += 1;
                    progress.last = number;
                } else if before.stones(corner) != after.stones(corner) {
                    progress.ended = true;
                }
                if chain {
                    let within = board.chain_stones(site).filter(|&stone| has(stone)).count();
                    progress.ended |= within > 0 && within < board.chain_len(site) as usize;
                }
            }
        }
        self.last = Some((mover, inside));
    }
}
