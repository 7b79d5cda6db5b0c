//! How well models call the owners of points, the score and the leader, on games that nothing was
//! tuned on; and a search beside them.

use std::sync::Arc;

use cpu_time::ThreadTime;
use go_engine::search::{Limits, Options, Search};
use go_engine::{Color, Game, Point};
use go_influence::{Model, Tuned};
use rayon::prelude::*;

use super::estimator::{EstimateError, Estimator, TerritoryEstimate};
use super::measure::{MOVES, Sums, in_order, measure, moves};
use super::{Counted, Lives};
use crate::progress::Progress;

/// The name of the row of a model that calls no point anybody's: what figures without knowledge are.
const NOTHING: &str = "nothing";
/// Those whose expectations say how safe stones are.
const LEARNED: [&str; 2] = ["tuned", "network"];

/// Models measured on games; its text is a report with tables.
pub struct Evaluation {
    pub(super) side: u8,
    pub(super) games: usize,
    pub(super) rows: Vec<Row>,
    /// How often chains lived that were called so safe, by the names of those who did.
    pub(super) lives: Vec<(String, Lives)>,
    /// The games that a search looked at, and the same rows for them with the search's at the end.
    pub(super) searched: Option<(usize, Vec<Row>)>,
}

/// What a model came to, by number of moves.
#[derive(Clone)]
pub(super) struct Row {
    pub name: String,
    pub sums: [Sums; MOVES.len()],
}

/// What is compared, by name.
pub struct Compared(Vec<(String, Estimator)>);

impl Compared {
    /// The published models as their sources have them and with fitted constants, Bouzy's, the tuned one, and the
    /// network inside the program on boards that it knows.
    ///
    /// # Errors
    /// Never with an undamaged program.
    pub fn new(tuned: Arc<Tuned>, side: u8) -> Result<Compared, EstimateError> {
        let mut models: Vec<(String, Model)> =
            Model::all().map(|model| (model.name().to_owned(), model)).into();
        let fitted = Model::fitted().map(|model| (format!("{} fitted", model.name()), model));
        models.extend(fitted);
        models.push(("tuned".to_owned(), Model::Tuned(tuned)));
        let models = models.into_iter().map(|(name, model)| (name, Estimator::Influence(model)));
        let mut estimators: Vec<(String, Estimator)> = models.collect();
        let network = Estimator::network()?;
        if Game::new(side, side).is_some_and(|game| network.knows(&game)) {
            estimators.push(("network".to_owned(), network));
        }
        Ok(Compared(estimators))
    }
}

impl Evaluation {
    /// Measures what is compared on games of one board size; what it tells means nothing once it was told to stop.
    pub fn new(
        side: u8,
        games: &[Counted],
        compared: &Compared,
        progress: &dyn Progress,
    ) -> Evaluation {
        progress.begin("estimating", games.len() as u64);
        let of_game = |game: &Counted| {
            progress.advance(1);
            if progress.stopped() { blank(compared) } else { rows(game, compared) }
        };
        let rows = in_order(games, || blank(compared), of_game, add);
        progress.end();
        let learned = compared.0.iter().filter(|(name, _)| LEARNED.contains(&name.as_str()));
        let lives = learned
            .map(|(name, estimator)| (name.clone(), Lives::of(games, estimator, progress)))
            .collect();
        Evaluation { side, games: games.len(), rows, lives, searched: None }
    }

    /// Puts a search of so many playouts beside what is compared, on so many of the games, spread evenly.
    pub fn search(
        &mut self,
        (count, playouts): (usize, u64),
        games: &[Counted],
        compared: &Compared,
        progress: &dyn Progress,
    ) {
        let count = count.min(games.len());
        let sample: Vec<&Counted> = (0..count).map(|i| &games[i * games.len() / count]).collect();
        let with_search = || {
            let mut all = blank(compared);
            all.push(Row::new(format!("search {playouts}")));
            all
        };
        progress.begin("searching", count as u64);
        let parts: Vec<Vec<Row>> = sample
            .par_iter()
            .map(|game| {
                let mut all = with_search();
                if progress.stopped() {
                    return all;
                }
                if let Some(row) = all.last_mut() {
                    search(row, game, playouts, progress);
                }
                progress.advance(1);
                all.iter_mut().zip(rows(game, compared)).for_each(|(all, row)| *all = row);
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

fn blank(compared: &Compared) -> Vec<Row> {
    let names = compared.0.iter().map(|(name, _)| name.as_str());
    names.chain([NOTHING]).map(Row::new).collect()
}

fn add(mut all: Vec<Row>, part: Vec<Row>) -> Vec<Row> {
    for (all, part) in all.iter_mut().zip(part) {
        for (all, part) in all.sums.iter_mut().zip(part.sums) {
            *all = all.plus(part);
        }
    }
    all
}

/// Estimates a game after each number of moves with everything that is compared, and with nothing.
fn rows(game: &Counted, compared: &Compared) -> Vec<Row> {
    let mut rows = blank(compared);
    for (place, moves) in moves(game.moves.side).into_iter().enumerate() {
        let Some(position) = game.after(moves) else { continue };
        let open = TerritoryEstimate::of_owners(vec![0.0; position.board().area()]);
        rows[compared.0.len()].sums[place] = measure(game, &open);
        for (row, (_, estimator)) in rows.iter_mut().zip(&compared.0) {
            let started = ThreadTime::now();
            let Ok(opinion) = estimator.opinion(&position) else { continue };
            let seconds = started.elapsed().as_secs_f64();
            row.sums[place] = measure(game, &opinion).timed(seconds);
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
        row.sums[place] =
            measure(game, &TerritoryEstimate::of_owners(report.ownership)).timed(seconds);
    }
}

impl Lives {
    /// How often the chains of games lived, by how safe they were called.
    fn of(games: &[Counted], estimator: &Estimator, progress: &dyn Progress) -> Lives {
        let of_game = |game: &Counted| match progress.stopped() {
            true => Lives::default(),
            false => Lives::of_game(game, estimator),
        };
        in_order(games, Lives::default, of_game, Lives::plus)
    }

    fn of_game(game: &Counted, estimator: &Estimator) -> Lives {
        let mut lives = Lives::default();
        for position in moves(game.moves.side).into_iter().filter_map(|moves| game.after(moves)) {
            let Ok(opinion) = estimator.opinion(&position) else { continue };
            let board = position.board();
            let index =
                |p: Point| usize::from(p.row()) * usize::from(board.width()) + usize::from(p.col());
            for (point, color) in board.stones() {
                let chain = board.chain(point);
                // A chain is counted once, at its first stone.
                if chain.first() != Some(&point) {
                    continue;
                }
                let sign = if color == Color::Black { 1.0 } else { -1.0 };
                let owned: f32 = chain.iter().map(|&p| opinion.ownership[index(p)]).sum();
                let safe = 0.5 + 0.5 * sign * owned / chain.len() as f32;
                lives.add(safe.into(), f32::from(game.owners[index(point)]) * sign > 0.0);
            }
        }
        lives
    }
}
