//! This program's own engine as a thread of the runner: no process is started.

use std::io::{self, PipeReader, PipeWriter};
use std::path::Path;
use std::sync::Mutex;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use anyhow::{Result, ensure};

use super::process::{TIME_TO_DIE, nap_until, open_log};
use crate::go::cli::PlayArgs;
use crate::logging;
use crate::program::options_of;

/// The program whose engine it is. With the engines of Connect6 and Amazons, and what these learned, it would be larger than is
/// promised.
const PROGRAM: &str = "tesuji";

/// The engine of this program with its options, not yet started.
#[derive(Debug)]
pub struct OwnEngine(PlayArgs);

impl OwnEngine {
    /// The engine that this command line means: `tesuji` and its options.
    ///
    /// ```
    /// use tesuji::arena::engine_thread::OwnEngine;
    /// let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<String>>();
    /// assert!(OwnEngine::new(&words("tesuji --network none --playouts 100")).is_ok());
    /// assert!(OwnEngine::new(&words("gnugo --mode gtp")).is_err());
    /// ```
    ///
    /// # Errors
    /// Names the program when it is another one, or the option that it does not have.
    pub fn new(words: &[String]) -> Result<OwnEngine> {
        let program = words.first().map_or("", String::as_str);
        ensure!(
            program == PROGRAM,
            "{program:?} cannot play in the runner's own process, only {PROGRAM}, named without a folder"
        );
        Ok(OwnEngine(options_of(PROGRAM, words)?))
    }
}

/// A running engine. It ends when its input does and it leaves off thinking; nothing else can end a thread.
#[derive(Debug)]
pub struct EngineThread(Option<JoinHandle<Result<()>>>);

impl EngineThread {
    /// Starts the engine; what it logs is appended to `log`.
    ///
    /// # Errors
    /// When the log cannot be opened or there is no room for a thread; the message says which.
    pub fn start(
        OwnEngine(engine): OwnEngine,
        orders: PipeReader,
        answers: PipeWriter,
        log: &Path,
    ) -> io::Result<EngineThread> {
        let log = Mutex::new(open_log(log)?);
        let thread = thread::Builder::new().name("engine".into()).spawn(move || {
            let subscriber = logging::subscriber(engine.log_level(), log);
            tracing::subscriber::with_default(subscriber, || {
                let served = engine.serve(orders, answers);
                served.inspect_err(|error| tracing::error!("{error:#}"))
            })
        })?;
        Ok(EngineThread(Some(thread)))
    }

    /// Waits for the engine to end by itself. False when it has not by `deadline`.
    pub fn wait_until(&self, deadline: Instant) -> bool {
        nap_until(deadline, || self.0.as_ref().is_none_or(JoinHandle::is_finished))
    }

    /// Says how it ended.
    pub fn finish(&mut self) -> String {
        let ended = self.wait_until(Instant::now() + TIME_TO_DIE);
        match self.0.take().filter(|_| ended).map(JoinHandle::join) {
            Some(Ok(Ok(()))) => "it left off".to_owned(),
            Some(Ok(Err(error))) => format!("{error:#}"),
            Some(Err(_)) => "a panic".to_owned(),
            None => "its thread goes on".to_owned(),
        }
    }
}
