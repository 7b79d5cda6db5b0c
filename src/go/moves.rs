//! Commands that choose a move.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use go_engine::{Color, Move};

use super::Go;
use super::engine::{Decision, Filter, Findings, Question};
use super::words::join;
use crate::clock::Outlook;
use crate::gtp::{Call, Commands, Failure, Reply};

pub(super) fn register(commands: &mut Commands<Go>) {
    commands
        .add("genmove", |go, call| genmove(go, call, Purpose::Play))
        .add("reg_genmove", |go, call| genmove(go, call, Purpose::Regression))
        .add("kgs-genmove_cleanup", |go, call| genmove(go, call, Purpose::Cleanup))
        // Options are gomill's business; this engine claims no wins and needs none.
        .add("gomill-genmove_ex", |go, call| genmove(go, call, Purpose::Play))
        .add("gomill-explain_last_move", |go, _| Ok(go.explanation.clone()));
}

/// What a move is chosen for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To be played.
    Play,
    /// To be played, and dead stones have to be taken off first.
    Cleanup,
    /// To be told only, the same every time.
    Regression,
}

fn genmove(go: &mut Go, call: &mut Call, purpose: Purpose) -> Reply {
    let color = call.args.color()?;
    choose(go, call, color, purpose, &Filter::default(), None, |_| String::new())
}

/// Lets the engine choose, and makes the move unless it is only to be told. The answer is the
/// move. With an interval, what `line` makes of the findings is streamed, at the end at least.
pub(super) fn choose(
    go: &mut Go,
    call: &mut Call,
    color: Color,
    purpose: Purpose,
    filter: &Filter,
    interval: Option<Duration>,
    line: impl Fn(&Findings) -> String,
) -> Reply {
    let began = Instant::now();
    let interrupt = call.interrupt();
    let output_closed = AtomicBool::new(false);
    let timed = purpose != Purpose::Regression;
    let budget = timed.then(|| go.clock.budget(color, outlook(go))).flatten();
    let playouts = match (go.settings.playouts, budget) {
        (Some(playouts), _) => Some(playouts),
        (None, Some(_)) => None,
        (None, None) => Some(go.engine.default_playouts()),
    };
    let stop = || interrupt.is_raised() || output_closed.load(Ordering::Relaxed);
    let question = Question {
        game: &go.game,
        color,
        playouts,
        budget,
        filter,
        stop: &stop,
        fresh: purpose == Purpose::Regression,
        cleanup: purpose == Purpose::Cleanup,
        interval,
    };
    let decision = go.engine.choose(&question, &mut |findings| {
        if interval.is_some() && call.stream(&line(findings)).is_err() {
            output_closed.store(true, Ordering::Relaxed);
        }
    });
    if interval.is_some() {
        let last = go.engine.findings().map(|(_, findings)| line(findings)).unwrap_or_default();
        call.stream(&last)?;
    }
    go.explanation = explain(go, decision);
    if purpose != Purpose::Regression {
        if let Decision::Move(mv) = decision {
            go.game.play(color, mv).map_err(|why| {
                tracing::error!("the engine chose a move that the rules forbid: {why}");
                Failure::new("internal error")
            })?;
        }
        go.clock.spend(color, began.elapsed());
        go.awaiting_answer = true;
    }
    Ok(match decision {
        Decision::Move(mv) => mv.to_string(),
        Decision::Resign => "resign".to_owned(),
    })
}

/// How many moves a player will still make: games end when about seven tenths of the board have
/// been played on, and some go on well beyond that.
fn outlook(go: &Go) -> Outlook {
    let area = go.game.board().area();
    let expected = area * 7 / 10;
    let left = expected.saturating_sub(go.game.moves().len()).max(area / 6);
    Outlook { own_moves: (left / 2) as u32 }
}

/// A sentence or two about the last search.
fn explain(go: &Go, decision: Decision) -> String {
    let Some((color, findings)) = go.engine.findings() else { return String::new() };
    let mut text = match decision {
        Decision::Move(mv) => format!("{color} {mv}"),
        Decision::Resign => format!("{color} resigns"),
    };
    text += &format!(
        ": wins {:.1}% of {} playouts, leads by {:.1}",
        100.0 * findings.winrate,
        findings.visits,
        findings.lead,
    );
    if let Some(best) = findings.candidates.first().filter(|best| best.variation.len() > 1) {
        text += &format!("\nexpected: {}", join(variation(best)));
    }
    for candidate in findings.candidates.iter().skip(1).filter(|c| c.visits > 0).take(3) {
        text += &format!(
            "\nalso {}: {:.1}% of {}",
            candidate.mv,
            100.0 * candidate.winrate,
            candidate.visits
        );
    }
    text
}

/// The moves of a candidate's variation.
pub(super) fn variation(candidate: &super::engine::Candidate) -> impl Iterator<Item = Move> + '_ {
    candidate.variation.iter().map(|&(mv, _)| mv)
}
