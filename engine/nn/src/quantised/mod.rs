//! Convolutions in whole numbers, several times as fast as those of [`crate::Conv`].
//!
//! What goes from layer to layer lies between 0 and [`CLIP`], which training sees to, and is kept in 127 levels; a weight
//! is a number from -127 to 127 times the scale of its filter. Seven bits rather than eight, since two products of such
//! numbers still fit into the 16 bits in which AVX2 adds them. Sums are whole numbers, and everything else is done in the
//! same order everywhere, so all levels of vectors and plain code give the same numbers to the last bit, on every machine.
//!
//! Kernels are 1x1 or 3x3. A row of the board is parted into tiles of at most ten squares, whose sums stay in registers.

mod activations;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod scalar;

pub use crate::activation::CLIP;
pub use activations::Activations;

use crate::conv::Shape;
use simd::Level;

/// The highest level.
const LEVELS: f32 = 127.0;
/// What one level is worth.
pub const STEP: f32 = CLIP / LEVELS;
/// Filters that are computed together: two of the widest vectors.
pub const TOGETHER: usize = 32;
/// Inputs that one instruction multiplies and adds for each filter.
const GROUP: usize = 4;
/// Squares of a row that are computed together: two vectors of sums of each stay in registers.
const MAX_TILE: usize = 10;

/// Weights of the filters that are computed together, for one place of the kernel and one group of inputs: filter by
/// filter, and of each its inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
struct Line([i8; TOGETHER * GROUP]);

/// Some squares of a row, and the sums of a block of filters for them.
struct Tile<'a> {
    block: usize,
    row: usize,
    /// The first square's column.
    column: usize,
    sums: &'a mut [[i32; TOGETHER]],
}

