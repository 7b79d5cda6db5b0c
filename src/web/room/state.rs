//! What pages are told of a game.

use serde_json::{Value, json};

use super::{Busy, Room};
use crate::web::tree::Tree;

impl Room {
    /// Tells something to all pages that show the game.
    pub(super) fn tell(&self, kind: &str, data: &Value) {
        // Nobody may be looking.
        let _ = self
            .updates
            .send(json!({"type": kind, "game": self.id, "data": data}).to_string().into());
    }

    /// What is thought of the position; the row is JSON already.
    pub(super) fn tell_analysis(&self, row: &str) {
        if row.starts_with('{') {
            let (id, node) = (&self.id, self.at);
            let text = format!(r#"{{"type":"analysis","game":"{id}","node":{node},"data":{row}}}"#);
            let _ = self.updates.send(text.into());
        }
    }

    /// Something that went wrong and is nobody's request.
    pub(super) fn warn(&self, why: &str) {
        self.tell("warning", &Value::from(why));
    }

    /// The game as it stands, without its variations.
    pub(super) fn state(&self) -> Value {
        let is_thinking = matches!(self.busy, Busy::Thinking { .. });
        json!({
            "kind": self.kind,
            "position": self.position,
            "node": self.at,
            "players": self.players,
            "names": self.names,
            "clock": self.timer.json(),
            "live": self.live,
            "thinking": is_thinking,
            "analysing": self.analysing,
            "result": self.result,
            "score": self.score,
            "notes": self.notes,
        })
    }

    /// Everything.
    pub(super) fn snapshot(&self) -> Value {
        let mut state = self.state();
        state["tree"] = self.tree.json();
        state["review"] = self.review.clone().unwrap_or_default();
        state
    }

    /// Tells how the game stands.
    pub(super) fn tell_state(&mut self) {
        self.run_clock();
        let size = self.position.get("size").cloned().unwrap_or_default();
        let summary = json!({
            "id": self.id,
            "size": size,
            "rows": self.position.get("rows"),
            "moves": self.tree.path(self.at).len(),
            "players": self.players.each_ref().map(|player| player.engine),
            "names": self.names,
            "result": self.result,
            "toMove": self.position.get("toMove"),
            "live": self.live,
        });
        *self.summary.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = summary;
        (self.changed)();
        let state = self.state();
        self.tell("state", &state);
    }

    /// Tells of the position that was reached first just now.
    pub(super) fn tell_added(&self) {
        self.tell("node", &self.tree.node_json(self.at));
    }

    /// Tells all variations.
    pub(super) fn tell_tree(&self) {
        self.tell("tree", &self.tree.json());
    }

    /// The main line's last position.
    pub(super) fn end_of_main_line(&self) -> u32 {
        self.tree.main_line().last().copied().unwrap_or(Tree::ROOT)
    }
}
