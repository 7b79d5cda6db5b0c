//! Products of matrices for layers over many points: rows of numbers, one a point or tile, times packed weights.
//!
//! Two kinds of numbers: floats, and whole numbers of 16 bits whose products are added in 32 ([`Numbers`]). Either way a
//! *step* is four bytes, one float or two whole numbers, and one instruction takes a step of a row, in every lane, times a
//! vector of weights. So both share everything but that instruction.
//!
//! Weights are packed in *panels* of at most three vectors of outputs, and of each panel step by step. A kernel keeps the
//! sums of some rows and a panel in registers until all steps are done. Each sum is added up in the order of the steps, so
//! that it depends on nothing but its own row: not on how many rows there are, nor on how they are parted.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod kernel;
mod scalar;

use simd::Level;

/// What products are computed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Numbers {
    /// 32-bit floats.
    Float,
    /// Whole numbers of 16 bits, with sums of 32 bits.
    Int16,
}

/// The most vectors of outputs in a panel.
const MAX_VECTORS: usize = 3;

/// The kernels that products are computed by: a level of vectors, and a kind of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernels {
    /// Which vectors.
    pub level: Level,
    /// Which numbers.
    pub numbers: Numbers,
}

impl std::fmt::Display for Kernels {
    /// Such as `16-bit whole numbers, AVX-512`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let numbers = match self.numbers {
            Numbers::Float => "floats",
            Numbers::Int16 => "16-bit whole numbers",
        };
        let level = match self.level {
            level if level.has_avx512() => "AVX-512",
            level if level.has_avx2() => "AVX2",
            _ => "no vectors",
        };
        write!(f, "{numbers}, {level}")
    }
}

impl Kernels {
    /// How many outputs a vector holds.
    pub(crate) fn lanes(self) -> usize {
        if self.level.has_avx512() { 16 } else { 8 }
    }

    /// The most vectors of a panel that pay.
    fn widest_panel(self) -> usize {
        match self.level {
            level if level.has_avx512() => 3,
            level if level.has_avx2() => 2,
            _ => 1,
        }
    }

    /// Steps that so many inputs take.
    pub(crate) fn steps(self, inputs: usize) -> usize {
        match self.numbers {
            Numbers::Float => inputs,
            Numbers::Int16 => inputs.div_ceil(2),
        }
    }

    /// The vectors of outputs of each panel that so many outputs are parted into.
    pub(crate) fn panels(self, outputs: usize) -> Vec<usize> {
        let vectors = outputs.div_ceil(self.lanes());
        let widest = self.widest_panel();
        let panels = vectors.div_ceil(widest);
        // As even as can be, the wider ones first.
        (0..panels).map(|at| (vectors + panels - 1 - at) / panels).collect()
    }
}

/// Rows that are multiplied: where each begins, in steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<'a> {
    /// The numbers, in steps of four bytes.
    pub(crate) steps: &'a [u32],
    /// From the beginning of one row to that of the next.
    pub(crate) stride: usize,
    pub(crate) count: usize,
}

/// A panel of weights: for each step a few vectors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Panel<'a> {
    pub(crate) weights: &'a [u32],
    pub(crate) vectors: usize,
    /// How many steps.
    pub(crate) steps: usize,
}

/// Computes the products of rows with a panel of weights into `out`, row by row, a row as wide as the panel. They are
/// floats, or whole numbers of 32 bits.
///
/// # Panics
/// When rows, panel or `out` are shorter than said, or panel or `out` do not begin at a whole vector.
pub(crate) fn multiply(kernels: Kernels, rows: Rows<'_>, panel: Panel<'_>, out: &mut [u32]) {
    let width = panel.vectors * kernels.lanes();
    let (steps, count) = (panel.steps, rows.count);
    assert!(panel.weights.len() >= steps * width && out.len() >= count * width);
    assert!(count == 0 || rows.steps.len() >= (count - 1) * rows.stride + steps);
    assert!((1..=MAX_VECTORS).contains(&panel.vectors));
    let is_aligned = |address: usize| address.is_multiple_of(4 * kernels.lanes());
    assert!(is_aligned(panel.weights.as_ptr() as usize) && is_aligned(out.as_ptr() as usize));
    match kernels.numbers {
        Numbers::Float => {
            simd::dispatch!(kernels.level => avx512 | avx2 | scalar: floats(rows, panel, out));
        }
        Numbers::Int16 => {
            simd::dispatch!(kernels.level => avx512 | avx2 | scalar: int16(rows, panel, out));
        }
    }
}

/// How many steps of weights so many inputs and outputs are packed into.
pub(crate) fn packed_len(kernels: Kernels, (inputs, outputs): (usize, usize)) -> usize {
    kernels.steps(inputs) * kernels.panels(outputs).iter().sum::<usize>() * kernels.lanes()
}

