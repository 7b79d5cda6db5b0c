//! What to do next after an error, in words.

use std::io;

/// A sentence for whoever has just read what went wrong in a command, such as `tesuji match report`.
pub fn for_error(error: &anyhow::Error, command: &str) -> String {
    let kind =
        error.chain().find_map(|cause| cause.downcast_ref::<io::Error>()).map(io::Error::kind);
    match kind {
        Some(io::ErrorKind::NotFound) => {
            let here = std::env::current_dir().map(|dir| dir.display().to_string());
            let here = here.unwrap_or_else(|_| "the folder that the program runs in".to_owned());
            format!("Check the path, which is looked for from {here}.")
        }
        Some(io::ErrorKind::PermissionDenied) => {
            "Change its permissions, or name another place.".to_owned()
        }
        Some(io::ErrorKind::IsADirectory) => "Name a file, not a folder.".to_owned(),
        Some(io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory) => {
            "A file of that name is in the way: move it, or name another place.".to_owned()
        }
        Some(io::ErrorKind::StorageFull) => "Free some space, then do the same again.".to_owned(),
        _ => format!("For more information, try '{command} --help'."),
    }
}

/// The words of the command line's reader, where they are a programmer's, in plain ones.
///
/// ```
/// use tesuji::advice::plain;
/// assert_eq!(plain("'x': invalid digit found in string"), "'x': a whole number is expected");
/// assert_eq!(plain("for '-s': 26 is not in 2..=25\n"), "for '-s': 2 to 25 is expected\n");
/// assert_eq!(plain("0 is not in 1..18446744073709551615"), "1 or more is expected");
/// ```
pub fn plain(text: &str) -> String {
    let mut text = text.replace("invalid digit found in string", "a whole number is expected");
    for long in ["number too large to fit in target type", "number too small to fit in target type"]
    {
        text = text.replace(long, "the number is too large");
    }
    text = text.replace("cannot parse integer from empty string", "a whole number is expected");
    const BETWEEN: &str = " is not in ";
    if let Some(at) = text.find(BETWEEN) {
        let (before, after) = (&text[..at], &text[at + BETWEEN.len()..]);
        let start = before.rfind(' ').map_or(0, |blank| blank + 1);
        let end =
            after.find(|c: char| !(c.is_ascii_digit() || ".=-".contains(c))).unwrap_or(after.len());
        if let Some((low, high)) = after[..end].split_once("..") {
            let wanted = match high.strip_prefix('=') {
                Some(high) => format!("{low} to {high}"),
                None => format!("{low} or more"),
            };
            return format!("{}{wanted} is expected{}", &before[..start], &after[end..]);
        }
    }
    text
}
