//! The rules of a game as the runner needs them: whose turn it is, what is legal, when it is over, who won.
//!
//! A turn is made of steps, each a point of the board: one in Go, one or two in Connect6, three in Amazons (from, to,
//! arrow). Engines may give a turn whole or step by step; the arbiter only sees steps.

mod games;
mod vertex;

use std::fmt;
use std::str::FromStr;

use game_core::Outcome;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use crate::gtp::{Color, Step, Vertex};
use crate::gtp::{Failure, MAX_SIZE};
use crate::session;

pub use games::Game;
pub use vertex::{Spelling, algebraic, parse_steps, spell_steps};

/// Who won and by how much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameResult {
    /// The winner, or nobody in a drawn game.
    pub winner: Option<Color>,
    /// The points between the sides, where the game has points.
    pub margin: Option<f64>,
}

impl GameResult {
    /// From Black's points less White's.
    pub fn from_lead(lead: f64) -> GameResult {
        let winner = match lead {
            lead if lead > 0.0 => Some(Color::Black),
            lead if lead < 0.0 => Some(Color::White),
            _ => None,
        };
        GameResult { winner, margin: Some(lead.abs()) }
    }

    /// Reads a score as engines give it: `B+3.5`, `W+0.5`, `B+R`, `0`, also with more text after it.
    pub fn parse(text: &str) -> Option<GameResult> {
        let word = text.split_whitespace().next()?;
        let word = word.trim_end_matches([',', ';', ':']);
        if word.parse::<f64>() == Ok(0.0)
            || word.eq_ignore_ascii_case("draw")
            || word.eq_ignore_ascii_case("jigo")
        {
            return Some(GameResult { winner: None, margin: Some(0.0) });
        }
        let (color, margin) = word.split_once('+')?;
        let winner = match color {
            "b" | "B" => Color::Black,
            "w" | "W" => Color::White,
            _ => return None,
        };
        let margin = match margin.parse::<f64>() {
            Ok(points) if !points.is_finite() || points < 0.0 => return None,
            Ok(0.0) => return Some(GameResult { winner: None, margin: Some(0.0) }),
            Ok(points) => Some(points),
            Err(_) => None,
        };
        Some(GameResult { winner: Some(winner), margin })
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.winner, self.margin) {
            (None, _) => f.write_str("0"),
            (Some(color), Some(points)) => write!(f, "{}+{points}", color.initial()),
            (Some(color), None) => write!(f, "{}+", color.initial()),
        }
    }
}

/// How the rules end a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GameOver {
    /// The rules name the winner.
    Decided(GameResult),
    /// The board has to be counted.
    ToCount,
}

/// The rules of one game in progress.
pub trait Arbiter: Send {
    /// Whose step comes next.
    fn to_move(&self) -> Color;
    /// How many steps the turn in progress still needs; at least 1.
    fn steps_left(&self) -> usize;
    /// Makes the next step. An illegal one changes nothing.
    ///
    /// # Errors
    /// When the rules forbid it.
    fn play(&mut self, step: Step) -> Result<(), Failure>;
    /// Every legal next step, passes left out, in a fixed order.
    fn legal(&self) -> Vec<Step>;
    /// Whether the game is over.
    fn game_over(&self) -> Option<GameOver>;
    /// The board counted as it stands, by the runner's own rules; nobody's in games without points.
    fn count(&self) -> GameResult;
    /// Puts handicap stones on the empty board.
    ///
    /// # Errors
    /// Where the game knows no handicap, or not so many stones on this board.
    fn handicap(&mut self, stones: usize) -> Result<Vec<Vertex>, Failure>;
}

/// A game as sessions play it knows all its rules.
struct InProgress<G>(G);

impl<G: session::Game + Send> Arbiter for InProgress<G> {
    fn to_move(&self) -> Color {
        self.0.to_move()
    }

    fn steps_left(&self) -> usize {
        self.0.steps_due()
    }

    fn play(&mut self, step: Step) -> Result<(), Failure> {
        if step == Step::Pass && !G::HAS_PASS {
            return Err(Failure::forbidden(format!("nobody passes in {}", G::TITLE)));
        }
        self.0.play(self.0.to_move(), &[step])
    }

    fn legal(&self) -> Vec<Step> {
        if self.0.outcome().is_over() { Vec::new() } else { self.0.legal() }
    }

    fn game_over(&self) -> Option<GameOver> {
        let winner = match self.0.outcome() {
            Outcome::Open => return self.0.is_to_be_counted().then_some(GameOver::ToCount),
            Outcome::Win(color) => Some(color),
            Outcome::Draw => None,
        };
        Some(GameOver::Decided(GameResult { winner, margin: None }))
    }

    fn count(&self) -> GameResult {
        let nobody = GameResult { winner: None, margin: None };
        self.0.count().map_or(nobody, GameResult::from_lead)
    }

    fn handicap(&mut self, stones: usize) -> Result<Vec<Vertex>, Failure> {
        self.0.place_handicap(stones)
    }
}

/// What decides the rules of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// Which game.
    pub game: Game,
    /// The board's side.
    pub size: u8,
    /// What White gets for moving second; Go only.
    pub komi: f64,
    /// The rule set's name; Go only.
    pub rule_set: RuleSet,
}

/// A rule set of Go that has a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleSet(pub go_engine::Rules);

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for RuleSet {
    type Err = String;

    fn from_str(name: &str) -> Result<RuleSet, String> {
        name.parse()
            .map(RuleSet)
            .map_err(|unknown: go_engine::rules::UnknownRules| unknown.to_string())
    }
}

impl Serialize for RuleSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for RuleSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl Rules {
    /// Checks that the game can be played on a board of this size.
    ///
    /// # Errors
    /// Names the size and what is possible.
    pub fn check(&self) -> Result<(), String> {
        if !self.komi.is_finite() {
            return Err("komi: not a finite number".to_string());
        }
        self.arbiter().map(drop)
    }

    /// An arbiter of a new game under these rules.
    ///
    /// # Errors
    /// As [`Rules::check`].
    pub fn arbiter(&self) -> Result<Box<dyn Arbiter>, String> {
        (self.game.start)(self).ok_or_else(|| {
            let Rules { game, size, .. } = self;
            let sizes: Vec<u8> = (1..=MAX_SIZE)
                .filter(|&size| (game.start)(&Rules { size, ..self.clone() }).is_some())
                .collect();
            let sizes = match sizes[..] {
                [first, .., last] if usize::from(last - first) + 1 == sizes.len() => {
                    format!("{first} to {last}")
                }
                _ => sizes.iter().map(u8::to_string).collect::<Vec<_>>().join(", "),
            };
            format!("size {size}: {} is played on boards of {sizes}", game.title)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_as_engines_write_them() {
        let won = |winner, margin| Some(GameResult { winner: Some(winner), margin });
        assert_eq!(GameResult::parse("B+3.5"), won(Color::Black, Some(3.5)));
        assert_eq!(
            GameResult::parse("w+12 (upper bound: 3, lower: 1)"),
            won(Color::White, Some(12.0))
        );
        assert_eq!(GameResult::parse("W+Resign"), won(Color::White, None));
        assert_eq!(GameResult::parse("0"), Some(GameResult { winner: None, margin: Some(0.0) }));
        assert_eq!(GameResult::parse("B+0"), Some(GameResult { winner: None, margin: Some(0.0) }));
        for nonsense in ["", "?", "cannot score", "X+3", "B-3", "B+-3", "B+nan", "3.5"] {
            assert_eq!(GameResult::parse(nonsense), None, "{nonsense}");
        }
    }
}
