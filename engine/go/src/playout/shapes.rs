//! The shapes that answer the last moves in a heavy playout.

use super::mogo_patterns::MOGO;
use super::sampling::ShapeRates;
use crate::Color;
use crate::board::{Board, Site};
use std::sync::Arc;

/// The shapes that answer the last moves: what the playout asks of those who know some.
pub trait Shapes: Send + Sync {
    /// How good a stone of `color` is on each of the empty sites beside a stone, by their places:
    /// moves are drawn in proportion, and not at all for 0, which is what `weights` has. All at once,
    /// so that one's look-up need not wait for another's.
    fn weights<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        neighbours: Neighbours8,
        color: Color,
        weights: &mut [u16; 8],
    );

    /// How often experts play in each 3x3 shape, for random moves; `None` where that is not known.
    fn rates(&self) -> Option<Arc<ShapeRates>> {
        None
    }
}

/// The empty sites about a stone.
#[derive(Clone, Copy, Debug)]
pub struct Neighbours8 {
    /// The stone.
    pub stone: Site,
    /// Bit `2 * place` for each of them; the places are those of [`Board::NEIGHBOURS`].
    pub empties: u16,
}

impl Neighbours8 {
    /// Those about a stone on the board.
    #[inline(always)]
    pub fn new<const N: usize, const W: usize>(board: &Board<N, W>, stone: Site) -> Neighbours8 {
        Neighbours8 { stone, empties: board.pattern3x3(stone).all_empties() }
    }

    /// Each with its place, 0 to 7; seen from it the stone lies on the opposite place, `place ^ 2`.
    #[inline(always)]
    pub fn sites<const N: usize, const W: usize>(self) -> impl Iterator<Item = (usize, Site)> {
        let mut empties = self.empties;
        std::iter::from_fn(move || {
            let place = (empties != 0).then(|| (empties.trailing_zeros() >> 1) as usize & 7)?;
            empties &= empties - 1;
            Some((place, self.stone.offset(Board::<N, W>::NEIGHBOURS[place])))
        })
    }
}

/// The hand-made 3x3 shapes of MoGo, all as good as each other.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandMade;

impl Shapes for HandMade {
    #[inline(always)]
    fn weights<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        neighbours: Neighbours8,
        color: Color,
        weights: &mut [u16; 8],
    ) {
        for (place, s) in neighbours.sites::<N, W>() {
            weights[place] = u16::from(MOGO.contains(board.pattern3x3(s), color));
        }
    }
}
