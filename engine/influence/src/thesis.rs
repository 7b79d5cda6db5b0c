//! The thesis's own model: force that halves with every step, is weakened by stones on its way, and
//! comes back from the edge.

use super::constants::constants;
use super::stones::{SIZE, Stones};
use super::{Influence, Scale};

constants! {
    /// The thesis's model: the stone 64, a point at Manhattan distance d 2^(6-d), for points at
    /// most six rows and six columns away.
    ///
    /// Two laws hold on the way. *Decay*: to leave an empty point halves the force, to leave a
    /// point with a stone counts as two steps. *Reflection*: on the first and last row the rows
    /// passed do not count, on the first and last column the columns do not.
    ///
    /// A point off the stone's row and column is reached both ways round the corner, first along
    /// the row or first along the column; where stones make the two differ, the mean counts. (The
    /// source does not say which way it means.)
    Thesis {
        exponent = 6, 0, 8, "A stone's own point gets two to this power";
        reach = 6, 0, 12, "Rows and columns that force goes at most";
        stone_steps = 2, 1, 6, "Steps that leaving a point with a stone counts (decay)";
        reflect = 1, 0, 1, "Whether the edge sends force back (reflection)";
        territory = 21, 1, 1000, "From this force on a point counts as territory (|F| > 20)";
    }
}

/// The law of decay as factors: what is left of force that leaves a point, nothing beyond the board.
struct Decay {
    /// Of the force of the point's own stone: one step, whatever stands there.
    own: [f32; SIZE],
    /// Of force that came from elsewhere.
    passing: [f32; SIZE],
}

impl Thesis {
    fn decay(&self, stones: &Stones) -> Decay {
        let behind_stone = 0.5f32.powi(self.stone_steps);
        let mut decay = Decay { own: [0.0; SIZE], passing: [0.0; SIZE] };
        for (at, (&inside, &stone)) in stones.inside.iter().zip(&stones.cells).enumerate() {
            let inside = f32::from(inside);
            decay.own[at] = 0.5 * inside;
            decay.passing[at] = inside * if stone == 0 { 0.5 } else { behind_stone };
        }
        decay
    }

    /// Sends force from every point in one direction. `own` is the force of the points' stones,
    /// `passing` what came to them from elsewhere; `edge` are the last cells in this direction.
    fn send(
        &self,
        stones: &Stones,
        decay: &Decay,
        (own, passing): (&[f32; SIZE], &[f32; SIZE]),
        (forward, step): (bool, usize),
        edge: impl Iterator<Item = usize> + Clone,
        sums: &mut [f32; SIZE],
    ) {
        // All cells but a step at either end, so that none is without the next; the border is wide
        // enough.
        let (stride, n) = (stones.stride(), stones.span().len());
        let (from, to) = if forward { (stride, stride + step) } else { (stride, stride - step) };
        let (mut moving, mut next) = (&mut [0.0f32; SIZE], &mut [0.0f32; SIZE]);
        {
            let (decay_own, decay_passing) = (&decay.own[from..][..n], &decay.passing[from..][..n]);
            let (own, passing) = (&own[from..][..n], &passing[from..][..n]);
            let moving = &mut moving[to..][..n];
            for i in 0..n {
                moving[i] = own[i] * decay_own[i] + passing[i] * decay_passing[i];
            }
        }
        for steps in 1..=self.reach {
            for (sum, force) in sums.iter_mut().zip(moving.iter()) {
                *sum += force;
            }
            if self.reflect != 0 {
                // The edge gives back what the steps in this direction took.
                let back = ((1 << steps) - 1) as f32;
                for cell in edge.clone() {
                    sums[cell] += moving[cell] * back;
                }
            }
            {
                let decay = &decay.passing[from..][..n];
                let moving = &moving[from..][..n];
                let next = &mut next[to..][..n];
                for i in 0..n {
                    next[i] = moving[i] * decay[i];
                }
            }
            std::mem::swap(&mut moving, &mut next);
        }
    }

    /// Sends force along the rows or along the columns, both ways; adds it to the sums.
    fn along(
        &self,
        stones: &Stones,
        decay: &Decay,
        rows: bool,
        forces: (&[f32; SIZE], &[f32; SIZE]),
        sums: &mut [f32; SIZE],
    ) {
        let (width, height) = (usize::from(stones.width()), usize::from(stones.height()));
        let stride = stones.stride();
        let first = stride + 1;
        // Cells along the direction of force, and across it.
        let (step, length, across, lines) =
            if rows { (1, width, stride, height) } else { (stride, height, 1, width) };
        for forward in [true, false] {
            let last = first + if forward { (length - 1) * step } else { 0 };
            let edge = (0..lines).map(|line| last + line * across);
            self.send(stones, decay, forces, (forward, step), edge, sums);
        }
    }

    /// What every point comes to.
    pub fn spread(&self, stones: &Stones) -> Influence {
        let none = [0.0f32; SIZE];
        let mut own = none;
        let strength = 2.0f32.powi(self.exponent);
        for (force, &stone) in own.iter_mut().zip(&stones.cells) {
            *force = strength * f32::from(stone);
        }
        let decay = self.decay(stones);
        let mut whole = none;
        for rows_first in [true, false] {
            let mut sums = none;
            self.along(stones, &decay, rows_first, (&own, &none), &mut sums);
            let arrived = sums;
            self.along(stones, &decay, !rows_first, (&own, &arrived), &mut sums);
            for (whole, &sum) in whole.iter_mut().zip(&sums) {
                *whole += sum;
            }
        }
        let mut values = [0i16; SIZE];
        for ((value, &force), &own) in values.iter_mut().zip(&whole).zip(&own) {
            // The mean of the two ways, in whole units, towards nothing.
            *value = (own + 0.5 * force) as i16;
        }
        Influence::new(stones, values, Scale::step(self.territory))
    }
}
