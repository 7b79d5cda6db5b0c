//! Every way to weigh moves, tried on the moves of a game.

use super::{PHASES, Score, phase};
use crate::frequencies::{Estimator, IncrementalCodes, Katz, Name, TEMPLATES, Table, Template};
use crate::game::{Game, Replay};
use crate::predict::features::Position;
use crate::predict::predictor::{Predictor, Scratch};
use cpu_time::ThreadTime;
use go_engine::{Color, Site, with_layout};
use std::time::Duration;

/// A way to weigh moves.
#[derive(Clone, Copy, Debug)]
pub enum Model {
    /// C_A / C_N of one template alone; 0 where the pattern is unknown.
    Alone(Template),
    /// The back-off chain by such settings, or by those of the table.
    Katz(&'static str, Option<Katz>),
    /// The predictor, in which candidates compete.
    Predictor,
}

impl Model {
    /// As reports name it.
    pub fn name(self) -> String {
        match self {
            Model::Alone(template) => template.to_string(),
            Model::Katz(name, _) => name.to_owned(),
            Model::Predictor => "predictor".to_owned(),
        }
    }
}

/// A model's results: by phase, and the time it took.
#[derive(Clone, Copy, Default)]
pub struct Outcome {
    /// By [`PHASES`].
    pub phases: [Score; PHASES.len()],
    /// What the thread's processor worked on it.
    pub time: Duration,
}

impl Outcome {
    /// Of all phases.
    pub fn total(&self) -> Score {
        let mut total = Score::default();
        self.phases.iter().for_each(|score| total.merge(score));
        total
    }
}

/// Predicts every move of a game with every model, and takes the time of each.
///
/// The predictor goes through the game by itself, so that what the others leave in the processor's cache,
/// which is smaller than their tables, has no part in its time.
pub fn predict_game(
    game: &Game,
    models: &[Model],
    table: &Table,
    predictor: &Predictor,
    outcomes: &mut [Outcome],
) {
    with_layout!(game.side, predict_game_on(game, models, table, predictor, outcomes));
}

fn predict_game_on<const N: usize, const W: usize>(
    game: &Game,
    models: &[Model],
    table: &Table,
    predictor: &Predictor,
    outcomes: &mut [Outcome],
) {
    let estimators: Vec<Option<Estimator<'_>>> = models
        .iter()
        .map(|model| match *model {
            Model::Katz(_, Some(katz)) => Some(Estimator::with(table, katz)),
            Model::Katz(_, None) => Some(Estimator::of(table)),
            Model::Alone(_) | Model::Predictor => None,
        })
        .collect();
    let mut names: Vec<[Name; TEMPLATES]> = Vec::new();
    let mut weights: Vec<f32> = Vec::new();
    replay::<N, W>(game, |tracker, mover, moves, number, played| {
        let started = ThreadTime::now();
        names.clear();
        for &site in moves {
            let board = &tracker.replay().board;
            names.push(tracker.codes().names_of_move(board, site, mover, table.timing));
        }
        let naming = started.elapsed();
        for ((model, katz), outcome) in models.iter().zip(&estimators).zip(outcomes.iter_mut()) {
            let started = ThreadTime::now();
            weights.clear();
            match (*model, katz) {
                (Model::Alone(template), _) => weights.extend(names.iter().map(|names| {
                    let entry = table.get(names[template.index()]);
                    entry.map_or(0.0, |entry| entry.rate() as f32)
                })),
                (_, Some(katz)) => weights
                    .extend(names.iter().map(|names| katz.estimate(names.iter().copied()) as f32)),
                (_, None) => continue,
            }
            outcome.time += naming + started.elapsed();
            outcome.phases[phase(number)].add(&weights, played);
        }
    });
    let mut scratch = Scratch::default();
    for (model, outcome) in models.iter().zip(outcomes.iter_mut()) {
        if !matches!(model, Model::Predictor) {
            continue;
        }
        replay::<N, W>(game, |tracker, mover, _, number, played| {
            let Replay { board, last, .. } = tracker.replay();
            let started = ThreadTime::now();
            let position = Position { board, mover, last: *last };
            let found = predictor.predict(position, &mut scratch);
            outcome.time += started.elapsed();
            outcome.phases[phase(number)].add(found.probabilities(), played);
        });
    }
}

/// Goes through the moves of a game, passes left out, until one is illegal: the position before it, who
/// plays it, the legal moves, its number in the game and its place among the legal moves.
fn replay<const N: usize, const W: usize>(
    game: &Game,
    mut see: impl FnMut(&IncrementalCodes<'_, N, W>, Color, &[Site], usize, usize),
) {
    let Some(mut tracker) = IncrementalCodes::<N, W>::new(game) else { return };
    while let Some((mover, site)) = tracker.upcoming() {
        let number = tracker.replay().next + 1;
        if !site.is_pass() {
            let board = &tracker.replay().board;
            let moves: Vec<_> = board.sites().filter(|&s| board.is_legal(s, mover)).collect();
            let Some(played) = moves.iter().position(|&s| s == site) else { break };
            see(&tracker, mover, &moves, number, played);
        }
        tracker.advance();
    }
}
