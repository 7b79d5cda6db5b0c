//! Commands that set the board and make and take back moves.

use amazons_engine::game::Stage;
use amazons_engine::{Color, Game, Position};

use super::words::{self, Played, illegal_move, vertex};
use super::{Amazons, Mark, Spelling};
use crate::gtp::{Call, Commands, Failure, Reply};

pub(super) fn register(commands: &mut Commands<Amazons>) {
    commands
        .add("boardsize", board_size)
        .add("clear_board", clear_board)
        .add("komi", |_, call| call.args.real().map(|_| String::new()))
        .add("play", play)
        .add("undo", |session, _| undo(session, 1))
        .add("gg-undo", gg_undo)
        .add("showboard", |session, _| Ok(show(&session.game)))
        .add("final_score", |session, _| Ok(score(&session.game).to_owned()))
        .add("final_status_list", status_list)
        .add("amazons-position", position);
}

/// Boards whose start is known: 10x10, 5x5 and 4x4.
fn board_size(session: &mut Amazons, call: &mut Call) -> Reply {
    let side: u8 = call.args.parse().map_err(|_| Failure::new("unacceptable size"))?;
    let start = Position::start_on(side).ok_or_else(|| Failure::new("unacceptable size"))?;
    session.replace(Game::new(start));
    Ok(String::new())
}

/// The start of the board's size; a board of another size is emptied of arrows only by setting it up anew.
fn clear_board(session: &mut Amazons, _: &mut Call) -> Reply {
    let old = session.game.start();
    let side = old.size().columns();
    let start = Position::start_on(side).filter(|_| side == old.size().rows());
    session.replace(Game::new(start.unwrap_or(*old)));
    Ok(String::new())
}

/// `amazons-position` tells the position as a diagram; `amazons-position DIAGRAM [COLOUR]` sets it up. An arrow is `*`
/// here, since `#` begins a comment in GTP.
fn position(session: &mut Amazons, call: &mut Call) -> Reply {
    let Some(diagram) = call.args.next() else {
        let position = session.game.position();
        let rows = position.to_string().replace('\n', "|").replace('#', "*");
        return Ok(format!("{rows} {}", position.to_move().letter()));
    };
    let mut position: Position = diagram
        .replace('*', "#")
        .parse()
        .map_err(|why: amazons_engine::setup::DiagramError| Failure::new(why.to_string()))?;
    if !call.args.is_empty() {
        position.set_to_move(call.args.color()?);
    }
    session.replace(Game::new(position));
    Ok(String::new())
}

/// `play COLOUR VERTEX`, a step of a turn; or a whole turn: all of it or nothing.
fn play(session: &mut Amazons, call: &mut Call) -> Reply {
    let color = call.args.color()?;
    let text = call.args.rest();
    if text.eq_ignore_ascii_case("pass") {
        // There is nothing to pass in this game, except that controllers do when it is over.
        if !session.is_over() {
            return Err(illegal_move());
        }
        session.marks.push(session.mark());
        return Ok(String::new());
    }
    let played = words::read_played(text)?;
    let mark = session.mark();
    session.game = after(&session.game, color, played)?;
    session.marks.push(mark);
    session.heard = match played {
        Played::Step(_) => Spelling::Points,
        Played::Turn(_, spelling) => spelling,
    };
    session.awaiting_answer = false;
    Ok(String::new())
}

/// The game after a step or a turn. A turn in progress is gone on with whatever colour is named, since some programs
/// name the colours in turn, point by point; a new turn is that of the colour named.
pub(super) fn after(game: &Game, color: Color, played: Played) -> Result<Game, Failure> {
    let mut game = game.clone();
    if game.stage() == Stage::From && game.position().to_move() != color {
        game.set_to_move(color);
    }
    let done = match played {
        Played::Step(square) => game.step(square),
        Played::Turn(mv, _) => game.play(mv),
    };
    done.map_err(|why| {
        tracing::debug!("{why}");
        illegal_move()
    })?;
    Ok(game)
}

fn undo(session: &mut Amazons, count: usize) -> Reply {
    if session.marks.len() < count {
        return Err(Failure::new("cannot undo"));
    }
    for _ in 0..count {
        if let Some(mark) = session.marks.pop() {
            rewind(&mut session.game, mark);
        }
    }
    session.awaiting_answer = false;
    Ok(String::new())
}

/// Takes a game back to where it stood.
pub(super) fn rewind(game: &mut Game, (moves, stage, to_move): Mark) {
    while (game.moves().len(), game.stage()) != (moves, stage) && game.undo_step() {}
    if stage == Stage::From && game.position().to_move() != to_move {
        game.set_to_move(to_move);
    }
}

fn gg_undo(session: &mut Amazons, call: &mut Call) -> Reply {
    let count =
        if call.args.is_empty() { 1 } else { call.args.integer(0..=i64::from(u32::MAX))? };
    undo(session, count as usize)
}

/// The result in GTP's words: a win is by one, since there are no points.
pub(super) fn score(game: &Game) -> &'static str {
    match game.winner() {
        Some(Color::Black) => "B+1",
        Some(Color::White) => "W+1",
        None => "0",
    }
}

/// No queen ever dies here.
fn status_list(session: &mut Amazons, call: &mut Call) -> Reply {
    match call.args.word()?.to_ascii_lowercase().as_str() {
        "dead" | "seki" => Ok(String::new()),
        "alive" => {
            let position = session.game.position();
            let queens =
                [Color::White, Color::Black].into_iter().flat_map(|color| position.queens(color));
            Ok(queens.map(vertex).collect::<Vec<_>>().join("\n"))
        }
        _ => Err(Failure::syntax()),
    }
}

/// The board as text: `X` White, `O` Black, `#` an arrow, as in the game's diagrams; brackets around the last turn.
pub(super) fn show(game: &Game) -> String {
    let position = game.position();
    let size = position.size();
    let row_of = |row: u8| {
        (0..size.columns()).filter_map(move |column| amazons_engine::Square::new(column, row))
    };
    let letters: String = row_of(0).map(|s| format!(" {}", &vertex(s)[..1])).collect();
    let last = game.moves().last();
    let marked = |square| match (game.stage(), last) {
        (Stage::To(from), _) => square == from,
        (Stage::Arrow(from, to), _) => square == from || square == to,
        (Stage::From, Some(mv)) => square == mv.to || square == mv.arrow,
        (Stage::From, None) => false,
    };
    let state = match (game.winner(), game.stage()) {
        (Some(color), _) => format!("{} has won", color.title()),
        (None, Stage::From) => format!("{} to play", position.to_move().title()),
        (None, Stage::To(from)) => {
            format!("{} to move the queen on {}", position.to_move().title(), vertex(from))
        }
        (None, Stage::Arrow(from, to)) => {
            format!(
                "{} to shoot from {} ({} is free)",
                position.to_move(),
                vertex(to),
                vertex(from)
            )
        }
    };
    let mut text = format!(
        "Turn {}, {state}; X White, O Black, # an arrow\n  {letters}\n",
        game.moves().len() + 1
    );
    for row in (0..size.rows()).rev() {
        let mut line = format!("{:2}", row + 1);
        for square in row_of(row) {
            let sign = match position.queen_at(square) {
                Some(Color::White) => 'X',
                Some(Color::Black) => 'O',
                None if position.arrows_shot().contains(square) => '#',
                None => '.',
            };
            line.push(if marked(square) { '(' } else { ' ' });
            line.push(sign);
        }
        text += &format!("{line} {}\n", row + 1);
    }
    text + "  " + &letters
}
