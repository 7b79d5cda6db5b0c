//! `tesuji-amazons` over real pipes: sessions, files, clocks, and the tools beside the session.

use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::bodies;
use crate::common::{Program, run_program};

const PROGRAM: &str = env!("CARGO_BIN_EXE_tesuji-amazons");
const QUICK: [&str; 6] = ["--visits", "20", "--threads", "1", "--max-memory", "32"];

/// The answers of a session, without their empty lines.
fn session(input: &str) -> Vec<String> {
    let (output, code) = run_program(PROGRAM, &QUICK, input.as_bytes());
    assert_eq!(code, Some(0), "{output}");
    output.split("\n\n").filter(|a| !a.is_empty()).map(str::to_owned).collect()
}

#[test]
fn regression_moves_repeat() {
    let input = "reg_genmove w\nplay w d1-d7/g7\nreg_genmove b\n";
    assert_eq!(session(input), session(input));
}

#[test]
fn a_game_against_itself_ends() {
    let mut program = Program::start_other(PROGRAM, &QUICK);
    program.ok("boardsize 5");
    let mut turns = 0;
    for color in ["w", "b"].iter().cycle() {
        let form = ["points", "turns", "algebraic"][turns % 3];
        program.ok(&format!("tesuji-param genmove_form {form}"));
        let first = program.ok(&format!("genmove {color}"));
        if first == "pass" {
            break;
        }
        if form == "points" {
            program.ok(&format!("genmove {color}"));
            program.ok(&format!("genmove {color}"));
        }
        turns += 1;
    }
    let result = program.ok("final_score");
    assert!(turns > 4 && (result == "B+1" || result == "W+1"), "{turns} {result}");
    assert_eq!(program.ok("gogui-rules_legal_moves"), "");
}

#[test]
fn time_is_kept() {
    let mut program = Program::start_other(PROGRAM, &["--threads", "2", "--max-memory", "64"]);
    program.ok("time_settings 0 1 1");
    program.ok("tesuji-param genmove_form turns");
    for color in ["w", "b", "w"] {
        program.ok(&format!("time_left {color} 1 1"));
        let begun = Instant::now();
        program.ok(&format!("genmove {color}"));
        assert!(begun.elapsed() < Duration::from_millis(1500), "{:?}", begun.elapsed());
    }
    // Hardly any time left: an answer at once.
    program.ok("time_settings 1 0 0");
    program.ok("time_left b 0 0");
    let begun = Instant::now();
    program.ok("genmove b");
    assert!(begun.elapsed() < Duration::from_millis(700), "{:?}", begun.elapsed());
}

#[test]
fn analysis_goes_on_until_anything_comes() {
    let mut program = Program::start_other(PROGRAM, &["--threads", "1", "--max-memory", "64"]);
    for command in ["lz-analyze w 2", "kata-analyze 2 b rootInfo true", "lz-analyze"] {
        program.write(format!("{command}\n"));
        assert_eq!(program.line(), "= ");
        let line = program.line();
        assert!(line.starts_with("info move ") && line.contains(" pv "), "{line}");
        program.write("name\n");
        while !program.line().is_empty() {}
        assert_eq!(program.answer(), "= Tesuji Amazons");
    }
    program.write("kata-analyze b 1\n8 quit\n");
    let mut last = String::new();
    while let Some(line) = program.line_within(Duration::from_secs(20)) {
        if line == "=8 " {
            last = line;
        }
    }
    assert_eq!(last, "=8 ");
    assert_eq!(program.wait(), Some(0));
}

#[test]
fn an_interrupt_brings_the_move() {
    let mut program = Program::start_other(PROGRAM, &["--threads", "1", "--visits", "100000000"]);
    program.write("genmove w\n# interrupt\n");
    assert!(program.answer().starts_with("= "));
}

#[test]
fn noise_is_survived() {
    const WORDS: &str = "boardsize clear_board komi play genmove undo gg-undo showboard time_settings time_left \
        final_score final_status_list lz-analyze kata-analyze lz-genmove_analyze gogui-setup gogui-setup_player \
        gogui-play_sequence reg_genmove known_command amazons-position amazons-burn amazons-territory \
        amazons-regions amazons-evaluate tesuji-best_moves tesuji-principal_variation gogui-rules_legal_moves \
        gogui-rules_board gogui-rules_board_gfx b w black WHITE pass A1 B1 B3 C3 d4 e5 K10 b1-b3/d3 \
        X..|.*.|..O 0 1 4 5 9 -1 1e9 dead alive true";
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut below = |n: usize| random.random_range(0..n);
    for _ in 0..3 {
        let mut input: Vec<u8> = b"boardsize 5\n".to_vec();
        for _ in 0..400 {
            if below(6) == 0 {
                let bytes: Vec<u8> = (0..below(60)).map(|_| below(256) as u8).collect();
                input.extend(bytes);
            } else {
                for _ in 0..1 + below(5) {
                    input.extend(words[below(words.len())].as_bytes());
                    input.push(b" \t "[below(3)]);
                }
            }
            input.push(b'\n');
        }
        let args = ["--visits", "2", "--threads", "1", "--max-memory", "32"];
        let (output, code) = run_program(PROGRAM, &args, &input);
        assert_eq!(code, Some(0));
        bodies::check_answers(output.as_bytes(), bodies::answers_to(&input));
    }
}

