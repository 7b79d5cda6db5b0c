//! The opening book of Go ([`go_patterns::opening`]): made by search, shown, and played from.
//!
//! * [`make`]: `tesuji book make`; [`show`]: `tesuji book show`; `gogui`: what GoGui draws.
//! * [`Books`]: those that an engine plays from; [`draw`]: which of their moves.

pub(super) mod gogui;
pub mod make;
mod play;
pub mod show;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::Subcommand;
use go_engine::Game;
use go_patterns::learned;
use go_patterns::opening::{BookPosition, Conditions, OpeningBook};

use crate::files;

pub use play::{draw, report};

/// In place of a book's file: those inside the program.
pub const BUILT_IN_BOOK: &str = "built-in";
/// The same: none.
pub const NO_BOOK: &str = "off";

/// The commands of `tesuji book`.
#[derive(Subcommand, Debug)]
pub enum Book {
    /// Make a book, or go on with one
    Make(make::MakeArgs),
    /// Tell what a book says of a position
    Show(show::ShowArgs),
}

/// Runs `tesuji book`.
///
/// # Errors
/// What went wrong, in words.
pub fn run(what: &Book) -> Result<ExitCode> {
    match what {
        Book::Make(args) => make::run(args),
        Book::Show(args) => show::run(args),
    }
}

/// The books that an engine plays from.
#[derive(Clone)]
pub struct Books {
    /// As the user named them.
    name: PathBuf,
    /// That of a file.
    file: Option<Arc<OpeningBook>>,
}

impl Books {
    /// None.
    pub fn off() -> Books {
        Books { name: NO_BOOK.into(), file: None }
    }

    /// Those of this name: `built-in`, `off`, or a file.
    ///
    /// # Errors
    /// When the file cannot be read, or holds no book.
    pub fn open(name: &Path) -> Result<Books> {
        let file = match name.to_str() {
            Some(BUILT_IN_BOOK | NO_BOOK) => None,
            _ => Some(Arc::new(read(name)?)),
        };
        Ok(Books { name: name.to_owned(), file })
    }

    /// The name that they were opened by.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// All of them.
    pub fn all(&self) -> &[OpeningBook] {
        match &self.file {
            Some(book) => std::slice::from_ref(book),
            None if self.name.as_os_str() == BUILT_IN_BOOK => learned::opening_books()
                .unwrap_or_else(|error| {
                    tracing::error!("cannot read the built-in opening books: {error}");
                    &[]
                }),
            None => &[],
        }
    }

    /// What they say of a game's position; nothing where none knows it.
    pub fn position(&self, game: &Game) -> Option<BookPosition> {
        self.all().iter().find_map(|book| book.position(game))
    }
}

/// The book of a file.
fn read(path: &Path) -> Result<OpeningBook> {
    let bytes =
        files::read_record(path).with_context(|| format!("cannot read {}", path.display()))?;
    OpeningBook::from_bytes(&bytes)
        .with_context(|| format!("cannot use {} as an opening book", path.display()))
}

/// What a book is for, in words.
fn kind(conditions: &Conditions) -> String {
    let Conditions { size, rules, komi, .. } = conditions;
    format!("{size}x{size}, {rules} rules, komi {komi}")
}
