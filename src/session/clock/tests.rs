//! The clock against a simulated controller, which loses up to the stated lag with every answer, tells the time as real ones
//! do, and never forgives.

use super::*;
use crate::go::game::outlook;
use proptest::prelude::*;

/// What of its budget a simulated engine takes.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Uses {
    Soft,
    Hard,
    /// Sometimes this, sometimes that.
    Both,
}

/// What the simulated controller says of the time.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Tells {
    Nothing,
    /// As GTP has it, and CGOS: rounded down, 0 below a second.
    WholeSeconds,
    Exactly,
}

/// How much of the stated lag each answer really loses.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Loses {
    Nothing,
    All,
    AtRandom,
    /// All in every seventh answer.
    Bursts,
    /// Nothing in the first thirty moves, all later.
    Late,
}

#[derive(Debug, Clone, Copy)]
struct Game {
    control: TimeControl,
    side: usize,
    lag: f64,
    uses: Uses,
    tells: Tells,
    loses: Loses,
    seed: u64,
}

/// How a simulated game went.
#[derive(Debug, Default)]
struct Played {
    /// Moves made before the time was over.
    moves: u32,
    /// What the engine thought for each of them, in seconds.
    thought: Vec<f64>,
    /// Periods of byo-yomi that were used up.
    lost_periods: u32,
}

impl Game {
    fn named(control: &str, side: usize, lag: f64) -> Game {
        let control = TimeControl::named(control).unwrap();
        let (uses, tells, loses) = (Uses::Hard, Tells::WholeSeconds, Loses::All);
        Game { control, side, lag, uses, tells, loses, seed: 1 }
    }

    /// Plays so many moves, fewer when the time is over.
    fn play(&self, moves: u32) -> Played {
        let mut clock = Clock::new(self.control);
        clock.set_lag(Duration::from_secs_f64(self.lag));
        let mut truth = game_core::time::Clock::new(self.control);
        let (mut played, mut seed) = (Played::default(), self.seed);
        for number in 0..moves {
            let mut random = || {
                seed = game_core::mix64(seed.wrapping_add(game_core::GOLDEN_GAMMA));
                (seed >> 11) as f64 / (1u64 << 53) as f64
            };
            self.tell(&mut clock, truth.left(Color::Black));
            let outlook = outlook(self.side * self.side, 2 * number as usize);
            let budget = clock.budget(Color::Black, &outlook).expect("time is limited");
            assert!(budget.soft <= budget.hard);
            let used = match self.uses {
                Uses::Soft => budget.soft,
                Uses::Hard => budget.hard,
                Uses::Both => budget.soft + (budget.hard - budget.soft).mul_f64(random()),
            };
            let share = match self.loses {
                Loses::Nothing => 0.0,
                Loses::All => 1.0,
                Loses::AtRandom => random(),
                Loses::Bursts => f64::from(u8::from(number % 7 == 6)),
                Loses::Late => f64::from(u8::from(number >= 30)),
            };
            let real = used + Duration::from_secs_f64(self.lag * share);
            if real > truth.longest_move(Color::Black).expect("time is limited") {
                return played;
            }
            let periods = |left: TimeLeft| match left {
                TimeLeft::Periods(_, periods) => Some(periods),
                TimeLeft::Main(_) | TimeLeft::Stones(..) => None,
            };
            let before = periods(truth.left(Color::Black));
            clock.spend(Color::Black, used, Duration::ZERO);
            truth.spend(Color::Black, real);
            if let (Some(before), Some(after)) = (before, periods(truth.left(Color::Black))) {
                played.lost_periods += before - after;
            }
            played.moves += 1;
            played.thought.push(used.as_secs_f64());
        }
        played
    }

    fn tell(&self, clock: &mut Clock, left: TimeLeft) {
        let (time, number) = match left {
            TimeLeft::Main(time) => (time, 0),
            TimeLeft::Stones(time, n) | TimeLeft::Periods(time, n) => (time, n),
        };
        let seconds = match self.tells {
            Tells::Nothing => return,
            Tells::WholeSeconds => time.as_secs_f64().floor(),
            Tells::Exactly => time.as_secs_f64(),
        };
        clock.set_left(Color::Black, seconds, number).unwrap();
    }

