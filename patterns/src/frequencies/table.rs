//! The table of learned patterns and its file.

use super::counts::{AllTotals, Totals};
use super::discount::{Discounts, normalisers};
use super::katz::Katz;
use super::learner::Learned;
use super::response::ResponsePatterns;
use super::square5::Square5;
use super::template::{Name, TEMPLATES, Template};
use super::timing::Timing;
use crate::file::{FileError, Reader, Writer};
use go_engine::board::Pattern3x3;
use std::collections::HashMap;

/// What is known of one pattern in a [`Table`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// How often it was played, C_A.
    pub played: u32,
    /// How often it could have been, C_N.
    pub chances: u64,
    /// Katz's normaliser for larger patterns about the same point that are not known: what their
    /// estimate is to be multiplied with so that all moves seen are accounted for.
    pub normaliser: f32,
}

impl Entry {
    /// The maximum-likelihood estimate that an expert plays it where it can be played, C_A / C_N.
    pub fn rate(&self) -> f64 {
        if self.chances == 0 { 0.0 } else { f64::from(self.played) / self.chances as f64 }
    }
}

/// Learned pattern frequencies.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The side of the boards that they were learned on.
    pub side: u8,
    /// How many games were learned from.
    pub games: u64,
    /// Patterns played less often are not in the table.
    pub min_count: u32,
    /// When a pattern was looked at, and is to be.
    pub timing: Timing,
    /// The estimator that its normalisers were made for.
    pub katz: Katz,
    /// Sums over all patterns, also those left out.
    pub totals: AllTotals,
    /// Those of the estimator.
    pub(super) discounts: Discounts,
    /// Responses beside the last move.
    pub responses: ResponsePatterns,
    entries: HashMap<u64, Entry, crate::Unhashed>,
    /// What the patterns up to the 5x5 look like, by template, in order.
    squares: [Vec<Square5>; SQUARES],
}

/// The templates up to the 5x5.
const SQUARES: usize = Template::SQUARE_5.index() + 1;

const KIND: &[u8; 8] = b"TSJ-FREQ";
const VERSION: u32 = 4;

impl Table {
    /// Makes the table of what was learned from so many games on boards of this side, for an estimator.
    pub fn new(learned: &Learned, side: u8, games: u64, katz: Katz) -> Table {
        let Learned { min_count, timing, totals, .. } = *learned;
        let discounts = Discounts::new(katz.discount, &totals);
        let normalisers = normalisers(&learned.counts, &katz, &discounts);
        let entries = learned.counts.iter().map(|count| {
            let normaliser = normalisers.get(&count.name.0).copied().unwrap_or(1.0);
            let entry = Entry { played: count.played, chances: count.chances, normaliser };
            (count.name.0, entry)
        });
        let responses = learned.responses.clone();
        let entries = entries.collect();
        let mut squares = [const { Vec::new() }; SQUARES];
        for count in &learned.counts {
            if let Some(square) = count.square
                && let Some(squares) = squares.get_mut(count.name.template().index())
            {
                squares.push(square);
            }
        }
        squares.iter_mut().for_each(|squares| squares.sort_unstable());
        Table {
            side,
            games,
            min_count,
            timing,
            katz,
            totals,
            discounts,
            responses,
            entries,
            squares,
        }
    }

    /// How many patterns it has.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What is known of a pattern.
    #[inline]
    pub fn get(&self, name: Name) -> Option<&Entry> {
        self.entries.get(&name.0)
    }

    /// The rate at which experts play in a 3x3 shape seen from the mover, from 0 to 1; 0 for what is not known.
    pub fn rate3x3(&self, shape: Pattern3x3) -> f64 {
        let name = Square5::of_pattern3x3(shape).name(Template::SQUARE_3);
        self.get(name).map_or(0.0, Entry::rate)
    }

    /// What the patterns of one template look like; nothing beyond the 5x5.
    pub fn squares(&self, template: Template) -> &[Square5] {
        self.squares.get(template.index()).map_or(&[], |squares| squares)
    }

    /// The patterns of one template, by name.
    pub fn patterns(&self, template: Template) -> Vec<(Name, Entry)> {
        let mut found: Vec<(Name, Entry)> = self
            .entries
            .iter()
            .filter(|&(&name, _)| Name(name).template() == template)
            .map(|(&name, &entry)| (Name(name), entry))
            .collect();
        found.sort_unstable_by_key(|&(name, _)| name);
        found
    }

