//! The runner's own clock, and how programs are told of it in the commands that they know.

use std::time::Duration;

use game_core::time::{self, TimeControl, TimeLeft};

use super::arbiter::Color;

/// Both players' clocks, kept by the runner: it decides who has lost on time.
#[derive(Clone, Debug)]
pub struct Clock(time::Clock);

impl Clock {
    /// Clocks at the beginning of a game; none when there is no limit.
    pub fn new(control: TimeControl) -> Option<Clock> {
        (control != TimeControl::Unlimited).then(|| Clock(time::Clock::new(control)))
    }

    /// The longest the next move of `color` may take.
    pub fn limit(&self, color: Color) -> Duration {
        self.0.longest_move(color).unwrap_or(Duration::MAX)
    }

    /// What the clock of `color` shows.
    pub fn left(&self, color: Color) -> TimeLeft {
        self.0.left(color)
    }

    /// Takes the time used for a move. False when it was more than there was: the game is lost.
    ///
    /// `lag` is forgiven: a move over the limit by no more is as if it took exactly the limit.
    pub fn spend(&mut self, color: Color, used: Duration, lag: Duration) -> bool {
        let limit = self.limit(color);
        if used > limit.saturating_add(lag) {
            return false;
        }
        self.0.spend(color, used.min(limit));
        true
    }
}

/// How a program was told of the time control, which decides what `time_left` means to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeDialect {
    /// It knows the time control itself.
    #[default]
    Exact,
    /// It knows no byo-yomi of several periods: all periods but the last are main time to it.
    OnePeriod,
}

/// The commands that tell a program of the time control, the best first, among those that it `knows`.
///
/// Every program knows `time_settings`, which has absolute time and Canadian overtime, of which byo-yomi of one period
/// is one kind. KGS's command has byo-yomi of several periods as well, KataGo's also Fischer's clock and fractions of a
/// second. Where nothing else is left `time_settings` promises less than there is, never more.
pub fn time_commands(
    control: &TimeControl,
    knows: impl Fn(&str) -> bool,
) -> Vec<(String, TimeDialect)> {
    let plain = |main: Duration, period: Duration, stones: u32| {
        format!("time_settings {} {} {stones}", main.as_secs(), period.as_secs())
    };
    let plain = match *control {
        TimeControl::Unlimited => return Vec::new(),
        TimeControl::Absolute { main } | TimeControl::Fischer { main, .. } => {
            (plain(main, Duration::ZERO, 0), TimeDialect::Exact)
        }
        TimeControl::Canadian { main, period, stones } => {
            (plain(main, period, stones), TimeDialect::Exact)
        }
        TimeControl::ByoYomi { main, period, periods: 1 } => {
            (plain(main, period, 1), TimeDialect::Exact)
        }
        TimeControl::ByoYomi { main, period, periods } => (
            plain(main.saturating_add(period.saturating_mul(periods - 1)), period, 1),
            TimeDialect::OnePeriod,
        ),
    };
    let kata = (format!("kata-time_settings {control}"), TimeDialect::Exact);
    let kgs = (format!("kgs-time_settings {}", in_whole_seconds(control)), TimeDialect::Exact);
    let commands = match control {
        TimeControl::Fischer { .. } => vec![kata, plain],
        TimeControl::ByoYomi { periods: 2.., .. } if in_whole_seconds(control) == *control => {
            vec![kgs, kata, plain]
        }
        TimeControl::ByoYomi { periods: 2.., .. } => vec![kata, kgs, plain],
        _ if in_whole_seconds(control) == *control => vec![plain, kgs, kata],
        _ => vec![kata, plain, kgs],
    };
    let known = |(command, _): &(String, _)| command.split(' ').next().is_some_and(&knows);
    commands.into_iter().filter(known).collect()
}

/// The time control rounded down, so that nobody counts on more than there is.
fn in_whole_seconds(control: &TimeControl) -> TimeControl {
    let whole = |time: Duration| Duration::from_secs(time.as_secs());
    match *control {
        TimeControl::Unlimited => TimeControl::Unlimited,
        TimeControl::Absolute { main } => TimeControl::Absolute { main: whole(main) },
        TimeControl::ByoYomi { main, period, periods } => {
            TimeControl::ByoYomi { main: whole(main), period: whole(period), periods }
        }
        TimeControl::Canadian { main, period, stones } => {
            TimeControl::Canadian { main: whole(main), period: whole(period), stones }
        }
        TimeControl::Fischer { main, increment, max_main, max_move } => TimeControl::Fischer {
            main: whole(main),
            increment: whole(increment),
            max_main: max_main.map(whole),
            max_move: max_move.map(whole),
        },
    }
}

