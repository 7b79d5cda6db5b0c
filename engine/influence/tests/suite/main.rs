//! Tests of influence: one binary, so that it is linked once.

mod groups;
mod models;
