//! How much of the time left a move may take.

use std::time::Duration;

use super::{TimeControl, TimeLeft};

/// What the game says about its own future.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outlook {
    /// Moves that the player will probably still have to make, this one included.
    pub own_moves: u32,
}

/// Time for one move.
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
/// The part of a period that is kept back besides the lag, and its limit in seconds.
const MARGIN: f64 = 0.05;
const MARGIN_LIMIT: f64 = 0.4;

/// The budget under these settings, none when time is not limited.
pub(super) fn budget(
    settings: &TimeControl,
    left: TimeLeft,
    outlook: Outlook,
    lag: Duration,
) -> Option<Budget> {
    let moves = f64::from(outlook.own_moves).max(MIN_MOVES);
    let lag = lag.as_secs_f64();
    let (soft, hard) = match (*settings, left) {
        (TimeControl::Unlimited, _) => return None,
        (_, TimeLeft::Periods(time, _)) => whole(time, lag),
        (_, TimeLeft::Stones(time, stones)) => shared(time, stones, lag),
        (TimeControl::ByoYomi { period, .. }, TimeLeft::Main(main)) => {
            before_overtime(main, moves, lag, whole(period, lag).0, whole(main + period, lag).0)
        }
        (TimeControl::Canadian { period, stones, .. }, TimeLeft::Main(main)) => {
            let share = shared(period, stones, lag).0;
            let end = main.as_secs_f64() + share;
            before_overtime(main, moves, lag, share, end)
        }
        (TimeControl::Absolute { .. }, TimeLeft::Main(main)) => {
            let usable = usable(main, moves, lag);
            let soft = usable / moves;
            (soft, (soft * STRETCH).min(usable / 4.0))
        }
        (TimeControl::Fischer { increment, .. }, TimeLeft::Main(main)) => {
            let gain = (increment.as_secs_f64() * 0.9 - lag).max(0.0);
            let usable = usable(main, moves, lag);
            let soft = (usable / moves + gain).min(usable / 2.0);
            (soft, (soft * STRETCH).min(usable / 2.0))
        }
    };
    let soft = Duration::from_secs_f64(soft.max(0.0));
    Some(Budget { soft, hard: Duration::from_secs_f64(hard.max(0.0)).max(soft) })
}

/// Main time without the lag of the moves to come.
fn usable(main: Duration, moves: f64, lag: f64) -> f64 {
    let main = main.as_secs_f64();
    main - (lag * moves).min(main / 2.0)
}

/// Time that is lost when it is not used: all of it but the lag and a margin.
fn whole(time: Duration, lag: f64) -> (f64, f64) {
    let time = time.as_secs_f64();
    let margin = lag + (time * MARGIN).min(MARGIN_LIMIT);
    let limit = (time - margin).max(time / 2.0);
    (limit, limit)
}

/// Time for several stones: a share, or more if enough stays for the rest.
fn shared(time: Duration, stones: u32, lag: f64) -> (f64, f64) {
    if stones <= 1 {
        return whole(time, lag);
    }
    let stones = f64::from(stones);
    let share = usable(time, stones, lag) / stones;
    let kept_for_each = (share / 2.0).max(3.0 * lag).min(share);
    (share, (share * STRETCH).min(share * stones - kept_for_each * (stones - 1.0)))
}

/// Main time with overtime behind it: at least what overtime would give (`each`), since main time
/// is of no use once the game is over, but never beyond `end`.
fn before_overtime(main: Duration, moves: f64, lag: f64, each: f64, end: f64) -> (f64, f64) {
    let soft = (usable(main, moves, lag) / moves).max(each).min(end);
    (soft, (soft * STRETCH).min(end))
}

#[cfg(test)]
mod tests {
    use super::super::Clock;
    use super::*;
    use crate::gtp::Color;

    fn clock(settings: &str) -> Clock {
        Clock::new(TimeControl::named(settings).unwrap())
    }

    /// Plays `moves` moves that each take the whole hard limit and `lag` more; the least that was
    /// ever left, in seconds.
    fn min_left(settings: &str, moves: u32, lag: f64) -> f64 {
        let mut clock = clock(settings);
        let mut min = f64::INFINITY;
        for number in 0..moves {
            let outlook = Outlook { own_moves: 30u32.saturating_sub(number) };
            let budget = clock.budget(Color::Black, outlook).unwrap();
            assert!(budget.soft <= budget.hard);
            let used = budget.hard + Duration::from_secs_f64(lag);
            let limit = match (clock.left(Color::Black), clock.control()) {
                (TimeLeft::Main(main), TimeControl::ByoYomi { period, .. }) => main + *period,
                (TimeLeft::Main(main), TimeControl::Canadian { period, .. }) => main + *period,
                (TimeLeft::Main(time), _) => time,
                (TimeLeft::Stones(time, _) | TimeLeft::Periods(time, _), _) => time,
            };
            min = min.min(limit.as_secs_f64() - used.as_secs_f64());
            clock.spend(Color::Black, used);
        }
        min
    }

    #[test]
    fn time_never_runs_out() {
        for settings in [
            "absolute 60",
            "absolute 600",
            "byoyomi 10 5 3",
            "byoyomi 0 1 1",
            "byoyomi 0 30 5",
            "byoyomi 600 0.5 1",
            "canadian 0 30 10",
            "canadian 60 30 1",
            "canadian 5 300 25",
            "fischer 5 1",
            "fischer 60 5",
        ] {
            let left = min_left(settings, 200, 0.0);
            assert!(left > 0.0, "{settings}: {left} s");
        }
        for settings in ["byoyomi 10 5 3", "byoyomi 0 1 1", "canadian 0 30 10", "fischer 5 1"] {
            let left = min_left(settings, 200, 0.1);
            assert!(left > 0.0, "{settings}, everything 0.1 s late: {left} s");
        }
    }

    #[test]
    fn byoyomi_is_used_and_kept_to_the_tenth() {
        for period in [1.0, 5.0, 10.0, 30.0] {
            let clock = clock(&format!("byoyomi 0 {period} 3"));
            let budget = clock.budget(Color::White, Outlook { own_moves: 50 }).unwrap();
            let hard = budget.hard.as_secs_f64();
            assert!(hard <= period - 0.1 && hard >= period * 0.85, "{hard} of {period}");
        }
    }

    #[test]
    fn no_limit_and_no_time() {
        let outlook = Outlook { own_moves: 30 };
        assert_eq!(Clock::default().budget(Color::Black, outlook), None);
        let none = Clock::new(TimeControl::gtp(0.0, 0.0, 0).unwrap());
        let zero = Budget { soft: Duration::ZERO, hard: Duration::ZERO };
        assert_eq!(none.budget(Color::Black, outlook), Some(zero));
    }

    #[test]
    fn time_left_decides() {
        let mut clock = clock("byoyomi 600 10 3");
        clock.set_left(Color::Black, 4.0, 2).unwrap();
        let budget = clock.budget(Color::Black, Outlook { own_moves: 50 }).unwrap();
        assert!(budget.hard < Duration::from_secs(4));
        clock.set_left(Color::Black, -3.0, 0).unwrap();
        assert!(clock.set_left(Color::Black, f64::NAN, 0).is_err());
    }
}
