//! Joseki as priors: what professionals play in each corner as it stands.

use crate::joseki::{Corner, Corners, JosekiBook, Query};
use go_engine::search::Prior;
use go_engine::{Board, Color, Site};

/// Positions with more stones are no opening any more; about where learning stops too.
const MAX_STONES: usize = 120;

/// Adds wins to the moves that continue a corner's joseki, by `scale` times the square root of how likely
/// the next move is the one: that it is made in that corner, times its share there. Moves whose
/// ladders do not work get nothing. `moves` go up by site.
pub(super) fn add_priors<const N: usize, const W: usize>(
    book: &JosekiBook,
    board: &Board<N, W>,
    mover: Color,
    last: Site,
    scale: f32,
    moves: &mut [Prior],
) {
    let stones = board.area() - board.n_empties();
    if scale <= 0.0 || stones > MAX_STONES || !book.speaks_of(board.width(), board.height()) {
        return;
    }
    let Some(corners) = Corners::of_board(board) else { return };
    for corner in Corner::ALL {
        let query = Query::of(book, &corners, board, corner, mover, last);
        let Some(query) = query else { continue };
        let here = query.here();
        for found in query.suggestions(&corners, board, mover) {
            // The moves given are legal by the rules of the game, which may forbid more.
            if let Ok(at) = moves.binary_search_by_key(&found.site, |prior| prior.site) {
                moves[at].add_wins((here * found.share).sqrt() * scale);
            }
        }
    }
}
