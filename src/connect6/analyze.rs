//! Analysis: what `lz-analyze` and its relatives tell of a search.

use std::time::Duration;

use connect6_engine::search::{Control, Progress, Proven, SearchLimits};
use connect6_engine::{Color, Point};

use super::Connect6;
use super::moves;
use super::words::{self, vertex};
use crate::gtp::analysis::{self, Finding, Style};
use crate::gtp::{Args, Call, Commands, Failure, Reply};
use crate::siblings::Purpose;

pub(super) fn register(commands: &mut Commands<Connect6>) {
    commands
        .add("lz-analyze", |session, call| analyze(session, call, Style::Leela))
        .add("kata-analyze", |session, call| analyze(session, call, Style::Kata))
        .add("lz-genmove_analyze", |session, call| genmove_analyze(session, call, Style::Leela))
        .add("kata-genmove_analyze", |session, call| genmove_analyze(session, call, Style::Kata));
}

type Options = analysis::Options<Point>;

fn options(args: &mut Args<'_>, to_move: Color) -> Result<Options, Failure> {
    Options::parse(args, to_move, words::read_vertices)
}

/// Runs until anything comes in.
fn analyze(session: &mut Connect6, call: &mut Call, style: Style) -> Reply {
    let options = options(&mut call.args, session.game.to_move().color)?;
    let end = call.new_input();
    // Says at once that the command is understood, before anything is found.
    call.stream("")?;
    let mut game = session.game.clone();
    game.set_to_move(options.color);
    let mut closed = false;
    let mut next = std::time::Instant::now() + options.interval;
    let progress = session.searcher.search(&game, &SearchLimits::default(), &mut |look| {
        if std::time::Instant::now() >= next {
            closed |= call.stream(&line(style, &options, &look())).is_err();
            next = std::time::Instant::now() + options.interval;
        }
        if end.is_raised() || closed { Control::Stop } else { Control::Continue }
    });
    if !closed {
        call.stream(&line(style, &options, &progress))?;
        // The search may have nothing more to find out; the analysis still lasts until it is ended.
        end.wait(Duration::from_secs(u64::from(u32::MAX)));
    }
    session.found = Some((options.color, progress));
    session.awaiting_answer = false;
    Ok(String::new())
}

/// Chooses and makes a move; `play VERTEX` follows the lines.
fn genmove_analyze(session: &mut Connect6, call: &mut Call, style: Style) -> Reply {
    let options = options(&mut call.args, session.game.to_move().color)?;
    call.stream("")?;
    let write = |progress: &Progress| line(style, &options, progress);
    let chosen =
        moves::choose(session, call, options.color, Purpose::Play, Some(options.interval), write)?;
    Ok(format!("play {chosen}"))
}

/// One line about all turns.
fn line(style: Style, options: &Options, progress: &Progress) -> String {
    let findings = progress.choices.iter().map(|choice| Finding {
        points: choice.turn.stones().collect(),
        any_order: true,
        after: choice.line.iter().skip(1).flat_map(|turn| turn.stones()).collect(),
        visits: choice.visits,
        searched: choice.visits > 0 || choice.fate != Proven::Unknown,
        certain: choice.fate != Proven::Unknown,
        chance: choice.chance,
        prior: choice.prior,
    });
    analysis::line(style, options, findings, (progress.visits, progress.chance), vertex)
}
