//! One GTP session for every game: each command turned into calls of a [`Game`] and its [`Engine`], and the answer into
//! words.
//!
//! [`Session`] is the state: a game, a clock and what plays. [`commands`] is the table of everything that all games
//! answer to; each module below registers its part, and a game adds its own commands or puts them in the place of
//! these. A game's own program calls [`run`].

pub mod analysis;
mod analyze;
mod cgos;
pub mod clock;
pub mod config;
mod current_report;
pub mod display;
pub mod game;
mod genmove;
pub mod gogui;
mod interruptible;
mod live_gfx;
mod lz_options;
mod play;
mod position;
mod queries;
pub mod record;
mod servers;
mod time;
mod tree_engine;

use std::io::{self, IsTerminal, PipeReader, PipeWriter};
use std::process::ExitCode;

use crate::gtp::params::{self, Param};
use crate::gtp::{self, Color, Commands, Failure, Idle, Signal, Step, join};
use crate::output::note;
use crate::terminal;
use anyhow::{Context, Result};
use clock::{Clock, TimeControl};

pub use config::{SessionArgs, SessionConfig, TurnArgs, machine_params};
pub use current_report::PositionReport;
pub use game::engine::{Decision, Engine, Pace, Purpose, Query, Upkeep, Watch};
pub use game::{Filter, Form, Game, LeftOut, OneStep, Restriction};
pub use interruptible::interruptible;
pub use play::play;
pub use position::words as position_words;
pub use servers::{add_plain_seed, add_seed};
pub use tree_engine::{REGRESSION_MEMORY, TreeEngine};

/// The programs' version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A session: one game after another over one connection.
pub struct Session<G: Game> {
    /// The game so far.
    pub game: G,
    /// What plays.
    pub engine: G::Engine,
    /// Where the game stood before each command that played something: what `undo` goes back to.
    marks: Vec<G::Mark>,
    clock: Clock,
    config: SessionConfig<G::Form>,
    /// The form of the last move that was played.
    heard: G::Form,
    /// What is left of a turn that was chosen whole and is made step by step, and whose it is.
    rest: Option<(Color, Vec<Step>)>,
    /// The engine has moved, and the opponent's answer has not come yet.
    awaiting_answer: bool,
    /// What the last search found.
    last_report: Option<PositionReport<G::Move>>,
    /// The side that this program played last in this game.
    own: Option<Color>,
    /// How the last chosen move was found.
    explanation: String,
    /// Whom `cgos-opponent_name` named.
    opponent: String,
    /// What `set_random_seed` named, for engines that have no parameter for it.
    seed: u64,
    /// The size of the board with which the engine is warm.
    warm: Option<(u8, u8)>,
}

impl<G: Game> Session<G> {
    /// A session that begins with this game.
    pub fn new(game: G, mut engine: G::Engine, config: SessionConfig<G::Form>) -> Session<G> {
        let mut clock = Clock::default();
        clock.set_lag(config.lag);
        engine.fit(&game);
        Session {
            marks: game.marks(),
            game,
            engine,
            clock,
            config,
            heard: G::Form::default(),
            rest: None,
            awaiting_answer: false,
            last_report: None,
            own: None,
            explanation: String::new(),
            opponent: String::new(),
            seed: 1,
            warm: None,
        }
    }

    /// Puts another game in the place of this one; the clock begins anew. Its turns are there to be taken back.
    pub fn replace(&mut self, game: G) {
        self.clock.restart();
        self.begin(game);
        self.warm_up();
    }

    /// Where time is limited, lets the engine do now what its first move would otherwise have to do on the clock.
    fn warm_up(&mut self) {
        let size = self.game.size();
        if *self.clock.control() != TimeControl::Unlimited && self.warm != Some(size) {
            self.engine.warm_up(&self.game);
            self.warm = Some(size);
        }
    }

    /// Puts another position in the place of the game, the clock running on.
    fn begin(&mut self, game: G) {
        self.marks = game.marks();
        self.game = game;
        self.engine.new_game();
        self.engine.fit(&self.game);
        self.last_report = None;
        self.own = None;
        self.explanation.clear();
        self.touch();
    }

    /// The game has begun with stones that were put there: what was played before, passes alone, cannot be taken back.
    pub fn forget_turns(&mut self) {
        self.marks = self.game.marks();
        self.touch();
    }

    /// The position is not any more what was thought about.
    fn touch(&mut self) {
        self.rest = None;
        self.awaiting_answer = false;
    }

