//! A random player of games whose turns have several steps, strict about one spelling of them.
//!
//! `scripted-engine steps GAME SPELLING SEED`, with `points`, `turns` or `algebraic` for SPELLING. It understands and gives
//! moves in that spelling alone.

use std::io::{BufRead, Write};

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use tesuji::arena::arbiter::{
    Arbiter, Game, RuleSet, Rules, Spelling, Step, parse_steps, spell_steps,
};

/// Runs the engine until `quit` or the end of its input.
pub fn run(words: &[String]) {
    let game: Game = words[0].parse().expect("a game");
    let spelling = match words[1].as_str() {
        "points" => Spelling::Points,
        "turns" => Spelling::Turns,
        "algebraic" => Spelling::Algebraic,
        other => panic!("what is {other}?"),
    };
    let mut random = Xoshiro256PlusPlus::seed_from_u64(words[2].parse().expect("a seed"));
    let mut size = 10;
    let new_game = |size| {
        Rules { game, size, komi: 0.0, rule_set: RuleSet::default() }.arbiter().expect("a board")
    };
    let mut arbiter = new_game(size);
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("a line");
        let mut words = line.split_whitespace();
        let id = words.next().expect("an id");
        let command = words.next().expect("a command");
        let arguments: Vec<&str> = words.collect();
        let answer = match command {
            "name" => Ok("Stepper".to_string()),
            "version" => Ok("1.0".to_string()),
            "list_commands" => Ok("boardsize\nclear_board\nplay\ngenmove\nquit".to_string()),
            "boardsize" => {
                size = arguments[0].parse().expect("a size");
                Ok(String::new())
            }
            "clear_board" => {
                arbiter = new_game(size);
                Ok(String::new())
            }
            "play" => play(arbiter.as_mut(), &arguments[1..].join(" "), game, size, spelling),
            "genmove" => Ok(genmove(arbiter.as_mut(), spelling, &mut random)),
            "quit" => Ok(String::new()),
            _ => Err("unknown command"),
        };
        match answer {
            Ok(text) => print!("={id} {text}\n\n"),
            Err(text) => print!("?{id} {text}\n\n"),
        }
        std::io::stdout().flush().expect("flushed");
        if command == "quit" {
            return;
        }
    }
}

fn play(
    arbiter: &mut dyn Arbiter,
    text: &str,
    game: Game,
    size: u8,
    spelling: Spelling,
) -> Result<String, &'static str> {
    let steps = parse_steps(text, game, size, spelling).ok_or("invalid color or coordinate")?;
    // Exactly what its spelling says, and nothing else.
    let due = if spelling == Spelling::Points { 1 } else { arbiter.steps_left() };
    if steps.len() != due || (spelling == Spelling::Algebraic) != text.contains('-') {
        return Err("syntax error");
    }
    for step in steps {
        arbiter.play(step).map_err(|_| "illegal move")?;
    }
    Ok(String::new())
}

fn genmove(
    arbiter: &mut dyn Arbiter,
    spelling: Spelling,
    random: &mut Xoshiro256PlusPlus,
) -> String {
    let mut steps: Vec<Step> = Vec::new();
    let needed = if spelling == Spelling::Points { 1 } else { arbiter.steps_left() };
    while steps.len() < needed && arbiter.game_over().is_none() {
        let step = *arbiter.legal().choose(random).expect("a step");
        arbiter.play(step).expect("a legal step");
        steps.push(step);
    }
    spell_steps(&steps, spelling)
}
