//! What clients do beside playing: overlays and live graphics in GoGui, searches that can be cancelled, CGOS' analysis.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::Program;

/// The answers and what was written to standard error of `tesuji` with these options and this input.
fn streams(args: &[&str], input: &str) -> (String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
    let done = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&done.stdout), text(&done.stderr))
}

#[test]
fn a_search_is_drawn_on_goguis_board_while_it_goes_on() {
    let args = ["--boardsize", "9", "--threads", "1", "--log", "info", "--book", "off"];
    // It is drawn every four tenths of a second; a move that stands out may take a quarter of its time only.
    let moves = "time_settings 0 9 1\ngenmove b\ntesuji-param live_gfx 1\ngenmove w\n";
    let (answers, told) = streams(&args, moves);
    assert!(!answers.contains("gogui-gfx"), "{answers}");
    let drawn: Vec<&str> = told.split("gogui-gfx:\n").skip(1).collect();
    assert!(drawn.len() >= 2, "{told}");
    for drawing in &drawn {
        let (commands, _) = drawing.split_once("\n\n").expect("an empty row ends a drawing");
        let rows: Vec<&str> = commands.lines().collect();
        assert!(rows[0].starts_with("COLOR #") && rows[1].starts_with("LABEL "), "{drawing}");
        assert!(rows.last().unwrap().starts_with("TEXT "), "{drawing}");
        assert!(!rows.iter().any(|row| row.contains("INFO")), "{drawing}");
    }
    // A search takes it off again, and the one before it was on drew nothing.
    let last = told.rfind("gogui-gfx:").map(|at| &told[at..]);
    assert!(last.is_some_and(|last| last.starts_with("gogui-gfx: CLEAR\n")), "{told}");
    let first = told.find("MALKOVICH: Black").expect("a line of the log a move");
    assert!(told.find("gogui-gfx").is_some_and(|drawing| drawing > first), "{told}");
}

#[test]
fn an_overlay_of_a_position_that_is_gone_is_not_shown() {
    let mut program = Program::quick();
    program.ok("boardsize 9");
    program.ok("genmove b");
    let black = program.ok("last_move");
    let point = black.split(' ').nth(1).unwrap();
    // What was found was found for Black: now it is White's turn.
    let shown = program.ok("tesuji-best_moves");
    assert!(shown.contains("TEXT White ") && !shown.contains(&format!(" {point}\n")), "{shown}");
    assert_eq!(program.ok("tesuji-best_moves"), shown, "it is not searched again");
    program.ok("undo");
    assert!(program.ok("tesuji-principal_variation").starts_with("VAR b "));
    // Other rules and another komi are another position.
    let found = program.ok("tesuji-best_moves");
    program.ok("komi 60.5");
    assert_ne!(program.ok("tesuji-best_moves"), found);
    for (command, start) in
        [("kata-set-rule suicide true", "TEXT"), ("kata-set-rule ko SIMPLE", "TEXT")]
    {
        program.ok(command);
        assert!(program.ok("tesuji-best_moves").contains(start));
    }
    // An analysis is about the position too, and one that leaves moves out is not shown for the whole.
    program.write("lz-analyze b 10 allow b A1 1\n");
    program.line();
    let line = program.line();
    assert!(line.starts_with("info move A1 "), "{line}");
    program.write("\n");
    program.answer();
    let shown = program.ok("tesuji-best_moves");
    assert!(shown.contains("TEXT Black ") && !shown.contains(" A1"), "{shown}");
}

#[test]
fn the_tree_is_written_to_a_file_whose_name_holds_spaces() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start_in(folder.path(), &["--playouts", "200", "--threads", "1"]);
    program.ok("boardsize 9");
    // GoGui puts such names in quotes.
    program.ok("tesuji-save_search_tree \"my tree.sgf\"");
    let written = std::fs::read(folder.path().join("my tree.sgf")).unwrap();
    let text = String::from_utf8(written).unwrap();
    assert!(text.lines().count() > 3 && text.lines().all(|row| row.len() < 200), "{text}");
    program.ok("play b E5");
    program.ok("savesgf \"my game.sgf\"");
    program.ok("clear_board");
    program.ok("loadsgf \"my game.sgf\"");
    assert_eq!(program.ok("last_move"), "black E5");
    program.ok("loadsgf \"my game.sgf\" 1");
    assert_eq!(program.ok("move_history"), "");
}

#[test]
fn a_search_is_cancelled_by_the_next_line_and_makes_no_move() {
    let mut program = Program::start(&["--playouts", "1000000000", "--threads", "2"]);
    for (command, cancelled) in [
        ("kata-search_cancellable b", "cancelled"),
        ("kata-search_analyze_cancellable b 20", "play cancelled"),
    ] {
        program.write(format!("{command}\n"));
        std::thread::sleep(Duration::from_millis(200));
        program.write("\n");
        let answer = program.answer();
        assert!(answer.ends_with(cancelled), "{command}: {answer}");
        assert_eq!(program.ok("move_history"), "");
    }
    // Without another line it is answered, and the move is not made.
    program.ok("tesuji-param playouts 50");
    for command in
        ["kata-search_cancellable b", "kata-search_analyze_cancellable b", "kata-search b"]
    {
        let answer = program.ask(command);
        let told = answer.rsplit([' ', '\n']).next().unwrap();
        assert!(told.parse::<go_engine::Point>().is_ok(), "{command}: {answer}");
        assert_eq!(program.ok("move_history"), "");
    }
}

#[test]
fn cgos_is_told_of_a_move_in_one_line_of_json() {
    let mut program = Program::quick();
    program.ok("boardsize 9");
    program.ok("play b E5");
    let answer = program.ask("cgos-genmove_analyze w");
    let rows: Vec<&str> = answer.lines().collect();
    assert_eq!((rows.len(), rows[0]), (3, "= "), "{answer}");
    assert!(rows[1].len() < 60_000);
    let told: serde_json::Value = serde_json::from_str(rows[1]).unwrap();
    let between = |value: &serde_json::Value, range: std::ops::RangeInclusive<f64>| {
        value.as_f64().is_some_and(|number| range.contains(&number))
    };
    assert!(
        between(&told["winrate"], 0.0..=1.0) && between(&told["score"], -81.0..=81.0),
        "{told}"
    );
    assert!(told["visits"].is_u64() && told["comment"].is_string());
    let owners = told["ownership"].as_str().unwrap();
    assert!(owners.len() == 81 && owners.chars().all(|c| c.is_ascii_alphanumeric() || c == '+'));
    let moves = told["moves"].as_array().unwrap();
    assert!((1..=20).contains(&moves.len()));
    for found in moves {
        assert!(between(&found["winrate"], 0.0..=1.0) && between(&found["prior"], 0.0..=1.0));
        let mv = found["move"].as_str().unwrap();
        assert_ne!(found["pv"].as_str().unwrap().split(' ').next(), Some(mv));
    }
    let played = rows[2].strip_prefix("play ").unwrap();
    assert_eq!(program.ok("last_move"), format!("white {played}"));
}

#[test]
fn what_was_played_last_names_the_program_in_records() {
    let mut program = Program::quick();
    program.ok("boardsize 9");
    program.ok("cgos-opponent_name Somebody");
    program.ok("genmove b");
    program.ok("play w A9");
    // Looking at White's moves does not make the program White.
    program.ok("top_moves_white");
    let record = program.ok("printsgf");
    assert!(record.contains("PB[Tesuji]") && record.contains("PW[Somebody]"), "{record}");
}
