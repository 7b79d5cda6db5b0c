//! The command line: `tesuji tune`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Args;
use serde_json::Value;

use super::plan::TunePlan;
use super::report;
use super::settings::TuneSettings;
use crate::arena::check::last_words;
use crate::arena::engine::{Engine, NewGame};
use crate::arena::fault::Fault;
use crate::arena::openings::OpeningBook;
use crate::arena::runner::{self, Finish, Plan as _, Run};
use crate::arena::settings::Settings;
use crate::arena::transcript::Transcript;
use crate::interrupt;
use crate::output::{note, print};

/// Options of `tesuji tune`.
#[derive(Args, Debug)]
pub struct TuneArgs {
    /// A TOML file: the engine, its parameters, the games (docs/tune.md)
    file: PathBuf,
    /// Folder for games, page and values [default: the file's name with the ending .tune]
    #[arg(short, long)]
    dir: Option<PathBuf>,
    /// Games at a time, whatever the file says; what is found does not depend on it
    #[arg(short = 'j', long)]
    concurrency: Option<usize>,
    /// Only write page and tables again
    #[arg(long)]
    report: bool,
}

/// Runs `tesuji tune`.
///
/// # Errors
/// When the file makes no sense, the engine does not take its parameters, or nothing can be written any more.
pub fn run(args: &TuneArgs) -> Result<ExitCode> {
    let mut settings = TuneSettings::read(&args.file)?;
    if let Some(games) = args.concurrency {
        settings.check_concurrency(games)?;
        settings.games.concurrency = games;
    }
    let path = args.dir.clone().unwrap_or_else(|| args.file.with_extension("tune"));
    let openings = openings(&settings)?;
    let games = settings.tuning_games(openings)?;
    if args.report {
        let results = runner::look(&games, &path, definition(&settings)?)?;
        let mut plan = TunePlan::new(&settings, &games, &path, results.games.len());
        plan.next(&results);
        plan.end();
        plan.report(&results)?;
        print(&report::summary(&settings, plan.course(), &path)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(words) = settings.too_few_openings(openings) {
        tracing::warn!("{words}");
    }
    let stop = interrupt::flag();
    let tried = try_parameters(&settings, &games, &stop);
    if stop.load(Ordering::Relaxed) {
        return Finish::Stopped.told();
    }
    tried?;
    note(format_args!("{} in {}", settings.title, path.display()));
    let mut run = Run::open(&games, &path, definition(&settings)?, None)?;
    let mut plan = TunePlan::new(&settings, &games, &path, run.results.games.len());
    let mut finish = run.play(&mut plan, &stop, 2)?;
    plan.end();
    let best = report::best(&settings, plan.course());
    let is_over = plan.course().len() == settings.pairs as usize;
    if is_over && finish == Finish::Complete && settings.final_match.games > 0 {
        let told = |values: &[f64]| settings.commands(values, |_| 0.5);
        if told(&best) == told(&settings.start()) {
            note("the values are those of the start, so there is no match at the end");
        } else {
            let last = settings.final_games(&best, openings)?;
            note(&last.title);
            finish = runner::run(&last, &path.join(report::FINAL), &stop, None)?;
        }
    }
    plan.report(&run.results)?;
    print(&report::summary(&settings, plan.course(), &path)?)?;
    finish.told()
}

/// How many different openings of files may be used.
fn openings(settings: &TuneSettings) -> Result<usize> {
    match settings.games.openings.sgf.as_slice() {
        [] => Ok(0),
        _ => Ok(OpeningBook::new(&settings.tuning_games(0)?)?.len()),
    }
}

/// What the settings of a tuning begin with among those that a folder's games were played by.
pub const OURS: &str = "tune ";

/// What games depend on beside a match's settings: with any of it changed they are others.
fn definition(settings: &TuneSettings) -> Result<BTreeMap<String, Value>> {
    let all: BTreeMap<String, Value> = serde_json::from_value(serde_json::to_value(settings)?)?;
    let known: BTreeSet<&str> = ["title", "match", "engine", "final"].into();
    let ours = all.into_iter().filter(|(name, _)| !known.contains(name.as_str()));
    Ok(ours.map(|(name, value)| (format!("{OURS}{name}"), value)).collect())
}

/// Starts the engine once and sets each parameter to values that it may come to: a long run must not find out later that
/// one of them is none.
fn try_parameters(settings: &TuneSettings, games: &Settings, stop: &Arc<AtomicBool>) -> Result<()> {
    let logs = tempfile_folder()?;
    let tried = try_in(settings, games, stop, &logs);
    let _ = std::fs::remove_dir_all(&logs);
    tried
}

fn tempfile_folder() -> Result<PathBuf> {
    let logs = std::env::temp_dir().join(format!("tesuji-tune-{}", std::process::id()));
    std::fs::create_dir_all(&logs)
        .with_context(|| format!("cannot make the folder {}", logs.display()))?;
    Ok(logs)
}

fn try_in(
    settings: &TuneSettings,
    games: &Settings,
    stop: &Arc<AtomicBool>,
    logs: &Path,
) -> Result<()> {
    let [player, _] = games.players.as_slice() else { bail!("a tuning has two sides") };
    let transcript = Transcript::default();
    let failed = |fault: Fault| anyhow!("the engine: {fault}{}", last_words(logs, &player.name));
    let mut engine =
        Engine::start(player, games, games.seed, logs, transcript, stop.clone()).map_err(failed)?;
    let begun = engine.new_game(&NewGame { settings: games, seed: games.seed, handicap: &[] });
    begun.map_err(failed)?;
    for parameter in &settings.parameters {
        let between = parameter.between();
        for value in [parameter.min, parameter.max, between, parameter.start] {
            let command = settings.command(parameter, &parameter.rounded(value));
            let answer = engine.ask(&command).map_err(failed)?;
            ensure!(
                answer.ok,
                "parameter {:?}: the engine answers `{command}` by `? {}`{}",
                parameter.name,
                answer.text,
                if value == between { "; `kind = \"integer\"` keeps to whole numbers" } else { "" }
            );
        }
    }
    engine.quit(games.quit_timeout.0);
    Ok(())
}
