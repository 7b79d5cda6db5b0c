//! This program's own engine as a thread of the runner: no process is started.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Write as _};
use std::panic;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, Once, PoisonError};
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
        let log = Arc::new(open_log(log)?);
        let thread = with_panics_in(log.clone(), move || {
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

/// The logs of the engines that run, by the names of their threads. A search's threads are named as the one that they work for.
static LOGS: LazyLock<Mutex<HashMap<String, Arc<File>>>> = LazyLock::new(Mutex::default);

/// Runs an engine in a thread of its own; what panics in it is told in its log, not on the runner's standard error.
fn with_panics_in<T: Send + 'static>(
    log: Arc<File>,
    engine: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    static HOOK: Once = Once::new();
    static STARTED: AtomicUsize = AtomicUsize::new(0);
    let logs = || LOGS.lock().unwrap_or_else(PoisonError::into_inner);
    HOOK.call_once(|| {
        let of_others = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            let thread = thread::current();
            let log = thread.name().and_then(|name| logs().get(name).cloned());
            match log {
                // A full disk is no reason for another panic.
                Some(log) => drop(writeln!(&*log, "the engine's thread {panic}")),
                None => of_others(panic),
            }
        }));
    });
    /// Forgets an engine's log however the engine ends.
    struct Running(String);
    impl Drop for Running {
        fn drop(&mut self) {
            LOGS.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
        }
    }
    let name = format!("engine {}", STARTED.fetch_add(1, Ordering::Relaxed));
    logs().insert(name.clone(), log);
    let running = Running(name.clone());
    thread::Builder::new().name(name).spawn(move || {
        let _running = running;
        engine()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use game_core::{Control, SearchLimits};
    use tree_search::Driver;

    #[test]
    fn a_panic_is_told_in_the_engine_s_log() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("engine.log");
        let log = Arc::new(open_log(&path).unwrap());
        // Also in a thread of its search.
        let engine = with_panics_in(log, || {
            Driver::new(&SearchLimits::default())
                .alone(&mut || Control::Continue, || -> () { panic!("of the engine") });
        });
        assert!(engine.unwrap().join().is_err());
        let told = std::fs::read_to_string(&path).unwrap();
        assert!(told.contains("engine_thread.rs") && told.contains("of the engine"), "{told}");
        assert!(LOGS.lock().unwrap().is_empty());
    }
}
