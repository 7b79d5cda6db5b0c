//! The line to the server: made, kept, and made again when it breaks.

use std::time::{Duration, Instant};

use super::{Client, Event, Finish, State};
use crate::cgos::line::{self, Arrival};
use crate::cgos::message::Message;

/// The first wait before the server is tried again; each further one is twice as long.
pub(super) const FIRST_WAIT: Duration = Duration::from_millis(250);
/// While a game may be running, nobody waits longer: the clock runs.
const MAX_WAIT_IN_GAME: Duration = Duration::from_secs(5);

impl Client<'_> {
    pub(super) fn connect(&mut self) {
        self.connection += 1;
        let number = self.connection;
        self.state = State::LoggingIn(Instant::now());
        self.evicted = false;
        line::open(&self.plan.server, self.sender.clone(), move |arrival| {
            Event::Server(number, arrival)
        });
    }

    pub(super) fn disconnect(&mut self) {
        if let Some(stream) = self.stream.take() {
            line::close(&stream);
        }
        self.connection += 1;
    }

    /// The connection is of no more use: it is tried again after a wait.
    pub(super) fn lose(&mut self, why: &str) {
        self.disconnect();
        let wait = match &self.game {
            Some(_) => self.wait.min(MAX_WAIT_IN_GAME),
            None => self.wait,
        };
        // Two clients that lost their server at the same moment need not come back at the same moment.
        let wait = wait.mul_f64(rand::random_range(0.75..1.25)).min(self.plan.max_wait);
        self.wait = (self.wait * 2).min(self.plan.max_wait);
        self.state = State::Away(Instant::now() + wait);
        if let Some(awaited) = &mut self.awaited {
            awaited.asked = false;
        }
        let text = format!("{why}; trying again in {:.1} s", wait.as_secs_f64());
        // A server that is away for a night does not fill the screen.
        if self.said_away {
            self.journal.note(&format!("-- {text}"));
        } else {
            self.journal.say(&text);
        }
        self.said_away = true;
    }

    pub(super) fn send(&mut self, text: &str) {
        let shown = if text == self.account.password { "(the password)" } else { text };
        self.journal.note(&format!("C> {shown}"));
        if let Some(stream) = &mut self.stream
            && let Err(error) = line::send(stream, text)
        {
            self.lose(&format!("the connection broke: {error}"));
        }
    }

    /// The server has taken the login.
    pub(super) fn calm(&mut self) {
        self.wait = FIRST_WAIT;
        if self.said_away {
            self.journal.say("connected again");
            self.said_away = false;
        }
    }

    pub(super) fn on_arrival(&mut self, arrival: Arrival) -> Option<Finish> {
        match arrival {
            Arrival::Connected(stream) => {
                self.stream = Some(stream);
                None
            }
            Arrival::Line(line) => {
                self.heard = Instant::now();
                self.journal.note(&format!("S> {line}"));
                match Message::read(&line) {
                    Ok(message) => self.on_message(message),
                    Err(why) => {
                        // Whatever it was, the setup that follows a login says how things are.
                        let line: String = line.chars().take(80).collect();
                        self.lose(&format!("the server sent {line:?}: {why}"));
                        None
                    }
                }
            }
            Arrival::Closed(_) if self.evicted => Some(Finish::Refused(
                "somebody else has logged in under this name; stop the other program, or take another name".into(),
            )),
            Arrival::Closed(why) => {
                self.lose(&why);
                None
            }
        }
    }
}
