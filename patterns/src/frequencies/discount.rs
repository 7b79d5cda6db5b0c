//! What Katz's back-off needs beside the counts: discounts and normalisers.

use super::counts::{AllTotals, Count, FREQUENCIES};
use super::katz::{Discount, Katz};
use super::template::{Name, TEMPLATES, Template};
use std::collections::HashMap;

/// Counts that can be discounted: a count's discount needs the count of the next one.
pub const MAX_DISCOUNTED: usize = FREQUENCIES - 1;

/// What is kept of a pattern's count, by template and by how often it was played.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Discounts {
    /// The same share of every count.
    fixed: f64,
    /// By template, for counts from 1 on; beyond, all is kept.
    rare: [[f32; MAX_DISCOUNTED]; TEMPLATES],
}

impl Discounts {
    /// Those of a setting, by the counts of counts of all patterns.
    pub fn new(discount: Discount, totals: &AllTotals) -> Discounts {
        let none = [[1.0; MAX_DISCOUNTED]; TEMPLATES];
        match discount {
            Discount::Fixed(d) => Discounts { fixed: 1.0 - d, rare: none },
            Discount::GoodTuring { largest } => {
                Discounts { fixed: 1.0, rare: good_turing(totals, largest.into()) }
            }
        }
    }

    /// The share that is kept of a pattern of this template that was played so often.
    #[inline]
    pub fn kept(&self, template: Template, played: u32) -> f64 {
        let rare = &self.rare[template.index()];
        let rare = played.checked_sub(1).and_then(|index| rare.get(index as usize));
        self.fixed * rare.map_or(1.0, |&kept| f64::from(kept))
    }
}

/// A discount is the ratio of two numbers of patterns, which are at least so many.
const MIN_PATTERNS: f64 = 100.0;

/// Good and Turing's discounts, as Katz 1987 has them: for a pattern played `r` times, up to a limit `k`,
/// `(r* / r - c) / (1 - c)` with `r* = (r + 1) n(r+1) / n(r)` and `c = (k + 1) n(k+1) / n(1)`.
fn good_turing(totals: &AllTotals, k: usize) -> [[f32; MAX_DISCOUNTED]; TEMPLATES] {
    let k = k.min(MAX_DISCOUNTED);
    let mut all = [[1.0; MAX_DISCOUNTED]; TEMPLATES];
    for (kept, totals) in all.iter_mut().zip(totals) {
        let n = |r: usize| totals.frequencies[r - 1] as f64;
        let common = (k + 1) as f64 * n(k + 1) / n(1);
        for (r, kept) in (1..=k).zip(kept.iter_mut()) {
            let turing = (r + 1) as f64 * n(r + 1) / n(r) / r as f64;
            let value = (turing - common) / (1.0 - common);
            // A few patterns tell nothing of all: a template that has hardly any so rare is not discounted.
            let known = n(r).min(n(r + 1)) >= MIN_PATTERNS;
            if known && value.is_finite() && value > 0.0 && value < 1.0 {
                *kept = value as f32;
            }
        }
    }
    // Rarer patterns and larger templates keep no more than commoner and smaller ones: else a
    // pattern's larger ones would claim more moves than it has.
    for template in 0..TEMPLATES {
        for r in (0..MAX_DISCOUNTED).rev() {
            let commoner = all[template].get(r + 1).copied().unwrap_or(1.0);
            let smaller = if template == 0 { 1.0 } else { all[template - 1][r] };
            all[template][r] = all[template][r].min(commoner).min(smaller);
        }
    }
    all
}

