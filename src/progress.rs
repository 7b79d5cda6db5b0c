//! A progress bar with the time left, and Ctrl-C, for long work on a terminal.

use go_patterns::progress::Progress;
use indicatif::{ProgressBar, ProgressStyle};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::interrupt;
use crate::output::note;

/// Shows progress on standard error where that is a terminal.
pub struct Bar {
    bar: ProgressBar,
    stop: Arc<AtomicBool>,
}

impl Bar {
    /// A bar, and Ctrl-C asks the work to stop from now on. A second Ctrl-C ends the program.
    pub fn new() -> Bar {
        let stop = interrupt::flag();
        let bar = ProgressBar::no_length();
        let style = "{msg:28} {wide_bar} {percent:>3}%  {elapsed} gone, {eta} left";
        bar.set_style(
            ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        Bar { bar, stop }
    }

    /// Says what is worked at now, while the whole goes on.
    pub fn tell(&self, what: &str) {
        self.bar.set_message(what.to_owned());
    }

    /// Says that so many parts are done.
    pub fn set_position(&self, parts: u64) {
        self.bar.set_position(parts);
    }

    /// Prints a line above the bar, or plainly where there is none.
    pub fn say(&self, line: &str) {
        if self.bar.is_hidden() {
            note(line);
        } else {
            self.bar.println(line);
        }
    }
}

impl Default for Bar {
    fn default() -> Self {
        Bar::new()
    }
}

impl Progress for Bar {
    fn begin(&self, what: &str, parts: u64) {
        self.bar.reset();
        self.bar.set_length(parts);
        self.bar.set_message(what.to_owned());
    }

    fn advance(&self, parts: u64) {
        self.bar.inc(parts);
    }

    fn end(&self) {
        self.bar.finish_and_clear();
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
