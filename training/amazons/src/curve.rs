//! The curves of training: a row of numbers now and then.

/// The names of the numbers of a [`Row`].
pub const COLUMNS: [&str; 12] = [
    "train_queen_loss",
    "train_arrow_loss",
    "train_value_loss",
    "queen_loss",
    "queen_played",
    "queen_preferred",
    "queen_distance",
    "arrow_loss",
    "arrow_played",
    "arrow_preferred",
    "value_loss",
    "value_called",
];

/// A point of the curves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Steps made.
    pub step: u64,
    /// What [`COLUMNS`] name: the means of the losses of the steps since the last point, then what was measured on the
    /// validation part.
    pub numbers: [f64; COLUMNS.len()],
}
