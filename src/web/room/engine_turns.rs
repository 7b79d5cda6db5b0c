//! The engine's part: its turns, its analysis, its drawings, and what goes on by itself after each change.

use game_core::time::TimeControl;

use super::{Busy, Room};
use crate::gtp::Color;
use crate::web::message::{of, step};

/// How often an analysis is told, in hundredths of a second: with what looking and telling take beside it, ten times a second.
const INTERVAL: u32 = 9;
/// Rows of an analysis that no page has to see: ten seconds of them, time to load a page again.
const MAX_UNSEEN: u32 = 100;
/// What is told of it.
const ANALYSIS: &str = "ownership true maxmoves 16";

impl Room {
    /// Goes on by itself: the engine's turn, the analysis, the clock of whoever is to move.
    pub(super) fn go_on(&mut self) {
        if self.is_closed || !matches!(self.busy, Busy::Idle) {
            return;
        }
        for (request, reply) in std::mem::take(&mut self.waiting) {
            // Who asked may be gone.
            let _ = reply.send(self.carry_out(request));
        }
        let is_on = self.run_clock();
        let Some(color) = self.to_move() else { return };
        if is_on && of(&self.players, color).engine && self.tree.children(self.at).is_empty() {
            self.think(color);
        } else if self.analysing && self.is_open() {
            let command = format!("tesuji-analyze {} {INTERVAL} {ANALYSIS}", color.letter());
            self.busy = Busy::Analysing { id: self.engine.ask_streamed(&command) };
        }
    }

    /// Lets the clock of whoever is to move run, while the game goes on; whether it does.
    pub(super) fn run_clock(&mut self) -> bool {
        let is_on = self.live && self.result.is_empty() && self.is_open();
        self.timer.run(self.to_move().filter(|_| is_on));
        is_on
    }

    /// An analysis that no page has seen for a while ends: its page was closed.
    pub(super) fn end_unseen_analysis(&mut self) {
        self.unseen = if self.updates.receiver_count() == 0 { self.unseen + 1 } else { 0 };
        if self.unseen > MAX_UNSEEN {
            (self.analysing, self.unseen) = (false, 0);
            // Any command ends it.
            let _ = self.ask("name");
        }
    }

    /// Lets the engine look for a move.
    pub(super) fn think(&mut self, color: Color) {
        self.strengthen(color);
        if self.timer.is_limited() {
            let left = self.timer.time_left(color);
            // What it says of time is only for its own planning.
            let _ = self.ask(&left);
        }
        let command = format!("tesuji-genmove_analyze {} {INTERVAL} {ANALYSIS}", color.letter());
        let id = self.engine.ask_streamed(&command);
        self.busy = Busy::Thinking { id, color, played: None };
        self.tell_state();
    }

    /// Tells the session how well it is to play a side.
    fn strengthen(&mut self, color: Color) {
        let player = of(&self.players, color).clone();
        if self.strength.as_ref() == Some(&player) {
            return;
        }
        // Each game has the parameters that it has.
        let _ = self.ask(&format!("kata-set-param level {}", player.level.min(10)));
        let visits = if player.seconds > 0.0 { 0 } else { player.visits };
        let _ = self
            .ask(&format!("kata-set-param visits {visits}"))
            .or_else(|_| self.ask(&format!("kata-set-param playouts {visits}")));
        if !self.timer.is_limited() {
            let control = match player.seconds > 0.0 {
                true => format!("byoyomi 0 {} 1", player.seconds.min(3600.0)),
                false => TimeControl::Unlimited.to_string(),
            };
            let _ = self.ask(&format!("kata-time_settings {control}"));
        }
        self.strength = Some(player);
    }