    /// How many moves a game may have that is never lost on time, as the documentation says it, when an answer loses so
    /// much more than it gains.
    fn promised(&self, time: f64, loss: f64) -> u32 {
        let start = outlook(self.side * self.side, 0);
        let possible = if loss > 0.0 { time / loss } else { f64::INFINITY };
        let usual = (1.25 * f64::from(start.expected)).min(possible);
        let long = f64::from(start.long).min(0.75 * possible);
        let longest = f64::from(start.longest).min(0.1 * possible);
        // A hair less, as sums of fractions of seconds are not exact.
        (usual.max(long).max(longest) - 1e-6).floor().max(0.0) as u32
    }
}

fn games(control: impl Strategy<Value = TimeControl>) -> impl Strategy<Value = Game> {
    let uses = prop_oneof![Just(Uses::Soft), Just(Uses::Hard), Just(Uses::Both)];
    let tells = prop_oneof![Just(Tells::Nothing), Just(Tells::WholeSeconds), Just(Tells::Exactly)];
    let loses = prop_oneof![
        Just(Loses::Nothing),
        Just(Loses::All),
        Just(Loses::AtRandom),
        Just(Loses::Bursts),
        Just(Loses::Late)
    ];
    let lag = prop_oneof![Just(0.0), Just(0.1), Just(0.5), 0.0..=0.5f64];
    let side = prop_oneof![Just(9usize), Just(13), Just(19), 2usize..=25];
    (control, side, lag, uses, tells, loses, any::<u64>()).prop_map(
        |(control, side, lag, uses, tells, loses, seed)| Game {
            control,
            side,
            lag,
            uses,
            tells,
            loses,
            seed,
        },
    )
}

/// From a second to two hours, short times as often as long ones, with and without fractions.
fn main_time() -> impl Strategy<Value = Duration> {
    (0.0..=7200f64.ln(), any::<bool>()).prop_map(|(log, is_whole)| {
        let seconds = log.exp();
        Duration::from_secs_f64(if is_whole { seconds.round().max(1.0) } else { seconds })
    })
}

/// The longest game that is tried.
const MOVES: u32 = 400;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn sudden_death_holds_as_long_as_it_is_promised(
        game in games(main_time().prop_map(|main| TimeControl::Absolute { main })),
    ) {
        let played = game.play(MOVES);
        let main = game.control.main().as_secs_f64();
        let promised = game.promised(main, game.lag).min(MOVES);
        prop_assert!(played.moves >= promised, "{} of {promised}", played.moves);
        // Nobody plays on when the lag alone has taken everything.
        if game.loses == Loses::All && game.lag > 0.0 {
            prop_assert!(f64::from(played.moves) <= main / game.lag + 1e-6);
        }
    }

    #[test]
    fn fischer_never_runs_out_where_a_move_gains(
        game in games((main_time(), 0.05..30f64).prop_map(|(main, increment)| {
            TimeControl::fischer(main, Duration::from_secs_f64(increment))
        })),
    ) {
        let played = game.play(MOVES);
        let TimeControl::Fischer { main, increment, .. } = game.control else { unreachable!() };
        let (main, increment) = (main.as_secs_f64(), increment.as_secs_f64());
        let promised = match game.lag > increment {
            true => game.promised(main - increment, game.lag - increment),
            false => MOVES,
        };
        prop_assert!(played.moves >= promised.min(MOVES), "{} of {promised}", played.moves);
    }

    #[test]
    fn capped_fischer_is_kept_to_its_limits(
        game in games((main_time(), 1.0..30f64, 1.0..4f64, 1.0..60f64, 0u8..4).prop_map(
            |(main, increment, more, longest, limits)| TimeControl::Fischer {
                main,
                increment: Duration::from_secs_f64(increment),
                max_main: (limits & 1 > 0).then(|| main.mul_f64(more)),
                max_move: (limits & 2 > 0).then(|| Duration::from_secs_f64(longest)),
            },
        )),
    ) {
        prop_assert_eq!(game.play(MOVES).moves, MOVES);
    }

    #[test]
    fn byoyomi_loses_no_period(
        game in games((main_time(), 0.2..60f64, 1u32..6, any::<bool>()).prop_map(
            |(main, period, periods, has_main)| {
                let main = if has_main { main } else { Duration::ZERO };
                TimeControl::ByoYomi { main, period: Duration::from_secs_f64(period), periods }
            },
        )),
    ) {
        let TimeControl::ByoYomi { period, .. } = game.control else { unreachable!() };
        prop_assume!(period.as_secs_f64() > game.lag);
        let played = game.play(MOVES);
        prop_assert_eq!((played.moves, played.lost_periods), (MOVES, 0));
    }

    #[test]
    fn canadian_overtime_suffices_for_its_stones(
        game in games((main_time(), 1.0..600f64, 1u32..40, any::<bool>()).prop_map(
            |(main, period, stones, has_main)| {
                let main = if has_main { main } else { Duration::ZERO };
                TimeControl::Canadian { main, period: Duration::from_secs_f64(period), stones }
            },
        )),
    ) {
        let TimeControl::Canadian { main, period, stones } = game.control else { unreachable!() };
        prop_assume!(period.as_secs_f64() > game.lag * f64::from(stones));
        // Whoever is not told does not know which stone was the first in overtime.
        prop_assume!(game.tells != Tells::Nothing || game.loses == Loses::All || main.is_zero());
        prop_assert_eq!(game.play(MOVES).moves, MOVES);
    }
}

