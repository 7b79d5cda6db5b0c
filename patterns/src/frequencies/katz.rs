//! Katz's back-off (Katz 1987) over the templates, from the largest known pattern down.

use super::counts::{AllTotals, Count, FREQUENCIES};
use super::table::{Entry, Table};
use super::template::{Name, TEMPLATES, Template};
use std::collections::HashMap;

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

/// Good and Turing's discounts, as Katz 1987 has them: for a pattern played `r` times, up to a limit,
/// `(r* / r - c) / (1 - c)` with `r* = (r + 1) n(r+1) / n(r)` and `c = (k + 1) n(k+1) / n(1)`.
pub(super) fn discounts(totals: &AllTotals) -> [[f32; FREQUENCIES - 1]; TEMPLATES] {
    let mut all = [[1.0; FREQUENCIES - 1]; TEMPLATES];
    for (discounts, totals) in all.iter_mut().zip(totals) {
        let n = |r: usize| totals.frequencies[r - 1] as f64;
        let k = FREQUENCIES - 1;
        let common = (k + 1) as f64 * n(k + 1) / n(1);
        for (r, discount) in (1..=k).zip(discounts.iter_mut()) {
            let turing = (r + 1) as f64 * n(r + 1) / n(r) / r as f64;
            let value = (turing - common) / (1.0 - common);
            // Small collections have gaps in their counts of counts: there nothing is discounted.
            if value.is_finite() && value > 0.0 && value < 1.0 {
                *discount = value as f32;
            }
        }
    }
    // Rarer patterns and larger templates keep no more than commoner and smaller ones: else a
    // pattern's larger ones would claim more moves than it has.
    for template in 0..TEMPLATES {
        for r in (0..FREQUENCIES - 1).rev() {
            let commoner = all[template].get(r + 1).copied().unwrap_or(1.0);
            let smaller = if template == 0 { 1.0 } else { all[template - 1][r] };
            all[template][r] = all[template][r].min(commoner).min(smaller);
        }
    }
    all
}

/// The normaliser of every pattern: the moves played where it lay that no known larger pattern
/// accounts for, over what its own estimate would give to the chances that are left.
pub(super) fn normalisers(
    counts: &[Count],
    discounts: &[[f32; FREQUENCIES - 1]; TEMPLATES],
) -> HashMap<u64, f32, crate::Unhashed> {
    let kept = |count: &Count| {
        let discounts = &discounts[count.name.template().index()];
        discounts.get((count.played - 1) as usize).map_or(1.0, |&discount| f64::from(discount))
    };
    let mut children: HashMap<u64, (f64, u64), crate::Unhashed> = HashMap::default();
    for count in counts {
        if let Some(parent) = count.parent {
            let sums = children.entry(parent.0).or_default();
            sums.0 += kept(count) * f64::from(count.played);
            sums.1 += count.chances;
        }
    }
    counts
        .iter()
        .map(|count| {
            let (moves, chances) = children.get(&count.name.0).copied().unwrap_or_default();
            let moves_left = kept(count) * f64::from(count.played) - moves;
            let chances_left = count.chances.saturating_sub(chances) as f64;
            let own = kept(count) * f64::from(count.played) / count.chances.max(1) as f64;
            let normaliser = moves_left.max(0.0) / (own * chances_left);
            (count.name.0, if normaliser.is_finite() { normaliser as f32 } else { 1.0 })
        })
        .collect()
}
