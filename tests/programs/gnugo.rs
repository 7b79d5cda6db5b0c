//! Beside GNU Go, an independent program: the same moves are legal, the same stones stand, and whole
//! games come to an end. Skipped, with a word, where it is not installed.

use std::process::Command;

use crate::common::Program;
use go_engine::rng::Rng;
use go_engine::{Color, Game, Move, Point, Rules};

/// GNU Go at its quickest, if it is there.
fn gnugo() -> Option<Program> {
    let places = ["gnugo", "/usr/games/gnugo"];
    let found = places.iter().find(|place| {
        Command::new(place).arg("--version").output().is_ok_and(|output| output.status.success())
    });
    if found.is_none() {
        eprintln!("skipped: gnugo is not installed");
    }
    found
        .map(|place| Program::start_other(place, &["--mode", "gtp", "--level", "1", "--seed", "1"]))
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
