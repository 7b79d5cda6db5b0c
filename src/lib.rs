//! The front of Tesuji: protocol, commands and tools around the engines.

// These end the program where nobody reads any more: `output` has what does not.
#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::print_stderr))]

pub mod advice;
pub mod amazons;
pub mod arena;
pub mod cgos;
pub mod cluster;
pub mod connect6;
pub mod csv;
pub mod curves;
pub mod examples;
pub mod files;
pub mod go;
pub mod gtp;
pub mod interrupt;
pub mod logging;
pub mod options;
pub mod output;
pub mod page;
pub mod program;
pub mod progress;
pub mod seeded;
pub mod session;
pub mod shard;
pub mod svg;
pub mod terminal;
pub mod tune;
pub mod web;
