//! Small deterministic play over the protocol: seeds repeat, searches leave no trace where they
//! must not, and no genmove ever fails.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::Program;

/// Plays some moves and gives them.
fn moves(args: &[&str], count: usize) -> Vec<String> {
    let mut program = Program::start(args);
    program.ok("boardsize 7");
    let colors = ["b", "w"];
    (0..count).map(|turn| program.ok(&format!("genmove {}", colors[turn % 2]))).collect()
}

#[test]
fn one_thread_and_one_seed_repeat_a_game() {
    let args = |seed: &'static str| ["--playouts", "200", "--threads", "1", "--seed", seed];
    let game = moves(&args("5"), 14);
    assert_eq!(moves(&args("5"), 14), game);
    assert_ne!(moves(&args("6"), 14), game, "another seed, another game");
}

#[test]
fn games_of_one_session_differ() {
    let mut program = Program::start(&["--playouts", "300", "--threads", "1", "--seed", "5"]);
    let mut games: Vec<Vec<String>> = Vec::new();
    for _ in 0..3 {
        program.ok("boardsize 9");
        let game = (0..30).map(|turn| program.ok(["genmove b", "genmove w"][turn % 2]));
        games.push(game.collect());
    }
    assert!(games[0] != games[1] && games[1] != games[2], "{games:?}");
}

#[test]
fn a_seed_given_to_a_session_repeats_a_game() {
    let mut program = Program::start(&["--playouts", "300", "--threads", "1"]);
    let mut game = |seed: &str| -> Vec<String> {
        program.ok("clear_board");
        program.ok("boardsize 9");
        program.ok(&format!("set_random_seed {seed}"));
        assert_eq!(program.ok("get_random_seed"), seed);
        (0..30).map(|turn| program.ok(["genmove b", "genmove w"][turn % 2])).collect()
    };
    let first = game("7");
    assert_ne!(game("8"), first, "another seed, another game");
    assert_eq!(game("7"), first, "whatever was played before");
}

/// White gives nine stones and is hopelessly behind by any count, but only by what the stones are worth.
#[test]
fn white_does_not_resign_for_the_handicap() {
    let args = ["--playouts", "500", "--threads", "1", "--seed", "4", "--resign", "45"];
    let mut program = Program::start(&args);
    program.ok("boardsize 9");
    program.ok("fixed_handicap 9");
    program.ok("play w D8");
    program.ok("play b D7");
    program.ok("tesuji-param handicap_komi_white 0");
    assert_ne!(program.ok("genmove w"), "resign");
    program.ok("undo");
    program.ok("tesuji-param resign_handicap 1");
    assert_eq!(program.ok("genmove w"), "resign");
}

#[test]
fn regression_moves_repeat_and_change_nothing() {
    let mut program = Program::start(&["--playouts", "300", "--threads", "1", "--seed", "3"]);
    program.ok("boardsize 9");
    program.ok("play b E5");
    let board = program.ok("showboard");
    let first = program.ok("reg_genmove w");
    assert_eq!(program.ok("reg_genmove w"), first);
    assert_eq!(program.ok("showboard"), board);
    program.ok("genmove w");
    program.ok("undo");
    assert_eq!(program.ok("reg_genmove w"), first, "whatever was searched before");
}

#[test]
fn genmove_never_fails() {
    let mut program = Program::start(&["--playouts", "20", "--threads", "1", "--seed", "1"]);
    for size in [2, 3, 4] {
        program.ok(&format!("boardsize {size}"));
        program.ok("kata-set-rules tromp-taylor");
        for turn in 0..60 {
            // Two of each colour, so that someone always moves out of turn.
            program.ok(if turn / 2 % 2 == 0 { "genmove b" } else { "genmove w" });
        }
        program.ok("final_score");
    }
    // A full board but for one point, after two passes, under rules that forbid suicide.
    program.ok("boardsize 3");
    program.ok("kata-set-rules chinese");
    program.ok("gogui-setup b A1 b A2 b A3 b B1 b B2 b B3 b C1 b C2");
    program.ok("play b pass");
    program.ok("play w pass");
    assert_eq!(program.ok("genmove w"), "C3", "it takes everything");
    program.ok("undo");
    program.ok("genmove b");
    program.ok("genmove b");
    program.ok("kgs-genmove_cleanup w");
}