/// What can be played at all, when every answer loses the lag: main time and lag, the moves that are possible, and those
/// that are made on 9x9 and on 19x19 by an engine that takes all it may.
#[test]
fn short_clocks_are_played_nearly_as_long_as_they_can_be() {
    for (main, lag, possible, at_least) in [
        // 400 moves of half a second do not fit: moves come at once, as long as they can.
        (1, 0.5, 2, [2, 2]),
        (5, 0.1, 50, [46, 50]),
        (10, 0.1, 100, [80, 100]),
        (30, 0.1, 300, [80, 248]),
        (60, 0.1, 600, [80, 248]),
        (400, 0.1, 4000, [400, 400]),
    ] {
        for (side, at_least) in [9, 19].into_iter().zip(at_least) {
            for tells in [Tells::Nothing, Tells::WholeSeconds, Tells::Exactly] {
                let game = Game { tells, ..Game::named(&format!("absolute {main}"), side, lag) };
                let played = game.play(MOVES);
                let range = at_least..=possible;
                assert!(range.contains(&played.moves), "{game:?}: {}", played.moves);
            }
        }
    }
}

#[test]
fn time_is_used_and_early_moves_get_their_share() {
    // Main time, side, own moves of the game, the shares of the main time that the game should take at least and at most
    // when nothing is lost, and the greatest share of the average that the first move may fall below.
    for (main, side, moves, used, first) in [
        (5, 9, 35, 0.35..0.9, 0.1),
        (10, 9, 35, 0.35..0.9, 0.3),
        (60, 9, 35, 0.6..0.95, 0.6),
        (300, 9, 35, 0.6..0.95, 0.7),
        (30, 19, 125, 0.35..0.9, 0.1),
        (300, 19, 125, 0.7..0.95, 0.6),
        (1800, 19, 125, 0.8..0.97, 0.8),
    ] {
        let game = Game {
            uses: Uses::Soft,
            loses: Loses::Nothing,
            ..Game::named(&format!("absolute {main}"), side, 0.1)
        };
        let thought = game.play(moves).thought;
        let all: f64 = thought.iter().sum();
        let share = all / f64::from(main);
        assert!(used.contains(&share), "{main} s on {side}x{side}: {share} of it is used");
        let average = all / f64::from(moves);
        assert!(
            thought[0] >= first * average,
            "{main} s on {side}x{side}: {} {average}",
            thought[0]
        );
        assert!(
            thought.iter().all(|&t| t <= 3.0 * average),
            "{main} s on {side}x{side}: {thought:?}"
        );
    }
}

#[test]
fn byoyomi_is_used_and_kept_to_the_tenth() {
    for period in [1.0, 5.0, 10.0, 30.0] {
        let control = TimeControl::named(&format!("byoyomi 0 {period} 3")).unwrap();
        let mut clock = Clock::new(control);
        let budget = clock.budget(Color::White, &outlook(361, 20)).unwrap();
        let hard = budget.hard.as_secs_f64();
        assert!(hard <= period - 0.1 && hard >= period * 0.85, "{hard} of {period}");
    }
}

#[test]
fn what_a_cap_would_cut_off_is_used() {
    let budget = |settings: &str| {
        let mut clock = Clock::new(TimeControl::named(settings).unwrap());
        clock.budget(Color::Black, &outlook(361, 0)).unwrap()
    };
    let free = budget("fischer 60 10");
    assert_eq!(free, budget("fischer-capped 60 10 -1 -1"));
    assert_eq!(free, budget("fischer-capped 60 10 600 -1"));
    // An answer at once would leave 69.9 s, of which 9.9 are cut off.
    let capped = budget("fischer-capped 60 10 60 -1");
    assert!(capped.soft >= Duration::from_millis(9900), "{capped:?}");
    // No move may take longer than five seconds, the lag and a margin among them.
    let limited = budget("fischer-capped 6000 10 -1 5");
    let limit = Duration::from_millis(4650);
    assert_eq!(limited, Budget { soft: limit, hard: limit });
}

