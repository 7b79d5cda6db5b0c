//! `tesuji network` on the real binary: what is in a file, what it says of a position, and what is refused.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::common::Program;
use go_network::sample;
use test_support::shared;

fn tesuji(args: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.arg("network").args(args).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const GAME: &str = "(;GM[1]SZ[9]KM[7]RU[Japanese];B[ee];W[ge];B[gc];W[])";

#[test]
fn a_file_is_described_and_measured() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("sample.bin.gz"), sample::network(15, 1).write_gzip()).unwrap();
    fs::write(folder.path().join("sample.bin"), sample::network(8, 1).write()).unwrap();
    let done = tesuji(&["sample.bin.gz", "--seconds", "0.001"], folder.path());
    let told = text(&done.stdout);
    assert!(done.status.success(), "{}", text(&done.stderr));
    for expected in [
        "name        sample-15-1\n",
        "version     15\n",
        "blocks      3 blocks of 20 channels\n",
        "of these    2 ordinary, 2 with global pooling, 1 nested (with the blocks in others)\n",
        "of 36 positions",
        "\n19x19         4",
        "\nVisits a second in new searches",
    ] {
        assert!(told.contains(expected), "no {expected:?} in\n{told}");
    }
    let only = tesuji(&["sample.bin", "--numbers", "float", "--seconds", "0.001"], folder.path());
    let told = text(&only.stdout);
    assert!(told.contains("computed in floats, ") && !told.contains("whole numbers"), "{told}");
}

#[test]
fn the_network_inside_judges_a_position() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("game.sgf"), GAME).unwrap();
    let done = tesuji(&["built-in", "--sgf", "game.sgf"], folder.path());
    let told = text(&done.stdout);
    assert!(told.starts_with("Black to play after move 4"), "{}", text(&done.stderr));
    assert!(told.contains("\nMoves\n"), "{told}");
}

#[test]
fn a_position_is_judged() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("sample.bin.gz"), sample::network(15, 1).write_gzip()).unwrap();
    fs::write(folder.path().join("game.sgf"), GAME).unwrap();
    let done = tesuji(&["sample.bin.gz", "--sgf", "game.sgf"], folder.path());
    let told = text(&done.stdout);
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(told.starts_with("Black to play after move 4, japanese rules, komi 7\n"), "{told}");
    assert!(told.contains("no result") && told.contains("\nMoves\n"), "{told}");
    assert_eq!(told.lines().filter(|line| line.len() == 2 + 9 * 5).count(), 9, "{told}");
    let done = tesuji(&["sample.bin.gz", "--sgf", "game.sgf", "--move", "1"], folder.path());
    assert!(text(&done.stdout).starts_with("White to play after move 1"));
    // What the record does not say is as for other commands, and moves before a setup are moves.
    fs::write(folder.path().join("late.sgf"), "(;GM[1]SZ[9];B[aa];AW[cc];W[bb])").unwrap();
    let done = tesuji(&["sample.bin.gz", "--sgf", "late.sgf", "--move", "2"], folder.path());
    assert!(text(&done.stdout).contains("chinese rules, komi 7.5\n"), "{}", text(&done.stderr));
    // A network that knows the game, where it is at hand.
    let file = "data/networks/g170-b6c96-s175395328-d26788732.bin.gz";
    let Some(file) = shared(file) else { return };
    fs::write(folder.path().join("end.sgf"), "(;GM[1]SZ[9]KM[0]AB[ee][ed][ef][dd])").unwrap();
    let done = tesuji(&[file.to_str().unwrap(), "--sgf", "end.sgf"], folder.path());
    let told = text(&done.stdout);
    let first = told.lines().find(|line| line.contains(" wins ")).unwrap();
    let chance: f32 =
        first.trim_end_matches('%').split_whitespace().last().unwrap().parse().unwrap();
    assert!(told.starts_with("Black") && chance > 95.0, "{told}");
}

