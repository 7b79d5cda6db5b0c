//! Commands that choose a move.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use game_core::{Proven, Report};

use super::Session;
use super::game::engine::{Decision, Engine, Pace, Purpose, Query};
use super::game::{Filter, Form, Game};
use super::live_gfx::LiveGfx;
use crate::gtp::{Call, Color, Commands, Failure, Reply, Step};
use crate::session::clock::{Deadlines, Outlook};

pub(super) fn register<G: Game>(commands: &mut Commands<Session<G>>) {
    commands
        .add("genmove", |session, call| genmove(session, call, Manner::GENMOVE))
        .add("reg_genmove", |session, call| genmove(session, call, Manner::REGRESSION))
        .add("kgs-genmove_cleanup", |session, call| genmove(session, call, Manner::CLEANUP))
        // Options are gomill's business; no engine claims wins, and none needs any.
        .add("gomill-genmove_ex", |session, call| genmove(session, call, Manner::GENMOVE))
        // KataGo's: a move that is only told, or told unless another line comes first.
        .add("kata-search", |session, call| genmove(session, call, Manner::SEARCH))
        .add("kata-search_cancellable", |session, call| genmove(session, call, Manner::CANCELLABLE))
        .add("gomill-explain_last_move", |session, _| Ok(session.explanation.clone()));
}

/// What a move is chosen for, and what becomes of it.
#[derive(Clone, Copy)]
pub(super) struct Manner {
    purpose: Purpose,
    /// It is made, not told only.
    is_made: bool,
    /// Whatever comes in behind the command ends it without a move.
    is_cancellable: bool,
}

impl Manner {
    /// A move that is made.
    pub const GENMOVE: Manner =
        Manner { purpose: Purpose::Play, is_made: true, is_cancellable: false };
    /// The same, where dead stones have to be taken off before a pass.
    const CLEANUP: Manner = Manner { purpose: Purpose::Cleanup, ..Manner::GENMOVE };
    /// A move that is only told, the same every time.
    const REGRESSION: Manner =
        Manner { purpose: Purpose::Regression, is_made: false, is_cancellable: false };
    /// A move that would be made, and is only told.
    pub const SEARCH: Manner = Manner { is_made: false, ..Manner::GENMOVE };
    /// The same, until something else comes in.
    pub const CANCELLABLE: Manner = Manner { is_cancellable: true, ..Manner::SEARCH };

    /// Whether time and the user's limits count.
    fn is_timed(self) -> bool {
        self.purpose != Purpose::Regression
    }
}

/// What is answered instead of a move that came too late.
pub(super) const CANCELLED: &str = "cancelled";

fn genmove<G: Game>(session: &mut Session<G>, call: &mut Call, manner: Manner) -> Reply {
    let color = call.args.color()?;
    choose(session, call, color, manner, &Streamed::default(), |_| String::new())
}

/// What is told while a move is chosen.
#[derive(Default)]
pub(super) struct Streamed {
    pub filter: Filter,
    /// How often, and at the end.
    pub interval: Option<Duration>,
    /// At the end, also without an interval.
    pub is_told_at_end: bool,
}

/// Lets the engine choose, and makes the move unless it is only to be told. What `line` makes of what is found is told
/// as asked for. A turn in progress is finished, whatever colour is named.
pub(super) fn choose<G: Game>(
    session: &mut Session<G>,
    call: &mut Call,
    color: Color,
    manner: Manner,
    streamed: &Streamed,
    line: impl Fn(&Report<G::Move>) -> String,
) -> Reply {
    let began = call.asked();
    let is_made = manner.is_made;
    let mut game = session.game.clone();
    game.set_to_move(color);
    let color = game.to_move();
    if game.outcome().is_over() {
        return Ok(session.pass(is_made));
    }
    let form = session.form();
    // A turn in progress is finished in its own form.
    let is_whole = form.is_whole() && !game.is_mid_turn();
    // What is left of a turn takes no time to find.
    let mut limit = Some(Duration::ZERO);
    let rest = if is_made { session.rest.take() } else { None };
    let filter = &streamed.filter;
    let fits =
        |rest: &(Color, Vec<Step>)| rest.0 == color && filter.accepts_rest(&game, color, &rest.1);
    let mut steps = match rest.filter(fits) {
        Some((_, steps)) => steps,
        None => {
            let answers = if is_whole { 1 } else { G::MAX_STEPS as u32 };
            let outlook = Outlook { answers, ..game.outlook() };
            let budget = manner.is_timed().then(|| session.clock.budget(color, &outlook)).flatten();
            limit = budget.map(|budget| budget.hard);
            let deadlines = budget.map(|budget| Deadlines::new(began, budget));
            match search(session, call, &game, manner, deadlines, streamed, line)? {
                Some(Decision::Move(mv)) => game.steps_left(&mv),
                Some(decision @ (Decision::Pass | Decision::Resign)) => {
                    if is_made {
                        session.spend(color, began, limit);
                    }
                    return Ok(match decision {
                        Decision::Resign => "resign".to_owned(),
                        _ => session.pass(is_made),
                    });
                }
                None => return Ok(CANCELLED.to_owned()),
            }
        }
    };
    // Who keeps to some steps is told one of them first.
    let is_asked = |step: &Step| filter.accepts_rest(&game, color, &[*step]);
    if G::ANY_ORDER
        && let Some(first) = steps.iter().position(is_asked)
    {
        steps.swap(0, first);
    }
    let (now, later) = steps.split_at(if is_whole { steps.len() } else { 1.min(steps.len()) });
    let told =
        if is_whole { G::spell(now, form) } else { now.iter().map(Step::to_string).collect() };
    if !is_made {
        return Ok(told);
    }
    session.spend(color, began, limit);
    let mark = session.game.mark();
    for step in now {
        // The first step may end the game; a whole turn is told whole all the same.
        if !game.outcome().is_over() {
            game.play(color, &[*step]).map_err(|why| {
                tracing::error!("the engine chose a move that the rules forbid: {why}");
                Failure::new("internal error")
            })?;
        }
    }
    session.marks.push(mark);
    session.rest = (!later.is_empty()).then(|| (color, later.to_vec()));
    session.awaiting_answer = game.to_move() != color;
    session.own = Some(color);
    session.game = game;
    Ok(told)
}

