//! The own engine in the runner's process: the games are those of engines that are processes, and nothing more can go wrong.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::PATIENCE;

fn play(folder: &Path, args: &[&str]) -> Output {
    run(folder, args).output().unwrap()
}

fn run(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.arg("match").args(args).current_dir(folder).stdin(Stdio::null());
    command
}

/// The moves of all records, in their order.
fn moves(folder: &Path) -> Vec<String> {
    let records = fs::read_dir(folder.join("games")).unwrap();
    let mut paths: Vec<_> = records.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let moves_of = |text: String| {
        let nodes = text.split(';').skip(2).filter_map(|node| node.split_once(']'));
        nodes.map(|(mv, _)| mv.trim_start_matches(['\n', ' ']).to_owned() + "]").collect()
    };
    paths.iter().map(|path| moves_of(fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn games_are_those_of_engines_that_are_processes() {
    let folder = tempfile::tempdir().unwrap();
    let played = |program: &str, in_process: bool| {
        let file = format!(
            "size = 7\ngames = 4\nconcurrency = 2\nopenings.random = 2\n\
             [[player]]\nname = \"a\"\ncommand = '\"{program}\" --threads 1 --network none --playouts 30'\n\
             in-process = {in_process}\n\
             [[player]]\nname = \"b\"\ncommand = '\"{program}\" --threads 1 --network none --playouts 300'\n\
             in-process = {in_process}\n"
        );
        fs::write(folder.path().join(format!("{in_process}.toml")), file).unwrap();
        let output = play(folder.path(), &[&format!("{in_process}.toml")]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{told}");
        let dir = folder.path().join(format!("{in_process}.match"));
        assert!(dir.join("logs/1/a.log").exists(), "a log as any engine has");
        moves(&dir)
    };
    let (own, processes) = (played("tesuji", true), played(env!("CARGO_BIN_EXE_tesuji"), false));
    assert_eq!(own.len(), 4);
    assert!(own.iter().all(|game| game.len() > 30), "{own:?}");
    assert_eq!(own, processes);
}

#[test]
fn what_cannot_play_so_is_named_before_a_game_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        ("command = \"gnugo --mode gtp\"", "\"gnugo\" cannot play in the runner's own process"),
        (
            "command = \"tesuji-connect6\"",
            "\"tesuji-connect6\" cannot play in the runner's own process",
        ),
        ("command = \"tesuji --playout 3\"", "unexpected argument '--playout'"),
        ("command = \"tesuji --playouts x\"", "a whole number is expected"),
        ("command = \"tesuji bench\"", "unexpected argument 'bench'"),
        ("command = \"tesuji --version\"", "--version"),
        (
            "command = \"tesuji\"\nenv = { A = \"1\" }",
            "in-process: it has the runner's environment",
        ),
        ("command = \"tesuji\"\ndir = \"x\"", "in-process: it has the runner's folder"),
    ];
    for (player, expected) in cases {
        let file = format!(
            "[[player]]\nname = \"a\"\n{player}\nin-process = true\n[[player]]\nname = \"b\"\ncommand = \"x\"\n"
        );
        fs::write(folder.path().join("m.toml"), file).unwrap();
        let output = play(folder.path(), &["m.toml"]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && told.contains(expected), "{player}: {told}");
        assert!(told.contains("player a"), "{told}");
    }
    // What cannot be known before is a start that failed.
    let output =
        play(folder.path(), &["--in-process", "-e", "tesuji --network none.bin", "-e", "tesuji"]);
    let told = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("none.bin"), "{told}");
}

#[test]
fn one_that_thinks_too_long_is_left_and_one_that_thinks_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let slow = "tesuji --threads 1 --network none --book off --playouts 2000000000";
    let common = ["--in-process", "-g", "2", "-s", "9", "-e", slow, "-e", slow];
    let begun = Instant::now();
    let options = ["--move-timeout", "0.5s", "-d", "slow"];
    play(folder.path(), &[&common[..], &options].concat());
    let told = fs::read_to_string(folder.path().join("slow/results.jsonl")).unwrap();
    assert!(told.contains("no answer to `genmove b` within 0.5 s"), "{told}");
    assert!(begun.elapsed() < PATIENCE);

    let mut child = run(folder.path(), &[&common[..], &["-d", "stopped"]].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signal.success());
    let stopped = Instant::now();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(stopped.elapsed() < Duration::from_secs(10), "{:?}", stopped.elapsed());
}
