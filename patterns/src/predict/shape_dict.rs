//! Which shapes are known: those that were played often enough.

use super::features::{Dictionary, Extractor, Position};
use super::shape::Family;
use crate::game::Game;
use crate::progress::Progress;
use go_engine::with_layout;
use std::collections::HashMap;

/// A map by name.
type Names<V> = HashMap<u64, V, crate::Unhashed>;

/// The known shapes, the most frequent first, with how often each was played.
#[derive(Default)]
pub struct ShapeDict {
    /// Row by name.
    pub rows: Names<u32>,
    /// Names and counts by row.
    pub entries: Vec<(u64, u32)>,
    /// Families by row.
    pub families: Vec<Family>,
}

impl Dictionary for ShapeDict {
    #[inline]
    fn find(&self, name: u64) -> Option<u32> {
        self.rows.get(&name).copied()
    }
}

/// A larger shape is counted only once the next smaller one was played this often: so memory follows
/// what is frequent, not what occurs.
const GROWTH: u32 = 4;

/// Counts the shapes that are played.
#[derive(Default)]
pub struct ShapeCounter {
    counts: Names<(u32, Family)>,
    games: usize,
    extractor: Extractor,
}

impl ShapeCounter {
    /// The shapes of games of one board size, before one move of `one_of`. `None` when it is told to stop.
    pub fn of(games: &[Game], one_of: usize, progress: &dyn Progress) -> Option<ShapeCounter> {
        progress.begin("counting shapes", games.len() as u64);
        let mut counter = ShapeCounter::default();
        for game in games {
            with_layout!(game.side, add(&mut counter, game, one_of));
            progress.advance(1);
            if progress.stopped() {
                return None;
            }
        }
        Some(counter)
    }

    /// Counts the shapes of a game's moves, or of one move of so many.
    fn add<const N: usize, const W: usize>(&mut self, game: &Game, one_of: usize) {
        let Some(mut replay) = game.replay::<N, W>() else { return };
        while let Some((mover, site)) = replay.upcoming() {
            let is_counted = replay.next % one_of.max(1) == self.games % one_of.max(1);
            if !site.is_pass() && is_counted {
                let position = Position { board: &replay.board, mover, last: replay.last };
                let counts = &mut self.counts;
                self.extractor.names(position, site, |family, name| {
                    let (count, _) = counts.entry(name).or_insert((0, family));
                    *count += 1;
                    *count > GROWTH
                });
            }
            replay.advance();
        }
        self.games += 1;
    }

    /// How many different shapes have been met.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether none has been met.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The `max_shapes` shapes that were played most often, at least `min_count` times.
    pub fn into_dict(self, min_count: u32, max_shapes: usize) -> ShapeDict {
        let mut found: Vec<(u64, (u32, Family))> =
            self.counts.into_iter().filter(|&(_, (count, _))| count >= min_count).collect();
        found.sort_unstable_by_key(|&(name, (count, _))| (u32::MAX - count, name));
        found.truncate(max_shapes);
        let rows = found.iter().zip(0..).map(|(&(name, _), row)| (name, row)).collect();
        let entries = found.iter().map(|&(name, (count, _))| (name, count)).collect();
        let families = found.iter().map(|&(_, (_, family))| family).collect();
        ShapeDict { rows, entries, families }
    }
}

/// What `with_layout` calls for a game's layout.
fn add<const N: usize, const W: usize>(counter: &mut ShapeCounter, game: &Game, one_of: usize) {
    counter.add::<N, W>(game, one_of);
}
