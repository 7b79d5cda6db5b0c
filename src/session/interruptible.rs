//! Long work of a command that is no search of the session's: it ends when the user says so.

use std::time::{Duration, Instant};

use game_core::{Control, SearchLimits, StopSignal};
use tree_search::Driver;

use crate::gtp::Call;

/// What comes in this soon behind a command was sent along with it, by a script that knows what it will ask next: it waits
/// for the answer, as does the end of such an input.
const TOGETHER: Duration = Duration::from_millis(100);

/// Does what takes long in a thread of its own, and gives it a signal that rises after a time, or when the user does
/// something: with the comment line `# interrupt`, and with whatever else comes in later than along with the command.
/// Says whether it was that.
pub fn interruptible<T: Send>(
    call: &Call<'_>,
    patience: Duration,
    work: impl FnOnce(StopSignal) -> T + Send,
) -> (T, bool) {
    let begun = Instant::now();
    let interrupt = call.interrupt();
    let mut further = call.further_input();
    let limits = SearchLimits { deadline: Some(begun + patience), ..SearchLimits::default() };
    let driver = Driver::new(&limits);
    let mut is_stopped = false;
    let mut look = || {
        if begun.elapsed() < TOGETHER {
            further = call.further_input();
        } else if further.is_raised() {
            call.ended_by_input();
            is_stopped = true;
        }
        is_stopped |= interrupt.is_raised();
        if is_stopped { Control::Stop } else { Control::Continue }
    };
    let done = driver.alone(&mut look, || work(driver.stop_signal()));
    (done, is_stopped)
}
