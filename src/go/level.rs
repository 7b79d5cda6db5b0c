//! Levels below full strength, for people who are learning. A level fixes how much is looked at a move and how often the
//! program is content with less than its best, so that it plays alike on every machine; with a network, on those with AVX2.
//!
//! With a network a low level plays what a player of that strength might: a move drawn from the network's policy, which has
//! learned from people's games, the more evenly the lower the level. Without one it is drawn from what the playouts tried.

use go_engine::rng::Rng;
use go_engine::search::{MoveReport, Report};
use go_engine::{Color, Game, Move};

/// The lowest and the highest level.
pub const LEVELS: std::ops::RangeInclusive<u8> = 1..=10;

/// How a level plays.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Level {
    /// Playouts for a move, or evaluations of a network.
    pub visits: u64,
    /// Which move is made.
    pub choice: Choice,
}

/// How a move is chosen at a level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Choice {
    /// The best one.
    Best,
    /// So often of 100 one that the search tried, the more often the more it was tried.
    Tried(u32),
    /// One of the network's policy, whose probabilities are taken to the power of one by this temperature: above 1 the
    /// moves are more alike, below the likely ones more likely.
    Policy(f32),
}

use Choice::{Best, Policy, Tried};

const fn level(visits: u64, choice: Choice) -> Level {
    Level { visits, choice }
}

/// The levels from 1 on, without a network.
const PLAYOUTS: [Level; 10] = [
    level(30, Tried(92)),
    level(40, Tried(78)),
    level(60, Tried(65)),
    level(90, Tried(53)),
    level(140, Tried(42)),
    level(220, Tried(31)),
    level(400, Tried(21)),
    level(800, Tried(12)),
    level(1600, Tried(5)),
    level(3200, Best),
];

/// With a network, on boards up to [`SMALL`] and on larger ones, where there are more moves to slip in: about 90 Elo a step
/// (docs/experiments/strength.md).
const SMALL_BOARDS: [Level; 10] = [
    level(1, Policy(2.5)),
    level(1, Policy(2.3)),
    level(1, Policy(2.1)),
    level(1, Policy(1.92)),
    level(1, Policy(1.75)),
    level(1, Policy(1.62)),
    level(1, Policy(1.46)),
    level(1, Policy(1.29)),
    level(1, Policy(1.1)),
    level(1, Policy(0.94)),
];
const LARGE_BOARDS: [Level; 10] = [
    level(1, Policy(1.555)),
    level(1, Policy(1.485)),
    level(1, Policy(1.42)),
    level(1, Policy(1.36)),
    level(1, Policy(1.3)),
    level(1, Policy(1.245)),
    level(1, Policy(1.185)),
    level(1, Policy(1.12)),
    level(1, Policy(1.06)),
    level(1, Policy(1.0)),
];
const SMALL: u8 = 11;

impl Level {
    /// The level of this number, which is taken into the range, with a network or without on a board of this side.
    pub fn of(number: u8, has_network: bool, side: u8) -> Level {
        let table = match (has_network, side <= SMALL) {
            (false, _) => &PLAYOUTS,
            (true, true) => &SMALL_BOARDS,
            (true, false) => &LARGE_BOARDS,
        };
        table[usize::from(number.clamp(*LEVELS.start(), *LEVELS.end()) - 1)]
    }

    /// The move that this level makes where `best` is the best one that a search found, and `policy` what the network says
    /// without it. A drawn move is never a pass and does not fill an eye or put a stone where it is lost at once, which no
    /// learner does either.
    pub fn choose(
        self,
        position: (&Game, Color),
        best: Move,
        found: &Report,
        policy: impl FnOnce() -> Vec<(Move, f32)>,
        seed: u64,
    ) -> Move {
        let (game, color) = position;
        // The same position of the same game draws the same.
        let mut rng = Rng::new(seed ^ game.board().key() ^ game.moves().len() as u64);
        let moves: Vec<(Move, f64)> = match self.choice {
            _ if best == Move::Pass => return best,
            Best => return best,
            Tried(share) if rng.below(100) >= share => return best,
            Tried(_) => {
                let weight = |found: &MoveReport| (found.mv, f64::from(found.visits).sqrt());
                found.moves.iter().filter(|found| found.visits > 0).map(weight).collect()
            }
            Policy(temperature) => {
                let power = 1.0 / f64::from(temperature);
                let weight = |(mv, chance): (Move, f32)| (mv, f64::from(chance).powf(power));
                policy().into_iter().map(weight).collect()
            }
        };
        let is_drawn = |&(mv, weight): &(Move, f64)| {
            mv != Move::Pass && weight > 0.0 && is_plausible(game, color, mv)
        };
        let moves: Vec<(Move, f64)> = moves.into_iter().filter(is_drawn).collect();
        draw(&moves, &mut rng).unwrap_or(best)
    }
}

