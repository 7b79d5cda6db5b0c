//! Long jobs in parts that any scheduler can run, on one machine or many: `--shard I/N`, and `--merge` that puts them together.
//!
//! Every shard is given the same command but for its number, and a folder or file that all of them see. What is merged is the
//! same, byte for byte, for every number of shards, and whatever parts were run again.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

/// One part of a job.
///
/// ```
/// use tesuji::shard::Shard;
///
/// let shard: Shard = "2/3".parse().unwrap();
/// assert_eq!((0..7).filter(|&number| shard.has(number)).collect::<Vec<_>>(), [1, 4]);
/// assert!("4/3".parse::<Shard>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 0.
    index: u64,
    count: u64,
}

/// More parts than any job has.
const MAX_SHARDS: u64 = 1_000_000;

/// Options of jobs that fall into parts, each of which writes a file of its own.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct ShardArgs {
    /// Do only part I of N, from 1/N to N/N; auto takes the numbers from Slurm's array
    #[arg(long, value_name = "I/N|auto")]
    pub shard: Option<Shard>,
    /// Put the parts together that --shard made
    #[arg(long, conflicts_with = "shard")]
    pub merge: bool,
}

impl Shard {
    /// The whole of a job.
    pub const WHOLE: Shard = Shard { index: 0, count: 1 };

    /// Whether something with this number belongs to the part.
    pub fn has(self, number: u64) -> bool {
        number % self.count == self.index
    }

    /// The part's number and how many there are, as file names have it: `2-of-3`.
    pub fn words(self) -> String {
        format!("{}-of-{}", self.index + 1, self.count)
    }

    /// The file of this part of what the whole job writes to `out`.
    pub fn part_of(self, out: &Path) -> PathBuf {
        let mut name = OsString::from(out);
        name.push(format!("{PART}{}", self.words()));
        name.into()
    }

    /// The part that a scheduler says to do: that of Slurm's array.
    ///
    /// # Errors
    /// When nothing says it.
    fn of_scheduler() -> Result<Shard, String> {
        let read = |name: &str| {
            let value = std::env::var(name).ok();
            value.and_then(|value| value.trim().parse::<u64>().ok())
        };
        let id = read("SLURM_ARRAY_TASK_ID");
        let (Some(id), Some(count)) = (id, read("SLURM_ARRAY_TASK_COUNT")) else {
            return Err("auto is for jobs of Slurm's arrays: there is no SLURM_ARRAY_TASK_ID and \
                        SLURM_ARRAY_TASK_COUNT; elsewhere write --shard I/N"
                .to_owned());
        };
        let (min, step) = (read("SLURM_ARRAY_TASK_MIN"), read("SLURM_ARRAY_TASK_STEP"));
        let index = id.checked_sub(min.unwrap_or(0)).map(|past| past / step.unwrap_or(1).max(1));
        match index {
            Some(index) if index < count => Ok(Shard { index, count }),
            // As when only some of an array are run again: how many there were is not told.
            _ => Err(format!(
                "Slurm's array has task {id} of {count} tasks, which do not follow each other: write --shard I/N"
            )),
        }
    }
}

impl FromStr for Shard {
    type Err = String;

    /// `I/N`, or `auto` for what the scheduler says.
    fn from_str(text: &str) -> Result<Shard, String> {
        if text == "auto" {
            return Shard::of_scheduler();
        }
        let numbers = text.split_once('/');
        let numbers = numbers.and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((number, count)) if (1..=count).contains(&number) && count <= MAX_SHARDS => {
                Ok(Shard { index: number - 1, count })
            }
            _ => Err("I/N is expected, with I from 1 to N, or auto".to_owned()),
        }
    }
}

/// Between the name of what is to be and the words of a part.
const PART: &str = ".part-";

/// All parts of what is to be written to `out`, in order.
///
/// # Errors
/// When there are none, one is missing, or they are of several divisions.
pub fn parts_of(out: &Path) -> Result<Vec<PathBuf>> {
    let name = out.file_name().context("no file to write to")?.to_string_lossy().into_owned();
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut found: Vec<Shard> = Vec::new();
    for entry in entries {
        let entry = entry.with_context(|| folder.display().to_string())?.file_name();
        let entry = entry.to_string_lossy();
        let words = entry.strip_prefix(name.as_str()).and_then(|rest| rest.strip_prefix(PART));
        let numbers = words.and_then(|words| words.split_once("-of-"));
        let shard = numbers.and_then(|(i, n)| format!("{i}/{n}").parse::<Shard>().ok());
        found.extend(shard);
    }
    found.sort_by_key(|shard| (shard.count, shard.index));
    let Some(&Shard { count, .. }) = found.first() else {
        bail!("{} has no parts beside it: none is named {name}{PART}I-of-N", out.display());
    };
    if let Some(other) = found.iter().find(|shard| shard.count != count) {
        bail!(
            "{} has parts of {count} and of {}: remove those that are not meant",
            out.display(),
            other.count
        );
    }
    let has = |index: u64| found.iter().any(|shard| shard.index == index);
    let missing: Vec<String> =
        (0..count).filter(|&index| !has(index)).map(|index| (index + 1).to_string()).collect();
    ensure!(
        missing.is_empty(),
        "{}: of {count} parts these are missing: {}",
        out.display(),
        missing.join(", ")
    );
    Ok(found.into_iter().map(|shard| shard.part_of(out)).collect())
}

