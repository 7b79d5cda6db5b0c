//! Every search and every solver ends within a moment when it is told to, in all three games.
//!
//! A moment is fifty milliseconds. Under a busy machine the program may not be run at all for longer, so each question is
//! asked a few times, and once it has to be quick enough.

use std::time::{Duration, Instant};

use crate::common::Program;

/// How long the end may take, with what a busy machine adds even at its best.
const MOMENT: Duration = Duration::from_millis(150);
/// How often it is tried before it counts as too slow.
const TRIES: usize = 20;
/// How long the program is left to its work first.
const WORK: Duration = Duration::from_millis(300);

const CONNECT6: &str = env!("CARGO_BIN_EXE_tesuji-connect6");
const AMAZONS: &str = env!("CARGO_BIN_EXE_tesuji-amazons");

/// Lets each command work for a while, writes what ends it, and measures until it is over: until the answer to `name`
/// that is asked behind it where a new line is what ends it.
fn ends_soon(program: &mut Program, commands: &[&str], end: &str) {
    for command in commands {
        let mut best = Duration::MAX;
        for _ in 0..TRIES {
            program.write(format!("{command}\n"));
            std::thread::sleep(WORK);
            let begun = Instant::now();
            program.write(format!("{end}\n1000 name\n"));
            let mut rows = 0;
            loop {
                let row = program.line();
                if row.starts_with("=1000 ") {
                    break;
                }
                rows += 1;
            }
            best = best.min(begun.elapsed());
            assert!(rows > 0, "{command}: no answer");
            assert_eq!(program.line(), "");
            if best < MOMENT {
                break;
            }
        }
        assert!(best < MOMENT, "{command}: it ended after {best:?} at best");
    }
}

/// Plays a move, lets the program think on the opponent's time, and measures how soon it takes the opponent's move.
fn ponders_no_longer(program: &mut Program, genmove: &str, play: &str, undo: &str) {
    let mut best = Duration::MAX;
    for _ in 0..TRIES {
        program.ok(genmove);
        std::thread::sleep(WORK);
        let begun = Instant::now();
        program.ok(play);
        best = best.min(begun.elapsed());
        program.ok("undo");
        program.ok(undo);
        if best < MOMENT {
            return;
        }
    }
    panic!("{play}: it was answered after {best:?} at best");
}

#[test]
fn go_ends_also_while_its_tree_is_full() {
    let args =
        ["--threads", "2", "--boardsize", "9", "--max-memory", "16", "--playouts", "100000000"];
    let mut program = Program::start(&args);
    // Until the memory is full and room has to be made.
    program.write("lz-analyze b 10\n");
    std::thread::sleep(4 * WORK);
    program.write("\n");
    ends_soon(&mut program, &["lz-analyze b 10", "kata-analyze b 10 ownership true"], "");
    ends_soon(&mut program, &["reg_genmove b", "lz-genmove_analyze b 10"], "# interrupt");
    let mut program = Program::start(&["--threads", "1", "--boardsize", "25"]);
    ends_soon(&mut program, &["final_score", "final_status_list dead"], "# interrupt");
    let mut program = Program::start(&["--threads", "1", "--ponder", "--playouts", "50"]);
    ponders_no_longer(&mut program, "genmove b", "play w E5", "undo");
}

#[test]
fn nobody_ponders_about_a_game_that_is_to_be_counted() {
    let args = ["--threads", "1", "--ponder", "--network", "none", "--playouts", "50"];
    let mut program = Program::start(&[&args[..], &["--boardsize", "5"]].concat());
    program.ok("play b pass");
    assert_eq!(program.ok("genmove w"), "pass");
    let mut used = || program.ok("cputime").parse::<f64>().expect("seconds");
    let before = used();
    std::thread::sleep(Duration::from_secs(1));
    let used = used() - before;
    assert!(used < 0.1, "{used} s of a second");
}

