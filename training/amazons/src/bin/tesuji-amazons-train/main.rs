//! `tesuji-amazons-train`: teaches a network from games of self-play.
//!
//! The framework that computes gradients is large, so this program is none of those that players build.

mod curves;
mod session;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum, value_parser};

/// Teaches a network from games that `tesuji-amazons selfplay` has written
#[derive(Parser, Debug)]
#[command(
    version,
    after_help = "Example:\n  tesuji-amazons-train --games games.tsv --output network.net"
)]
struct TrainArgs {
    /// Files of games that `selfplay` has written
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    games: Vec<PathBuf>,

    /// File for the network; the curves are written beside it as .csv and .svg, the state to go on from as .checkpoint
    #[arg(long, value_name = "FILE")]
    output: PathBuf,

    /// What to teach
    #[arg(long, value_enum, default_value_t = NetworkArg::Resnet)]
    network: NetworkArg,

    /// Residual blocks of a residual network
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = value_parser!(u16).range(0..=40))]
    blocks: u16,

    /// Channels of a residual network
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = value_parser!(u16).range(1..=512))]
    channels: u16,

    /// Steps in all
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = value_parser!(u64).range(1..))]
    steps: u64,

    /// Turns in a step
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = value_parser!(u16).range(1..=8192))]
    batch: u16,

    /// The highest rate; it rises to it at first and falls to nothing [default: 0.002 by Adam, 0.0001 by RMSProp]
    #[arg(long, value_name = "RATE")]
    rate: Option<f32>,

    /// The rule of the steps [default: adam for a residual network, rmsprop for the patent's]
    #[arg(long, value_enum)]
    optimizer: Option<OptimizerArg>,

    /// Weight of the value's loss beside the policy's
    #[arg(long, value_name = "WEIGHT", default_value_t = 1.0)]
    value_weight: f32,

    /// What everything random follows from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Steps from one measurement on the validation part to the next
    #[arg(long, value_name = "N", default_value_t = 250, value_parser = value_parser!(u64).range(1..))]
    every: u64,

    /// Choices to measure on
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = value_parser!(u64).range(2..))]
    watch: u64,

    /// Where to compute
    #[arg(long, value_enum, default_value_t = DeviceArg::Cpu)]
    device: DeviceArg,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum NetworkArg {
    /// The small one that the search asks
    #[value(name = "resnet", alias = "lean")]
    Resnet,
    /// Move-Net and Arrow-Net of CN 111330255 B
    #[value(name = "patent", alias = "literal")]
    Patent,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum OptimizerArg {
    /// Adam with decoupled weight decay
    Adam,
    /// RMSProp with Nesterov momentum, as in the patent
    Rmsprop,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum DeviceArg {
    /// The processor
    Cpu,
    /// A graphics processor; needs a program built with the feature wgpu
    Gpu,
}

/// Trains until all steps are made, or Ctrl-C.
fn main() -> ExitCode {
    session::run(&TrainArgs::parse()).unwrap_or_else(|error| {
        eprintln!("tesuji-amazons-train: {error:#}");
        ExitCode::FAILURE
    })
}
