//! The runner's own clock: what each player has left, and when it has lost on time.

use std::time::Duration;

use super::judge::Color;
use super::settings::TimeControl;

/// One player's clock.
#[derive(Clone, Copy, Debug)]
struct Side {
    main: Duration,
    /// What is left of the period in progress and of the stones to play in it; `None` while main time runs.
    period: Option<(Duration, u32)>,
}

/// Both players' clocks.
#[derive(Clone, Debug)]
pub struct Clock {
    control: TimeControl,
    sides: [Side; 2],
}

impl Clock {
    /// Clocks at the beginning of a game.
    pub fn new(control: TimeControl) -> Clock {
        let mut side = Side { main: control.main.0, period: None };
        if side.main.is_zero() && control.has_overtime() {
            side.period = Some((control.period.0, control.stones));
        }
        Clock { control, sides: [side; 2] }
    }

    /// The longest the next move of `color` may take.
    pub fn limit(&self, color: Color) -> Duration {
        let side = &self.sides[color.index()];
        match side.period {
            Some((left, _)) => left,
            None if self.control.has_overtime() => side.main + self.control.period.0,
            None => side.main,
        }
    }

    /// What `time_left` says for `color` when it has used `used` of its move: seconds and stones, whole seconds
    /// rounded down as GTP has only integers.
    pub fn left(&self, color: Color, used: Duration) -> (u64, u32) {
        let side = &self.sides[color.index()];
        match side.period {
            Some((left, stones)) => (left.saturating_sub(used).as_secs(), stones),
            None => (side.main.saturating_sub(used).as_secs(), 0),
        }
    }

    /// Seconds left for the record, to the millisecond, and stones left in the period.
    pub fn left_exactly(&self, color: Color) -> (Duration, Option<u32>) {
        let side = &self.sides[color.index()];
        match side.period {
            Some((left, stones)) => (left, Some(stones)),
            None => (side.main, None),
        }
    }

    /// Takes the time used for a move. False when it was more than there was: the game is lost.
    ///
    /// `lag` is forgiven: a move over the limit by no more is as if it took exactly the limit.
    pub fn spend(&mut self, color: Color, used: Duration, lag: Duration) -> bool {
        let limit = self.limit(color);
        if used > limit + lag {
            return false;
        }
        let mut used = used.min(limit);
        let control = self.control;
        let side = &mut self.sides[color.index()];
        let (left, stones) = match side.period {
            Some(period) => period,
            None if used <= side.main && (used < side.main || !control.has_overtime()) => {
                side.main -= used;
                return true;
            }
            None => {
                // Main time ends during this move; what is over counts against the first period.
                used -= side.main;
                side.main = Duration::ZERO;
                (control.period.0, control.stones)
            }
        };
        side.period = Some(match stones {
            0 | 1 => (control.period.0, control.stones),
            _ => (left - used, stones - 1),
        });
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn clock(text: &str) -> Clock {
        Clock::new(text.parse().expect("a time control"))
    }

    #[test]
    fn absolute_time_runs_out() {
        let mut clock = clock("10s");
        assert!(clock.spend(Color::Black, 4 * SECOND, Duration::ZERO));
        assert_eq!(clock.left(Color::Black, Duration::ZERO), (6, 0));
        assert_eq!(clock.left(Color::White, Duration::ZERO), (10, 0));
        assert!(clock.spend(Color::Black, 6 * SECOND, Duration::ZERO));
        assert_eq!(clock.limit(Color::Black), Duration::ZERO);
        assert!(!clock.spend(Color::Black, SECOND, Duration::ZERO));
        assert!(clock.spend(Color::Black, SECOND, SECOND));
    }

    #[test]
    fn canadian_overtime_starts_a_new_period_when_its_stones_are_played() {
        let mut clock = clock("10s+6s/3");
        assert!(clock.spend(Color::White, 12 * SECOND, Duration::ZERO));
        assert_eq!(clock.left(Color::White, Duration::ZERO), (4, 2));
        assert!(clock.spend(Color::White, 3 * SECOND, Duration::ZERO));
        assert_eq!(clock.left(Color::White, Duration::ZERO), (1, 1));
        assert!(clock.spend(Color::White, SECOND, Duration::ZERO));
        assert_eq!(clock.left(Color::White, Duration::ZERO), (6, 3));
        assert!(!clock.spend(Color::White, 7 * SECOND, Duration::ZERO));
    }

    #[test]
    fn without_main_time_the_first_period_runs_at_once() {
        let mut clock = clock("0+5s");
        assert_eq!(clock.left(Color::Black, Duration::ZERO), (5, 1));
        assert!(clock.spend(Color::Black, 4 * SECOND, Duration::ZERO));
        assert_eq!(clock.left(Color::Black, Duration::ZERO), (5, 1));
        assert!(!clock.spend(Color::Black, 6 * SECOND, Duration::ZERO));
    }
}
