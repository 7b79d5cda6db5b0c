//! `tesuji-amazons eval`: how well networks agree with games that they were not taught from, beside the evaluation.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use amazons_engine::Position;
use amazons_engine::eval::Weights;
use amazons_engine::learn::{Part, Sample, Scores, measure};
use amazons_engine::net::file::Net;
use amazons_engine::net::policy::Policy;
use amazons_engine::net::resnet::ResNet;
use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum, value_parser};

use super::files::{read_network, read_weights};
use super::selfplay::read_games;
use crate::output::say;

/// Options of `eval`.
#[derive(Args, Debug)]
pub struct EvalArgs {
    /// Files of games that `selfplay` has written
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    games: Vec<PathBuf>,

    /// Networks beside the one inside the program
    #[arg(long, value_name = "FILE", num_args = 1..)]
    network: Vec<PathBuf>,

    /// Part of the games, split 7:2:1 by their seeds
    #[arg(long, value_enum, default_value_t = PartArg::Test)]
    part: PartArg,

    /// Choices to measure on at most, spread over the games
    #[arg(long, alias = "most", value_name = "N", default_value_t = 20_000, value_parser = value_parser!(u64).range(1..))]
    max_choices: u64,

    /// Weights of the evaluation other than those inside the program
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum PartArg {
    /// Seven games in ten, which networks are taught from
    Train,
    /// Two in ten, which watch over it
    Validation,
    /// One in ten, kept apart
    Test,
}

/// What the games of one part teach, in the order of their seeds: threads write games in any order.
///
/// # Errors
/// When games cannot be read or hold an illegal move.
pub fn samples(paths: &[PathBuf], part: Part) -> Result<Vec<Sample>> {
    let mut games = Vec::new();
    for path in paths {
        for (number, game) in read_games(path)?.iter().enumerate() {
            if Part::of(game.seed) == part {
                let place = |turn| format!("{}, line {}, turn {turn}", path.display(), number + 1);
                let samples = game
                    .samples(Position::start())
                    .map_err(|(turn, why)| anyhow!(why).context(place(turn)))?;
                games.push((game.seed, samples));
            }
        }
    }
    games.sort_by_key(|game| game.0);
    Ok(games.into_iter().flat_map(|game| game.1).collect())
}

/// At most so many, spread evenly, queens' moves and arrows in their pairs.
pub fn spread(samples: Vec<Sample>, max_choices: u64) -> Vec<Sample> {
    let pairs = (samples.len() as u64).div_ceil(2);
    let every = pairs.div_ceil((max_choices / 2).max(1)).max(1) as usize;
    samples.into_iter().enumerate().filter(|(at, _)| (at / 2) % every == 0).map(|l| l.1).collect()
}

/// Prints a table.
///
/// # Errors
/// When a file cannot be read, or there are no games of the part.
pub fn run(args: &EvalArgs) -> Result<ExitCode> {
    let part = match args.part {
        PartArg::Train => Part::Train,
        PartArg::Validation => Part::Validation,
        PartArg::Test => Part::Test,
    };
    let weights = match &args.weights {
        Some(path) => Arc::new(read_weights(path)?),
        None => Weights::shipped(),
    };
    let shipped = Arc::new(Net::ResNet(Box::new((*ResNet::shipped()).clone())));
    let mut policies = vec![
        ("evaluation".to_owned(), Policy::Evaluation),
        ("shipped network".to_owned(), Policy::Network(shipped)),
    ];
    for path in &args.network {
        policies.push((name(path), Policy::Network(Arc::new(read_network(path)?))));
    }
    let samples = spread(samples(&args.games, part)?, args.max_choices);
    if samples.is_empty() {
        bail!("no searched turns in the {} part of these games", part.name());
    }
    for (name, policy) in policies {
        let [queens, arrows] = measure(&policy, &weights, &samples);
        say(&format!("{name}, {} turns of the {} part", queens.samples, part.name()))
            .and_then(|()| say(&line("queen's move", &queens)))
            .and_then(|()| say(&line("arrow", &arrows)))
            .context("cannot write")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

fn line(what: &str, scores: &Scores) -> String {
    let percent = |share: f64| 100.0 * share;
    format!(
        "  {what}: {:.1}% as played, {:.1}% as the search preferred, {:.1}% among five, log loss {:.3}, {:.2} squares off; \
         winner called {:.1}%, log loss {:.3}",
        percent(scores.played),
        percent(scores.preferred),
        percent(scores.among_five),
        scores.policy_loss,
        scores.distance,
        percent(scores.called),
        scores.value_loss,
    )
}