    /// The file's bytes: the same table gives the same bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new(KIND, VERSION);
        out.number(u64::from(self.side));
        out.number(self.games);
        out.number(u64::from(self.min_count));
        out.byte(self.timing.index());
        self.katz.write(&mut out);
        for totals in &self.totals {
            out.number(totals.distinct_played);
            out.number(totals.distinct_playable);
            out.number(totals.moves);
            out.number(totals.chances);
            for &frequency in &totals.frequencies {
                out.number(frequency);
            }
        }
        self.responses.write(&mut out);
        for template in Template::all() {
            // Small patterns are written as what they look like, large ones by name.
            let patterns: Vec<(u64, Entry)> = match self.squares.get(template.index()) {
                Some(squares) => squares
                    .iter()
                    .filter_map(|square| Some((square.code(), *self.get(square.name(template))?)))
                    .collect(),
                None => {
                    self.patterns(template).iter().map(|&(n, entry)| (n.0 >> 4, entry)).collect()
                }
            };
            out.number(patterns.len() as u64);
            let mut before = 0;
            for (code, entry) in patterns {
                out.number(code - before);
                before = code;
                out.number(u64::from(entry.played - self.min_count));
                out.number(entry.chances);
                out.byte(pack_normaliser(entry.normaliser));
            }
        }
        out.finish()
    }

    /// Reads only the responses beside the last move out of a file's bytes, which is much quicker.
    ///
    /// # Errors
    /// As [`Table::from_bytes`].
    pub fn responses_from_bytes(bytes: &[u8]) -> Result<ResponsePatterns, FileError> {
        Ok(Head::read(&mut Reader::open(bytes, KIND, VERSION)?)?.responses)
    }

    /// Reads a file's bytes.
    ///
    /// # Errors
    /// When they are not a pattern table, are of another version, or are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Table, FileError> {
        let mut from = Reader::open(bytes, KIND, VERSION)?;
        let Head { side, games, min_count, timing, katz, totals, responses } =
            Head::read(&mut from)?;
        let mut entries = HashMap::default();
        let mut squares = [const { Vec::new() }; SQUARES];
        for template in Template::all() {
            let patterns = from.number()?;
            let mut code = 0u64;
            for _ in 0..patterns {
                code = code.checked_add(from.number()?).ok_or(FileError::Damaged)?;
                let played = u64::from(min_count).checked_add(from.number()?);
                let played = played.and_then(|played| u32::try_from(played).ok());
                let entry = Entry {
                    played: played.ok_or(FileError::Damaged)?,
                    chances: from.number()?,
                    normaliser: unpack_normaliser(from.byte()?),
                };
                let name = match squares.get_mut(template.index()) {
                    Some(squares) => {
                        let square = Square5::from_code(code).ok_or(FileError::Damaged)?;
                        squares.push(square);
                        square.name(template).0
                    }
                    None => code << 4 | template.index() as u64,
                };
                entries.insert(name, entry);
            }
        }
        from.end()?;
        let discounts = Discounts::new(katz.discount, &totals);
        Ok(Table {
            side,
            games,
            min_count,
            timing,
            katz,
            totals,
            discounts,
            responses,
            entries,
            squares,
        })
    }
}

/// What a file begins with.
struct Head {
    side: u8,
    games: u64,
    min_count: u32,
    timing: Timing,
    katz: Katz,
    totals: AllTotals,
    responses: ResponsePatterns,
}

impl Head {
    fn read(from: &mut Reader<'_>) -> Result<Head, FileError> {
        let side = u8::try_from(from.number()?).map_err(|_| FileError::Damaged)?;
        let games = from.number()?;
        let min_count = u32::try_from(from.number()?).map_err(|_| FileError::Damaged)?;
        let mut totals = [Totals::default(); TEMPLATES];
        let timing = Timing::from_index(from.byte()?).ok_or(FileError::Damaged)?;
        let katz = Katz::read(from)?;
        for totals in &mut totals {
            totals.distinct_played = from.number()?;
            totals.distinct_playable = from.number()?;
            totals.moves = from.number()?;
            totals.chances = from.number()?;
            for frequency in &mut totals.frequencies {
                *frequency = from.number()?;
            }
        }
        let responses = ResponsePatterns::read(from)?;
        Ok(Head { side, games, min_count, timing, katz, totals, responses })
    }
}

/// A normaliser in eight bits: sixteenths of powers of two, from 2^-12 to 2^4; none below that.
fn pack_normaliser(normaliser: f32) -> u8 {
    if normaliser < 2f32.powi(-12) {
        return 0;
    }
    ((normaliser.log2() + 12.0) * 15.875 + 1.0).round().clamp(1.0, 255.0) as u8
}

fn unpack_normaliser(packed: u8) -> f32 {
    if packed == 0 { 0.0 } else { ((f32::from(packed) - 1.0) / 15.875 - 12.0).exp2() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalisers_keep_within_a_twentieth() {
        for normaliser in [0.0, 0.001, 0.1, 0.5, 1.0, 1.7, 15.0] {
            let again = unpack_normaliser(pack_normaliser(normaliser));
            assert!((again - normaliser).abs() <= 0.05 * normaliser, "{normaliser} {again}");
        }
    }
}
