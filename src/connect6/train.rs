//! `tesuji-connect6 train`: learns everything the engine knows, from records and from games against itself.
//!
//! The work is a fixed row of steps: the network from the records, its moves by what was played and its values
//! by temporal differences; then from games against itself, its moves by what the search visited and its values by
//! results and what the search expected, with the records' values among them, so that what people play is not
//! forgotten; the openings from the records. It is decided by the files, the options and the seed alone: stopped and
//! resumed, it ends with the same bytes.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use clap::{Args, value_parser};
use connect6_engine::book::Book;
use connect6_engine::learn::{Figures, LearnOptions, Learner, Sample, Searched, evaluate};
use connect6_engine::search::Knowledge;
use connect6_engine::{Outcome, Rules, weights};
use game_core::Fnv1a;
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

use super::samples;
use crate::output::say;
use crate::{files, interrupt};

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
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = value_parser!(u32).range(1..))]
    epochs: u32,

    /// Games against itself, tables that `selfplay` has written
    #[arg(long, value_name = "FILE", num_args = 1..)]
    self_play: Vec<PathBuf>,

    /// Times through the games against itself, the records among them
    #[arg(long, value_name = "N", default_value_t = 2)]
    self_play_epochs: u32,

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
    samples: usize,
    /// What the records are; older checkpoints do not say.
    #[serde(default)]
    samples_hash: u64,
    epochs: u32,
    self_play: usize,
    #[serde(default)]
    self_play_hash: u64,
    self_play_epochs: u32,
    lambda: f32,
    self_play_lambda: f32,
    seed: u64,
}

impl Plan {
    /// The same records, but another plan's games against itself.
    fn with_self_play_of(
        self,
        Plan { self_play, self_play_hash, self_play_epochs, self_play_lambda, .. }: Plan,
    ) -> Plan {
        Plan { self_play, self_play_hash, self_play_epochs, self_play_lambda, ..self }
    }
}

/// How far the work is: samples done in the present step.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug, Default)]
struct Place {
    step: u32,
    #[serde(alias = "lesson")]
    sample: usize,
}

#[derive(Serialize, Deserialize)]
struct Header {
    plan: Plan,
    place: Place,
}

/// Adam's step at the first record and at the first game against itself; both fall evenly to the last.
const RECORDS_RATE: f32 = 0.001;
const SELF_PLAY_RATE: f32 = 0.000_3;
const LAST_RATE: f32 = 0.000_04;
/// The winner's moves count in full, the loser's less.
const MOVES: [f32; 2] = [1.0, 0.5];
/// Games between two checkpoints.
const SAVED_EVERY: usize = 5000;

/// Games to learn from, and those kept for validation.
#[derive(Default)]
struct Games {
    learned: Vec<Sample>,
    kept: Vec<Sample>,
}

impl Games {
    fn read(paths: &[PathBuf]) -> Result<Games> {
        let mut games = Games::default();
        for path in paths {
            let (kept, learned): (Vec<_>, Vec<_>) =
                samples::read(path)?.into_iter().partition(Sample::is_validation);
            games.kept.extend(kept);
            games.learned.extend(learned);
        }
        Ok(games)
    }
}

/// What tells these games from others.
fn hash(samples: &[Sample]) -> u64 {
    let mut hash = Fnv1a::new();
    for Sample { stones, outcome, searched } in samples {
        hash.number(stones.len() as u64);
        stones.iter().for_each(|point| hash.number(point.index() as u64));
        hash.number(match outcome {
            Outcome::Win(color) => color.index() as u64,
            Outcome::Draw | Outcome::Open => 2,
        });
        for Searched { chance, visits } in searched.iter().flatten() {
            hash.number(u64::from(chance.to_bits()));
            for (turn, visits) in visits {
                turn.stones().for_each(|point| hash.number(point.index() as u64));
                hash.number(u64::from(*visits));
            }
        }
    }
    hash.get()
}

/// Games against itself and as many records in turn, one time through them; the next takes the records that follow.
fn mixed<'a>(played: &'a [Sample], records: &'a [Sample], epoch: u32) -> Vec<&'a Sample> {
    let begin = epoch as usize * played.len() % records.len().max(1);
    let records = records.iter().cycle().skip(begin);
    if played.is_empty() {
        Vec::new()
    } else {
        played.iter().zip(records).flat_map(|(a, b)| [a, b]).collect()
    }
}

/// Figures as they are told.
struct Accuracy(Figures);

impl fmt::Display for Accuracy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Figures { stones, move_loss, first, in_ten, positions, value_loss, right } = self.0;
        write!(
            f,
            "{stones} stones, first {:.2}%, in ten {:.2}%, log loss {move_loss:.4}; {positions} positions, winner \
             called {:.2}%, log loss {value_loss:.4}",
            100.0 * first,
            100.0 * in_ten,
            100.0 * right
        )
    }
}

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
    let stop = interrupt::flag();
    let records = Games::read(&args.games)?;
    if records.learned.is_empty() {
        bail!("there is no decided game to learn from in the records");
    }
    let played = Games::read(&args.self_play)?;
    say(&format!(
        "{} games to learn from, {} to validate on",
        records.learned.len(),
        records.kept.len()
    ))?;
    if !args.self_play.is_empty() {
        let (learned, kept) = (played.learned.len(), played.kept.len());
        say(&format!("{learned} games against itself to learn from, {kept} to validate on"))?;
    }
    let plan = Plan {
        samples: records.learned.len(),
        samples_hash: hash(&records.learned),
        epochs: args.epochs,
        self_play: played.learned.len(),
        self_play_hash: hash(&played.learned),
        self_play_epochs: args.self_play_epochs,
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
        say(&format!("goes on at step {}, sample {}", work.place.step + 1, work.place.sample))?;
    }
    let done = work.go(&records, &played, &checkpoint, &stop)?;
    if !done {
        say(&format!("stopped; the same command goes on from {}", checkpoint.display()))?;
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    let knowledge = Knowledge { net: work.learner.net(), book: Book::learn(&records.learned) };
    say(&format!("openings: {} positions", knowledge.book.len()))?;
    files::replace(&args.output, &weights::encode(&knowledge))
        .with_context(|| args.output.display().to_string())?;
    say(&format!("written: {}", args.output.display()))?;
    Ok(ExitCode::SUCCESS)
}

