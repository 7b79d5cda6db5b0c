//! GoGui's commands: several moves at once, setup, and what it can show.

use go_engine::{Color, Point};

use super::position::illegal_move;
use super::{Go, NAME, VERSION, display, judge, tree, words};
use crate::gtp::{Call, Commands, Failure, Reply, params};

pub(super) fn register(commands: &mut Commands<Go>) {
    commands
        .add("gogui-analyze_commands", |_, _| {
            Ok([&ANALYZE_COMMANDS[..], &judge::gogui::ANALYZE_COMMANDS].concat().join("\n"))
        })
        .add("gogui-title", |_, _| Ok(format!("{NAME} {VERSION}")))
        .add("gogui-play_sequence", play_sequence)
        .add("gogui-setup", setup)
        .add("gogui-setup_player", setup_player)
        .add("tesuji-param", |go, call| params::answer(go, &mut call.args))
        .add("tesuji-best_moves", |go, _| display::best_moves(go))
        .add("tesuji-principal_variation", |go, _| display::principal_variation(go))
        .add("tesuji-ownership", |go, _| display::ownership(go))
        .add("tesuji-likely_moves", |go, _| display::likely_moves(go))
        .add("tesuji-search_tree", tree::show)
        .add("tesuji-save_search_tree", tree::save);
}

/// What GoGui offers in its menu, in the form `type/label/command` (GoGui's documentation,
/// chapter "Analyze Commands").
const ANALYZE_COMMANDS: [&str; 15] = [
    "gfx/Best Moves/tesuji-best_moves",
    "gfx/Principal Variation/tesuji-principal_variation",
    "dboard/Ownership/tesuji-ownership",
    "gfx/Likely Moves/tesuji-likely_moves",
    "gfx/Joseki/tesuji-joseki",
    "gfx/Joseki Results/tesuji-joseki_results",
    "hstring/Explain Last Move/gomill-explain_last_move",
    "hstring/Search Tree/tesuji-search_tree",
    "none/Save Search Tree/tesuji-save_search_tree %w",
    "plist/Dead Stones/final_status_list dead",
    "plist/Stones in Seki/final_status_list seki",
    "string/Final Score/final_score",
    "string/Rules/kata-get-rules",
    "none/Set Rules/kata-set-rules %s",
    "param/Parameters/tesuji-param",
];

/// `gogui-play_sequence COLOR VERTEX COLOR VERTEX ...`: all of it or nothing.
fn play_sequence(go: &mut Go, call: &mut Call) -> Reply {
    let mut game = go.game.clone();
    while !call.args.is_empty() {
        let color = call.args.color()?;
        let mv = words::take_move(&mut call.args, &game)?;
        game.play(color, mv).map_err(|_| illegal_move())?;
    }
    go.game = game;
    go.awaiting_answer = false;
    Ok(String::new())
}

/// `gogui-setup COLOR VERTEX COLOR VERTEX ...`: stones put on the board, played by nobody.
fn setup(go: &mut Go, call: &mut Call) -> Reply {
    let mut stones: Vec<(Point, Option<Color>)> = Vec::new();
    while !call.args.is_empty() {
        // `e` and `empty` take a stone off.
        let stone = match call.args.peek() {
            Some(word) if ["e", "empty"].contains(&word.to_ascii_lowercase().as_str()) => {
                call.args.next();
                None
            }
            _ => Some(call.args.color()?),
        };
        let word = call.args.next().ok_or_else(words::bad_coordinate)?;
        let point = words::read_point(word, &go.game).ok_or_else(words::bad_coordinate)?;
        stones.push((point, stone));
    }
    go.game.set_up(stones).map_err(|error| Failure::new(error.to_string()))?;
    go.engine.new_game();
    go.awaiting_answer = false;
    Ok(String::new())
}

fn setup_player(go: &mut Go, call: &mut Call) -> Reply {
    let color = call.args.color()?;
    go.game.set_first_player(color);
    Ok(String::new())
}
