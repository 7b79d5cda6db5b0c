//! Names of positions: the same position has the same name, in every game and every run.

use game_core::mix64;
use go_engine::{Color, Game, Point};

/// The name of a position with the side to move, and the one that all its turned and mirrored positions share.
pub(super) fn names(game: &Game) -> (String, String) {
    let board = game.board();
    let (width, height) = (u64::from(board.width()), u64::from(board.height()));
    let stones: Vec<(Point, Color)> = board.stones().collect();
    let of_symmetry = |symmetry: u64| {
        let turned = |point: Point| {
            let (mut x, mut y) = (u64::from(point.col()), u64::from(point.row()));
            let (mut width, mut height) = (width, height);
            if symmetry & 4 != 0 {
                (x, y, width, height) = (y, x, height, width);
            }
            if symmetry & 1 != 0 {
                x = width - 1 - x;
            }
            if symmetry & 2 != 0 {
                y = height - 1 - y;
            }
            y << 8 | x
        };
        let (columns, rows) = if symmetry & 4 != 0 { (height, width) } else { (width, height) };
        let mover = game.to_play().index() as u64;
        let part = |salt: u64| {
            let of = |kind: u64, at: u64| mix64(mix64(salt ^ kind << 32) ^ at);
            let stones = stones.iter().map(|&(point, color)| of(color as u64, turned(point)));
            let ko = board.ko().map_or(0, |point| of(3, turned(point)));
            stones.fold(of(4, columns << 8 | rows) ^ of(5, mover) ^ ko, |sum, one| sum ^ one)
        };
        format!("{:016X}{:016X}", part(0x7e5), part(0xabc))
    };
    let min = (1..8).map(of_symmetry).fold(of_symmetry(0), Ord::min);
    (of_symmetry(0), min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_engine::Move;

    fn name(moves: &str) -> (String, String) {
        let mut game = Game::new(9, 9).unwrap();
        for at in moves.split(' ').filter(|at| !at.is_empty()) {
            game.play(game.to_play(), Move::Play(at.parse().unwrap())).unwrap();
        }
        names(&game)
    }

    #[test]
    fn turned_positions_share_one_name_of_two() {
        let one = name("C3 D4 E6");
        for turned in ["C7 D6 E4", "G3 F4 E6", "C3 D4 F5", "G7 F6 D5"] {
            let turned = name(turned);
            assert!(one.0 != turned.0 && one.1 == turned.1);
        }
        assert_eq!(one, name("E6 D4 C3"), "whatever led there");
        assert_ne!(one.1, name("D4 C3 E6").1);
        assert_ne!(name(""), names(&Game::new(9, 13).unwrap()));
    }

    #[test]
    fn the_side_to_move_and_a_ko_are_part_of_it() {
        let mut game = Game::new(9, 9).unwrap();
        let before = names(&game);
        game.set_to_play(Color::White);
        assert_ne!(before, names(&game));
        let ko = "D5 G5 E6 F6 E4 F4 A1 E5 F5";
        let mut game = Game::new(9, 9).unwrap();
        for at in ko.split(' ') {
            game.play(game.to_play(), Move::Play(at.parse().unwrap())).unwrap();
        }
        assert!(game.board().ko().is_some());
        let mut same = Game::new(9, 9).unwrap();
        same.set_up(game.board().stones().map(|(at, color)| (at, Some(color)))).unwrap();
        same.set_to_play(Color::White);
        assert_ne!(names(&game).0, names(&same).0);
    }
}
