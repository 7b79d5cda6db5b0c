//! Convolutions of 3x3 by Winograd's way: tiles are brought to values at points, those multiplied channel by channel with
//! the kernels' values, and the products brought back. On 9x9 that takes 225 products for 729, on 13x13 441 for 1,521, on
//! 19x19 841 for 3,249.
//!
//! A panel of outputs is computed for all points at once and brought back before the next, so that what is in between
//! stays in the second-level cache, and weights are read once, in the order in which they lie in memory.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod kernel;
mod scalar;
mod tiles;
mod transform;

pub(crate) use tiles::Tiles;

use super::quantise::{self, OutputScale};
use super::{Finish, Kernels, Workspace};
use crate::aligned::AlignedVec;
use crate::finish::RawFinish;
use crate::gemm::{self, Numbers, Panel, Rows};
use crate::maps::{Maps, padded};
use kernel::{AtPoints, Chunk, InputJob, OutputJob, TileFactors};
use transform::{KERNEL, POINTS, factors, gain};

/// Bytes of values and sums that are worked on together: what stays in the second-level cache beside weights.
const CHUNK_BYTES: usize = 512 << 10;

/// All points, as rows and columns of them.
fn points() -> impl Iterator<Item = (usize, usize)> {
    (0..POINTS).flat_map(|row| (0..POINTS).map(move |column| (row, column)))
}

/// A convolution of 3x3.
#[derive(Clone, Debug)]
pub(super) struct Winograd {
    kernels: Kernels,
    inputs: usize,
    outputs: usize,
    panels: Vec<usize>,
    /// By panel, point and step.
    weights: AlignedVec<u32>,
    input_factors: Box<TileFactors>,
    output_scale: OutputScale,
}

impl Winograd {
    /// A layer of weights that stand by row, column, input and output.
    pub(super) fn new(
        kernels: Kernels,
        (inputs, outputs): (usize, usize),
        weights: &[f32],
    ) -> Winograd {
        let panels = kernels.panels(outputs);
        let steps = kernels.steps(padded(inputs));
        let size = gemm::packed_len(kernels, (padded(inputs), outputs));
        let mut packed = AlignedVec::zeros(POINTS * POINTS * size);
        let mut output_scale = OutputScale::new(kernels, &panels, POINTS * POINTS);
        let mut gains = [1.0; POINTS * POINTS];
        let mut along_rows = vec![0.0; 3 * inputs * outputs];
        let mut matrix = vec![0.0; inputs * outputs];
        for (at, (row, column)) in points().enumerate() {
            if kernels.numbers == Numbers::Int16 {
                gains[at] = quantise::INPUT_LIMIT / gain(row, column);
            }
            if column == 0 {
                combine(weights, KERNEL[row], &mut along_rows);
            }
            combine(&along_rows, KERNEL[column], &mut matrix);
            let scales = quantise::weight_scales(&matrix, outputs);
            let (mut first, mut from) = (0, 0);
            for (panel, &vectors) in panels.iter().enumerate() {
                let width = vectors * kernels.lanes();
                let length = steps * width;
                let to = POINTS * POINTS * from + at * length;
                let to = &mut packed[to..to + length];
                gemm::pack(kernels, &matrix, &scales, first, (steps, to));
                let scales = &scales[first..outputs.min(first + width)];
                output_scale.set(panel, at, scales, gains[at]);
                first += width;
                from += length;
            }
        }
        let input_factors = input_factors(&gains);
        Winograd { kernels, inputs, outputs, panels, weights: packed, input_factors, output_scale }
    }

    fn run_input(&self, job: &mut InputJob<'_>) {
        simd::dispatch!(self.kernels.level => avx512 | avx2 | scalar: input(job));
    }

    /// Bytes of its weights as they are packed.
    pub(super) fn bytes(&self) -> usize {
        4 * self.weights.len()
    }

