//! Convolutions as one product: the numbers under the kernel at each point in a row, times the weights. What is left for
//! kernels of 1x1, and for those of other sizes, which hardly any network has.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod kernel;
mod scalar;

use super::quantise::{self, OutputScale};
use super::{Finish, Kernels, Workspace};
use crate::aligned::AlignedVec;
use crate::finish::RawFinish;
use crate::gemm::{self, Panel, Rows};
use crate::maps::{Maps, padded};
use kernel::{InputJob, OutputJob};

/// Bytes of rows that are worked on together.
const CHUNK_BYTES: usize = 256 << 10;

/// A convolution with a kernel of any odd size.
#[derive(Clone, Debug)]
pub(super) struct Patches {
    kernels: Kernels,
    /// Rows and columns of the kernel.
    kernel: (usize, usize),
    inputs: usize,
    outputs: usize,
    panels: Vec<usize>,
    /// By panel and step.
    weights: AlignedVec<u32>,
    output_scale: OutputScale,
}

impl Patches {
    /// A layer of weights that stand by row, column, input and output.
    pub(super) fn new(
        kernels: Kernels,
        kernel: (usize, usize),
        (inputs, outputs): (usize, usize),
        weights: &[f32],
    ) -> Patches {
        let panels = kernels.panels(outputs);
        let channels = padded(inputs);
        let row = kernel.0 * kernel.1 * channels;
        // Channels beyond the last count nothing.
        let mut matrix = vec![0.0; row * outputs];
        let places = matrix.chunks_exact_mut(channels * outputs);
        for (to, from) in places.zip(weights.chunks_exact(inputs * outputs)) {
            to[..from.len()].copy_from_slice(from);
        }
        let scales = quantise::weight_scales(&matrix, outputs);
        let mut output_scale = OutputScale::new(kernels, &panels, 1);
        let mut packed = AlignedVec::zeros(gemm::packed_len(kernels, (row, outputs)));
        let (mut first, mut from) = (0, 0);
        for (panel, &vectors) in panels.iter().enumerate() {
            let width = vectors * kernels.lanes();
            let length = kernels.steps(row) * width;
            let to = &mut packed[from..from + length];
            gemm::pack(kernels, &matrix, &scales, first, (kernels.steps(row), to));
            let scales = &scales[first..outputs.min(first + width)];
            output_scale.set(panel, 0, scales, quantise::INPUT_LIMIT);
            first += width;
            from += length;
        }
        Patches { kernels, kernel, inputs, outputs, panels, weights: packed, output_scale }
    }

    /// Bytes of its weights as they are packed.
    pub(super) fn bytes(&self) -> usize {
        4 * self.weights.len()
    }

    /// Computes the layer for all boards of some maps.
    pub(super) fn forward(&self, input: &Maps, finish: Finish<'_>, work: &mut Workspace) {
        assert_eq!(input.channels(), padded(self.inputs));
        let finish = RawFinish::new(self.kernels.level, finish, input, self.outputs);
        let steps = self.kernels.steps(self.kernel.0 * self.kernel.1 * input.channels());
        let widest = self.panels.iter().max().map_or(0, |vectors| vectors * self.kernels.lanes());
        // Lines of a board, of all boards one after another.
        let (side, lines) = (input.size().width, input.size().height * input.batch());
        let together = (CHUNK_BYTES / (side * 4 * (steps + widest))).clamp(1, lines.max(1));
        work.values.grow_to(together * side * steps);
        work.sums.grow_to(together * side * widest);
        for first in (0..lines).step_by(together) {
            let count = together.min(lines - first);
            let job = &mut InputJob {
                maps: input,
                lines: first..first + count,
                kernel: self.kernel,
                numbers: self.kernels.numbers,
                steps,
                values: &mut work.values,
            };
            simd::dispatch!(self.kernels.level => avx512 | avx2 | scalar: input(job));
            let (mut first_channel, mut weights) = (0, &self.weights[..]);
            for (panel, &vectors) in self.panels.iter().enumerate() {
                let width = vectors * self.kernels.lanes();
                let (of_panel, rest) = weights.split_at(steps * width);
                weights = rest;
                let rows = Rows { steps: &work.values, stride: steps, count: count * side };
                let product = Panel { weights: of_panel, vectors, steps };
                gemm::multiply(self.kernels, rows, product, &mut work.sums);
                let job = &OutputJob {
                    maps: input,
                    lines: first..first + count,
                    numbers: self.kernels.numbers,
                    sums: &work.sums,
                    width,
                    scales: self.output_scale.of_panel(panel),
                    first_channel,
                    finish: &finish,
                };
                simd::dispatch!(self.kernels.level => avx512 | avx2 | scalar: output(job));
                first_channel += width;
            }
        }
    }
}