/// What becomes of a layer's output.
#[derive(Debug)]
pub enum Output<'a> {
    /// It is cut off and goes to the next layer.
    Levels(&'a mut Activations),
    /// It is added to what is there, and then cut off.
    Added(&'a mut Activations),
    /// It stays what it is; the numbers of a square side by side, the squares row by row. For layers of at most
    /// [`TOGETHER`] filters.
    Numbers(&'a mut Vec<[f32; TOGETHER]>),
}

/// A layer with its weights.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantisedConv {
    kernel: usize,
    groups: usize,
    /// By block of filters, place of the kernel and group of inputs.
    lines: Vec<Line>,
    /// What a weight's unit is worth, in levels or in numbers, and the bias, by block of filters.
    scales: Vec<[f32; TOGETHER]>,
    biases: Vec<[f32; TOGETHER]>,
}

impl QuantisedConv {
    /// A layer of parameters in the order of the frameworks, as in [`crate::Conv::new`]. `unit` is what the input's level 1
    /// stands for; the output is told in levels, or in numbers if it is a last layer.
    ///
    /// # Panics
    /// When the kernel is neither 1x1 nor 3x3, or there are fewer parameters than the shape has.
    pub fn new(shape: Shape, parameters: &[f32], unit: f32, last: bool) -> QuantisedConv {
        assert!(shape.kernel == 1 || shape.kernel == 3, "a board's border is one square wide");
        let (kernel, places) = (shape.kernel, shape.kernel * shape.kernel);
        let inputs = shape.inputs * places;
        let (weights, biases) = parameters.split_at(shape.filters * inputs);
        let (groups, blocks) = (shape.inputs.div_ceil(GROUP), shape.filters.div_ceil(TOGETHER));
        let mut lines = vec![Line([0; TOGETHER * GROUP]); blocks * places * groups];
        let mut layer_scales = vec![[0.0; TOGETHER]; blocks];
        let mut layer_biases = layer_scales.clone();
        let told = if last { 1.0 } else { STEP };
        for (filter, weights) in weights.chunks_exact(inputs).enumerate() {
            let (block, lane) = (filter / TOGETHER, filter % TOGETHER);
            let max = weights.iter().fold(0.0f32, |max, weight| max.max(weight.abs()));
            let scale = if max > 0.0 { max / LEVELS } else { 1.0 };
            for (input, weights) in weights.chunks_exact(places).enumerate() {
                for (place, weight) in weights.iter().enumerate() {
                    let line = &mut lines[(block * places + place) * groups + input / GROUP];
                    line.0[lane * GROUP + input % GROUP] = (weight / scale).round() as i8;
                }
            }
            layer_scales[block][lane] = scale * unit / told;
            layer_biases[block][lane] = biases[filter] / told;
        }
        QuantisedConv { kernel, groups, lines, scales: layer_scales, biases: layer_biases }
    }

    /// Channels of the output: the filters, rounded up to whole blocks.
    pub fn channels(&self) -> usize {
        self.scales.len() * TOGETHER
    }

    /// Computes the layer.
    ///
    /// # Panics
    /// When the input has fewer channels than the layer, or what is added to has another size than the output.
    pub fn forward(&self, input: &Activations, output: Output<'_>) {
        self.forward_at(simd::level(), input, output);
    }

    fn forward_at(&self, level: Level, input: &Activations, output: Output<'_>) {
        assert!(input.channels() >= self.groups * GROUP);
        let size = input.size();
        let layer = self;
        let mut output = output;
        match &mut output {
            Output::Levels(levels) => levels.prepare(size, self.channels()),
            Output::Added(levels) => {
                assert_eq!((levels.size(), levels.channels()), (size, self.channels()));
            }
            Output::Numbers(numbers) => {
                assert_eq!(self.channels(), TOGETHER);
                numbers.resize(size.area(), [0.0; TOGETHER]);
            }
        }
        let output = &mut output;
        simd::dispatch!(level => avx512 | avx2 | scalar: forward(layer, input, output));
    }

    /// The lines of a block of filters.
    #[inline(always)]
    fn block(&self, block: usize) -> &[Line] {
        let size = self.kernel * self.kernel * self.groups;
        &self.lines[block * size..(block + 1) * size]
    }

    /// Where in the input the square lies that one place of the kernel sees from a square.
    #[inline(always)]
    fn start(&self, input: &Activations, (row, column): (usize, usize), place: usize) -> usize {
        let margin = self.kernel / 2;
        let (down, right) = (place / self.kernel, place % self.kernel);
        input.offset(row + 1 + down - margin, column + 1 + right - margin)
    }

    /// Block by block and tile by tile, the sums found in some way.
    #[inline(always)]
    fn tiles(
        &self,
        input: &Activations,
        output: &mut Output<'_>,
        sums: impl Fn(&QuantisedConv, &Activations, Tile<'_>),
    ) {
        let size = input.size();
        let tiles = size.width.div_ceil(MAX_TILE);
        let mut found = [[0; TOGETHER]; MAX_TILE];
        for block in 0..self.scales.len() {
            for row in 0..size.height {
                for tile in 0..tiles {
                    // As even as can be.
                    let column = size.width * tile / tiles;
                    let found = &mut found[..size.width * (tile + 1) / tiles - column];
                    sums(self, input, Tile { block, row, column, sums: found });
                    self.finish(Tile { block, row, column, sums: found }, size.width, output);
                }
            }
        }
    }

    /// From sums to output.
    #[inline(always)]
    fn finish(&self, tile: Tile<'_>, width: usize, output: &mut Output<'_>) {
        let (scales, biases) = (&self.scales[tile.block], &self.biases[tile.block]);
        for (column, sums) in (tile.column..).zip(&*tile.sums) {
            let (levels, add) = match output {
                Output::Numbers(numbers) => {
                    for (lane, number) in numbers[tile.row * width + column].iter_mut().enumerate()
                    {
                        *number = sums[lane] as f32 * scales[lane] + biases[lane];
                    }
                    continue;
                }
                Output::Levels(levels) => (levels, 0.0),
                Output::Added(levels) => (levels, 1.0),
            };
            let levels = &mut levels.square_mut(tile.row, column)[tile.block * TOGETHER..];
            for (lane, level) in levels[..TOGETHER].iter_mut().enumerate() {
                let number = sums[lane] as f32 * scales[lane] + biases[lane];
                let number = number + add * f32::from(*level);
                *level = nearest(number.clamp(0.0, LEVELS));
            }
        }
    }
}

/// The whole number nearest to one from 0 to 127, the even one of two: with 3 x 2^22 added the last bits of the fraction
/// are the units.
#[inline(always)]
fn nearest(number: f32) -> u8 {
    (number + 12_582_912.0).to_bits() as u8
}

/// Calls a kernel that is compiled for each length of a tile, so that its sums stay in registers.
#[cfg(target_arch = "x86_64")]
macro_rules! by_length {
    ($tile:ident => $kernel:ident $arguments:tt) => {
        match $tile.sums.len() {
            1 => $kernel::<1> $arguments,
            2 => $kernel::<2> $arguments,
            3 => $kernel::<3> $arguments,
            4 => $kernel::<4> $arguments,
            5 => $kernel::<5> $arguments,
            6 => $kernel::<6> $arguments,
            7 => $kernel::<7> $arguments,
            8 => $kernel::<8> $arguments,
            9 => $kernel::<9> $arguments,
            _ => $kernel::<{ super::MAX_TILE }> $arguments,
        }
    };
}
#[cfg(target_arch = "x86_64")]
use by_length;

/// Four levels of a square in every four bytes.
///
/// # Safety
/// There have to be four bytes at `at`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn four(input: &Activations, at: usize) -> i32 {
    debug_assert!(at + GROUP <= input.bytes().len());
    // SAFETY: the caller sees to it.
    unsafe { input.bytes().as_ptr().add(at).cast::<i32>().read_unaligned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Activation, BoardSize, Conv, Planes};

    fn draws() -> impl FnMut() -> f32 {
        let mut state = 9u32;
        move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        }
    }

    fn squares(size: BoardSize) -> impl Iterator<Item = (usize, usize)> {
        (0..size.height).flat_map(move |row| (0..size.width).map(move |column| (row, column)))
    }

    #[test]
    fn all_levels_give_the_same_and_nearly_what_the_reference_gives() {
        let mut next = draws();
        let shapes = [(3, 27, 32), (3, 64, 40), (1, 32, 32), (3, 5, 3)];
        // Rows of one tile of each length, and of two and three.
        let boards = (1..=10).map(|side| (side, 10)).chain([(13, 13), (19, 19), (25, 2)]);
        for (board, (width, height)) in boards.enumerate() {
            let (kernel, inputs, filters) = shapes[board % 4];
            let size = BoardSize { width, height };
            let shape = Shape { kernel, inputs, filters, activation: Activation::Clipped };
            let parameters: Vec<f32> =
                (0..shape.parameters()).map(|_| (next() - 0.5) / (inputs as f32).sqrt()).collect();
            let mut input = Activations::default();
            input.clear(size, inputs);
            let mut planes = Planes::new(size, inputs);
            for channel in 0..inputs {
                for (row, column) in squares(size) {
                    let level = (next() * 128.0) as u8;
                    input.square_mut(row, column)[channel] = level;
                    planes.channel_mut(channel)[row * width + column] = f32::from(level) * STEP;
                }
            }
            let (mut columns, mut expected) = (Vec::new(), Planes::default());
            Conv::new(shape, &parameters).forward(&planes, &mut columns, &mut expected);
            let layer = QuantisedConv::new(shape, &parameters, STEP, false);
            let mut first: Option<(Activations, Activations)> = None;
            for at in Level::available() {
                let mut found = Activations::default();
                layer.forward_at(at, &input, Output::Levels(&mut found));
                let mut twice = found.clone();
                layer.forward_at(at, &input, Output::Added(&mut twice));
                for (filter, numbers) in expected.channels().enumerate() {
                    for ((row, column), number) in squares(size).zip(numbers) {
                        let level = f32::from(found.square(row, column)[filter]) * STEP;
                        assert!((level - number).abs() < 3.0 * STEP, "{at:?} {level} {number}");
                    }
                }
                let first = first.get_or_insert((found.clone(), twice.clone()));
                assert_eq!((&first.0, &first.1), (&found, &twice), "{at:?}");
            }
        }
    }

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        let shape = Shape { kernel: 1, inputs: 8, filters: 2, activation: Activation::None };
        let parameters: Vec<f32> = [1.0; 8].into_iter().chain([-1.0; 8]).chain([0.0; 2]).collect();
        let layer = QuantisedConv::new(shape, &parameters, STEP, true);
        let size = BoardSize::square(10);
        let mut input = Activations::default();
        input.clear(size, 8);
        squares(size).for_each(|(row, column)| input.square_mut(row, column).fill(127));
        for level in Level::available() {
            let mut numbers = Vec::new();
            layer.forward_at(level, &input, Output::Numbers(&mut numbers));
            assert_eq!(numbers.len(), 100);
            for numbers in numbers {
                assert!((numbers[0] - 8.0 * CLIP).abs() < 1e-4, "{level:?} {}", numbers[0]);
                assert!((numbers[1] + 8.0 * CLIP).abs() < 1e-4, "{level:?} {}", numbers[1]);
            }
        }
    }

    #[test]
    fn halves_go_to_even_numbers() {
        assert_eq!([0.0, 0.5, 1.5, 2.5, 126.6, 127.0].map(nearest), [0, 0, 2, 2, 127, 127]);
    }
}
