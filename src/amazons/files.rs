//! Weights and networks from files that the user names.

use std::path::Path;

use amazons_engine::eval::Weights;
use amazons_engine::net::file::{self, Net};
use anyhow::{Context, Result};

/// The weights of a file.
///
/// # Errors
/// When it cannot be read or holds no weights.
pub fn read_weights(path: &Path) -> Result<Weights> {
    let place = || path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(place)?;
    Weights::from_text(&text).with_context(place)
}

/// The network of a file.
///
/// # Errors
/// When it cannot be read or holds no network.
pub fn read_network(path: &Path) -> Result<Net> {
    let place = || path.display().to_string();
    let bytes = std::fs::read(path).with_context(place)?;
    file::network(&bytes).with_context(place)
}
