//! Levels below full strength, for people who are learning. A level fixes the playouts of a move
//! and how often the program is content with less than its best, so that it plays alike on every
//! machine.

use go_engine::rng::Rng;
use go_engine::search::{MoveReport, Report};
use go_engine::{Color, Game, Move};

/// The lowest and the highest level.
pub const LEVELS: std::ops::RangeInclusive<u8> = 1..=10;

/// How a level plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// Playouts for a move.
    pub playouts: u64,
    /// Out of 100 moves, how many are drawn instead of chosen.
    pub drawn: u32,
}

/// The levels from 1 on.
const TABLE: [Level; 10] = [
    Level { playouts: 30, drawn: 92 },
    Level { playouts: 40, drawn: 78 },
    Level { playouts: 60, drawn: 65 },
    Level { playouts: 90, drawn: 53 },
    Level { playouts: 140, drawn: 42 },
    Level { playouts: 220, drawn: 31 },
    Level { playouts: 400, drawn: 21 },
    Level { playouts: 800, drawn: 12 },
    Level { playouts: 1600, drawn: 5 },
    Level { playouts: 3200, drawn: 0 },
];

impl Level {
    /// The level of this number, which is taken into the range.
    pub fn of(number: u8) -> Level {
        TABLE[usize::from(number.clamp(*LEVELS.start(), *LEVELS.end()) - 1)]
    }

    /// The move that this level makes where `best` is the best one: now and then another one that
    /// the search tried, the more likely the better it looked. A drawn move is never a pass and
    /// does not fill an eye or put a stone where it is lost at once, which no learner does either.
    pub fn choose(self, game: &Game, color: Color, best: Move, found: &Report, seed: u64) -> Move {
        // The same position of the same game draws the same.
        let mut rng = Rng::new(seed ^ game.board().key() ^ game.moves().len() as u64);
        if best == Move::Pass || rng.below(100) >= self.drawn {
            return best;
        }
        let tried: Vec<&MoveReport> = found
            .moves
            .iter()
            .filter(|m| m.visits > 0 && m.mv != Move::Pass && is_plausible(game, color, m.mv))
            .collect();
        let weights = tried.iter().map(|m| u32::max(1, (f64::from(m.visits).sqrt() * 16.0) as u32));
        let total: u32 = weights.clone().sum();
        if total == 0 {
            return best;
        }
        let mut ticket = rng.below(total);
        for (tried, weight) in tried.iter().zip(weights) {
            if ticket < weight {
                return tried.mv;
            }
            ticket -= weight;
        }
        best
    }
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
    fn higher_levels_search_more_and_draw_less() {
        for pair in TABLE.windows(2) {
            assert!(pair[0].playouts < pair[1].playouts && pair[0].drawn > pair[1].drawn);
        }
        assert_eq!((Level::of(0), Level::of(99)), (TABLE[0], TABLE[9]));
    }

    #[test]
    fn low_levels_draw_moves_that_were_tried_and_repeat_them() {
        let game = Game::new(9, 9).unwrap();
        let mut search = Search::handcrafted(Options::default());
        let found = search.search(&game, Color::Black, &Limits::playouts(200), None);
        let best = found.best().unwrap().mv;
        let choose = |level, seed| Level::of(level).choose(&game, Color::Black, best, &found, seed);
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
}
