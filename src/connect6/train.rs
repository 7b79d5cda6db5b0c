//! `tesuji-connect6 train`: learns everything the engine knows, from records and from games against itself.
//!
//! The work is a fixed row of steps: the network from the records, its moves by what was played and its values
//! by temporal differences, the openings, and, when asked, the values again from games against itself. It is decided by the files, the
//! options and the seed alone: stopped and resumed, it ends with the same bytes.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use clap::{Args, value_parser};
use connect6_engine::book::Book;
use connect6_engine::learn::{LearnOptions, Learner, Lesson, judge, self_play};
use connect6_engine::search::{Knowledge, Searcher};
use connect6_engine::{Colour, Outcome, Rules, weights};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::record;
use crate::files;

/// Options of `train`.
#[derive(Args, Debug)]
pub struct TrainArgs {
    /// Recorded games: tab-separated with the columns `result` (B, W or D) and `moves` (`j10 j9l11 ...`), or
    /// Little Golem's SGF
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    games: Vec<PathBuf>,

    /// Where the weights go
    #[arg(long, value_name = "FILE", default_value = "connect6.bin")]
    output: PathBuf,

    /// Where the work is saved on the way and gone on from [default: OUTPUT.checkpoint]
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Begins anew although there is a checkpoint
    #[arg(long)]
    fresh: bool,

    /// Times through the records
    #[arg(long, value_name = "N", default_value_t = 2)]
    epochs: u32,

    /// Games against itself
    #[arg(long, value_name = "N", default_value_t = 0)]
    self_play: u32,

    /// Visits for a turn in games against itself
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = value_parser!(u64).range(1..))]
    visits: u64,

    /// TD(lambda) on records
    #[arg(long, value_name = "X", default_value_t = 0.95, value_parser = share)]
    lambda: f32,

    /// TD(lambda) on games against itself
    #[arg(long, value_name = "X", default_value_t = 0.8, value_parser = share)]
    self_play_lambda: f32,

    /// Seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u64).range(..=i64::MAX as u64))]
    seed: u64,
}

fn share(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("a number from 0 to 1 is expected".to_owned()),
    }
}

/// What the steps are: a checkpoint is only gone on from under the same plan.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
struct Plan {
    lessons: usize,
    epochs: u32,
    self_play: u32,
    visits: u64,
    lambda: f32,
    self_play_lambda: f32,
    seed: u64,
}

impl Plan {
    /// The same records, but another plan's games against itself.
    fn with_self_play_of(self, Plan { self_play, visits, self_play_lambda, .. }: Plan) -> Plan {
        Plan { self_play, visits, self_play_lambda, ..self }
    }
}

/// How far the work is: lessons done in the present step.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug, Default)]
struct Place {
    step: u32,
    lesson: usize,
}

#[derive(Serialize, Deserialize)]
struct Header {
    plan: Plan,
    place: Place,
}

/// Adam's step at the first record, which falls evenly to the last, and on self-play.
const RECORDS_RATE: f32 = 0.001;
const LAST_RATE: f32 = 0.000_04;
const SELF_PLAY_RATE: f32 = 0.000_2;
/// The winner's moves count in full, the loser's less.
const MOVES: [f32; 2] = [1.0, 0.5];
/// Games against itself that are played with the same weights.
const BATCH: usize = 64;
/// Records between two checkpoints.
const SAVED_EVERY: usize = 5000;

struct Work {
    plan: Plan,
    place: Place,
    learner: Learner,
}

/// Learns.
///
/// # Errors
/// Records that cannot be read, or files that cannot be written.
pub fn run(args: &TrainArgs) -> Result<ExitCode> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))
        .context("cannot watch for interrupts")?;
    let mut lessons = Vec::new();
    for path in &args.games {
        lessons.extend(read_lessons(path)?);
    }
    let (validation, learning): (Vec<Lesson>, Vec<Lesson>) =
        lessons.into_iter().partition(Lesson::is_validation);
    println!("{} games to learn from, {} to validate on", learning.len(), validation.len());
    let plan = Plan {
        lessons: learning.len(),
        epochs: args.epochs,
        self_play: args.self_play,
        visits: args.visits,
        lambda: args.lambda,
        self_play_lambda: args.self_play_lambda,
        seed: args.seed,
    };
    let checkpoint = args.checkpoint.clone().unwrap_or_else(|| {
        let mut name = args.output.clone().into_os_string();
        name.push(".checkpoint");
        name.into()
    });
    let mut work = Work::new(plan);
    if checkpoint.exists() && !args.fresh {
        work = Work::load(&checkpoint, plan)?;
        println!("goes on at step {}, lesson {}", work.place.step + 1, work.place.lesson);
    }
    let done = work.go(&learning, &validation, &checkpoint, &stop)?;
    if !done {
        println!("stopped; the same command goes on from {}", checkpoint.display());
        return Ok(ExitCode::from(130));
    }
    let knowledge = Knowledge { net: work.learner.net(), book: Book::learn(&learning) };
    println!("openings: {} positions", knowledge.book.len());
    files::replace(&args.output, &weights::encode(&knowledge))
        .with_context(|| args.output.display().to_string())?;
    println!("written: {}", args.output.display());
    Ok(ExitCode::SUCCESS)
}

