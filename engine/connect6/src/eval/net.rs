//! The network: what each point looks like, what each line holds, one hidden layer, a sigmoid.

use super::features::{CLASSES, Inputs};
use super::points::{DEEP, PointNet};
use super::view::{Pool, View};
use crate::Color;
use crate::board::Board;

/// Units of the hidden layer.
pub const HIDDEN: usize = 32;

/// The network. It gives each point's weight as a move and the value of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    /// The part that looks at points.
    pub points: PointNet,
    /// How the candidates together move the hidden layer.
    pub pool: [[f32; HIDDEN]; 2 * DEEP],
    /// How a line does: for the side to move and the other side, a row for each class.
    pub lines: [Vec<[f32; HIDDEN]>; 2],
    /// Biases of the hidden layer.
    pub bias: [f32; HIDDEN],
    /// Weights of the output.
    pub out: [f32; HIDDEN],
    /// Bias of the output.
    pub out_bias: f32,
}

impl Default for Net {
    fn default() -> Net {
        let lines = || vec![[0.0; HIDDEN]; CLASSES];
        Net {
            points: PointNet::default(),
            pool: [[0.0; HIDDEN]; 2 * DEEP],
            lines: [lines(), lines()],
            bias: [0.0; HIDDEN],
            out: [0.0; HIDDEN],
            out_bias: 0.0,
        }
    }
}

impl Net {
    /// A position's candidates as the network sees them.
    pub fn view(&self, board: &Board, side: Color) -> View<'_> {
        View::new(&self.points, board, side)
    }

    /// The hidden layer before its activation.
    pub fn hidden(&self, pool: &Pool, inputs: &Inputs) -> [f32; HIDDEN] {
        let mut sum = self.bias;
        for (rows, classes) in self.lines.iter().zip([&inputs.own, &inputs.other]) {
            for &class in classes {
                add(&mut sum, 1.0, &rows[class as usize % CLASSES]);
            }
        }
        for (number, row) in pool.0.iter().zip(&self.pool) {
            add(&mut sum, *number, row);
        }
        sum
    }

    /// NN(p): 1 a win of the side to move, 0 a loss.
    pub fn output(&self, pool: &Pool, inputs: &Inputs) -> f32 {
        let hidden = self.hidden(pool, inputs);
        let z: f32 = hidden.iter().zip(&self.out).map(|(h, w)| activation(*h) * w).sum();
        sigmoid(z + self.out_bias)
    }
}

#[inline(always)]
fn add(sum: &mut [f32; HIDDEN], share: f32, row: &[f32; HIDDEN]) {
    sum.iter_mut().zip(row).for_each(|(s, r)| *s += share * r);
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
