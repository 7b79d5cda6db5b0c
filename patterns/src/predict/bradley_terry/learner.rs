//! The strengths of features from games.

use super::super::features::{Extractor, Features, Position};
use super::super::groups::TACTICAL;
use super::super::net::Net;
use super::super::ops::scalar::Scalar;
use super::super::sampling::{Chance, draw_candidates};
use super::super::shape_dict::{ShapeCounter, ShapeDict};
use super::competitions::Competitions;
pub use super::slots::ShapeLevels;
use super::slots::{Chains, NONE, Slot, tactical_slots};
use super::strengths::Strengths;
use crate::game::Game;
use crate::progress::Progress;
use go_engine::with_layout;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// The settings of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// About so many positions are learned from, by chance; each needs some 5 kB of memory.
    pub positions: usize,
    /// Times that every strength is adjusted.
    pub iterations: u32,
    /// Shapes are counted at every `counted`-th move of the records, 1 at all of them.
    pub counted: usize,
    /// Times that a shape has to be played at those moves to be known.
    pub min_count: u32,
    /// Shapes that are known at most; the most frequent are kept.
    pub shapes: usize,
    /// Which shapes of a chain have a strength.
    pub levels: ShapeLevels,
    /// Of the choice of positions.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            positions: 400_000,
            iterations: 20,
            counted: 2,
            min_count: 4,
            shapes: 600_000,
            levels: ShapeLevels::All,
            seed: 1,
        }
    }
}

/// How well the positions are explained before an iteration.
#[derive(Clone, Copy, Debug)]
pub struct Report {
    /// The iteration, from 1; one more than there are after the last.
    pub iteration: u32,
    /// Positions learned from.
    pub positions: usize,
    /// Candidates in them.
    pub candidates: usize,
    /// Mean logarithm of the chance of the moves played, in nats.
    pub log_likelihood: f64,
}

/// Pieces that the positions are kept in: sums over them do not depend on the number of threads.
const PIECES: usize = 16;

/// Learns strengths from games of one board size, as a predictor without hidden units. `None` when it is told to stop.
pub fn learn(
    games: &[Game],
    settings: Settings,
    progress: &dyn Progress,
    report: &mut dyn FnMut(Report),
) -> Option<(ShapeDict, Net)> {
    let counter = ShapeCounter::of(games, settings.counted, progress)?;
    let dict = counter.into_dict(settings.min_count, settings.shapes);
    let (mut competitions, chains) = gather(games, &settings, &dict, progress)?;

    let of_chains = chains.slots(settings.levels);
    let shape_slots = || of_chains.iter().map(|(family, rows)| Slot::Shapes(*family, rows));
    let mut tactical = Strengths::even(TACTICAL, tactical_slots(), &competitions);
    let mut shapes = Strengths::even(dict.entries.len(), shape_slots(), &competitions);
    for iteration in 1..=settings.iterations {
        tell(iteration, &mut competitions, report);
        let what = format!("iteration {iteration} of {}", settings.iterations);
        progress.begin(&what, tactical_slots().chain(shape_slots()).count() as u64);
        for slot in tactical_slots().chain(shape_slots()) {
            if progress.stopped() {
                return None;
            }
            match slot {
                Slot::Tactical(_) => tactical.adjust(slot, &mut competitions),
                Slot::Shapes(..) => shapes.adjust(slot, &mut competitions),
            }
            progress.advance(1);
        }
    }
    tell(settings.iterations + 1, &mut competitions, report);
    let mut shapes = shapes.logarithms();
    if settings.levels == ShapeLevels::Largest {
        // A predictor sums over a chain: what each shape adds to the next smaller one.
        let whole = shapes.clone();
        for (shape, &parent) in shapes.iter_mut().zip(chains.parents()) {
            *shape -= whole.get(parent as usize).copied().unwrap_or(0.0);
        }
    }
    Some((dict, Net::linear(tactical.logarithms(), shapes)))
}

fn tell(iteration: u32, competitions: &mut [Competitions], report: &mut dyn FnMut(Report)) {
    let sums: Vec<f64> = competitions.par_iter_mut().map(Competitions::normalise).collect();
    let positions = competitions.iter().map(Competitions::len).sum();
    let candidates = competitions.iter().map(Competitions::candidates).sum();
    let log_likelihood = sums.iter().sum::<f64>() / f64::max(positions as f64, 1.0);
    report(Report { iteration, positions, candidates, log_likelihood });
}

/// Works out the features of the positions that are learned from, and how their shapes are nested.
fn gather(
    games: &[Game],
    settings: &Settings,
    dict: &ShapeDict,
    progress: &dyn Progress,
) -> Option<(Vec<Competitions>, Chains)> {
    let moves: usize = games.iter().map(|game| game.moves.len()).sum();
    let share = settings.positions as f64 / moves.max(1) as f64;
    let parents: Vec<AtomicU32> = dict.entries.iter().map(|_| AtomicU32::new(NONE)).collect();
    progress.begin("gathering positions", games.len() as u64);
    let numbered: Vec<(usize, &Game)> = games.iter().enumerate().collect();
    let competitions: Vec<Competitions> = numbered
        .par_chunks(games.len().div_ceil(PIECES).max(1))
        .map(|piece| {
            let mut gatherer = Gatherer {
                dict,
                parents: &parents,
                share,
                chance: Chance(0),
                extractor: Extractor::default(),
                features: Features::default(),
                competitions: Competitions::new(),
            };
            for &(number, game) in piece {
                if progress.stopped() {
                    break;
                }
                gatherer.chance = Chance(settings.seed ^ (number as u64) << 32);
                with_layout!(game.side, gather_game(&mut gatherer, game));
                progress.advance(1);
            }
            gatherer.competitions
        })
        .collect();
    let parents = parents.into_iter().map(AtomicU32::into_inner).collect();
    (!progress.stopped()).then(|| (competitions, Chains::new(&dict.families, parents)))
}

/// Gathers the positions of one piece of the games.
struct Gatherer<'a> {
    dict: &'a ShapeDict,
    /// The next smaller shape of each; the same whoever finds it.
    parents: &'a [AtomicU32],
    share: f64,
    chance: Chance,
    extractor: Extractor,
    features: Features,
    competitions: Competitions,
}

fn gather_game<const N: usize, const W: usize>(gatherer: &mut Gatherer<'_>, game: &Game) {
    let Gatherer { dict, parents, share, chance, extractor, features, competitions } = gatherer;
    let Some(mut replay) = game.replay::<N, W>() else { return };
    while let Some((mover, site)) = replay.upcoming() {
        let position = Position { board: &replay.board, mover, last: replay.last };
        if !site.is_pass()
            && chance.below_one() < *share
            && let Some(drawn) = draw_candidates(position, site, chance, &mut features.candidates)
        {
            extractor.extract_of::<Scalar, N, W>(position, *dict, features);
            competitions.add(features, &drawn, &dict.families, |smaller, larger| {
                parents[larger as usize].store(smaller, Ordering::Relaxed);
            });
        }
        replay.advance();
    }
}
