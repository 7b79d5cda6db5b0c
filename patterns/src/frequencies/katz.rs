//! Katz's back-off (Katz 1987) over the templates, from the largest known pattern down.

use super::table::{Entry, Table};
use super::template::{Name, Template};

/// How much of a pattern's estimate is kept back for larger patterns that were not seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Discount {
    /// The same share of every estimate; the paper has 0.
    Fixed(f64),
    /// Good and Turing's, by how often the pattern was played.
    GoodTuring,
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
    /// K of the paper: an estimate up to this is not trusted, and the next smaller pattern's is taken.
    pub threshold: f64,
    /// Patterns played less often than this are taken as unknown.
    pub min_count: u32,
}

impl Katz {
    /// The paper's setting: d = 0, alpha = 1, K = 0.
    pub const PAPER: Katz = Katz {
        discount: Discount::Fixed(0.0),
        normaliser: Normaliser::Fixed(1.0),
        threshold: 0.0,
        min_count: 0,
    };

    /// Good and Turing's discount with the proper normaliser.
    pub const FULL: Katz = Katz {
        discount: Discount::GoodTuring,
        normaliser: Normaliser::Proper,
        threshold: 0.0,
        min_count: 0,
    };

    /// The estimate that an expert plays at a point about which these patterns lie, the smallest
    /// first: that of the largest known pattern whose own estimate is over the threshold, times the
    /// normaliser where larger templates had to be given up. Zero where none is known.
    pub fn estimate(&self, table: &Table, names: impl IntoIterator<Item = Name>) -> f64 {
        self.back_off(table, names, Template::ALL[0])
    }

    /// The same when templates up to `largest` were looked for: those that `names` does not reach
    /// are unknown.
    pub fn back_off(
        &self,
        table: &Table,
        names: impl IntoIterator<Item = Name>,
        largest: Template,
    ) -> f64 {
        let mut best: Option<(f64, f64)> = None;
        let mut given_up = 0;
        let mut reached = Template::ALL[0];
        for name in names {
            reached = name.template();
            let entry = table.get(name).filter(|entry| entry.played >= self.min_count);
            let own = entry.map(|entry| (self.own(table, name, entry), entry));
            match own {
                Some((own, entry)) if own > self.threshold => {
                    best = Some((own, f64::from(entry.normaliser)));
                    given_up = 0;
                }
                _ => given_up += 1,
            }
        }
        given_up += largest.index().saturating_sub(reached.index()) as i32;
        let Some((own, proper)) = best else { return 0.0 };
        let alpha = match self.normaliser {
            _ if given_up == 0 => 1.0,
            Normaliser::Proper => proper,
            Normaliser::Fixed(alpha) => alpha.powi(given_up),
        };
        (own * alpha).min(1.0)
    }

    fn own(&self, table: &Table, name: Name, entry: &Entry) -> f64 {
        let kept = match self.discount {
            Discount::Fixed(d) => 1.0 - d,
            Discount::GoodTuring => {
                let discounts = &table.discounts[name.template().index()];
                entry
                    .played
                    .checked_sub(1)
                    .and_then(|index| discounts.get(index as usize))
                    .map_or(1.0, |&discount| f64::from(discount))
            }
        };
        kept * entry.rate()
    }
}