impl<G: Game> Session<G> {
    /// Answers that there is nothing to play. Where that stands for a turn, `undo` takes it back.
    fn pass(&mut self, is_made: bool) -> String {
        if is_made {
            self.marks.push(self.game.mark());
        }
        "pass".to_owned()
    }

    /// Takes the time since a move was asked for from a player's clock; it was to take no longer than the limit, if there was
    /// one.
    fn spend(&mut self, color: Color, began: Instant, limit: Option<Duration>) {
        let used = began.elapsed();
        let over = limit.map_or(Duration::ZERO, |limit| used.saturating_sub(limit));
        self.clock.spend(color, used, over);
    }
}

/// Searches within the limits of the session; nothing is decided when it was cancelled.
fn search<G: Game>(
    session: &mut Session<G>,
    call: &mut Call,
    game: &G,
    manner: Manner,
    deadlines: Option<Deadlines>,
    streamed: &Streamed,
    line: impl Fn(&Report<G::Move>) -> String,
) -> Result<Option<Decision<G::Move>>, Failure> {
    let interrupt = call.interrupt();
    let new_input = manner.is_cancellable.then(|| call.new_input());
    let is_cancelled = || new_input.as_ref().is_some_and(|input| input.is_raised());
    let color = game.to_move();
    let visits = match (session.config.visits, deadlines) {
        (Some(visits), _) => Some(visits),
        (None, Some(_)) => None,
        (None, None) => Some(session.engine.default_visits(game)),
    };
    let is_closed = AtomicBool::new(false);
    let began = Instant::now();
    let mut live = LiveGfx::new(session.config.live_gfx);
    let query = Query {
        game,
        color,
        purpose: manner.purpose,
        visits,
        deadlines,
        filter: &streamed.filter,
        stop: &|| interrupt.is_raised() || is_cancelled() || is_closed.load(Ordering::Relaxed),
        resign_below: if manner.is_timed() { session.config.resign_below } else { 0.0 },
        pace: streamed.interval.or(live.interval()).map(Pace::from),
    };
    let (decision, report) = session.engine.choose(&query, &mut |report| {
        live.draw(game, report);
        if streamed.interval.is_some() && call.stream(&line(report)).is_err() {
            is_closed.store(true, Ordering::Relaxed);
        }
    });
    live.clear();
    if streamed.interval.is_some() || streamed.is_told_at_end {
        call.stream(&line(&report))?;
    }
    if is_cancelled() {
        session.keep(game, &streamed.filter, report);
        return Ok(None);
    }
    session.explanation = explain::<G>(color, &decision, &report);
    tracing::info!("{}", logged::<G>(&session.explanation, &report, began.elapsed()));
    session.keep(game, &streamed.filter, report);
    Ok(Some(decision))
}

/// A sentence or two about a search.
fn explain<G: Game>(
    color: Color,
    decision: &Decision<G::Move>,
    report: &Report<G::Move>,
) -> String {
    let Some(best) = report.best() else { return String::new() };
    let player = color.title();
    let mut text = match decision {
        Decision::Move(mv) => format!("{player} {}", G::word(mv)),
        Decision::Pass => format!("{player} passes"),
        Decision::Resign => format!("{player} resigns"),
    };
    if report.from_book {
        text += ", from the opening book";
    }
    text += &match report.proven {
        Proven::Win if report.lead.is_none() => ": wins by force".to_owned(),
        Proven::Loss if report.lead.is_none() => format!(": every {} loses", G::TURN),
        _ => format!(": {}", summary::<G>(report)),
    };
    if best.line.len() > 1 {
        let line: Vec<String> = best.line.iter().map(G::word).collect();
        text += &format!("\nexpected: {}", line.join(" "));
    }
    for other in report.moves.iter().skip(1).filter(|other| other.is_searched()).take(3) {
        let percent = 100.0 * other.winrate;
        text += &format!("\nalso {}: {percent:.1}% of {}", G::word(&other.mv), other.visits);
    }
    text
}

/// An explanation as a line of the log, with the time that the search took. How fast it was is told where what it
/// counted is known apart from what was kept of earlier searches. gtp2ogs sends what follows `MALKOVICH:` to the game's
/// chat, where the opponent sees it only afterwards.
fn logged<G: Game>(explanation: &str, report: &Report<G::Move>, took: Duration) -> String {
    let seconds = took.as_secs_f64();
    let mut text = format!("MALKOVICH: {}; {seconds:.2} s", explanation.replace('\n', "; "));
    if report.counted > 0 && seconds > 0.0 {
        text += &format!(", {:.0} {} a second", report.counted as f64 / seconds, G::VISITS);
    }
    text
}

/// What a search thinks of a position, in a few words.
pub(super) fn summary<G: Game>(report: &Report<G::Move>) -> String {
    // Behind a move of the book stand the visits of many searches.
    let counted = if report.from_book { "visits" } else { G::VISITS };
    let mut text = format!("wins {:.1}% of {} {counted}", 100.0 * report.winrate, report.visits);
    if let Some(lead) = report.lead {
        text += &format!(", leads by {lead:.1}");
    }
    text
}
