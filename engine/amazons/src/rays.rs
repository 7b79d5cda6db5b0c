//! Where a queen can go: rays cut off at the first square that is not free.

use crate::square::{MAX_SIDE, STRIDE, Square};
use crate::squares::Squares;

/// The rays from one square, without the square itself, to the edges of the largest board.
#[derive(Clone, Copy)]
struct Rays {
    /// Towards higher bits: right, up, and the diagonals between left-up and right-up.
    rising: [u128; 4],
    /// Towards lower bits: the four opposite ones.
    falling: [u128; 4],
}

const BITS: usize = MAX_SIDE as usize * STRIDE as usize;

/// How many bits further the next square lies: right, up and left, up, up and right.
pub(crate) const DIRECTIONS: [u32; 4] = [1, STRIDE as u32 - 1, STRIDE as u32, STRIDE as u32 + 1];

/// Rays by the square's bit. Bits that are no squares have none.
static RAYS: [Rays; BITS] = rays();

const fn rays() -> [Rays; BITS] {
    const STEPS: [(i8, i8); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];
    let mut all = [Rays { rising: [0; 4], falling: [0; 4] }; BITS];
    let mut bit = 0;
    while bit < BITS {
        let column = (bit % STRIDE as usize) as i8;
        let row = (bit / STRIDE as usize) as i8;
        let mut direction = 0;
        while direction < 4 && column < MAX_SIDE as i8 {
            let (x, y) = STEPS[direction];
            all[bit].rising[direction] = ray(column, row, x, y);
            all[bit].falling[direction] = ray(column, row, -x, -y);
            direction += 1;
        }
        bit += 1;
    }
    all
}

const fn ray(column: i8, row: i8, x: i8, y: i8) -> u128 {
    let (mut column, mut row, mut ray) = (column + x, row + y, 0);
    while column >= 0 && column < MAX_SIDE as i8 && row >= 0 && row < MAX_SIDE as i8 {
        ray |= 1 << (row as u32 * STRIDE as u32 + column as u32);
        column += x;
        row += y;
    }
    ray
}

/// The free squares that a queen on `from` reaches in one move, when `free` are the free ones. `from` itself may be free or not.
#[inline]
pub(crate) fn reach(from: Square, free: Squares) -> Squares {
    let rays = &RAYS[from.bit()];
    let blocked = !free.0;
    let mut reached = 0;
    for ray in rays.rising {
        // All bits up to the lowest that blocks; all there are when none does.
        let blockers = ray & blocked;
        reached |= ray & (blockers ^ blockers.wrapping_sub(1));
    }
    for ray in rays.falling {
        // All bits from the highest that blocks. Bit 0 stands in when none does: it is the ray's last or none of it.
        let blockers = ray & blocked | 1;
        reached |= ray & (u128::MAX << (127 - blockers.leading_zeros()));
    }
    Squares(reached & free.0)
}