/// One of these, the more likely the more it weighs.
fn draw(moves: &[(Move, f64)], rng: &mut Rng) -> Option<Move> {
    const FINE: u32 = 1 << 30;
    let total: f64 = moves.iter().map(|&(_, weight)| weight).sum();
    let mut ticket = f64::from(rng.below(FINE)) / f64::from(FINE) * total;
    for &(mv, weight) in moves {
        if ticket < weight {
            return Some(mv);
        }
        ticket -= weight;
    }
    moves.last().map(|&(mv, _)| mv)
}

/// Whether a stone there has a liberty besides the point it stands on, as every learner sees.
fn is_plausible(game: &Game, color: Color, mv: Move) -> bool {
    let Move::Play(point) = mv else { return false };
    let mut after = game.board().clone();
    let captured = after.play(point, color);
    let liberties = after
        .chain(point)
        .iter()
        .flat_map(|&stone| after.neighbours(stone))
        .filter(|&beside| after.is_empty(beside))
        .collect::<std::collections::BTreeSet<_>>();
    captured > 0 || liberties.len() > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_engine::search::{Limits, Options, Search};

    #[test]
    fn higher_levels_look_more_and_slip_less() {
        let slips = |level: &Level| match level.choice {
            Best => 0.0,
            Tried(share) => f64::from(share),
            Policy(temperature) => f64::from(temperature),
        };
        for table in [PLAYOUTS, SMALL_BOARDS, LARGE_BOARDS] {
            for pair in table.windows(2) {
                assert!(pair[0].visits <= pair[1].visits && slips(&pair[0]) >= slips(&pair[1]));
                assert_ne!(pair[0], pair[1]);
            }
        }
        assert_eq!((Level::of(0, false, 9), Level::of(99, false, 19)), (PLAYOUTS[0], PLAYOUTS[9]));
        assert_eq!(
            (Level::of(3, true, 9), Level::of(3, true, 19)),
            (SMALL_BOARDS[2], LARGE_BOARDS[2])
        );
    }

    #[test]
    fn low_levels_draw_moves_that_were_tried_and_repeat_them() {
        let game = Game::new(9, 9).unwrap();
        let mut search = Search::handcrafted(Options::default());
        let found = search.search(&game, Color::Black, &Limits::playouts(200), None);
        let best = found.best().unwrap().mv;
        let choose = |number, seed| {
            let level = Level::of(number, false, 9);
            level.choose((&game, Color::Black), best, &found, Vec::new, seed)
        };
        let mut drawn = 0;
        for seed in 0..100 {
            let mv = choose(1, seed);
            assert_eq!(mv, choose(1, seed));
            assert!(found.moves.iter().any(|m| m.mv == mv && m.visits > 0));
            assert_eq!(choose(10, seed), best);
            drawn += u32::from(mv != best);
        }
        assert!((20..80).contains(&drawn), "{drawn}");
    }

    #[test]
    fn a_policy_is_drawn_from_more_evenly_the_higher_the_temperature() {
        let game = Game::new(9, 9).unwrap();
        let mut search = Search::handcrafted(Options::default());
        let found = search.search(&game, Color::Black, &Limits::playouts(10), None);
        let at = |col, row| Move::Play(go_engine::Point::new(col, row));
        let policy =
            || vec![(at(4, 4), 0.8), (at(2, 2), 0.15), (at(6, 6), 0.05), (Move::Pass, 0.0)];
        let share = |temperature| {
            let level = level(1, Policy(temperature));
            let draws = (0..2000)
                .map(|seed| level.choose((&game, Color::Black), at(4, 4), &found, policy, seed));
            draws.filter(|&mv| mv == at(4, 4)).count() as f64 / 2000.0
        };
        assert!((share(1.0) - 0.8).abs() < 0.04, "{}", share(1.0));
        // 0.8^(1/2) of the sum of the roots.
        assert!((share(2.0) - 0.591).abs() < 0.04, "{}", share(2.0));
        assert!(share(0.3) > 0.98);
        let level = level(1, Policy(3.0));
        let passed = level.choose((&game, Color::Black), Move::Pass, &found, policy, 1);
        assert_eq!(passed, Move::Pass, "when the search passes nothing is drawn");
        let alone = level.choose((&game, Color::Black), at(0, 0), &found, Vec::new, 1);
        assert_eq!(alone, at(0, 0), "the best where the policy says nothing");
    }
}
