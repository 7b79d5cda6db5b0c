//! How the game ends.

use serde_json::Value;

use super::Room;
use crate::gtp::{Color, Step, join};

impl Room {
    /// A turn was made: the game may be over by it.
    pub(super) fn after_turn(&mut self, is_new: bool) {
        if is_new {
            self.tell_added();
        }
        if let Err(why) = self.refresh() {
            self.warn(&why);
        }
        let outcome = self.position.get("outcome").and_then(Value::as_str).unwrap_or_default();
        let ended = match outcome {
            "win" => {
                let winner =
                    self.position.get("winner").and_then(Value::as_str).unwrap_or_default();
                format!("{}+", winner.to_uppercase())
            }
            "draw" => "Draw".to_owned(),
            "counted" => {
                if let Err(why) = self.count(None) {
                    self.warn(&why);
                }
                let result = self.score.as_ref().and_then(|score| score.get("result"));
                result.and_then(Value::as_str).unwrap_or_default().to_owned()
            }
            _ => return,
        };
        if self.live && self.result.is_empty() {
            self.result = ended;
            self.live = false;
        }
    }

    /// Counts the position, with these stones dead, or those that the engine takes for dead.
    pub(super) fn count(&mut self, dead: Option<&[Step]>) -> Result<(), String> {
        let words = match dead {
            None => String::new(),
            Some([]) => "none".to_owned(),
            Some(dead) => join(dead),
        };
        let text = self.ask(&format!("tesuji-count {words}"))?;
        self.score = serde_json::from_str(&text).ok();
        Ok(())
    }

    /// A side has lost otherwise than on the board: by resigning (`R`) or on time (`T`).
    pub(super) fn lose(&mut self, color: Color, how: char) {
        self.settle();
        self.result = format!("{}+{how}", color.other().initial());
        self.live = false;
        self.timer.run(None);
        self.tell_state();
        self.go_on();
    }

    /// The side of the only person who plays: against the engine, which may be thinking.
    pub(super) fn only_person(&self) -> Option<Color> {
        let [black, white] = self.players.each_ref().map(|player| player.engine);
        match (black, white) {
            (false, true) => Some(Color::Black),
            (true, false) => Some(Color::White),
            (true, true) | (false, false) => None,
        }
    }

    /// Whether there is something left to play.
    pub(super) fn is_open(&self) -> bool {
        self.position.get("outcome").and_then(Value::as_str) == Some("open")
    }

    /// Whose turn it is.
    pub(super) fn to_move(&self) -> Option<Color> {
        match self.position.get("toMove").and_then(Value::as_str) {
            Some("b") => Some(Color::Black),
            Some("w") => Some(Color::White),
            _ => None,
        }
    }
}
