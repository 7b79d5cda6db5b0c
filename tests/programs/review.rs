//! `tesuji review` on the real binary: mistakes are found, records stay what they were, and what was stopped goes on.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Instant;

use game_record::{Games, Record, Tree};
use go_network::sample;
use serde_json::Value;

use crate::common::PATIENCE;

fn tesuji(args: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.arg("review").args(args).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn review(args: &[&str], folder: &Path) {
    let done = tesuji(args, folder);
    assert!(done.status.success(), "{args:?}: {}", text(&done.stderr));
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// Five stones of Black's in atari, and whoever has H5 wins everything. Black does not take it.
const BLUNDER: &str = "(;GM[1]SZ[9]KM[7]RU[Chinese]PB[Small]PW[Large]GN[kept]
AB[ce][de][ee][fe][ge][cc][dc][ec][fc][gc][cg][dg][eg][fg][gg]AW[cd][dd][ed][fd][gd][cf][df][ef][ff][gf][be]PL[B]
;B[ai]C[a comment \\] of old];W[he](;B[hd];W[hf])(;B[hf]N[the other way]))";

/// A game on 9x9 of so many moves that both sides could make.
fn game(moves: usize) -> String {
    let mut sgf = String::from("(;GM[1]SZ[9]KM[7]RU[Chinese]");
    for at in 0..moves {
        // Rows of every other line from the middle: no stone is ever captured in so few moves.
        let (row, col) = (at / 9, (at * 4) % 9);
        let letter = |n: usize| (b'a' + n as u8) as char;
        sgf += &format!(";{}[{}{}]", ["B", "W"][at % 2], letter(col), letter(2 * row));
    }
    sgf + ")"
}

#[test]
fn a_huge_blunder_is_found_and_told_in_every_report() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("g.sgf"), BLUNDER).unwrap();
    review(&["g.sgf", "--playouts", "300"], folder.path());
    let out = folder.path().join("review");
    let told = json(&out.join("g.json"));
    let first = &told["moves"][0]["assessment"];
    assert_eq!(first["grade"], "blunder", "{first}");
    assert_eq!(first["better"]["move"], "H5", "{first}");
    assert!(first["loss"].as_f64().unwrap() > 15.0, "{first}");
    assert_eq!(told["moves"][1]["assessment"]["best"], true, "{}", told["moves"][1]);
    assert_eq!(told["finished"], true);
    // The black player's summary says so too.
    assert_eq!(told["players"][0]["summary"]["all"]["mistakes"][2], 1);

    let sgf = fs::read_to_string(out.join("g.sgf")).unwrap();
    let game = Games::new(sgf.as_bytes()).next().unwrap().unwrap();
    let tree = Tree::parse(&game).unwrap();
    let children: Vec<_> = tree.node(Tree::ROOT).children().map(|id| tree.node(id)).collect();
    let [played, better] = children[..] else { panic!("{sgf}") };
    assert_eq!((played.value("B"), played.value("BM")), (Some("ai"), Some("2")));
    assert!(played.text("C").unwrap().starts_with("a comment ] of old\n\nBlack wins"), "{sgf}");
    assert_eq!(better.value("B"), Some("he"));
    assert!(better.value("V").unwrap().parse::<f64>().unwrap() > 15.0, "{sgf}");
    assert!(sgf.contains("(;B[hf]N[the other way])"), "{sgf}");
    let read = |text: &str| Record::read(&Games::new(text.as_bytes()).next().unwrap().unwrap());
    assert_eq!(read(&sgf).unwrap(), read(BLUNDER).unwrap());

    let page = fs::read_to_string(out.join("g.html")).unwrap();
    for part in ["Small – Large", "id=\"move-1\"", "<svg", "blunder", "By phase", "Accuracy"] {
        assert!(page.contains(part), "no {part} in the page");
    }
    assert!(!page.contains("http") || page.contains("www.w3.org"), "outside resources");
    let table = fs::read_to_string(out.join("g.csv")).unwrap();
    assert_eq!(table.lines().count(), 5);
    assert!(table.lines().nth(1).unwrap().starts_with("g.sgf,1,Small,Large,1,black,A1,opening,"));
    assert!(!out.join("g.progress").exists());
}

