//! What was learned, as it ships inside the program. `docs/experiments/patterns.md` has the commands that made
//! it.

use crate::file::FileError;
use crate::frequencies::{ResponsePatterns, Table};
use crate::influence;
use crate::joseki::JosekiBook;
use crate::opening::OpeningBook;
use crate::predict::predictor::Predictor;
use go_influence::Tuned;
use std::sync::OnceLock;

static FREQUENCIES: &[u8] = include_bytes!("../data/frequencies.bin");
static MOVES_19: &[u8] = include_bytes!("../data/moves19.bin");
static MOVES_9: &[u8] = include_bytes!("../data/moves9.bin");
static JOSEKI: &[u8] = include_bytes!("../data/joseki.bin");
static BOOKS: [&[u8]; 2] =
    [include_bytes!("../data/book9-komi7.5.bin"), include_bytes!("../data/book9-komi7.bin")];
static INFLUENCE: &[u8] = include_bytes!("../data/influence.bin");

/// The network, as [`OwnFile::read`](crate::network::own::OwnFile::read) reads it. `docs/experiments/own-network.md` tells how
/// it was taught.
pub(crate) static NETWORK: &[u8] = include_bytes!("../data/network.bin");

/// The tuned model of influence. `docs/experiments/influence.md` has the command that made it.
///
/// # Errors
/// Never with an undamaged program.
pub fn influence() -> Result<Tuned, FileError> {
    influence::from_bytes(INFLUENCE)
}

/// The pattern frequencies.
///
/// # Errors
/// Never with an undamaged program.
pub fn frequencies() -> Result<Table, FileError> {
    Table::from_bytes(FREQUENCIES)
}

/// The responses beside the last move, of the same file.
///
/// # Errors
/// Never with an undamaged program.
pub fn responses() -> Result<ResponsePatterns, FileError> {
    Table::responses_from_bytes(FREQUENCIES)
}

/// The predictor for boards of this side: one for boards up to 9, one for larger ones.
///
/// # Errors
/// Never with an undamaged program.
pub fn predictor(side: u8) -> Result<Predictor, FileError> {
    Predictor::from_bytes(if side <= 9 { MOVES_9 } else { MOVES_19 })
}

/// What is played in corners on 19x19 and larger boards, read when it is first asked for.
///
/// # Errors
/// Never with an undamaged program.
pub fn joseki() -> Result<&'static JosekiBook, FileError> {
    static BOOK: OnceLock<JosekiBook> = OnceLock::new();
    if let Some(book) = BOOK.get() {
        return Ok(book);
    }
    let book = JosekiBook::from_bytes(JOSEKI)?;
    Ok(BOOK.get_or_init(|| book))
}

/// The opening books, each for games of another kind, read when they are first asked for. `docs/experiments/book.md` tells
/// how they were made.
///
/// # Errors
/// Never with an undamaged program.
pub fn opening_books() -> Result<&'static [OpeningBook], FileError> {
    static READ: OnceLock<Vec<OpeningBook>> = OnceLock::new();
    if let Some(books) = READ.get() {
        return Ok(books);
    }
    let books =
        BOOKS.iter().map(|bytes| OpeningBook::from_bytes(bytes)).collect::<Result<_, _>>()?;
    Ok(READ.get_or_init(|| books))
}
