//! The estimator's settings on the command line: d, alpha and K of the paper, or what goes past it.

use clap::Args;
use go_patterns::frequencies::{Discount, Katz, MAX_DISCOUNTED, Normaliser};

/// The settings of Katz's back-off; what is not given is left to whoever asks.
#[derive(Args, Clone, Copy, Debug)]
pub struct KatzArgs {
    /// d: the share of every estimate that is kept back, 0 to 1; or good-turing:N, Good and Turing's discounts for
    /// patterns played up to N times
    #[arg(long, value_name = "D", value_parser = discount)]
    discount: Option<Discount>,
    /// alpha: what the estimate is multiplied with for each larger pattern that is not known, 0 to 1; or proper, what
    /// the known larger patterns leave
    #[arg(long, value_name = "ALPHA", value_parser = normaliser)]
    normaliser: Option<Normaliser>,
    /// K: an estimate up to this is not trusted, and the next smaller pattern's is taken, 0 to 1
    #[arg(long, value_name = "K", value_parser = share)]
    threshold: Option<f64>,
}

impl KatzArgs {
    /// Whether anything is given.
    pub fn is_given(&self) -> bool {
        self.discount.is_some() || self.normaliser.is_some() || self.threshold.is_some()
    }

    /// What is given, and the rest of these settings.
    pub fn or(&self, katz: Katz) -> Katz {
        Katz {
            discount: self.discount.unwrap_or(katz.discount),
            normaliser: self.normaliser.unwrap_or(katz.normaliser),
            threshold: self.threshold.unwrap_or(katz.threshold),
        }
    }
}

/// A number from 0 to 1, as files hold it.
fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f32>() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(f64::from(number)),
        _ => Err("a number from 0 to 1 is expected".to_owned()),
    }
}

fn discount(text: &str) -> Result<Discount, String> {
    let Some(largest) = text.strip_prefix("good-turing") else {
        return share(text).map(Discount::Fixed).map_err(|why| format!("{why}, or good-turing:N"));
    };
    let largest = match largest.strip_prefix(':') {
        None if largest.is_empty() => return Ok(Katz::GOOD_TURING.discount),
        None => None,
        Some(number) => number.parse::<u8>().ok(),
    };
    match largest {
        Some(largest) if (1..=MAX_DISCOUNTED).contains(&usize::from(largest)) => {
            Ok(Discount::GoodTuring { largest })
        }
        _ => Err(format!("good-turing:N with N from 1 to {MAX_DISCOUNTED} is expected")),
    }
}

fn normaliser(text: &str) -> Result<Normaliser, String> {
    match text {
        "proper" => Ok(Normaliser::Proper),
        _ => share(text).map(Normaliser::Fixed).map_err(|why| format!("{why}, or proper")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_or_refused() {
        assert_eq!(discount("0.25"), Ok(Discount::Fixed(0.25)));
        assert_eq!(discount("good-turing"), Ok(Discount::GoodTuring { largest: 7 }));
        assert_eq!(discount("good-turing:5"), Ok(Discount::GoodTuring { largest: 5 }));
        assert_eq!(normaliser("proper"), Ok(Normaliser::Proper));
        assert_eq!(normaliser("1"), Ok(Normaliser::Fixed(1.0)));
        for wrong in ["", "2", "-0.1", "nan", "good-turing:0", "good-turing:32", "good-turing7"] {
            assert!(discount(wrong).is_err(), "{wrong}");
        }
        assert!(normaliser("improper").is_err());
    }
}
