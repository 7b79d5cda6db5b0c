//! Scales for layers in whole numbers of 16 bits.
//!
//! Each board's inputs are multiplied with what makes its largest values as large as 16 bits allow, so that nothing is cut
//! off in any position, and no positions have to be looked at beforehand. How much larger than the largest input a value
//! at one of Winograd's points may be is known ([`gain`](super::winograd)); inputs are hardly ever below 0 after an
//! activation, and what that adds is cut off.
//!
//! Weights are multiplied with a scale of each output (and point) such that no sum can leave 32 bits, whatever the inputs
//! are: the sizes of an output's weights together times the largest input stay below 2^31. So sums are exact, and the
//! same in any order.

use super::Kernels;
use crate::aligned::AlignedVec;
use crate::gemm::Numbers;

/// Inputs go no farther from 0 than this. Smaller inputs would leave more bits to weights; measured, this is best.
pub(super) const INPUT_LIMIT: f32 = 32766.0;

/// What the weights of each output are multiplied with, which stand by input and output.
pub(super) fn weight_scales(weights: &[f32], outputs: usize) -> Vec<f32> {
    let (mut max, mut sum) = (vec![0.0f32; outputs], vec![0.0f32; outputs]);
    for row in weights.chunks_exact(outputs) {
        for (output, weight) in row.iter().enumerate() {
            max[output] = max[output].max(weight.abs());
            sum[output] += weight.abs();
        }
    }
    // Rounding may add a half to each weight.
    let inputs = (weights.len() / outputs) as f32;
    let max_sum = i32::MAX as f32 / (INPUT_LIMIT + 1.0) - inputs;
    max.iter()
        .zip(&sum)
        .map(|(&max, &sum)| if max > 0.0 { (32767.0 / max).min(max_sum / sum) } else { 1.0 })
        .collect()
}

/// What sums are multiplied with to become floats.
#[derive(Clone, Debug)]
pub(super) struct OutputScale {
    numbers: Numbers,
    /// The sizes of panels.
    widths: Vec<usize>,
    /// How many scales an output has: one for each point.
    parts: usize,
    /// By panel, part and output.
    scales: AlignedVec<f32>,
}

impl OutputScale {
    pub(super) fn new(kernels: Kernels, panels: &[usize], parts: usize) -> OutputScale {
        let widths: Vec<usize> = panels.iter().map(|vectors| vectors * kernels.lanes()).collect();
        let mut scales = AlignedVec::zeros(parts * widths.iter().sum::<usize>());
        scales.fill(1.0);
        OutputScale { numbers: kernels.numbers, widths, parts, scales }
    }

    fn start(&self, panel: usize) -> usize {
        self.parts * self.widths[..panel].iter().sum::<usize>()
    }

    /// Says what weights and inputs were multiplied with, of the outputs of a panel from the first.
    pub(super) fn set(&mut self, panel: usize, part: usize, scales: &[f32], of_inputs: f32) {
        let from = self.start(panel) + part * self.widths[panel];
        for (to, scale) in self.scales[from..].iter_mut().zip(scales) {
            *to = 1.0 / (scale * of_inputs);
        }
    }

    /// What the sums of a panel are multiplied with: by part and output; nothing for floats.
    pub(super) fn of_panel(&self, panel: usize) -> &[f32] {
        if self.numbers == Numbers::Float {
            return &[];
        }
        let from = self.start(panel);
        &self.scales[from..from + self.parts * self.widths[panel]]
    }
}
