//! Wrong command lines: each is answered with what was wrong and what to do next.

use std::fs;
use std::process::{Command, Stdio};

use crate::common::run_program;

/// The command lines, with what each answer has to hold.
const TABLE: &str = include_str!("wrong-invocations.txt");

/// What tells a user how to go on.
const NEXT_STEPS: [&str; 6] =
    ["--help'", "Check the path", "in the way", "Give --", "Name a file", "permissions"];

#[test]
fn wrong_command_lines_are_answered_with_what_to_do_next() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("junk.txt", "junk"),
        ("good.sgf", "(;GM[1]SZ[19];B[dd];W[pd])"),
        ("chess.sgf", "(;GM[3]SZ[19];B[aa])"),
        ("wrong.toml", "gamez = 3\n"),
        ("engines.toml", "[[engine]]\nuser = \"abc\"\n"),
        ("pw", "secret\n"),
        ("shortpw", "x\n"),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let mut count = 0;
    for entry in TABLE.split("\n$ ").skip(1) {
        let (line, wanted) = entry.split_once('\n').unwrap();
        let words: Vec<&str> = line.split(' ').collect();
        let program = match words[0] {
            "tesuji" => env!("CARGO_BIN_EXE_tesuji"),
            "tesuji-connect6" => env!("CARGO_BIN_EXE_tesuji-connect6"),
            "tesuji-amazons" => env!("CARGO_BIN_EXE_tesuji-amazons"),
            other => panic!("what is {other}?"),
        };
        let done =
            Command::new(program).args(&words[1..]).current_dir(folder.path()).output().unwrap();
        let told = String::from_utf8_lossy(&done.stderr);
        assert!(!done.status.success() && done.stdout.is_empty(), "{line}: {told}");
        assert!(!told.contains("panicked"), "{line}: {told}");
        for wanted in wanted.lines().filter(|wanted| !wanted.is_empty()) {
            assert!(told.contains(wanted), "{line}: {wanted:?} is not in {told}");
        }
        assert!(NEXT_STEPS.iter().any(|step| told.contains(step)), "{line}: what now? {told}");
        // A screen is enough.
        assert!(told.lines().count() <= 12, "{line}: {told}");
        count += 1;
    }
    assert!(count >= 60, "{count}");
}

#[test]
fn memory_that_there_is_not_is_refused_alike_by_every_program() {
    const WHY: &str = "there are no 1048576 MiB of memory to be had";
    for program in [
        env!("CARGO_BIN_EXE_tesuji"),
        env!("CARGO_BIN_EXE_tesuji-connect6"),
        env!("CARGO_BIN_EXE_tesuji-amazons"),
    ] {
        let done = Command::new(program)
            .args(["--max-memory", "1048576"])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&done.stderr);
        // Some machine may have so much.
        let has_it = done.status.success();
        assert!(has_it || told.contains(WHY), "{program}: {told}");
        let asked = b"1 tesuji-param max_memory 1048576\n2 protocol_version\n";
        let (text, code) = run_program(program, &["--threads", "1"], asked);
        assert_eq!(code, Some(0), "{program}");
        assert!(has_it != text.starts_with(&format!("?1 {WHY}")), "{program}: {text}");
        assert!(text.contains("=2 2\n"), "{program}: {text}");
    }
}

#[test]
fn completions_and_manual_pages_name_every_command() {
    let ask = |program: &str, args: &[&str]| {
        let done = Command::new(program).args(args).output().unwrap();
        assert!(done.status.success(), "{args:?}");
        String::from_utf8(done.stdout).unwrap()
    };
    let (tesuji, amazons) = (env!("CARGO_BIN_EXE_tesuji"), env!("CARGO_BIN_EXE_tesuji-amazons"));
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = ask(tesuji, &["completions", shell]);
        assert!(script.contains("review") && script.contains("playouts"), "{shell}");
        assert!(!script.contains("planted"), "{shell}: a command that is hidden");
        assert!(ask(amazons, &["completions", shell]).contains("tesuji-amazons"), "{shell}");
    }
    assert!(ask(tesuji, &["man"]).starts_with(".ie"), "a page in roff");
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("pages/man1");
    ask(tesuji, &["man", "--dir", pages.to_str().unwrap()]);
    let page = fs::read_to_string(pages.join("tesuji-match.1")).unwrap();
    assert!(page.contains("Example") && page.contains("random"), "{page}");
    assert!(!pages.join("tesuji-help.1").exists(), "a page that says nothing");
}

#[test]
fn the_doctor_tells_speed_and_what_to_paste() {
    let done = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(["doctor", "--seconds", "0.05"])
        .output()
        .unwrap();
    let told = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success(), "{told}");
    for wanted in ["vectors", "memory", "19x19", "Sabaki", "GoGui", "--name KataGo", "analysis"] {
        assert!(told.contains(wanted), "{wanted}: {told}");
    }
    assert!(told.contains(env!("CARGO_BIN_EXE_tesuji")), "its own path: {told}");
}
