//! A convolution in floats over the board, the output of the same size as the input.
//!
//! Kernels of even size are not in the middle of anything; like most frameworks at "same" padding this one puts the extra
//! row and column at the end: a kernel of size k begins (k - 1) / 2 above and left of its square.

use crate::activation::Activation;
use crate::board::{BoardSize, Planes};
use crate::matmul::{BLOCK, PackedMatrix, multiply};

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

    /// Multiply-adds for one board, counted at every square as if nothing hung over the edge.
    pub const fn multiply_adds(&self, size: BoardSize) -> usize {
        self.filters * self.inputs * self.kernel * self.kernel * size.area()
    }
}

/// A layer with its weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Conv {
    shape: Shape,
    weights: PackedMatrix,
    biases: Vec<f32>,
}

impl Conv {
    /// A layer of parameters in the order of the frameworks: weights by filter, input, row and column, then the biases.
    ///
    /// # Panics
    /// When there are fewer parameters than the shape has.
    pub fn new(shape: Shape, parameters: &[f32]) -> Conv {
        let inputs = shape.inputs * shape.kernel * shape.kernel;
        let (weights, biases) = parameters.split_at(shape.filters * inputs);
        Conv {
            shape,
            weights: PackedMatrix::new(weights, shape.filters, inputs),
            biases: biases[..shape.filters].to_vec(),
        }
    }

    /// The layer's form.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Computes the layer's output into `out`; `columns` is space to work in. Levels with fused steps agree with plain
    /// code to about 1e-6 of the sum of the products' sizes.
    ///
    /// # Panics
    /// When the input has fewer channels than the layer.
    pub fn forward(&self, input: &Planes, columns: &mut Vec<f32>, out: &mut Planes) {
        let (size, width) = (input.size(), input.size().padded_area());
        out.clear(size, self.shape.filters);
        for (row, &bias) in out.numbers_mut().chunks_exact_mut(width.max(1)).zip(&self.biases) {
            row.fill(bias);
        }
        let places = self.shape.kernel * self.shape.kernel;
        let inputs = self.shape.inputs * places;
        columns.resize(BLOCK * width, 0.0);
        for first in (0..inputs).step_by(BLOCK) {
            let columns = &mut columns[..BLOCK.min(inputs - first) * width];
            for (i, row) in columns.chunks_exact_mut(width.max(1)).enumerate() {
                let (channel, place) = ((first + i) / places, (first + i) % places);
                spread(size, input.channel(channel), self.shape.kernel, place, row);
            }
            multiply(simd::level(), &self.weights, first, columns, width, out.numbers_mut());
        }
        self.shape.activation.apply(out.numbers_mut());
    }
}

/// Lays the square under one place of a kernel beside each square; 0 where it is off the board.
fn spread(size: BoardSize, channel: &[f32], kernel: usize, place: usize, row: &mut [f32]) {
    let (side, length) = (size.width as isize, size.area() as isize);
    let before = (kernel as isize - 1) / 2;
    let (down, right) = ((place / kernel) as isize - before, (place % kernel) as isize - before);
    // The whole board is moved in one piece; what came over an edge from the row beside is taken out again.
    let shift = down * side + right;
    let to = (-shift).clamp(0, length) as usize..(length - shift).clamp(0, length) as usize;
    row[..to.start].fill(0.0);
    row[to.end..].fill(0.0);
    if !to.is_empty() {
        let from = (to.start as isize + shift) as usize..(to.end as isize + shift) as usize;
        row[to].copy_from_slice(&channel[from]);
    }
    let over = if right >= 0 { side - right.min(side)..side } else { 0..(-right).min(side) };
    for row in row[..size.area()].chunks_exact_mut(size.width) {
        row[over.start as usize..over.end as usize].fill(0.0);
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
        let boards = [(10, 10), (19, 19), (9, 9), (5, 7), (2, 1), (13, 13)];
        for (kernel, (width, height)) in (1..=6).zip(boards).chain([(3, (19, 19)), (5, (2, 2))]) {
            let size = BoardSize { width, height };
            let shape = Shape { kernel, inputs: 3, filters: 5, activation: Activation::Tanh };
            let parameters: Vec<f32> = (0..shape.parameters()).map(|_| next()).collect();
            let mut input = Planes::new(size, 3);
            input.numbers_mut().fill_with(&mut next);
            let (mut columns, mut out) = (Vec::new(), Planes::default());
            Conv::new(shape, &parameters).forward(&input, &mut columns, &mut out);
            assert_eq!(out.channels().count(), 5);
            let before = (kernel as i32 - 1) / 2;
            for (filter, out) in out.channels().enumerate() {
                for (at, &found) in out.iter().enumerate() {
                    let mut sum = parameters[5 * 3 * kernel * kernel + filter];
                    for (channel, squares) in input.channels().enumerate() {
                        for place in 0..kernel * kernel {
                            let y = (at / width) as i32 + (place / kernel) as i32 - before;
                            let x = (at % width) as i32 + (place % kernel) as i32 - before;
                            if (0..height as i32).contains(&y) && (0..width as i32).contains(&x) {
                                let weight = (filter * 3 + channel) * kernel * kernel + place;
                                sum +=
                                    parameters[weight] * squares[y as usize * width + x as usize];
                            }
                        }
                    }
                    assert!((found - sum.tanh()).abs() < 1e-5, "{kernel}: {found} {}", sum.tanh());
                }
            }
        }
    }
}
