//! What to paste into the programs that people play and analyse with.

use std::path::Path;

/// A path as a command line has it: in quotes where it holds blanks.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    if text.contains(char::is_whitespace) { format!("\"{text}\"") } else { text }
}

/// The lines, with this program's own path in them.
pub fn lines(program: &Path) -> String {
    let (plain, quoted) = (program.display(), quoted(program));
    // KaTrain hands the line to a shell on every system but Windows.
    let exec = if cfg!(windows) { "" } else { "exec " };
    format!(
        "To play in another program, paste
  Sabaki     Engines > Manage Engines > Add
             path       {plain}
             arguments  --threads 2
  GoGui      Program > New Program
             command    {quoted}
  Lizzie     Settings > Engine (LizzieYzy: Engine > Manage engines)
             command    {quoted} --name KataGo
  KaTrain    Settings > Engine > Custom command
             command    {exec}{quoted} analysis

`tesuji` on a terminal plays right there; `tesuji --level 1` is for beginners.
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_with_blanks_stand_in_quotes_where_a_command_line_is_cut() {
        let text = lines(Path::new("/my games/tesuji"));
        assert!(text.contains("path       /my games/tesuji\n"), "{text}");
        assert!(text.contains("\"/my games/tesuji\" --name KataGo"), "{text}");
        assert!(text.contains("\"/my games/tesuji\" analysis"), "{text}");
        assert!(lines(Path::new("/bin/tesuji")).contains("command    /bin/tesuji\n"));
    }
}
