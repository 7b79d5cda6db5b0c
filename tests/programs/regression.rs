//! The suites of `gtp-tests/regression` and `gtp-tests/amazons`, in `gogui-regress`'s format, on the real programs.
//!
//! A line `#? [pattern]` says what the answer to the command before it must match whole; a `!` in
//! front of the pattern, what it must not; a `*` behind the bracket marks a known failure.

use regex::Regex;
use std::path::Path;

#[test]
fn suites_pass() {
    let mut failed = Vec::new();
    for file in crate::common::files("gtp-tests/regression", "tst") {
        let args = ["--playouts", "1000", "--threads", "1", "--seed", "1"];
        failed.extend(run(&file, env!("CARGO_BIN_EXE_tesuji"), &args));
    }
    for file in crate::common::files("gtp-tests/amazons", "tst") {
        let args = ["--visits", "1000", "--threads", "1", "--max-memory", "64"];
        failed.extend(run(&file, env!("CARGO_BIN_EXE_tesuji-amazons"), &args));
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Runs a suite; what did not come out as written.
fn run(file: &Path, program: &str, args: &[&str]) -> Vec<String> {
    let name = file.file_name().unwrap().to_string_lossy().into_owned();
    // Suites name the files beside them.
    let mut program = crate::common::Program::start_other_in(program, file.parent().unwrap(), args);
    let mut failed = Vec::new();
    let mut last = (String::new(), String::new());
    let mut checks = 0;
    for line in std::fs::read_to_string(file).unwrap().lines() {
        if let Some(check) = line.strip_prefix("#? ") {
            checks += 1;
            let (pattern, known) = match check.trim_end().strip_suffix('*') {
                Some(pattern) => (pattern, true),
                None => (check.trim_end(), false),
            };
            let pattern = pattern.strip_prefix('[').and_then(|p| p.strip_suffix(']')).unwrap();
            let (pattern, wanted) = match pattern.strip_prefix('!') {
                Some(pattern) => (pattern, false),
                None => (pattern, true),
            };
            let (command, answer) = &last;
            let fits = Regex::new(&format!("^(?:{pattern})$")).unwrap().is_match(answer) == wanted;
            if fits == known {
                let what = if known { "passes, though marked as failing" } else { "fails" };
                failed.push(format!("{name}: {command} -> {answer:?}, {check} {what}"));
            }
        } else if !line.is_empty() && !line.starts_with('#') {
            let answer = program.ask(line);
            let text = answer.split_once(' ').map_or("", |(_, text)| text);
            assert!(answer.starts_with('='), "{name}: {line}: {answer}");
            last = (line.to_owned(), text.to_owned());
        }
    }
    assert!(checks > 0, "{name} checks nothing");
    failed
}
