//! Convolutions over [`Maps`], each in the way that is fastest for its kernel: what networks with many channels are made of.
//!
//! [`MapConv`] takes one or several layers that share their input, side by side. It computes all boards of a batch, and
//! each board's outputs depend on nothing but that board: not on the batch that it is in, and not on where in it.

mod patches;
mod quantise;
mod winograd;

use crate::aligned::AlignedVec;
use crate::board::BoardSize;
use crate::finish::Finish;
use crate::gemm::Kernels;
use crate::maps::{Maps, padded};
use patches::Patches;
use std::sync::Arc;
use winograd::{Tiles, Winograd};

/// Space that layers work in, which belongs to a thread, and how boards of one size are parted.
#[derive(Clone, Debug)]
pub struct Workspace {
    size: BoardSize,
    tiles: Arc<Tiles>,
    values: AlignedVec<u32>,
    sums: AlignedVec<u32>,
}

impl Workspace {
    /// Space for boards of this size.
    ///
    /// # Panics
    /// When a side is below 2.
    pub fn new(size: BoardSize) -> Workspace {
        let tiles = Arc::new(Tiles::new(size));
        Workspace { size, tiles, values: AlignedVec::zeros(0), sums: AlignedVec::zeros(0) }
    }

    /// Its boards' size.
    pub fn size(&self) -> BoardSize {
        self.size
    }
}

/// The weights of a convolution, by row and column of the kernel, input and output.
#[derive(Clone, Copy, Debug)]
pub struct MapWeights<'a> {
    /// Rows and columns, both odd.
    pub kernel: (usize, usize),
    /// Channels that come in.
    pub inputs: usize,
    /// Channels that go out.
    pub outputs: usize,
    /// The numbers.
    pub weights: &'a [f32],
}

#[cfg(test)]
impl MapWeights<'_> {
    fn get(&self, row: usize, column: usize, input: usize, output: usize) -> f32 {
        let place = row * self.kernel.1 + column;
        self.weights[(place * self.inputs + input) * self.outputs + output]
    }
}

/// One or several convolutions of the same input.
#[derive(Clone, Debug)]
pub struct MapConv {
    way: Way,
}

#[derive(Clone, Debug)]
enum Way {
    Winograd(Winograd),
    Patches(Patches),
}

