//! The command line of matches: `tesuji match`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use game_core::time::TimeControl;

use super::arbiter::{Game, RuleSet};
use super::report::text;
use super::results::Results;
use super::runner;
use super::settings::{Format, Player, Referee, Scoring, Settings, Span, SprtBounds, parse_time};
use crate::files;
use crate::interrupt;
use crate::output::{note, print, say};
use crate::shard::Shard;

/// Options of `tesuji match`.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct MatchArgs {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    options: MatchOptions,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Start every engine once and say whether it is ready to play
    Check(Box<MatchOptions>),
    /// Print the table of a match and write its reports again
    Report {
        /// The match's folder
        folder: PathBuf,
    },
}

/// What a match is to be: options stand over what the file says.
#[derive(Args, Debug, Default)]
struct MatchOptions {
    /// A TOML file that describes the match
    file: Option<PathBuf>,
    /// An engine's command line (give it two times or more)
    #[arg(short, long, value_name = "COMMAND")]
    engine: Vec<String>,
    /// The engines' names, in the same order
    #[arg(short, long, value_name = "NAME")]
    name: Vec<String>,
    /// Engines play in this process, not in ones of their own; only tesuji's own can
    #[arg(long, hide_short_help = true, requires = "engine")]
    in_process: bool,
    /// The match's folder: games, results, reports [default: match-NAME-NAME]
    #[arg(short, long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
    /// Which game is played
    #[arg(long, value_name = "GAME", value_parser = Game::parser())]
    game: Option<Game>,
    /// Games between each two players that meet
    #[arg(short, long, value_name = "N")]
    games: Option<u32>,
    /// Board size
    #[arg(short, long, value_name = "N")]
    size: Option<u8>,
    /// Komi
    #[arg(short, long, value_name = "POINTS", allow_negative_numbers = true)]
    komi: Option<f64>,
    /// Rule set of Go
    #[arg(long, value_name = "NAME")]
    rules: Option<RuleSet>,
    /// Fixed handicap stones
    #[arg(long, value_name = "N", hide_short_help = true)]
    handicap: Option<usize>,
    /// Clock: 10m, 5m+30s, 5m+3x30s (periods), 0+5m/25 (stones), "fischer 5m 10s" or none
    ///
    /// MAIN, MAIN+PERIOD, MAIN+PERIOD/STONES, MAIN+PERIODSxPERIOD or "fischer MAIN INCREMENT"; none for no clock
    #[arg(short, long, value_name = "CLOCK", value_parser = parse_time)]
    time: Option<TimeControl>,
    /// Longest time for a move without a clock, and for any other command
    #[arg(long, value_name = "TIME", hide_short_help = true)]
    move_timeout: Option<Span>,
    /// Games at a time
    #[arg(short = 'j', long, value_name = "N")]
    concurrency: Option<usize>,
    /// Everybody against everybody, or the first against all others
    #[arg(long, value_name = "KIND", hide_short_help = true)]
    format: Option<Format>,
    /// Who counts finished games of Go
    #[arg(long, value_name = "WHO", hide_short_help = true)]
    scoring: Option<Scoring>,
    /// Command line of a GTP program that counts finished games
    #[arg(long, value_name = "COMMAND")]
    referee: Option<String>,
    /// SGF files or folders whose games are the openings
    #[arg(long, value_name = "PATH")]
    openings: Vec<PathBuf>,
    /// Only so many turns of each opening
    #[arg(long, value_name = "N", hide_short_help = true)]
    opening_turns: Option<usize>,
    /// So many turns drawn at random instead
    #[arg(long, value_name = "N", hide_short_help = true)]
    random_opening: Option<usize>,
    /// Stop when the first player is known to lead by ELO1 or more, or by ELO0 or less
    ///
    /// ELO0,ELO1,ALPHA,BETA sets the chances of either error too
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<SprtBounds>,
    /// A game is stopped and counted after so many turns
    #[arg(long, value_name = "N", hide_short_help = true)]
    move_limit: Option<u32>,
    /// Seed of everything drawn at random
    #[arg(long, value_name = "N", hide_short_help = true)]
    seed: Option<u64>,
    /// Keep all GTP traffic
    #[arg(long)]
    gtp_log: bool,
    /// Play only part I of N of the games, from 1/N to N/N, in a folder that all parts share; auto takes the numbers from
    /// Slurm's array. `tesuji match report FOLDER` puts the parts together
    #[arg(long, value_name = "I/N|auto")]
    shard: Option<Shard>,
}

