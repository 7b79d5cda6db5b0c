//! A Go engine that plays quick random games and misbehaves as it is told.
//!
//! `scripted-engine [good | FAULT] [WORD=VALUE ...]`: `at=N` is the genmove at which the fault shows (default 3), `turns=N` the
//! number of own turns after which it passes (default 12), `seed=N`, `file=PATH` a file that makes a fault show only once,
//! `knows=COMMAND` one more command that it lists and takes, `log=PATH` a file that every command about time is added to.

use std::fs::File;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::time::Duration;

use go_engine::score::{Statuses, result};
use go_engine::{Color, Game, Move};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

struct Engine {
    fault: String,
    at: u32,
    turns: u32,
    file: Option<PathBuf>,
    knows: Vec<String>,
    log: Option<PathBuf>,
    game: Game,
    random: Xoshiro256PlusPlus,
    genmoves: u32,
    takes_ids: bool,
}

/// Runs the engine until `quit` or the end of its input.
pub fn run(words: &[String]) {
    if words.first().is_some_and(|word| word == "steps") {
        return super::stepping_engine::run(&words[1..]);
    }
    let mut engine = Engine {
        fault: words.first().cloned().unwrap_or_else(|| "good".into()),
        at: 3,
        turns: 12,
        file: None,
        knows: Vec::new(),
        log: None,
        game: Game::new(9, 9).expect("a board"),
        random: Xoshiro256PlusPlus::seed_from_u64(1),
        genmoves: 0,
        takes_ids: true,
    };
    for word in &words[1.min(words.len())..] {
        let (key, value) = word.split_once('=').expect("WORD=VALUE");
        match key {
            "at" => engine.at = value.parse().expect("a number"),
            "turns" => engine.turns = value.parse().expect("a number"),
            "seed" => {
                engine.random = Xoshiro256PlusPlus::seed_from_u64(value.parse().expect("a number"));
            }
            "file" => engine.file = Some(value.into()),
            "knows" => engine.knows.push(value.into()),
            "log" => engine.log = Some(value.into()),
            _ => panic!("what is {key}?"),
        }
    }
    engine.takes_ids = engine.fault != "no-ids";
    if engine.fault == "crash-at-start" && engine.due() {
        eprintln!("this engine never starts");
        std::process::exit(3);
    }
    if engine.fault == "banner" {
        println!("Welcome to the scripted engine!");
    }
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        if !engine.answer(line.trim()) {
            return;
        }
    }
    if engine.fault == "slow-quit" {
        std::thread::sleep(Duration::from_secs(3600));
    }
}

impl Engine {
    /// Whether the fault is to show now: always, or once when a file remembers that it did.
    fn due(&self) -> bool {
        match &self.file {
            Some(file) if file.exists() => false,
            Some(file) => std::fs::write(file, "").is_ok(),
            None => true,
        }
    }