#[test]
fn no_limit_and_no_time() {
    let outlook = outlook(361, 0);
    assert_eq!(Clock::default().budget(Color::Black, &outlook), None);
    let mut none = Clock::new(TimeControl::gtp(0.0, 0.0, 0).unwrap());
    let zero = Budget { soft: Duration::ZERO, hard: Duration::ZERO };
    assert_eq!(none.budget(Color::Black, &outlook), Some(zero));
}

#[test]
fn time_left_decides() {
    let mut clock = Clock::new(TimeControl::named("byoyomi 600 10 3").unwrap());
    clock.set_left(Color::Black, 4.0, 2).unwrap();
    let budget = clock.budget(Color::Black, &outlook(361, 100)).unwrap();
    assert!(budget.hard < Duration::from_secs(4));
    clock.set_left(Color::Black, -3.0, 0).unwrap();
    assert!(clock.set_left(Color::Black, f64::NAN, 0).is_err());
}

#[test]
fn what_is_told_in_whole_seconds_is_known_better() {
    let mut clock = Clock::new(TimeControl::named("absolute 10").unwrap());
    let main = |clock: &Clock| match clock.left(Color::Black) {
        TimeLeft::Main(time) => time.as_secs_f64(),
        left => panic!("{left:?}"),
    };
    clock.spend(Color::Black, Duration::from_millis(300), Duration::ZERO);
    clock.set_left(Color::Black, 9.0, 0).unwrap();
    assert!((main(&clock) - 9.6).abs() < 1e-6, "the lag counts as lost: {}", main(&clock));
    // The controller gives time back, or the lag was less.
    clock.set_left(Color::Black, 9.9, 0).unwrap();
    assert!((main(&clock) - 9.9).abs() < 1e-6);
    // CGOS below a second.
    clock.set_left(Color::Black, 0.6, 0).unwrap();
    clock.set_left(Color::Black, 0.0, 0).unwrap();
    assert!((main(&clock) - 0.6).abs() < 1e-6);
}

#[test]
fn a_lag_that_is_seen_is_reckoned_with() {
    for tells in [Tells::WholeSeconds, Tells::Exactly] {
        // The controller loses half a second with every answer, five times what is stated.
        let mut clock = Clock::new(TimeControl::named("absolute 300").unwrap());
        let mut left = 300.0;
        for number in 0..40 {
            let told = if tells == Tells::Exactly { left } else { f64::floor(left) };
            clock.set_left(Color::Black, told, 0).unwrap();
            let budget = clock.budget(Color::Black, &outlook(81, 2 * number)).unwrap();
            clock.spend(Color::Black, budget.soft, Duration::ZERO);
            left -= budget.soft.as_secs_f64() + 0.5;
        }
        let lag = clock.lag().as_secs_f64();
        assert!((0.35..0.9).contains(&lag), "{tells:?}: {lag}");
    }
    // So is what a move takes longer than it was to.
    let mut clock = Clock::new(TimeControl::named("absolute 300").unwrap());
    clock.spend(Color::Black, Duration::from_millis(1400), Duration::from_millis(400));
    assert_eq!(clock.lag(), Duration::from_millis(400));
    // But not that somebody sets the clock.
    clock.set_left(Color::Black, 30.0, 0).unwrap();
    assert_eq!(clock.lag(), Duration::from_millis(400));
}

#[test]
fn a_clock_that_is_set_is_shared_out_anew() {
    let mut clock = Clock::new(TimeControl::named("absolute 600").unwrap());
    clock.budget(Color::Black, &outlook(361, 0)).unwrap();
    clock.set_left(Color::Black, 25.0, 0).unwrap();
    // Less than the lag that was set aside for the longest game.
    let budget = clock.budget(Color::Black, &outlook(361, 40)).unwrap();
    assert!(budget.soft > Duration::from_millis(10), "{budget:?}");
}

#[test]
fn a_turn_of_several_answers_loses_the_lag_with_each() {
    let budget = |answers| {
        let mut clock = Clock::new(TimeControl::named("byoyomi 0 10 1").unwrap());
        clock.budget(Color::Black, &Outlook { answers, ..outlook(361, 0) }).unwrap()
    };
    assert_eq!(budget(1).hard - budget(3).hard, Duration::from_millis(200));
}
