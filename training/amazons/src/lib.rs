//! Training of the networks that `amazons-engine` plays with, on [burn](https://burn.dev).
//!
//! burn computes losses and their gradients ([`resnet`], [`patent`]); the parameters themselves stay in one flat vector, in
//! the order in which the engine reads them, so that optimizers ([`optimizer`]), checkpoints ([`checkpoint`]) and weight files
//! need to know nothing of layers. A [`Trainer`] makes one step after another and knows no files: whoever runs it writes
//! what it gives.
//!
//! The patent's loss is kept where it can be: the squared error of the value. Its distance between squares has no gradient;
//! in its place stands the cross-entropy over the legal choices, and the distance is measured beside it
//! (`amazons_engine::learn::measure`).

mod batch;
pub mod checkpoint;
mod curve;
mod forward;
mod leaves;
pub mod optimizer;
mod patent;
mod resnet;
mod trainer;

pub use burn_tensor::Device;
pub use checkpoint::CheckpointError;
pub use curve::{COLUMNS, Row};
pub use forward::forward;
pub use optimizer::Optimizer;
pub use patent::share;
pub use trainer::{Losses, Options, Trainer, TrainerError};

/// The processor.
pub fn processor() -> Device {
    Device::flex()
}

/// A graphics processor, where this was built with the feature `wgpu`.
pub fn graphics() -> Option<Device> {
    #[cfg(feature = "wgpu")]
    return Some(Device::wgpu(Default::default()));
    #[cfg(not(feature = "wgpu"))]
    None
}
