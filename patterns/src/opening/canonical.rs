//! The canonical form of a whole position: the minimum key of its images when the board is turned and mirrored, and the way
//! back from that image to the board.
//!
//! What differs between two positions of the same key is only how the board lies: stones, the player to move and a ko are in
//! it. The moves that led there are not, so that transpositions meet.

use game_core::Symmetry;
use game_core::splitmix;
use go_engine::{Color, Game, Point};

/// A position up to symmetry.
///
/// ```
/// use go_engine::{Color, Game, Move};
/// use go_patterns::opening::Canonical;
/// let after = |names: [&str; 3]| {
///     let mut game = Game::new(9, 9).unwrap();
///     for (name, color) in names.iter().zip([Color::Black, Color::White].into_iter().cycle()) {
///         game.play(color, Move::Play(name.parse().unwrap())).unwrap();
///     }
///     Canonical::of(&game)
/// };
/// let (one, other) = (after(["E5", "C7", "G7"]), after(["G7", "G3", "E5"]));
/// assert_eq!(one.key(), other.key());
/// assert_eq!(one.place("C3".parse().unwrap()), other.place("C3".parse().unwrap()));
/// ```
#[derive(Clone, Debug)]
pub struct Canonical {
    key: u64,
    /// The ways to turn the board that give the canonical form: several where the position is symmetric itself.
    ways: Vec<Symmetry>,
    size: (u8, u8),
}

/// Beyond the numbers of stones and kos.
const WHITE_TO_MOVE: u64 = splitmix(0x6f70_656e_696e_6701);

/// What a point has in it.
#[derive(Clone, Copy)]
enum Content {
    Stone(Color),
    Ko,
}

/// The random number of something on a point.
fn number((column, row): (u8, u8), content: Content) -> u64 {
    let kind = match content {
        Content::Stone(color) => color.index() as u64,
        Content::Ko => 2,
    };
    splitmix(0x6f70_656e_0000 | u64::from(row) << 8 | u64::from(column) << 3 | kind)
}

impl Canonical {
    /// The canonical form of a game's position, with the player to move.
    pub fn of(game: &Game) -> Canonical {
        let board = game.board();
        let size = (board.width(), board.height());
        let stones = board.stones().map(|(point, color)| (point, Content::Stone(color)));
        let contents: Vec<(Point, Content)> =
            stones.chain(board.ko().map(|point| (point, Content::Ko))).collect();
        let turn = if game.to_play() == Color::White { WHITE_TO_MOVE } else { 0 };
        let key_of = |way: Symmetry| {
            let numbers = contents
                .iter()
                .map(|&(point, what)| number(way.of((point.col(), point.row()), size), what));
            numbers.fold(turn, |key, number| key ^ number)
        };
        let images: Vec<(u64, Symmetry)> =
            Symmetry::of_board(size).map(|way| (key_of(way), way)).collect();
        let key = images.iter().map(|image| image.0).min().unwrap_or(turn);
        let ways = images.iter().filter(|image| image.0 == key).map(|image| image.1).collect();
        Canonical { key, ways, size }
    }

    /// The position's name: the same for all its images.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The name of a point: where it lies in the canonical form, of points that are the same by symmetry the first.
    pub fn place(&self, point: Point) -> Point {
        let images = self.ways.iter().map(|way| way.of((point.col(), point.row()), self.size));
        images.map(|(col, row)| Point::new(col, row)).min().unwrap_or(point)
    }

    /// The points of the board that have this name, the one farthest to the upper right, where people begin, first.
    pub fn points(&self, place: Point) -> Vec<Point> {
        let at = (place.col(), place.row());
        let images = self.ways.iter().map(|way| way.inverse().of(at, self.size));
        let mut points: Vec<Point> = images.map(|(col, row)| Point::new(col, row)).collect();
        points.sort_by_key(|point| std::cmp::Reverse((point.col() + point.row(), point.col())));
        points.dedup();
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_engine::Move;
    use rand_xoshiro::SplitMix64;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    /// A game of so many random moves, and the same turned.
    fn twins(moves: usize, way: Symmetry, rng: &mut SplitMix64) -> (Game, Game) {
        let size = (9, 9);
        let (mut game, mut turned) = (Game::new(9, 9).unwrap(), Game::new(9, 9).unwrap());
        for _ in 0..moves {
            let color = game.to_play();
            let points: Vec<Point> = game.legal_points(color).collect();
            let point = points[rng.next_u64() as usize % points.len()];
            game.play(color, Move::Play(point)).unwrap();
            let (col, row) = way.of((point.col(), point.row()), size);
            turned.play(color, Move::Play(Point::new(col, row))).unwrap();
        }
        (game, turned)
    }

    #[test]
    fn images_have_one_key_and_their_points_one_name() {
        let mut rng = SplitMix64::seed_from_u64(5);
        for moves in [0, 1, 2, 3, 6, 12, 40, 90] {
            for way in Symmetry::all() {
                let (game, turned) = twins(moves, way, &mut rng);
                let (one, other) = (Canonical::of(&game), Canonical::of(&turned));
                assert_eq!(one.key(), other.key());
                for point in game.board().points() {
                    let (col, row) = way.of((point.col(), point.row()), (9, 9));
                    let image = Point::new(col, row);
                    assert_eq!(one.place(point), other.place(image));
                    assert!(one.points(one.place(point)).contains(&point));
                    assert!(other.points(one.place(point)).contains(&image));
                }
            }
        }
    }

    #[test]
    fn the_player_to_move_and_a_ko_are_part_of_the_position() {
        let play = |names: &[(&str, Color)]| {
            let mut game = Game::new(9, 9).unwrap();
            for &(name, color) in names {
                game.replay(color, Move::Play(name.parse().unwrap())).unwrap();
            }
            game
        };
        let (black, white) = (Color::Black, Color::White);
        let mut game = play(&[("E5", black)]);
        let before = Canonical::of(&game).key();
        game.set_to_play(black);
        assert_ne!(Canonical::of(&game).key(), before);
        assert_ne!(Canonical::of(&play(&[("E5", white)])).key(), before);

        // Black takes a ko at D4; without it White could take back.
        let shape = [
            ("D5", black),
            ("C4", black),
            ("D3", black),
            ("D4", white),
            ("E5", white),
            ("F4", white),
            ("E3", white),
            ("E4", black),
        ];
        let mut ko = play(&shape);
        assert_eq!(ko.board().ko(), Some("D4".parse().unwrap()));
        let with = Canonical::of(&ko).key();
        ko.replay(white, Move::Pass).unwrap();
        ko.replay(black, Move::Pass).unwrap();
        assert_ne!(Canonical::of(&ko).key(), with);
    }

    #[test]
    fn a_symmetric_position_has_several_points_of_a_name() {
        let game = Game::new(9, 9).unwrap();
        let canonical = Canonical::of(&game);
        let names = |point: &str| {
            let place = canonical.place(point.parse().unwrap());
            canonical.points(place).iter().map(Point::to_string).collect::<Vec<_>>()
        };
        assert_eq!(names("E5"), ["E5"]);
        assert_eq!(names("C3"), ["G7", "G3", "C7", "C3"]);
        assert_eq!(names("C4").len(), 8);
        assert_eq!(names("F3")[0], "G6");
    }
}
