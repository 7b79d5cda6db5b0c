//! The games that matches can be played of: a table that a program may add to.

use std::fmt;
use std::str::FromStr;
use std::sync::{PoisonError, RwLock};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Arbiter, Color, InProgress, Rules};
use crate::session;

/// The games that every program knows. Go comes first, which is played where nothing is said.
const GAMES: [Game; 3] = [
    Game::GO,
    Game::of::<connect6_engine::Game>("connect6"),
    Game::of::<amazons_engine::Game>("amazons"),
];

/// What a program has added.
static ADDED: RwLock<Vec<Game>> = RwLock::new(Vec::new());

/// A game that matches can be played of.
#[derive(Clone, Copy)]
pub struct Game {
    /// What settings call it.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// The side of the usual board.
    pub side: u8,
    /// The colour that moves first.
    pub first: Color,
    /// The most steps of a turn.
    pub max_steps: usize,
    /// Whether a pass is a move.
    pub has_pass: bool,
    /// Its number in records, if it has one.
    pub sgf_number: Option<u32>,
    pub(super) start: fn(&Rules) -> Option<Box<dyn Arbiter>>,
}

impl Game {
    /// Go, which alone has rule sets.
    pub const GO: Game = Game {
        start: |rules| {
            let mut game = <go_engine::Game as session::Game>::start_on(rules.size, rules.size)?;
            game.set_rules(rules.rule_set.0);
            game.set_komi(rules.komi);
            Some(Box::new(InProgress(game)))
        },
        ..Game::of::<go_engine::Game>("go")
    };

    /// A game as sessions play it, under the name that settings are to know it by.
    pub const fn of<G: session::Game + Send>(name: &'static str) -> Game {
        Game {
            name,
            title: G::TITLE,
            side: G::SIDE,
            first: G::FIRST,
            max_steps: G::MAX_STEPS,
            has_pass: G::HAS_PASS,
            sgf_number: G::SGF_NUMBER,
            start: |rules| Some(Box::new(InProgress(G::start_on(rules.size, rules.size)?))),
        }
    }

    /// Lets matches be played of one game more, from now on.
    pub fn add(self) {
        ADDED.write().unwrap_or_else(PoisonError::into_inner).push(self);
    }

    /// All games that matches can be played of.
    pub fn all() -> Vec<Game> {
        let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
        GAMES.into_iter().chain(added.iter().copied()).collect()
    }

    /// Reads a game's name on a command line.
    pub fn parser() -> impl TypedValueParser<Value = Game> {
        let names = Game::all().into_iter().map(|game| game.name);
        PossibleValuesParser::new(names).try_map(|name| name.parse::<Game>())
    }
}

impl Default for Game {
    fn default() -> Game {
        Game::GO
    }
}

impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title)
    }
}

impl FromStr for Game {
    type Err = String;

    fn from_str(name: &str) -> Result<Game, String> {
        let games = Game::all();
        games.iter().find(|game| game.name == name).copied().ok_or_else(|| {
            let names: Vec<&str> = games.iter().map(|game| game.name).collect();
            format!("unknown game {name:?}, expected one of {}", names.join(", "))
        })
    }
}

impl Serialize for Game {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}

impl<'de> Deserialize<'de> for Game {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{GameOver, GameResult, RuleSet, Step, Vertex};
    use super::*;

    fn connect6() -> Box<dyn Arbiter> {
        let game = "connect6".parse().expect("a game");
        let rules = Rules { game, size: 19, komi: 0.0, rule_set: RuleSet::default() };
        rules.arbiter().expect("a board")
    }

    fn play(text: &str) -> Box<dyn Arbiter> {
        let mut arbiter = connect6();
        for word in text.split(' ') {
            arbiter.play(Step::At(word.parse().expect("a vertex"))).expect("a legal step");
        }
        arbiter
    }

    #[test]
    fn turns_are_one_stone_and_then_two() {
        let mut arbiter = connect6();
        let mut seen = Vec::new();
        for column in 0..7 {
            seen.push((arbiter.to_move(), arbiter.steps_left()));
            arbiter.play(Step::At(Vertex { column, row: 2 * column })).expect("a legal step");
        }
        use Color::{Black, White};
        assert_eq!(
            seen,
            [(Black, 1), (White, 2), (White, 1), (Black, 2), (Black, 1), (White, 2), (White, 1)]
        );
    }

    #[test]
    fn six_in_a_row_win_in_every_direction_and_five_do_not() {
        // White's stones lie apart, Black's in a line with one missing.
        let games = [
            ("A1 T1 T3 B1 C1 T5 T7 D1 E1 T9 T11", "F1"),
            ("A1 T1 T3 A2 A3 T5 T7 A4 A5 T9 T11", "A6"),
            ("A1 T1 T3 B2 C3 T5 T7 D4 E5 T9 T11", "F6"),
            ("A9 T1 T3 B8 C7 T5 T7 D6 E5 T9 T11", "F4"),
        ];
        for (moves, last) in games {
            let mut arbiter = play(moves);
            assert_eq!(arbiter.game_over(), None, "{moves}");
            arbiter.play(Step::At(last.parse().expect("a vertex"))).expect("a legal step");
            let won = GameResult { winner: Some(Color::Black), margin: None };
            assert_eq!(arbiter.game_over(), Some(GameOver::Decided(won)), "{moves}");
            assert!(
                arbiter.legal().is_empty()
                    && arbiter.play(Step::At(Vertex { column: 10, row: 10 })).is_err()
            );
        }
        assert!(play("A1").play(Step::At(Vertex { column: 0, row: 0 })).is_err());
    }

    #[test]
    fn a_size_that_is_not_played_on_is_told_those_that_are() {
        let game = "amazons".parse().expect("a game");
        let rules = Rules { game, size: 9, komi: 0.0, rule_set: RuleSet::default() };
        let why = rules.check().expect_err("no start is known");
        assert_eq!(why, "size 9: Amazons is played on boards of 4, 5, 10");
        assert!("hex".parse::<Game>().expect_err("unknown").ends_with("go, connect6, amazons"));
    }
}
