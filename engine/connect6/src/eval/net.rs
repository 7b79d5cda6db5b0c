//! The small network: inputs by line class, one hidden layer, a sigmoid.

use super::features::{CLASSES, Inputs};

/// Units of the hidden layer.
pub const HIDDEN: usize = 32;

/// The network. The first layer is a sum of rows, one for each line of each colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    /// For the side to move and the other side, a row for each class.
    pub rows: [Vec<[f32; HIDDEN]>; 2],
    /// Biases of the hidden layer.
    pub bias: [f32; HIDDEN],
    /// Weights of the output.
    pub out: [f32; HIDDEN],
    /// Bias of the output.
    pub out_bias: f32,
}

impl Default for Net {
    fn default() -> Net {
        let rows = || vec![[0.0; HIDDEN]; CLASSES];
        Net { rows: [rows(), rows()], bias: [0.0; HIDDEN], out: [0.0; HIDDEN], out_bias: 0.0 }
    }
}

impl Net {
    /// All its weights in a fixed order.
    pub fn numbers(&self) -> impl Iterator<Item = &f32> {
        let rows = self.rows.iter().flatten().flatten();
        rows.chain(&self.bias).chain(&self.out).chain(std::iter::once(&self.out_bias))
    }

    /// All its weights to be set, in the same order.
    pub fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let rows = self.rows.iter_mut().flatten().flatten();
        rows.chain(&mut self.bias).chain(&mut self.out).chain(std::iter::once(&mut self.out_bias))
    }

    /// The hidden layer before its activation.
    pub fn hidden(&self, inputs: &Inputs) -> [f32; HIDDEN] {
        let mut sum = self.bias;
        for (rows, classes) in self.rows.iter().zip([&inputs.own, &inputs.other]) {
            for &class in classes {
                let row = &rows[class as usize % CLASSES];
                sum.iter_mut().zip(row).for_each(|(s, r)| *s += r);
            }
        }
        sum
    }

    /// NN(p): 1 a win of the side to move, 0 a loss.
    pub fn output(&self, inputs: &Inputs) -> f32 {
        let hidden = self.hidden(inputs);
        let z: f32 = hidden.iter().zip(&self.out).map(|(h, w)| activation(*h) * w).sum();
        sigmoid(z + self.out_bias)
    }
}

/// The activation of the hidden layer: x / (1 + |x|), a sigmoid without the exponential.
#[inline]
pub fn activation(x: f32) -> f32 {
    x / (1.0 + x.abs())
}

/// 1 / (1 + exp(-x)).
#[inline]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}
