//! What results mean: win rates, Elo, decisions, ratings.

pub mod elo;
pub mod pairs;
pub mod ratings;
pub mod repeats;
pub mod sprt;

pub use pairs::Tally;

/// The 97.5% point of the normal distribution: two-sided 95% intervals reach so many standard errors.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Wilson's score interval (1927) for a proportion `p` seen in `n` trials, at 95%.
///
/// It stays within 0 and 1 and is sane for few trials. With draws counted as half a win it is a little too wide,
/// since draws make the variance of a game smaller than that of a coin. Without trials it is the whole range.
///
/// ```
/// let (low, high) = tesuji::arena::stats::wilson(0.6, 40.0);
/// assert!((low - 0.446).abs() < 0.001 && (high - 0.737).abs() < 0.001);
/// ```
pub fn wilson(p: f64, n: f64) -> (f64, f64) {
    if n <= 0.0 {
        return (0.0, 1.0);
    }
    let z2 = Z95 * Z95;
    let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z95 / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    ((centre - half).max(0.0), (centre + half).min(1.0))
}
