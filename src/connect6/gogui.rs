//! GoGui's commands: the rules it referees by, several moves at once, setup, and what it can show.

use connect6_engine::{Color, Game, Outcome};

use super::position::played;
use super::words::{self, bad_coordinate, illegal_move, vertices};
use super::{Connect6, NAME, VERSION};
use crate::gtp::{Call, Commands, Failure, Reply, params};

pub(super) fn register(commands: &mut Commands<Connect6>) {
    commands
        .add("gogui-rules_game_id", |session, _| Ok(game_id(&session.game)))
        .add("gogui-rules_board", |session, _| Ok(board(&session.game)))
        .add("gogui-rules_board_size", |session, _| Ok(session.game.rules().width().to_string()))
        .add("gogui-rules_legal_moves", |session, _| Ok(legal_moves(&session.game)))
        .add("gogui-rules_side_to_move", |session, _| Ok(side_to_move(&session.game)))
        .add("gogui-rules_final_result", |session, _| Ok(result(&session.game)))
        .add("gogui-analyze_commands", |_, _| Ok(ANALYZE_COMMANDS.join("\n")))
        .add("gogui-title", |_, _| Ok(format!("{NAME} {VERSION}")))
        .add("gogui-play_sequence", play_sequence)
        .add("gogui-setup", setup)
        .add("gogui-setup_player", setup_player)
        .add("tesuji-param", |session, call| params::answer(session, &mut call.args));
}

/// What GoGui offers in its menu, in the form `type/label/command` (GoGui's documentation, chapter "Analyze
/// Commands").
const ANALYZE_COMMANDS: [&str; 9] = [
    "gfx/Best Moves/tesuji-best_moves",
    "gfx/Principal Variation/tesuji-principal_variation",
    "gfx/Threats/connect6-threats",
    "gfx/Winning Line/connect6-winning_line",
    "gfx/Shapes/connect6-shapes",
    "hstring/Solve/connect6-solve",
    "hstring/Explain Last Move/gomill-explain_last_move",
    "string/Final Score/final_score",
    "param/Parameters/tesuji-param",
];

fn game_id(game: &Game) -> String {
    let r = game.rules();
    match (r.k(), r.p(), r.q()) {
        (6, 2, 1) => "Connect6".to_owned(),
        (5, 1, 1) => "Gomoku".to_owned(),
        (k, p, q) => format!("Connect({},{},{k},{p},{q})", r.width(), r.height()),
    }
}

/// Rows from the top, `X` Black, `O` White.
fn board(game: &Game) -> String {
    let rules = game.rules();
    let row = |row: usize| {
        let signs =
            (0..rules.width()).filter_map(|col| connect6_engine::Point::new(col, row)).map(|p| {
                match game.board().get(p) {
                    Some(Color::Black) => "X",
                    Some(Color::White) => "O",
                    None => ".",
                }
            });
        signs.collect::<Vec<_>>().join(" ")
    };
    (0..rules.height()).rev().map(row).collect::<Vec<_>>().join("\n")
}

fn legal_moves(game: &Game) -> String {
    match game.outcome() {
        Outcome::Open => vertices(game.board().empties()),
        Outcome::Win(_) | Outcome::Draw => String::new(),
    }
}

fn side_to_move(game: &Game) -> String {
    game.to_move().color.to_string()
}

fn result(game: &Game) -> String {
    match game.outcome() {
        Outcome::Win(color) => format!("{} wins", color.title()),
        Outcome::Draw => "Draw".to_owned(),
        Outcome::Open => "The game is not over".to_owned(),
    }
}

/// `gogui-play_sequence COLOUR VERTEX COLOUR VERTEX ...`: all of it or nothing.
fn play_sequence(session: &mut Connect6, call: &mut Call) -> Reply {
    let mut game = session.game.clone();
    let mut marks = Vec::new();
    while !call.args.is_empty() {
        let color = call.args.color()?;
        let points = words::read_vertices(call.args.next().ok_or_else(bad_coordinate)?)?;
        marks.push(game.stones().len());
        game = played(&game, color, &points)?;
    }
    session.game = game;
    session.marks.extend(marks);
    session.awaiting_answer = false;
    Ok(String::new())
}

/// `gogui-setup COLOUR VERTEX COLOUR VERTEX ...`: stones of a position, in no order of play.
fn setup(session: &mut Connect6, call: &mut Call) -> Reply {
    let mut game = session.game.clone();
    while !call.args.is_empty() {
        let color = call.args.color()?;
        let points = words::read_vertices(call.args.next().ok_or_else(bad_coordinate)?)?;
        for point in points {
            game.play(color, point).map_err(|_| illegal_move())?;
        }
    }
    session.replace(game);
    Ok(String::new())
}

fn setup_player(session: &mut Connect6, call: &mut Call) -> Reply {
    let color = call.args.color()?;
    if session.is_over() {
        return Err(Failure::new("the game is over"));
    }
    session.game.set_to_move(color);
    Ok(String::new())
}
