//! Where sites lie, and how far apart, in steps that rows of weights are kept for.

use go_engine::{Board, Site};

/// In place of a distance: there is nothing to measure to.
pub(super) const NO_DISTANCE: usize = 18;

/// Where a site lies.
#[derive(Clone, Copy, Default)]
pub(super) struct Location {
    col: u8,
    row: u8,
    /// Line from 0 at the edge, at most 8.
    pub line: u8,
    /// Number of the point that it is folded to in an octant of the board.
    pub folded: u8,
}

impl Location {
    pub fn of<const N: usize, const W: usize>(board: &Board<N, W>, site: Site) -> Location {
        let point = board.point(site);
        let fold = |at: u8, side: u8| at.min(side - 1 - at).min(9);
        let (x, y) = (fold(point.col(), board.width()), fold(point.row(), board.height()));
        let (x, y) = (x.max(y), x.min(y));
        Location { col: point.col(), row: point.row(), line: y.min(8), folded: x * (x + 1) / 2 + y }
    }

    /// The steps between two sites, the longer first.
    pub fn steps(self, other: Location) -> (usize, usize) {
        let dx = usize::from(self.col.abs_diff(other.col));
        let dy = usize::from(self.row.abs_diff(other.row));
        (dx.max(dy), dx.min(dy))
    }

    /// Distance of two sites, at most 17.
    pub fn distance(self, other: Location) -> usize {
        let (long, short) = self.steps(other);
        (2 * long + short).min(NO_DISTANCE - 1)
    }
}

/// A distance in six steps; the last is "none".
pub(super) fn coarse(distance: usize) -> usize {
    bucket(distance, &[3, 5, 8, 12, 17])
}

/// Which of the steps a number reaches; `limits` go up. All are compared with, as where to stop is
/// what a processor cannot foresee.
#[inline(always)]
pub(super) fn bucket(value: usize, limits: &[usize]) -> usize {
    limits.iter().map(|&limit| usize::from(value > limit)).sum()
}

/// The stones of a chain in four steps.
pub(super) fn size_of(stones: u32) -> usize {
    bucket(stones as usize, &[1, 2, 4])
}
