//! The clocks of a game on the page, which the server keeps.

use std::time::{Duration, Instant};

use game_core::time::{Clock, TimeControl, TimeLeft};
use serde_json::{Value, json};

use crate::gtp::Color;

/// Both clocks, of which one may run.
#[derive(Debug, Default)]
pub struct Timer {
    clock: Clock,
    running: Option<(Color, Instant)>,
}

impl Timer {
    /// Full clocks that stand.
    pub fn new(control: TimeControl) -> Timer {
        Timer { clock: Clock::new(control), running: None }
    }

    /// Whether there is a limit.
    pub fn is_limited(&self) -> bool {
        *self.clock.control() != TimeControl::Unlimited
    }

    /// Lets a player's clock run, unless it does; nobody's to let them stand.
    pub fn run(&mut self, color: Option<Color>) {
        let color = color.filter(|_| self.is_limited());
        if self.running.map(|running| running.0) == color {
            return;
        }
        if let Some((before, began)) = self.running.take() {
            // Whoever is interrupted has not moved: no increment, no new period.
            let left = self.clock.control().during(self.clock.left(before), began.elapsed());
            self.clock.put(before, left);
        }
        self.running = color.map(|color| (color, Instant::now()));
    }

    /// The player has moved: the clock stands, and has what follows a move.
    pub fn moved(&mut self, color: Color) {
        if let Some((_, began)) = self.running.take_if(|running| running.0 == color) {
            self.clock.spend(color, began.elapsed());
        }
    }

    /// How long until the running clock has nothing left; none where none runs.
    pub fn until_flag(&self) -> Option<Duration> {
        let (color, began) = self.running?;
        Some(self.clock.longest_move(color)?.saturating_sub(began.elapsed()))
    }

    /// Who has no time left.
    pub fn flagged(&self) -> Option<Color> {
        self.running.map(|running| running.0).filter(|_| self.until_flag() == Some(Duration::ZERO))
    }

    /// Whether a player has no time for another move.
    pub fn is_used_up(&self) -> bool {
        let nothing = Some(Duration::ZERO);
        Color::BOTH.into_iter().any(|color| self.clock.longest_move(color) == nothing)
    }

    /// What a player has left now.
    fn left(&self, color: Color) -> TimeLeft {
        let used = self.running.filter(|running| running.0 == color);
        let used = used.map_or(Duration::ZERO, |running| running.1.elapsed());
        self.clock.control().during(self.clock.left(color), used)
    }

    /// What GTP's `time_left` tells of a player.
    pub fn time_left(&self, color: Color) -> String {
        let (time, stones) = match self.left(color) {
            TimeLeft::Main(time) => (time, 0),
            TimeLeft::Stones(time, stones) | TimeLeft::Periods(time, stones) => (time, stones),
        };
        format!("time_left {} {:.2} {stones}", color.letter(), time.as_secs_f64())
    }

    /// The clocks as a page shows them; nothing without a limit.
    pub fn json(&self) -> Value {
        if !self.is_limited() {
            return Value::Null;
        }
        let left = |color| {
            let (kind, time, count) = match self.left(color) {
                TimeLeft::Main(time) => ("main", time, 0),
                TimeLeft::Stones(time, count) => ("stones", time, count),
                TimeLeft::Periods(time, count) => ("periods", time, count),
            };
            json!({"kind": kind, "seconds": time.as_secs_f64(), "count": count})
        };
        let overtime = match self.clock.control() {
            TimeControl::ByoYomi { period, periods, .. } => (period.as_secs_f64(), *periods),
            TimeControl::Canadian { period, stones, .. } => (period.as_secs_f64(), *stones),
            _ => (0.0, 0),
        };
        json!({
            "control": self.clock.control().to_string(),
            "left": Color::BOTH.map(left),
            "overtime": overtime,
            "running": self.running.map(|running| running.0.letter()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_move_gives_a_new_period() {
        let control = TimeControl::named("byoyomi 0 0.05 2").unwrap();
        let mut timer = Timer::new(control);
        timer.run(Some(Color::Black));
        assert!(timer.until_flag().is_some_and(|left| left <= Duration::from_millis(100)));
        std::thread::sleep(Duration::from_millis(60));
        timer.run(None);
        assert!(
            matches!(timer.left(Color::Black), TimeLeft::Periods(left, 1) if left < Duration::from_millis(50))
        );
        timer.run(Some(Color::Black));
        timer.moved(Color::Black);
        assert_eq!(timer.left(Color::Black), TimeLeft::Periods(Duration::from_millis(50), 1));
        timer.run(Some(Color::Black));
        std::thread::sleep(Duration::from_millis(60));
        assert_eq!((timer.flagged(), timer.is_used_up()), (Some(Color::Black), false));
        timer.run(None);
        assert!(timer.is_used_up());
        assert_eq!(timer.time_left(Color::White), "time_left w 0.05 2");
    }

    #[test]
    fn without_a_limit_no_clock_runs() {
        let mut timer = Timer::default();
        timer.run(Some(Color::White));
        assert!(timer.json().is_null() && timer.flagged().is_none());
    }
}
