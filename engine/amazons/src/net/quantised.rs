//! Convolutions in whole numbers, several times as fast as those of [`super::conv`].
//!
//! What goes from layer to layer lies between 0 and [`CLIP`], which training sees to, and is kept in 127 levels; a weight
//! is a number from -127 to 127 times the scale of its filter. Seven bits rather than eight, since two products of such
//! numbers still fit into the 16 bits in which AVX2 adds them. Sums are whole numbers, and everything else is done in the
//! same order everywhere, so all vectors and plain code give the same numbers to the last bit, on every machine.
//!
//! Boards lie square by square, the channels of a square side by side, with a border of zeros.

use super::conv::Shape;
use super::planes::{AREA, SIDE};
use super::vectors::Vectors;

/// Numbers between layers are cut off here.
pub const CLIP: f32 = 4.0;
/// The highest level.
const LEVELS: f32 = 127.0;
/// What one level is worth.
pub const STEP: f32 = CLIP / LEVELS;
/// Filters that are computed together: two of the widest vectors.
pub const TOGETHER: usize = 32;
/// Inputs that one instruction multiplies and adds for each filter.
const GROUP: usize = 4;
/// Squares in a row with the border.
const WIDE: usize = SIDE + 2;

/// The sums of a row of squares.
type Sums = [[i32; TOGETHER]; SIDE];

/// Weights of the filters that are computed together, for one place of the kernel and one group of inputs: filter by
/// filter, and of each its inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
struct Line([i8; TOGETHER * GROUP]);

/// A board of levels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Levels {
    channels: usize,
    bytes: Vec<u8>,
}

impl Levels {
    /// Makes it an empty board of so many channels, which are rounded up to whole groups.
    pub fn clear(&mut self, channels: usize) {
        self.channels = channels.next_multiple_of(GROUP);
        self.bytes.clear();
        self.bytes.resize(WIDE * WIDE * self.channels, 0);
    }

    /// Makes it a board of so many channels whose squares hold anything and whose border is empty.
    fn prepare(&mut self, channels: usize) {
        if self.channels != channels || self.bytes.is_empty() {
            self.clear(channels);
        }
    }

    /// Where the channels of a square begin, by the patent's number of it.
    fn at(&self, square: usize) -> usize {
        ((square / SIDE + 1) * WIDE + square % SIDE + 1) * self.channels
    }

    /// Sets a level.
    ///
    /// # Panics
    /// When there is no such square or channel.
    #[inline]
    pub fn set(&mut self, square: usize, channel: usize, level: u8) {
        let at = self.at(square);
        self.bytes[at..at + self.channels][channel] = level;
    }

    /// The sum of the levels of each channel over all squares.
    pub fn sums(&self, out: &mut Vec<u32>) {
        // At most 100 times 127, which 16 bits hold.
        let mut sums = vec![0u16; self.channels];
        for square in 0..AREA {
            let at = self.at(square);
            for (sum, &level) in sums.iter_mut().zip(&self.bytes[at..at + self.channels]) {
                *sum += u16::from(level);
            }
        }
        out.clear();
        out.extend(sums.into_iter().map(u32::from));
    }
}

