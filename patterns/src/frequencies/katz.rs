//! Katz's back-off (Katz 1987) over the templates, from the largest known pattern down.

use super::discount::{Discounts, MAX_DISCOUNTED};
use super::table::{Entry, Table};
use super::template::{Name, Template};
use crate::file::{FileError, Reader, Writer};
use std::borrow::Cow;

/// How much of a pattern's estimate is kept back for larger patterns that were not seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Discount {
    /// The same share of every estimate; the paper has 0.
    Fixed(f64),
    /// Good and Turing's, by how often the pattern was played, for counts up to the largest, at most
    /// [`MAX_DISCOUNTED`].
    GoodTuring {
        /// Counts beyond are trusted; Katz has 5.
        largest: u8,
    },
}

/// What an unknown pattern's smaller one is multiplied with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Normaliser {
    /// The same for all; the paper has 1.
    Fixed(f64),
    /// So that the moves which the known larger patterns do not account for are shared out.
    Proper,
}

/// The settings of the estimator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Katz {
    /// d of the paper.
    pub discount: Discount,
    /// alpha of the paper.
    pub normaliser: Normaliser,
    /// K of the paper: an estimate up to this, before the discount, is not trusted, and the next smaller pattern's is
    /// taken.
    pub threshold: f64,
}

impl Katz {
    /// The paper's setting: d = 0, alpha = 1, K = 0.
    pub const PAPER: Katz =
        Katz { discount: Discount::Fixed(0.0), normaliser: Normaliser::Fixed(1.0), threshold: 0.0 };

    /// Good and Turing's discount with the proper normaliser.
    pub const GOOD_TURING: Katz = Katz {
        discount: Discount::GoodTuring { largest: 7 },
        normaliser: Normaliser::Proper,
        threshold: 0.0,
    };

    pub(super) fn write(&self, out: &mut Writer) {
        match self.discount {
            Discount::Fixed(d) => {
                out.byte(0);
                out.float(d as f32);
            }
            Discount::GoodTuring { largest } => {
                out.byte(1);
                out.byte(largest);
            }
        }
        match self.normaliser {
            Normaliser::Fixed(alpha) => {
                out.byte(0);
                out.float(alpha as f32);
            }
            Normaliser::Proper => out.byte(1),
        }
        out.float(self.threshold as f32);
    }

    pub(super) fn read(from: &mut Reader<'_>) -> Result<Katz, FileError> {
        let discount = match from.byte()? {
            0 => Discount::Fixed(share(from)?),
            1 => Discount::GoodTuring { largest: from.byte()? },
            _ => return Err(FileError::Damaged),
        };
        let normaliser = match from.byte()? {
            0 => Normaliser::Fixed(share(from)?),
            1 => Normaliser::Proper,
            _ => return Err(FileError::Damaged),
        };
        let katz = Katz { discount, normaliser, threshold: share(from)? };
        match discount {
            Discount::GoodTuring { largest } if usize::from(largest) > MAX_DISCOUNTED => {
                Err(FileError::Damaged)
            }
            _ => Ok(katz),
        }
    }
}

/// A number from 0 to 1.
fn share(from: &mut Reader<'_>) -> Result<f64, FileError> {
    let share = f64::from(from.float()?);
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err(FileError::Damaged) }
}

/// Katz's estimates by a table.
#[derive(Clone, Debug)]
pub struct Estimator<'t> {
    table: &'t Table,
    katz: Katz,
    discounts: Cow<'t, Discounts>,
}

impl<'t> Estimator<'t> {
    /// With the settings that the table was made with.
    pub fn of(table: &'t Table) -> Estimator<'t> {
        Estimator { table, katz: table.katz, discounts: Cow::Borrowed(&table.discounts) }
    }

    /// With other settings. The table's proper normalisers stay those of its own.
    pub fn with(table: &'t Table, katz: Katz) -> Estimator<'t> {
        let discounts = Discounts::new(katz.discount, &table.totals);
        Estimator { table, katz, discounts: Cow::Owned(discounts) }
    }

    /// The table.
    pub fn table(&self) -> &'t Table {
        self.table
    }

    /// The estimate that an expert plays at a point about which these patterns lie, the smallest
    /// first: that of the largest known pattern that is played more often than the threshold says, times the
    /// normaliser where larger templates had to be given up. Zero where none is known.
    pub fn estimate(&self, names: impl IntoIterator<Item = Name>) -> f64 {
        self.back_off(names, Template::ALL[0])
    }

    /// The same when templates up to `largest` were looked for: those that `names` does not reach
    /// are unknown.
    pub fn back_off(&self, names: impl IntoIterator<Item = Name>, largest: Template) -> f64 {
        let mut best: Option<(f64, f64)> = None;
        let mut given_up = 0;
        let mut reached = Template::ALL[0];
        for name in names {
            reached = name.template();
            match self.trusted(name) {
                Some(entry) => {
                    let kept = self.discounts.kept(name.template(), entry.played);
                    best = Some((kept * entry.rate(), f64::from(entry.normaliser)));
                    given_up = 0;
                }
                None => given_up += 1,
            }
        }
        given_up += largest.index().saturating_sub(reached.index()) as i32;
        let Some((own, proper)) = best else { return 0.0 };
        let alpha = match self.katz.normaliser {
            _ if given_up == 0 => 1.0,
            Normaliser::Proper => proper,
            Normaliser::Fixed(alpha) => alpha.powi(given_up),
        };
        (own * alpha).min(1.0)
    }

    /// What is known of a pattern that is played more often than the threshold says.
    pub(super) fn trusted(&self, name: Name) -> Option<&'t Entry> {
        self.table.get(name).filter(|entry| entry.rate() > self.katz.threshold)
    }
}
