//! GoGui's commands: the rules it referees by, several moves at once, setup, and what it can show.

use amazons_engine::{Color, Game, Position, Square, Squares};

use super::position::after;
use super::words::{self, Played, bad_coordinate, illegal_move, vertices};
use super::{Amazons, NAME, VERSION};
use crate::gtp::{Call, Commands, Failure, Reply, params};

pub(super) fn register(commands: &mut Commands<Amazons>) {
    commands
        .add("gogui-rules_game_id", |_, _| Ok("Amazons".to_owned()))
        .add("gogui-rules_board", |session, _| Ok(board(&session.game)))
        .add("gogui-rules_board_size", |session, _| {
            Ok(session.game.position().size().columns().to_string())
        })
        .add("gogui-rules_board_gfx", |session, _| Ok(burnt(&session.game)))
        .add("gogui-rules_legal_moves", |session, _| Ok(vertices(session.game.steps())))
        .add("gogui-rules_side_to_move", |session, _| {
            Ok(session.game.position().to_move().to_string())
        })
        .add("gogui-rules_final_result", |session, _| Ok(result(&session.game)))
        .add("gogui-analyze_commands", |_, _| Ok(ANALYZE_COMMANDS.join("\n")))
        .add("gogui-title", |_, _| Ok(format!("{NAME} {VERSION}")))
        .add("gogui-play_sequence", play_sequence)
        .add("gogui-setup", setup)
        .add("gogui-setup_player", setup_player)
        .add("amazons-burn", burn)
        .add("tesuji-param", |session, call| params::answer(session, &mut call.args));
}

/// What GoGui offers in its menu, in the form `type/label/command` (GoGui's documentation, chapter "Analyze
/// Commands").
const ANALYZE_COMMANDS: [&str; 9] = [
    "gfx/Best Moves/tesuji-best_moves",
    "gfx/Principal Variation/tesuji-principal_variation",
    "gfx/Territory/amazons-territory",
    "gfx/Regions/amazons-regions",
    "hstring/Evaluation/amazons-evaluate",
    "hstring/Solve/amazons-solve",
    "hstring/Explain Last Move/gomill-explain_last_move",
    "string/Final Score/final_score",
    "param/Parameters/tesuji-param",
];

/// Rows from the top, `X` Black, `O` White, as in Go; arrows are drawn by [`burnt`].
fn board(game: &Game) -> String {
    let position = game.position();
    let size = position.size();
    let row = |row: u8| {
        let signs =
            (0..size.columns()).filter_map(|column| Square::new(column, row)).map(|square| {
                match position.queen_at(square) {
                    Some(Color::Black) => "X",
                    Some(Color::White) => "O",
                    None => ".",
                }
            });
        signs.collect::<Vec<_>>().join(" ")
    };
    (0..size.rows()).rev().map(row).collect::<Vec<_>>().join("\n")
}

/// The squares that arrows have closed, and of a turn in progress the queen that moves.
fn burnt(game: &Game) -> String {
    let arrows = game.position().arrows_shot();
    let mut text = String::new();
    if !arrows.is_empty() {
        text = format!("COLOR #303030 {}\n", vertices(arrows));
    }
    match game.stage() {
        amazons_engine::game::Stage::From => {}
        amazons_engine::game::Stage::To(from) => text += &format!("MARK {}", words::vertex(from)),
        amazons_engine::game::Stage::Arrow(from, to) => {
            text += &format!("CIRCLE {}\nMARK {}", words::vertex(from), words::vertex(to));
        }
    }
    text
}

fn result(game: &Game) -> String {
    match game.winner() {
        Some(color) => format!("{} wins", color.title()),
        None => "The game is not over".to_owned(),
    }
}

/// `gogui-play_sequence COLOUR MOVE COLOUR MOVE ...`: all of it or nothing. Moves are steps, or whole turns without
/// spaces.
fn play_sequence(session: &mut Amazons, call: &mut Call) -> Reply {
    let mut game = session.game.clone();
    let mut marks = Vec::new();
    while !call.args.is_empty() {
        let color = call.args.color()?;
        let played = words::read_played(call.args.next().ok_or_else(bad_coordinate)?)?;
        marks.push((game.moves().len(), game.stage(), game.position().to_move()));
        game = after(&game, color, played)?;
        session.heard = match played {
            Played::Step(_) => super::Spelling::Points,
            Played::Turn(_, spelling) => spelling,
        };
    }
    session.game = game;
    session.marks.extend(marks);
    session.awaiting_answer = false;
    Ok(String::new())
}

/// `gogui-setup COLOUR VERTEX COLOUR VERTEX ...`: the queens of a position, on a board without arrows.
fn setup(session: &mut Amazons, call: &mut Call) -> Reply {
    let mut position = Position::empty(session.game.position().size());
    position.set_to_move(session.game.position().to_move());
    while !call.args.is_empty() {
        let color = call.args.color()?;
        for square in words::read_squares(call.args.next().ok_or_else(bad_coordinate)?)? {
            if !position.put_queen(color, square) {
                return Err(illegal_move());
            }
        }
    }
    session.replace(Game::new(position));
    Ok(String::new())
}

/// `amazons-burn VERTEX ...`: arrows of a position.
fn burn(session: &mut Amazons, call: &mut Call) -> Reply {
    let squares: Squares = words::read_squares(call.args.rest())?.into_iter().collect();
    let mut position = *session.game.position();
    for square in squares {
        if !position.put_arrow(square) {
            return Err(illegal_move());
        }
    }
    session.replace(Game::new(position));
    Ok(String::new())
}

fn setup_player(session: &mut Amazons, call: &mut Call) -> Reply {
    let color = call.args.color()?;
    if session.game.position().to_move() != color {
        session.game.set_to_move(color);
    }
    if session.is_over() {
        tracing::debug!("{color} has no move");
    }
    Ok(String::new())
}

/// The failure of a command that needs a game that goes on.
pub(super) fn over() -> Failure {
    Failure::new("the game is over")
}
