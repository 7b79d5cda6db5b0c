//! Moving about in the variations: the session follows by undoing and playing.

use super::Room;
use crate::gtp::join;
use crate::web::tree::NodeId;

impl Room {
    /// Brings the session to another position. Where a turn cannot be made there, it stays at the one before.
    pub(super) fn go_to(&mut self, target: NodeId) -> Result<(), String> {
        if self.tree.get(target).is_none() {
            return Err("there is no such position".to_owned());
        }
        let (from, to) = (self.tree.path(self.at), self.tree.path(target));
        let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
        let back = from.len() - common;
        if back > 0 {
            self.ask(&format!("gg-undo {back}"))?;
            self.at = common.checked_sub(1).map_or(super::Tree::ROOT, |last| to[last]);
        }
        for &next in &to[common..] {
            let Some(node) = self.tree.get(next) else { break };
            let command = format!("play {} {}", node.color.letter(), join(&node.steps));
            let number = self.tree.path(next).len();
            self.ask(&command).map_err(|why| format!("move {number}: {why}"))?;
            self.at = next;
        }
        self.score = None;
        Ok(())
    }

    /// Learns from the session what the position is.
    pub(super) fn refresh(&mut self) -> Result<(), String> {
        let text = self.ask("tesuji-position")?;
        let position: serde_json::Map<_, _> =
            serde_json::from_str(&text).map_err(|why| why.to_string())?;
        self.position = position;
        // It is in the variations.
        self.position.remove("turns");
        Ok(())
    }
}
