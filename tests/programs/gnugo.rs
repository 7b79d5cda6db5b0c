//! Beside GNU Go, an independent program: the same moves are legal, the same stones stand, and whole
//! games come to an end. Skipped, with a word, where it is not installed.

use crate::common::Program;
use go_engine::reading::attack;
use go_engine::rng::Rng;
use go_engine::{Color, Game, Move, Point, Rules};

/// GNU Go at its quickest, if it is there.
fn gnugo() -> Option<Program> {
    let program = test_support::gnugo()?;
    let args = ["--mode", "gtp", "--level", "1", "--seed", "1"];
    Some(Program::start_other(&program.to_string_lossy(), &args))
}

fn stones(game: &Game, color: Color) -> Vec<Point> {
    game.board().stones().filter(|&(_, stone)| stone == color).map(|(point, _)| point).collect()
}

#[test]
fn random_games_are_the_same_for_gnugo() {
    let Some(mut gnugo) = gnugo() else { return };
    let mut rng = Rng::new(11);
    for side in [5, 9, 13] {
        let mut game = Game::new(side, side).unwrap();
        game.set_rules(Rules::JAPANESE);
        gnugo.ok(&format!("boardsize {side}"));
        gnugo.ok("clear_board");
        for turn in 0..150 {
            let color = Color::BOTH[turn % 2];
            let legal: Vec<Point> = game.legal_points(color).collect();
            let Some(&point) = legal.get(rng.below(legal.len().max(1) as u32) as usize) else {
                break;
            };
            game.play(color, Move::Play(point)).unwrap();
            gnugo.ok(&format!("play {color} {point}"));
        }
        for color in Color::BOTH {
            let mut theirs: Vec<Point> = gnugo
                .ok(&format!("list_stones {color}"))
                .split_whitespace()
                .map(|word| word.parse().unwrap())
                .collect();
            theirs.sort();
            assert_eq!(stones(&game, color), theirs, "{side}x{side} {color}");
            // Theirs are the stones that a colour has taken.
            let taken: u32 = gnugo.ok(&format!("captures {color}")).trim().parse().unwrap();
            assert_eq!(game.captured(color.other()), taken);
        }
        let mut theirs: Vec<Point> = gnugo
            .ok("all_legal black")
            .split_whitespace()
            .filter_map(|word| word.parse().ok())
            .collect();
        theirs.sort();
        let ours: Vec<Point> = game.legal_points(Color::Black).collect();
        assert_eq!(ours, theirs, "{side}x{side}");
    }
}

/// The rows of an answer as words, without the space that GNU Go leaves at the end of some.
fn rows(answer: &str) -> Vec<String> {
    answer.trim().lines().map(|row| row.trim_end().to_owned()).collect()
}

/// What a point is named by in an answer does not matter for its form.
fn form(answer: &str) -> String {
    let vertex = regex::Regex::new(r"\b([A-HJ-T]\d+|PASS)\b").unwrap();
    let number = regex::Regex::new(r"\b\d+\.\d\d\b").unwrap();
    number.replace_all(&vertex.replace_all(answer, "X1"), "1.00").into_owned()
}

#[test]
fn questions_are_answered_as_gnugo_answers_them() {
    let Some(mut gnugo) = gnugo() else { return };
    let mut tesuji = Program::quick();
    let start = ["boardsize 9", "clear_board", "komi 6.5"];
    // A ladder that White's stone at D4 does not get out of, two stones in atari, and a handicap of a move before.
    let moves = "b C4 w D4 b D3 w G7 b E3 w J1 b C5 w J2 b H1 w A9 b J3 w B9 b A8";
    let words: Vec<&str> = moves.split(' ').collect();
    let plays: Vec<String> =
        words.chunks(2).map(|play| format!("play {} {}", play[0], play[1])).collect();
    for command in start.into_iter().chain(plays.iter().map(String::as_str)) {
        gnugo.ok(command);
        tesuji.ok(command);
    }
    // Word for word the same.
    for command in [
        "list_stones black",
        "list_stones white",
        "all_legal black",
        "all_legal white",
        "is_legal white J1",
        "is_legal white E5",
        "is_legal black pass",
        "captures black",
        "captures white",
        "countlib D4",
        "findlib D4",
        "findlib C5",
        "color D4",
        "color E5",
        "last_move",
        "move_history",
        "query_boardsize",
        "query_orientation",
        "get_handicap",
        "attack G7",
        "attack A9",
    ] {
        let (theirs, ours) = (gnugo.ok(command), tesuji.ok(command));
        assert_eq!(rows(&theirs), rows(&ours), "{command}");
    }
    // So are the refusals.
    for command in ["countlib E5", "attack E5", "defend E5", "is_legal white T19"] {
        let (theirs, ours) = (gnugo.ask(command), tesuji.ask(command));
        assert_eq!(theirs, ours, "{command}");
    }
    // The same kinds of words in the same places: a ladder may begin from either side, moves and values differ,
    // and what needs no defence may have one.
    for command in
        ["attack D4", "attack J2", "defend G7", "defend C4", "defend D4", "top_moves_black"]
    {
        let (theirs, ours) = (form(&gnugo.ok(command)), form(&tesuji.ok(command)));
        let (mut theirs, mut ours) = (theirs.split_whitespace(), ours.split_whitespace());
        assert!(theirs.by_ref().zip(ours.by_ref()).all(|(a, b)| a == b), "{command}");
    }
    // What both tell of a worm is the same, and each row of ours is one of theirs.
    for vertex in ["D4", "C4", "E3", "G7", "J1", "A9", "E5"] {
        let command = format!("worm_data {vertex}");
        let (theirs, ours) = (rows(&gnugo.ok(&command)), rows(&tesuji.ok(&command)));
        for row in ours {
            let name = row.split(' ').next().unwrap_or_default();
            let same = theirs.iter().find(|their| their.split(' ').next() == Some(name));
            let same = same.unwrap_or_else(|| panic!("{command}: no row {name} in {theirs:?}"));
            match name {
                // Their points are others: a ladder begins from either side, and an atari has two ways out.
                "attack_point" | "defense_point" => assert_eq!(form(same), form(&row), "{command}"),
                _ => assert_eq!(*same, row, "{command}"),
            }
        }
    }
    let status =
        regex::Regex::new(r"^[A-J]\d: (alive|dead|unknown|critical [A-J]\d [A-J]\d)$").unwrap();
    for program in [&mut gnugo, &mut tesuji] {
        for row in rows(&program.ok("dragon_status")) {
            assert!(status.is_match(&row), "{row}");
        }
    }
}

