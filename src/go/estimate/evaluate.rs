//! `tesuji estimate --evaluate`: how well each model calls the owners of points, the score and the
//! leader, in games that nothing was tuned on.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use cpu_time::ThreadTime;
use go_engine::Color;
use go_engine::search::{Limits, Options, Search};
use go_influence::{Model, Stones, Tuned};
use go_patterns::progress::Progress;
use rayon::prelude::*;

use super::counted::{Counted, collect, tell};
use crate::go::train::games::Part;
use crate::go::train::progress::Bar;

/// The numbers of moves after which positions are estimated on 19x19.
const MOVES: [usize; 5] = [20, 60, 100, 150, 200];

/// The numbers of moves after which positions are estimated on a board of this side: as many to a
/// point as on 19x19.
pub fn moves(side: u8) -> [usize; MOVES.len()] {
    MOVES.map(|moves| moves * usize::from(side) * usize::from(side) / 361)
}

/// Regions of the board that are told apart: lines 1 and 2, 3 and 4, and the rest.
const REGIONS: usize = 3;
/// How safe groups are told apart: sixteenths of the ownership that is expected of their stones.
const BINS: usize = 8;

/// What estimating some positions came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// Points with an owner at the end, by region.
    points: [f64; REGIONS],
    /// Those whose owner was called right; a half for each that no owner was called of.
    right: [f64; REGIONS],
    /// Sum over those points of the squared error of the expected owner: 0 for one expected rightly
    /// and surely, 1 for one left open, 4 for one expected wrongly and surely.
    squared: f64,
    positions: f64,
    /// Sum of the score's absolute errors, in points.
    error: f64,
    /// Positions whose leader was the game's winner; a half where nobody was said to lead.
    leader: f64,
    /// Seconds of processor time.
    seconds: f64,
}

impl Sums {
    /// Both together.
    pub fn plus(mut self, other: Sums) -> Sums {
        for region in 0..REGIONS {
            self.points[region] += other.points[region];
            self.right[region] += other.right[region];
        }
        self.squared += other.squared;
        self.positions += other.positions;
        self.error += other.error;
        self.leader += other.leader;
        self.seconds += other.seconds;
        self
    }

    /// The share of points called right.
    pub fn right(&self) -> f64 {
        self.right.iter().sum::<f64>() / self.points.iter().sum::<f64>().max(1.0)
    }

    /// The mean squared error of a point's expected owner.
    pub fn squared(&self) -> f64 {
        self.squared / self.points.iter().sum::<f64>().max(1.0)
    }

    /// The mean error of the score, in points.
    pub fn error(&self) -> f64 {
        self.error / self.positions.max(1.0)
    }

    fn leader(&self) -> f64 {
        self.leader / self.positions.max(1.0)
    }

    fn microseconds(&self) -> f64 {
        1e6 * self.seconds / self.positions.max(1.0)
    }

    fn region(&self, region: usize) -> f64 {
        self.right[region] / self.points[region].max(1.0)
    }
}

/// Compares what was said of a position with how the game ended. Ownership and leanings are row by
/// row from A1, positive for Black.
pub fn measure(game: &Counted, ownership: &[f32], leanings: &[i8]) -> Sums {
    let side = usize::from(game.moves.side);
    let mut sums = Sums { positions: 1.0, ..Sums::default() };
    let told = ownership.iter().zip(leanings);
    for (index, (&owner, (&expected, &leaning))) in game.owners.iter().zip(told).enumerate() {
        if owner == 0 {
            continue;
        }
        sums.squared += f64::from(expected - f32::from(owner)).powi(2);
        let (col, row) = (index % side, index / side);
        let line = col.min(row).min(side - 1 - col).min(side - 1 - row);
        let region = (line / 2).min(REGIONS - 1);
        sums.points[region] += 1.0;
        sums.right[region] += half(leaning, owner);
    }
    let lead: f64 = ownership.iter().map(|&owned| f64::from(owned)).sum();
    sums.error = (lead - game.area()).abs();
    let sign = |value: f64| i8::from(value > 0.0) - i8::from(value < 0.0);
    sums.leader = match sign(game.margin) {
        0 => 0.5,
        winner => half(sign(lead - game.komi), winner),
    };
    sums
}

/// 1 for the right side, 0 for the wrong one, a half for neither.
fn half(called: i8, right: i8) -> f64 {
    match called * right {
        1 => 1.0,
        0 => 0.5,
        _ => 0.0,
    }
}

/// How often the stones of chains lived, by how safe they were called.
#[derive(Clone, Copy, Debug, Default)]
struct Lives {
    chains: [f64; BINS],
    lived: [f64; BINS],
    called: [f64; BINS],
}