/// The normaliser of every pattern: the moves played where it lay that no trusted larger pattern
/// accounts for, over what its own estimate would give to the chances that are left. Patterns whose estimate is not over
/// the threshold are not trusted, and what is trusted beyond them counts with the next smaller one that is.
pub(super) fn normalisers(
    counts: &[Count],
    katz: &Katz,
    discounts: &Discounts,
) -> HashMap<u64, f32, crate::Unhashed> {
    let kept = |count: &Count| {
        discounts.kept(count.name.template(), count.played) * f64::from(count.played)
    };
    let is_trusted =
        |count: &Count| f64::from(count.played) / count.chances.max(1) as f64 > katz.threshold;
    // What is passed over on the way to a trusted one; none with a threshold of 0.
    let passed_over: HashMap<u64, Option<Name>, crate::Unhashed> = counts
        .iter()
        .filter(|count| !is_trusted(count))
        .map(|count| (count.name.0, count.parent))
        .collect();
    let trusted_parent = |count: &Count| {
        let mut parent = count.parent?;
        while let Some(&next) = passed_over.get(&parent.0) {
            parent = next?;
        }
        Some(parent)
    };
    let mut children: HashMap<u64, (f64, u64), crate::Unhashed> = HashMap::default();
    for count in counts.iter().filter(|count| is_trusted(count)) {
        if let Some(parent) = trusted_parent(count) {
            let sums = children.entry(parent.0).or_default();
            sums.0 += kept(count);
            sums.1 += count.chances;
        }
    }
    counts
        .iter()
        .map(|count| {
            let (moves, chances) = children.get(&count.name.0).copied().unwrap_or_default();
            let moves_left = kept(count) - moves;
            let chances_left = count.chances.saturating_sub(chances) as f64;
            let own = kept(count) / count.chances.max(1) as f64;
            let normaliser = moves_left.max(0.0) / (own * chances_left);
            (count.name.0, if normaliser.is_finite() { normaliser as f32 } else { 1.0 })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::counts::Totals;
    use super::*;

    #[test]
    fn what_few_patterns_tell_discounts_no_others() {
        // How many patterns of four templates were played 1, 2, ... times in 57,368 games.
        let counts: [&[u64]; 4] = [
            &[],
            &[13, 4, 3, 5, 3, 4, 4, 2],
            &[12650, 6413, 4402, 3462, 2868, 2469, 2170, 1959],
            &[2339974, 292454, 103101, 53340, 33316, 22337, 16405, 12148],
        ];
        let mut totals = [Totals::default(); TEMPLATES];
        for (totals, counts) in totals.iter_mut().zip(counts) {
            totals.frequencies[..counts.len()].copy_from_slice(counts);
        }
        let discounts = Discounts::new(Discount::GoodTuring { largest: 7 }, &totals);
        let kept = |template: usize, played: u32| {
            (discounts.kept(Template::ALL[template], played) * 1000.0).round()
        };
        assert_eq!([1, 2, 6].map(|played| kept(1, played)), [1000.0; 3]);
        // (2 x 6413 / 12650 - c) / (1 - c) with c = 8 x 1959 / 12650 would be more than is kept of commoner ones.
        assert_eq!([1, 3, 7].map(|played| kept(2, played)), [797.0, 797.0, 867.0]);
        assert_eq!(
            [1, 2, 3, 7, 8].map(|played| kept(3, played)),
            [217.0, 508.0, 676.0, 840.0, 1000.0]
        );
        let fixed = Discounts::new(Discount::Fixed(0.25), &totals);
        assert_eq!(fixed.kept(Template::ALL[3], 1), 0.75);
    }

    #[test]
    fn what_lies_beyond_a_pattern_that_is_not_trusted_is_not_shared_out_again() {
        let name = |number: u64, template: u64| Name(number << 4 | template);
        let count =
            |name, played, chances, parent| Count { name, played, chances, parent, square: None };
        // A half of what is played about the small one is played about the large one, and it is seldom played where only
        // the one between lies.
        let (small, between, large) = (name(1, 0), name(2, 1), name(3, 2));
        let counts = [
            count(small, 20, 100, None),
            count(between, 11, 80, Some(small)),
            count(large, 10, 20, Some(between)),
        ];
        let katz = Katz { threshold: 0.15, ..Katz::GOOD_TURING };
        let none = Discounts::new(Discount::Fixed(0.0), &[Totals::default(); TEMPLATES]);
        let found = normalisers(&counts, &katz, &none);
        // 10 moves are left for 80 chances, which a rate of 0.2 would give 16.
        assert_eq!(found[&small.0], 10.0 / 16.0);
        // With all of them trusted 9 for 20 chances, which it would give 4.
        let katz = Katz { threshold: 0.0, ..katz };
        assert_eq!(normalisers(&counts, &katz, &none)[&small.0], 9.0 / 4.0);
    }
}
