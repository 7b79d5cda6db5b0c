//! A game begins, goes on after a broken line, and ends.

use std::time::{Duration, Instant};

use super::{Client, Finish, State};
use crate::cgos::engine::Order;
use crate::cgos::game::ServerGame;
use crate::cgos::message::{Setup, winner};

/// An engine that still thinks about a game that is over is given so long when the next one begins.
const OBSOLETE_LIMIT: Duration = Duration::from_secs(2);

impl Client<'_> {
    pub(super) fn on_setup(&mut self, setup: &Setup) -> Option<Finish> {
        self.calm();
        let user = &self.account.user;
        let mut game = match ServerGame::new(setup, user) {
            Ok(game) => game,
            Err(why) => {
                self.lose(&format!("the server's setup makes no sense: {why}"));
                return None;
            }
        };
        let goes_on = self.game.as_ref().is_some_and(|known| known.goes_on_as(&game));
        if !goes_on {
            self.forget_game();
        } else if let Some(known) = self.game.take() {
            game.inherit(known);
        }
        self.game = Some(game);
        self.state = State::Playing;
        let game = self.game.as_ref()?;
        let (opponent, moves) = (game.opponent(), game.moves());
        let text = match (goes_on, moves) {
            (true, _) => format!("game {} goes on after {moves} moves", game.id()),
            (false, _) => format!(
                "game {}: {} against {}{}, {}x{}, {:.0} s{}",
                game.id(),
                game.color,
                opponent.name,
                if opponent.rating.is_empty() {
                    String::new()
                } else {
                    format!(" ({})", opponent.rating)
                },
                setup.size,
                setup.size,
                setup.main as f64 / 1000.0,
                if moves > 0 { format!(", taken up after {moves} moves") } else { String::new() },
            ),
        };
        self.journal.say(&text);
        // An engine that still thinks about this very position is not disturbed.
        let thinks_on = goes_on && self.awaited.is_some_and(|awaited| awaited.moves == moves);
        if !thinks_on {
            self.drop_search(Some(OBSOLETE_LIMIT));
            if let Some(game) = &self.game {
                self.order(Order::NewGame(game.for_engine()));
            }
        }
        None
    }

    /// The server says that the game is over. A move that is still being searched is not sent.
    pub(super) fn on_game_over(&mut self, result: &str, text: &str) -> Option<Finish> {
        self.drop_search(None);
        self.order(Order::GameOver(engine_result(result)));
        if let Some(game) = self.game.take() {
            let outcome = match winner(result) {
                Some(color) if color == game.color => "won",
                Some(_) => "lost",
                None => "over",
            };
            let text = if text.is_empty() { String::new() } else { format!(" ({text})") };
            self.journal.say(&format!(
                "game {} against {} {outcome}: {result}{text}, {} moves",
                game.id(),
                game.opponent().name,
                game.moves()
            ));
            let (user, command) = (&self.account.user, self.account.command());
            self.journal.keep(&game, user, &self.program, &command, Some(result));
            if let Some(games) = &mut self.games {
                *games = games.saturating_sub(1);
            }
        }
        self.state = State::Waiting(Instant::now());
        if self.stopping {
            return Some(Finish::Stopped);
        }
        if self.games == Some(0) {
            return Some(Finish::Played);
        }
        self.send("ready");
        None
    }

    /// The game ended while the line was broken: nobody tells how.
    pub(super) fn forget_game(&mut self) {
        self.drop_search(None);
        if let Some(game) = self.game.take() {
            self.journal.say(&format!("game {} ended while the line was broken", game.id()));
            let (user, command) = (&self.account.user, self.account.command());
            self.journal.keep(&game, user, &self.program, &command, None);
        }
    }
}

/// The result as engines know it from CGOS clients.
fn engine_result(result: &str) -> String {
    result.replace("Illegal", "Forfeit")
}