/// What is asked of an evaluation.
pub struct EvalConfig<'a> {
    /// Folders of records.
    pub paths: &'a [PathBuf],
    /// Side of the board.
    pub size: u8,
    /// Games at most.
    pub games: Option<usize>,
    /// Games that a search looks at too.
    pub searched: usize,
    /// Its playouts.
    pub playouts: u64,
    /// Which part of the games.
    pub part: Part,
    /// The models.
    pub models: Vec<(String, Model)>,
}

/// Runs `tesuji estimate --evaluate`.
///
/// # Errors
/// When records cannot be read.
pub fn run(config: &EvalConfig) -> Result<ExitCode> {
    let bar = Bar::new();
    let ended = collect(config.paths, config.size, config.part, config.games, &bar)?;
    tell(&ended, &bar);
    let games = &ended.games;
    bar.begin("estimating", games.len() as u64);
    let sums = games
        .par_iter()
        .map(|game| {
            bar.advance(1);
            evaluate_game(game, &config.models)
        })
        .reduce(|| blank(config.models.len() + 1), add);
    bar.end();
    let names = names(config);
    let mut text = format!("{} games\n", games.len());
    text += &table(config.size, &names, &sums);
    text += &regions(&names, &sums);
    if let Some((_, tuned)) = config.models.iter().find(|(name, _)| name == "tuned") {
        text += &lives(games, tuned);
    }
    if config.searched > 0 {
        text += &with_search(games, config, &bar);
    }
    if bar.stopped() {
        eprintln!("tesuji: interrupted");
        return Ok(ExitCode::from(130));
    }
    print!("{text}");
    Ok(ExitCode::SUCCESS)
}

/// The names of the rows of a table.
fn names<'a>(config: &'a EvalConfig) -> Vec<&'a str> {
    config.models.iter().map(|(name, _)| name.as_str()).chain([NOTHING]).collect()
}

/// The row of a model that calls no point anybody's: what figures without knowledge are.
const NOTHING: &str = "nothing";

/// For each model, the sums by number of moves.
type Table = Vec<[Sums; MOVES.len()]>;

fn blank(models: usize) -> Table {
    vec![[Sums::default(); MOVES.len()]; models]
}

fn add(mut a: Table, b: Table) -> Table {
    for (a, b) in a.iter_mut().zip(b) {
        for (a, b) in a.iter_mut().zip(b) {
            *a = a.plus(b);
        }
    }
    a
}

/// Estimates a game after each number of moves with each model.
fn evaluate_game(game: &Counted, models: &[(String, Model)]) -> Table {
    let mut table = blank(models.len() + 1);
    for (place, moves) in moves(game.moves.side).into_iter().enumerate() {
        let Some(position) = game.after(moves) else { continue };
        let to_play = position.to_play();
        let area = position.board().area();
        table[models.len()][place] = measure(game, &vec![0.0; area], &vec![0; area]);
        for (sums, (_, model)) in table.iter_mut().zip(models) {
            let started = ThreadTime::now();
            let influence = model.spread(&Stones::of_game(position.board()), to_play);
            let seconds = started.elapsed().as_secs_f64();
            let measured = measure(game, &influence.ownerships(), &influence.leanings());
            sums[place] = Sums { seconds, ..measured };
        }
    }
    table
}

