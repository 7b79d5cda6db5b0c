//! Bouzy's dilations and erosions (5/21), the classic yardstick.

use super::constants::constants;
use super::stones::{SIZE, Stones};
use super::{Influence, Scale};

constants! {
    /// Bouzy's model, "Mathematical morphology applied to computer Go", 2003: influence is dilated
    /// a few times and eroded more often, so that what is not closed in goes away again.
    Bouzy {
        stone = 64, 1, 128, "What a stone is worth at first";
        dilations = 5, 0, 12, "Times that influence grows";
        erosions = 21, 0, 60, "Times that it is worn away";
        territory = 1, 1, 128, "From this value on a point counts as territory";
    }
}

impl Bouzy {
    /// What every point comes to.
    pub fn spread(&self, stones: &Stones) -> Influence {
        let mut values = [0i16; SIZE];
        for (value, &stone) in values.iter_mut().zip(&stones.cells) {
            *value = stone * self.stone as i16;
        }
        let (stride, n) = (stones.stride(), stones.span().len());
        let inside = &stones.inside[stride..][..n];
        // On-board neighbours of each cell.
        let mut beside = [0i16; SIZE];
        {
            let on = &stones.inside;
            let (above, below) = (&on[2 * stride..][..n], &on[..n]);
            let (left, right) = (&on[stride - 1..][..n], &on[stride + 1..][..n]);
            let beside = &mut beside[..n];
            for i in 0..n {
                let sum = above[i] + below[i] + left[i] + right[i];
                // The border counts as open on all sides, so that nothing ever lies there.
                beside[i] = inside[i] * sum + (1 - inside[i]) * 4;
            }
        }
        let (mut black, mut white) = ([0i16; SIZE], [0i16; SIZE]);
        for round in 0..self.dilations + self.erosions {
            for i in 0..SIZE {
                black[i] = i16::from(values[i] > 0);
                white[i] = i16::from(values[i] < 0);
            }
            // Slices of one length, so that the loops have no bounds to check.
            let here = &mut values[stride..][..n];
            let around = |of: &'_ [i16; SIZE]| -> [i16; SIZE] {
                let (above, below) = (&of[2 * stride..][..n], &of[..n]);
                let (left, right) = (&of[stride - 1..][..n], &of[stride + 1..][..n]);
                let mut sums = [0; SIZE];
                let out = &mut sums[..n];
                for i in 0..n {
                    out[i] = above[i] + below[i] + left[i] + right[i];
                }
                sums
            };
            let (black, white) = (around(&black), around(&white));
            let (black, white, beside) = (&black[..n], &white[..n], &beside[..n]);
            if round < self.dilations {
                // A point that is nobody's enemy takes a unit from each neighbour of one sign, if
                // none has the other.
                for i in 0..n {
                    let value = here[i];
                    let up = if value >= 0 && white[i] == 0 { black[i] } else { 0 };
                    let down = if value <= 0 && black[i] == 0 { white[i] } else { 0 };
                    here[i] = (value + up - down) * inside[i];
                }
            } else {
                // A point loses a unit for each neighbour that is not of its own sign, down to
                // nothing. One of the two halves is 0: that of the other sign.
                for i in 0..n {
                    let positive = (here[i].max(0) - (beside[i] - black[i])).max(0);
                    let negative = (here[i].min(0) + (beside[i] - white[i])).min(0);
                    here[i] = positive + negative;
                }
            }
        }
        Influence::new(stones, values, Scale::step(self.territory))
    }
}