    /// The form in which `genmove` answers.
    fn form(&self) -> G::Form {
        let auto = self.config.form == G::Form::default();
        if auto { self.heard } else { self.config.form }
    }

    fn is_over(&self) -> bool {
        self.game.outcome().is_over()
    }
}

/// Everything that all sessions answer to.
pub fn commands<G: Game>() -> Commands<Session<G>> {
    let mut commands = Commands::new(G::NAME, VERSION);
    commands
        .add("help", |_, _| Ok(G::HELP.to_owned()))
        .add("tesuji-param", |session, call| params::answer(session, &mut call.args, false))
        .add("tesuji-internals", |session, call| params::answer(session, &mut call.args, true))
        // KataGo's commands for the same parameters; the names are this program's.
        .add("kata-list-params", |session: &mut Session<G>, _| {
            let params: Vec<Param> = params::all(session);
            Ok(join(params.iter().map(|param| param.tunable.name)))
        })
        .add("kata-get-param", |session, call| params::get(session, call.args.word()?))
        .add("kata-set-param", |session, call| {
            let name = call.args.word()?;
            params::set(session, name, call.args.rest())
        })
        // Any line ends a search, this one does nothing more.
        .add("stop", |_, _| Ok(String::new()))
        .add("clear_cache", |session, _| {
            session.engine.new_game();
            session.last_report = None;
            Ok(String::new())
        });
    play::register(&mut commands);
    position::register(&mut commands);
    queries::register(&mut commands);
    genmove::register(&mut commands);
    analyze::register(&mut commands);
    cgos::register(&mut commands);
    lz_options::register(&mut commands);
    time::register(&mut commands);
    record::register(&mut commands);
    servers::register(&mut commands);
    gogui::register(&mut commands);
    display::register(&mut commands);
    commands
}

/// Answers GTP over pipes; else as [`run`] without a terminal.
///
/// # Errors
/// When the input cannot be read.
pub fn serve<G: Game>(
    mut commands: Commands<Session<G>>,
    session: &mut Session<G>,
    args: &SessionArgs,
    orders: PipeReader,
    mut answers: PipeWriter,
) -> Result<()> {
    rename(&mut commands, args);
    gtp::run_with_idle(&commands, session, orders, &mut answers)
        .context("cannot read the input")
        .map(drop)
}

/// Gives the program the name that the command line gives, if it gives one.
fn rename<G: Game>(commands: &mut Commands<Session<G>>, args: &SessionArgs) {
    if let Some(name) = args.name.clone() {
        commands.add("name", move |_, _| Ok(name.clone()));
    }
}

/// Answers GTP on standard input and output until the input ends, `quit` comes, or nobody reads the answers; under the
/// name that the command line gives, if it gives one.
///
/// # Errors
/// When the input cannot be read.
pub fn run<G: Game>(
    mut commands: Commands<Session<G>>,
    session: &mut Session<G>,
    args: &SessionArgs,
) -> Result<ExitCode> {
    rename(&mut commands, args);
    if !args.gtp && terminal::is_there() {
        // A person is told why a move or a file is refused, a controller only that it is.
        commands
            .add("play", |session, call| play(session, call).map_err(Failure::with_reason))
            .add("loadsgf", |session, call| {
                record::load_sgf(session, call).map_err(Failure::with_reason)
            });
        terminal::run(&commands, session)?;
        return Ok(ExitCode::SUCCESS);
    }
    if io::stdin().is_terminal() {
        note(format_args!(
            "{} {VERSION} plays {} over GTP. `help` says more, `quit` leaves.",
            G::NAME,
            G::TITLE
        ));
    }
    gtp::run_with_idle(&commands, session, io::stdin(), &mut io::stdout().lock())
        .context("cannot read the input")?;
    Ok(ExitCode::SUCCESS)
}

impl<G: Game> Idle for Session<G> {
    fn idle(&mut self, new_input: &Signal) {
        let goes_on = !self.is_over() && !self.game.is_to_be_counted();
        if self.config.ponder && self.awaiting_answer && goes_on {
            let query = Query {
                game: &self.game,
                color: self.game.to_move(),
                purpose: Purpose::Ponder,
                visits: None,
                deadlines: None,
                filter: &Filter::default(),
                stop: &|| new_input.is_raised(),
                resign_below: 0.0,
                pace: None,
            };
            self.engine.search(&query, &mut |_| {});
        }
    }

    fn recover(&mut self) {
        self.engine.new_game();
        self.game = self.game.replayed();
        self.marks = self.game.marks();
        self.touch();
    }
}
