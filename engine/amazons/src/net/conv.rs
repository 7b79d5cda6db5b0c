//! A convolution over the board, the output of the same size as the input.
//!
//! Kernels of even size are not in the middle of anything; like most frameworks at "same" padding this one puts the extra
//! row and column at the end: a kernel of size k begins (k - 1) / 2 above and left of its square.

use super::gemm::{BLOCK, COLUMNS, Packed, Row, multiply};
use super::planes::{AREA, SIDE};
use super::quantised::CLIP;

/// What is done to each number of a layer's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// Nothing.
    None,
    /// Negative numbers become 0.
    Relu,
    /// Negative numbers become 0, and those above [`CLIP`] become it.
    Clipped,
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
        let places = self.shape.kernel * self.shape.kernel;
        let inputs = self.shape.inputs * places;
        columns.resize(BLOCK, [0.0; COLUMNS]);
        for first in (0..inputs).step_by(BLOCK) {
            let columns = &mut columns[..BLOCK.min(inputs - first)];
            for (i, row) in columns.iter_mut().enumerate() {
                let (channel, place) = ((first + i) / places, (first + i) % places);
                spread(&input[channel], self.shape.kernel, place, row);
            }
            multiply(&self.weights, first, columns, out);
        }
        activate(self.shape.activation, out);
    }
}

/// Applies an activation.
pub fn activate(activation: Activation, rows: &mut [Row]) {
    let numbers = rows.iter_mut().flatten();
    match activation {
        Activation::None => {}
        Activation::Relu => numbers.for_each(|number| *number = number.max(0.0)),
        Activation::Clipped => numbers.for_each(|number| *number = number.clamp(0.0, CLIP)),
        Activation::Tanh => numbers.for_each(|number| *number = tanh(*number)),
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

/// Lays the square under one place of a kernel beside each square; 0 where it is off the board.
fn spread(channel: &Row, kernel: usize, place: usize, row: &mut Row) {
    const LENGTH: isize = AREA as isize;
    let before = (kernel as isize - 1) / 2;
    let (down, right) = ((place / kernel) as isize - before, (place % kernel) as isize - before);
    // The whole board is moved in one piece; what came over an edge from the row beside is taken out again.
    let shift = down * SIDE as isize + right;
    let to = (-shift).clamp(0, LENGTH) as usize..(LENGTH - shift).clamp(0, LENGTH) as usize;
    let from = (to.start as isize + shift) as usize..(to.end as isize + shift) as usize;
    row[..to.start].fill(0.0);
    row[to.clone()].copy_from_slice(&channel[from]);
    row[to.end..].fill(0.0);
    let over = if right >= 0 { SIDE - right as usize..SIDE } else { 0..(-right) as usize };
    for y in 0..SIDE {
        for x in over.clone() {
            row[y * SIDE + x] = 0.0;
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
