//! The whole position as a JSON object, for programs that draw boards: `tesuji-position` and `tesuji-legal`.

use game_core::Outcome;
use serde_json::{Map, Value, json};

use super::Session;
use super::game::{Game, board, read_steps};
use crate::gtp::{Call, Color, Commands, Failure, Reply, Step};

pub(super) fn register<G: Game>(commands: &mut Commands<Session<G>>) {
    commands
        .add("tesuji-position", |session, _| Ok(Value::Object(object(&session.game)).to_string()))
        .add("tesuji-legal", legal);
}

/// A game's position: rows from the top, of which each point is `b`, `w`, or what the game's diagrams show there; the turns
/// that led to it; how it stands; and what is the game's own.
pub fn object<G: Game>(game: &G) -> Map<String, Value> {
    let cell = |at: board::Place| match game.stone(at.vertex) {
        Some(color) => color.letter(),
        None => game.sign(at.vertex),
    };
    let rows: Vec<String> = board::rows(game.size()).map(|row| row.map(cell).collect()).collect();
    let turns = game.history().into_iter();
    let turns: Vec<Value> = turns
        .map(|(color, steps)| json!({"color": color.letter(), "steps": words(&steps)}))
        .collect();
    let last: Vec<String> = game.last_turn().iter().map(ToString::to_string).collect();
    let (outcome, winner) = match game.outcome() {
        Outcome::Open if game.is_to_be_counted() => ("counted", None),
        Outcome::Open => ("open", None),
        Outcome::Win(color) => ("win", Some(color)),
        Outcome::Draw => ("draw", None),
    };
    let (columns, height) = game.size();
    let fields = json!({
        "size": [columns, height],
        "rows": rows,
        "last": last,
        "turns": turns,
        "toMove": game.to_move().letter(),
        "due": game.steps_due(),
        "outcome": outcome,
        "winner": winner.map(Color::letter),
    });
    let mut object = game.details();
    if let Value::Object(fields) = fields {
        object.extend(fields);
    }
    object
}

/// Steps as words.
pub fn words(steps: &[Step]) -> Vec<String> {
    steps.iter().map(Step::to_string).collect()
}

/// `tesuji-legal [STEP ...]`: the steps that can be made next after these of a turn that is being made, and how many the turn
/// still needs; none when these are the whole turn.
fn legal<G: Game>(session: &mut Session<G>, call: &mut Call) -> Reply {
    let before = &session.game;
    let color = before.to_move();
    let steps = match call.args.is_empty() {
        true => Vec::new(),
        false => read_steps(before, call.args.rest())?,
    };
    let mut game = before.clone();
    for &step in &steps {
        if game.outcome().is_over() || game.to_move() != color {
            return Err(Failure::illegal_move());
        }
        game = game.after(color, &[step])?;
    }
    let goes_on = steps.is_empty() || game.to_move() == color;
    let is_open = goes_on && !game.outcome().is_over();
    let legal = if is_open { words(&game.legal()) } else { Vec::new() };
    let due = if is_open { game.steps_due() } else { 0 };
    Ok(json!({"due": due, "legal": legal}).to_string())
}
