//! What the command lines of several programs share.

/// Threads that a search uses unless it is told: one for each processor, 256 at most.
pub fn default_threads() -> u16 {
    std::thread::available_parallelism().map_or(1, |n| n.get().min(256) as u16)
}

/// Reads the seconds of a move that are lost between two clocks.
///
/// # Errors
/// What is no number from 0 to 60.
pub fn lag(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..=60.0).contains(&number) => Ok(number),
        _ => Err("a number from 0 to 60 is expected".to_owned()),
    }
}

/// Reads how many seconds something may take.
///
/// # Errors
/// What is no number from 0.001 to 1000000.
pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.001..=1e6).contains(&number) => Ok(number),
        _ => Err("a number of seconds from 0.001 to 1000000 is expected".to_owned()),
    }
}
