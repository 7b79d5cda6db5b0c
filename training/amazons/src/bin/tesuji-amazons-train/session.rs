//! A run of training: reads the games, makes the steps, writes what came of them.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use amazons_engine::eval::Weights;
use amazons_engine::learn::Part;
use amazons_engine::net::file::{self, Architecture};
use amazons_engine::net::resnet::ResNetSize;
use amazons_training::{Optimizer, Options, Trainer, graphics, processor};
use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};

use tesuji::amazons::eval::{samples, spread};
use tesuji::files;
use tesuji::program::say;

use crate::curves::{csv, svg};
use crate::{DeviceArg, NetworkArg, OptimizerArg, TrainArgs};

/// The minimum time from one checkpoint to the next.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(60);

fn options(args: &TrainArgs) -> Result<Options> {
    let (architecture, usual) = match args.network {
        NetworkArg::Resnet => {
            let (blocks, channels) = (usize::from(args.blocks), usize::from(args.channels));
            (Architecture::ResNet(ResNetSize { blocks, channels }), OptimizerArg::Adam)
        }
        NetworkArg::Patent => (Architecture::Patent, OptimizerArg::Rmsprop),
    };
    let (optimizer, rate) = match args.optimizer.unwrap_or(usual) {
        OptimizerArg::Adam => (Optimizer::Adam, 2e-3),
        OptimizerArg::Rmsprop => (Optimizer::RmsProp, 1e-4),
    };
    let rate = args.rate.unwrap_or(rate);
    if !(rate > 0.0 && rate.is_finite()) {
        bail!("--rate has to be above 0");
    }
    if !(args.value_weight >= 0.0 && args.value_weight.is_finite()) {
        bail!("--value-weight must not be below 0");
    }
    let (steps, batch, seed) = (args.steps, usize::from(args.batch), args.seed);
    let value_weight = args.value_weight;
    Ok(Options { architecture, steps, batch, rate, optimizer, value_weight, seed })
}

/// A name with an ending added to it.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    files::replace(path, bytes).with_context(|| path.display().to_string())
}

pub fn run(args: &TrainArgs) -> Result<ExitCode> {
    let options = options(args)?;
    let device = match args.device {
        DeviceArg::Cpu => processor(),
        DeviceArg::Gpu => graphics().context(
            "this program was built without a graphics processor; build it with the feature wgpu",
        )?,
    };
    let architecture = options.architecture;
    let weights = Weights::shipped();
    let learned = samples(&args.games, Part::Train)?;
    let watched = spread(samples(&args.games, Part::Validation)?, args.watch);
    let kept = beside(&args.output, ".checkpoint");
    let found = if kept.exists() {
        Some(std::fs::read(&kept).with_context(|| kept.display().to_string())?)
    } else {
        None
    };
    let begun = Trainer::new(options, weights, &device, learned, watched, found.as_deref());
    let mut trainer = begun.with_context(|| match found {
        Some(_) => kept.display().to_string(),
        None => "cannot train".to_owned(),
    })?;
    let [queens, arrows] = trainer.samples();
    say(&format!("{queens} queens' moves and {arrows} arrows to learn from"))?;

    static STOP: AtomicBool = AtomicBool::new(false);
    ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed))
        .context("cannot listen for Ctrl-C")?;
    let bar = ProgressBar::new(args.steps);
    let style = "{wide_bar} {pos} of {len} steps, {msg}, {elapsed} gone, {eta} left";
    bar.set_style(
        ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    bar.set_position(trainer.step());
    bar.reset_eta();
    if trainer.curve().is_empty() {
        tell(&bar, &trainer.watch()?)?;
    }
    let mut saved = Instant::now();
    while trainer.step() < args.steps && !STOP.load(Ordering::Relaxed) {
        let losses = trainer.advance()?;
        bar.set_message(format!("losses {:.3} {:.3}", losses.policy[0], losses.policy[1]));
        bar.set_position(trainer.step());
        if trainer.step().is_multiple_of(args.every) || trainer.step() == args.steps {
            tell(&bar, &trainer.watch()?)?;
            write(&beside(&args.output, ".csv"), csv(trainer.curve()).as_bytes())?;
            write(&beside(&args.output, ".svg"), svg(trainer.curve()).as_bytes())?;
        }
        if saved.elapsed() > CHECKPOINT_EVERY {
            write(&kept, &trainer.checkpoint())?;
            saved = Instant::now();
        }
    }
    bar.finish_and_clear();
    write(&kept, &trainer.checkpoint())?;
    if trainer.step() < args.steps {
        bail!("stopped; the same command goes on");
    }
    write(&args.output, &file::write(architecture, trainer.best()))?;
    Ok(ExitCode::SUCCESS)
}

/// A line about a point of the curves.
fn tell(bar: &ProgressBar, row: &amazons_training::Row) -> Result<()> {
    let [.., queen, _, queens, _, arrow, _, arrows, value, called] = row.numbers;
    let line = format!(
        "step {}: queen's move {queen:.3}, {:.1}%; arrow {arrow:.3}, {:.1}%; value {value:.3}, {:.1}%",
        row.step,
        100.0 * queens,
        100.0 * arrows,
        100.0 * called
    );
    Ok(bar.suspend(|| say(&line))?)
}