/// What becomes of a layer's output.
#[derive(Debug)]
pub enum Output<'a> {
    /// It is cut off and goes to the next layer.
    Levels(&'a mut Levels),
    /// It is added to what is there, and then cut off.
    Added(&'a mut Levels),
    /// It stays what it is; the numbers of a square side by side. For layers of at most [`TOGETHER`] filters.
    Numbers(&'a mut Vec<[f32; TOGETHER]>),
}

/// A layer with its weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    kernel: usize,
    groups: usize,
    /// By block of filters, place of the kernel and group of inputs.
    lines: Vec<Line>,
    /// What a weight's unit is worth, in levels or in numbers, and the bias, by block of filters.
    scales: Vec<[f32; TOGETHER]>,
    biases: Vec<[f32; TOGETHER]>,
}

impl Layer {
    /// A layer of parameters in the order of the frameworks, as in [`super::conv::Conv::new`]. `unit` is what the input's
    /// level 1 stands for; the output is told in levels, or in numbers if it is a last layer.
    pub fn new(shape: Shape, parameters: &[f32], unit: f32, last: bool) -> Layer {
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
            let most = weights.iter().fold(0.0f32, |most, weight| most.max(weight.abs()));
            let scale = if most > 0.0 { most / LEVELS } else { 1.0 };
            for (input, weights) in weights.chunks_exact(places).enumerate() {
                for (place, weight) in weights.iter().enumerate() {
                    let line = &mut lines[(block * places + place) * groups + input / GROUP];
                    line.0[lane * GROUP + input % GROUP] = (weight / scale).round() as i8;
                }
            }
            layer_scales[block][lane] = scale * unit / told;
            layer_biases[block][lane] = biases[filter] / told;
        }
        Layer { kernel, groups, lines, scales: layer_scales, biases: layer_biases }
    }

    /// Channels of the output: the filters, rounded up to whole blocks.
    pub fn channels(&self) -> usize {
        self.scales.len() * TOGETHER
    }

    /// Computes the layer.
    ///
    /// # Panics
    /// When the input has fewer channels than the layer.
    pub fn forward(&self, input: &Levels, output: Output<'_>) {
        self.forward_with(Vectors::for_bytes(), input, output);
    }

    fn forward_with(&self, vectors: Vectors, input: &Levels, mut output: Output<'_>) {
        assert!(
            input.channels >= self.groups * GROUP
                && input.bytes.len() == WIDE * WIDE * input.channels
        );
        match &mut output {
            Output::Levels(levels) => levels.prepare(self.channels()),
            Output::Added(levels) => assert_eq!(levels.channels, self.channels()),
            Output::Numbers(numbers) => {
                assert_eq!(self.channels(), TOGETHER);
                numbers.resize(AREA, [0.0; TOGETHER]);
            }
        }
        match vectors {
            Vectors::Plain => self.rows(input, &mut output, plain),
            // SAFETY: these vectors are chosen only where the processor was found to have them; in tests likewise.
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx2 => unsafe { wide::avx2_rows(self, input, &mut output) },
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512 => unsafe { wide::avx512_rows(self, input, &mut output) },
        }
    }

    /// The lines of a block of filters.
    fn block(&self, block: usize) -> &[Line] {
        let size = self.kernel * self.kernel * self.groups;
        &self.lines[block * size..(block + 1) * size]
    }

    /// Where in the input the square lies that one place of the kernel sees from the first square of a row.
    fn start(&self, input: &Levels, row: usize, place: usize) -> usize {
        let margin = self.kernel / 2;
        let (down, right) = (place / self.kernel, place % self.kernel);
        ((row + 1 + down - margin) * WIDE + 1 + right - margin) * input.channels
    }

    /// Row by row, the sums found in some way.
    #[inline(always)]
    fn rows(
        &self,
        input: &Levels,
        output: &mut Output<'_>,
        sums: impl Fn(&Layer, &Levels, usize, usize, &mut Sums),
    ) {
        let mut found = [[0; TOGETHER]; SIDE];
        for block in 0..self.scales.len() {
            for row in 0..SIDE {
                sums(self, input, block, row, &mut found);
                self.finish(block, row, &found, output);
            }
        }
    }

    /// From sums to output.
    #[inline(always)]
    fn finish(&self, block: usize, row: usize, sums: &Sums, output: &mut Output<'_>) {
        let (scales, biases) = (&self.scales[block], &self.biases[block]);
        for (column, sums) in sums.iter().enumerate() {
            let square = row * SIDE + column;
            let (levels, add) = match output {
                Output::Numbers(numbers) => {
                    for (lane, number) in numbers[square].iter_mut().enumerate() {
                        *number = sums[lane] as f32 * scales[lane] + biases[lane];
                    }
                    continue;
                }
                Output::Levels(levels) => (levels, 0.0),
                Output::Added(levels) => (levels, 1.0),
            };
            let at = levels.at(square) + block * TOGETHER;
            for (lane, level) in levels.bytes[at..at + TOGETHER].iter_mut().enumerate() {
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

fn plain(layer: &Layer, input: &Levels, block: usize, row: usize, sums: &mut Sums) {
    *sums = [[0; TOGETHER]; SIDE];
    for (place, lines) in layer.block(block).chunks_exact(layer.groups).enumerate() {
        let start = layer.start(input, row, place);
        for (column, sums) in sums.iter_mut().enumerate() {
            let square = &input.bytes[start + column * input.channels..];
            for (line, levels) in lines.iter().zip(square.chunks_exact(GROUP)) {
                for (sum, weights) in sums.iter_mut().zip(line.0.chunks_exact(GROUP)) {
                    for (&level, &weight) in levels.iter().zip(weights) {
                        *sum += i32::from(level) * i32::from(weight);
                    }
                }
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::*;

    use super::{GROUP, Layer, Levels, Output, SIDE, Sums, TOGETHER};

    /// Four levels of a square in every four bytes.
    ///
    /// # Safety
    /// There have to be four bytes at `at`.
    #[inline(always)]
    unsafe fn four(input: &Levels, at: usize) -> i32 {
        debug_assert!(at + GROUP <= input.bytes.len());
        // SAFETY: the caller sees to it.
        unsafe { input.bytes.as_ptr().add(at).cast::<i32>().read_unaligned() }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    pub(super) fn avx512_rows(layer: &Layer, input: &Levels, output: &mut Output<'_>) {
        layer.rows(input, output, |layer, input, block, row, sums| {
            avx512(layer, input, block, row, sums);
        });
    }

    /// The sums of a row: all of them stay in registers.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
    fn avx512(layer: &Layer, input: &Levels, block: usize, row: usize, sums: &mut Sums) {
        let mut found = [[_mm512_setzero_si512(); 2]; SIDE];
        for (place, lines) in layer.block(block).chunks_exact(layer.groups).enumerate() {
            let start = layer.start(input, row, place);
            assert!(start + (SIDE - 1) * input.channels + lines.len() * GROUP <= input.bytes.len());
            for (group, line) in lines.iter().enumerate() {
                let at = line.0.as_ptr().cast::<__m512i>();
                // SAFETY: a line is two vectors, and aligned; the levels' end was just looked at.
                let (low, high) = unsafe { (_mm512_load_si512(at), _mm512_load_si512(at.add(1))) };
                for (column, found) in found.iter_mut().enumerate() {
                    let levels =
                        unsafe { four(input, start + column * input.channels + group * GROUP) };
                    let levels = _mm512_set1_epi32(levels);
                    found[0] = _mm512_dpbusd_epi32(found[0], levels, low);
                    found[1] = _mm512_dpbusd_epi32(found[1], levels, high);
                }
            }
        }
        for (sums, found) in sums.iter_mut().zip(found) {
            for (part, found) in sums.chunks_exact_mut(16).zip(found) {
                // SAFETY: the part has sixteen numbers.
                unsafe { _mm512_storeu_si512(part.as_mut_ptr().cast(), found) };
            }
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn avx2_rows(layer: &Layer, input: &Levels, output: &mut Output<'_>) {
        layer.rows(input, output, |layer, input, block, row, sums| {
            avx2(layer, input, block, row, sums);
        });
    }

    /// The sums of a row, eight filters at a time.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn avx2(layer: &Layer, input: &Levels, block: usize, row: usize, sums: &mut Sums) {
        let ones = _mm256_set1_epi16(1);
        for part in (0..TOGETHER).step_by(8) {
            let mut found = [_mm256_setzero_si256(); SIDE];
            for (place, lines) in layer.block(block).chunks_exact(layer.groups).enumerate() {
                let start = layer.start(input, row, place);
                assert!(
                    start + (SIDE - 1) * input.channels + lines.len() * GROUP <= input.bytes.len()
                );
                for (group, line) in lines.iter().enumerate() {
                    let weights = &line.0[part * GROUP..(part + 8) * GROUP];
                    // SAFETY: these are 32 bytes; the levels' end was just looked at.
                    let weights = unsafe { _mm256_loadu_si256(weights.as_ptr().cast()) };
                    for (column, found) in found.iter_mut().enumerate() {
                        let levels =
                            unsafe { four(input, start + column * input.channels + group * GROUP) };
                        let pairs = _mm256_maddubs_epi16(_mm256_set1_epi32(levels), weights);
                        *found = _mm256_add_epi32(*found, _mm256_madd_epi16(pairs, ones));
                    }
                }
            }
            for (sums, found) in sums.iter_mut().zip(found) {
                // SAFETY: eight numbers.
                unsafe { _mm256_storeu_si256(sums[part..part + 8].as_mut_ptr().cast(), found) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::conv::{Activation, Conv};
    use crate::net::gemm::{COLUMNS, Row};

    fn draws() -> impl FnMut() -> f32 {
        let mut state = 9u32;
        move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        }
    }

    #[test]
    fn all_vectors_give_the_same_and_nearly_what_the_reference_gives() {
        let mut next = draws();
        for (kernel, inputs, filters) in [(3, 27, 32), (3, 64, 40), (1, 32, 32), (3, 5, 3)] {
            let shape = Shape { kernel, inputs, filters, activation: Activation::Clipped };
            let parameters: Vec<f32> =
                (0..shape.parameters()).map(|_| (next() - 0.5) / (inputs as f32).sqrt()).collect();
            let mut input = Levels::default();
            input.clear(inputs);
            let mut rows: Vec<Row> = vec![[0.0; COLUMNS]; inputs];
            for (channel, row) in rows.iter_mut().enumerate() {
                for (square, number) in row[..AREA].iter_mut().enumerate() {
                    let level = (next() * 128.0) as u8;
                    input.set(square, channel, level);
                    *number = f32::from(level) * STEP;
                }
            }
            let (mut columns, mut expected) = (Vec::new(), Vec::new());
            Conv::new(shape, &parameters).forward(&rows, &mut columns, &mut expected);
            let layer = Layer::new(shape, &parameters, STEP, false);
            let mut first: Option<(Levels, Levels)> = None;
            for kind in Vectors::for_bytes().and_below() {
                let mut found = Levels::default();
                layer.forward_with(kind, &input, Output::Levels(&mut found));
                let mut twice = found.clone();
                layer.forward_with(kind, &input, Output::Added(&mut twice));
                for (filter, row) in expected.iter().enumerate() {
                    for (square, number) in row[..AREA].iter().enumerate() {
                        let level = f32::from(found.bytes[found.at(square) + filter]) * STEP;
                        assert!((level - number).abs() < 3.0 * STEP, "{kind:?} {level} {number}");
                    }
                }
                let first = first.get_or_insert((found.clone(), twice.clone()));
                assert_eq!((&first.0, &first.1), (&found, &twice), "{kind:?}");
            }
        }
    }

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        let shape = Shape { kernel: 1, inputs: 8, filters: 2, activation: Activation::None };
        let parameters: Vec<f32> = (0..shape.parameters())
            .map(|at| {
                if at < 8 {
                    1.0
                } else if at < 16 {
                    -1.0
                } else {
                    0.0
                }
            })
            .collect();
        let layer = Layer::new(shape, &parameters, STEP, true);
        let mut input = Levels::default();
        input.clear(8);
        (0..AREA).for_each(|square| (0..8).for_each(|channel| input.set(square, channel, 127)));
        for kind in Vectors::for_bytes().and_below() {
            let mut numbers = Vec::new();
            layer.forward_with(kind, &input, Output::Numbers(&mut numbers));
            for numbers in numbers {
                assert!((numbers[0] - 8.0 * CLIP).abs() < 1e-4, "{kind:?} {}", numbers[0]);
                assert!((numbers[1] + 8.0 * CLIP).abs() < 1e-4, "{kind:?} {}", numbers[1]);
            }
        }
        let mut sums = Vec::new();
        input.sums(&mut sums);
        assert_eq!(sums, [12_700; 8]);
    }

    #[test]
    fn halves_go_to_even_numbers() {
        assert_eq!([0.0, 0.5, 1.5, 2.5, 126.6, 127.0].map(nearest), [0, 0, 2, 2, 127, 127]);
    }
}
