//! The program survives every input, stays in step, and ends cleanly.

use std::fs;
use std::io::Write;
use std::process::Stdio;
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::bodies;
use crate::common::{PATIENCE, Program, QUICK, run};

/// Words that commands are made of, so that noise gets past the command table. None writes files.
const WORDS: &str = "boardsize clear_board komi play genmove undo gg-undo showboard fixed_handicap \
    place_free_handicap set_free_handicap time_settings time_left final_score final_status_list \
    kata-set-rules kata-get-rules lz-analyze kata-analyze lz-genmove_analyze gogui-setup \
    gogui-setup_player gogui-play_sequence reg_genmove known_command kgs-time_settings b w black \
    WHITE pass A1 C3 d4 T19 0 1 5 9 -1 1e9 dead tromp-taylor ownership true";

#[test]
fn random_bytes_and_words_stay_in_step() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut below = |n: usize| random.random_range(0..n);
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    for _ in 0..4 {
        let mut input: Vec<u8> = Vec::new();
        for _ in 0..400 {
            if below(4) == 0 {
                let bytes = (0..below(60)).map(|_| below(256) as u8);
                input.extend(bytes.collect::<Vec<_>>());
            } else {
                for _ in 0..1 + below(6) {
                    input.extend(words[below(words.len())].as_bytes());
                    input.push(b" \t "[below(3)]);
                }
            }
            input.push(b'\n');
        }
        let args = ["--playouts", "2", "--threads", "1", "--seed", "1", "--boardsize", "5"];
        let (output, code) = run(&args, &input);
        assert_eq!(code, Some(0));
        bodies::check_answers(output.as_bytes(), bodies::answers_to(&input));
    }
}

#[test]
fn a_line_of_a_megabyte_is_one_request() {
    let mut input = vec![b'x'; 1 << 20];
    input.extend(b"\n1 play ");
    input.extend(vec![b'D'; 1 << 20]);
    input.extend(b"\n2 name # ");
    input.extend(vec![b'c'; 1 << 20]);
    input.extend(b"\n");
    input.extend(vec![b' '; 1 << 20]);
    input.extend(b"\n3 name\n");
    input.extend(vec![0; 1 << 20]);
    let (output, code) = run(&QUICK, &input);
    assert_eq!(code, Some(0));
    assert_eq!(output, "? unknown command\n\n?1 syntax error\n\n=2 Tesuji\n\n=3 Tesuji\n\n");
}

#[test]
fn a_byte_order_mark_before_the_first_line_is_passed_over() {
    let (output, code) =
        run(&QUICK, "\u{feff}1 name\n\u{feff}\n\u{feff}# words\n2 name\n".as_bytes());
    assert_eq!((output.as_str(), code), ("=1 Tesuji\n\n=2 Tesuji\n\n", Some(0)));
    let query = "\u{feff}{\"id\":\"a\",\"action\":\"query_version\"}\n";
    let (output, code) = run(&["analysis", "--network", "none"], query.as_bytes());
    assert!(output.contains("\"version\":") && code == Some(0), "{output}");
}

#[test]
fn the_end_of_the_input_ends_the_program() {
    assert_eq!(run(&QUICK, b""), (String::new(), Some(0)));
    assert_eq!(run(&QUICK, b"name"), ("= Tesuji\n\n".to_owned(), Some(0)));
    let (output, code) = run(&QUICK, b"lz-analyze b 1");
    assert!(output.starts_with("= \n") && output.ends_with("\n\n") && code == Some(0), "{output}");
    let (output, code) = run(&QUICK, b"boardsize 9\ngenmove b");
    assert!(output.starts_with("= \n\n= ") && code == Some(0), "{output}");
}

#[test]
fn quit_answers_and_ends_the_program_also_during_analysis() {
    let mut program = Program::start(&["--threads", "1"]);
    program.write("kata-analyze b 1\n");
    assert_eq!(program.line(), "= ");
    assert!(program.line().starts_with("info move "));
    program.write("7 quit\n");
    while !program.line().is_empty() {}
    assert_eq!(program.line(), "=7 ");
    assert_eq!(program.line(), "");
    assert_eq!(program.wait(), Some(0));
}

