//! What is known of the corners of a game's position, ready to be shown.

use go_engine::{Board, Color, Game, Move, Point, Site, with_board};
use go_patterns::joseki::{Corner, Corners, JosekiBook, Query, Transition, Turn, Turns};

/// A corner whose state is known.
#[derive(Debug, Clone)]
pub struct KnownCorner {
    /// The corner.
    pub corner: Corner,
    /// What players did in this state.
    pub turns: Turns,
    /// Whether the opponent's last move was in this corner.
    pub turn: Turn,
    /// How likely the next move is made in this corner, 0 to 1.
    pub here: f32,
    /// The moves that were played, the most played first.
    pub moves: Vec<Continuation>,
}

/// A move that was played in a corner's state.
#[derive(Debug, Clone, Copy)]
pub struct Continuation {
    /// Where.
    pub point: Point,
    /// Its share of the moves made here on such turns, 0 to 1, recent games counting more.
    pub share: f32,
    /// The counts behind it.
    pub transition: Transition,
    /// Whether it can be recommended on this board.
    pub standing: Standing,
}

/// Whether a move can be recommended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It can, and no ladder is needed.
    Sound,
    /// It can: the ladder that it needs works.
    LadderWorks,
    /// The ladder that it needs does not work.
    LadderFails,
    /// The rules forbid it: a ko, a suicide.
    Illegal,
}

/// What is known of a corner for the player to move; `None` when its state is not.
pub fn known(book: &JosekiBook, game: &Game, corner: Corner) -> Option<KnownCorner> {
    with_board!(game.board(), board => known_on(book, game, board, corner))
}

fn known_on<const N: usize, const W: usize>(
    book: &JosekiBook,
    game: &Game,
    board: &Board<N, W>,
    corner: Corner,
) -> Option<KnownCorner> {
    if !book.speaks_of(board.width(), board.height()) {
        return None;
    }
    let mover = game.to_play();
    let corners = Corners::of_board(board)?;
    let last = match game.last().map(|last| last.mv) {
        Some(Move::Play(point)) => board.site(point)?,
        _ => Site::PASS,
    };
    let query = Query::of(book, &corners, board, corner, mover, last)?;
    let moves = query.continuations(&corners, board).map(|found| Continuation {
        point: board.point(found.site),
        share: found.share,
        transition: *found.transition,
        standing: if !is_legal(game, board.point(found.site), mover) {
            Standing::Illegal
        } else if !query.ladders_work(&corners, board, mover, &found) {
            Standing::LadderFails
        } else if found.transition.need.any() {
            Standing::LadderWorks
        } else {
            Standing::Sound
        },
    });
    Some(KnownCorner {
        corner,
        turns: query.state.turns,
        turn: query.turn,
        here: query.here(),
        moves: moves.collect(),
    })
}

/// By the rules of the game, which know more than a ko: repetition.
fn is_legal(game: &Game, point: Point, mover: Color) -> bool {
    game.check(mover, Move::Play(point)).is_ok()
}
