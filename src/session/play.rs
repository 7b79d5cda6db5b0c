//! Commands that set the board and make and take back moves.

use game_core::Outcome;

use super::Session;
use super::game::Game;
use super::queries::points;
use crate::gtp::{Args, Call, Color, Commands, Failure, Reply, join};

pub(super) fn register<G: Game>(commands: &mut Commands<Session<G>>) {
    commands
        .add("boardsize", |session, call| {
            let columns = side(&mut call.args)?;
            // Lizzie and gtp2ogs send two numbers for boards that are not square.
            let rows = if call.args.is_empty() { columns } else { side(&mut call.args)? };
            resize(session, call, columns, rows)
        })
        .add("rectangular_boardsize", |session, call| {
            let (columns, rows) = (side(&mut call.args)?, side(&mut call.args)?);
            resize(session, call, columns, rows)
        })
        .add("clear_board", |session, call| {
            call.args.end()?;
            session.replace(session.game.restarted());
            Ok(String::new())
        })
        .add("komi", |session, call| {
            let komi = call.args.real()?;
            call.args.end()?;
            session.game.set_komi(komi)?;
            Ok(String::new())
        })
        .add("play", play)
        .add("undo", |session, call| undo(session, call, 1))
        .add("gg-undo", gg_undo)
        .add("showboard", |session, _| Ok(session.game.show()))
        .add("final_score", |session, _| Ok(score(&session.game).to_owned()))
        .add("final_status_list", status_list);
}

/// A side of a board. What is a number but none of a board is told apart from what is none.
fn side(args: &mut Args<'_>) -> Result<u8, Failure> {
    let side: i64 = args.parse()?;
    Ok(u8::try_from(side).unwrap_or(0))
}

fn resize<G: Game>(session: &mut Session<G>, call: &Call, columns: u8, rows: u8) -> Reply {
    call.args.end()?;
    let game = session.game.resized(columns, rows);
    session.replace(game.ok_or_else(|| Failure::new("unacceptable size"))?);
    Ok(String::new())
}

/// `play COLOUR VERTEX`, or a whole turn: all of it or nothing.
///
/// # Errors
/// When the words are no move, or the rules forbid it.
pub fn play<G: Game>(session: &mut Session<G>, call: &mut Call) -> Reply {
    let color = call.args.color()?;
    let (steps, form) = session.game.read(call.args.rest())?;
    let game = session.game.after(color, &steps)?;
    session.marks.push(session.game.mark());
    session.game = game;
    session.heard = form;
    session.touch();
    Ok(String::new())
}

/// Takes back what as many commands played.
fn undo<G: Game>(session: &mut Session<G>, call: &Call, count: usize) -> Reply {
    call.args.end()?;
    let kept = session.marks.len().checked_sub(count);
    let kept = kept.ok_or_else(|| Failure::new("cannot undo"))?;
    while session.marks.len() > kept
        && let Some(mark) = session.marks.pop()
    {
        session.game.rewind(mark);
    }
    session.touch();
    Ok(String::new())
}

fn gg_undo<G: Game>(session: &mut Session<G>, call: &mut Call) -> Reply {
    let count = match call.args.is_empty() {
        true => 1,
        false => call.args.integer(0..=i64::from(u32::MAX))?,
    };
    undo(session, call, count as usize)
}

/// The result in GTP's words: a win is by one, where there are no points.
fn score<G: Game>(game: &G) -> &'static str {
    match game.outcome() {
        Outcome::Win(Color::Black) => "B+1",
        Outcome::Win(Color::White) => "W+1",
        Outcome::Draw | Outcome::Open => "0",
    }
}

/// No stone ever dies, unless a game says otherwise.
fn status_list<G: Game>(session: &mut Session<G>, call: &mut Call) -> Reply {
    match call.args.word()?.to_ascii_lowercase().as_str() {
        "dead" | "seki" => Ok(String::new()),
        "alive" => {
            let game = &session.game;
            let stones = points(game).filter(|&at| game.stone(at).is_some());
            Ok(join(stones).replace(' ', "\n"))
        }
        _ => Err(Failure::syntax()),
    }
}