#[cfg(unix)]
#[test]
fn a_broken_pipe_ends_the_program() {
    for command in ["name\n", "lz-analyze b 1\n", "showboard\n"] {
        let (mut child, mut input, output) =
            crate::common::spawn_with_output(&QUICK, Stdio::piped());
        drop(output);
        // The input stays open: only the output is gone.
        let _ = input.write_all(command.repeat(3).as_bytes()).and_then(|()| input.flush());
        let end = std::time::Instant::now() + PATIENCE;
        let status = loop {
            match child.try_wait().unwrap() {
                Some(status) => break status,
                None if std::time::Instant::now() > end => panic!("{command:?}: still running"),
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        assert_eq!(status.code(), Some(0), "{command:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_on_a_full_disk_ends_the_program() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let (mut child, mut input, _) = crate::common::spawn_with_output(&QUICK, full.into());
    let _ = input.write_all(b"name\nname\n").and_then(|()| input.flush());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn saving_on_a_full_disk_is_a_clear_error() {
    let mut program = Program::quick();
    for command in ["savesgf /dev/full", "printsgf /dev/full", "gomill-savesgf /dev/full"] {
        let answer = program.ask(command);
        assert!(answer.starts_with("? cannot save file: No space left"), "{answer}");
    }
    assert!(program.ask("savesgf /no/such/folder/game.sgf").starts_with("? cannot save file: "));
    assert_eq!(program.ask("savesgf"), "? syntax error");
    assert_eq!(program.ask("name"), "= Tesuji");
}

#[test]
fn bad_records_are_refused_and_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a game.sgf");
    let name = path.to_str().unwrap();
    let mut program = Program::quick();
    program.ok("boardsize 7");
    program.ok("play b D4");
    let before = program.ok("showboard");
    let nested = "(;B[aa]".repeat(200_000);
    for bad in [
        "",
        "no record at all",
        "(;GM[1]SZ[19];B[aa",
        "(;SZ[19];B[zz])",
        "(;SZ[9];B[aa];W[aa])",
        "(;SZ[1];B[aa])",
        "(;SZ[26];B[aa])",
        "(;SZ[99])",
        "(;SZ[x])",
        "(;GM[40];B[a7-b6/e6])",
        "(;SZ[3]AB[aa]AW[ab][ba])",
        "(((((",
        &nested,
        "\u{0}\u{1}\u{2}",
    ] {
        fs::write(&path, bad).unwrap();
        let answer = program.ask(&format!("loadsgf {name}"));
        assert_eq!(answer, "? cannot load file", "{}", bad.chars().take(40).collect::<String>());
        assert_eq!(program.ok("showboard"), before);
    }
    // Not text at all, and text of another kind than it says.
    for bad in [&b"\xff\xfe(\0;\0"[..], b"(;CA[UTF-8]C[\xff\xff];B[aa])"] {
        fs::write(&path, bad).unwrap();
        let answer = program.ask(&format!("loadsgf {name}"));
        assert!(answer == "? cannot load file" || answer == "= ", "{answer}");
    }
}

#[test]
fn records_are_loaded_up_to_a_move_and_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my game 2.sgf");
    let name = path.to_str().unwrap();
    let mut program = Program::quick();
    let text = "(;GM[1]SZ[9]KM[5.5]RU[Japanese]HA[2]AB[cc][gg];W[ee];B[cg];W[])";
    fs::write(&path, text).unwrap();
    for (number, moves) in [("", 3), (" 1", 0), (" 2", 1), (" 3", 2), (" 99", 3), (" 0", 0)] {
        program.ok(&format!("loadsgf {name}{number}"));
        let head = program.ok("showboard");
        assert!(head.starts_with(&format!("Move {moves}, ")), "{number}: {head}");
        assert!(head.contains("japanese rules, komi 5.5"));
    }
    program.ok(&format!("loadsgf {name}"));
    let board = program.ok("showboard");
    program.ok(&format!("savesgf {name}"));
    program.ok("boardsize 19");
    program.ok(&format!("loadsgf {name}"));
    assert_eq!(program.ok("showboard"), board);
    assert_eq!(program.ask("gg-undo 4"), "? cannot undo");
    program.ok("gg-undo 3");
}
