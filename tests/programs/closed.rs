//! Readers that have gone: whoever reads a program's reports or words about its work may stop, and the work goes on.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// A stream that nobody reads any more.
fn closed() -> Stdio {
    let (_, writer) = std::io::pipe().unwrap();
    writer.into()
}

const GO: &str = env!("CARGO_BIN_EXE_tesuji");

/// Two engines that move at once, and a small board.
fn small_match(folder: &Path) -> Vec<String> {
    let engine = format!("{GO} --network none --playouts 2 --threads 1");
    let words = ["match", "-s", "3", "-g", "2", "-j", "1", "-n", "a", "-n", "b", "-e"];
    let mut args: Vec<String> = words.map(str::to_owned).into();
    args.extend([engine.clone(), "-e".to_owned(), engine, "-d".to_owned()]);
    args.push(folder.to_str().unwrap().to_owned());
    args
}

#[test]
fn nobody_has_to_read_the_words_about_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(at("game.sgf"), "(;GM[1]SZ[5];B[cc];W[bb])").unwrap();
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let review = words("review --network none --playouts 2 --out");
    for args in [
        small_match(&folder.path().join("match")),
        [review, vec![at("reviews"), at("game.sgf")]].concat(),
        [words("train joseki --out"), vec![at("joseki.bin"), at("game.sgf")]].concat(),
        words("no-such-command"),
    ] {
        let told = Command::new(GO).args(&args).output().unwrap();
        let _ = fs::remove_dir_all(at("match"));
        let _ = fs::remove_dir_all(at("reviews"));
        let mut unheard = Command::new(GO);
        let unheard = unheard.args(&args).stderr(closed()).output().unwrap();
        assert_eq!(unheard.status.code(), told.status.code(), "{args:?}");
        assert_eq!(unheard.stdout.is_empty(), told.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn analysis_goes_on_when_nobody_reads_its_errors() {
    let mut child = Command::new(GO)
        .args(["analysis", "--network", "none"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(closed())
        .spawn()
        .unwrap();
    let query =
        r#"{"id":"a","moves":[],"rules":"chinese","boardXSize":5,"boardYSize":5,"maxVisits":2}"#;
    // A program that has ended says so by its exit.
    let _ = writeln!(child.stdin.take().unwrap(), "{query}");
    let done = child.wait_with_output().unwrap();
    assert_eq!(done.status.code(), Some(0));
    assert!(String::from_utf8(done.stdout).unwrap().contains(r#""moveInfos""#));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match");
    assert!(Command::new(GO).args(small_match(&path)).output().unwrap().status.success());
    let amazons = env!("CARGO_BIN_EXE_tesuji-amazons");
    for (program, args) in [
        (GO, vec!["completions", "bash"]),
        (GO, vec!["man"]),
        (GO, vec!["match", "report", path.to_str().unwrap()]),
        (amazons, vec!["perft", "1", "--position", "4"]),
    ] {
        let done = Command::new(program).args(&args).stdout(closed()).output().unwrap();
        let told = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success() && told.is_empty(), "{args:?}: {:?} {told}", done.status);
    }
}