#[test]
fn records_of_one_name_keep_their_own_reviews() {
    let folder = tempfile::tempdir().unwrap();
    for (inside, moves) in [("a", game(2)), ("b", game(3).replace(";B[aa]", ";B[ii]"))] {
        fs::create_dir(folder.path().join(inside)).unwrap();
        fs::write(folder.path().join(inside).join("g.sgf"), moves).unwrap();
    }
    // The last two find what is there already.
    for record in ["a/g.sgf", "b/g.sgf", "b/g.sgf", "a/g.sgf"] {
        review(&[record, "--playouts", "2", "--network", "none"], folder.path());
    }
    let out = folder.path().join("review");
    let first = |name: &str| json(&out.join(name))["moves"][0]["move"].clone();
    assert_eq!([first("g.json"), first("g-2.json")], ["A9", "J1"]);
    assert_eq!(files(&out).len(), 8);
}

/// The files of a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    files
        .map(|file| (text(file.file_name().as_encoded_bytes()), fs::read(file.path()).unwrap()))
        .collect()
}

/// Presses Ctrl-C as soon as a review has kept something, and tells what it ended with.
fn stopped_once_there_is(progress: &Path, mut child: Child) -> Option<i32> {
    let begun = Instant::now();
    while !progress.exists() {
        assert!(begun.elapsed() < PATIENCE, "nothing is kept");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signal.success());
    child.wait().unwrap().code()
}

#[test]
fn what_was_stopped_goes_on_and_comes_out_the_same() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("g.sgf"), game(24)).unwrap();
    let args = ["g.sgf", "--playouts", "400", "--seed", "7"];
    review(&[&args[..], &["--out", "whole", "--positions", "1"]].concat(), folder.path());

    let parts = [&args[..], &["--out", "parts", "--positions", "2"]].concat();
    let child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .arg("review")
        .args(&parts)
        .current_dir(folder.path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let progress = folder.path().join("parts/g.progress");
    assert_eq!(stopped_once_there_is(&progress, child), Some(130));
    assert!(progress.exists());
    let partial = json(&folder.path().join("parts/g.json"));
    assert_eq!(partial["finished"], false);
    let page = fs::read_to_string(folder.path().join("parts/g.html")).unwrap();
    assert!(page.contains("This review is not finished."));

    review(&parts, folder.path());
    let (whole, parts_of) = (folder.path().join("whole"), folder.path().join("parts"));
    assert!(files(&whole) == files(&parts_of), "stopped or not, the reports are the same");
    // Once more: nothing is left to do, and nothing is touched.
    let written = fs::metadata(parts_of.join("g.json")).unwrap().modified().unwrap();
    review(&parts, folder.path());
    assert_eq!(fs::metadata(parts_of.join("g.json")).unwrap().modified().unwrap(), written);
    // Another depth is another review.
    review(&["g.sgf", "--playouts", "20", "--seed", "7", "--out", "parts"], folder.path());
    assert_eq!(json(&parts_of.join("g.json"))["playouts"], 20);
}

#[test]
fn the_page_of_all_keeps_what_was_reviewed_before_a_stop() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("in")).unwrap();
    fs::write(at("in/b.sgf"), game(1)).unwrap();
    let args = ["in", "--playouts", "1000", "--network", "none"];
    review(&args, folder.path());
    fs::write(at("in/a.sgf"), game(24)).unwrap();
    let child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .arg("review")
        .args(args)
        .current_dir(folder.path())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    assert_eq!(stopped_once_there_is(&at("review/a.progress"), child), Some(130));
    let index = fs::read_to_string(at("review/index.html")).unwrap();
    assert!(index.contains("a.html") && index.contains("b.html"), "{index}");
    let table = fs::read_to_string(at("review/moves.csv")).unwrap();
    assert_eq!(table.lines().count(), 1 + 24 + 1);
}