#[test]
fn dead_stones_are_told_and_taken_off() {
    let mut program = Program::start(&["--playouts", "500", "--threads", "1", "--seed", "1"]);
    program.ok("boardsize 7");
    program.ok("komi 0.5");
    // Black's wall on column C, White's on D; a white stone is dead in Black's corner.
    let wall = |color: &str, column: &str| {
        (1..=7).map(|row| format!(" {color} {column}{row}")).collect::<String>()
    };
    let setup = ["b C", "w D", "w F"].map(|spec| wall(&spec[..1], &spec[2..]));
    program.ok(&format!("gogui-setup{} w A4", setup.concat()));
    assert_eq!(program.ok("final_status_list dead"), "A4");
    assert_eq!(program.ok("final_status_list seki"), "");
    assert_eq!(program.ok("final_status_list alive").lines().count(), 3);
    assert_eq!(program.ok("final_score"), "W+7.5");
    program.ok("kata-set-rules tromp-taylor");
    assert_eq!(program.ok("final_status_list dead"), "A4", "it will be taken off");
    program.ok("play w pass");
    program.ok("play b pass");
    assert_eq!(program.ok("final_status_list dead"), "", "the game is over, and it is there");
    assert_eq!(program.ok("final_score"), "W+22.5");
    program.ok("gg-undo 2");
    program.ok("kata-set-rules chinese");
    program.ok("gogui-setup_player b");
    program.ok("play w pass");
    let mut taken = false;
    for _ in 0..6 {
        program.ok("kgs-genmove_cleanup b");
        program.ok("play w pass");
        taken |= !program.ok("showboard").contains(" 4 O");
    }
    assert!(taken, "a clean-up takes the dead stone off: {}", program.ok("showboard"));
}

#[test]
fn a_clock_is_obeyed_at_its_end() {
    // On a large board, where a search that no clock ends takes at least twice as long as is allowed here, which is
    // much more than the clocks give, as the machine may be busy.
    const LIMIT: Duration = Duration::from_secs(5);
    let mut program = Program::start(&["--threads", "1"]);
    program.ok("boardsize 25");
    let mut genmove_in_time = |clock: &str, color: &str| {
        clock.split(", ").for_each(|command| drop(program.ok(command)));
        let begun = Instant::now();
        program.ok(&format!("genmove {color}"));
        let took = begun.elapsed();
        assert!(took < LIMIT, "{clock}: {took:?}");
    };
    // No time at all: a move at once.
    genmove_in_time("time_settings 0 0 0", "b");
    genmove_in_time("time_settings 100 0 0, time_left w 0 0", "w");
    genmove_in_time("kgs-time_settings byoyomi 0 0.2 1", "b");
    genmove_in_time("time_settings 0 0.3 1", "w");
}

#[test]
fn a_clock_ends_a_move_that_has_visits_left() {
    const LIMIT: Duration = Duration::from_secs(10);
    for (program, word) in [
        (env!("CARGO_BIN_EXE_tesuji"), "--playouts"),
        (env!("CARGO_BIN_EXE_tesuji-connect6"), "--visits"),
        (env!("CARGO_BIN_EXE_tesuji-amazons"), "--visits"),
    ] {
        let args = [word, "1000000000", "--threads", "1", "--max-memory", "64"];
        let mut program = Program::start_other(program, &args);
        program.ok("time_settings 0 0.5 1");
        let begun = Instant::now();
        program.ok("genmove b");
        program.ok("genmove w");
        assert!(begun.elapsed() < LIMIT, "{:?}", begun.elapsed());
    }
}

#[test]
fn no_time_is_no_reason_to_pass() {
    for size in ["9", "13", "19"] {
        let mut program = Program::start(&["--threads", "1", "--boardsize", size, "--seed", "1"]);
        program.ok("time_settings 10 0 0");
        for _ in 0..20 {
            program.ok("clear_board");
            for color in ["b", "w"] {
                program.ok(&format!("time_left {color} 0 0"));
                assert_ne!(program.ok(&format!("genmove {color}")), "pass", "{size}");
            }
        }
    }
}

#[test]
fn the_log_tells_a_line_a_move() {
    let programs = [
        // The word for what limits a search is the other programs' here, which is understood too.
        (env!("CARGO_BIN_EXE_tesuji"), "--visits", "playouts, leads by "),
        (env!("CARGO_BIN_EXE_tesuji-connect6"), "--playouts", "visits"),
        (env!("CARGO_BIN_EXE_tesuji-amazons"), "--playouts", "visits"),
    ];
    for (program, limit, found) in programs {
        let args = [limit, "40", "--threads", "1", "--max-memory", "32", "--log", "info"];
        let mut child = Command::new(program)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"genmove b\n").unwrap();
        let done = child.wait_with_output().unwrap();
        let log = String::from_utf8_lossy(&done.stderr).into_owned();
        let lines: Vec<&str> = log.lines().filter(|line| line.contains(" wins ")).collect();
        assert_eq!(lines.len(), 1, "{log}");
        // gtp2ogs sends what follows this word to the game's chat.
        assert!(lines[0].contains("MALKOVICH: Black "), "{log}");
        assert!(lines[0].contains(found) && lines[0].contains(" s, "), "{log}");
        assert!(lines[0].ends_with(" a second"), "{log}");
    }
}

#[test]
fn a_move_that_was_tried_once_does_not_decide_the_chance_of_winning() {
    for seed in ["1", "2", "3"] {
        let args = ["--playouts", "300", "--threads", "2", "--seed", seed];
        let mut program = Program::start(&args);
        program.ok("genmove b");
        let told = program.ok("gomill-explain_last_move");
        let percent = told.split("wins ").nth(1).and_then(|rest| rest.split('%').next());
        let percent: f64 = percent.and_then(|percent| percent.parse().ok()).unwrap_or(f64::NAN);
        assert!((10.0..90.0).contains(&percent), "seed {seed}: {told}");
    }
}
