//! The residual network's input: where everything is and how far each side is from it, seen by the side to move.
//!
//! Unlike the patent's planes these hold both sides, and a position and the one with colours changed look alike. Distances
//! are those that the evaluation floods ([`crate::eval::flood`]), which spares the network many layers: a convolution of
//! 3x3 sees one square further with each layer, a queen moves nine.

use super::planes::{BOARD, number};
use crate::eval::flood::{KING_CLASSES, QUEEN_CLASSES, distances};
use crate::position::Position;
use crate::square::Square;
use crate::squares::Squares;
use nn::{Activations, Planes};

/// Queen distances that have planes: 1 to 4, more. A square that is never reached is in none.
const QUEEN: usize = QUEEN_CLASSES - 1;
/// King distances that have planes: 1 to 5, more.
const KING: usize = KING_CLASSES - 1;

/// Planes: the mover's queens, the other's, closed squares, the board, the queen that is to shoot; then for either side the
/// squares by queen distance and by king distance.
pub const PLANES: usize = 5 + 2 * (QUEEN + KING);

/// The sets whose planes the network sees, of a position, or of one in which a queen has moved and is to shoot.
fn sets(position: &Position, shooter: Option<Square>) -> [Squares; PLANES] {
    let (own, other) = (position.to_move(), position.to_move().other());
    let (own, other) = (position.queens(own), position.queens(other));
    let board = Squares::all(position.size());
    let closed = board - position.free() - own - other;
    let shooter = shooter.map_or(Squares::EMPTY, Squares::from);
    let mut sets = [Squares::EMPTY; PLANES];
    sets[..5].copy_from_slice(&[own, other, closed, board, shooter]);
    for (side, sets) in distances([own, other], position.free())
        .iter()
        .zip(sets[5..].chunks_exact_mut(QUEEN + KING))
    {
        sets[..QUEEN].copy_from_slice(&side.queen[..QUEEN]);
        sets[QUEEN..].copy_from_slice(&side.king[..KING]);
    }
    sets
}

/// The planes of a position, or of one in which a queen has moved and is to shoot: each 1 at the squares of a set, by the
/// patent's square numbers.
pub fn input(position: &Position, shooter: Option<Square>, planes: &mut Planes) {
    planes.clear(BOARD, PLANES);
    for (channel, set) in sets(position, shooter).into_iter().enumerate() {
        let numbers = planes.channel_mut(channel);
        set.iter().for_each(|square| numbers[number(square)] = 1.0);
    }
}

/// The same for the quantised network: level 1 stands for 1.
pub fn activations(position: &Position, shooter: Option<Square>, activations: &mut Activations) {
    activations.clear(BOARD, PLANES);
    for (channel, set) in sets(position, shooter).into_iter().enumerate() {
        for square in set {
            let (row, column) = (usize::from(square.row()), usize::from(square.column()));
            activations.square_mut(row, column)[channel] = 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_do_not_show() {
        let position: Position = "X..O|..#.|#..X|O..#".parse().expect("a diagram");
        let mut changed: Position = "O..X|..#.|#..O|X..#".parse().expect("a diagram");
        changed.set_to_move(position.to_move().other());
        let (mut here, mut there) = (Planes::default(), Planes::default());
        input(&position, None, &mut here);
        input(&changed, None, &mut there);
        assert_eq!(here, there);
        assert_eq!(here.channels().count(), PLANES);
        let count = |plane: usize| here.channel(plane).iter().sum::<f32>();
        assert_eq!([0, 1, 2, 3, 4].map(count), [2.0, 2.0, 3.0, 16.0, 0.0]);
    }

    #[test]
    fn distances_are_told_apart() {
        let position = Position::start();
        let mut planes = Planes::default();
        input(&position, None, &mut planes);
        // Every free square that a side reaches has one queen distance and one king distance.
        for side in [5, 5 + QUEEN + KING] {
            for square in position.free() {
                let at = number(square);
                let sum = |channels: std::ops::Range<usize>| {
                    channels.map(|channel| planes.channel(channel)[at]).sum::<f32>()
                };
                let queen = sum(side..side + QUEEN);
                let king = sum(side + QUEEN..side + QUEEN + KING);
                assert_eq!((queen, king), (1.0, 1.0));
            }
        }
    }
}
