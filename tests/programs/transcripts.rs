//! Conversations with the program, word for word: `gtp-tests/transcripts`.
//!
//! `@ PROGRAM` names the program, `tesuji` where none is named; `$ ARGUMENTS` starts it, `> LINE` is sent, `< LINE` has to come back, exactly;
//! `<~ PATTERN` has to match the whole line; `<...` stands for rows that are not empty, up to
//! one that fits what follows. All input is sent in one burst, as Sabaki does. `{network}` in arguments and in what is sent
//! is the path of a small network with random weights, and `{folder}` that of its folder.

use regex::Regex;

#[test]
fn conversations_go_as_written() {
    let folder = tempfile::tempdir().unwrap();
    let network = folder.path().join("sample.bin.gz");
    std::fs::write(&network, go_network::sample::network(15, 1).write_gzip()).unwrap();
    std::fs::write(folder.path().join("text.bin.gz"), "no network").unwrap();
    for file in crate::common::files("gtp-tests/transcripts", "txt") {
        let text = std::fs::read_to_string(&file).unwrap();
        let text = text.replace("{network}", network.to_str().unwrap());
        let text = text.replace("{folder}", folder.path().to_str().unwrap());
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        check(&name, &text);
    }
}

/// Options under which the programs for the other games answer quickly and the same every time.
const OTHER_GAMES: [&str; 6] = ["--visits", "50", "--threads", "1", "--max-memory", "32"];

fn check(name: &str, text: &str) {
    let mut args: Vec<&str> = crate::common::QUICK.to_vec();
    let mut program = env!("CARGO_BIN_EXE_tesuji");
    let mut input = String::new();
    let mut expected = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("@ ") {
            program = match name {
                "tesuji-amazons" => env!("CARGO_BIN_EXE_tesuji-amazons"),
                "tesuji-connect6" => env!("CARGO_BIN_EXE_tesuji-connect6"),
                _ => panic!("no such program: {name}"),
            };
            args = OTHER_GAMES.to_vec();
        } else if let Some(more) = line.strip_prefix("$ ") {
            args.extend(more.split_whitespace());
        } else if let Some(sent) = line.strip_prefix('>') {
            input += &unescape(sent.strip_prefix(' ').unwrap_or(sent));
            input.push('\n');
        } else if line.starts_with('<') {
            expected.push(line);
        } else {
            assert!(line.is_empty() || line.starts_with('#'), "{name}: what is {line:?}?");
        }
    }
    let (output, code) = crate::common::run_program(program, &args, input.as_bytes());
    assert_eq!(code, Some(0), "{name}: exit code");
    let got: Vec<&str> = output.split_terminator('\n').collect();
    let mut at = 0;
    for (index, wanted) in expected.iter().enumerate() {
        if *wanted == "<..." {
            let next = expected.get(index + 1).copied().unwrap_or("<");
            while got.get(at).is_some_and(|row| !row.is_empty() && !fits(next, row)) {
                at += 1;
            }
            continue;
        }
        let row = got.get(at).copied().unwrap_or("(nothing)");
        let place = format!("{name}, line {} of the output", at + 1);
        assert!(fits(wanted, row), "{place}:\n got {row:?}\nwanted {wanted:?}");
        at += 1;
    }
    assert_eq!(got.len(), at, "{name}: more output than expected: {:?}", &got[at..]);
}

/// Whether a row is what the transcript has for it.
fn fits(wanted: &str, row: &str) -> bool {
    match wanted.strip_prefix("<~ ") {
        Some(pattern) => Regex::new(&format!("^(?:{pattern})$")).unwrap().is_match(row),
        None => wanted.strip_prefix("< ").unwrap_or("") == row,
    }
}

/// `\t`, `\r`, `\0` and `\\` in what is sent.
fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        out.push(match (c, c == '\\') {
            (_, true) => match chars.next() {
                Some('t') => '\t',
                Some('r') => '\r',
                Some('0') => '\0',
                Some(other) => other,
                None => '\\',
            },
            (other, false) => other,
        });
    }
    out
}
