//! Ryder's model (1971): influence flows outwards, each point taking a fixed share from the
//! neighbours that lie nearer to the stone.

use super::canvas::Canvas;
use super::constants::constants;
use super::stones::{SIZE, Stones};
use super::{Influence, Scale};

/// Steps from a stone that are looked at.
const REACH: usize = 12;

constants! {
    /// Ryder's model, "Heuristic analysis of large trees as generated in the game of Go", Stanford
    /// 1971.
    ///
    /// The source's figure is poorly preserved: 60 on a lone stone, 13 on its neighbours, falling
    /// to 1. Here a point takes `neighbour / stone` of what the neighbours one step nearer to the
    /// stone have, in whole numbers: along a row 60 13 3 1 0.
    Ryder {
        stone = 60, 1, 200, "What a stone is worth on its own point";
        neighbour = 13, 0, 100, "What its neighbours get; this over the stone's worth is the share that is passed on";
        territory = 1, 1, 200, "From this value on a point counts as territory (the source gives no number)";
    }
}

impl Ryder {
    /// What a lone Black stone gives to the point this many columns and rows away, for the
    /// quadrant `[rows][columns]`.
    fn quadrant(&self) -> [[i32; REACH + 1]; REACH + 1] {
        let mut kernel = [[0; REACH + 1]; REACH + 1];
        kernel[0][0] = self.stone;
        for distance in 1..=REACH {
            for row in 0..=distance {
                let col = distance - row;
                let nearer = [
                    col.checked_sub(1).map_or(0, |col| kernel[row][col]),
                    row.checked_sub(1).map_or(0, |row| kernel[row][col]),
                ];
                let passed = (nearer[0] + nearer[1]) * self.neighbour;
                kernel[row][col] = ((2 * passed + self.stone) / (2 * self.stone)).min(self.stone);
            }
        }
        kernel
    }

    /// What every point comes to.
    pub fn spread(&self, stones: &Stones) -> Influence {
        let kernel = self.quadrant();
        let reach = (0..=REACH).rev().find(|&d| (0..=d).any(|row| kernel[row][d - row] > 0));
        let values = match reach.unwrap_or(0) {
            // The usual case fits into rows of eight.
            reach @ 0..=3 => add::<8>(stones, &kernel, reach),
            reach => add::<{ 2 * REACH + 1 }>(stones, &kernel, reach),
        };
        Influence::new(stones, values, Scale::step(self.territory))
    }
}

/// Adds the square about every stone, in rows of `N` numbers.
fn add<const N: usize>(
    stones: &Stones,
    kernel: &[[i32; REACH + 1]; REACH + 1],
    reach: usize,
) -> [i16; SIZE] {
    let mut square = [[0i16; N]; 2 * REACH + 1];
    for (row, line) in square[..=2 * reach].iter_mut().enumerate() {
        for (col, value) in line[..=2 * reach].iter_mut().enumerate() {
            *value = kernel[row.abs_diff(reach)][col.abs_diff(reach)] as i16;
        }
    }
    let mut canvas = Canvas::new();
    for (_, sign, col, row) in stones.placed() {
        canvas.add((col, row), reach, sign as i16, &square[..=2 * reach]);
    }
    canvas.values(stones)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn falls_to_one_as_in_the_figure() {
        let kernel = Ryder::default().quadrant();
        assert_eq!(kernel[0][..5], [60, 13, 3, 1, 0]);
        assert_eq!(kernel[1][..4], [13, 6, 2, 1]);
        assert_eq!(kernel[2][2], 1);
    }
}
