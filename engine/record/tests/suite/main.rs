//! Tests of the reader and the writer of records: one binary, so that it is linked once.

mod collections;
mod common;
mod reading;