    /// The engine has found its move.
    pub(super) fn thought(&mut self, reply: Result<String, String>) {
        let Busy::Thinking { color, played, .. } = std::mem::replace(&mut self.busy, Busy::Idle)
        else {
            return;
        };
        let late = self.timer.flagged() == Some(color);
        match (reply, played.as_deref()) {
            (Err(why), _) => {
                self.live = false;
                self.warn(&why);
            }
            (Ok(_), words) if late => {
                self.take_back(words);
                return self.lose(color, 'T');
            }
            (Ok(_), Some("resign")) => return self.lose(color, 'R'),
            (Ok(_), Some("pass")) if !self.has_pass => {
                self.take_back(Some("pass"));
                self.live = false;
            }
            (Ok(_), Some(words)) => {
                let steps: Result<Vec<_>, _> = words.split_whitespace().map(step).collect();
                let added = steps.and_then(|steps| {
                    self.tree.add(self.at, color, &steps).map_err(|why| why.to_string())
                });
                match added {
                    Ok((id, is_new)) => {
                        self.at = id;
                        self.timer.moved(color);
                        self.after_turn(is_new);
                    }
                    Err(why) => {
                        self.take_back(Some(words));
                        self.live = false;
                        self.warn(&why);
                    }
                }
            }
            (Ok(_), None) => self.live = false,
        }
        self.tell_state();
        self.go_on();
    }

    /// Ends whatever the session does beside, so that it can be asked; what the engine would have played is not played.
    pub(super) fn settle(&mut self) {
        match std::mem::replace(&mut self.busy, Busy::Idle) {
            Busy::Idle | Busy::Analysing { .. } => {}
            Busy::Thinking { id, played, .. } => {
                self.engine.interrupt();
                // It may have told its turn already, and not yet that it is done.
                let played = self.wait_for(id).or(played);
                self.take_back(played.as_deref());
            }
            busy @ Busy::Showing { .. } => {
                let Busy::Showing { id, .. } = busy else { return };
                self.busy = busy;
                self.engine.interrupt();
                self.wait_for(id);
            }
        }
    }

    /// Takes the turn back that the engine has made in the session, if these words are one: it is not to be in the tree.
    fn take_back(&mut self, played: Option<&str>) {
        if played.is_some_and(|words| words != "resign") {
            let _ = self.ask("undo");
        }
    }

    /// Hears the session until a command is done, and gives the turn that it told.
    fn wait_for(&mut self, wanted: u32) -> Option<String> {
        let mut played = None;
        loop {
            match self.events.recv() {
                Ok(super::Event::Said(super::Said::Row(id, row))) if id == wanted => {
                    // Of what is thought only the end is wanted.
                    if let Some(words) = row.strip_prefix("play ") {
                        played = Some(words.to_owned());
                    }
                }
                Ok(super::Event::Said(super::Said::Done(id, reply))) if id == wanted => {
                    if matches!(self.busy, Busy::Showing { .. }) {
                        self.shown(reply);
                    }
                    return played;
                }
                Ok(super::Event::Said(super::Said::Ended)) | Err(_) => {
                    self.is_closed = true;
                    return played;
                }
                Ok(super::Event::Said(_)) => {}
                Ok(event) => self.deferred.push_back(event),
            }
        }
    }

    /// Begins a drawing or a text of the game's.
    pub(super) fn show(
        &mut self,
        what: &str,
        reply: tokio::sync::oneshot::Sender<crate::web::message::Answer>,
    ) {
        let Some((kind, command)) = self.shows.iter().find(|show| show.1 == what).cloned() else {
            let _ = reply.send(Err(format!("{what:.40?} is nothing that can be shown")));
            return;
        };
        let id = self.engine.ask(&command);
        self.busy = Busy::Showing { id, kind, reply };
    }

    /// A drawing or a text is done.
    pub(super) fn shown(&mut self, text: Result<String, String>) {
        if let Busy::Showing { kind, reply, .. } = std::mem::replace(&mut self.busy, Busy::Idle) {
            // The page may be gone.
            let _ = reply.send(text.map(|text| serde_json::json!({"kind": kind, "text": text})));
        }
        self.go_on();
    }
}
