//! Lines to and from an engine, wherever it runs.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Instant;

use super::engine_thread::{EngineThread, OwnEngine};
use super::process::{Launch, Process};

/// A longer line on stdout than this is no GTP; the reader stops there.
const MAX_LINE_BYTES: usize = 1 << 20;
/// So many lines may wait unread; after that the engine is made to wait on its pipe.
const LINES_WAITING: usize = 4096;

/// What comes from the engine's stdout.
#[derive(Debug)]
pub enum Output {
    /// One line without its newline, and when it came.
    Line(Vec<u8>, Instant),
    /// A line longer than a megabyte; nothing is read after it.
    EndlessLine,
    /// The engine closed its output.
    Closed,
}

/// A running engine with its pipes. Dropping it ends the engine.
pub struct Link {
    input: Option<Box<dyn Write + Send>>,
    output: Receiver<Output>,
    closed: bool,
    host: Host,
}

/// Where an engine runs.
#[derive(Debug)]
enum Host {
    Process(Process),
    Thread(EngineThread),
}

impl Link {
    /// Starts a program; its stderr is appended to `log`.
    ///
    /// # Errors
    /// As [`Process::start`].
    pub fn start_process(launch: &Launch, log: &Path) -> io::Result<Link> {
        let mut process = Process::start(launch, log)?;
        let (input, output) = process.pipes().ok_or(io::ErrorKind::BrokenPipe)?;
        Link::new(input, output, Host::Process(process))
    }

    /// Starts this program's own engine as a thread; what it logs is appended to `log`.
    ///
    /// # Errors
    /// As [`EngineThread::start`].
    pub fn start_thread(engine: OwnEngine, log: &Path) -> io::Result<Link> {
        let (orders, input) = io::pipe()?;
        let (output, answers) = io::pipe()?;
        let thread = EngineThread::start(engine, orders, answers, log)?;
        Link::new(input, output, Host::Thread(thread))
    }

    fn new(
        input: impl Write + Send + 'static,
        output: impl Read + Send + 'static,
        host: Host,
    ) -> io::Result<Link> {
        let (sender, lines) = sync_channel(LINES_WAITING);
        thread::Builder::new()
            .name("engine-stdout".into())
            .spawn(move || read_lines(output, &sender))?;
        Ok(Link { input: Some(Box::new(input)), output: lines, closed: false, host })
    }

    /// Writes a line and flushes it.
    ///
    /// # Errors
    /// When the engine no longer reads.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        input.write_all(format!("{line}\n").as_bytes())?;
        input.flush()
    }

    /// The next output, or `None` when nothing comes before `deadline`.
    pub fn receive(&mut self, deadline: Instant) -> Option<Output> {
        if self.closed {
            return Some(Output::Closed);
        }
        let wait = deadline.saturating_duration_since(Instant::now());
        match self.output.recv_timeout(wait) {
            Ok(output) => {
                self.closed = !matches!(output, Output::Line(..));
                Some(output)
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                self.closed = true;
                Some(Output::Closed)
            }
        }
    }

    /// Closes the engine's input: a well-made engine then ends by itself.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits for the engine to end by itself. False when it has not by `deadline`.
    pub fn wait_until(&mut self, deadline: Instant) -> bool {
        match &mut self.host {
            Host::Process(process) => process.wait_until(deadline),
            Host::Thread(thread) => thread.wait_until(deadline),
        }
    }

    /// Ends the engine, and says how it ended: by itself if it already had.
    pub fn finish(&mut self) -> String {
        self.close_input();
        match &mut self.host {
            Host::Process(process) => process.finish(),
            Host::Thread(thread) => thread.finish(),
        }
    }

    /// Ends the engine at once: a process with everything that it started, a thread as soon as it leaves off thinking.
    pub fn kill(&mut self) {
        if let Host::Thread(_) = self.host {
            let _ = self.send("# interrupt");
        }
        self.close_input();
        if let Host::Process(process) = &mut self.host {
            process.kill();
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.kill();
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link").field("host", &self.host).finish_non_exhaustive()
    }
}

/// Cuts the engine's stdout into lines, each with the moment it came, until it closes or sends nonsense.
fn read_lines(stdout: impl Read, lines: &SyncSender<Output>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let last = match (&mut stdout).take(MAX_LINE_BYTES as u64).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => Output::Closed,
            Ok(_) if line.last() == Some(&b'\n') => {
                line.pop();
                if lines.send(Output::Line(line, Instant::now())).is_err() {
                    return;
                }
                continue;
            }
            Ok(MAX_LINE_BYTES) => Output::EndlessLine,
            Ok(_) => {
                if lines.send(Output::Line(line, Instant::now())).is_err() {
                    return;
                }
                Output::Closed
            }
        };
        let _ = lines.send(last);
        return;
    }
}
