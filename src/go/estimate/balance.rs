//! What a lead is made of, in numbers that add up.

use std::fmt;

use go_engine::score::result;
use go_engine::{Color, Game};
use go_influence::ScoreEstimate;

/// What both sides are expected to have at the end, to a tenth of a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Balance {
    /// The area that each colour is expected to have, Black's first; together the whole board.
    pub expected: [f64; 2],
    /// What White gets beside that.
    pub komi: f64,
    /// What White gets for a handicap.
    pub bonus: f64,
    /// By how many stones of Black's beyond White's the lead in area exceeds the score, under territory scoring.
    pub extra_stones: f64,
}

impl Balance {
    /// That of an estimate.
    pub fn of(game: &Game, estimate: &ScoreEstimate) -> Balance {
        let area = estimate.ownership.len() as f64;
        let black = tenths((area + estimate.area_lead) / 2.0);
        Balance {
            expected: [black, tenths(area - black)],
            komi: game.komi(),
            bonus: game.compensation() - game.komi(),
            extra_stones: estimate.compensation - game.compensation(),
        }
    }

    /// By how many points Black leads.
    pub fn lead(&self) -> f64 {
        let [black, white] = self.expected;
        ((black - white - self.komi - self.bonus - self.extra_stones) * 1000.0).round() / 1000.0
    }

    /// Who leads, and by how much.
    pub fn verdict(&self) -> String {
        match result(self.lead()).split_once('+') {
            Some(("B", points)) => format!("Black leads by {points}."),
            Some((_, points)) => format!("White leads by {points}."),
            None => "Neither side leads.".to_owned(),
        }
    }

    /// What is expected of a colour.
    pub fn expected(&self, color: Color) -> f64 {
        self.expected[color.index()]
    }
}

/// What the lead is made of.
impl fmt::Display for Balance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [black, white] = self.expected;
        write!(f, "Expected area {black:.1} to {white:.1}, komi {}", self.komi)?;
        if self.bonus != 0.0 {
            write!(f, ", {} for the handicap", self.bonus)?;
        }
        match self.extra_stones {
            0.0 => {}
            black if black > 0.0 => write!(f, ", {black} to White for Black's extra stones")?,
            white => write!(f, ", {} to Black for White's extra stones", -white)?,
        }
        f.write_str(".")
    }
}

fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_add_up_to_the_lead_that_is_told() {
        for (black, komi, [bonus, extra_stones], told) in [
            (44.3, 7.5, [0.0, 0.0], "Black leads by 0.1. Expected area 44.3 to 36.7, komi 7.5."),
            (
                40.5,
                0.5,
                [3.0, 0.0],
                "White leads by 3.5. Expected area 40.5 to 40.5, komi 0.5, 3 for the handicap.",
            ),
            (
                40.5,
                0.5,
                [0.0, 4.0],
                "White leads by 4.5. Expected area 40.5 to 40.5, komi 0.5, 4 to White for Black's extra stones.",
            ),
            (
                43.9,
                7.8,
                [0.0, -1.0],
                "Neither side leads. Expected area 43.9 to 37.1, komi 7.8, 1 to Black for White's extra stones.",
            ),
        ] {
            let expected = [black, tenths(81.0 - black)];
            let balance = Balance { expected, komi, bonus, extra_stones };
            assert_eq!(format!("{} {balance}", balance.verdict()), told);
        }
    }
}
