//! What is asked of the engine, and what becomes of its answers: also of those that come when the line is broken, or the
//! game over.

use std::time::{Duration, Instant};

use go_engine::Move;

use super::{Client, Finish};
use crate::cgos::engine::{Choice, Order, Report};

/// A search whose answer is due.
#[derive(Clone, Copy, Debug)]
pub(super) struct Awaited {
    pub ticket: u64,
    /// How many moves had been played.
    pub moves: usize,
    /// Whether the server has asked on this connection; after a broken line it asks again.
    pub asked: bool,
    /// Milliseconds that were left.
    pub left: i64,
}

/// What a search found.
#[derive(Debug)]
pub(super) struct SearchResult {
    pub choice: Choice,
    pub analysis: Option<String>,
    pub time: Duration,
}

impl Client<'_> {
    pub(super) fn order(&self, order: Order) {
        if let Some(engine) = &self.engine {
            engine.tell(order);
        }
    }

    pub(super) fn on_genmove(&mut self, left: i64) {
        let Some(game) = &self.game else { return };
        let moves = game.moves();
        if let Some(awaited) = &mut self.awaited {
            // It was asked before the line broke.
            awaited.asked = true;
            awaited.left = left;
            let awaited = *awaited;
            if let Some(found) = self.held.take() {
                self.on_found(awaited, found);
            }
            return;
        }
        self.ticket += 1;
        let ticket = self.ticket;
        self.awaited = Some(Awaited { ticket, moves, asked: true, left });
        let left = Duration::from_millis(left.max(0) as u64);
        let left = left.saturating_sub(self.plan.reserve.min(left / 10));
        let (color, analyze) = (game.color, self.analyze);
        self.order(Order::Genmove { color, left, analyze, ticket });
    }

    pub(super) fn on_report(&mut self, report: Report) -> Option<Finish> {
        match report {
            Report::Ready(program) => {
                if self.program.is_empty() {
                    self.journal.say(&format!("{} is {program}", self.account.user));
                }
                self.program = program;
                self.is_ready = true;
            }
            Report::Restarted(fault) => {
                self.journal.say(&format!("the engine was started again: {fault}"));
                if let Some(game) = &mut self.game {
                    game.remarks.push(format!("The engine was started again: {fault}"));
                }
            }
            Report::Chosen { ticket, choice, analysis, time } => {
                if self.obsolete.is_some_and(|(obsolete, _)| obsolete == ticket) {
                    self.obsolete = None;
                }
                let found = SearchResult { choice, analysis, time };
                match self.awaited.filter(|awaited| awaited.ticket == ticket) {
                    Some(awaited) if awaited.asked => self.on_found(awaited, found),
                    // The line broke meanwhile. If the game goes on, the server asks again.
                    Some(_) => self.held = Some(found),
                    None => {}
                }
            }
            Report::Failed(fault) => {
                if self.awaited.is_some_and(|awaited| awaited.asked) {
                    // Nobody has to wait for the clock to run out.
                    self.send("resign");
                }
                let log = self.journal.engine_log(&self.account.user);
                return Some(Finish::Refused(format!(
                    "the engine cannot go on: {fault}; what it says of it is in {}",
                    log.display()
                )));
            }
        }
        None
    }

    pub(super) fn on_found(&mut self, awaited: Awaited, found: SearchResult) {
        let SearchResult { choice, analysis, time } = found;
        self.awaited = None;
        let Some(game) = &mut self.game else { return };
        let color = game.color;
        let Choice::Move(mut mv) = choice else {
            self.send("resign");
            return;
        };
        // An illegal move loses at once. A pass is always legal.
        let illegal = game.check(color, mv).err();
        if let Some(why) = &illegal {
            let text =
                format!("the engine chose {mv}, which is illegal here ({why}); it passes instead");
            game.remarks.push(text.clone());
            self.journal.say(&text);
            mv = Move::Pass;
        }
        let left = awaited.left - time.as_millis() as i64;
        let comment = analysis.as_deref().map(in_words).unwrap_or_default();
        // It stands in the list of moves that a resumption begins with, should the line break now.
        if game.played(color, mv, Some(left), Some(time), comment).is_err() {
            return;
        }
        match illegal {
            None => self.order(Order::Keep(color, mv)),
            Some(_) => {
                let game = game.for_engine();
                self.order(Order::NewGame(game));
            }
        }
        match analysis.filter(|_| self.analyze) {
            Some(analysis) => self.send(&format!("{mv} {analysis}")),
            None => self.send(&mv.to_string()),
        }
    }

    /// Nobody awaits the running search any more.
    pub(super) fn drop_search(&mut self, limit: Option<Duration>) {
        if let Some(awaited) = self.awaited.take()
            && self.held.take().is_none()
        {
            self.obsolete = Some((awaited.ticket, None));
        }
        if let (Some((_, deadline)), Some(limit)) = (&mut self.obsolete, limit) {
            *deadline = Some(Instant::now() + limit);
        }
    }
}

/// The engine's view of a position, as the record has it.
fn in_words(analysis: &str) -> String {
    let told: serde_json::Value = serde_json::from_str(analysis).unwrap_or_default();
    if let Some(comment) = told["comment"].as_str() {
        return comment.to_owned();
    }
    let mut words = Vec::new();
    if let Some(winrate) = told["winrate"].as_f64() {
        words.push(format!("{:.1}%", winrate * 100.0));
    }
    if let Some(score) = told["score"].as_f64() {
        words.push(format!("{score:+.1} points"));
    }
    if let Some(visits) = told["visits"].as_u64() {
        let s = if visits == 1 { "" } else { "s" };
        words.push(format!("{visits} visit{s}"));
    }
    words.join(", ")
}
