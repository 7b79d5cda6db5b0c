//! Ctrl-C in long work: the first asks what is under way to stop, the second ends the program.

use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

/// What a program ends with that was stopped, as shells have it: 128 and the number of Ctrl-C's signal.
pub const EXIT_CODE: u8 = 130;

/// Work that was broken off before it had anything to write.
#[derive(Debug, thiserror::Error)]
#[error("interrupted; nothing was written")]
pub struct Interrupted;

/// The flag that the first Ctrl-C raises from now on; other signals that ask a program to end do the same.
pub fn flag() -> Arc<AtomicBool> {
    static FLAG: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let raised = flag.clone();
        // Fails only where there is a handler already, and a command has either this one or its own.
        let _ = ctrlc::set_handler(move || {
            if raised.swap(true, Ordering::SeqCst) {
                exit(EXIT_CODE.into());
            }
        });
        flag
    });
    FLAG.clone()
}
