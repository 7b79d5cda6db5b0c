//! What the user sets for a session: on the command line, and as parameters over GTP.

use std::time::Duration;

use clap::{Args, ValueEnum};
use tree_search::MAX_THREADS;
use tunables::{Choice, Kind, Value as _};

use super::Session;
use super::game::Game;
use crate::gtp::params::{Param, Params};
use crate::options::{
    MEMORY, MIN_MEMORY, default_memory, default_threads, lag, memory, percent, percent_of, threads,
};

/// Options of a session over GTP that mean the same in every game.
#[derive(Args, Clone, Debug)]
pub struct SessionArgs {
    /// Threads that search together [default: one for each processor]
    #[arg(long, value_name = "N", default_value_t = default_threads(), hide_default_value = true,
          value_parser = threads())]
    pub threads: u16,

    /// Memory that the search may take, in MiB
    #[arg(long, value_name = "MIB", default_value_t = default_memory(512), hide_short_help = true, value_parser = memory)]
    pub max_memory: u64,

    /// Thinks on the opponent's time too
    #[arg(long, hide_short_help = true)]
    pub ponder: bool,

    /// Seconds of each move that are lost between the controller's clock and this program
    #[arg(long, value_name = "SECONDS", default_value_t = 0.1, value_parser = lag, hide_short_help = true)]
    pub lag: f64,

    /// What the program calls itself over GTP [default: its name]. Lizzie shows score and owners only for engines
    /// whose name begins with KataGo
    #[arg(long, value_name = "NAME", value_parser = name, hide_short_help = true)]
    pub name: Option<String>,

    /// Speak GTP on a terminal too, where a game would be offered
    #[arg(long, hide_short_help = true)]
    pub gtp: bool,

    /// What to log on standard error: error, warn, info, debug or trace
    #[arg(long, value_name = "LEVEL", default_value = "warn")]
    pub log: tracing::Level,
}

/// The searches of so many games together take the memory that is allowed; more games than that seldom think at a time.
const GAMES_AT_A_TIME: u64 = 8;

impl SessionArgs {
    /// The memory that the search of one game of many may take, in MiB.
    pub fn memory_of_a_game(&self) -> u64 {
        (self.max_memory / GAMES_AT_A_TIME).max(MIN_MEMORY)
    }
}

/// What an engine takes of the machine, as parameters: the threads that search, and their memory in MiB.
pub fn machine_params(threads: usize, memory_mib: u64) -> [Param; 2] {
    [
        Param::new(
            "threads",
            Kind::Integer(1, MAX_THREADS as i64),
            threads,
            "Threads that search together.",
        ),
        Param::new(
            "max_memory",
            Kind::Integer(*MEMORY.start() as i64, *MEMORY.end() as i64),
            memory_mib,
            "Memory for the search, in MiB.",
        ),
    ]
}

/// One line of words, which an answer can hold.
fn name(text: &str) -> Result<String, String> {
    let name = text.trim();
    match name.is_empty() || name.chars().any(char::is_control) {
        true => Err("a name of one line is expected".to_owned()),
        false => Ok(name.to_owned()),
    }
}

/// Options of games whose turns have several steps.
#[derive(Args, Clone, Debug)]
pub struct TurnArgs<F: ValueEnum + Default + Send + Sync + 'static> {
    /// How genmove answers
    #[arg(long, value_enum, default_value_t = F::default())]
    genmove_form: F,

    /// Resigns when it expects to win less than this share of games, in percent, or the loss is proved; 0 never resigns,
    /// and without a number it is 1
    #[arg(long, value_name = "PERCENT", num_args = 0..=1, default_value_t = 0.0, default_missing_value = "1",
          value_parser = percent)]
    resign: f64,
}

/// What the user sets for a session; `F` names the forms in which genmove can answer.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SessionConfig<F> {
    /// Visits for a turn, unless the clock ends it before. Without it, time decides if it is limited.
    pub visits: Option<u64>,
    /// Whether to think on the opponent's time.
    pub ponder: bool,
    /// Time that every move loses between the two clocks.
    pub lag: Duration,
    /// How genmove answers.
    pub form: F,
    /// Below which chance of winning to resign, from 0, never, to 1.
    pub resign_below: f32,
    /// Whether searches are drawn on GoGui's board while they go on.
    pub live_gfx: bool,
}

impl<F: ValueEnum + Default + Copy + Send + Sync> SessionConfig<F> {
    /// What the command line says.
    pub fn new(session: &SessionArgs, visits: Option<u64>, turn: &TurnArgs<F>) -> SessionConfig<F> {
        let &TurnArgs { genmove_form: form, resign } = turn;
        SessionConfig { form, ..SessionConfig::plain(session, visits, resign) }
    }

    /// What the command line says of a game whose turns have one step; `resign` is in percent.
    pub fn plain(session: &SessionArgs, visits: Option<u64>, resign: f64) -> SessionConfig<F> {
        let &SessionArgs { ponder, lag, .. } = session;
        SessionConfig {
            visits,
            ponder,
            lag: Duration::from_secs_f64(lag),
            form: F::default(),
            resign_below: resign as f32 / 100.0,
            live_gfx: false,
        }
    }
}

/// The session's own parameters, then the engine's.
impl<G: Game> Params for Session<G> {
    fn params(&self) -> Vec<Param> {
        let config = &self.config;
        let mut params = vec![
            Param::new(
                G::VISITS,
                Kind::Integer(0, i64::MAX),
                config.visits.unwrap_or(0),
                G::VISITS_HELP,
            )
            .known_as(&["visits", "playouts"]),
            Param::switch("ponder", config.ponder, "Think on the opponent's time."),
            Param::new(
                "lag",
                Kind::Real(0.0, 60.0),
                config.lag.as_secs_f64(),
                "Seconds that every move loses between the two clocks.",
            ),
            Param::switch(
                "live_gfx",
                config.live_gfx,
                "Draw what is thought on GoGui's board while it is thought, by way of standard error.",
            ),
        ];
        let forms = G::Form::WORDS;
        if forms.len() > 1 {
            let form = config.form.text();
            params.push(Param::new("genmove_form", Kind::Choice(forms), form, G::FORMS_HELP));
        }
        params.push(Param::new(
            "resign",
            Kind::Real(0.0, 100.0),
            percent_of(config.resign_below),
            "Resigns below this chance of winning, in percent; 0 never resigns.",
        ));
        params.extend(self.engine.params());
        params
    }

    fn set_param(&mut self, name: &str, value: &str) -> Result<(), String> {
        let config = &mut self.config;
        match name {
            name if name == G::VISITS => {
                let visits = value.parse().map_err(|_| format!("{value:?} is no number"))?;
                config.visits = (visits > 0).then_some(visits);
            }
            "ponder" => config.ponder = value == "1",
            "live_gfx" => config.live_gfx = value == "1",
            "lag" => {
                let seconds = value.parse().map_err(|_| format!("{value:?} is no number"))?;
                config.lag = Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())?;
                self.clock.set_lag(config.lag);
            }
            "genmove_form" if G::Form::WORDS.len() > 1 => {
                config.form = G::Form::read(value).unwrap_or(config.form);
            }
            "resign" => {
                let percent: f32 = value.parse().map_err(|_| format!("{value:?} is no number"))?;
                config.resign_below = percent / 100.0;
            }
            _ => return self.engine.set_param(name, value),
        }
        Ok(())
    }
}
