//! What the sessions of the sibling engines, Connect6 and Amazons, share: their settings, on the command line and
//! over GTP, and the commands that choose a move.

use crate::gtp::params::Param;
use crate::gtp::{Call, Commands, Reply};
use crate::options::{default_threads, lag};
use clap::{Args, value_parser};
use std::time::Duration;
use tunables::{Choice, Kind};

/// Options of a session over GTP that mean the same in every game.
#[derive(Args, Debug)]
pub struct SessionArgs {
    /// Threads that search together; one thread with fixed visits repeats a game
    #[arg(long, value_name = "N", default_value_t = default_threads(), value_parser = value_parser!(u16).range(1..=64))]
    pub threads: u16,

    /// Memory that the search may take, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = value_parser!(u64).range(16..=1 << 18))]
    pub max_memory: u64,

    /// Resigns when the loss is proved
    #[arg(long)]
    pub resign: bool,

    /// Thinks on the opponent's time too
    #[arg(long)]
    pub ponder: bool,

    /// Seconds of each move that are lost between the controller's clock and this program
    #[arg(long, value_name = "SECONDS", default_value_t = 0.1, value_parser = lag)]
    pub lag: f64,

    /// What to log on standard error: error, warn, info, debug or trace
    #[arg(long, value_name = "LEVEL", default_value = "warn")]
    pub log: tracing::Level,
}

impl SessionArgs {
    /// The settings that they make, with those that each game has of its own.
    pub fn settings<F>(&self, visits: Option<u64>, form: F) -> Settings<F> {
        let SessionArgs { resign, ponder, lag, .. } = *self;
        Settings { visits, ponder, lag: Duration::from_secs_f64(lag), form, resign }
    }
}

/// What the user sets for a session; `F` names the forms in which genmove can answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings<F> {
    /// Visits for a turn, whatever the clock says. Without it, time decides if it is limited.
    pub visits: Option<u64>,
    /// Whether to think on the opponent's time.
    pub ponder: bool,
    /// Time that every move loses between the two clocks.
    pub lag: Duration,
    /// How genmove answers.
    pub form: F,
    /// Whether to resign when the loss is proved.
    pub resign: bool,
}

impl<F: Choice> Settings<F> {
    /// The settings as parameters; `forms` says how genmove can answer.
    pub fn params(&self, forms: &'static str) -> Vec<Param> {
        let switch = |on: bool| u8::from(on).to_string();
        vec![
            Param::new(
                "visits",
                Kind::Integer(0, i64::MAX),
                self.visits.unwrap_or(0).to_string(),
                "Visits for a turn; 0 lets time decide.",
            ),
            Param::new(
                "ponder",
                Kind::Switch,
                switch(self.ponder),
                "Think on the opponent's time.",
            ),
            Param::new(
                "lag",
                Kind::Real(0.0, 60.0),
                self.lag.as_secs_f64().to_string(),
                "Seconds that every move loses between the two clocks.",
            ),
            Param::new("genmove_form", Kind::Choice(F::WORDS), self.form.text(), forms),
            Param::new(
                "resign",
                Kind::Switch,
                switch(self.resign),
                "Resign when the loss is proved.",
            ),
        ]
    }

    /// Sets one of them by its name as a parameter; false when none has that name.
    ///
    /// # Errors
    /// When the value makes no sense.
    pub fn set(&mut self, name: &str, value: &str) -> Result<bool, String> {
        match name {
            "visits" => {
                let visits = value.parse().map_err(|_| format!("{value:?} is no number"))?;
                self.visits = (visits > 0).then_some(visits);
            }
            "ponder" => self.ponder = value == "1",
            "resign" => self.resign = value == "1",
            "genmove_form" => self.form = F::read(value).unwrap_or(self.form),
            "lag" => {
                let seconds = value.parse().map_err(|_| format!("{value:?} is no number"))?;
                self.lag = Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// What a move is chosen for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To be played.
    Play,
    /// To be told only, the same every time.
    Regression,
}

/// Adds the commands that choose a move, and the one that says why the last was chosen.
pub fn choosing<S: 'static>(
    commands: &mut Commands<S>,
    genmove: fn(&mut S, &mut Call, Purpose) -> Reply,
    explanation: fn(&S) -> &String,
) {
    commands
        .add("genmove", move |session, call| genmove(session, call, Purpose::Play))
        .add("reg_genmove", move |session, call| genmove(session, call, Purpose::Regression))
        .add("kgs-genmove_cleanup", move |session, call| genmove(session, call, Purpose::Play))
        .add("gomill-explain_last_move", move |session, _| Ok(explanation(session).clone()));
}
