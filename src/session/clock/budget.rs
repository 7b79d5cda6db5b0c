//! How much of the time left a move may take.
//!
//! What every move loses between the controller's clock and ours, the *lag*, is set aside first. In sudden death it is set
//! aside for every move that may still come, since nothing else gives it back; how many those are is decided once a game
//! ([`moves_kept_for`]). What is left then, the *slack*, is shared out among the moves that are expected, alike. So a game
//! that lasts longer than expected slows down to moves that come at once, and is not lost on time.

use std::time::Duration;

use super::{TimeControl, TimeLeft};

/// What the game says about its own future, in turns of the player to move, and how it is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outlook {
    /// Turns that the player has made.
    pub made: u32,
    /// Turns that he will probably still have to think about, this one included.
    pub expected: u32,
    /// Turns that he still has to make in a game that is longer than almost all.
    pub long: u32,
    /// Turns that he still has to make in the longest game there is.
    pub longest: u32,
    /// Answers that a turn takes: its steps, where each is asked for by a command of its own.
    pub answers: u32,
}

/// Time for one move, from when it was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// A search that sees no reason to go on ends here.
    pub soft: Duration,
    /// Every search ends here, whatever it sees. Never less than `soft`.
    pub hard: Duration,
}

/// Time is never shared out among fewer moves than this, since games last longer than expected.
const MIN_MOVES: f64 = 12.0;
/// A difficult move may take so many times its share.
const STRETCH: f64 = 3.0;
/// What one move may take of the slack of all.
const MAX_SHARE: f64 = 0.25;
/// A game that lasts so many times as long as expected is nothing unusual.
const USUAL: f64 = 1.25;
/// The part of the time beyond a usual game's lag that a long game's may take, and the part of all time that the longest
/// game's may.
const LONG_SHARE: f64 = 0.75;
const LONGEST_SHARE: f64 = 0.1;
/// The part of a gain that is used at once, where a move gets more time than it loses.
const GAIN_SHARE: f64 = 0.9;
/// The part of a period that is kept back besides the lag, and its limit in seconds.
const MARGIN: f64 = 0.05;
const MAX_MARGIN: f64 = 0.4;

/// For how many turns to come the lag is set aside, when each of them loses so much of so much time: for a usual game as far
/// as the time goes, for a long one while a quarter of the rest is left to think with, and for the longest there is while
/// that takes a tenth of it.
fn moves_kept_for(time: f64, loss: f64, outlook: &Outlook) -> f64 {
    let possible = if loss > 0.0 { time / loss } else { f64::INFINITY };
    let usual = USUAL * f64::from(outlook.expected);
    let (long, longest) = (f64::from(outlook.long), f64::from(outlook.longest));
    if possible <= usual {
        return possible;
    }
    let long = usual + (LONG_SHARE * (possible - usual)).min((long - usual).max(0.0));
    long.max((LONGEST_SHARE * possible).min(longest))
}

/// For how many turns of a game the lag is set aside, by the clock with which the player began it. What is decided is the
/// last of them, counted from the first turn of the game.
pub(super) fn last_kept_for(
    settings: &TimeControl,
    left: TimeLeft,
    outlook: &Outlook,
    lag: Duration,
) -> f64 {
    let lag = lag.as_secs_f64() * f64::from(outlook.answers.max(1));
    let main = match left {
        TimeLeft::Main(main) => main.as_secs_f64(),
        TimeLeft::Stones(..) | TimeLeft::Periods(..) => 0.0,
    };
    let loss = (lag - increment(settings)).max(0.0);
    f64::from(outlook.made) + moves_kept_for(main, loss, outlook)
}

fn increment(settings: &TimeControl) -> f64 {
    match settings {
        TimeControl::Fischer { increment, .. } => increment.as_secs_f64(),
        _ => 0.0,
    }
}

