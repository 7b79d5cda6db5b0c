//! Ladders, read out: whether a chain in atari, or about to be, is caught.

use super::liberties::liberties_after;
use crate::Color;
use crate::board::{Board, Site};

/// Most positions that one ladder is read through; what needs more counts as an escape.
const LADDER_BUDGET: u32 = 80;
/// How many copies of the board may lie on the stack at once; a reading that branches more often
/// counts as an escape. The largest board takes 100 KiB.
const LADDER_BRANCHES: u32 = 5;

/// Whether the chain on `prey`, which has two liberties, is caught in a ladder when the other side
/// begins with an atari on `start`.
pub fn ladder_catches<const N: usize, const W: usize>(
    board: &Board<N, W>,
    prey: Site,
    start: Site,
) -> bool {
    let Some(color) = board.color(prey) else { return false };
    let hunter = color.other();
    let Some(escape) = board.liberty_sites(prey).find(|&site| site != start) else { return false };
    if !board.is_legal(start, hunter) || escape_gain(board, escape, start, color) >= 3 {
        return false;
    }
    let mut board = board.clone();
    board.play(start, hunter);
    is_caught(&mut board, prey, color, &mut { LADDER_BUDGET }, LADDER_BRANCHES)
}

/// Whether the chain on `prey`, in atari and with its own side to move, is caught.
#[inline(never)]
pub fn atari_is_deadly<const N: usize, const W: usize>(board: &Board<N, W>, prey: Site) -> bool {
    let Some(color) = board.color(prey) else { return false };
    if liberties_after(board, board.any_liberty(prey), color).len() >= 3 {
        return false;
    }
    is_caught(&mut board.clone(), prey, color, &mut { LADDER_BUDGET }, LADDER_BRANCHES)
}

/// The liberties that `color` has after extending to `escape` when `taken` is filled by the other.
fn escape_gain<const N: usize, const W: usize>(
    board: &Board<N, W>,
    escape: Site,
    taken: Site,
    color: Color,
) -> u32 {
    let mut after = liberties_after(board, escape, color);
    after.remove(Board::<N, W>::bit(taken));
    after.len()
}

/// Reads a ladder on from an atari: whether `color`, to move, loses the chain on `prey`.
#[inline(never)]
fn is_caught<const N: usize, const W: usize>(
    board: &mut Board<N, W>,
    prey: Site,
    color: Color,
    budget: &mut u32,
    branches: u32,
) -> bool {
    if *budget == 0 || board.liberties(prey) > 1 {
        return false;
    }
    *budget -= 1;
    let hunter = color.other();
    // Capturing a hunter that touches the prey is taken to save it.
    let saved = board.chain_stones(prey).any(|stone| {
        board.stones_beside(stone, hunter).any(|enemy| {
            board.liberties(enemy) == 1 && board.is_legal(board.any_liberty(enemy), color)
        })
    });
    if saved {
        return false;
    }
    let escape = board.any_liberty(prey);
    if !board.is_legal(escape, color) {
        return true;
    }
    board.play(escape, color);
    match board.liberties(escape) {
        0 | 1 => return true,
        2 => {}
        _ => return false,
    }
    let two = {
        let mut liberties = board.liberty_sites(escape);
        (liberties.next(), liberties.next())
    };
    let (Some(a), Some(b)) = two else { return false };
    // The hunter has to play where the prey would gain three; anywhere when it gains them nowhere.
    let gains_a = escape_gain(board, a, b, color) >= 3;
    let gains_b = escape_gain(board, b, a, color) >= 3;
    match (gains_a, gains_b) {
        (true, true) => false,
        (true, false) => chase(board, escape, a, budget, branches),
        (false, true) => chase(board, escape, b, budget, branches),
        (false, false) => {
            (branches > 0 && chase_on_copy(board, escape, a, budget, branches - 1))
                || chase(board, escape, b, budget, branches)
        }
    }
}

/// Whether the hunter catches the chain on `prey` by playing `at`.
fn chase<const N: usize, const W: usize>(
    board: &mut Board<N, W>,
    prey: Site,
    at: Site,
    budget: &mut u32,
    branches: u32,
) -> bool {
    let Some(color) = board.color(prey) else { return false };
    if !board.is_legal(at, color.other()) {
        return false;
    }
    board.play(at, color.other());
    is_caught(board, prey, color, budget, branches)
}

/// The same on a copy of the board. In a function of its own, so that only readings that branch
/// have a board on the stack.
#[inline(never)]
fn chase_on_copy<const N: usize, const W: usize>(
    board: &Board<N, W>,
    prey: Site,
    at: Site,
    budget: &mut u32,
    branches: u32,
) -> bool {
    chase(&mut board.clone(), prey, at, budget, branches)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Point;
    use crate::board::Board19;

    /// A white stone at D4 that Black ladders towards the upper right, and a helper of White's.
    fn ladder(helper: Option<(u8, u8)>) -> (Board19, Site) {
        let mut board = Board19::new(19, 19).unwrap();
        let at = |col, row| board.site(Point::new(col, row)).unwrap();
        let white = at(3, 3);
        let black = [at(2, 3), at(3, 2), at(2, 4), at(4, 2)];
        let helper = helper.map(|(col, row)| at(col, row));
        board.play(white, Color::White);
        for s in black {
            board.play(s, Color::Black);
        }
        if let Some(s) = helper {
            board.play(s, Color::White);
        }
        (board, white)
    }

    #[test]
    fn a_ladder_works_until_a_stone_stands_in_its_way() {
        let (board, prey) = ladder(None);
        assert_eq!(board.liberties(prey), 2);
        let start = board.site(Point::new(3, 4)).unwrap();
        assert!(ladder_catches(&board, prey, start));
        let (board, prey) = ladder(Some((12, 12)));
        assert!(!ladder_catches(&board, prey, start));
        let (board, prey) = ladder(Some((2, 15)));
        assert!(ladder_catches(&board, prey, start), "a stone beside the way changes nothing");
    }

    #[test]
    fn a_stone_in_atari_at_the_edge_is_caught() {
        let mut board = Board19::new(19, 19).unwrap();
        let at = |col, row| board.site(Point::new(col, row)).unwrap();
        let (prey, walls) = (at(5, 0), [at(4, 0), at(5, 1), at(6, 1)]);
        board.play(prey, Color::White);
        for s in walls {
            board.play(s, Color::Black);
        }
        assert!(atari_is_deadly(&board, prey));
    }
}