#[test]
fn a_folder_is_reviewed_around_what_is_broken_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("in/deep")).unwrap();
    fs::write(at("in/a.sgf"), BLUNDER).unwrap();
    fs::write(at("in/cut.sgf"), "(;SZ[9];B[aa];W[b").unwrap();
    fs::write(at("in/deep/taken.sgf"), "(;SZ[9];B[aa];W[bb];B[aa])").unwrap();
    // A handicap, passes, another encoding, no komi; a board that is not square; setup in the middle.
    fs::write(
        at("in/b.sgf"),
        b"(;SZ[13]CA[GB2312]HA[2]PB[\xb0\xa2]AB[dd][jj];W[gg];B[];W[tt];B[cc])",
    )
    .unwrap();
    let more = "(;SZ[5:7]PB[<script>];B[bb];W[cc])(;SZ[9];B[ee];AW[aa]AB[ab];B[ff])";
    fs::write(at("in/deep/c.sgf"), more).unwrap();
    let done = tesuji(&["in", "--playouts", "20", "--out", "in/out"], folder.path());
    let told = text(&done.stderr);
    assert!(!done.status.success());
    for line in [
        "in/cut.sgf: game 1, line 1, byte ",
        "in/deep/taken.sgf: move 3: ",
        "4 games reviewed: see in/out/index.html",
        "2 could not be reviewed",
    ] {
        assert!(told.contains(line), "no {line:?} in:\n{told}");
    }
    let index = fs::read_to_string(at("in/out/index.html")).unwrap();
    for part in ["a.html", "b.html", "deep/c-1.html", "deep/c-2.html", "cut.sgf", "&lt;script&gt;"]
    {
        assert!(index.contains(part), "no {part} in the index");
    }
    assert!(!index.contains("<script>"));
    let table = fs::read_to_string(at("in/out/moves.csv")).unwrap();
    assert_eq!(table.lines().count(), 1 + 4 + 4 + 2 + 2);
    let told = json(&at("in/out/b.json"));
    assert_eq!((&told["komi"], &told["handicap"]), (&0.5.into(), &2.into()));
    assert_eq!(told["players"][0]["name"], "\u{963f}");
    assert_eq!(told["moves"][1]["move"], "pass");
    // Again: what lies in the folder of the reports is no game to review.
    let again = tesuji(&["in", "--playouts", "20", "--out", "in/out"], folder.path());
    assert!(text(&again.stderr).contains("4 games reviewed"), "{}", text(&again.stderr));
}

#[test]
fn rules_komi_and_time_are_said_and_errors_name_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("g.sgf"), game(12)).unwrap();
    let args = ["g.sgf", "--rules", "japanese", "--komi", "5.5", "--time", "500ms"];
    let begun = Instant::now();
    review(&args, folder.path());
    assert!(begun.elapsed() < PATIENCE);
    let told = json(&folder.path().join("review/g.json"));
    assert_eq!((&told["rules"], &told["komi"]), (&"japanese".into(), &5.5.into()));
    assert_eq!(told["finished"], true);
    assert!(told["notes"].as_array().unwrap().len() == 2);
    for (args, why) in [
        (&["none.sgf"][..], "none.sgf does not exist"),
        (&["g.sgf", "--game", "2"], "there is no game to review"),
        (&["g.sgf", "--network", "g.sgf"], "cannot use the network g.sgf"),
        (&["g.sgf", "--time", "soon"], "--time"),
        (&["g.sgf", "--out", "g.sgf/x"], "cannot make the folder g.sgf/x"),
    ] {
        let done = tesuji(args, folder.path());
        assert!(!done.status.success());
        assert!(text(&done.stderr).contains(why), "{args:?}: {}", text(&done.stderr));
    }
}

#[test]
fn a_network_reviews_too() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("n.bin.gz"), sample::network(15, 1).write_gzip()).unwrap();
    fs::write(folder.path().join("g.sgf"), game(6)).unwrap();
    review(&["g.sgf", "--playouts", "10", "--network", "n.bin.gz"], folder.path());
    let told = json(&folder.path().join("review/g.json"));
    assert_eq!(told["network"], "sample-15-1");
    assert!(told["moves"][0]["expected"]["rank"].as_u64().unwrap() > 0);
}