impl Work {
    fn new(plan: Plan) -> Work {
        Work { plan, place: Place::default(), learner: Learner::new(plan.seed) }
    }

    /// Goes through the steps that are left; false when stopped on the way.
    fn go(
        &mut self,
        learning: &[Lesson],
        validation: &[Lesson],
        checkpoint: &Path,
        stop: &AtomicBool,
    ) -> Result<bool> {
        let epochs = self.plan.epochs;
        let steps = epochs + u32::from(self.plan.self_play > 0);
        while self.place.step < steps {
            let step = self.place.step;
            let of_self_play = step >= epochs;
            let count = if of_self_play { self.plan.self_play as usize } else { learning.len() };
            let what = if of_self_play {
                "self-play".to_owned()
            } else {
                format!("records {}/{epochs}", step + 1)
            };
            let bar = ProgressBar::new(count as u64).with_message(what.clone());
            if let Ok(style) =
                ProgressStyle::with_template("{msg} {bar:30} {pos}/{len}, {eta} left")
            {
                bar.set_style(style);
            }
            while self.place.lesson < count {
                let done = if stop.load(Ordering::Relaxed) {
                    false
                } else if of_self_play {
                    self.learn_from_itself(count, stop)
                } else {
                    self.learn_record(&learning[self.place.lesson], count);
                    true
                };
                if !done {
                    self.save(checkpoint)?;
                    bar.abandon();
                    return Ok(false);
                }
                bar.set_position(self.place.lesson as u64);
                let every = if of_self_play { 8 * BATCH } else { SAVED_EVERY };
                if self.place.lesson.is_multiple_of(every) {
                    self.save(checkpoint)?;
                }
            }
            bar.finish_and_clear();
            self.place = Place { step: step + 1, lesson: 0 };
            self.save(checkpoint)?;
            let f = judge(&self.learner.net(), Rules::CONNECT6, validation);
            println!(
                "{what}: {} stones, first {:.2}%, in ten {:.2}%, log loss {:.4}; {} positions, winner called \
                 {:.2}%, log loss {:.4}",
                f.stones,
                100.0 * f.first,
                100.0 * f.in_ten,
                f.move_loss,
                f.positions,
                100.0 * f.right,
                f.value_loss
            );
        }
        Ok(true)
    }

    /// Learns from the next record of `count`.
    fn learn_record(&mut self, lesson: &Lesson, count: usize) {
        let done = (self.place.step as usize * count + self.place.lesson) as f32;
        let left = 1.0 - done / (self.plan.epochs as usize * count) as f32;
        let options = LearnOptions {
            moves: MOVES,
            lambda: self.plan.lambda,
            dense_rate: LAST_RATE + (RECORDS_RATE - LAST_RATE) * left,
        };
        self.learner.learn(Rules::CONNECT6, lesson, &options);
        self.place.lesson += 1;
    }

    /// Plays the next games of `count` against itself, with what is known by now, and learns from them; false
    /// when stopped, with nothing learned.
    fn learn_from_itself(&mut self, count: usize, stop: &AtomicBool) -> bool {
        let knowledge = Arc::new(Knowledge { net: self.learner.net(), book: Book::default() });
        let games = BATCH.min(count - self.place.lesson);
        let first =
            self.plan.seed.wrapping_mul(1_000_003).wrapping_add(self.place.lesson as u64 + 1);
        let lessons: Option<Vec<Lesson>> = (0..games as u64)
            .into_par_iter()
            .map_init(
                || Searcher::new(Arc::clone(&knowledge), 1, 64),
                |searcher, game| {
                    let seed = first.wrapping_add(game);
                    let visits = self.plan.visits;
                    (!stop.load(Ordering::Relaxed))
                        .then(|| self_play::play(Rules::CONNECT6, searcher, visits, seed))
                },
            )
            .collect();
        let options = LearnOptions {
            moves: [0.0; 2],
            lambda: self.plan.self_play_lambda,
            dense_rate: SELF_PLAY_RATE,
        };
        for lesson in lessons.iter().flatten() {
            self.learner.learn(Rules::CONNECT6, lesson, &options);
            self.place.lesson += 1;
        }
        lessons.is_some()
    }

