//! What pages ask, carried out one after the other.

use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::{Busy, Event, Room, Start};
use crate::gtp::join;
use crate::web::message::{Answer, Request, Setup, of, step};
use crate::web::timer::Timer;
use crate::web::tree::{MAX_COMMENT, NodeId, Tree};
use game_core::time::TimeControl;

/// Steps that a request may name.
const MAX_STEPS: usize = 8;
/// Points of dead stones that a request may name: more than a board has.
const MAX_DEAD: usize = 700;

impl Room {
    /// Sets the game up.
    pub(super) fn begin(&mut self, start: Start, commands: &[&str]) -> Result<(), String> {
        for command in commands {
            self.ask(command)?;
        }
        match start {
            Start::New(setup) => self.set_up(setup)?,
            Start::Record(bytes, name) => self.load(bytes, name)?,
        }
        self.refresh()?;
        self.tell_state();
        Ok(())
    }

    fn set_up(&mut self, setup: Setup) -> Result<(), String> {
        let control = TimeControl::named(&setup.time).map_err(|why| format!("time: {why}"))?;
        if let Some(size) = setup.size {
            self.ask(&format!("boardsize {size}"))?;
        }
        if let Some(rules) = &setup.rules {
            self.ask(&format!("kata-set-rules {rules}"))?;
        }
        if let Some(komi) = setup.komi {
            self.ask(&format!("komi {komi}"))?;
        }
        if setup.handicap > 0 {
            self.ask(&format!("fixed_handicap {}", setup.handicap))?;
        }
        self.ask(&format!("kata-time_settings {control}"))?;
        self.timer = Timer::new(control);
        self.players = setup.players;
        self.live = true;
        Ok(())
    }

    /// A record is there to be looked at: nobody's clock runs and the engine does not answer.
    fn load(&mut self, bytes: Vec<u8>, name: String) -> Result<(), String> {
        self.exchange().record = bytes;
        self.ask("web-load")?;
        let mut exchange = self.exchange();
        let tree = std::mem::take(&mut exchange.tree);
        let names = std::mem::take(&mut exchange.names);
        let result = std::mem::take(&mut exchange.result);
        let notes = std::mem::take(&mut exchange.notes);
        drop(exchange);
        (self.tree, self.names, self.notes) = (tree, names, notes);
        (self.result, self.recorded) = (result.clone(), result);
        if !name.is_empty() {
            self.notes.insert(0, name);
        }
        let end = self.end_of_main_line();
        self.go_to(end)
    }

    /// Carries a request out, and answers it.
    pub(super) fn asked(&mut self, request: Request, reply: oneshot::Sender<Answer>) {
        // These leave alone what goes on.
        match request {
            Request::Snapshot => {
                let _ = reply.send(Ok(self.snapshot()));
                return;
            }
            Request::Comment { node, text } => {
                let _ = reply.send(self.comment(node, &text));
                return;
            }
            Request::MoveNow => {
                if matches!(self.busy, Busy::Thinking { .. }) {
                    self.engine.interrupt();
                }
                let _ = reply.send(Ok(Value::Null));
                return;
            }
            Request::Analyse { on } if matches!(self.busy, Busy::Thinking { .. }) => {
                self.analysing = on;
                self.tell_state();
                let _ = reply.send(Ok(Value::Null));
                return;
            }
            Request::Review { stop: true, .. } => {
                self.reviews.stop(&self.id);
                let _ = reply.send(Ok(Value::Null));
                return;
            }
            // Whoever saves the game does not want to try again.
            Request::Sgf { .. } if matches!(self.busy, Busy::Thinking { .. }) => {
                self.waiting.push((request, reply));
                return;
            }
            Request::Legal { .. } | Request::Show { .. } | Request::Score { .. }
                if matches!(self.busy, Busy::Thinking { .. }) =>
            {
                let _ = reply.send(Err("the engine is thinking".to_owned()));
                return;
            }
            Request::Show { what } => {
                self.settle();
                self.show(&what, reply);
                return;
            }
            _ => {}
        }
        self.settle();
        let answer = self.carry_out(request);
        if let Err(why) = &answer {
            tracing::debug!("a request was refused: {why}");
        }
        let _ = reply.send(answer);
        self.go_on();
    }

