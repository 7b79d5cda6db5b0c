//! Files: written so that a failure leaves what was there before, and read within bounds.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

/// Writes a file whole: beside its place first, then renamed. What is there already stays until
/// the new contents are safe. A device or a pipe is written to as it is.
///
/// # Errors
/// Whatever the system says; nothing is left behind.
pub fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    // A link stays a link: what it points at is replaced.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    match fs::metadata(&path) {
        Ok(there) if there.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(there) if !there.is_file() => {
            return OpenOptions::new().write(true).open(&path)?.write_all(contents);
        }
        _ => {}
    }
    let (beside, mut file) = create_beside(&path)?;
    let written = file.write_all(contents).and_then(|()| file.sync_all());
    // Windows renames no file that is open.
    drop(file);
    let written = written.and_then(|()| fs::rename(&beside, &path));
    if written.is_err() {
        // If this fails too there is nothing more to do; the first error says why.
        let _ = fs::remove_file(&beside);
    } else {
        sync_folder(&path);
    }
    written
}

/// Whether [`replace`] could write a file here: asked before long work, which else would be in vain.
///
/// # Errors
/// Whatever the system says; nothing is left behind.
pub fn check_writable(path: &Path) -> io::Result<()> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    match fs::metadata(&path) {
        Ok(there) if there.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(there) if !there.is_file() => return Ok(()),
        _ => {}
    }
    let (beside, file) = create_beside(&path)?;
    // Windows removes no file that is open.
    drop(file);
    fs::remove_file(&beside)
}

/// Makes a renaming safe from a loss of power. Where a folder cannot be synced, as on Windows and some network drives, the
/// system does it in its own time.
fn sync_folder(path: &Path) {
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    #[cfg(not(unix))]
    let _ = path;
}

/// Larger files are not read: no game needs as much, and memory is bounded.
const MAX_BYTES: u64 = 256 << 20;

/// The bytes of a record's file, if it is of a size that is read here.
///
/// # Errors
/// Whatever the system says, and a file that is too large or none.
pub fn read_record(path: &Path) -> io::Result<Vec<u8>> {
    let about = fs::metadata(path)?;
    if about.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !about.is_file() || about.len() > MAX_BYTES {
        return Err(io::Error::other("no file of a size that is read here"));
    }
    fs::read(path)
}

/// Settings are shorter: what is longer is some other file, or has no end.
const MAX_BYTES_OF_SETTINGS: u64 = 16 << 20;

/// The text of a file of settings. It may come out of a pipe.
///
/// # Errors
/// When it cannot be read, is no UTF-8, or is too long; the message names it.
pub fn read_settings(path: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    File::open(path)
        .and_then(|file| file.take(MAX_BYTES_OF_SETTINGS + 1).read_to_string(&mut text))
        .with_context(|| format!("cannot read {}", path.display()))?;
    ensure!(
        text.len() as u64 <= MAX_BYTES_OF_SETTINGS,
        "{} is longer than settings are",
        path.display()
    );
    Ok(text)
}

/// All `.sgf` files below a folder, in the order of their names, without those below `skipped`, which is canonical. A folder is
/// gone through once, whatever links lead to it. `failed` is told of folders that cannot be read.
pub fn records_below(
    folder: &Path,
    skipped: Option<&Path>,
    failed: &mut dyn FnMut(&Path, io::Error),
) -> Vec<PathBuf> {
    let mut seen: BTreeSet<PathBuf> = skipped.map(Path::to_owned).into_iter().collect();
    let mut found = Vec::new();
    // The next one last.
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        if !path.is_dir() {
            if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("sgf")) {
                found.push(path);
            }
            continue;
        }
        let inside = fs::canonicalize(&path).and_then(|own| {
            if !seen.insert(own) {
                return Ok(Vec::new());
            }
            fs::read_dir(&path)?.map(|entry| entry.map(|entry| entry.path())).collect()
        });
        match inside {
            Ok(mut inside) => {
                inside.sort_by(|a: &PathBuf, b| b.cmp(a));
                open.extend(inside);
            }
            Err(error) => failed(&path, error),
        }
    }
    found
}

