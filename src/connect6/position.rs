//! Commands that set the board and make and take back moves.

use connect6_engine::{Color, Game, Outcome, Point, Rules, Turn};

use super::Connect6;
use super::words::{self, bad_coordinate, illegal_move};
use crate::gtp::{Call, Commands, Failure, Reply};

pub(super) fn register(commands: &mut Commands<Connect6>) {
    commands
        .add("boardsize", board_size)
        .add("rectangular_boardsize", rectangular_board_size)
        .add("clear_board", clear_board)
        .add("komi", |_, call| call.args.real().map(|_| String::new()))
        .add("play", play)
        .add("undo", |session, _| undo(session, 1))
        .add("gg-undo", gg_undo)
        .add("showboard", |session, _| Ok(show(&session.game)))
        .add("final_score", |session, _| Ok(score(&session.game).to_owned()))
        .add("final_status_list", status_list)
        .add("connect6-rules", rules)
        .add("connect6-play_turn", play);
}

fn board_size(session: &mut Connect6, call: &mut Call) -> Reply {
    let side: usize = call.args.parse()?;
    resize(session, side, side)
}

fn rectangular_board_size(session: &mut Connect6, call: &mut Call) -> Reply {
    let (width, height) = (call.args.parse()?, call.args.parse()?);
    resize(session, width, height)
}

fn resize(session: &mut Connect6, width: usize, height: usize) -> Reply {
    let old = session.game.rules();
    let rules = Rules::new(width, height, old.k(), old.p(), old.q())
        .map_err(|_| Failure::new("unacceptable size"))?;
    session.replace(Game::new(rules));
    Ok(String::new())
}

fn clear_board(session: &mut Connect6, _: &mut Call) -> Reply {
    session.replace(Game::new(session.game.rules()));
    Ok(String::new())
}

/// `connect6-rules` tells m, n, k, p and q; with five numbers it sets them and empties the board.
fn rules(session: &mut Connect6, call: &mut Call) -> Reply {
    if call.args.is_empty() {
        let r = session.game.rules();
        return Ok(format!("{} {} {} {} {}", r.width(), r.height(), r.k(), r.p(), r.q()));
    }
    let mut number = || call.args.parse::<usize>();
    let (m, n, k, p, q) = (number()?, number()?, number()?, number()?, number()?);
    let rules = Rules::new(m, n, k, p, q).map_err(|why| Failure::new(why.to_string()))?;
    session.replace(Game::new(rules));
    Ok(String::new())
}

/// `play COLOUR VERTEX`, or all the stones of a turn: all of them or none.
fn play(session: &mut Connect6, call: &mut Call) -> Reply {
    let color = call.args.color()?;
    let text = call.args.rest();
    if text.eq_ignore_ascii_case("pass") {
        // There is nothing to pass in this game, except that controllers do when it is over.
        if !session.is_over() {
            return Err(illegal_move());
        }
        session.marks.push(session.game.stones().len());
        return Ok(String::new());
    }
    let points = words::read_vertices(text)?;
    let game = played(&session.game, color, &points)?;
    session.whole_turns = points.len() > 1;
    session.marks.push(session.game.stones().len());
    session.game = game;
    session.awaiting_answer = false;
    Ok(String::new())
}

/// The game after stones of one colour.
pub(super) fn played(game: &Game, color: Color, points: &[Point]) -> Result<Game, Failure> {
    if points.len() > game.rules().p().max(game.rules().q()) {
        return Err(bad_coordinate());
    }
    let mut game = game.clone();
    for &point in points {
        game.play(color, point).map_err(|why| {
            tracing::debug!("{why}");
            illegal_move()
        })?;
    }
    Ok(game)
}

/// Takes back what as many commands played.
fn undo(session: &mut Connect6, count: usize) -> Reply {
    if session.marks.len() < count {
        return Err(Failure::new("cannot undo"));
    }
    let kept = session.marks.len() - count;
    if let Some(mark) = session.marks.drain(kept..).next() {
        while session.game.stones().len() > mark {
            session.game.undo();
        }
    }
    session.awaiting_answer = false;
    Ok(String::new())
}

fn gg_undo(session: &mut Connect6, call: &mut Call) -> Reply {
    let count =
        if call.args.is_empty() { 1 } else { call.args.integer(0..=i64::from(u32::MAX))? };
    undo(session, count as usize)
}

/// The result in GTP's words: a win is by one, since there are no points.
pub(super) fn score(game: &Game) -> &'static str {
    match game.outcome() {
        Outcome::Win(Color::Black) => "B+1",
        Outcome::Win(Color::White) => "W+1",
        Outcome::Draw | Outcome::Open => "0",
    }
}

/// No stone ever dies here.
fn status_list(session: &mut Connect6, call: &mut Call) -> Reply {
    match call.args.word()?.to_ascii_lowercase().as_str() {
        "dead" | "seki" => Ok(String::new()),
        "alive" => {
            let stones = session.game.stones().map(|(_, point)| words::vertex(point));
            Ok(stones.collect::<Vec<_>>().join("\n"))
        }
        _ => Err(Failure::syntax()),
    }
}

/// The board as text: `X` Black, `O` White, the last turn in brackets.
pub(super) fn show(game: &Game) -> String {
    let rules = game.rules();
    let letters: String = (0..rules.width())
        .filter_map(|col| Point::new(col, 0))
        .map(|p| format!(" {}", &words::vertex(p)[..1]))
        .collect();
    let last: Vec<Point> = last_turn(game);
    let to_move = game.to_move();
    let state = match game.outcome() {
        Outcome::Open => format!(
            "{} to play, {} stone{}",
            to_move.color.title(),
            to_move.stones,
            if to_move.stones == 1 { "" } else { "s" }
        ),
        Outcome::Win(color) => format!("{} has won", color.title()),
        Outcome::Draw => "a draw".to_owned(),
    };
    let mut text = format!("{} stones, {state}\n  {letters}\n", game.board().count());
    for row in (0..rules.height()).rev() {
        let mut line = format!("{:2}", row + 1);
        for point in (0..rules.width()).filter_map(|col| Point::new(col, row)) {
            let sign = match game.board().get(point) {
                Some(Color::Black) => 'X',
                Some(Color::White) => 'O',
                None => '.',
            };
            line.push(if last.contains(&point) { '(' } else { ' ' });
            line.push(sign);
        }
        text += &format!("{line} {}\n", row + 1);
    }
    text + "  " + &letters
}

/// The stones of the last turn, or of the turn that is being played.
pub(super) fn last_turn(game: &Game) -> Vec<Point> {
    let stones: Vec<_> = game.stones().collect();
    let Some(&(color, _)) = stones.last() else { return Vec::new() };
    stones.iter().rev().take_while(|s| s.0 == color).take(game.rules().p()).map(|s| s.1).collect()
}

/// A turn with a stone more when the turn needs one and the game is not over with the first: any empty
/// point will do where the search saw no need for a second stone.
pub(super) fn whole(game: &Game, turn: Turn) -> Vec<Point> {
    let mut points: Vec<Point> = turn.stones().collect();
    let wanted = usize::from(game.to_move().stones);
    let centre = (game.rules().width() as i32 / 2, game.rules().height() as i32 / 2);
    let mut empties: Vec<Point> = game.board().empties().filter(|p| !points.contains(p)).collect();
    empties
        .sort_by_key(|p| (p.col() as i32 - centre.0).abs().max((p.row() as i32 - centre.1).abs()));
    points.extend(empties.into_iter().take(wanted.saturating_sub(points.len())));
    points
}