    pub(super) fn carry_out(&mut self, request: Request) -> Answer {
        match request {
            Request::Play { steps, node } => {
                if node.is_some_and(|node| node != self.at) {
                    return Err("the game has moved on".to_owned());
                }
                return self.play(&steps);
            }
            Request::Legal { steps } => {
                let steps = self.steps(&steps)?;
                let text = self.ask(&format!("tesuji-legal {steps}"))?;
                return serde_json::from_str(&text).map_err(|why| why.to_string());
            }
            Request::Go { node } => {
                self.live &= node == self.at;
                let gone = self.go_to(node);
                self.refresh()?;
                self.tell_state();
                gone?;
            }
            Request::Undo => self.undo()?,
            Request::Delete { node } => self.delete(node)?,
            Request::Resign => {
                let color = self.to_move().filter(|_| self.is_open() && self.result.is_empty());
                let Some(to_move) = color else { return Err("the game is over".to_owned()) };
                self.lose(self.only_person().unwrap_or(to_move), 'R');
            }
            Request::Think => {
                let color = self.to_move().filter(|_| self.is_open());
                let Some(color) = color else { return Err("the game is over".to_owned()) };
                self.think(color);
            }
            Request::Set { players } => {
                self.players = players;
                self.live = self.is_open();
                if self.live {
                    self.reopen()?;
                }
                self.tell_state();
            }
            Request::Analyse { on } => {
                self.analysing = on;
                self.tell_state();
            }
            Request::Score { dead } => return self.tell_score(dead),
            Request::Review { playouts, .. } => self.review(playouts)?,
            Request::Sgf { reviewed } => {
                let annotated = if reviewed { self.reviews.sgf(&self.id) } else { None };
                return match annotated {
                    Some(sgf) => Ok(Value::from(sgf)),
                    None => Ok(Value::from(self.sgf()?)),
                };
            }
            // Answered before.
            Request::Snapshot
            | Request::Comment { .. }
            | Request::MoveNow
            | Request::Show { .. } => {}
        }
        Ok(Value::Null)
    }

    /// Takes a position out of the tree, with all that follows it.
    fn delete(&mut self, node: NodeId) -> Result<(), String> {
        let Some(parent) = self.tree.get(node).and_then(|node| node.parent) else {
            return Err("this position cannot be taken out".to_owned());
        };
        if self.tree.path(self.at).contains(&node) {
            self.go_to(parent)?;
        }
        self.tree.remove(node);
        self.refresh()?;
        self.tell_tree();
        self.tell_state();
        Ok(())
    }

    /// Counts the board, with the stones that the players name as dead; a game that ended by passes gets its result.
    fn tell_score(&mut self, dead: Option<Vec<String>>) -> Answer {
        let read = |words: Vec<String>| {
            let words = words.iter().take(MAX_DEAD);
            words.map(|word| step(word)).collect::<Result<Vec<_>, _>>()
        };
        let dead = dead.map(read).transpose()?;
        self.count(dead.as_deref())?;
        let result = self.score.as_ref().and_then(|score| score["result"].as_str());
        let is_counted = self.position.get("outcome").and_then(Value::as_str) == Some("counted");
        if let Some(result) = result.filter(|_| is_counted) {
            self.result = result.to_owned();
        }
        self.tell_state();
        Ok(self.score.clone().unwrap_or_default())
    }

    /// Begins a review of the game.
    fn review(&mut self, playouts: Option<u64>) -> Result<(), String> {
        let sgf = self.sgf()?;
        let own = self.own.clone();
        // The game may be closed before its review has ended.
        let tell = move |review| drop(own.send(Event::Reviewed(review)));
        let begun = self.reviews.start(&self.id, sgf, playouts, Box::new(tell));
        begun.map_err(|why| format!("the review cannot be begun: {why:#}"))
    }