impl Work {
    fn new(plan: Plan) -> Work {
        Work { plan, place: Place::default(), learner: Learner::new(plan.seed) }
    }

    /// Goes through the steps that are left; false when stopped on the way.
    fn go(
        &mut self,
        records: &Games,
        played: &Games,
        checkpoint: &Path,
        stop: &AtomicBool,
    ) -> Result<bool> {
        let Plan { epochs, self_play, self_play_epochs, .. } = self.plan;
        let steps = epochs + if self_play > 0 { self_play_epochs } else { 0 };
        let alone: Vec<&Sample> = records.learned.iter().collect();
        while self.place.step < steps {
            let step = self.place.step;
            let mixed;
            let (games, what) = if step < epochs {
                (&alone, format!("records {}/{epochs}", step + 1))
            } else {
                mixed = self::mixed(&played.learned, &records.learned, step - epochs);
                (&mixed, format!("self-play {}/{self_play_epochs}", step - epochs + 1))
            };
            let bar = ProgressBar::new(games.len() as u64).with_message(what.clone());
            if let Ok(style) =
                ProgressStyle::with_template("{msg} {bar:30} {pos}/{len}, {eta} left")
            {
                bar.set_style(style);
            }
            while let Some(sample) = games.get(self.place.sample) {
                if stop.load(Ordering::Relaxed) {
                    self.save(checkpoint)?;
                    bar.abandon();
                    return Ok(false);
                }
                let options = self.options();
                self.learner.learn(Rules::CONNECT6, sample, &options);
                self.place.sample += 1;
                bar.set_position(self.place.sample as u64);
                if self.place.sample.is_multiple_of(SAVED_EVERY) {
                    self.save(checkpoint)?;
                }
            }
            bar.finish_and_clear();
            self.place = Place { step: step + 1, sample: 0 };
            self.save(checkpoint)?;
            let net = self.learner.net();
            say(&format!("{what}: {}", Accuracy(evaluate(&net, Rules::CONNECT6, &records.kept))))?;
            if !played.kept.is_empty() {
                let measured = evaluate(&net, Rules::CONNECT6, &played.kept);
                say(&format!("    on games against itself: {}", Accuracy(measured)))?;
            }
        }
        Ok(true)
    }

    /// How the next game is learned.
    fn options(&self) -> LearnOptions {
        let Plan { samples, epochs, self_play, self_play_epochs, lambda, self_play_lambda, .. } =
            self.plan;
        let Place { step, sample } = self.place;
        let rate = |first: f32, step: u32, count: usize, epochs: u32| {
            let done = (step as usize * count + sample) as f32;
            let left = 1.0 - done / (epochs as usize * count) as f32;
            LAST_RATE + (first - LAST_RATE) * left
        };
        if step < epochs {
            LearnOptions {
                moves: MOVES,
                lambda,
                dense_rate: rate(RECORDS_RATE, step, samples, epochs),
            }
        } else {
            LearnOptions {
                moves: [0.0; 2],
                lambda: self_play_lambda,
                dense_rate: {
                    let count = 2 * self_play;
                    rate(SELF_PLAY_RATE, step - epochs, count, self_play_epochs)
                },
            }
        }
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
        let begun = header.place.step >= plan.epochs && header.place.sample > 0
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

#[cfg(test)]
mod tests {
    use super::*;
    use connect6_engine::Point;

    fn sample(column: usize) -> Sample {
        Sample {
            stones: Point::new(column, 0).into_iter().collect(),
            outcome: Outcome::Draw,
            searched: Vec::new(),
        }
    }

    #[test]
    fn a_checkpoint_is_of_the_games_themselves_not_of_their_number() {
        let [one, other] = [sample(1), sample(2)].map(|game| hash(&[game]));
        assert_ne!(one, other);
        assert_eq!(one, hash(&[sample(1)]));
    }

    #[test]
    fn records_are_taken_in_turn() {
        let played: Vec<Sample> = (0..2).map(sample).collect();
        let records: Vec<Sample> = (10..13).map(sample).collect();
        let columns = |epoch| -> Vec<usize> {
            mixed(&played, &records, epoch).iter().map(|sample| sample.stones[0].col()).collect()
        };
        assert_eq!(columns(0), [0, 10, 1, 11]);
        assert_eq!(columns(1), [0, 12, 1, 10]);
        assert!(mixed(&[], &records, 0).is_empty());
        assert!(mixed(&played, &[], 0).is_empty());
    }
}
