//! The parameters as tensors, piece by piece, as far as a loss asks for them.

use std::cell::RefCell;
use std::ops::Range;

use burn_tensor::{Device, Gradients, Tensor, TensorData};

/// Pieces of the flat parameters, made into tensors when they are first asked for.
pub struct Leaves<'a> {
    parameters: &'a [f32],
    device: &'a Device,
    ranges: &'a [Range<usize>],
    made: RefCell<Vec<Option<Tensor<1>>>>,
}

impl<'a> Leaves<'a> {
    /// Nothing is made yet. The device decides whether gradients are kept.
    pub fn new(
        parameters: &'a [f32],
        ranges: &'a [Range<usize>],
        device: &'a Device,
    ) -> Leaves<'a> {
        Leaves { parameters, device, ranges, made: RefCell::new(vec![None; ranges.len()]) }
    }

    /// A piece as a tensor of a shape that has as many numbers.
    pub fn get<const D: usize>(&self, piece: usize, shape: [usize; D]) -> Tensor<D> {
        let mut made = self.made.borrow_mut();
        let leaf = made[piece].get_or_insert_with(|| {
            let numbers = self.parameters[self.ranges[piece].clone()].to_vec();
            let length = numbers.len();
            let leaf = Tensor::<1>::from_data(TensorData::new(numbers, [length]), self.device);
            if self.device.is_autodiff() { leaf.require_grad() } else { leaf }
        });
        leaf.clone().reshape(shape)
    }

    /// The gradients of the pieces that were asked for, with the places in the flat parameters where they belong.
    pub fn gradients(&self, gradients: &Gradients) -> Vec<(Range<usize>, Vec<f32>)> {
        let made = self.made.borrow();
        let pieces = made.iter().zip(self.ranges);
        pieces
            .filter_map(|(leaf, range)| {
                let gradient = leaf.as_ref()?.grad(gradients)?;
                let numbers = gradient.into_data().try_to_vec::<f32>().ok()?;
                Some((range.clone(), numbers))
            })
            .collect()
    }
}

/// Ranges of pieces that lie one behind another.
pub fn ranges(lengths: impl IntoIterator<Item = usize>) -> Vec<Range<usize>> {
    let mut at = 0;
    let next = |length| {
        at += length;
        at - length..at
    };
    lengths.into_iter().map(next).collect()
}