    /// Computes the layer for all boards of some maps.
    pub(super) fn forward(
        &self,
        tiles: &Tiles,
        input: &Maps,
        finish: Finish<'_>,
        work: &mut Workspace,
    ) {
        assert_eq!(input.channels(), padded(self.inputs));
        let finish = RawFinish::new(self.kernels.level, finish, input, self.outputs);
        let steps = self.kernels.steps(input.channels());
        let widest = self.panels.iter().max().map_or(0, |vectors| vectors * self.kernels.lanes());
        let values = tiles.values();
        let bytes = values * 4 * (steps + widest);
        let together = (CHUNK_BYTES / bytes).clamp(1, input.batch().max(1));
        work.values.grow_to(together * values * steps);
        work.sums.grow_to(together * values * widest);
        for first in (0..input.batch()).step_by(together) {
            let count = together.min(input.batch() - first);
            let regions = regions(tiles, count);
            let chunk = Chunk { tiles, first, count, regions: &regions };
            let mut job = InputJob {
                chunk,
                maps: input,
                numbers: self.kernels.numbers,
                factors: &self.input_factors,
                steps,
                values: &mut work.values,
            };
            self.run_input(&mut job);
            self.multiply(chunk, (input, &finish), steps, work);
        }
    }

    fn multiply(
        &self,
        chunk: Chunk<'_>,
        (input, finish): (&Maps, &RawFinish<'_>),
        steps: usize,
        work: &mut Workspace,
    ) {
        let (mut first_channel, mut weights) = (0, &self.weights[..]);
        for (panel, &vectors) in self.panels.iter().enumerate() {
            let width = vectors * self.kernels.lanes();
            for (row, column) in points() {
                let (of_point, rest) = weights.split_at(steps * width);
                weights = rest;
                let count = chunk.count * chunk.tiles.at_point(row, column);
                if count == 0 {
                    continue;
                }
                let from = chunk.regions[row][column];
                let rows = Rows { steps: &work.values[from * steps..], stride: steps, count };
                let panel = Panel { weights: of_point, vectors, steps };
                gemm::multiply(self.kernels, rows, panel, &mut work.sums[from * width..]);
            }
            let job = &OutputJob {
                chunk,
                numbers: self.kernels.numbers,
                sums: &work.sums,
                width,
                scales: self.output_scale.of_panel(panel),
                maps: input,
                first_channel,
                finish,
            };
            simd::dispatch!(self.kernels.level => avx512 | avx2 | scalar: output(job));
            first_channel += width;
        }
    }
}

/// Adds up three parts of equal size, each multiplied with a number.
fn combine(parts: &[f32], by: [f64; 3], sums: &mut [f32]) {
    let (first, rest) = parts.split_at(sums.len());
    let (second, third) = rest.split_at(sums.len());
    for (sum, ((a, b), c)) in sums.iter_mut().zip(first.iter().zip(second).zip(third)) {
        *sum = (by[0] * f64::from(*a) + by[1] * f64::from(*b) + by[2] * f64::from(*c)) as f32;
    }
}

/// What inputs are multiplied with for each form of tile, by what they are multiplied with beside at each point.
fn input_factors(gains: &[f32; POINTS * POINTS]) -> Box<TileFactors> {
    let mut forms = Box::new([[[[1.0; POINTS]; POINTS]; 3]; 3]);
    for (rows, of_rows) in forms.iter_mut().enumerate() {
        for (columns, form) in of_rows.iter_mut().enumerate() {
            for (at, (row, column)) in points().enumerate() {
                form[row][column] =
                    factors(rows + 4)[row] * factors(columns + 4)[column] * gains[at];
            }
        }
    }
    forms
}

/// Where the rows of each point begin, for so many boards.
fn regions(tiles: &Tiles, count: usize) -> AtPoints<usize> {
    let mut regions = [[0; POINTS]; POINTS];
    let mut next = 0;
    for (row, column) in points() {
        regions[row][column] = next;
        next += count * tiles.at_point(row, column);
    }
    regions
}
