//! How long work tells how far it is, and is told to stop.

/// Told by long work how far it is. Called from several threads.
pub trait Progress: Sync {
    /// A step of the work begins, of so many parts.
    fn begin(&self, what: &str, parts: u64);
    /// So many parts are done.
    fn advance(&self, parts: u64);
    /// The last step is done.
    fn end(&self) {}
    /// Whether the work is to be broken off.
    fn stopped(&self) -> bool;
}

/// Tells nobody and never stops.
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn stopped(&self) -> bool {
        false
    }
}
