//! The front of Tesuji: protocol, commands and tools around the engines.

pub mod arena;
pub mod clock;
pub mod gtp;
pub mod logging;
