//! Commands that choose a move.

use std::time::{Duration, Instant};

use connect6_engine::search::{Control, Progress, Proven, SearchLimits, Searcher};
use connect6_engine::tss::generate::completing;
use connect6_engine::{Color, Game, Outcome, Point};
use std::sync::Arc;

use super::position::whole;
use super::words::{vertex, vertices};
use super::{Connect6, DEFAULT_VISITS, Form};
use crate::clock::Outlook;
use crate::gtp::{Call, Commands, Failure, Reply};
use crate::siblings::{Purpose, choosing};

pub(super) fn register(commands: &mut Commands<Connect6>) {
    choosing(commands, genmove, |session| &session.explanation);
}

fn genmove(session: &mut Connect6, call: &mut Call, purpose: Purpose) -> Reply {
    let color = call.args.color()?;
    choose(session, call, color, purpose, None, |_| String::new())
}

/// Lets the engine choose, and makes the move unless it is only to be told. With an interval, what `line`
/// makes of the progress is streamed.
pub(super) fn choose(
    session: &mut Connect6,
    call: &mut Call,
    color: Color,
    purpose: Purpose,
    interval: Option<Duration>,
    line: impl Fn(&Progress) -> String,
) -> Reply {
    let began = Instant::now();
    if session.is_over() {
        if purpose == Purpose::Play {
            session.marks.push(session.game.stones().len());
        }
        return Ok("pass".to_owned());
    }
    let mut game = session.game.clone();
    game.set_to_move(color);
    // The second stone of a turn that was chosen whole.
    if let Some((key, point)) = session.rest.take()
        && purpose == Purpose::Play
        && key == game.key()
        && game.board().is_empty(point)
    {
        return make(session, color, vec![point], began);
    }
    let points = if game.to_move().stones > 2 || game.rules().p() > 2 {
        simple_stone(session, &game).into_iter().collect()
    } else {
        let progress = match purpose {
            Purpose::Regression => regression(session, &game),
            Purpose::Play => think(session, call, &game, interval, &line)?,
        };
        let Some(best) = progress.choices.first() else { return Ok("pass".to_owned()) };
        session.explanation = explain(color, &progress);
        let lost = progress.fate == Proven::Loss;
        let turn = best.turn;
        session.found = Some((color, progress));
        if lost && session.settings.resign && purpose == Purpose::Play {
            return Ok("resign".to_owned());
        }
        whole(&game, turn)
    };
    if points.is_empty() {
        return Ok("pass".to_owned());
    }
    let whole_turn = match session.settings.form {
        Form::Auto => session.whole_turns,
        Form::Stone => false,
        Form::Turn => true,
    };
    let told = if whole_turn { points.clone() } else { points[..1].to_vec() };
    if purpose == Purpose::Regression {
        return Ok(vertices(told));
    }
    let rest = if whole_turn { None } else { points.get(1).copied() };
    let answer = make(session, color, told, began)?;
    session.rest = rest.map(|point| (session.game.key(), point));
    Ok(answer)
}

/// Plays stones and tells them.
fn make(session: &mut Connect6, color: Color, points: Vec<Point>, began: Instant) -> Reply {
    let mut told = Vec::new();
    session.marks.push(session.game.stones().len());
    for point in points {
        if session.game.outcome() != Outcome::Open {
            // The row stands already; a whole turn is told whole all the same.
            told.push(point);
            continue;
        }
        session.game.play(color, point).map_err(|why| {
            tracing::error!("the engine chose a stone that the rules forbid: {why}");
            Failure::new("internal error")
        })?;
        told.push(point);
    }
    session.clock.spend(color, began.elapsed());
    session.awaiting_answer = session.game.to_move().color != color;
    Ok(vertices(told))
}

/// Searches within the limits of the session.
fn think(
    session: &mut Connect6,
    call: &mut Call,
    game: &Game,
    interval: Option<Duration>,
    line: &impl Fn(&Progress) -> String,
) -> Result<Progress, Failure> {
    let interrupt = call.interrupt();
    let color = game.to_move().color;
    let budget = session.clock.budget(color, outlook(game));
    let now = Instant::now();
    let limits = match (session.settings.visits, budget) {
        (Some(visits), _) => SearchLimits { visits: Some(visits), ..SearchLimits::default() },
        (None, Some(budget)) => SearchLimits {
            visits: None,
            soft: Some(now + budget.soft),
            deadline: Some(now + budget.hard),
        },
        (None, None) => SearchLimits { visits: Some(DEFAULT_VISITS), ..SearchLimits::default() },
    };
    let mut closed = false;
    let mut next = now;
    let progress = session.searcher.search(game, &limits, &mut |look| {
        if let Some(every) = interval.filter(|_| Instant::now() >= next) {
            closed |= call.stream(&line(&look())).is_err();
            next = Instant::now() + every;
        }
        if interrupt.is_raised() || closed { Control::Stop } else { Control::Continue }
    });
    if interval.is_some() {
        call.stream(&line(&progress))?;
    }
    Ok(progress)
}

/// A search of its own, with a fixed number of visits on one thread: the same every time.
fn regression(session: &mut Connect6, game: &Game) -> Progress {
    let knowledge = Arc::new(session.searcher.knowledge().clone());
    let mut searcher = Searcher::new(knowledge, 1, 64);
    searcher.tuning = session.searcher.tuning.clone();
    let visits = session.settings.visits.unwrap_or(DEFAULT_VISITS);
    searcher.search(
        game,
        &SearchLimits { visits: Some(visits), ..SearchLimits::default() },
        &mut |_| Control::Continue,
    )
}

/// A stone for games of more than two stones a turn, which have no search: complete a row, stop one,
/// or what looks best.
fn simple_stone(session: &Connect6, game: &Game) -> Option<Point> {
    let to_move = game.to_move();
    let board = game.board();
    let net = &session.searcher.knowledge().net;
    let wins = completing(board, to_move.color, 2).map(|turn| turn.first());
    let stops = || completing(board, !to_move.color, 2).map(|turn| turn.first());
    let best = || net.view(board, to_move.color).best(0, 1).first().map(|b| b.0);
    let empty = || board.empties().next();
    wins.or_else(stops).or_else(best).or_else(empty)
}

/// How many turns a side will still play: games last about thirty turns of both, seldom more than fifty.
fn outlook(game: &Game) -> Outlook {
    let turns = game.board().count() / game.rules().p().max(1);
    Outlook { own_moves: (40usize.saturating_sub(turns) / 2).max(10) as u32 }
}

/// A sentence or two about the last search.
fn explain(color: Color, progress: &Progress) -> String {
    let Some(best) = progress.choices.first() else { return String::new() };
    let mut text = format!("{} {}", color.title(), vertices(best.turn.stones()));
    text += &match progress.fate {
        Proven::Win => ": wins by force".to_owned(),
        Proven::Loss => ": every turn loses".to_owned(),
        Proven::Unknown => {
            format!(": wins {:.1}% of {} visits", 100.0 * best.chance, progress.visits)
        }
    };
    if best.line.len() > 1 {
        let turns = best.line.iter().map(|t| t.stones().map(vertex).collect::<Vec<_>>().join("-"));
        text += &format!("\nexpected: {}", turns.collect::<Vec<_>>().join(" "));
    }
    for choice in progress.choices.iter().skip(1).take(3) {
        text += &format!(
            "\nalso {}: {:.1}% of {}",
            vertices(choice.turn.stones()),
            100.0 * choice.chance,
            choice.visits
        );
    }
    text
}