impl MatchOptions {
    /// The settings of file and options together.
    fn settings(&self) -> Result<Settings> {
        let mut settings = match &self.file {
            Some(file) => Settings::read(file)?,
            None => Settings::default(),
        };
        if !self.engine.is_empty() {
            ensure!(
                settings.players.is_empty(),
                "the file names the players; --engine would name them again"
            );
            ensure!(self.name.len() <= self.engine.len(), "there are more --name than --engine");
            settings.players = players(&self.engine, &self.name);
            for player in &mut settings.players {
                player.in_process = self.in_process;
            }
        } else {
            ensure!(self.name.is_empty(), "--name names the engine of an --engine");
        }
        fn set<T: Clone>(to: &mut T, option: &Option<T>) {
            if let Some(value) = option {
                *to = value.clone();
            }
        }
        set(&mut settings.game, &self.game);
        set(&mut settings.games, &self.games);
        set(&mut settings.size, &self.size);
        set(&mut settings.komi, &self.komi);
        set(&mut settings.rules, &self.rules);
        set(&mut settings.handicap, &self.handicap);
        set(&mut settings.move_timeout, &self.move_timeout);
        set(&mut settings.concurrency, &self.concurrency);
        set(&mut settings.format, &self.format);
        set(&mut settings.scoring, &self.scoring);
        set(&mut settings.openings.turns, &self.opening_turns);
        set(&mut settings.openings.random, &self.random_opening);
        set(&mut settings.move_limit, &self.move_limit);
        set(&mut settings.seed, &self.seed);
        settings.time = self.time.or(settings.time).filter(|time| *time != TimeControl::Unlimited);
        settings.sprt = self.sprt.or(settings.sprt);
        settings.gtp_log |= self.gtp_log;
        if !self.openings.is_empty() {
            settings.openings.sgf = self.openings.clone();
        }
        if let Some(command) = &self.referee {
            settings.referee = Some(Referee { command: command.clone(), setup: Vec::new() });
        }
        if settings.title.is_empty() {
            let names: Vec<&str> =
                settings.players.iter().map(|player| player.name.as_str()).collect();
            settings.title = names.join(" against ");
        }
        settings.complete()
    }

    /// The match's folder: the same for the same command, so that it goes on where it stopped.
    fn folder(&self, settings: &Settings) -> PathBuf {
        if let Some(dir) = &self.dir {
            return dir.clone();
        }
        match &self.file {
            Some(file) => file.with_extension("match"),
            None => {
                let names: Vec<String> =
                    settings.players.iter().map(|player| player.name.replace(' ', "_")).collect();
                PathBuf::from(format!("match-{}", names.join("-")))
            }
        }
    }
}

/// Players from command lines. One without a name is called after its program; a second of that name gets a number.
fn players(commands: &[String], names: &[String]) -> Vec<Player> {
    let mut players: Vec<Player> = Vec::new();
    for (i, command) in commands.iter().enumerate() {
        let program = command.split_whitespace().next().unwrap_or_default();
        let stem = Path::new(program)
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
            .unwrap_or_default();
        let name = names.get(i).cloned().unwrap_or_else(|| {
            let taken = |name: &str| {
                names.iter().any(|n| n == name) || players.iter().any(|p| p.name == name)
            };
            std::iter::once(stem.clone())
                .chain((2..).map(|n| format!("{stem}-{n}")))
                .find(|name| !taken(name))
                .unwrap_or_default()
        });
        players.push(Player { name, command: command.clone(), ..Player::default() });
    }
    players
}

/// Runs `tesuji match`.
///
/// # Errors
/// When the settings make no sense, the folder cannot be used, or nothing can be written any more.
pub fn run(args: &MatchArgs) -> Result<ExitCode> {
    match &args.action {
        None => play(&args.options),
        Some(Action::Check(options)) => check(&options.settings()?),
        Some(Action::Report { folder }) => report(folder),
    }
}

fn play(options: &MatchOptions) -> Result<ExitCode> {
    let settings = options.settings()?;
    let folder = options.folder(&settings);
    let stop = interrupt::flag();
    note(format_args!("{} in {}", settings.title, folder.display()));
    let finish = runner::run(&settings, &folder, &stop, options.shard)?;
    match options.shard {
        None => print(&text::summary(&settings, &Results::read(&folder)?))?,
        Some(shard) => note(format_args!("part {} is played", shard.words())),
    }
    finish.told()
}

fn report(folder: &Path) -> Result<ExitCode> {
    let file = folder.join("match.toml");
    let text = files::read_settings(&file)?;
    let settings: Settings =
        toml::from_str(&text).with_context(|| format!("{}", file.display()))?;
    let results = Results::read(folder)?;
    // Its page would be written over by that of a match.
    let is_tuning = |name: &String| name.starts_with(crate::tune::cli::OURS);
    ensure!(
        !results.runs.iter().any(|run| run.settings.keys().any(is_tuning)),
        "{0} is a tuning's folder; tesuji tune FILE --dir {0} --report writes its page",
        folder.display()
    );
    super::report::write_all(&settings, &results, folder)?;
    print(&text::summary(&settings, &results))?;
    Ok(ExitCode::SUCCESS)
}

fn check(settings: &Settings) -> Result<ExitCode> {
    let reports = super::check::check(settings)?;
    let mut all_ready = true;
    for report in &reports {
        match &report.outcome {
            Ok(words) => say(&format!("{}: ready: {words}", report.name))?,
            Err(fault) => {
                all_ready = false;
                say(&format!("{}: not ready: {fault}", report.name))?;
            }
        }
    }
    Ok(if all_ready { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
