//! Long work of a command that is no search of the session's: it ends when the user says so.

use std::time::{Duration, Instant};

use game_core::{Control, SearchLimits, StopSignal};
use tree_search::Driver;

use crate::gtp::Call;

/// Does what takes long in a thread of its own, and gives it a signal that rises after a time, or when the user asks the
/// command to finish soon: the comment line `# interrupt`, since whatever else comes in waits for the answer.
pub fn interruptible<T: Send>(
    call: &Call<'_>,
    patience: Duration,
    work: impl FnOnce(StopSignal) -> T + Send,
) -> T {
    let interrupt = call.interrupt();
    let deadline = Some(Instant::now() + patience);
    let limits = SearchLimits { deadline, ..SearchLimits::default() };
    let driver = Driver::new(&limits);
    let mut look = || if interrupt.is_raised() { Control::Stop } else { Control::Continue };
    driver.alone(&mut look, || work(driver.stop_signal()))
}
