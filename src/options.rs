//! What the command lines of several programs share.

/// Threads that a search uses unless it is told: one for each processor, 256 at most; in a job of Slurm one for each that the
/// task was given.
pub fn default_threads() -> u16 {
    let processors = std::thread::available_parallelism().map_or(1, |n| n.get());
    given_processors().unwrap_or(usize::MAX).min(processors).min(256) as u16
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
