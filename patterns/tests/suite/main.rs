//! Tests of what is learned for Go: one binary, so that it is linked once.

mod frequencies;
mod joseki;
mod opening;
mod parts;
mod predict;