    fn play(&mut self, words: &[String]) -> Answer {
        let color = self.to_move().filter(|_| self.is_open());
        let color = color.ok_or_else(|| "the game is over".to_owned())?;
        let text = self.steps(words)?;
        if text.is_empty() {
            return Err("a turn has a step at least".to_owned());
        }
        self.ask(&format!("play {} {text}", color.letter()))?;
        let steps: Vec<_> = words.iter().map(|word| step(word)).collect::<Result<_, _>>()?;
        let added = self.tree.add(self.at, color, &steps);
        let (id, is_new) = match added {
            Ok(added) => added,
            Err(why) => {
                self.ask("undo")?;
                return Err(why.to_string());
            }
        };
        self.timer.moved(color);
        self.at = id;
        self.score = None;
        let is_played = self.players.iter().any(|player| player.engine) || self.timer.is_limited();
        self.live =
            self.result.is_empty() && (self.live || is_played) && self.tree.children(id).is_empty();
        self.after_turn(is_new);
        self.tell_state();
        Ok(json!({"node": id}))
    }

    /// Takes the last turn back, and then the engine's, until it is a person's turn.
    fn undo(&mut self) -> Result<(), String> {
        let parent = |room: &Room| room.tree.get(room.at).and_then(|node| node.parent);
        if parent(self).is_none() {
            return Err("there is nothing to take back".to_owned());
        }
        let is_both = self.players.iter().all(|player| player.engine);
        while let Some(before) = parent(self) {
            let gone = self.at;
            self.go_to(before)?;
            if self.tree.children(gone).is_empty() {
                self.tree.remove(gone);
            }
            self.refresh()?;
            let is_engines = self.to_move().is_some_and(|color| of(&self.players, color).engine);
            if !is_engines || is_both {
                break;
            }
        }
        self.live = !is_both;
        self.reopen()?;
        self.tell_tree();
        self.tell_state();
        Ok(())
    }

    /// Makes a game that was over one that can go on. A clock that has run out would end it again at once: there is none any more.
    fn reopen(&mut self) -> Result<(), String> {
        self.result.clear();
        if self.timer.is_used_up() {
            self.timer = Timer::default();
            self.strength = None;
            self.ask(&format!("kata-time_settings {}", TimeControl::Unlimited))?;
            self.warn("time was up: the game goes on without clocks");
        }
        Ok(())
    }

    fn comment(&mut self, node: NodeId, text: &str) -> Answer {
        let node = self.tree.get_mut(node).ok_or_else(|| "there is no such position".to_owned())?;
        node.comment = text.chars().take(MAX_COMMENT).collect();
        self.tell_tree();
        Ok(Value::Null)
    }

    /// The game with its variations as SGF. A record that was loaded keeps its result, whatever is tried in it.
    fn sgf(&mut self) -> Result<String, String> {
        let result = if self.recorded.is_empty() { &self.result } else { &self.recorded };
        let (tree, names, result) = (self.tree.clone(), self.names.clone(), result.clone());
        let mut exchange = self.exchange();
        (exchange.tree, exchange.names, exchange.result) = (tree, names, result);
        drop(exchange);
        self.ask("web-save")?;
        let mut exchange = self.exchange();
        exchange.tree = Tree::new();
        Ok(std::mem::take(&mut exchange.sgf))
    }

    /// Words that are steps, in one row.
    fn steps(&self, words: &[String]) -> Result<String, String> {
        if words.len() > MAX_STEPS {
            return Err(format!("a turn has at most {MAX_STEPS} steps"));
        }
        let steps: Vec<_> = words.iter().map(|word| step(word)).collect::<Result<_, _>>()?;
        Ok(join(&steps))
    }
}
