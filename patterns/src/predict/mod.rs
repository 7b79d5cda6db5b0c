//! Predicting moves: candidates compete by features of shape and tactics.

pub mod bradley_terry;
pub mod features;
mod geometry;
pub mod groups;
pub mod learner;
pub mod net;
mod ops;
pub mod predictor;
mod sampling;
pub mod shape;
pub mod shape_dict;
