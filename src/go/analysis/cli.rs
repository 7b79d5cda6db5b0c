//! The command line: this program's own, and KataGo's for scripts and programs that start that.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Args, value_parser};

use super::config;
use super::server;
use super::settings::{Set, Settings, View};
use crate::go::positions::PositionsArgs;
use crate::gtp::params;
use crate::options::default_threads;
use crate::output::note;
use crate::program::Run;
use crate::session::VERSION;

/// Options of an analysis for other programs.
#[derive(Args, Debug)]
pub struct AnalysisArgs {
    #[command(flatten)]
    positions: PositionsArgs,

    /// Playouts for a position whose query does not say (maxVisits) [default: 1000, with a network 200]
    #[arg(long, alias = "visits", value_name = "N", value_parser = value_parser!(u64).range(1..=super::settings::MAX_VISITS as u64))]
    playouts: Option<u64>,

    /// Whose chances, leads and points are told, unless a query says (reportAnalysisWinratesAs) [default: black]
    #[arg(long, value_name = "SIDE", ignore_case = true)]
    report_as: Option<View>,

    /// Ends at the end of the input, without finishing what waits
    #[arg(long)]
    quit_without_waiting: bool,

    /// A configuration file of KataGo's: what means something here is as it says. One that is not there is passed over
    #[arg(long, value_name = "FILE")]
    config: Vec<PathBuf>,

    /// Settings of such a file, or of `tesuji-param`, one after another: a=b,c=d
    #[arg(long, value_name = "SETTINGS")]
    override_config: Vec<String>,

    /// A network, as --network; but one that is not there, or that this program cannot use, is passed over
    #[arg(long, value_name = "FILE", conflicts_with = "network")]
    model: Option<PathBuf>,

    /// Passed over
    #[arg(long, value_name = "FILE", hide = true)]
    human_model: Option<PathBuf>,
}

/// Playouts of a position unless it is said.
const DEFAULT_PLAYOUTS: u64 = 1000;
/// Evaluations by a network of a position unless it is said.
const DEFAULT_EVALUATIONS: u64 = 200;

/// KataGo's options have one dash before their names: with two they are read as all others.
pub fn with_long_dashes(args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut args: Vec<OsString> = args.into_iter().collect();
    if args.get(1).is_some_and(|command| command == "analysis") {
        for arg in &mut args[2..] {
            let name = arg.to_str().and_then(|text| text.strip_prefix('-'));
            if name.is_some_and(|name| {
                name.len() > 1 && name.starts_with(|c: char| c.is_ascii_alphabetic())
            }) {
                let mut long = OsString::from("-");
                long.push(&*arg);
                *arg = long;
            }
        }
    }
    args
}

impl AnalysisArgs {
    /// The settings of files and of the command line, in their order.
    fn configured(&self) -> Vec<(String, String)> {
        let mut settings = Vec::new();
        for file in &self.config {
            match std::fs::read(file) {
                Ok(bytes) => settings.extend(config::of_file(&String::from_utf8_lossy(&bytes))),
                Err(why) => tracing::warn!("passed over {}: {why}", file.display()),
            }
        }
        settings.extend(self.override_config.iter().flat_map(|word| config::of_word(word)));
        settings
    }

    /// How many positions at a time: as it is said here, else as KataGo is configured, but not more than there are
    /// processors, since such numbers are meant for a graphics card.
    fn positions(&self, configured: &[(String, String)]) -> PositionsArgs {
        let mut positions = self.positions.clone();
        let processors = default_threads();
        let number = |names: &[&str]| {
            let named = configured.iter().rev().find(|(name, _)| names.contains(&name.as_str()))?;
            named.1.parse::<u16>().ok().filter(|&number| number > 0)
        };
        positions.positions =
            positions.positions.or_else(|| Some(number(&["numAnalysisThreads"])?.min(processors)));
        let left = (usize::from(processors) / positions.positions()).max(1) as u16;
        let threads = || number(&["numSearchThreadsPerAnalysisThread", "numSearchThreads"]);
        positions.threads = positions.threads.or_else(|| Some(threads()?.min(left)));
        positions
    }
}

impl Run for AnalysisArgs {
    /// Answers queries until the input ends and all is answered, or nobody reads the answers.
    fn run(&self) -> Result<ExitCode> {
        let configured = self.configured();
        let positions = self.positions(&configured);
        let mut engine = positions.engine()?;
        if let Some(file) = &self.model
            && let Err(why) = engine.use_network(file)
        {
            tracing::warn!("it goes on with the network that there is: {why:#}");
        }
        let default =
            if engine.any_network().is_some() { DEFAULT_EVALUATIONS } else { DEFAULT_PLAYOUTS };
        let (ours, theirs): (Vec<_>, Vec<_>) = configured.iter().partition(|(name, _)| {
            params::all(&engine).iter().any(|param| param.tunable.name == name.as_str())
        });
        for (name, value) in ours {
            params::set(&mut engine, name, value).map_err(anyhow::Error::msg)?;
        }
        let mut settings = Settings::new(default, &engine);
        for (name, value) in theirs {
            match settings.set(name, value) {
                Set::Done => {}
                Set::Bad(why) => bail!(why),
                Set::Ignored => tracing::debug!("{name} means nothing here"),
            }
        }
        settings.view = self.report_as.unwrap_or(settings.view);
        settings.visits = self.playouts.unwrap_or(settings.visits);
        let pool = positions.pool_of(engine.another());
        // Clients wait for these words of KataGo's before they begin.
        note(format_args!("tesuji {VERSION}: Started, ready to begin handling requests"));
        server::run(pool, engine, settings, self.quit_without_waiting, io::stdin(), io::stdout())?;
        Ok(ExitCode::SUCCESS)
    }
}