impl MapConv {
    /// A layer, or several that share their input and have kernels of the same size. The outputs of each begin at a whole
    /// vector of channels.
    ///
    /// # Panics
    /// When there is none, or they differ in kernel or inputs, or have too few weights.
    pub fn new(kernels: Kernels, layers: &[MapWeights<'_>]) -> MapConv {
        let first = layers[0];
        let mut outputs = 0;
        for layer in layers {
            assert!(layer.kernel == first.kernel && layer.inputs == first.inputs);
            let (rows, columns) = layer.kernel;
            assert_eq!(layer.weights.len(), rows * columns * layer.inputs * layer.outputs);
            outputs = padded(outputs) + layer.outputs;
        }
        // Side by side, by place of the kernel, input and output.
        let rows = first.kernel.0 * first.kernel.1 * first.inputs;
        let mut weights = vec![0.0; rows * outputs];
        let mut start = 0;
        for layer in layers {
            let from = layer.weights.chunks_exact(layer.outputs);
            for (to, from) in weights.chunks_exact_mut(outputs).zip(from) {
                to[start..start + layer.outputs].copy_from_slice(from);
            }
            start = padded(start + layer.outputs);
        }
        let size = (first.inputs, outputs);
        let way = match first.kernel {
            (3, 3) => Way::Winograd(Winograd::new(kernels, size, &weights)),
            kernel => Way::Patches(Patches::new(kernels, kernel, size, &weights)),
        };
        MapConv { way }
    }

    /// Bytes of its weights as they are packed.
    pub fn bytes(&self) -> usize {
        match &self.way {
            Way::Winograd(layer) => layer.bytes(),
            Way::Patches(layer) => layer.bytes(),
        }
    }

    /// Computes the layer for all boards of some maps, and does with the sums what `finish` says.
    ///
    /// # Panics
    /// When the maps' size, boards or channels are others than the layer's, the workspace's or each other's.
    pub fn forward(&self, input: &Maps, finish: Finish<'_>, work: &mut Workspace) {
        assert_eq!(input.size(), work.size);
        match &self.way {
            Way::Winograd(layer) => {
                let tiles = work.tiles.clone();
                layer.forward(&tiles, input, finish, work);
            }
            Way::Patches(layer) => layer.forward(input, finish, work),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gemm::Numbers;
    use crate::{Activation, Norm, Sum};
    use simd::Level;

    fn draws() -> impl FnMut() -> f32 {
        let mut state = 9u32;
        move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32 - 0.5
        }
    }

    fn points(size: BoardSize) -> impl Iterator<Item = (usize, usize)> {
        (0..size.height).flat_map(move |row| (0..size.width).map(move |column| (row, column)))
    }

    /// By the definition.
    fn direct(
        input: &Maps,
        layer: &MapWeights<'_>,
        position: usize,
        (row, column): (usize, usize),
        output: usize,
    ) -> f32 {
        let size = input.size();
        let mut sum = 0.0;
        for dy in 0..layer.kernel.0 {
            for dx in 0..layer.kernel.1 {
                let (y, x) = (
                    (row + dy).wrapping_sub(layer.kernel.0 / 2),
                    (column + dx).wrapping_sub(layer.kernel.1 / 2),
                );
                if y < size.height && x < size.width {
                    for i in 0..layer.inputs {
                        sum += layer.get(dy, dx, i, output) * input.point(position, y, x)[i];
                    }
                }
            }
        }
        sum
    }

    fn all_kernels() -> Vec<Kernels> {
        let numbers = [Numbers::Float, Numbers::Int16];
        let levels = Level::available();
        levels.iter().flat_map(|&level| numbers.map(|numbers| Kernels { level, numbers })).collect()
    }

    fn random_maps(
        size: BoardSize,
        batch: usize,
        channels: usize,
        mut next: impl FnMut() -> f32,
    ) -> Maps {
        let mut maps = Maps::new(size, batch, channels);
        for position in 0..batch {
            for (row, column) in points(size) {
                for number in &mut maps.point_mut(position, row, column)[..channels] {
                    *number = next().max(-0.1);
                }
            }
        }
        maps
    }

    #[test]
    fn layers_are_what_they_are_by_definition() {
        let mut next = draws();
        let squares = [2, 3, 4, 5, 6, 7, 9, 10, 13, 19].map(BoardSize::square);
        let sizes = squares
            .into_iter()
            .chain([BoardSize { width: 13, height: 2 }, BoardSize { width: 5, height: 11 }]);
        let forms = [((3, 3), 16, 16), ((3, 3), 20, 41), ((1, 1), 7, 40), ((5, 3), 9, 17)];
        for (at, size) in sizes.enumerate() {
            for (kernel, inputs, outputs) in [forms[0], forms[1], forms[2 + at % 2]] {
                let input = random_maps(size, 3, inputs, &mut next);
                let weights: Vec<f32> =
                    (0..kernel.0 * kernel.1 * inputs * outputs).map(|_| next()).collect();
                let layer = MapWeights { kernel, inputs, outputs, weights: &weights };
                for kernels in all_kernels() {
                    let mut work = Workspace::new(size);
                    let conv = MapConv::new(kernels, &[layer]);
                    let mut out = Maps::new(size, 3, outputs);
                    let finish = Finish { sum: Some(Sum::Write(&mut out)), ..Finish::default() };
                    conv.forward(&input, finish, &mut work);
                    let near = if kernels.numbers == Numbers::Float { 3e-5 } else { 4e-3 };
                    for position in 0..3 {
                        for at in points(size) {
                            let found = out.point(position, at.0, at.1);
                            for (output, found) in found.iter().enumerate().take(outputs) {
                                let expected = direct(&input, &layer, position, at, output);
                                assert!(
                                    (found - expected).abs() < near,
                                    "{kernels:?} {size:?} {kernel:?} {at:?} {output}: {found} {expected}"
                                );
                            }
                            assert!(found[outputs..].iter().all(|&beyond| beyond == 0.0));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_board_gives_the_same_in_any_batch() {
        let mut next = draws();
        for size in [BoardSize::square(9), BoardSize::square(13)] {
            for kernel in [(3, 3), (1, 1)] {
                let input = random_maps(size, 11, 32, &mut next);
                let weights: Vec<f32> =
                    (0..kernel.0 * kernel.1 * 32 * 32).map(|_| next()).collect();
                let layer = MapWeights { kernel, inputs: 32, outputs: 32, weights: &weights };
                for kernels in all_kernels() {
                    let mut work = Workspace::new(size);
                    let conv = MapConv::new(kernels, &[layer]);
                    let mut out = Maps::new(size, 11, 32);
                    let finish = Finish { sum: Some(Sum::Write(&mut out)), ..Finish::default() };
                    conv.forward(&input, finish, &mut work);
                    for position in [0, 4, 10] {
                        let (mut one, mut alone) = (Maps::new(size, 1, 32), Maps::new(size, 1, 32));
                        for (row, column) in points(size) {
                            one.point_mut(0, row, column)
                                .copy_from_slice(input.point(position, row, column));
                        }
                        let finish =
                            Finish { sum: Some(Sum::Write(&mut alone)), ..Finish::default() };
                        conv.forward(&one, finish, &mut work);
                        for (row, column) in points(size) {
                            assert_eq!(
                                alone.point(0, row, column),
                                out.point(position, row, column)
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn several_layers_share_their_input_and_sums_are_finished() {
        let mut next = draws();
        let size = BoardSize { width: 7, height: 5 };
        let input = random_maps(size, 2, 16, &mut next);
        let (a, b): (Vec<f32>, Vec<f32>) =
            ((0..9 * 16 * 5).map(|_| next()).collect(), (0..9 * 16 * 24).map(|_| next()).collect());
        let layers = [
            MapWeights { kernel: (3, 3), inputs: 16, outputs: 5, weights: &a },
            MapWeights { kernel: (3, 3), inputs: 16, outputs: 24, weights: &b },
        ];
        let factors: Vec<f32> = (0..40).map(|_| next()).collect();
        let shifts: Vec<f32> = (0..40).map(|_| next()).collect();
        let bias: Vec<f32> = (0..2 * 48).map(|_| next()).collect();
        for activation in [Activation::None, Activation::Relu, Activation::Mish, Activation::Silu] {
            let norm = Norm::new(&factors, &shifts, activation);
            for kernels in all_kernels().into_iter().filter(|k| k.numbers == Numbers::Float) {
                let conv = MapConv::new(kernels, &layers);
                let mut work = Workspace::new(size);
                let before = random_maps(size, 2, 40, draws());
                let (mut sum, mut activated) = (before.clone(), Maps::new(size, 2, 40));
                let finish = Finish {
                    bias: Some(&bias),
                    sum: Some(Sum::Add(&mut sum)),
                    activated: Some((&mut activated, &norm)),
                };
                conv.forward(&input, finish, &mut work);
                for position in 0..2 {
                    for at in points(size) {
                        for (channel, (layer, output)) in (0..5)
                            .map(|o| (o, (&layers[0], o)))
                            .chain((0..24).map(|o| (16 + o, (&layers[1], o))))
                        {
                            let mut expected = direct(&input, layer, position, at, output)
                                + bias[position * 48 + channel];
                            expected += before.point(position, at.0, at.1)[channel];
                            let found = sum.point(position, at.0, at.1)[channel];
                            assert!(
                                (found - expected).abs() < 3e-5,
                                "{kernels:?} {found} {expected}"
                            );
                            let mut expected = [expected * factors[channel] + shifts[channel]];
                            activation.apply(&mut expected);
                            let found = activated.point(position, at.0, at.1)[channel];
                            assert!(
                                (found - expected[0]).abs() < 3e-5,
                                "{kernels:?} {activation:?}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_largest_whole_numbers_do_not_overflow() {
        let size = BoardSize::square(4);
        let weights = vec![1.0; 9 * 256 * 16];
        let layer = MapWeights { kernel: (3, 3), inputs: 256, outputs: 16, weights: &weights };
        let mut input = Maps::new(size, 1, 256);
        for kernels in all_kernels().into_iter().filter(|k| k.numbers == Numbers::Int16) {
            let mut work = Workspace::new(size);
            points(size).for_each(|(row, column)| input.point_mut(0, row, column).fill(1.0));
            let conv = MapConv::new(kernels, &[layer]);
            // A hundred times what was seen is cut off, and does not turn to the other sign.
            points(size).for_each(|(row, column)| input.point_mut(0, row, column).fill(100.0));
            let mut out = Maps::new(size, 1, 16);
            let finish = Finish { sum: Some(Sum::Write(&mut out)), ..Finish::default() };
            conv.forward(&input, finish, &mut work);
            let found = out.point(0, 1, 1)[0];
            assert!(found > 2000.0, "{kernels:?} {found}");
        }
    }
}
