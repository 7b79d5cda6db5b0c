//! Lines on their way to the client, which may be slow to read: they wait here, up to a limit.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use serde_json::Value;

/// Results wait to be taken in while more bytes than this are on their way.
const MAX_BYTES: usize = 16 << 20;
/// The same for answers to what the client sends. They may be that much longer on their way: who first writes all and reads
/// then has written all before.
const MAX_BYTES_OF_ANSWERS: usize = 2 * MAX_BYTES;

/// Where lines are put.
#[derive(Debug, Default)]
pub(super) struct Output {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    lines: VecDeque<String>,
    bytes: usize,
    /// Nothing more will come.
    is_closed: bool,
    /// Nobody reads any more.
    is_broken: bool,
}

impl Output {
    /// Starts the thread that writes them; it calls `on_broken` when nobody reads them.
    pub fn start(
        to: impl Write + Send + 'static,
        on_broken: impl FnOnce() + Send + 'static,
    ) -> io::Result<(Arc<Output>, JoinHandle<()>)> {
        let output = Arc::new(Output::default());
        let taken = output.clone();
        let writer = std::thread::Builder::new().name("analysis-writer".to_owned());
        let thread = writer.spawn(move || {
            if taken.write(to).is_err() {
                taken.lock().is_broken = true;
                taken.changed.notify_all();
                on_broken();
            }
        })?;
        Ok((output, thread))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, mut to: impl Write) -> io::Result<()> {
        loop {
            let is_idle = |state: &mut State| state.lines.is_empty() && !state.is_closed;
            let state = self.changed.wait_while(self.lock(), is_idle);
            let mut state = state.unwrap_or_else(PoisonError::into_inner);
            let Some(line) = state.lines.pop_front() else { return Ok(()) };
            let is_last = state.lines.is_empty();
            drop(state);
            to.write_all(line.as_bytes())?;
            if is_last {
                to.flush()?;
            }
            self.lock().bytes -= line.len();
            self.changed.notify_all();
        }
    }

    /// Sends a result, when what was sent before has been read.
    pub fn result(&self, object: &Value) {
        self.send(object, MAX_BYTES);
    }

    /// Sends an answer to what the client has sent.
    pub fn answer(&self, object: &Value) {
        self.send(object, MAX_BYTES_OF_ANSWERS);
    }

    fn send(&self, object: &Value, max: usize) {
        let mut line = object.to_string();
        line.push('\n');
        let is_full = |state: &mut State| state.bytes > max && !state.is_broken;
        let state = self.changed.wait_while(self.lock(), is_full);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        if state.is_broken {
            return;
        }
        state.bytes += line.len();
        state.lines.push_back(line);
        self.changed.notify_all();
    }

    /// Nothing more will come.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }
}
