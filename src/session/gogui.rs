//! GoGui's commands: several moves at once, setup, what it can show, and the rules of games that it does not know.

use std::collections::BTreeSet;

use game_core::Outcome;

use super::game::Game;
use super::game::board;
use super::{Session, VERSION};
use crate::gtp::{Call, Color, Commands, Failure, Reply, Vertex, join, read_vertices};

pub(super) fn register<G: Game>(commands: &mut Commands<Session<G>>) {
    commands
        .add("gogui-analyze_commands", |_, _| Ok(G::ANALYZE_COMMANDS.join("\n")))
        // GoGui says which version it is, and expects nothing.
        .add("gogui-version", |_, call| {
            tracing::debug!("GoGui's version is {:?}", call.args.rest());
            Ok(String::new())
        })
        .add("gogui-title", |_, _| Ok(format!("{} {VERSION}", G::NAME)))
        .add("gogui-play_sequence", play_sequence)
        .add("gogui-setup", setup)
        .add("gogui-setup_player", |session, call| {
            session.game.set_first_player(call.args.color()?);
            session.touch();
            Ok(String::new())
        });
}

/// Adds the commands by which GoGui lets the program referee a game whose rules it does not know.
pub fn add_rules<G: Game>(commands: &mut Commands<Session<G>>) {
    commands
        .add("gogui-rules_game_id", |session, _| Ok(session.game.id()))
        .add("gogui-rules_board", |session, _| Ok(rules_board(&session.game)))
        .add("gogui-rules_board_size", |session, _| Ok(session.game.size().0.to_string()))
        .add("gogui-rules_legal_moves", |session, _| {
            Ok(if session.is_over() { String::new() } else { join(session.game.legal()) })
        })
        .add("gogui-rules_side_to_move", |session, _| Ok(session.game.to_move().to_string()))
        .add("gogui-rules_final_result", |session, _| {
            Ok(match session.game.outcome() {
                Outcome::Win(color) => format!("{} wins", color.title()),
                Outcome::Draw => "Draw".to_owned(),
                Outcome::Open => "The game is not over".to_owned(),
            })
        });
}

/// Rows from the top, `X` Black, `O` White.
fn rules_board<G: Game>(game: &G) -> String {
    let sign = |at: board::Place| match game.stone(at.vertex) {
        Some(Color::Black) => "X",
        Some(Color::White) => "O",
        None => ".",
    };
    let rows = board::rows(game.size()).map(|row| join(row.map(sign)));
    rows.collect::<Vec<_>>().join("\n")
}

/// `gogui-play_sequence COLOUR MOVE COLOUR MOVE ...`: all of it or nothing. Moves are steps, or whole turns without
/// spaces.
fn play_sequence<G: Game>(session: &mut Session<G>, call: &mut Call) -> Reply {
    let mut game = session.game.clone();
    let (mut marks, mut heard) = (Vec::new(), session.heard);
    while !call.args.is_empty() {
        let color = call.args.color()?;
        let (steps, form) = game.read(call.args.next().ok_or_else(Failure::bad_coordinate)?)?;
        marks.push(game.mark());
        game = game.after(color, &steps)?;
        heard = form;
    }
    session.game = game;
    session.marks.extend(marks);
    session.heard = heard;
    session.touch();
    Ok(String::new())
}

/// `gogui-setup COLOUR VERTEX COLOUR VERTEX ...`: stones put on the board, played by nobody; each point once.
fn setup<G: Game>(session: &mut Session<G>, call: &mut Call) -> Reply {
    let mut stones = Vec::new();
    while !call.args.is_empty() {
        // `e` and `empty` take a stone off.
        let color = match call.args.peek() {
            Some(word) if ["e", "empty"].contains(&word.to_ascii_lowercase().as_str()) => {
                call.args.next();
                None
            }
            _ => Some(call.args.color()?),
        };
        for point in read_vertices(call.args.next().ok_or_else(Failure::bad_coordinate)?)? {
            stones.push((color, point));
        }
    }
    let points: BTreeSet<Vertex> = stones.iter().map(|&(_, point)| point).collect();
    if points.len() < stones.len() {
        return Err(Failure::new("a point is named twice"));
    }
    session.begin(session.game.set_up(&stones)?);
    Ok(String::new())
}
