//! Estimates without search, on the real binary: text, JSON, pictures, measuring and learning.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::Program;
use test_support::shared;

fn tesuji(args: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tesuji")).args(args).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Black holds the left of a 9x9 board, White the right, with one black stone caught in it.
const WALLS: &str = "(;GM[1]SZ[9]KM[6.5]PL[B]AB[da][db][dc][dd][de][df][dg][dh][di][hc]\
    AW[fa][fb][fc][fd][fe][ff][fg][fh][fi][gc][hb][hd];B[ee];W[eg])";

#[test]
fn a_record_is_estimated_in_words_for_programs_and_as_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("walls & <co>.sgf"), WALLS).unwrap();
    let file = "walls & <co>.sgf";
    for model in ["network", "tuned", "zobrist", "ryder", "chen", "thesis", "bouzy"] {
        let done = tesuji(&["estimate", file, "--model", model], folder.path());
        let told = text(&done.stdout);
        assert!(done.status.success(), "{model}: {}", text(&done.stderr));
        assert!(told.starts_with("walls & <co>.sgf, after move 2: black to play, komi 6.5"));
        assert!(told.contains(&format!("estimated by {model}")), "{told}");
        assert!(told.contains(" leads by "), "{told}");
        assert!(told.contains("black D1"), "no group of D1 in\n{told}");
    }
    // The network sees the caught stone, and White ahead by about 45 - 36 + 6.5.
    let args = ["estimate", file, "--move", "1", "--json", "--svg", "walls.svg"];
    let done = tesuji(&args, folder.path());
    assert!(done.status.success(), "{}", text(&done.stderr));
    let report: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!((&report["moves"], &report["to_play"]), (&1.into(), &"white".into()));
    assert_eq!(report["ownership"].as_array().unwrap().len(), 9);
    let caught = report["groups"]
        .as_array()
        .unwrap()
        .iter()
        .find(|group| group["stones"].as_array().unwrap().contains(&"H7".into()));
    assert!(caught.unwrap()["safety"].as_u64().unwrap() < 16, "{caught:?}");
    assert!(report["lead"].as_f64().unwrap() < 0.0, "{}", report["lead"]);
    let picture = fs::read_to_string(folder.path().join("walls.svg")).unwrap();
    assert!(picture.starts_with("<svg ") && picture.trim_end().ends_with("</svg>"));
    assert!(picture.contains("walls &amp; &lt;co&gt;.sgf") && !picture.contains("<co>"));
    // Moves are those of the record, also where stones are set up on the way.
    let late = WALLS.replace(";W[eg]", ";AW[aa];W[eg]");
    fs::write(folder.path().join("late.sgf"), late).unwrap();
    let told = text(&tesuji(&["estimate", "late.sgf"], folder.path()).stdout);
    assert!(told.starts_with("late.sgf, after move 2: black to play"), "{told}");
    // 22 were set up and one was played.
    assert_eq!(picture.matches("class=\"stone-").count(), 23);
}

/// Pairs of stones in all directions, which are all in danger.
fn scattered() -> String {
    let mut text = "(;GM[1]SZ[19]KM[7.5]".to_owned();
    for (color, offset) in [("AB", 0), ("AW", 1)] {
        text += color;
        for number in (0..72).filter(|number| number % 2 == offset) {
            let (col, row) = (1 + number % 9 * 2, 1 + number / 9 * 2);
            text += &format!("[{}{}]", char::from(b'a' + col as u8), char::from(b'a' + row as u8));
        }
    }
    text + "PL[B])"
}