/// The budget under these settings, none when time is not limited. `last_kept` is what [`last_kept_for`] said at the start.
pub(super) fn budget(
    settings: &TimeControl,
    left: TimeLeft,
    outlook: &Outlook,
    last_kept: f64,
    lag: Duration,
) -> Option<Budget> {
    let lag = lag.as_secs_f64() * f64::from(outlook.answers.max(1));
    let sudden_death = |main: Duration| {
        let kept = (last_kept - f64::from(outlook.made)).max(USUAL * f64::from(outlook.expected));
        sudden_death(main.as_secs_f64(), increment(settings), kept, outlook, lag)
    };
    let (soft, hard) = match (*settings, left) {
        (TimeControl::Unlimited, _) => return None,
        (_, TimeLeft::Periods(time, _)) => whole(time.as_secs_f64(), lag),
        (_, TimeLeft::Stones(time, stones)) => shared(time.as_secs_f64(), stones, lag),
        (TimeControl::Absolute { .. }, TimeLeft::Main(main)) => sudden_death(main),
        (TimeControl::Fischer { max_main, max_move, .. }, TimeLeft::Main(main)) => {
            let free = sudden_death(main);
            capped(free, main, increment(settings), lag, (max_main, max_move))
        }
        (TimeControl::ByoYomi { period, .. }, TimeLeft::Main(main)) => {
            let (main_time, period) = (main.as_secs_f64(), period.as_secs_f64());
            let (each, end) = (whole(period, lag).0, whole(main_time + period, lag).1);
            // A period that is shorter than the lag is no time at all.
            let has_overtime = each > 0.0;
            if has_overtime {
                before_overtime(main_time, outlook, each, end)
            } else {
                sudden_death(main)
            }
        }
        (TimeControl::Canadian { period, stones, .. }, TimeLeft::Main(main)) => {
            let (each, _) = shared(period.as_secs_f64(), stones, lag);
            let main_time = main.as_secs_f64();
            let end = (main_time + each - lag).max(0.0);
            if each > 0.0 {
                before_overtime(main_time, outlook, each, end)
            } else {
                sudden_death(main)
            }
        }
    };
    let soft = Duration::from_secs_f64(soft.max(0.0));
    Some(Budget { soft, hard: Duration::from_secs_f64(hard.max(0.0)).max(soft) })
}

/// Main time that no overtime follows. It grows with each move where there is an increment.
fn sudden_death(main: f64, increment: f64, kept: f64, outlook: &Outlook, lag: f64) -> (f64, f64) {
    let (loss, gain) = ((lag - increment).max(0.0), (increment - lag).max(0.0));
    // The increment comes after the move, so that the lag before the last must be there.
    let slack = (main - loss * kept - lag.min(increment)).max(0.0);
    let share = slack / f64::from(outlook.expected).max(MIN_MOVES) + GAIN_SHARE * gain;
    let soft = share.min(slack / 2.0);
    (soft, (soft * STRETCH).min(slack * MAX_SHARE + gain).min(slack / 2.0))
}

/// The same where neither the main time after a move nor the time of a move may be more than a limit.
fn capped(
    (soft, hard): (f64, f64),
    main: Duration,
    increment: f64,
    lag: f64,
    (max_main, max_move): (Option<Duration>, Option<Duration>),
) -> (f64, f64) {
    // What would be cut off the main time after the move is better used, and not needed for later ones.
    let lost = max_main.map_or(0.0, |max| main.as_secs_f64() + increment - lag - max.as_secs_f64());
    let lost = lost.min((main.as_secs_f64() - lag) / 2.0).max(0.0);
    let limit = max_move.map_or(f64::INFINITY, |max| whole(max.as_secs_f64(), lag).1);
    (soft.max(lost).min(limit), hard.max(lost).min(limit))
}

/// Time that is lost when it is not used: all of it but the lag and a margin.
fn whole(time: f64, lag: f64) -> (f64, f64) {
    let limit = (time - lag - (time * MARGIN).min(MAX_MARGIN)).max(0.0);
    (limit, limit)
}

/// Time for several stones: a share, or more if half a share stays for each of the rest.
fn shared(time: f64, stones: u32, lag: f64) -> (f64, f64) {
    if stones <= 1 {
        return whole(time, lag);
    }
    let stones = f64::from(stones);
    let slack = (time - lag * stones - (time * MARGIN).min(MAX_MARGIN)).max(0.0);
    let share = slack / stones;
    (share, (share * STRETCH).min(slack - share / 2.0 * (stones - 1.0)))
}

/// Main time with overtime behind it, which is of no use once the game is over: a share of it beside what a move in overtime
/// gets (`each`), but never beyond `end`.
fn before_overtime(main: f64, outlook: &Outlook, each: f64, end: f64) -> (f64, f64) {
    let share = main / f64::from(outlook.expected).max(MIN_MOVES);
    let soft = (each + share).min(end);
    (soft, (soft * STRETCH).min(end))
}
