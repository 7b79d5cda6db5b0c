//! `tesuji train network`: runs the training program, and makes of what it learned a file that the engine plays with.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use go_patterns::network::own;
use serde::Deserialize;

use super::curve;

/// Options of `tesuji train network`.
#[derive(Args, Debug)]
pub struct NetworkArgs {
    /// Folder of positions that `tesuji selfplay` made
    #[arg(long, value_name = "DIR")]
    data: PathBuf,

    /// Folder of such positions that are not learned from
    #[arg(long, value_name = "DIR")]
    validation: PathBuf,

    /// Folder for what is learned: network.bin, curve.csv and curve.svg, and what the next run goes on with
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// The training program, which needs Python with PyTorch
    #[arg(long, value_name = "FILE", default_value = "training/go/train.py")]
    program: PathBuf,

    /// The Python that runs it
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: PathBuf,

    /// Options of the training program, after --
    #[arg(last = true, value_name = "OPTION")]
    options: Vec<String>,
}

/// What the training program tells beside the network.
#[derive(Deserialize)]
struct TrainingReport {
    predictor: [f32; 2],
}

/// Runs `tesuji train network`.
///
/// # Errors
/// What went wrong, in words.
pub fn run(args: &NetworkArgs) -> Result<ExitCode> {
    let program = args.program.display();
    ensure!(args.program.exists(), "{program} does not exist; it is in the project's source");
    let mut python = Command::new(&args.python);
    python.arg(&args.program);
    for (name, path) in
        [("--data", &args.data), ("--validation", &args.validation), ("--out", &args.out)]
    {
        python.arg(name).arg(path);
    }
    // Ctrl-C goes to both; the training program keeps what it has and ends.
    ctrlc::set_handler(|| ()).context("cannot listen for Ctrl-C")?;
    let status = python
        .args(&args.options)
        .status()
        .with_context(|| format!("cannot run {}", args.python.display()))?;
    draw(args)?;
    if !status.success() {
        bail!("{program} ended with {status}");
    }
    pack(args)?;
    Ok(ExitCode::SUCCESS)
}

/// Draws the curves as far as there are some.
fn draw(args: &NetworkArgs) -> Result<()> {
    let table = args.out.join("curve.csv");
    if !table.exists() {
        return Ok(());
    }
    let table = super::read(&table)?;
    let picture = curve::picture(&String::from_utf8_lossy(&table));
    super::write(&args.out.join("curve.svg"), picture.as_bytes())
}

/// Makes network.bin of what the training program wrote.
fn pack(args: &NetworkArgs) -> Result<()> {
    let network = super::read(&args.out.join("network.bin.gz"))?;
    let path = args.out.join("network.json");
    let beside: TrainingReport = serde_json::from_slice(&super::read(&path)?)
        .with_context(|| format!("cannot use {}", path.display()))?;
    super::write(&args.out.join("network.bin"), &own::to_bytes(&network, beside.predictor))
}
