//! What expects moves beside a network: the logarithms of its chances enter the policies' logits by factors that were learned
//! with the network.

use go_engine::Color;
use go_engine::board::{Board, Site};
use std::any::Any;
use std::fmt::Debug;

/// A board of whichever layout networks know.
#[derive(Clone, Copy)]
pub enum AnyLayout<'a> {
    /// Sides up to 9.
    Up9(&'a Board<128, 2>),
    /// Sides up to 13.
    Up13(&'a Board<256, 3>),
    /// Sides up to 19.
    Up19(&'a Board<512, 6>),
}

impl<'a> AnyLayout<'a> {
    /// A board whose layout is known to its caller alone; none of a layout for larger ones.
    pub fn of<const N: usize, const W: usize>(board: &'a Board<N, W>) -> Option<AnyLayout<'a>> {
        let board: &dyn Any = board;
        let up9 = board.downcast_ref().map(AnyLayout::Up9);
        let up13 = || board.downcast_ref().map(AnyLayout::Up13);
        up9.or_else(up13).or_else(|| board.downcast_ref().map(AnyLayout::Up19))
    }
}

/// What expects moves, shared by all threads.
pub trait MoveModel: Debug + Send + Sync {
    /// What a thread asks it with.
    fn reader(&self) -> Box<dyn MoveReader>;
}

/// A thread's way to ask.
pub trait MoveReader: Debug + Send {
    /// Tells the chance of each move that is expected at all. `last` are the last move and the one before, [`Site::PASS`]
    /// where there was none.
    fn policy(
        &mut self,
        board: AnyLayout<'_>,
        mover: Color,
        last: [Site; 2],
        tell: &mut dyn FnMut(Site, f32),
    );
}

/// The minimum of a logarithm of a chance: that of moves that are not expected.
pub const UNEXPECTED: f32 = -12.0;