#[test]
fn what_cannot_be_used_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let good = sample::network(15, 1).write_gzip();
    fs::write(folder.path().join("cut.bin.gz"), &good[..good.len() / 2]).unwrap();
    fs::write(folder.path().join("good.bin.gz"), &good).unwrap();
    fs::write(folder.path().join("game.sgf"), GAME).unwrap();
    fs::write(folder.path().join("large.sgf"), "(;GM[1]SZ[21];B[aa])").unwrap();
    for (args, why) in [
        (&["none.bin.gz"][..], "cannot use none.bin.gz: cannot read none.bin.gz"),
        (&["game.sgf"][..], "cannot use game.sgf: the header: this is no network file of KataGo's"),
        (&["cut.bin.gz"][..], "cannot use cut.bin.gz: the trunk, block "),
        (&["."][..], "cannot use ."),
        (&["good.bin.gz", "--sgf", "none.sgf"][..], "cannot read none.sgf"),
        (&["good.bin.gz", "--sgf", "game.sgf", "--move", "9"][..], "game.sgf has 4 moves, not 9"),
        (&["good.bin.gz", "--sgf", "large.sgf"][..], "does not know boards of 21x21"),
    ] {
        let done = tesuji(args, folder.path());
        assert!(!done.status.success() && done.stdout.is_empty(), "{args:?}");
        assert!(text(&done.stderr).contains(why), "{args:?}: {}", text(&done.stderr));
    }
}

/// Moves of a game of the program with itself.
fn moves(folder: &Path, args: &[&str]) -> Vec<String> {
    let mut program = Program::start_in(folder, args);
    program.ok("boardsize 7");
    let colors = ["b", "w"].into_iter().cycle().take(10);
    colors.map(|color| program.ok(&format!("genmove {color}"))).collect()
}

#[test]
fn one_thread_and_one_seed_repeat_a_game() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("sample.bin.gz"), sample::network(15, 1).write_gzip()).unwrap();
    let args =
        |seed| ["--network", "sample.bin.gz", "--threads", "1", "--playouts", "60", "--seed", seed];
    let first = moves(folder.path(), &args("1"));
    assert_eq!(first, moves(folder.path(), &args("1")));
    // Beyond the first moves, which the policy decides.
    let others = ["2", "3", "4"].map(|seed| moves(folder.path(), &args(seed)));
    assert!(others.iter().any(|other| *other != first), "{first:?}");
}

#[test]
fn a_clock_is_kept_with_a_network() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("sample.bin.gz"), sample::network(15, 1).write_gzip()).unwrap();
    let args = ["--network", "sample.bin.gz", "--threads", "2", "--lag", "0", "--ponder"];
    let mut program = Program::start_in(folder.path(), &args);
    program.ok("boardsize 9");
    program.ok("time_settings 0 1 1");
    for color in ["b", "w", "b"] {
        let begun = Instant::now();
        program.ok(&format!("genmove {color}"));
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    }
}

#[test]
fn a_session_does_not_begin_with_what_is_no_network() {
    let folder = tempfile::tempdir().unwrap();
    let good = sample::network(15, 1).write_gzip();
    fs::write(folder.path().join("cut.bin.gz"), &good[..good.len() / 2]).unwrap();
    let mut huge = sample::network(15, 1);
    huge.trunk.conv.weights.iter_mut().for_each(|weight| *weight *= 1e37);
    fs::write(folder.path().join("huge.bin.gz"), huge.write_gzip()).unwrap();
    for (file, why) in [
        ("none.bin.gz", "cannot use the network none.bin.gz: cannot read none.bin.gz"),
        ("cut.bin.gz", "cannot use the network cut.bin.gz: the trunk, block "),
        ("huge.bin.gz", "cannot use the network huge.bin.gz: its weights are too large"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
        let done = command.args(["--network", file]).current_dir(folder.path()).output().unwrap();
        assert!(!done.status.success() && done.stdout.is_empty(), "{file}");
        assert!(text(&done.stderr).contains(why), "{file}: {}", text(&done.stderr));
    }
}
