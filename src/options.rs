//! What the command lines of several programs share.

use std::hint::black_box;
use std::ops::RangeInclusive;

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

/// MiB of memory that a search may be told to take.
pub const MEMORY: RangeInclusive<u64> = MIN_MEMORY..=1 << 20;

/// Reads the MiB of memory that a search may take.
///
/// # Errors
/// What is no number of [`MEMORY`], or more than there is.
pub fn memory(text: &str) -> Result<u64, String> {
    let mib = text.parse().ok().filter(|mib| MEMORY.contains(mib));
    let mib = mib.ok_or_else(|| format!("{} to {} is expected", MEMORY.start(), MEMORY.end()))?;
    is_to_be_had(mib as usize).map(|()| mib)
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

/// The MiB of memory that a scheduler gave this task, where it says so: `--mem`, or `--mem-per-cpu` for each of its processors.
/// 0 is all that the machine has.
fn given_memory() -> Option<u64> {
    let read = |name: &str| std::env::var(name).ok()?.trim().parse().ok().filter(|&mib| mib > 0);
    let of_processors = || {
        let each: u64 = read("SLURM_MEM_PER_CPU")?;
        Some(each.saturating_mul(given_processors().unwrap_or(1) as u64))
    };
    read("SLURM_MEM_PER_NODE").or_else(of_processors)
}

/// The MiB of memory that something may take unless it is told: `usual`, or less in a job of Slurm that was given less. A
/// quarter of that is left to all else.
pub fn default_memory(usual: u64) -> u64 {
    within(usual, given_memory())
}

fn within(usual: u64, given: Option<u64>) -> u64 {
    given.map_or(usual, |given| (given - given / 4).clamp(MIN_MEMORY, usual))
}

/// No search is asked to do with fewer MiB.
pub const MIN_MEMORY: u64 = 16;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_keeps_within_what_was_given() {
        for (given, taken) in [(None, 512), (Some(4000), 512), (Some(200), 150), (Some(1), 16)] {
            assert_eq!(within(512, given), taken, "{given:?}");
        }
    }
}
