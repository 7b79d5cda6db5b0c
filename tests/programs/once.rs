//! Errors of the tools: told once, with the file, and with what was wrong in it.

use std::fs;
use std::process::Command;

/// The longest part of a message that stands in it twice, apart from itself.
fn repeated(message: &str) -> &str {
    let bytes = message.as_bytes();
    let mut longest = 0..0;
    for first in 0..bytes.len() {
        for second in first + 1..bytes.len() {
            let same =
                bytes[first..].iter().zip(&bytes[second..]).take_while(|(a, b)| a == b).count();
            let same = same.min(second - first);
            if same > longest.len() {
                longest = first..first + same;
            }
        }
    }
    message.get(longest).unwrap_or_default()
}

#[test]
fn an_error_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("junk.txt", "junk"),
        ("illegal.sgf", "(;GM[1]SZ[19];B[aa];W[aa];B[bb])"),
        ("point.sgf", "(;GM[1]SZ[19];B[aa];W[zz])"),
        ("cut.sgf", "(;GM[1]SZ[19"),
        ("chess.sgf", "(;GM[3]SZ[19];B[aa])"),
        ("setup.sgf", "(;GM[1]SZ[19]AB[aa]AW[ba][ab])"),
        ("huge.sgf", "(;GM[1]SZ[77];B[aa])"),
        ("good.sgf", "(;GM[1]SZ[19];B[dd];W[pd])"),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let (tesuji, connect6, amazons) = (
        env!("CARGO_BIN_EXE_tesuji"),
        env!("CARGO_BIN_EXE_tesuji-connect6"),
        env!("CARGO_BIN_EXE_tesuji-amazons"),
    );
    let looks: [(&str, &[&str]); 6] = [
        (tesuji, &["estimate"]),
        (tesuji, &["joseki", "show"]),
        (tesuji, &["joseki", "code"]),
        (tesuji, &["patterns", "show"]),
        (connect6, &["solve"]),
        (amazons, &["solve"]),
    ];
    let mut cases: Vec<(&str, Vec<&str>)> = Vec::new();
    for file in ["none.sgf", "junk.txt", "illegal.sgf", "point.sgf", "cut.sgf", "chess.sgf"] {
        cases.extend(looks.iter().map(|(program, args)| (*program, [args, &[file][..]].concat())));
    }
    for file in ["setup.sgf", "huge.sgf", "good.sgf --move 9", "good.sgf --game 7"] {
        let words: Vec<&str> = file.split(' ').collect();
        cases.extend(
            looks[..4].iter().map(|(program, args)| (*program, [args, &words[..]].concat())),
        );
    }
    for line in [
        "estimate good.sgf --tuned junk.txt",
        "estimate good.sgf --svg none/a.svg",
        "estimate good.sgf --constant edge",
        "estimate --eval none",
        "estimate --fit none",
        "joseki show good.sgf --machine junk.txt",
        "joseki show good.sgf --machine none",
        "joseki eval none",
        "joseki stats none",
        "joseki export --out none/a.sgf",
        "patterns show good.sgf --table junk.txt",
        "patterns show good.sgf --point Z30",
        "patterns show good.sgf --move 1 --point D16",
        "patterns eval none",
        "patterns stats none",
        "train patterns none --out a",
        "train moves none --out a",
        "train joseki none --out a",
        "train influence none --out a",
        "match none.toml",
        "match report none",
        "--playouts many",
        "--rules stone-scoring",
        "--komi nan",
    ] {
        cases.push((tesuji, line.split(' ').collect()));
    }
    for (program, args) in cases {
        let done = Command::new(program).args(&args).current_dir(folder.path()).output().unwrap();
        let told = String::from_utf8_lossy(&done.stderr).into_owned();
        let what = args.join(" ");
        assert!(!done.status.success(), "{what}: {told}");
        assert!(done.stdout.is_empty(), "{what}: {}", String::from_utf8_lossy(&done.stdout));
        // Names come back in the usage, and in what to do next, which are paragraphs of their own.
        let message = told.split("\n\n").next().unwrap_or_default();
        let twice = repeated(message);
        assert!(twice.len() < 15, "{what}: {twice:?} stands twice in {told}");
        // What was wrong with a file is told with its name.
        if let Some(file) = args.iter().find(|arg| arg.ends_with(".sgf") || arg.ends_with(".txt"))
            && !what.contains("--")
        {
            assert!(told.contains(file), "{what}: {told}");
        }
    }
}
