//! Commands that set the board and make and take back moves.

use go_engine::game::HandicapError;
use go_engine::{Color, Game, Move, Point};

use super::Go;
use super::words::{self, join};
use crate::gtp::{Call, Commands, Failure, Reply};

/// Board sizes that are taken.
const SIZES: std::ops::RangeInclusive<i64> = 2..=25;

pub(super) fn register(commands: &mut Commands<Go>) {
    commands
        .add("boardsize", board_size)
        .add("rectangular_boardsize", rectangular_board_size)
        .add("clear_board", clear_board)
        .add("komi", komi)
        .add("get_komi", |go, _| Ok(go.game.komi().to_string()))
        .add("play", play)
        .add("undo", |go, _| undo(go, 1))
        .add("gg-undo", gg_undo)
        .add("fixed_handicap", fixed_handicap)
        .add("place_free_handicap", place_free_handicap)
        .add("set_free_handicap", set_free_handicap)
        .add("showboard", |go, _| Ok(show(&go.game)));
}

fn board_size(go: &mut Go, call: &mut Call) -> Reply {
    let side: i64 = call.args.parse()?;
    resize(go, side, side)
}

fn rectangular_board_size(go: &mut Go, call: &mut Call) -> Reply {
    let (width, height) = (call.args.parse()?, call.args.parse()?);
    resize(go, width, height)
}

fn resize(go: &mut Go, width: i64, height: i64) -> Reply {
    let game = (SIZES.contains(&width) && SIZES.contains(&height))
        .then(|| Game::new(width as u8, height as u8))
        .flatten();
    let mut game = game.ok_or_else(|| Failure::new("unacceptable size"))?;
    game.set_rules(*go.game.rules());
    game.set_komi(go.game.komi());
    go.game = game;
    go.forget();
    Ok(String::new())
}

fn clear_board(go: &mut Go, _: &mut Call) -> Reply {
    go.forget();
    Ok(String::new())
}

fn komi(go: &mut Go, call: &mut Call) -> Reply {
    go.game.set_komi(call.args.real()?);
    Ok(String::new())
}

fn play(go: &mut Go, call: &mut Call) -> Reply {
    let color = call.args.color()?;
    let word = call.args.next().ok_or_else(words::bad_coordinate)?;
    if !word.eq_ignore_ascii_case("pass") && word.parse::<Point>().is_err() {
        return Err(words::bad_coordinate());
    }
    // A point that exists somewhere, but not on this board, is no move.
    let mv = words::read_move(word, &go.game).ok_or_else(illegal_move)?;
    go.game.play(color, mv).map_err(|why| {
        tracing::debug!("{why}");
        illegal_move()
    })?;
    go.awaiting_answer = false;
    Ok(String::new())
}

/// The failure of a move that the rules forbid.
pub(super) fn illegal_move() -> Failure {
    Failure::new("illegal move")
}

fn undo(go: &mut Go, count: usize) -> Reply {
    let left = go.game.moves().len().checked_sub(count);
    let left = left.ok_or_else(|| Failure::new("cannot undo"))?;
    go.game.undo_to(left);
    go.awaiting_answer = false;
    Ok(String::new())
}

fn gg_undo(go: &mut Go, call: &mut Call) -> Reply {
    let count = match call.args.is_empty() {
        true => 1,
        false => call.args.integer(0..=i64::from(u32::MAX))?,
    };
    undo(go, count as usize)
}

fn handicap_failure(error: HandicapError) -> Failure {
    tracing::debug!("{error}");
    Failure::new(match error {
        HandicapError::BoardNotEmpty => "board not empty",
        HandicapError::Number(_) => "invalid number of stones",
        HandicapError::OffBoard(_) | HandicapError::Repeated(_) => "bad vertex list",
    })
}

fn fixed_handicap(go: &mut Go, call: &mut Call) -> Reply {
    let number: i64 = call.args.parse()?;
    let number = usize::try_from(number).unwrap_or(0);
    let points = go.game.place_fixed_handicap(number).map_err(handicap_failure)?;
    Ok(join(points))
}

fn place_free_handicap(go: &mut Go, call: &mut Call) -> Reply {
    let number: i64 = call.args.parse()?;
    let number = usize::try_from(number).unwrap_or(0);
    let points = go.game.place_free_handicap(number).map_err(handicap_failure)?;
    Ok(join(points))
}

fn set_free_handicap(go: &mut Go, call: &mut Call) -> Reply {
    let bad_list = || Failure::new("bad vertex list");
    let points: Option<Vec<Point>> =
        call.args.by_ref().map(|word| words::read_point(word, &go.game)).collect();
    if go.game.board().stones().next().is_some() {
        return Err(Failure::new("board not empty"));
    }
    go.game.place_handicap(&points.ok_or_else(bad_list)?).map_err(|error| match error {
        HandicapError::Number(_) => bad_list(),
        other => handicap_failure(other),
    })?;
    Ok(String::new())
}

/// The board as text: `X` Black, `O` White, `+` a star point, the last move in brackets.
pub(super) fn show(game: &Game) -> String {
    let board = game.board();
    let (width, height) = (board.width(), board.height());
    let letters: String =
        (0..width).map(|col| format!(" {}", &Point::new(col, 0).to_string()[..1])).collect();
    let stars = go_engine::game::fixed_handicap(width, height, 9)
        .or_else(|| go_engine::game::fixed_handicap(width, height, 4))
        .unwrap_or_default();
    let last = game.last().and_then(|played| match played.mv {
        Move::Play(point) => Some(point),
        Move::Pass => None,
    });
    let mut text = format!(
        "Move {}, {} to play, {} rules, komi {}\n  {letters}\n",
        game.moves().len(),
        game.to_play(),
        game.rules(),
        game.komi(),
    );
    for row in (0..height).rev() {
        let mut line = format!("{:2}", row + 1);
        for col in 0..width {
            let point = Point::new(col, row);
            let sign = match board.stone(point) {
                Some(Color::Black) => 'X',
                Some(Color::White) => 'O',
                None if stars.contains(&point) => '+',
                None => '.',
            };
            let before = match last {
                Some(last) if last == point => '(',
                Some(last) if col > 0 && last == Point::new(col - 1, row) => ')',
                _ => ' ',
            };
            line.push(before);
            line.push(sign);
        }
        let closes = last.is_some_and(|last| last == Point::new(width - 1, row));
        line.push(if closes { ')' } else { ' ' });
        text += &format!("{line}{}", row + 1);
        match height - 1 - row {
            0 => text += &format!("  White has captured {}", game.captured(Color::Black)),
            1 => text += &format!("  Black has captured {}", game.captured(Color::White)),
            _ => {}
        }
        text.push('\n');
    }
    text + "  " + &letters
}