    /// Answers one command. False when the engine is to end.
    fn answer(&mut self, line: &str) -> bool {
        let mut words = line.split_whitespace().peekable();
        let id = match words.peek().and_then(|word| word.parse::<u32>().ok()) {
            Some(id) if self.takes_ids => words.next().map(|_| id.to_string()).unwrap_or_default(),
            _ => String::new(),
        };
        let command = words.next().unwrap_or_default().to_string();
        let arguments: Vec<&str> = words.collect();
        if command.contains("time_")
            && let Some(log) = &self.log
        {
            let mut log = File::options().create(true).append(true).open(log).expect("the log");
            writeln!(log, "{command} {}", arguments.join(" ")).expect("written");
        }
        let answer = match command.as_str() {
            "quit" if self.fault == "slow-quit" => return true,
            "name" => Ok(format!("Scripted {}", self.fault)),
            "version" => Ok("1.0".to_string()),
            "protocol_version" => Ok("2".to_string()),
            "list_commands" => Ok(format!(
                "{}\n{}",
                self.knows.join("\n"),
                "name\nversion\nprotocol_version\nlist_commands\nboardsize\nclear_board\nkomi\nplay\ngenmove\n\
                                   final_score\ntime_settings\ntime_left\nset_random_seed\nestimate\nquit"
            )),
            "boardsize" => {
                let size = arguments[0].parse().expect("a size");
                self.game = Game::new(size, size).expect("a board");
                Ok(String::new())
            }
            "clear_board" => {
                self.game.clear();
                self.genmoves = 0;
                Ok(String::new())
            }
            "komi" => {
                self.game.set_komi(arguments[0].parse().expect("a komi"));
                Ok(String::new())
            }
            "set_random_seed" => {
                self.random =
                    Xoshiro256PlusPlus::seed_from_u64(arguments[0].parse().expect("a seed"));
                Ok(String::new())
            }
            "play" if self.fault == "refuse" && self.game.moves().len() > 4 => Err("illegal move"),
            "play" => self.play(color(arguments[0]), arguments[1]),
            "genmove" => self.genmove(color(arguments[0])),
            "final_score" if self.fault == "liar" => Ok("B+1000".to_string()),
            "final_score" => Ok(result(self.game.score(&Statuses::all_alive()))),
            "estimate" => Ok("B+30.5".to_string()),
            "time_settings" | "time_left" | "quit" => Ok(String::new()),
            known if self.knows.iter().any(|word| word == known) => Ok(String::new()),
            _ => Err("unknown command"),
        };
        if self.fault == "stray" {
            println!("thinking about {command}");
        }
        match answer {
            Ok(text) => print!("={id} {text}\n\n"),
            Err(text) => print!("?{id} {text}\n\n"),
        }
        std::io::stdout().flush().is_ok() && command != "quit"
    }

    fn play(&mut self, color: Color, vertex: &str) -> Result<String, &'static str> {
        let mv = match vertex {
            "pass" => Move::Pass,
            point => Move::Play(point.parse().map_err(|_| "invalid color or coordinate")?),
        };
        self.game.play(color, mv).map_err(|_| "illegal move")?;
        Ok(String::new())
    }

    fn genmove(&mut self, color: Color) -> Result<String, &'static str> {
        self.genmoves += 1;
        if self.genmoves == self.at
            && !matches!(
                self.fault.as_str(),
                "good" | "liar" | "stray" | "banner" | "slow-quit" | "refuse" | "no-ids"
            )
            && self.due()
        {
            match self.fault.as_str() {
                "crash" => std::process::exit(7),
                "hang" => std::thread::sleep(Duration::from_secs(3600)),
                "late" => std::thread::sleep(Duration::from_millis(1500)),
                "illegal" => {
                    let taken = self.game.board().stones().next().expect("a stone").0;
                    return Ok(taken.to_string());
                }
                "garbage" => return Ok("my best move".to_string()),
                "error" => return Err("out of cheese"),
                "off-board" => return Ok("Z25".to_string()),
                "wrong-id" => print!("=999999 A1\n\n"),
                "half-answer" => {
                    print!("= A1");
                    let _ = std::io::stdout().flush();
                    std::process::exit(0);
                }
                "talk" => {
                    println!("= ");
                    loop {
                        println!("still thinking");
                        std::thread::sleep(Duration::from_millis(5));
                    }
                }
                "flood" => loop {
                    println!("la la la");
                },
                "endless-line" => loop {
                    print!("la la la");
                },
                "close" => {
                    // Everything is let go of, but the process stays.
                    let _ = std::process::Command::new("sh")
                        .arg("-c")
                        .arg("exec >&-; kill -9 $PPID")
                        .status();
                }
                "resign" => return Ok("resign".to_string()),
                fault => panic!("what is {fault}?"),
            }
        }
        if self.genmoves > self.turns {
            return Ok(self.put(color, Move::Pass));
        }
        let points: Vec<_> = self.game.legal_points(color).collect();
        let mv = points.choose(&mut self.random).map_or(Move::Pass, |&point| Move::Play(point));
        // A little noise, so that not every game of a pair is the same.
        let _: u8 = self.random.random();
        Ok(self.put(color, mv))
    }

    fn put(&mut self, color: Color, mv: Move) -> String {
        self.game.play(color, mv).expect("a legal move");
        match mv {
            Move::Pass => "pass".to_string(),
            Move::Play(point) => point.to_string(),
        }
    }
}

fn color(word: &str) -> Color {
    if word.starts_with(['b', 'B']) { Color::Black } else { Color::White }
}
