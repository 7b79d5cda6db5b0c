//! Why a file cannot be used.

/// Why a file holds no network that this program can use.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// It could not be opened or read.
    #[error("cannot read {path}")]
    Io {
        /// Which file.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// Something in it is wrong or not known.
    #[error("{place}: {problem}")]
    At {
        /// Where in the file, in words.
        place: String,
        /// What is wrong.
        problem: Problem,
    },
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// It begins with something else altogether.
    #[error("this is no network file of KataGo's (.bin.gz, .txt.gz or .bin)")]
    Foreign,
    /// It ends before the network does.
    #[error("the file ends too early: it was cut off")]
    Cut,
    /// It goes on after the network.
    #[error("the file goes on after the last layer")]
    Trailing,
    /// Gzip's own checks failed.
    #[error("the file is damaged: {0}")]
    Damaged(String),
    /// It expands to far more than weights do.
    #[error("the file expands to more than {0} times its size, which no network does")]
    Bomb(u64),
    /// A word that should be another.
    #[error("{found:?} stands where {expected} was expected")]
    Unexpected {
        /// What should be there.
        expected: &'static str,
        /// What is there, shortened.
        found: String,
    },
    /// Something that this program does not know.
    #[error("{0} are not supported")]
    Unsupported(String),
    /// A size beyond all sense.
    #[error("{what} is {found}, and should be {min} to {max}")]
    Range {
        /// Of what.
        what: &'static str,
        /// How large it is said to be.
        found: u64,
        /// The minimum.
        min: u64,
        /// The largest.
        max: u64,
    },
    /// Layers that do not fit each other.
    #[error("{what}: {found}, and should be {expected}")]
    Mismatch {
        /// Of what.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// More weights than can be used.
    #[error("more than {0} weights are too many")]
    TooLarge(u64),
    /// A weight that is infinite or no number.
    #[error("number {0} is not finite")]
    NotFinite(usize),
}