/// A position that the threat solver does not settle in its ten seconds.
fn open_position() -> Vec<String> {
    let turns = "j10 j9k10 i8l9 l11k12 l12k11 m13h8 n13m10 l7k8 k7i10 j13i12 i13j12 h14n8";
    let vertex = |step: &str| {
        let column = step.as_bytes()[0] - b'a';
        format!("{}{}", char::from(b"ABCDEFGHJKLMNOPQRST"[usize::from(column)]), &step[1..])
    };
    let play = |(number, turn): (usize, &str)| {
        let at = turn[1..].find(|c: char| c.is_ascii_lowercase()).map_or(turn.len(), |at| at + 1);
        let (first, second) = turn.split_at(at);
        let steps = [first, second].into_iter().filter(|step| !step.is_empty()).map(vertex);
        let color = if number % 2 == 0 { "b" } else { "w" };
        format!("play {color} {}", steps.collect::<Vec<_>>().join(" "))
    };
    turns.split(' ').enumerate().map(play).collect()
}

#[test]
fn connect6_ends_also_while_it_reads_threats() {
    for alpha_beta in ["0", "1"] {
        let mut program = Program::start_other(CONNECT6, &["--threads", "2"]);
        program.ok(&format!("tesuji-param alpha_beta {alpha_beta}"));
        open_position().iter().for_each(|play| drop(program.ok(play)));
        ends_soon(&mut program, &["lz-analyze 10"], "");
        program.ok("tesuji-param playouts 100000000");
        ends_soon(&mut program, &["reg_genmove b"], "# interrupt");
        for end in ["# interrupt", ""] {
            ends_soon(&mut program, &["connect6-solve", "connect6-winning_line"], end);
        }
    }
    let mut program = Program::start_other(CONNECT6, &["--threads", "1", "--ponder"]);
    program.ok("tesuji-param playouts 20");
    open_position().iter().for_each(|play| drop(program.ok(play)));
    ponders_no_longer(&mut program, "genmove b", "play w A1 A2", "undo");
}

#[test]
fn amazons_ends_also_while_it_solves() {
    for alpha_beta in ["0", "1"] {
        // On five by five the solver is at work from the first move on, and for much longer than anybody waits.
        let mut program = Program::start_other(AMAZONS, &["--threads", "2"]);
        program.ok("boardsize 5");
        program.ok(&format!("tesuji-param alpha_beta {alpha_beta}"));
        ends_soon(&mut program, &["lz-analyze 10"], "");
        program.ok("tesuji-param playouts 100000000");
        ends_soon(&mut program, &["reg_genmove w", "amazons-solve"], "# interrupt");
        ends_soon(&mut program, &["amazons-solve"], "");
    }
    let mut program = Program::start_other(AMAZONS, &["--threads", "1", "--ponder"]);
    program.ok("boardsize 5");
    program.ok("tesuji-param playouts 20");
    program.ok("genmove w");
    let play = program.ok("gogui-rules_legal_moves");
    let play = play.split(' ').next().expect("a move");
    program.ok("undo");
    ponders_no_longer(&mut program, "genmove w", &format!("play b {play}"), "undo");
}

#[test]
fn quit_does_not_wait_for_a_solver() {
    for command in ["lz-analyze 10", "amazons-solve"] {
        let mut best = Duration::MAX;
        for _ in 0..TRIES {
            let mut program = Program::start_other(AMAZONS, &["--threads", "1"]);
            program.ok("boardsize 5");
            program.write(format!("{command}\n"));
            std::thread::sleep(WORK);
            let begun = Instant::now();
            program.write("quit\n");
            assert_eq!(program.wait(), Some(0));
            best = best.min(begun.elapsed());
            if best < MOMENT {
                break;
            }
        }
        assert!(best < MOMENT, "{command}: it ended after {best:?} at best");
    }
}

#[test]
fn a_solver_says_that_it_was_stopped() {
    let mut program = Program::start_other(AMAZONS, &["--threads", "1"]);
    program.write("amazons-solve\n");
    std::thread::sleep(WORK);
    program.write("name\n");
    let answer = program.answer();
    assert!(answer.starts_with("= not decided before it was stopped, "), "{answer}");
    assert_eq!(program.answer(), "= Tesuji Amazons");
}
