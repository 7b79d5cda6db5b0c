//! How well a book foresees the moves of games that it was not learned from.

use super::book::JosekiBook;
use super::canonical::Corners;
use super::corner::Corner;
use super::query::Query;
use crate::game::Game;
use go_engine::{Board, Color, with_layout};

/// When a game was played, as far as joseki are concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Era {
    /// Before professionals learned from programs, or in an unknown year.
    Before,
    /// Since then.
    Since,
}

/// Both eras.
pub const ERAS: [Era; 2] = [Era::Before, Era::Since];

impl Era {
    /// The era of a game, where `year` is the first of the second.
    pub fn of(game: &Game, year: u16) -> Era {
        if game.year.is_some_and(|played| played >= year) { Era::Since } else { Era::Before }
    }
}

/// How often the move that was played was foreseen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Moves in corners. One on the middle lines counts for each corner that it belongs to.
    pub moves: u64,
    /// Those in states that the book knows.
    pub known: u64,
    /// Those that were recommended first, and among the first three. In a corner that is its own
    /// mirror image, twins are one move.
    pub within: [u64; 2],
    /// Among the first three points, where twins are two.
    pub strictly: u64,
    /// Recommended at all.
    pub recommended: u64,
}

impl Tally {
    /// Adds another tally.
    pub fn merge(&mut self, other: &Tally) {
        self.moves += other.moves;
        self.known += other.known;
        self.within[0] += other.within[0];
        self.within[1] += other.within[1];
        self.strictly += other.strictly;
        self.recommended += other.recommended;
    }
}

/// A book being evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation<'m> {
    /// The book.
    pub book: &'m JosekiBook,
    /// Moves of each game that are looked at.
    pub opening: usize,
    /// Whose moves are looked at; `None` for both.
    pub color: Option<Color>,
}

impl Evaluation<'_> {
    /// Looks at every corner move of a game's opening, as the corner stands on the board: how the
    /// game came there does not matter. `tallies` are by the number of stones that the corner had.
    pub fn eval(&self, game: &Game, tallies: &mut [Tally]) {
        with_layout!(game.side, eval_on(self, game, tallies));
    }
}

fn eval_on<const N: usize, const W: usize>(
    evaluation: &Evaluation<'_>,
    game: &Game,
    tallies: &mut [Tally],
) {
    let Some(mut replay) = game.replay::<N, W>() else { return };
    let Some(mut corners) = Corners::of_board(&replay.board) else { return };
    while let Some((mover, site)) = replay.upcoming() {
        if replay.next >= evaluation.opening {
            break;
        }
        if site.is_pass() || evaluation.color.is_some_and(|color| color != mover) {
            replay.advance();
            if let Some(now) = Corners::of_board(&replay.board) {
                corners = now;
            }
            continue;
        }
        let board: &Board<N, W> = &replay.board;
        for corner in Corner::ALL {
            let Some(place) = corners.place(corner, board.point(site)) else { continue };
            let stones = corners.stones(corner);
            let depth = stones.black.union(stones.white).len().min(tallies.len() - 1);
            let tally = &mut tallies[depth];
            tally.moves += 1;
            let query = Query::of(evaluation.book, &corners, board, corner, mover, replay.last[0]);
            let Some(query) = query else { continue };
            tally.known += 1;
            let name = query.move_name(place);
            let (mut rank, mut points, mut last) = (0, 0, None);
            for found in query.suggestions(&corners, board, mover) {
                points += 1;
                if last != Some(found.transition.place) {
                    rank += 1;
                    last = Some(found.transition.place);
                    if found.transition.place == name {
                        tally.recommended += 1;
                        tally.within[0] += u64::from(rank <= 1);
                        tally.within[1] += u64::from(rank <= 3);
                    }
                }
                tally.strictly += u64::from(found.site == site && points <= 3);
            }
        }
        let captured = board.captured(mover.other());
        replay.advance();
        let captured = replay.board.captured(mover.other()) - captured;
        corners.follow(&replay.board, site, mover, captured);
    }
}
