//! What was found of some of the positions that a book takes up next, and its file: a part of the work.

use super::book::OpeningBook;
use super::evaluation::Evaluation;
use super::expansion::Leaf;
use super::file::{read_evaluation, write_evaluation};
use crate::file::{FileError, Reader, Writer};
use game_core::Fnv1a;
use std::collections::BTreeMap;

const KIND: &[u8; 8] = b"TESUBKPT";
const VERSION: u32 = 1;

/// Positions that a book is to take up, with what was found of those that were searched.
///
/// It belongs to the book as it was when the positions were chosen, and to no other.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    book: u64,
    size: u8,
    found: BTreeMap<u64, Evaluation>,
}

impl Round {
    /// One in which nothing was searched yet.
    pub fn of(book: &OpeningBook) -> Round {
        let mut hash = Fnv1a::new();
        hash.bytes(&book.to_bytes());
        Round { book: hash.get(), size: book.conditions().size, found: BTreeMap::new() }
    }

    /// Whether another is of the same book.
    pub fn is_of_same_book(&self, other: &Round) -> bool {
        (self.book, self.size) == (other.book, other.size)
    }

    /// Notes what was found of a position.
    pub fn note(&mut self, leaf: Leaf, found: Evaluation) {
        self.found.insert(leaf.key(), found);
    }

    /// Takes what another one of the same book has.
    pub fn take(&mut self, other: Round) {
        self.found.extend(other.found);
    }

    /// What was found of a position, if it was searched.
    pub fn get(&self, leaf: Leaf) -> Option<&Evaluation> {
        self.found.get(&leaf.key())
    }

    /// The file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new(KIND, VERSION);
        out.number(self.book);
        out.byte(self.size);
        out.number(self.found.len() as u64);
        for (key, found) in &self.found {
            out.number(*key);
            write_evaluation(&mut out, self.size, found);
        }
        out.finish()
    }

    /// One from its file.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Round, FileError> {
        let mut file = Reader::open(bytes, KIND, VERSION)?;
        let mut round = Round { book: file.number()?, size: file.byte()?, found: BTreeMap::new() };
        for _ in 0..file.number()? {
            let key = file.number()?;
            round.found.insert(key, read_evaluation(&mut file, round.size)?);
        }
        file.end()?;
        Ok(round)
    }
}