impl Clock {
    /// What `time_left` says for `color` when it has used `used` of its move: seconds, and stones or periods; whole
    /// seconds rounded down as GTP has only integers.
    pub fn time_left(&self, color: Color, used: Duration, dialect: TimeDialect) -> (u64, u32) {
        let control = self.0.control();
        let left = control.during(self.0.left(color), used);
        let (time, number) = match (left, control, dialect) {
            (
                TimeLeft::Main(main),
                TimeControl::ByoYomi { period, periods, .. },
                TimeDialect::OnePeriod,
            ) => (main.saturating_add(period.saturating_mul(periods - 1)), 0),
            (
                TimeLeft::Periods(time, periods @ 2..),
                TimeControl::ByoYomi { period, .. },
                TimeDialect::OnePeriod,
            ) => (time.saturating_add(period.saturating_mul(periods - 2)), 0),
            (TimeLeft::Main(main), ..) => (main, 0),
            (TimeLeft::Stones(time, number) | TimeLeft::Periods(time, number), ..) => {
                (time, number)
            }
        };
        (time.as_secs(), number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn clock(text: &str) -> Clock {
        TimeControl::named(text).ok().and_then(Clock::new).expect("a clock")
    }

    /// What is left after moves of Black's that took so many seconds.
    fn after(text: &str, moves: &[u32]) -> Clock {
        let mut clock = clock(text);
        for &seconds in moves {
            assert!(
                clock.spend(Color::Black, seconds * SECOND, Duration::ZERO),
                "{text} {moves:?}"
            );
        }
        clock
    }

    #[test]
    fn absolute_time_runs_out() {
        let mut clock = after("absolute 10", &[4]);
        let left =
            |clock: &Clock, color| clock.time_left(color, Duration::ZERO, TimeDialect::Exact);
        assert_eq!(left(&clock, Color::Black), (6, 0));
        assert_eq!(left(&clock, Color::White), (10, 0));
        assert!(clock.spend(Color::Black, 6 * SECOND, Duration::ZERO));
        assert_eq!(clock.limit(Color::Black), Duration::ZERO);
        assert!(!clock.spend(Color::Black, SECOND, Duration::ZERO));
        assert!(clock.spend(Color::Black, SECOND, SECOND));
    }

    #[test]
    fn overtime_is_told_in_stones_and_periods() {
        let told = |text: &str, moves: &[u32], used: u32, dialect| {
            after(text, moves).time_left(Color::Black, used * SECOND, dialect)
        };
        let exact = |text, moves, used| told(text, moves, used, TimeDialect::Exact);
        assert_eq!(exact("canadian 10 6 3", &[12], 0), (4, 2));
        assert_eq!(exact("canadian 10 6 3", &[12, 3], 0), (1, 1));
        assert_eq!(exact("canadian 10 6 3", &[12, 3, 1], 0), (6, 3));
        assert_eq!(exact("byoyomi 0 5 1", &[4], 0), (5, 1));
        assert_eq!(exact("byoyomi 10 5 3", &[4], 0), (6, 0));
        assert_eq!(exact("byoyomi 10 5 3", &[16], 0), (5, 2));
        assert_eq!(exact("byoyomi 10 5 3", &[], 16), (4, 2));
        assert_eq!(exact("fischer 10 5", &[4, 11], 1), (4, 0));
        let plain = |text, moves, used| told(text, moves, used, TimeDialect::OnePeriod);
        assert_eq!(plain("byoyomi 10 5 3", &[4], 0), (16, 0));
        assert_eq!(plain("byoyomi 10 5 3", &[12], 0), (10, 0));
        assert_eq!(plain("byoyomi 10 5 3", &[16], 0), (5, 0));
        assert_eq!(plain("byoyomi 10 5 3", &[21], 2), (3, 1));
    }

    #[test]
    fn what_is_told_is_never_more_than_there_is() {
        for dialect in [TimeDialect::Exact, TimeDialect::OnePeriod] {
            for used in 0..25 {
                let clock = clock("byoyomi 10 5 3");
                let (seconds, stones) = clock.time_left(Color::Black, used * SECOND, dialect);
                let more = match (dialect, stones) {
                    (_, 0) if dialect == TimeDialect::OnePeriod => 5,
                    (TimeDialect::Exact, 0) => 15,
                    (_, periods) => 5 * (u64::from(periods) - 1),
                };
                let there_is = (clock.limit(Color::Black) - used * SECOND).as_secs();
                assert_eq!(seconds + more, there_is, "{dialect:?} {used}");
            }
        }
    }

    #[test]
    fn programs_are_told_in_the_words_they_know() {
        let told = |text: &str, known: &[&str]| {
            let control = TimeControl::named(text).expect("a time control");
            let first = time_commands(&control, |word| known.contains(&word)).into_iter().next();
            first.map(|(command, dialect)| (command, dialect == TimeDialect::OnePeriod))
        };
        let all = ["time_settings", "kgs-time_settings", "kata-time_settings"];
        let exactly = |text: &str| Some((text.to_string(), false));
        assert_eq!(told("absolute 60", &all), exactly("time_settings 60 0 0"));
        assert_eq!(told("canadian 60 30 5", &all), exactly("time_settings 60 30 5"));
        assert_eq!(told("byoyomi 60 30 1", &all), exactly("time_settings 60 30 1"));
        assert_eq!(told("byoyomi 60 30 3", &all), exactly("kgs-time_settings byoyomi 60 30 3"));
        assert_eq!(told("byoyomi 60 0.5 3", &all), exactly("kata-time_settings byoyomi 60 0.5 3"));
        assert_eq!(told("fischer 60 5", &all), exactly("kata-time_settings fischer 60 5"));
        assert_eq!(told("fischer 60 5", &all[..2]), exactly("time_settings 60 0 0"));
        assert_eq!(
            told("canadian 60 30 5", &all[1..2]),
            exactly("kgs-time_settings canadian 60 30 5")
        );
        let plainly = Some(("time_settings 120 30 1".to_string(), true));
        assert_eq!(told("byoyomi 60 30 3", &all[..1]), plainly);
        assert_eq!(told("byoyomi 60 30 3", &[]), None);
        assert_eq!(told("none", &all), None);
    }
}
