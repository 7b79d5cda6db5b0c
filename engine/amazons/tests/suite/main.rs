//! Tests of the Amazons engine: one binary, so that it is linked once.

mod rules;