#[test]
fn chains_are_read_much_as_gnugo_reads_them() {
    let Some(mut gnugo) = gnugo() else { return };
    let mut rng = Rng::new(5);
    let [mut all, mut alike, mut captured, mut denied] = [0; 4];
    for _ in 0..8 {
        let mut game = Game::new(9, 9).unwrap();
        gnugo.ok("boardsize 9");
        gnugo.ok("clear_board");
        for turn in 0..40 {
            let color = Color::BOTH[turn % 2];
            let legal: Vec<Point> = game.legal_points(color).collect();
            // Mostly beside the last move, where stones touch.
            let last = game.last().and_then(|last| match last.mv {
                Move::Play(point) => Some(point),
                Move::Pass => None,
            });
            let near = |point: &&Point| {
                last.is_some_and(|last| {
                    last.col().abs_diff(point.col()) <= 2 && last.row().abs_diff(point.row()) <= 2
                })
            };
            let close: Vec<&Point> = legal.iter().filter(near).collect();
            let pick = |n: usize, rng: &mut Rng| rng.below(n as u32) as usize;
            let point = match close.len() {
                n if n > 0 && rng.below(5) > 0 => *close[pick(n, &mut rng)],
                _ => legal[pick(legal.len(), &mut rng)],
            };
            game.play(color, Move::Play(point)).unwrap();
            gnugo.ok(&format!("play {color} {point}"));
            if turn % 10 != 9 {
                continue;
            }
            let board = game.board();
            let firsts = board.stones().map(|(stone, _)| stone);
            let chains = firsts.filter(|&stone| board.chain(stone)[0] == stone);
            for stone in chains.filter(|&stone| board.liberties(stone).len() < 4) {
                let theirs = gnugo.ok(&format!("attack {stone}"));
                let is_captured = attack(board, stone).is_some();
                all += 1;
                alike += u32::from(is_captured != theirs.starts_with('0'));
                captured += u32::from(is_captured);
                denied += u32::from(is_captured && theirs.starts_with('0'));
            }
        }
    }
    eprintln!(
        "{alike} of {all} chains read alike, {captured} captured, {denied} of them not by GNU Go"
    );
    // Kos are read otherwise, and either reader misses something.
    assert!(all > 150 && captured > 30, "{all} chains, {captured} captured");
    assert!(alike * 100 >= all * 88, "{alike} of {all}");
    assert!(denied * 10 <= captured, "{denied} of {captured} captures are none to GNU Go");
}

#[test]
fn a_game_against_gnugo_comes_to_its_end() {
    let Some(mut gnugo) = gnugo() else { return };
    let mut tesuji = Program::start(&["--playouts", "100", "--threads", "1", "--seed", "2"]);
    for program in [&mut gnugo, &mut tesuji] {
        for command in ["boardsize 7", "clear_board", "komi 7.5"] {
            program.ok(command);
        }
    }
    let mut passes = 0;
    for turn in 0..200 {
        let (color, mover, other) = match turn % 2 {
            0 => ("b", &mut tesuji, &mut gnugo),
            _ => ("w", &mut gnugo, &mut tesuji),
        };
        let answer = mover.ok(&format!("genmove {color}")).to_lowercase();
        if answer == "resign" {
            return;
        }
        other.ok(&format!("play {color} {answer}"));
        passes = if answer == "pass" { passes + 1 } else { 0 };
        if passes == 2 {
            let score = tesuji.ok("final_score");
            assert!(score == "0" || score.starts_with(['B', 'W']), "{score}");
            return;
        }
    }
    panic!("the game does not end: {}", tesuji.ok("showboard"));
}