/// A file's name without the double quotes in which GoGui puts names that hold spaces.
///
/// ```
/// assert_eq!(tesuji::files::unquoted("\"my games/a.sgf\""), "my games/a.sgf");
/// assert_eq!(tesuji::files::unquoted("a.sgf"), "a.sgf");
/// ```
pub fn unquoted(name: &str) -> &str {
    name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name)
}

/// The file and the number in the arguments of `loadsgf FILE [NUMBER]`. Names may hold spaces, and end in a number.
pub fn named_with_number(text: &str) -> (&Path, Option<usize>) {
    if let Some((name, number)) = text.strip_prefix('"').and_then(|text| text.split_once('"')) {
        return (Path::new(name), number.trim().parse().ok());
    }
    let split = text.rsplit_once(' ').filter(|_| !Path::new(text).exists());
    match split.and_then(|(name, number)| Some((name, number.parse().ok()?))) {
        Some((name, number)) => (Path::new(name.trim_end()), Some(number)),
        None => (Path::new(text), None),
    }
}

/// A new file beside the one of this name. Others may be writing the same one at the same time: threads, and programs on
/// another machine, where a process may well have the same number.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut hidden = OsString::from(".");
    hidden.push(name);
    for number in 0..1000 {
        let mut candidate = hidden.clone();
        candidate.push(format!(".{}-{number}", std::process::id()));
        let candidate = path.with_file_name(candidate);
        match File::create_new(&candidate) {
            Ok(file) => return Ok((candidate, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_replaced_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.sgf");
        replace(&path, b"one").unwrap();
        replace(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(replace(folder.path(), b"").is_err());
        assert!(replace(&folder.path().join("none/game.sgf"), b"").is_err());
        check_writable(&path).unwrap();
        check_writable(&folder.path().join("new.sgf")).unwrap();
        assert!(check_writable(folder.path()).is_err());
        assert!(check_writable(&folder.path().join("none/game.sgf")).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn several_may_replace_a_file_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.toml");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..20).for_each(|_| replace(&path, b"the same").unwrap()));
            }
        });
        assert_eq!(fs::read(&path).unwrap(), b"the same");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn folders_are_gone_through_once() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("b/c")).unwrap();
        for name in ["a.sgf", "b/c/one.SGF", "b/two.sgf", "b/notes.txt", "c.sgf"] {
            fs::write(at(name), "").unwrap();
        }
        std::os::unix::fs::symlink(folder.path(), at("b/back")).unwrap();
        std::os::unix::fs::symlink(at("b"), at("z")).unwrap();
        let below = |skipped: Option<&Path>| {
            let found =
                records_below(folder.path(), skipped, &mut |path, why| panic!("{path:?}: {why}"));
            let inside = |path: &PathBuf| path.strip_prefix(folder.path()).unwrap().to_owned();
            found.iter().map(inside).collect::<Vec<_>>()
        };
        assert_eq!(below(None), ["a.sgf", "b/c/one.SGF", "b/two.sgf", "c.sgf"].map(PathBuf::from));
        let skipped = fs::canonicalize(at("b")).unwrap();
        assert_eq!(below(Some(&skipped)), ["a.sgf", "c.sgf"].map(PathBuf::from));
    }

    #[test]
    fn settings_are_texts_that_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.toml");
        let missing = read_settings(&path).unwrap_err().to_string();
        assert!(
            missing.starts_with("cannot read ") && missing.ends_with("match.toml"),
            "{missing}"
        );
        replace(&path, b"size = 9").unwrap();
        assert_eq!(read_settings(&path).unwrap(), "size = 9");
        replace(&path, b"\xff").unwrap();
        assert!(read_settings(&path).is_err());
        if Path::new("/dev/zero").exists() {
            let endless = read_settings(Path::new("/dev/zero")).unwrap_err().to_string();
            assert_eq!(endless, "/dev/zero is longer than settings are");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error_and_a_device_stays_one() {
        use std::os::unix::fs::FileTypeExt;
        let full = Path::new("/dev/full");
        if full.exists() {
            assert_eq!(replace(full, b"text").unwrap_err().kind(), io::ErrorKind::StorageFull);
            assert!(fs::metadata(full).unwrap().file_type().is_char_device());
        }
    }
}
