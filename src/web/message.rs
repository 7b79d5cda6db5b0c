//! What a page asks, in JSON, and what is told to pages.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::tree::NodeId;
use crate::gtp::{Color, Step};

/// A text that is told to every page that shows a game.
pub type Update = Arc<str>;

/// What is asked of a game.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Request {
    /// The game as it stands, with all of its variations.
    Snapshot,
    /// The side to move plays this turn.
    Play {
        /// All of its steps.
        steps: Vec<String>,
        /// The position that it was chosen in; none for the present one. Another one may be shown by now, where it would be
        /// somebody else's turn.
        node: Option<NodeId>,
    },
    /// Which steps can follow these of a turn.
    Legal {
        /// Those that were chosen.
        steps: Vec<String>,
    },
    /// Shows another position of the game.
    Go {
        /// Which.
        node: NodeId,
    },
    /// Takes the last turn back, and the engine's before it.
    Undo,
    /// Takes a position out, with everything behind it.
    Delete {
        /// Which.
        node: NodeId,
    },
    /// The person who plays against the engine gives up; else the side to move.
    Resign,
    /// The engine plays the side to move.
    Think,
    /// The engine moves at once.
    MoveNow,
    /// Who plays, and how strongly, from now on.
    Set {
        /// Black and White.
        players: [Player; 2],
    },
    /// The engine tells what it thinks of the position until told to stop.
    Analyse {
        /// Whether it does.
        on: bool,
    },
    /// One of the drawings or texts that the game has.
    Show {
        /// Its command.
        what: String,
    },
    /// The score, with these stones dead, or with those that the engine takes for dead.
    Score {
        /// Points of dead stones.
        dead: Option<Vec<String>>,
    },
    /// Says something about a position.
    Comment {
        /// Which.
        node: NodeId,
        /// What.
        text: String,
    },
    /// Reviews the main line.
    Review {
        /// Playouts of a position; none for the usual number.
        playouts: Option<u64>,
        /// Whether one that goes on is stopped instead.
        #[serde(default)]
        stop: bool,
    },
    /// The game as SGF; with the review's comments and variations where there is one.
    Sgf {
        /// Whether those are wanted.
        #[serde(default)]
        reviewed: bool,
    },
}

/// How a game is begun.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Setup {
    /// Side of the board.
    pub size: Option<u8>,
    /// Points that White gets.
    pub komi: Option<f64>,
    /// The rules' name.
    pub rules: Option<String>,
    /// Black's stones before the first move.
    pub handicap: u8,
    /// The time control, as GTP's `kata-time_settings` has it.
    pub time: String,
    /// Black and White.
    pub players: [Player; 2],
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            size: None,
            komi: None,
            rules: None,
            handicap: 0,
            time: "none".to_owned(),
            players: Default::default(),
        }
    }
}

/// Who plays a side. Without a limit the engine plays as well as it can in the time that there is.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Player {
    /// The engine does.
    pub engine: bool,
    /// Its level, where the game has levels.
    pub level: u8,
    /// Visits for a turn; 0 for no limit.
    pub visits: u64,
    /// Seconds for a turn; 0 for no limit.
    pub seconds: f64,
}

/// What a game answers.
pub type Answer = Result<Value, String>;

/// A word as a step.
pub fn step(word: &str) -> Result<Step, String> {
    if word.eq_ignore_ascii_case("pass") {
        return Ok(Step::Pass);
    }
    word.parse().map(Step::At).map_err(|_| format!("{word:.20?} is no point"))
}

/// A colour's place among two players.
pub fn of<T>(players: &[T; 2], color: Color) -> &T {
    &players[color.index()]
}
