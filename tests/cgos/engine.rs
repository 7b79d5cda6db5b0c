//! A small GTP engine that plays at random, legally as servers see it, and misbehaves as it is told.
//!
//! `engine [WORD=VALUE ...]`: `seed=N`; `turns=N` own turns after which it passes; `slow=MS` for each move; `ready=FILE` before which it says nothing; `fault=crash|illegal|hang`
//! at its move `at=N`, `fault=deaf` for a crash at the opponent's move behind that; once if `once=FILE` is given.

use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::time::Duration;

use go_engine::rules::Rules;
use go_engine::{Color, Game, Move};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

pub fn run(words: &[String]) {
    let value = |key: &str| words.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
    let number = |key: &str, default: u64| {
        value(key).map_or(default, |text| text.parse().expect("a number"))
    };
    let mut random = Xoshiro256PlusPlus::seed_from_u64(number("seed", 1));
    let (turns, slow, at) = (number("turns", 12), number("slow", 0), number("at", 3));
    let [once, ready] = ["once", "ready"].map(|key| value(key).map(PathBuf::from));
    let mut game = Game::new(5, 5).expect("a board");
    let mut own = 0;
    let is_new = |file: &PathBuf| !file.exists() && std::fs::write(file, "").is_ok();
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let mut words = line.split_whitespace();
        let id = words.next().unwrap_or_default().to_owned();
        let command = words.next().unwrap_or_default();
        let args: Vec<&str> = words.collect();
        let color = || if args[0].starts_with('b') { Color::Black } else { Color::White };
        let answer = match command {
            "name" => {
                while ready.as_ref().is_some_and(|file| !file.exists()) {
                    std::thread::sleep(Duration::from_millis(10));
                }
                "Random".to_owned()
            }
            "version" => "1.0".to_owned(),
            "list_commands" => {
                "boardsize\nclear_board\nkomi\nplay\ngenmove\nlz-genmove_analyze\ntime_left\n\
                                time_settings\ncgos-gameover"
                    .to_owned()
            }
            "boardsize" => {
                let size = args[0].parse().expect("a size");
                game = Game::new(size, size).expect("a board");
                game.set_rules(Rules::CHINESE);
                String::new()
            }
            "clear_board" => {
                game.clear();
                own = 0;
                String::new()
            }
            "play" => {
                let is_deaf = value("fault") == Some("deaf") && own >= at;
                if is_deaf && once.as_ref().is_none_or(is_new) {
                    std::process::exit(7);
                }
                let mv = if args[1] == "pass" {
                    Move::Pass
                } else {
                    Move::Play(args[1].parse().expect("a point"))
                };
                game.play(color(), mv).expect("a legal move");
                String::new()
            }
            "genmove" | "lz-genmove_analyze" => {
                own += 1;
                std::thread::sleep(Duration::from_millis(slow));
                let fault = value("fault").filter(|&fault| fault != "deaf" && own == at);
                match fault.filter(|_| once.as_ref().is_none_or(is_new)) {
                    Some("crash") => std::process::exit(7),
                    Some("hang") => std::thread::sleep(Duration::from_secs(3600)),
                    Some("illegal") => {
                        let taken = game.board().stones().next().expect("a stone").0;
                        print!(
                            "={id} {}{taken}\n\n",
                            if command == "genmove" { "" } else { "\nplay " }
                        );
                        std::io::stdout().flush().expect("written");
                        continue;
                    }
                    Some(fault) => panic!("what is {fault}?"),
                    None => {}
                }
                let points: Vec<_> = game.legal_points(color()).collect();
                let mv = match points.choose(&mut random) {
                    Some(&point) if own <= turns => Move::Play(point),
                    _ => Move::Pass,
                };
                game.play(color(), mv).expect("a legal move");
                match command {
                    "genmove" => mv.to_string(),
                    _ => format!(
                        "\ninfo move {mv} visits 7 winrate 5123 prior 300 order 0 pv {mv} A1\nplay {mv}"
                    ),
                }
            }
            _ => String::new(),
        };
        print!("={id} {answer}\n\n");
        if std::io::stdout().flush().is_err() || command == "quit" {
            return;
        }
    }
}
