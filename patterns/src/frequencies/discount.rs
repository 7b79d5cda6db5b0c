//! What Katz's back-off needs beside the counts: discounts and normalisers.

use super::counts::{AllTotals, Count, FREQUENCIES};
use super::template::TEMPLATES;
use std::collections::HashMap;

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
