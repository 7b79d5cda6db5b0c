//! Commands that choose a move.

use std::time::{Duration, Instant};

use amazons_engine::game::Stage;
use amazons_engine::region::regions;
use amazons_engine::search::{Control, Progress, Proven, SearchLimits, Searcher};
use amazons_engine::{Color, Game, Move, Square};

use super::words::{spell, vertex};
use super::{Amazons, DEFAULT_VISITS, Spelling};
use crate::clock::Outlook;
use crate::gtp::{Call, Commands, Failure, Reply};
use crate::siblings::{Purpose, choosing};

pub(super) fn register(commands: &mut Commands<Amazons>) {
    choosing(commands, genmove, |session| &session.explanation);
}

fn genmove(session: &mut Amazons, call: &mut Call, purpose: Purpose) -> Reply {
    let color = call.args.color()?;
    choose(session, call, color, purpose, None, |_, _| String::new())
}

/// The squares of a turn that are still to be named.
pub(super) fn steps_left(stage: Stage, mv: Move) -> Vec<Square> {
    let steps = [mv.from, mv.to, mv.arrow];
    let made = match stage {
        Stage::From => 0,
        Stage::To(_) => 1,
        Stage::Arrow(..) => 2,
    };
    steps[made..].to_vec()
}

/// Lets the engine choose, and makes the move unless it is only to be told. With an interval, what `line` makes of the
/// progress is streamed. A turn in progress is finished, whatever colour is named.
pub(super) fn choose(
    session: &mut Amazons,
    call: &mut Call,
    color: Color,
    purpose: Purpose,
    interval: Option<Duration>,
    line: impl Fn(&Game, &Progress) -> String,
) -> Reply {
    let began = Instant::now();
    let mut game = session.game.clone();
    if game.stage() == Stage::From && game.position().to_move() != color {
        game.set_to_move(color);
    }
    let side = game.position().to_move();
    if game.winner().is_some() {
        if purpose == Purpose::Play {
            session.marks.push(session.mark());
        }
        return Ok("pass".to_owned());
    }
    let spelling = session.settings.form.spelling(session.heard);
    let mv = match session.chosen.filter(|&mv| purpose == Purpose::Play && goes_on(&game, mv)) {
        Some(mv) => mv,
        None => {
            let weights = session.searcher.weights().clone();
            let player = session.player.as_mut();
            let progress = match (player.and_then(|player| player.choose(&weights, &game)), purpose)
            {
                (Some(chosen), _) => chosen,
                (None, Purpose::Regression) => regression(session, &game),
                (None, Purpose::Play) => think(session, call, &game, interval, &line)?,
            };
            let Some(best) = progress.choices.first() else { return Ok("pass".to_owned()) };
            let mv = best.mv;
            session.explanation = explain(side, &progress);
            let lost = progress.fate == Proven::Loss;
            session.found = Some((side, progress));
            if lost && session.settings.resign && purpose == Purpose::Play {
                return Ok("resign".to_owned());
            }
            mv
        }
    };
    // A turn in progress is finished in its own form.
    let whole = spelling != Spelling::Points && game.stage() == Stage::From;
    let told = match steps_left(game.stage(), mv).first() {
        Some(&step) if !whole => vertex(step),
        _ => spell(mv, spelling),
    };
    if purpose == Purpose::Regression {
        return Ok(told);
    }
    let mark = session.mark();
    let made = match steps_left(game.stage(), mv).first() {
        Some(&step) if !whole => game.step(step),
        _ => game.play(mv),
    };
    made.map_err(|why| {
        tracing::error!("the engine chose a move that the rules forbid: {why}");
        Failure::new("internal error")
    })?;
    session.marks.push(mark);
    session.chosen = (game.stage() != Stage::From).then_some(mv);
    session.awaiting_answer = game.stage() == Stage::From;
    session.game = game;
    session.clock.spend(side, began.elapsed());
    Ok(told)
}

/// Whether a turn in progress is the beginning of this one.
fn goes_on(game: &Game, mv: Move) -> bool {
    let begun = match game.stage() {
        Stage::From => false,
        Stage::To(from) => from == mv.from,
        Stage::Arrow(from, to) => (from, to) == (mv.from, mv.to),
    };
    begun && game.position().check(mv).is_ok()
}

/// Searches within the limits of the session.
fn think(
    session: &mut Amazons,
    call: &mut Call,
    game: &Game,
    interval: Option<Duration>,
    line: &impl Fn(&Game, &Progress) -> String,
) -> Result<Progress, Failure> {
    let interrupt = call.interrupt();
    let side = game.position().to_move();
    let budget = session.clock.budget(side, outlook(game));
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
            closed |= call.stream(&line(game, &look())).is_err();
            next = Instant::now() + every;
        }
        if interrupt.is_raised() || closed { Control::Stop } else { Control::Continue }
    });
    if interval.is_some() {
        call.stream(&line(game, &progress))?;
    }
    Ok(progress)
}

/// A search of its own, with a fixed number of visits on one thread: the same every time.
fn regression(session: &mut Amazons, game: &Game) -> Progress {
    let mut searcher = Searcher::new(session.searcher.weights().clone(), 1, 64);
    searcher.set_network(session.searcher.network().clone());
    searcher.tuning = session.searcher.tuning.clone();
    let visits = session.settings.visits.unwrap_or(DEFAULT_VISITS);
    searcher.search(
        game,
        &SearchLimits { visits: Some(visits), ..SearchLimits::default() },
        &mut |_| Control::Continue,
    )
}

/// How many turns a side will still have to think about: about a third of the squares that are fought for. What follows
/// is counted, and takes no time.
fn outlook(game: &Game) -> Outlook {
    let contested: u32 =
        regions(game.position()).filter(|r| r.owner().is_none()).map(|r| r.free.len()).sum();
    Outlook { own_moves: (contested / 3).max(4) }
}

/// A sentence or two about the last search.
fn explain(side: Color, progress: &Progress) -> String {
    let Some(best) = progress.choices.first() else { return String::new() };
    let game_move = |mv: &Move| spell(*mv, Spelling::Algebraic);
    let mut text = format!("{} {}", side.title(), game_move(&best.mv));
    text += &match progress.fate {
        Proven::Win => ": wins by force".to_owned(),
        Proven::Loss => ": every move loses".to_owned(),
        Proven::Unknown => {
            format!(": wins {:.1}% of {} visits", 100.0 * best.chance, progress.visits)
        }
    };
    if best.line.len() > 1 {
        let line: Vec<String> = best.line.iter().map(game_move).collect();
        text += &format!("\nexpected: {}", line.join(" "));
    }
    for choice in progress.choices.iter().skip(1).take(3) {
        text += &format!(
            "\nalso {}: {:.1}% of {}",
            game_move(&choice.mv),
            100.0 * choice.chance,
            choice.visits
        );
    }
    text
}