/// Locks a file that two tasks must not write at once, for as long as it is open. On file systems that know no locks it is
/// left to the scheduler.
///
/// # Errors
/// When another task has it.
pub fn lock(file: &File, path: &Path) -> Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            bail!("{} is being written by another task", path.display())
        }
        Err(TryLockError::Error(error)) => {
            tracing::warn!("{} cannot be locked: {error}", path.display());
            Ok(())
        }
        Ok(()) => Ok(()),
    }
}

/// A lock on a file beside one that is replaced while it is worked at: the lock on the file itself would go with what is replaced.
pub struct LockBeside {
    _file: File,
    path: PathBuf,
}

/// A lock whose name was taken away meanwhile is tried again so often.
const MAX_TRIES: usize = 1000;

/// Keeps other tasks from working at a file, by a lock on `FILE.lock`, until what is given is dropped. A device has none.
///
/// # Errors
/// When another task has it, or its folder cannot be written to.
pub fn lock_beside(path: &Path) -> Result<Option<LockBeside>> {
    if path.exists() && !path.is_file() {
        return Ok(None);
    }
    let mut name = OsString::from(path);
    name.push(".lock");
    let beside = PathBuf::from(name);
    for _ in 0..MAX_TRIES {
        let open = File::options().create(true).truncate(false).write(true).open(&beside);
        let file = open.with_context(|| format!("cannot write {}", beside.display()))?;
        lock(&file, path)?;
        // Who had it may have taken the name away after it was opened here: the next task would lock another file.
        if has_name(&file, &beside) {
            return Ok(Some(LockBeside { _file: file, path: beside }));
        }
    }
    bail!("{} is being written by other tasks", path.display())
}

/// Whether an open file is the one of this name. Where no name is taken away from open files, it is.
fn has_name(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let number = |about: fs::Metadata| (about.dev(), about.ino());
        let there = fs::metadata(path).map(number);
        matches!((file.metadata().map(number), there), (Ok(own), Ok(there)) if own == there)
    }
    #[cfg(not(unix))]
    {
        let _ = (file, path);
        true
    }
}

impl Drop for LockBeside {
    fn drop(&mut self) {
        // One that stays is taken by the next task.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_in_one_part() {
        for count in [1, 3, 8] {
            let shards: Vec<Shard> =
                (1..=count).map(|i| format!("{i}/{count}").parse().unwrap()).collect();
            for number in 0..50 {
                assert_eq!(shards.iter().filter(|shard| shard.has(number)).count(), 1);
            }
        }
        for wrong in ["", "3", "0/3", "4/3", "1/0", "-1/3", "1/9999999", "a/b", "1/3/3"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_one_task_has_the_lock_beside_a_file() {
        use std::sync::atomic::{AtomicBool, Ordering};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book");
        let is_held = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..3000 {
                        let Ok(Some(lock)) = lock_beside(&path) else { continue };
                        assert!(!is_held.swap(true, Ordering::SeqCst), "two have it");
                        std::thread::yield_now();
                        is_held.store(false, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn parts_are_found_and_missing_ones_named() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("games.txt");
        let why = |out: &Path| parts_of(out).unwrap_err().to_string();
        assert!(why(&out).contains("no parts"));
        for shard in ["1/3", "3/3"] {
            fs::write(shard.parse::<Shard>().unwrap().part_of(&out), "").unwrap();
        }
        fs::write(folder.path().join("games.txt.part-x"), "").unwrap();
        assert!(why(&out).ends_with("of 3 parts these are missing: 2"), "{}", why(&out));
        fs::write("2/3".parse::<Shard>().unwrap().part_of(&out), "").unwrap();
        let parts = parts_of(&out).unwrap();
        assert_eq!(parts.len(), 3);
        assert!(parts[2].ends_with("games.txt.part-3-of-3"));
        fs::write(folder.path().join("games.txt.part-1-of-8"), "").unwrap();
        assert!(why(&out).contains("of 3 and of 8"));
    }
}
