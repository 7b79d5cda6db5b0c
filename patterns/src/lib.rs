//! What is learned for Go from records: pattern tables, move prediction, joseki.
