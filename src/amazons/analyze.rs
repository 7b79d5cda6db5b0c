//! Analysis: what `lz-analyze` and its relatives tell of a search. What can be told after `move` is the point to play
//! next; the rest of the turn and the turns expected after it follow in `pv`.

use std::time::{Duration, Instant};

use amazons_engine::game::Stage;
use amazons_engine::search::{Control, Progress, Proven, SearchLimits};
use amazons_engine::{Color, Game, Square};

use super::Amazons;
use super::moves::{self, steps_left};
use super::words::{self, vertex};
use crate::gtp::analysis::{self, Finding, Style};
use crate::gtp::{Args, Call, Commands, Failure, Reply};
use crate::siblings::Purpose;

pub(super) fn register(commands: &mut Commands<Amazons>) {
    commands
        .add("lz-analyze", |session, call| analyze(session, call, Style::Leela))
        .add("kata-analyze", |session, call| analyze(session, call, Style::Kata))
        .add("lz-genmove_analyze", |session, call| genmove_analyze(session, call, Style::Leela))
        .add("kata-genmove_analyze", |session, call| genmove_analyze(session, call, Style::Kata));
}

type Options = analysis::Options<Square>;

fn options(args: &mut Args<'_>, to_move: Color) -> Result<Options, Failure> {
    Options::parse(args, to_move, words::read_squares)
}

/// Runs until anything comes in.
fn analyze(session: &mut Amazons, call: &mut Call, style: Style) -> Reply {
    let options = options(&mut call.args, session.game.position().to_move())?;
    let end = call.new_input();
    // Says at once that the command is understood, before anything is found.
    call.stream("")?;
    let mut game = session.game.clone();
    let color = options.color;
    if game.stage() == Stage::From && game.position().to_move() != color {
        game.set_to_move(color);
    }
    let side = game.position().to_move();
    let mut closed = false;
    let mut next = Instant::now() + options.interval;
    let progress = session.searcher.search(&game, &SearchLimits::default(), &mut |look| {
        if Instant::now() >= next {
            closed |= call.stream(&line(style, &options, &game, &look())).is_err();
            next = Instant::now() + options.interval;
        }
        if end.is_raised() || closed { Control::Stop } else { Control::Continue }
    });
    if !closed {
        call.stream(&line(style, &options, &game, &progress))?;
        // The search may have nothing more to find out; the analysis still lasts until it is ended.
        end.wait(Duration::from_secs(u64::from(u32::MAX)));
    }
    session.found = Some((side, progress));
    session.awaiting_answer = false;
    Ok(String::new())
}

/// Chooses and makes a move; `play VERTEX` follows the lines.
fn genmove_analyze(session: &mut Amazons, call: &mut Call, style: Style) -> Reply {
    let options = options(&mut call.args, session.game.position().to_move())?;
    call.stream("")?;
    let color = options.color;
    let interval = Some(options.interval);
    let write = |game: &Game, progress: &Progress| line(style, &options, game, progress);
    let chosen = moves::choose(session, call, color, Purpose::Play, interval, write)?;
    Ok(format!("play {chosen}"))
}

/// One line about all moves.
fn line(style: Style, options: &Options, game: &Game, progress: &Progress) -> String {
    let findings = progress.choices.iter().map(|choice| Finding {
        points: steps_left(game.stage(), choice.mv),
        any_order: false,
        after: choice.line.iter().skip(1).flat_map(|mv| [mv.from, mv.to, mv.arrow]).collect(),
        visits: choice.visits,
        searched: choice.visits > 0 || choice.fate != Proven::Unknown,
        certain: choice.fate != Proven::Unknown,
        chance: choice.chance,
        prior: choice.prior,
    });
    analysis::line(style, options, findings, (progress.visits, progress.chance), vertex)
}
