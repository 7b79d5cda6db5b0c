//! A convolution over the board, the output of the same size as the input.
//!
//! Kernels of even size are not in the middle of anything; like most frameworks at "same" padding this one puts the extra
//! row and column at the end: a kernel of size k begins (k - 1) / 2 above and left of its square.

use super::gemm::{COLUMNS, Packed, Row, multiply};
use super::planes::SIDE;

/// What is done to each number of a layer's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// Nothing.
    None,
    /// Negative numbers become 0.
    Relu,
    /// The hyperbolic tangent.
    Tanh,
}

/// A layer's form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The side of the kernel.
    pub kernel: usize,
    /// Channels that come in.
    pub inputs: usize,
    /// Filters, which are the channels that go out.
    pub filters: usize,
    /// What is done to the output.
    pub activation: Activation,
}

impl Shape {
    /// Weights and biases.
    pub const fn parameters(&self) -> usize {
        self.filters * (self.inputs * self.kernel * self.kernel + 1)
    }

    /// Multiply-adds for one board of 10x10, counted at every square as if nothing hung over the edge.
    pub const fn multiply_adds(&self) -> usize {
        self.filters * self.inputs * self.kernel * self.kernel * SIDE * SIDE
    }
}

/// A layer with its weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Conv {
    shape: Shape,
    weights: Packed,
    biases: Vec<f32>,
}

impl Conv {
    /// A layer of parameters in the order of the frameworks: weights by filter, input, row and column, then the biases.
    pub fn new(shape: Shape, parameters: &[f32]) -> Conv {
        let inputs = shape.inputs * shape.kernel * shape.kernel;
        let (weights, biases) = parameters.split_at(shape.filters * inputs);
        Conv {
            shape,
            weights: Packed::new(weights, shape.filters, inputs),
            biases: biases[..shape.filters].to_vec(),
        }
    }

    /// The layer's form.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Computes the layer's output into `out`; `columns` is room to work in.
    pub fn forward(&self, input: &[Row], columns: &mut Vec<Row>, out: &mut Vec<Row>) {
        out.clear();
        out.extend(self.biases.iter().map(|&bias| [bias; COLUMNS]));
        if self.shape.kernel == 1 {
            multiply(&self.weights, input, out);
        } else {
            spread(&input[..self.shape.inputs], self.shape.kernel, columns);
            multiply(&self.weights, columns, out);
        }
        activate(self.shape.activation, out);
    }
}

/// Applies an activation.
pub fn activate(activation: Activation, rows: &mut [Row]) {
    for number in rows.iter_mut().flatten() {
        *number = match activation {
            Activation::None => *number,
            Activation::Relu => number.max(0.0),
            Activation::Tanh => tanh(*number),
        };
    }
}

/// The hyperbolic tangent to about 1e-6, without the library's call: a rational function within 4.97 of zero (the
/// continued fraction, cut off), and nearly 1 beyond.
fn tanh(x: f32) -> f32 {
    let x = x.clamp(-7.9, 7.9);
    // Rational minimax form of degree 13 over 6.
    let y = x * x;
    let top = x
        * (4.893_525_5e-3
            + y * (6.372_619_3e-4
                + y * (1.485_722_4e-5
                    + y * (5.122_297e-8
                        + y * (-8.604_672e-11 + y * (2.000_188e-13 + y * -2.760_768_5e-16))))));
    let bottom = 4.893_525e-3 + y * (2.268_434_6e-3 + y * (1.185_347_1e-4 + y * 1.198_258_4e-6));
    top / bottom
}

/// Lays the squares under each place of a kernel side by side: a row for each channel and place.
fn spread(input: &[Row], kernel: usize, columns: &mut Vec<Row>) {
    let before = (kernel - 1) / 2;
    columns.clear();
    for channel in input {
        for down in 0..kernel {
            for right in 0..kernel {
                let mut row = [0.0; COLUMNS];
                // The rows and columns of squares for which this place is on the board.
                let rows =
                    before.saturating_sub(down)..(SIDE + before).saturating_sub(down).min(SIDE);
                let left = before.saturating_sub(right);
                let width = (SIDE + before).saturating_sub(right).min(SIDE) - left;
                for y in rows {
                    let from = (y + down - before) * SIDE + left + right - before;
                    let to = y * SIDE + left;
                    row[to..to + width].copy_from_slice(&channel[from..from + width]);
                }
                columns.push(row);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn convolutions_are_what_they_are_by_definition() {
        let mut state = 9u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32 - 0.5
        };
        for kernel in 1..=6 {
            let shape = Shape { kernel, inputs: 3, filters: 5, activation: Activation::Tanh };
            let parameters: Vec<f32> = (0..shape.parameters()).map(|_| next()).collect();
            let input: Vec<Row> = (0..3).map(|_| [0.0; COLUMNS].map(|_| next())).collect();
            let (mut columns, mut out) = (Vec::new(), Vec::new());
            Conv::new(shape, &parameters).forward(&input, &mut columns, &mut out);
            let before = (kernel as i32 - 1) / 2;
            for (filter, out) in out.iter().enumerate() {
                for (at, &found) in out.iter().enumerate().take(SIDE * SIDE) {
                    let mut sum = parameters[5 * 3 * kernel * kernel + filter];
                    for (channel, squares) in input.iter().enumerate() {
                        for place in 0..kernel * kernel {
                            let y = (at / SIDE) as i32 + (place / kernel) as i32 - before;
                            let x = (at % SIDE) as i32 + (place % kernel) as i32 - before;
                            if (0..SIDE as i32).contains(&y) && (0..SIDE as i32).contains(&x) {
                                let weight = (filter * 3 + channel) * kernel * kernel + place;
                                sum += parameters[weight] * squares[(y * SIDE as i32 + x) as usize];
                            }
                        }
                    }
                    assert!((found - sum.tanh()).abs() < 1e-5, "{kernel}: {found} {}", sum.tanh());
                }
            }
        }
    }

    #[test]
    fn the_tangent_is_near_enough() {
        for i in -2000..=2000 {
            let x = i as f32 / 200.0;
            assert!((tanh(x) - x.tanh()).abs() < 2e-6, "{x}: {} {}", tanh(x), x.tanh());
        }
    }
}
