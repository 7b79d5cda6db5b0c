//! What networks are made of, for any game and any board: the forward pass on a processor, without a library.
//!
//! * [`Conv`]: a convolution in floats over [`Planes`], by way of [`matmul`]; what training means and what networks are
//!   checked against.
//! * [`QuantisedConv`]: the same in 8-bit whole numbers over [`Activations`], several times as fast; what plays.
//! * [`dense`]: fully connected layers and softmax.
//! * [`mod@file`]: the bytes in which a network is kept.
//! * [`parameters`]: the flat row of numbers that a network is made from, read layer by layer or drawn at random.
//!
//! Architectures and input planes belong to the games. A board's size is told at run time ([`BoardSize`]); a batch is
//! computed layer by layer, board after board, so that a layer's weights stay in the processor's cache. Everything written
//! for vectors stands once for each level of [`simd`], in modules named after it, and takes the level as an argument in
//! tests.
//!
//! ```
//! use nn::{Activation, BoardSize, Conv, Planes, Shape};
//! let size = BoardSize { width: 9, height: 9 };
//! let shape = Shape { kernel: 3, inputs: 1, filters: 1, activation: Activation::None };
//! // All nine weights are 1, the bias is 0.
//! let mut parameters = vec![1.0; 9];
//! parameters.push(0.0);
//! let mut input = Planes::new(size, 1);
//! input.channel_mut(0).fill(1.0);
//! let (mut columns, mut output) = Default::default();
//! Conv::new(shape, &parameters).forward(&input, &mut columns, &mut output);
//! // A corner has three neighbours, the second point six: off the board there is nothing.
//! assert_eq!(output.channel(0)[..2], [4.0, 6.0]);
//! ```

mod activation;
mod aligned;
mod board;
mod conv;
pub mod dense;
pub mod file;
mod finish;
mod gemm;
mod map_conv;
mod maps;
pub mod matmul;
pub mod parameters;
mod plane_conv;
mod pooling;
pub mod quantised;

pub use activation::{Activation, CLIP};
pub use board::{BoardSize, Planes};
pub use conv::{Conv, Shape};
pub use dense::{MatMul, dot, softmax};
pub use finish::{Finish, Norm, Sum};
pub use gemm::{Kernels, Numbers};
pub use map_conv::{MapConv, MapWeights, Workspace};
pub use maps::Maps;
pub use parameters::{ParameterError, RandomParameters};
pub use plane_conv::{PlaneConv, PlaneSpace};
pub use pooling::{Pooled, Pooling, normalise};
pub use quantised::{Activations, Output, QuantisedConv};
