//! How well models call the owners of points, the score and the leader, on games that nothing was
//! tuned on; and a search beside them.

use std::sync::Arc;

use cpu_time::ThreadTime;
use go_engine::Color;
use go_engine::search::{Limits, Options, Search};
use go_influence::{Model, Stones, Tuned};
use rayon::prelude::*;

use super::measure::{MOVES, Sums, measure, moves, sign};
use super::{Counted, Lives};
use crate::progress::Progress;

/// The name of the row of a model that calls no point anybody's: what figures without knowledge are.
const NOTHING: &str = "nothing";

/// Models measured on games; its text is a report with tables.
pub struct Evaluation {
    pub(super) side: u8,
    pub(super) games: usize,
    pub(super) rows: Vec<Row>,
    /// How often chains lived that the tuned model called so safe, where it was measured.
    pub(super) lives: Option<Lives>,
    /// The games that a search looked at, and the same rows for them with the search's at the end.
    pub(super) searched: Option<(usize, Vec<Row>)>,
}

/// What a model came to, by number of moves.
#[derive(Clone)]
pub(super) struct Row {
    pub name: String,
    pub sums: [Sums; MOVES.len()],
}

/// The models that are compared: the published ones as their sources have them and with fitted
/// constants, Bouzy's, and the tuned one.
pub fn compared(tuned: Arc<Tuned>) -> Vec<(String, Model)> {
    let mut models: Vec<(String, Model)> =
        Model::all().map(|model| (model.name().to_owned(), model)).into();
    let fitted = Model::fitted().map(|model| (format!("{} fitted", model.name()), model));
    models.extend(fitted);
    models.push(("tuned".to_owned(), Model::Tuned(tuned)));
    models
}

impl Evaluation {
    /// Measures models on games of one board size.
    pub fn new(
        side: u8,
        games: &[Counted],
        models: &[(String, Model)],
        progress: &dyn Progress,
    ) -> Evaluation {
        progress.begin("estimating", games.len() as u64);
        let rows = games
            .par_iter()
            .map(|game| {
                progress.advance(1);
                rows(game, models)
            })
            .reduce(|| blank(models), add);
        progress.end();
        let tuned = models.iter().find(|(name, _)| name == "tuned");
        let lives = tuned.map(|(_, tuned)| Lives::of(games, tuned));
        Evaluation { side, games: games.len(), rows, lives, searched: None }
    }

    /// Puts a search of so many playouts beside the models, on so many of the games, spread evenly.
    pub fn search(
        &mut self,
        (count, playouts): (usize, u64),
        games: &[Counted],
        models: &[(String, Model)],
        progress: &dyn Progress,
    ) {
        let count = count.min(games.len());
        let sample: Vec<&Counted> = (0..count).map(|i| &games[i * games.len() / count]).collect();
        let with_search = || {
            let mut all = blank(models);
            all.push(Row::new(format!("search {playouts}")));
            all
        };
        progress.begin("searching", count as u64);
        let parts: Vec<Vec<Row>> = sample
            .par_iter()
            .map(|game| {
                let mut all = with_search();
                if let Some(row) = all.last_mut() {
                    search(row, game, playouts, progress);
                }
                progress.advance(1);
                all.iter_mut().zip(rows(game, models)).for_each(|(all, row)| *all = row);
                all
            })
            .collect();
        progress.end();
        self.searched = Some((count, parts.into_iter().fold(with_search(), add)));
    }
}

impl Row {
    fn new(name: impl Into<String>) -> Row {
        Row { name: name.into(), sums: Default::default() }
    }
}

fn blank(models: &[(String, Model)]) -> Vec<Row> {
    models.iter().map(|(name, _)| name.as_str()).chain([NOTHING]).map(Row::new).collect()
}

fn add(mut all: Vec<Row>, part: Vec<Row>) -> Vec<Row> {
    for (all, part) in all.iter_mut().zip(part) {
        for (all, part) in all.sums.iter_mut().zip(part.sums) {
            *all = all.plus(part);
        }
    }
    all
}

/// Estimates a game after each number of moves with each model, and with none.
fn rows(game: &Counted, models: &[(String, Model)]) -> Vec<Row> {
    let mut rows = blank(models);
    for (place, moves) in moves(game.moves.side).into_iter().enumerate() {
        let Some(position) = game.after(moves) else { continue };
        let (board, to_play) = (position.board(), position.to_play());
        let area = board.area();
        rows[models.len()].sums[place] = measure(game, &vec![0.0; area], &vec![0; area]);
        for (row, (_, model)) in rows.iter_mut().zip(models) {
            let started = ThreadTime::now();
            let influence = model.spread(&Stones::of_game(board), to_play);
            let seconds = started.elapsed().as_secs_f64();
            let measured = measure(game, &influence.ownerships(), &influence.leanings());
            row.sums[place] = measured.timed(seconds);
        }
    }
    rows
}

/// Searches a game after each number of moves.
fn search(row: &mut Row, game: &Counted, playouts: u64, progress: &dyn Progress) {
    for (place, moves) in moves(game.moves.side).into_iter().enumerate() {
        let Some(position) = game.after(moves).filter(|_| !progress.stopped()) else { continue };
        let options = Options { max_memory: 64 << 20, ..Options::default() };
        let limits = Limits { stop_early: false, ..Limits::playouts(playouts) };
        let started = ThreadTime::now();
        let report =
            Search::handcrafted(options).search(&position, position.to_play(), &limits, None);
        // The search has a thread of its own; its wall time stands for it.
        let seconds = report.elapsed.max(started.elapsed()).as_secs_f64();
        let leanings: Vec<i8> =
            report.ownership.iter().map(|&owned| sign(f64::from(owned))).collect();
        row.sums[place] = measure(game, &report.ownership, &leanings).timed(seconds);
    }
}

impl Lives {
    /// How often the chains of games lived, by how safe a model called them.
    fn of(games: &[Counted], model: &Model) -> Lives {
        games.par_iter().map(|game| Lives::of_game(game, model)).reduce(Lives::default, Lives::plus)
    }

    fn of_game(game: &Counted, model: &Model) -> Lives {
        let mut lives = Lives::default();
        for position in moves(game.moves.side).into_iter().filter_map(|moves| game.after(moves)) {
            let board = position.board();
            let influence = model.spread(&Stones::of_game(board), position.to_play());
            for (point, color) in board.stones() {
                let chain = board.chain(point);
                // A chain is counted once, at its first stone.
                if chain.first() != Some(&point) {
                    continue;
                }
                let sign = if color == Color::Black { 1.0 } else { -1.0 };
                let owned: f32 = chain.iter().map(|&p| influence.ownership(p)).sum();
                let safe = 0.5 + 0.5 * sign * owned / chain.len() as f32;
                let at = usize::from(point.row()) * usize::from(board.width());
                let owner = game.owners[at + usize::from(point.col())];
                lives.add(safe.into(), f32::from(owner) * sign > 0.0);
            }
        }
        lives
    }
}
