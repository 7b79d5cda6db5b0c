//! What the command lines of several programs share.

use std::hint::black_box;

use clap::builder::RangedI64ValueParser;
use tree_search::MAX_THREADS;

/// Threads that a search uses unless it is told: one for each processor, [`MAX_THREADS`] at most; in a job of Slurm one for
/// each that the task was given.
pub fn default_threads() -> u16 {
    let processors = std::thread::available_parallelism().map_or(1, |n| n.get());
    given_processors().unwrap_or(usize::MAX).min(processors).min(MAX_THREADS) as u16
}

/// Reads a number of threads.
pub fn threads() -> RangedI64ValueParser<u16> {
    clap::value_parser!(u16).range(1..=MAX_THREADS as i64)
}

/// Asks for memory in MiB and gives it back, since a table that the system refuses would end the program.
///
/// # Errors
/// That there is not so much.
pub fn is_to_be_had(memory_mib: usize) -> Result<(), String> {
    let mut probe = Vec::<u8>::new();
    let asked = probe.try_reserve_exact(memory_mib << 20);
    // Memory that nobody looks at need not be asked for.
    black_box(&probe);
    asked.map_err(|_| format!("there are no {memory_mib} MiB of memory to be had"))
}

/// Reads a number.
///
/// # Errors
/// What is no number, or none that is finite.
pub fn finite(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(format!("{text:?} is no number")),
    }
}

/// The processors that a scheduler gave this task, where it says so.
pub fn given_processors() -> Option<usize> {
    let given = std::env::var("SLURM_CPUS_PER_TASK").ok()?;
    given.trim().parse().ok().filter(|&given| given > 0)
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

/// Reads a tunable of a table and its value, written `NAME=VALUE`.
///
/// # Errors
/// What is written otherwise, or what the table does not take.
///
/// ```
/// use amazons_engine::search::Params;
/// use tesuji::options::tunable;
/// assert_eq!(tunable::<Params>("exploration=0.5"), Ok(("exploration".into(), "0.5".into())));
/// assert!(tunable::<Params>("exploration").is_err() && tunable::<Params>("no=1").is_err());
/// ```
pub fn tunable<T: tunables::Table + Default>(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("it is written NAME=VALUE")?;
    T::default().set(name, value).map_err(|error| error.to_string())?;
    Ok((name.to_owned(), value.to_owned()))
}

/// Reads a share in percent.
///
/// # Errors
/// What is no number from 0 to 100.
pub fn percent(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..=100.0).contains(&number) => Ok(number),
        _ => Err("a number from 0 to 100 is expected".to_owned()),
    }
}

/// A share, 0 to 1, as percent, without the traces of binary fractions.
///
/// ```
/// assert_eq!(tesuji::options::percent_of(0.1), 10.0);
/// ```
pub fn percent_of(share: f32) -> f64 {
    (f64::from(share) * 1e6).round() / 1e4
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