#[test]
fn a_lead_is_told_with_what_it_is_made_of() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("walls.sgf"), WALLS).unwrap();
    fs::write(folder.path().join("scattered.sgf"), scattered()).unwrap();
    let handicap = "(;GM[1]SZ[9]KM[0.5]RU[aga]HA[3]AB[gc][cg][gg];W[cc];B[ee];W[eg])";
    fs::write(folder.path().join("handicap.sgf"), handicap).unwrap();
    let form = regex::Regex::new(
        r"(?m)^(Black|White) leads by ([\d.]+)\. Expected area ([\d.]+) to ([\d.]+), komi ([\d.]+)(?:, (\d+) for the handicap)?(?:, (\d+) to (White for Black|Black for White)'s extra stones)?\.$",
    )
    .unwrap();
    let territory = WALLS.replace("KM[6.5]", "KM[6.5]RU[japanese]");
    fs::write(folder.path().join("territory.sgf"), territory).unwrap();
    for file in ["walls.sgf", "scattered.sgf", "handicap.sgf", "territory.sgf"] {
        for model in ["tuned", "chen", "bouzy"] {
            let args = ["estimate", file, "--model", model, "--svg", "a.svg"];
            let told = text(&tesuji(&args, folder.path()).stdout);
            let found = form.captures(&told).unwrap_or_else(|| panic!("{file}, {model}: {told}"));
            let number =
                |at: usize| found.get(at).map_or(0.0, |m| m.as_str().parse::<f64>().unwrap());
            let to_black = found.get(8).is_some_and(|m| m.as_str().starts_with("Black"));
            let extra = if to_black { -number(7) } else { number(7) };
            assert_eq!(extra != 0.0, file == "territory.sgf", "{}", &found[0]);
            assert_eq!(number(6), if file == "handicap.sgf" { 2.0 } else { 0.0 }, "{}", &found[0]);
            let lead = number(3) - number(4) - number(5) - number(6) - extra;
            let leader = if lead > 0.0 { "Black" } else { "White" };
            assert!(&found[1] == leader && (number(2) - lead.abs()).abs() < 1e-6, "{}", &found[0]);
            // The picture says the same, and the JSON.
            let picture = fs::read_to_string(folder.path().join("a.svg")).unwrap();
            let (verdict, parts) = found[0].split_once(" E").unwrap();
            assert!(picture.contains(verdict) && picture.contains(parts), "{file}: {}", &found[0]);
            let args = ["estimate", file, "--model", model, "--json"];
            let report = tesuji(&args, folder.path()).stdout;
            let report: serde_json::Value = serde_json::from_slice(&report).unwrap();
            let value = |value: &serde_json::Value| value.as_f64().unwrap();
            let black = value(&report["black"]["expected"]) - value(&report["white"]["expected"]);
            let less = ["komi", "handicap_bonus", "extra_stones"].map(|part| value(&report[part]));
            let sum = black - less.iter().sum::<f64>();
            assert!((value(&report["lead"]) - sum).abs() < 1e-6, "{sum} in {report}");
        }
    }
}

#[test]
fn every_group_in_danger_has_a_letter() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("scattered.sgf"), scattered()).unwrap();
    let args = ["estimate", "scattered.sgf", "--svg", "a.svg", "--json"];
    let done = tesuji(&args, folder.path());
    let report: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    let groups = report["groups"].as_array().unwrap();
    let letters: Vec<&str> = groups.iter().filter_map(|group| group["letter"].as_str()).collect();
    assert!(letters.len() > 26, "only {} groups are in danger", letters.len());
    assert_eq!(letters[..2], ["A", "B"]);
    assert_eq!(letters[26], "AA");
    for group in groups {
        let in_danger = (8..52).contains(&group["safety"].as_u64().unwrap());
        assert_eq!(in_danger, group["letter"].is_string(), "{group}");
    }
    // Each has its row below the board, and its letter on it.
    let picture = fs::read_to_string(folder.path().join("a.svg")).unwrap();
    for letter in letters {
        assert_eq!(picture.matches(&format!(">{letter}  ")).count(), 1, "{letter}");
        assert!(picture.contains(&format!(">{letter}<")), "{letter}");
    }
}

#[test]
fn what_cannot_be_estimated_is_said() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("walls.sgf"), WALLS).unwrap();
    fs::write(folder.path().join("notes.txt"), "no record").unwrap();
    for (args, why) in [
        (&["none.sgf"][..], "cannot read none.sgf"),
        (&["notes.txt"][..], "notes.txt: game 1, line 1, byte 0: no game found"),
        (&["walls.sgf", "--move", "3"][..], "walls.sgf has 2 moves, not 3"),
        (&["walls.sgf", "--model", "none"][..], "zobrist"),
        (&["walls.sgf", "--model", "chen", "--constant", "edge"][..], "'edge' is not NAME=NUMBER"),
        (&["walls.sgf", "--model", "chen", "--constant", "edge=9999"][..], "edge takes 0 to 400"),
        (&["walls.sgf", "--constant", "edge=100"][..], "network has no constants"),
        (&["walls.sgf", "--tuned", "notes.txt"][..], "not a TSJ-INFL file"),
        (&["walls.sgf", "--svg", "none/a.svg"][..], "cannot write none/a.svg"),
        (&["--evaluate", "nowhere"][..], "nowhere does not exist"),
        (&["walls.sgf", "--search", "3"][..], "cannot be used with '--search <N>'"),
        (&["--search", "3", "--fit", "."][..], "cannot be used with"),
        (&["--evaluate", ".", "--playouts", "3"][..], "--search <N>"),
    ] {
        let done = tesuji(&[&["estimate"], args].concat(), folder.path());
        assert!(!done.status.success(), "{args:?}");
        assert!(text(&done.stderr).contains(why), "{args:?}: {}", text(&done.stderr));
    }
    let done = tesuji(&["judge", "--constants-help"], folder.path());
    assert!(text(&done.stdout).contains("fade = 500"), "{}", text(&done.stdout));
}