#[test]
fn records_are_saved_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my game 2.sgf");
    let name = path.to_str().unwrap();
    let mut program = Program::start_other(PROGRAM, &QUICK);
    program.ok("play w d1-d7/g7");
    program.ok("play b a7-b7/b8");
    program.ok("play w g1");
    let board = program.ok("showboard");
    program.ok(&format!("savesgf {name}"));
    program.ok("clear_board");
    program.ok(&format!("loadsgf {name}"));
    program.ok("play w g1");
    assert_eq!(program.ok("showboard"), board);
    program.ok(&format!("loadsgf {name} 2"));
    assert_eq!(program.ok("gogui-rules_side_to_move"), "black");
    program.ok("undo");
    assert_eq!(program.ask("undo"), "? cannot undo");
    for bad in ["", "nothing", "(;GM[1];W[d1-d7/g7])", "(;GM[18];W[d1-d7/g8])", "(;GM[18]SZ[7])"] {
        std::fs::write(&path, bad).unwrap();
        assert_eq!(program.ask(&format!("loadsgf {name}")), "? cannot load file", "{bad}");
    }
    assert_eq!(program.ask("savesgf"), "? syntax error");
    assert!(program.ask("savesgf /no/such/folder/x.sgf").starts_with("? cannot save file: "));
}

#[test]
fn perft_solve_and_bench_answer() {
    let (text, code) = run_program(PROGRAM, &["perft", "2", "--position", "5"], b"");
    assert_eq!(code, Some(0));
    let counts: Vec<&str> = text.lines().filter_map(|row| row.split(' ').nth(1)).collect();
    assert_eq!(counts, ["1", "260", "50422"]);
    let (text, code) = run_program(PROGRAM, &["solve", "--position", "4", "--json"], b"");
    assert_eq!(code, Some(0));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&value["side"], &value["verdict"]), (&"white".into(), &"loss".into()));
    let (text, code) =
        run_program(PROGRAM, &["solve", "--position", "X..|...|..O", "--to-move", "black"], b"");
    assert!(text.starts_with("Black ") && code == Some(0), "{text}");
    assert_eq!(run_program(PROGRAM, &["solve", "/none"], b"").1, Some(1));
    assert_eq!(run_program(PROGRAM, &["--boardsize", "7"], b"").1, Some(1));
    let bench = ["bench", "--visits", "20", "--evaluations", "1000", "--turns", "20"];
    let signature = || {
        let (text, code) = run_program(PROGRAM, &bench, b"");
        assert_eq!(code, Some(0));
        text.lines().last().map(str::to_owned)
    };
    assert!(signature().is_some_and(|row| row.starts_with("signature ")));
    assert_eq!(signature(), signature());
}

#[test]
fn self_play_goes_on_where_it_was_stopped_and_weights_are_learned_from_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (one, two, weights) = (path("one.tsv"), path("two.tsv"), path("weights.txt"));
    let play = |file: &str, games: &str| {
        let args = [
            "selfplay",
            "--output",
            file,
            "--games",
            games,
            "--seed",
            "8",
            "--visits",
            "2",
            "--threads",
            "1",
        ];
        assert_eq!(run_program(PROGRAM, &args, b"").1, Some(0));
        std::fs::read_to_string(file).unwrap()
    };
    let whole = play(&one, "3");
    play(&two, "1");
    // A line that was cut short is played again.
    let cut = &whole[..whole.len() - 40];
    std::fs::write(&two, cut).unwrap();
    assert_eq!(play(&two, "3"), whole);
    let samples = path("samples.csv");
    let args = ["samples", "--games", &one, "--output", &samples];
    assert_eq!(run_program(PROGRAM, &args, b"").1, Some(0));
    let table = std::fs::read_to_string(&samples).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().map(|row| row.split(',').collect()).collect();
    assert!(rows.iter().all(|row| row.len() == 10), "{table}");
    assert_eq!((rows[1][0], rows[1][4], rows[1][3].len()), ("validation", "Amazon", 100));
    assert!(rows.iter().any(|row| row[0] == "train"));
    // The arrow is shot on the board after the queen's move.
    let (to, arrow): (usize, usize) = (rows[1][6].parse().unwrap(), rows[2][7].parse().unwrap());
    assert_eq!((&rows[2][3][to..=to], &rows[2][3][arrow..=arrow]), ("3", "1"));
    let fit = ["train-weights", "--games", &one, "--output", &weights, "--passes", "2"];
    let (text, code) = run_program(PROGRAM, &fit, b"");
    assert!(code == Some(0) && text.contains("pass 2: log loss "), "{text}");
    let (output, code) =
        run_program(PROGRAM, &["--weights", &weights, "--visits", "5"], b"genmove w\n");
    assert!(code == Some(0) && output.starts_with("= "), "{output}");
    // The order in which threads have written games does not matter.
    let learned = std::fs::read(&weights).unwrap();
    let turned: Vec<&str> = whole.lines().rev().collect();
    std::fs::write(&two, turned.join("\n") + "\n").unwrap();
    let again = ["train-weights", "--games", &two, "--output", &weights, "--passes", "2"];
    assert_eq!(run_program(PROGRAM, &again, b"").1, Some(0));
    assert_eq!(std::fs::read(&weights).unwrap(), learned);
    // Without games the weights are those set by hand, to begin with.
    assert_eq!(run_program(PROGRAM, &["fit", "--output", &weights], b"").1, Some(0));
    assert_ne!(std::fs::read(&weights).unwrap(), learned);
    let first = ["selfplay", "--output", &samples, "--games", "1", "--visits", "2", "--weights"];
    let clash = [&first[..], &[&weights[..]]].concat();
    // A file that holds no games is not gone on with.
    assert_eq!(run_program(PROGRAM, &clash, b"").1, Some(1));
    std::fs::write(&two, "nonsense\n").unwrap();
    assert_eq!(
        run_program(PROGRAM, &["fit", "--games", &two, "--output", &weights], b"").1,
        Some(1)
    );
}