    fn save(&mut self, path: &Path) -> Result<()> {
        let header = serde_json::to_vec(&Header { plan: self.plan, place: self.place })?;
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header);
        let (numbers, games) = self.learner.state_mut();
        bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
        bytes.extend(games.to_le_bytes());
        files::replace(path, &bytes).with_context(|| path.display().to_string())
    }

    fn load(path: &Path, plan: Plan) -> Result<Work> {
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        let damaged = || format!("{} is no checkpoint; --fresh begins anew", path.display());
        let (length, rest) = bytes.split_first_chunk::<8>().with_context(damaged)?;
        let length = usize::try_from(u64::from_le_bytes(*length))
            .ok()
            .filter(|n| *n <= rest.len())
            .with_context(damaged)?;
        let (header, rest) = rest.split_at(length);
        let header: Header = serde_json::from_slice(header).with_context(damaged)?;
        // What comes after the records does not matter before they are done.
        let begun = header.place.step >= plan.epochs && header.place.lesson > 0
            || header.place.step > plan.epochs;
        let same = if begun { header.plan } else { header.plan.with_self_play_of(plan) };
        if same != plan {
            bail!("{} is of other games or options; --fresh begins anew", path.display());
        }
        let mut work = Work::new(plan);
        work.place = header.place;
        let (rest, last) = rest.split_last_chunk::<4>().with_context(damaged)?;
        let mut rest = rest.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        let (numbers, games) = work.learner.state_mut();
        for number in numbers {
            *number = rest.next().with_context(damaged)?;
        }
        *games = u32::from_le_bytes(*last);
        Ok(work)
    }
}

/// The games of a file.
fn read_lessons(path: &Path) -> Result<Vec<Lesson>> {
    let place = || path.display().to_string();
    let bytes = std::fs::read(path).with_context(place)?;
    if bytes.iter().find(|b| !b.is_ascii_whitespace()) == Some(&b'(') {
        return sgf_lessons(&bytes).with_context(place);
    }
    let text = String::from_utf8_lossy(&bytes);
    let mut rows = text.lines().enumerate();
    let names: Vec<&str> = rows.next().map(|row| row.1.split('\t').collect()).unwrap_or_default();
    let column = |name: &str| {
        names
            .iter()
            .position(|n| *n == name)
            .with_context(|| format!("{}: no column {name:?}", place()))
    };
    let (result, moves) = (column("result")?, column("moves")?);
    let mut lessons = Vec::new();
    for (number, row) in rows.filter(|row| !row.1.is_empty()) {
        let place = || format!("{}, row {}", place(), number + 1);
        let cells: Vec<&str> = row.split('\t').collect();
        let cell = |index: usize| {
            cells.get(index).copied().with_context(|| format!("{}: a cell is missing", place()))
        };
        let game = record::from_moves(cell(moves)?, None).with_context(place)?;
        let outcome = match cell(result)? {
            "B" => Outcome::Win(Colour::Black),
            "W" => Outcome::Win(Colour::White),
            "D" => Outcome::Draw,
            other => bail!("{}: the result {other:?} is none of B, W and D", place()),
        };
        lessons.push(Lesson { stones: game.stones().map(|s| s.1).collect(), outcome });
    }
    Ok(lessons)
}

/// The decided games of a collection.
fn sgf_lessons(bytes: &[u8]) -> Result<Vec<Lesson>> {
    let mut lessons = Vec::new();
    for (number, text) in game_record::Games::new(bytes).enumerate() {
        let text = text.with_context(|| format!("game {}", number + 1))?;
        let tree = game_record::Tree::parse(&text)?;
        let result = tree
            .node(game_record::Tree::ROOT)
            .value("RE")
            .unwrap_or_default()
            .trim()
            .to_ascii_uppercase();
        let outcome = match result.as_bytes().first() {
            Some(b'B') => Outcome::Win(Colour::Black),
            Some(b'W') => Outcome::Win(Colour::White),
            Some(b'0' | b'D') => Outcome::Draw,
            _ => continue,
        };
        let game = record::load(text.text.as_bytes(), None)
            .with_context(|| format!("game {}", number + 1))?;
        lessons.push(Lesson { stones: game.stones().map(|s| s.1).collect(), outcome });
    }
    Ok(lessons)
}