fn table(side: u8, names: &[&str], sums: &Table) -> String {
    let mut text = String::new();
    type Column = (&'static str, fn(&Sums) -> f64);
    let columns: [Column; 4] = [
        ("points called right, percent", |sums| 100.0 * sums.right()),
        ("mean squared error of a point's owner", Sums::squared),
        ("mean error of the score, points", Sums::error),
        ("leader called right, percent", |sums| 100.0 * sums.leader()),
    ];
    // Writing to a string cannot fail.
    for (title, column) in columns {
        let _ = write!(text, "\n{title}\n{:16}", "after moves");
        for moves in moves(side) {
            let _ = write!(text, " {moves:>7}");
        }
        let _ = writeln!(text, " {:>7} {:>7}", "all", "us");
        for (name, sums) in names.iter().zip(sums) {
            let _ = write!(text, "{name:16}");
            for sums in sums {
                let _ = write!(text, " {:>7.2}", column(sums));
            }
            let all = sums.iter().copied().fold(Sums::default(), Sums::plus);
            let _ = writeln!(text, " {:>7.2} {:>7.1}", column(&all), all.microseconds());
        }
    }
    let _ = write!(text, "\n{:16}", "positions");
    for sums in sums.first().iter().flat_map(|sums| sums.iter()) {
        let _ = write!(text, " {:>7}", sums.positions);
    }
    text.push('\n');
    text
}

fn regions(names: &[&str], sums: &Table) -> String {
    let mut text = format!("\npoints called right by region, percent\n{:16}", "lines");
    for region in ["1-2", "3-4", "5-"] {
        let _ = write!(text, " {region:>7}");
    }
    text.push('\n');
    for (name, sums) in names.iter().zip(sums) {
        let all = sums.iter().copied().fold(Sums::default(), Sums::plus);
        let _ = write!(text, "{name:16}");
        for region in 0..REGIONS {
            let _ = write!(text, " {:>7.2}", 100.0 * all.region(region));
        }
        text.push('\n');
    }
    text
}

/// How often chains lived that were called so safe.
fn lives(games: &[Counted], model: &Model) -> String {
    let lives = games
        .par_iter()
        .map(|game| {
            let mut lives = Lives::default();
            for moves in moves(game.moves.side) {
                let Some(position) = game.after(moves) else { continue };
                let board = position.board();
                let influence = model.spread(&Stones::of_game(board), position.to_play());
                let index = |p: go_engine::Point| {
                    usize::from(p.row()) * usize::from(board.width()) + usize::from(p.col())
                };
                for (point, color) in board.stones() {
                    let chain = board.chain(point);
                    // A chain is counted once, at its first stone.
                    if chain.first() != Some(&point) {
                        continue;
                    }
                    let sign = if color == Color::Black { 1.0 } else { -1.0 };
                    let owned: f32 = chain.iter().map(|&p| influence.ownership(p)).sum();
                    let safe = f64::from(0.5 + 0.5 * sign * owned / chain.len() as f32);
                    let bin = ((safe * BINS as f64) as usize).min(BINS - 1);
                    let lived = f32::from(game.owners[index(point)]) * sign > 0.0;
                    lives.chains[bin] += 1.0;
                    lives.called[bin] += safe;
                    lives.lived[bin] += f64::from(u8::from(lived));
                }
            }
            lives
        })
        .reduce(Lives::default, |mut a, b| {
            for bin in 0..BINS {
                a.chains[bin] += b.chains[bin];
                a.lived[bin] += b.lived[bin];
                a.called[bin] += b.called[bin];
            }
            a
        });
    let mut text =
        "\nchains by their safety (tuned), and how many of them stood at the end\n".to_owned();
    let _ = writeln!(text, "{:>9} {:>8} {:>9} {:>8}", "safety", "chains", "called %", "lived %");
    for bin in 0..BINS {
        let chains = lives.chains[bin].max(1.0);
        let width = 64 / BINS;
        let _ = writeln!(
            text,
            "{:>6}-{:<2} {:>8} {:>9.1} {:>8.1}",
            bin * width,
            (bin + 1) * width,
            lives.chains[bin],
            100.0 * lives.called[bin] / chains,
            100.0 * lives.lived[bin] / chains
        );
    }
    text
}

/// The search beside the models, on games spread evenly.
fn with_search(games: &[Counted], config: &EvalConfig, bar: &Bar) -> String {
    let count = config.searched.min(games.len());
    let sample: Vec<&Counted> = (0..count).map(|i| &games[i * games.len() / count]).collect();
    bar.begin("searching", sample.len() as u64);
    let parts: Vec<(Table, Table)> = sample
        .par_iter()
        .map(|game| {
            let mut found = blank(1);
            for (place, moves) in moves(game.moves.side).into_iter().enumerate() {
                let Some(position) = game.after(moves).filter(|_| !bar.stopped()) else { continue };
                let options = Options { max_memory: 64 << 20, ..Options::default() };
                let mut search = Search::handcrafted(options);
                let limits = Limits { stop_early: false, ..Limits::playouts(config.playouts) };
                let started = ThreadTime::now();
                let report = search.search(&position, position.to_play(), &limits, None);
                // The search has a thread of its own; its wall time stands for it.
                let seconds = report.elapsed.max(started.elapsed()).as_secs_f64();
                let leanings: Vec<i8> = report
                    .ownership
                    .iter()
                    .map(|&owned| i8::from(owned > 0.0) - i8::from(owned < 0.0))
                    .collect();
                found[0][place] = Sums { seconds, ..measure(game, &report.ownership, &leanings) };
            }
            bar.advance(1);
            (found, evaluate_game(game, &config.models))
        })
        .collect();
    bar.end();
    let (mut found, mut models) = (blank(1), blank(config.models.len() + 1));
    for (search, estimated) in parts {
        found = add(found, search);
        models = add(models, estimated);
    }
    let search = format!("search {}", config.playouts);
    let mut names = names(config);
    names.push(&search);
    models.extend(found);
    format!("\n\n{count} games, with a search\n{}", table(config.size, &names, &models))
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
