//! A turn for games of more than two stones a turn, which have no search: complete a row, stop the other side's, or what
//! looks best.

use connect6_engine::candidates::candidates;
use connect6_engine::eval::{Net, View};
use connect6_engine::geometry::bits;
use connect6_engine::{Board, Color, Game, Point};

/// Stones of the turn in progress, up to so many of those that are due, after the stones that were chosen for it already.
/// `accepts` says of a stone whether it may be played after others.
pub fn simple_turn(
    game: &Game,
    net: &Net,
    max: usize,
    begun: &[Point],
    accepts: impl Fn(&[Point], Point) -> bool,
) -> Vec<Point> {
    let color = game.to_move().color;
    let due = usize::from(game.to_move().stones);
    let mut board = game.board().clone();
    begun.iter().for_each(|&point| board.place(color, point));
    let mut chosen = begun.to_vec();
    while chosen.len() < due.min(begun.len() + max) {
        let may = |point: &Point| accepts(&chosen, *point);
        let left = due - chosen.len();
        let next = completing(&board, color, left, may)
            .or_else(|| stopping(&board, !color, may))
            .or_else(|| best(&board, net, color, may))
            .or_else(|| board.empties().find(may));
        let Some(next) = next else { break };
        board.place(color, next);
        chosen.push(next);
    }
    chosen.split_off(begun.len())
}

/// The missing points of each row that a side can complete in one turn.
fn rows(board: &Board, color: Color) -> Vec<Vec<Point>> {
    let lines = board.lines_with(color, 0).lines();
    let windows =
        lines.flat_map(|line| bits(board.levels(color, line)[0]).map(move |at| (line, at)));
    let points = |(line, start)| {
        let empties = bits(board.window_empties(color, line, start));
        empties.map(|bit| board.geometry().cell(line, bit)).collect()
    };
    windows.map(points).collect()
}

/// A stone of the row that needs the fewest, if these are enough.
fn completing(
    board: &Board,
    color: Color,
    stones: usize,
    may: impl Fn(&Point) -> bool,
) -> Option<Point> {
    let rows = rows(board, color).into_iter();
    let within = rows.filter(|row| row.len() <= stones && row.iter().all(&may));
    within.min_by_key(Vec::len).and_then(|row| row.first().copied())
}

/// The point that lies in the most rows of the other side.
fn stopping(board: &Board, other: Color, may: impl Fn(&Point) -> bool) -> Option<Point> {
    let rows = rows(board, other);
    let in_rows = |point: &Point| rows.iter().filter(|row| row.contains(point)).count();
    let points = rows.iter().flatten().copied().filter(may);
    points.max_by_key(|point| (in_rows(point), std::cmp::Reverse(point.index())))
}

/// The point that looks most like a move. Only near stones is that learned.
fn best(board: &Board, net: &Net, color: Color, may: impl Fn(&Point) -> bool) -> Option<Point> {
    let near = candidates(board).iter().filter(may).collect();
    let best = |view: View<'_>| view.best(0, 1).first().map(|found| found.0);
    best(View::of(&net.points, board, color, &near))
}

#[cfg(test)]
mod tests {
    use super::*;
    use connect6_engine::{Rules, weights};

    fn turn(black: &[(usize, usize)], white: &[(usize, usize)]) -> Vec<(usize, usize)> {
        let mut game = Game::new(Rules::new(19, 19, 6, 3, 1).unwrap());
        let stones = |color, points: &[(usize, usize)]| {
            let points = points.iter().map(|&(x, y)| Point::new(x, y).unwrap());
            points.map(|point| (color, point)).collect::<Vec<_>>()
        };
        for (color, point) in [stones(Color::White, white), stones(Color::Black, black)].concat() {
            game.play(color, point).unwrap();
        }
        game.set_to_move(Color::White);
        let net = &weights::shipped().net;
        let turn = simple_turn(&game, net, 3, &[], |_, _| true);
        turn.iter().map(|point| (point.col(), point.row())).collect()
    }

    #[test]
    fn a_row_is_completed_with_all_the_stones_of_a_turn() {
        let mut won = turn(&[(0, 9)], &[(4, 4), (5, 4), (6, 4)]);
        won.sort_unstable();
        let row: Vec<usize> = won.iter().map(|point| point.0).collect();
        assert!(
            won.iter().all(|point| point.1 == 4)
                && [[1, 2, 3], [2, 3, 7], [3, 7, 8], [7, 8, 9]].iter().any(|free| row == free),
            "{won:?}"
        );
    }

    #[test]
    fn a_game_begins_in_the_centre() {
        let game = Game::new(Rules::new(19, 19, 6, 3, 3).unwrap());
        let turn = simple_turn(&game, &weights::shipped().net, 3, &[], |_, _| true);
        let is_central =
            |point: &Point| (7..=11).contains(&point.col()) && (7..=11).contains(&point.row());
        assert!(turn.len() == 3 && turn.iter().all(is_central), "{turn:?}");
        // What is allowed may lie anywhere.
        let corner = Point::new(0, 0).unwrap();
        let turn = simple_turn(&game, &weights::shipped().net, 1, &[], |_, point| point == corner);
        assert_eq!(turn, [corner]);
    }

    #[test]
    fn rows_of_the_other_side_are_stopped() {
        let stop = turn(&[(0, 9), (1, 9), (2, 9), (18, 0), (17, 1), (16, 2)], &[(9, 9)]);
        let is_on = |on: &dyn Fn(&(usize, usize)) -> bool| stop.iter().any(on);
        assert!(is_on(&|&(x, y)| y == 9 && (3..=5).contains(&x)), "{stop:?}");
        assert!(is_on(&|&(x, y)| x + y == 18 && (3..=5).contains(&y)), "{stop:?}");
    }
}
