//! Scales for layers in whole numbers of 16 bits.
//!
//! Inputs are multiplied with a scale that was found on positions of the game, one for each of Winograd's points, and
//! weights with one for each output (and point) such that no sum can leave 32 bits, whatever the inputs are: the sizes of
//! an output's weights together times the largest input stay below 2^31. So sums are exact, and the same in any order.

use super::Kernels;
use crate::gemm::Numbers;

/// Inputs go no farther from 0 than this, and are cut off there. Larger inputs leave fewer bits to weights.
pub(super) const INPUT_LIMIT: f32 = 16383.0;
/// How much larger than on the positions that scales were found on an input may become before it is cut off.
const HEADROOM: f32 = 1.5;

/// What inputs are multiplied with, when they were seen to be no larger than `max`.
pub(super) fn input_scales(max: &[f32]) -> Vec<f32> {
    let scale = |&max: &f32| if max > 0.0 { INPUT_LIMIT / (HEADROOM * max) } else { 1.0 };
    max.iter().map(scale).collect()
}

/// What the weights of each output are multiplied with, which stand by input and output; 1 for floats.
pub(super) fn weight_scales(kernels: Kernels, weights: &[f32], outputs: usize) -> Vec<f32> {
    if kernels.numbers == Numbers::Float {
        return vec![1.0; outputs];
    }
    let (mut max, mut sum) = (vec![0.0f32; outputs], vec![0.0f32; outputs]);
    for row in weights.chunks_exact(outputs) {
        for (output, weight) in row.iter().enumerate() {
            max[output] = max[output].max(weight.abs());
            sum[output] += weight.abs();
        }
    }
    // Rounding may add a half to each weight.
    let inputs = (weights.len() / outputs) as f32;
    let most = i32::MAX as f32 / (INPUT_LIMIT + 1.0) - inputs;
    max.iter()
        .zip(&sum)
        .map(|(&max, &sum)| if max > 0.0 { (32767.0 / max).min(most / sum) } else { 1.0 })
        .collect()
}

/// What sums are multiplied with to become floats.
#[derive(Clone, Debug)]
pub(super) struct OutputScale {
    numbers: Numbers,
    /// The sizes of panels.
    widths: Vec<usize>,
    /// How many different scales inputs have.
    parts: usize,
    /// By panel, part and output: the scales of weights.
    weights: Vec<f32>,
    /// The same: what sums are multiplied with.
    sums: Vec<f32>,
}

impl OutputScale {
    pub(super) fn new(kernels: Kernels, panels: &[usize], parts: usize) -> OutputScale {
        let widths: Vec<usize> = panels.iter().map(|vectors| vectors * kernels.lanes()).collect();
        let ones = vec![1.0; parts * widths.iter().sum::<usize>()];
        OutputScale { numbers: kernels.numbers, widths, parts, weights: ones.clone(), sums: ones }
    }

    fn start(&self, panel: usize) -> usize {
        self.parts * self.widths[..panel].iter().sum::<usize>()
    }

    /// Says what weights were multiplied with, of the outputs of a panel from the first.
    pub(super) fn set(&mut self, panel: usize, part: usize, scales: &[f32]) {
        let from = self.start(panel) + part * self.widths[panel];
        self.weights[from..from + scales.len()].copy_from_slice(scales);
    }

    /// Says what inputs are multiplied with.
    pub(super) fn set_input_scales(&mut self, scales: &[f32]) {
        for panel in 0..self.widths.len() {
            let (start, width) = (self.start(panel), self.widths[panel]);
            for (part, scale) in scales.iter().enumerate() {
                let from = start + part * width;
                for at in from..from + width {
                    self.sums[at] = 1.0 / (self.weights[at] * scale);
                }
            }
        }
    }

    /// What the sums of a panel are multiplied with: by part and output; nothing for floats.
    pub(super) fn of_panel(&self, panel: usize) -> &[f32] {
        if self.numbers == Numbers::Float {
            return &[];
        }
        let from = self.start(panel);
        &self.sums[from..from + self.parts * self.widths[panel]]
    }
}