#[test]
fn scores_are_estimated_and_positions_shown_over_gtp() {
    let mut program = Program::quick();
    program.ok("boardsize 9");
    program.ok("komi 6.5");
    let plays = "gogui-setup b D1 b D2 b D3 b D4 b D5 b D6 b D7 b D8 b D9 w F1 w F2 w F3 w F4 w F5 \
        w F6 w F7 w F8 w F9";
    program.ok(plays);
    let estimate = program.ok("estimate_score");
    let form = regex::Regex::new(
        r"^(0|[BW]\+\d+(\.\d)?) \(upper bound: -?\d+(\.\d)?, lower: -?\d+(\.\d)?\)$",
    );
    assert!(form.unwrap().is_match(&estimate), "{estimate}");
    assert!(estimate.starts_with("W+"), "{estimate}");
    for model in ["", " tuned", " zobrist", " ryder", " chen", " thesis", " bouzy"] {
        let rows = program.ok(&format!("tesuji-influence{model}"));
        assert_eq!(rows.lines().count(), 9, "{model}");
        let numbers = rows.split_whitespace().map(|number| number.parse::<f64>().unwrap());
        assert!(numbers.clone().all(|number| number.abs() <= 1.0));
        assert_eq!(numbers.count(), 81);
    }
    assert!(program.ok("tesuji-territory black").contains("B5"));
    assert!(program.ok("tesuji-territory w chen").contains("H5"));
    assert!(program.ok("tesuji-groups").contains("TEXT White leads by"));
    assert!(program.ok("tesuji-judge").contains("safety from 0 (dead) to 64 (alive)"));
    assert!(program.ask("tesuji-influence none").starts_with("? 'none' is none of"));
    assert!(program.ask("tesuji-territory").starts_with("? "));
    let commands = program.ok("gogui-analyze_commands");
    assert!(commands.contains("dboard/Influence (Chen)/tesuji-influence chen"), "{commands}");
    // An analysis tells what it knows before the search does.
    program.write("kata-analyze b 1 ownership true\n");
    let line = std::iter::repeat_with(|| program.line()).find(|line| line.contains("ownership"));
    let owned: Vec<f64> = line
        .unwrap()
        .split("ownership ")
        .nth(1)
        .unwrap()
        .split_whitespace()
        .map_while(|number| number.parse().ok())
        .collect();
    assert_eq!(owned.len(), 81);
    // The estimate alone says 0.8, and so do playouts; how they are mixed in the first line depends on the machine.
    assert!(owned[0] > 0.5 && owned[8] < -0.5, "{owned:?}");
    program.write("\n");
}

#[test]
fn the_model_is_learned_anew_and_measured() {
    let Some(games) = shared("data/go19/pro/pro-030.sgf") else { return };
    let games = games.to_str().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let learn =
        |out| tesuji(&["judge", "--tune", games, "--games", "8", "--out", out], folder.path());
    let done = learn("a.bin");
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(text(&done.stdout).contains(" numbers, "), "{}", text(&done.stdout));
    let args = ["train", "influence", games, "--games", "8", "--out", "b.bin"];
    assert!(tesuji(&args, folder.path()).status.success());
    let [a, b] = ["a.bin", "b.bin"].map(|name| fs::read(folder.path().join(name)).unwrap());
    assert_eq!(a, b, "the same games and seed learn the same");
    let args = [
        "estimate",
        "--evaluate",
        games,
        "--games",
        "6",
        "--part",
        "all",
        "--search",
        "1",
        "--playouts",
        "20",
        "--tuned",
        "a.bin",
    ];
    let done = tesuji(&args, folder.path());
    let told = text(&done.stdout);
    assert!(done.status.success(), "{}", text(&done.stderr));
    for row in ["points called right", "bouzy", "chen fitted", "tuned", "nothing", "search 20"] {
        assert!(told.contains(row), "no {row} in\n{told}");
    }
}
