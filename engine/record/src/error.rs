//! What can be wrong with a record, and where.

use thiserror::Error;

/// What is wrong with a record and where it is.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("game {game}, line {line}, byte {offset}: {kind}")]
pub struct RecordError {
    /// Number of the game in its file, from 1.
    pub game: usize,
    /// Line of the file, from 1.
    pub line: usize,
    /// Byte of the file, from 0; the game's first byte where the text had to be converted from another encoding.
    pub offset: usize,
    /// What was found there.
    pub kind: ErrorKind,
}

/// What is wrong with a record.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ErrorKind {
    /// The file holds no `(;` at all.
    #[error("no game found")]
    NoGame,
    /// The file is UTF-16 or UTF-32.
    #[error("the file is UTF-16 or UTF-32; convert it to UTF-8")]
    WideText,
    /// The text is not what its `CA[]` says.
    #[error("the text is not valid {0}")]
    BadEncoding(String),
    /// `CA[]` names an encoding that is not known or cannot be split into games.
    #[error("unknown character set '{0}'")]
    UnknownCharset(String),
    /// The game ends before it is closed.
    #[error("the game is cut short: {0}")]
    Truncated(&'static str),
    /// Variations nest deeper than [`Limits::nesting`](crate::Limits::nesting).
    #[error("variations are nested more than {0} deep")]
    TooDeep(usize),
    /// More nodes than [`Limits::nodes`](crate::Limits::nodes).
    #[error("more than {0} nodes in one game")]
    TooManyNodes(usize),
    /// More bytes than [`Limits::bytes`](crate::Limits::bytes).
    #[error("the game is longer than {0} bytes")]
    TooLong(usize),
    /// A character that may not stand outside a property.
    #[error("unexpected '{0}'")]
    Unexpected(char),
    /// A variation or a game without a first node.
    #[error("a variation without a node")]
    EmptyVariation,
    /// A property identifier without a value.
    #[error("property {0} has no value")]
    NoValue(String),
    /// `SZ[]` is not a size from 1 to 52.
    #[error("bad board size '{0}'")]
    BadSize(String),
    /// A value that is not a point of this board.
    #[error("{property}[{value}] is not a point of a {size} board")]
    BadPoint {
        /// The property that has the value.
        property: String,
        /// The value as written.
        value: String,
        /// The board, as `19` or `13x9`.
        size: String,
    },
    /// More stones are put on the board or taken off it than any game has.
    #[error("more than {0} stones are set up in one game")]
    TooManyStones(usize),
    /// `PL[]` is neither black nor white.
    #[error("bad player '{0}'")]
    BadPlayer(String),
    /// `GM[]` is no number.
    #[error("bad game number '{0}'")]
    BadGame(String),
}