#[test]
fn networks_are_measured_and_bad_files_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let games = path("games.tsv");
    let play = ["selfplay", "--output", &games, "--games", "1", "--seed", "9", "--visits", "2"];
    assert_eq!(run_program(PROGRAM, &play, b"").1, Some(0));
    let evaluate = ["evaluate", "--games", &games, "--most", "20"];
    let (text, code) = run_program(PROGRAM, &evaluate, b"");
    assert!(code == Some(0) && text.lines().count() == 6, "{text}");
    // No more than were asked for, two choices a turn.
    let turns = text.strip_prefix("evaluation, ").and_then(|rest| rest.split_once(' '));
    let (turns, rest) = turns.expect("a number of turns");
    assert!((1..=10).contains(&turns.parse().unwrap_or(0)), "{text}");
    assert!(rest.starts_with("turns of the test part"), "{text}");
    // The only game is of the test part.
    let other = [&evaluate[..], &["--part", "train"]].concat();
    assert_eq!(run_program(PROGRAM, &other, b"").1, Some(1));

    // The network's own search plays other games than the search without it; what cannot be set is said.
    let (before, asked) = (std::fs::read(&games).unwrap(), path("asked.tsv"));
    let asking = |set: &str| {
        let _ = std::fs::remove_file(&asked);
        let play = ["selfplay", "--output", &asked, "--games", "1", "--seed", "9", "--visits", "2"];
        run_program(PROGRAM, &[&play[..], &["--set", set]].concat(), b"").1
    };
    assert_eq!(asking("network_visits=1"), Some(0));
    assert_ne!(std::fs::read(&asked).unwrap(), before);
    assert_eq!(asking("network_visits=0"), Some(0));
    assert_eq!(std::fs::read(&asked).unwrap(), before);
    assert_eq!([asking("network_visits"), asking("nothing=1")], [Some(2), Some(2)]);

    let network = concat!(env!("CARGO_MANIFEST_DIR"), "/engine/amazons/weights/resnet.net");
    let (output, code) =
        run_program(PROGRAM, &["--network", network, "--visits", "5"], b"genmove w");
    assert!(code == Some(0) && output.starts_with("= "), "{output}");
    let mut bytes = std::fs::read(network).unwrap();
    bytes[1000] ^= 1;
    std::fs::write(path("damaged.net"), &bytes).unwrap();
    std::fs::write(path("short.net"), &bytes[..500]).unwrap();
    for name in ["damaged.net", "short.net", "none.net"] {
        let file = path(name);
        assert_eq!(run_program(PROGRAM, &["--network", &file], b"").1, Some(1), "{name}");
        let args = [&evaluate[..], &["--network", &file]].concat();
        assert_eq!(run_program(PROGRAM, &args, b"").1, Some(1), "{name}");
    }
}

#[test]
fn anyone_beats_the_random_mover() {
    // The evaluation one ply ahead, without search, against any turn at all.
    for seed in ["1", "2", "3"] {
        let start = |by| {
            let args = [by, "--seed", seed, "--genmove-form", "turns", "--max-memory", "32"];
            Program::start_other(PROGRAM, &args)
        };
        let mut players = [start("--policy-only=evaluation"), start("--policy-only=random")];
        let mut side = 0;
        let loser = loop {
            let color = ["w", "b"][side];
            let turn = players[side].ok(&format!("genmove {color}"));
            if turn == "pass" {
                break side;
            }
            players[1 - side].ok(&format!("play {color} {turn}"));
            side = 1 - side;
        };
        assert_eq!(loser, 1, "seed {seed}");
    }
}
