//! The logistic Elo scale: a lead of 400 points is odds of ten to one.

/// The expected score of a player who leads by `elo`.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The lead at which `score` is expected; infinite for 0 and 1.
pub fn from_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// Elo as people read it: `+12.3`, or an inequality where every game was won or lost.
pub fn show(elo: f64) -> String {
    if elo == f64::INFINITY {
        "+inf".to_string()
    } else if elo == f64::NEG_INFINITY {
        "-inf".to_string()
    } else {
        format!("{elo:+.0}")
    }
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
}
