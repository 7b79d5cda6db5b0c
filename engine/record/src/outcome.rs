//! The result of a game, `RE[]`.

use crate::Color;
use std::fmt;

/// The result of a game as its record states it.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// One side won.
    Win(Color, Margin),
    /// Neither side won: `0`, `Draw` or `Jigo`.
    Draw,
    /// No result, or the game was suspended: `Void`.
    Void,
    /// `?`, an empty value, or words that the format does not define.
    Unknown(String),
}

/// How a game was won.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Margin {
    /// By this many points.
    Points(f64),
    /// The loser resigned.
    Resignation,
    /// The loser ran out of time.
    Time,
    /// The loser forfeited.
    Forfeit,
    /// It is not said how.
    Unstated,
}

impl Outcome {
    /// Reads the value of `RE[]`. What the format does not define becomes [`Outcome::Unknown`].
    ///
    /// ```
    /// use game_record::{Color, Margin, Outcome};
    /// assert_eq!(Outcome::from_sgf("W+0.5"), Outcome::Win(Color::White, Margin::Points(0.5)));
    /// assert_eq!(Outcome::from_sgf("b+res"), Outcome::Win(Color::Black, Margin::Resignation));
    /// assert_eq!(Outcome::from_sgf("Jigo"), Outcome::Draw);
    /// ```
    pub fn from_sgf(text: &str) -> Self {
        let word = text.trim().to_ascii_lowercase();
        match word.as_str() {
            "0" | "draw" | "jigo" => return Outcome::Draw,
            "void" => return Outcome::Void,
            _ => {}
        }
        let unknown = || Outcome::Unknown(text.trim().to_owned());
        let Some((side, margin)) = word.split_once('+') else {
            return unknown();
        };
        let side = match side.trim() {
            "b" | "black" => Color::Black,
            "w" | "white" => Color::White,
            _ => return unknown(),
        };
        let margin = match margin.trim() {
            "" => Margin::Unstated,
            "r" | "res" | "resign" | "resigns" | "resignation" => Margin::Resignation,
            "t" | "time" => Margin::Time,
            "f" | "forfeit" => Margin::Forfeit,
            number => match number.parse::<f64>() {
                Ok(points) if points.is_finite() && points >= 0.0 => Margin::Points(points),
                _ => return unknown(),
            },
        };
        Outcome::Win(side, margin)
    }

    /// The side that won, if one did.
    pub fn winner(&self) -> Option<Color> {
        match self {
            Outcome::Win(color, _) => Some(*color),
            _ => None,
        }
    }
}

impl fmt::Display for Outcome {
    /// As `RE[]` has it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Win(color, margin) => {
                write!(f, "{}+", color.initial())?;
                match margin {
                    Margin::Points(points) => write!(f, "{points}"),
                    Margin::Resignation => f.write_str("R"),
                    Margin::Time => f.write_str("T"),
                    Margin::Forfeit => f.write_str("F"),
                    Margin::Unstated => Ok(()),
                }
            }
            Outcome::Draw => f.write_str("0"),
            Outcome::Void => f.write_str("Void"),
            Outcome::Unknown(text) => f.write_str(text),
        }
    }
}
