//! Commands that tell what a search finds while it goes on: `lz-analyze` and its relatives.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::Session;
use super::analysis::{Options, Style, line};
use super::game::Game;
use super::game::engine::{Engine, Purpose, Query};
use super::genmove::{self, Manner, Streamed};
use crate::gtp::{Call, Commands, Failure, Reply};

pub(super) fn register<G: Game>(commands: &mut Commands<Session<G>>) {
    let choosing = [
        ("lz-genmove_analyze", Style::Leela, Manner::GENMOVE),
        ("kata-genmove_analyze", Style::Kata, Manner::GENMOVE),
        ("tesuji-genmove_analyze", Style::Object, Manner::GENMOVE),
        ("kata-search_analyze", Style::Kata, Manner::SEARCH),
        ("kata-search_analyze_cancellable", Style::Kata, Manner::CANCELLABLE),
    ];
    for (name, style, manner) in choosing {
        commands.add(name, move |session, call| choose(session, call, style, manner));
    }
    commands
        .add("lz-analyze", |session, call| analyze(session, call, Style::Leela))
        .add("kata-analyze", |session, call| analyze(session, call, Style::Kata))
        .add("tesuji-analyze", |session, call| analyze(session, call, Style::Object));
}

/// What is asked for, and the game with that player to move. A turn in progress is finished first, whatever colour is
/// named: then the options are for its player.
fn asked<G: Game>(session: &Session<G>, call: &mut Call) -> Result<(Options, G), Failure> {
    let mut options = Options::parse(&mut call.args, &session.game)?;
    let mut game = session.game.clone();
    game.set_to_move(options.color);
    options.color = game.to_move();
    Ok((options, game))
}

/// Runs until anything comes in.
fn analyze<G: Game>(session: &mut Session<G>, call: &mut Call, style: Style) -> Reply {
    let (options, game) = asked(session, call)?;
    let end = call.new_input();
    // Says at once that the command is understood, before anything is found.
    call.stream("")?;
    let color = options.color;
    let showing = session.engine.showing(&game, color);
    let is_closed = AtomicBool::new(false);
    let query = Query {
        game: &game,
        color,
        purpose: Purpose::Analysis,
        visits: None,
        deadlines: None,
        filter: &options.filter,
        stop: &|| end.is_raised() || is_closed.load(Ordering::Relaxed),
        resign_below: 0.0,
        pace: Some(options.interval.into()),
    };
    let report = session.engine.search(&query, &mut |report| {
        if call.stream(&line(style, &options, &game, &showing(report))).is_err() {
            is_closed.store(true, Ordering::Relaxed);
        }
    });
    if !is_closed.into_inner() {
        call.stream(&line(style, &options, &game, &showing(&report)))?;
        // The search may have nothing more to find out; the analysis still lasts until it is ended.
        end.wait(Duration::MAX);
    }
    session.keep(&game, &options.filter, report);
    session.awaiting_answer = false;
    Ok(String::new())
}

/// Chooses a move; `play VERTEX` follows the lines.
fn choose<G: Game>(
    session: &mut Session<G>,
    call: &mut Call,
    style: Style,
    manner: Manner,
) -> Reply {
    let (options, game) = asked(session, call)?;
    call.stream("")?;
    let showing = session.engine.showing(&game, options.color);
    let interval = Some(options.interval);
    let streamed = Streamed { filter: options.filter.clone(), interval, is_told_at_end: true };
    let chosen = genmove::choose(session, call, options.color, manner, &streamed, |report| {
        line(style, &options, &game, &showing(report))
    })?;
    Ok(format!("play {chosen}"))
}
