//! The logistic Elo scale: a lead of 400 points is odds of ten to one.

/// The expected score of a player who leads by `elo`.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The lead at which `score` is expected; infinite for 0 and 1.
pub fn from_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// Elo as people read it, in whole points with a sign: `+12`, `+0`, `-inf`.
pub fn show(elo: f64) -> String {
    // The sum makes nothing of a lead of minus nothing.
    format!("{:+.0}", elo.round() + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_is_the_usual_one() {
        assert!((expected_score(400.0) - 10.0 / 11.0).abs() < 1e-12);
        assert!((from_score(0.75) - 190.85).abs() < 0.01);
        assert!((from_score(expected_score(-37.0)) + 37.0).abs() < 1e-9);
        assert_eq!(from_score(1.0), f64::INFINITY);
    }

    #[test]
    fn points_are_whole_and_signed() {
        let shown = [12.4, -0.0, -0.4, -7.5, f64::INFINITY, f64::NEG_INFINITY].map(show);
        assert_eq!(shown, ["+12", "+0", "+0", "-8", "+inf", "-inf"]);
    }
}
