//! The front of Tesuji: protocol, commands and tools around the engines.

pub mod clock;
pub mod gtp;
pub mod logging;