/// Packs one panel of weights, which stand by input and output. It begins at an output. Whole numbers are the weights
/// multiplied with their output's scale and rounded.
pub(crate) fn pack(
    kernels: Kernels,
    weights: &[f32],
    scales: &[f32],
    first: usize,
    (steps, into): (usize, &mut [u32]),
) {
    let outputs = scales.len();
    let scales = &scales[first..];
    let row = |input: usize| match weights.get(input * outputs..(input + 1) * outputs) {
        Some(row) => &row[first..],
        None => &[],
    };
    let whole = |row: &[f32], output: usize| match row.get(output) {
        Some(weight) => u32::from((weight * scales[output]).round_ties_even() as i16 as u16),
        None => 0,
    };
    let width = into.len() / steps;
    for (step, line) in into.chunks_exact_mut(width).enumerate() {
        match kernels.numbers {
            Numbers::Float => {
                for (packed, weight) in line.iter_mut().zip(row(step)) {
                    *packed = weight.to_bits();
                }
            }
            Numbers::Int16 => {
                let (low, high) = (row(2 * step), row(2 * step + 1));
                for (output, packed) in line.iter_mut().enumerate() {
                    *packed = whole(low, output) | whole(high, output) << 16;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aligned::AlignedVec;

    fn draws() -> impl FnMut() -> f32 {
        let mut state = 9u32;
        move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32 - 0.5
        }
    }

    #[test]
    fn products_are_what_they_are_by_definition() {
        let mut next = draws();
        for (count, inputs, outputs) in
            (1..30).map(|count| (count, 6, 41)).chain([(25, 96, 96), (7, 33, 16), (1, 2, 300)])
        {
            let weights: Vec<f32> = (0..inputs * outputs).map(|_| next()).collect();
            let numbers: Vec<f32> = (0..inputs * count).map(|_| next()).collect();
            for numbers_kind in [Numbers::Float, Numbers::Int16] {
                for level in Level::available() {
                    let kernels = Kernels { level, numbers: numbers_kind };
                    check(kernels, (count, inputs, outputs), &weights, &numbers);
                }
            }
        }
    }

    fn check(
        kernels: Kernels,
        (count, inputs, outputs): (usize, usize, usize),
        weights: &[f32],
        numbers: &[f32],
    ) {
        let whole = |number: f32| (number * 16000.0).round_ties_even() as i16;
        let mut packed = AlignedVec::zeros(packed_len(kernels, (inputs, outputs)));
        let scales = vec![16000.0; outputs];
        let steps = kernels.steps(inputs);
        let (mut first, mut from) = (0, 0);
        for vectors in kernels.panels(outputs) {
            let width = vectors * kernels.lanes();
            let to = &mut packed[from..from + steps * width];
            pack(kernels, weights, &scales, first, (steps, to));
            first += width;
            from += steps * width;
        }
        // A stride that is longer than a row.
        let stride = steps + 3;
        let mut rows = vec![0u32; count * stride];
        for (row, numbers) in rows.chunks_exact_mut(stride).zip(numbers.chunks_exact(inputs)) {
            for (input, &number) in numbers.iter().enumerate() {
                match kernels.numbers {
                    Numbers::Float => row[input] = number.to_bits(),
                    Numbers::Int16 => {
                        row[input / 2] |= u32::from(whole(number) as u16) << (16 * (input % 2));
                    }
                }
            }
        }
        let mut first = 0;
        let mut from = 0;
        for vectors in kernels.panels(outputs) {
            let width = vectors * kernels.lanes();
            let panel = Panel { weights: &packed[from..], vectors, steps };
            let mut out = AlignedVec::<u32>::zeros(count * width);
            out.fill(7);
            multiply(kernels, Rows { steps: &rows, stride, count }, panel, &mut out);
            for (row, numbers) in out.chunks_exact(width).zip(numbers.chunks_exact(inputs)) {
                for (output, &found) in (first..outputs).zip(row) {
                    let weight = |input: usize| weights[input * outputs + output];
                    match kernels.numbers {
                        Numbers::Float => {
                            let sum: f32 =
                                numbers.iter().enumerate().map(|(i, n)| n * weight(i)).sum();
                            assert!((f32::from_bits(found) - sum).abs() < 1e-5, "{kernels:?}");
                        }
                        Numbers::Int16 => {
                            let each = numbers.iter().enumerate();
                            let product = |(i, &n): (usize, &f32)| {
                                i32::from(whole(n)) * i32::from(whole(weight(i)))
                            };
                            let sum: i32 = each.map(product).fold(0, i32::wrapping_add);
                            assert_eq!(found as i32, sum, "{kernels:?}");
                        }
                    }
                }
            }
            first += width;
            from += steps * width;
        }
        assert_eq!(from, packed.len());
    }

    #[test]
    #[ignore = "a measurement"]
    fn how_fast_each_panel_is() {
        for numbers in [Numbers::Float, Numbers::Int16] {
            for level in Level::available() {
                let kernels = Kernels { level, numbers };
                for (count, inputs) in
                    [(4, 96), (9, 96), (16, 96), (25, 96), (36, 96), (48, 96), (25, 256)]
                {
                    for vectors in 1..=kernels.widest_panel() {
                        let steps = kernels.steps(inputs);
                        let width = vectors * kernels.lanes();
                        let weights = AlignedVec::<u32>::zeros(steps * width);
                        let rows = AlignedVec::<u32>::zeros(count * steps);
                        let mut out = AlignedVec::<u32>::zeros(count * width);
                        let repeat = 20_000_000 / (count * inputs * width) + 1;
                        let mut best = f64::MAX;
                        for _ in 0..12 {
                            let start = std::time::Instant::now();
                            for _ in 0..repeat {
                                let panel = Panel { weights: &weights, vectors, steps };
                                multiply(
                                    kernels,
                                    Rows { steps: &rows, stride: steps, count },
                                    panel,
                                    &mut out,
                                );
                            }
                            best = best.min(start.elapsed().as_secs_f64());
                        }
                        let rate = (count * inputs * width * repeat) as f64 / best / 1e9;
                        eprintln!(
                            "{kernels:?} rows {count} inputs {inputs} vectors {vectors}: {rate:.1} G"
                        );
                    }
                }
            }
        }
    }
}
