//! Chen Ke-Hsun's model (Explorer): influence halves with every step of the shortest way through
//! empty points.

use super::canvas::Canvas;
use super::constants::constants;
use super::stones::Stones;
use super::{CERTAIN, Influence, Scale};

/// Steps that influence goes at most.
const REACH: usize = 7;
/// Cells of a row of the window about a stone: the last is never open, so that a step beyond a row's
/// end leads nowhere.
const ROW: usize = 2 * REACH + 2;
/// Cells of the window, with a closed row below and above.
const WINDOW: usize = (2 * REACH + 3) * ROW;
/// Cells of a row of the map of open points.
const MAP: usize = 25 + 2 * REACH + 2;

constants! {
    /// Chen's model, "Group identification in computer Go", Heuristic Programming in Artificial
    /// Intelligence 1989.
    ///
    /// The source multiplies the influence on lines 1 to 3 by "some factor" that makes the edge
    /// larger and does not say which; 150 percent is ours.
    Chen {
        neighbour = 64, 1, 255, "What the neighbours of a stone get (m)";
        fade = 500, 0, 900, "What is left after another step, in thousandths (f)";
        edge = 150, 0, 400, "Influence on lines 1 to 3, in percent";
        certain = 198, 1, 2000, "A net influence of this much is the owner's territory for sure; less counts in proportion";
        control = 16, 1, 64, "Points of at least this share of 64 are controlled, and join stones to groups (a = n/4)";
    }
}

impl Chen {
    /// The influence of each number of steps, none beyond [`REACH`].
    fn by_distance(&self) -> [i32; REACH] {
        let mut value = self.neighbour;
        std::array::from_fn(|_| {
            let here = value;
            value = value * self.fade / 1000;
            here
        })
    }

    /// What every point comes to. A point with a stone is its owner's for certain.
    pub fn spread(&self, stones: &Stones) -> Influence {
        let (width, height) = (usize::from(stones.width()), usize::from(stones.height()));
        let stride = stones.stride();
        let weights = self.by_distance();
        // Open points with a margin: 255 where a point is empty, else 0.
        let mut map = [[0u8; MAP]; 25 + 2 * REACH];
        for (row, line) in map[REACH..][..height].iter_mut().enumerate() {
            let cells = &stones.cells[(row + 1) * stride + 1..][..width];
            for (open, &cell) in line[REACH..].iter_mut().zip(cells) {
                *open = if cell == 0 { 255 } else { 0 };
            }
        }
        let mut canvas = Canvas::new();
        for (_, sign, col, row) in stones.placed() {
            let reached = reach(&map, col, row, &weights);
            let (rows, _) = reached.as_chunks::<ROW>();
            canvas.add((col, row), REACH, sign as i16, &rows[1..=2 * REACH + 1]);
        }
        let mut sums = canvas.values(stones);
        if self.edge != 100 {
            for row in 0..height {
                for col in 0..width {
                    if stones.line(col, row) <= 3 {
                        let sum = &mut sums[(row + 1) * stride + 1 + col];
                        let larger = i32::from(*sum) * self.edge / 100;
                        *sum = larger.clamp(-i32::from(i16::MAX), i16::MAX.into()) as i16;
                    }
                }
            }
        }
        for (cell, sign, _, _) in stones.placed() {
            sums[cell] = (sign * self.certain) as i16;
        }
        let control = (self.control * self.certain + CERTAIN - 1) / CERTAIN;
        let scale = Scale { certain: self.certain, control: control.max(1), graded: true };
        Influence::new(stones, sums, scale)
    }
}

/// The influence of a stone on the points about it, row by row, reached through open points only.
#[inline(always)]
fn reach(
    map: &[[u8; MAP]; 25 + 2 * REACH],
    col: usize,
    row: usize,
    weights: &[i32; REACH],
) -> [u8; WINDOW] {
    let mut open = [0u8; WINDOW];
    for (up, line) in map[row..=row + 2 * REACH].iter().enumerate() {
        open[(up + 1) * ROW..][..ROW - 1].copy_from_slice(&line[col..col + ROW - 1]);
    }
    let mut values = [0u8; WINDOW];
    let mut fronts = [[0u8; WINDOW]; 2];
    let [front, next] = &mut fronts;
    let (mut front, mut next) = (front, next);
    front[(REACH + 1) * ROW + REACH] = 255;
    for (steps, &weight) in weights.iter().enumerate() {
        let mut any = 0;
        {
            // Only rows that can have been reached. Slices of one length, so that the loop has no
            // bounds to check.
            let start = (REACH - steps) * ROW;
            let length = (2 * steps + 3) * ROW;
            let next = &mut next[start..][..length];
            let open = &mut open[start..][..length];
            let values = &mut values[start..][..length];
            let (below, above) = (&front[start - ROW..][..length], &front[start + ROW..][..length]);
            let (left, right) = (&front[start - 1..][..length], &front[start + 1..][..length]);
            for i in 0..length {
                let new = (below[i] | above[i] | left[i] | right[i]) & open[i];
                next[i] = new;
                open[i] &= !new;
                values[i] |= new & weight as u8;
                any |= new;
            }
        }
        if any == 0 || weight == 0 {
            break;
        }
        std::mem::swap(&mut front, &mut next);
    }
    values
}
