//! The command line of `tesuji cgos`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::{Args, value_parser};

use super::account::{Account, AccountsFile, Plan};
use super::client::{Client, Finish};
use super::journal::Journal;
use crate::interrupt;
use crate::options::seconds;

/// Options of `tesuji cgos`.
#[derive(Args, Debug)]
#[command(after_help = "The first Ctrl-C stops after the running game, a second one at once.")]
pub struct CgosArgs {
    /// The server. Its port decides size, komi and time
    #[arg(long, value_name = "HOST:PORT", value_parser = server)]
    server: Option<String>,
    /// The engine's name there; its first login registers it
    #[arg(long, value_name = "NAME", requires = "password_file")]
    user: Option<String>,
    /// A file with the password on its first line
    #[arg(long, value_name = "FILE", requires = "user")]
    password_file: Option<PathBuf>,
    /// A TOML file with several engines, which play in turn
    #[arg(long, value_name = "FILE", conflicts_with = "user")]
    file: Option<PathBuf>,
    /// Folder for records, the table of games and logs
    #[arg(long, value_name = "FOLDER", default_value = "cgos")]
    dir: PathBuf,
    /// Leave after so many games [default: never]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Leave after the running game once this file is there, and remove it
    #[arg(long, value_name = "FILE")]
    kill_file: Option<PathBuf>,
    /// Do not tell the server's viewers what the engine thinks
    #[arg(long)]
    no_analysis: bool,
    /// Time of each move that is kept back for the network
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = reserve)]
    reserve: f64,
    /// After so long without a word of the server, connect anew
    #[arg(long, value_name = "SECONDS", default_value_t = 180.0, value_parser = seconds, hide_short_help = true)]
    silence: f64,
    /// The longest wait before the server is tried again
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds, hide_short_help = true)]
    max_wait: f64,
    /// The engine's command line [default: this program]
    #[arg(last = true, value_name = "ENGINE")]
    engine: Vec<String>,
}

/// The address of a server, as it stands on the command line or in a file.
fn server(text: &str) -> Result<String, String> {
    match text.rsplit_once(':') {
        Some((host, port))
            if !host.is_empty() && port.parse::<u16>().is_ok_and(|port| port > 0) =>
        {
            Ok(text.to_owned())
        }
        _ => Err("a host and a port are expected, such as localhost:6867".to_owned()),
    }
}

fn reserve(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..=600.0).contains(&number) => Ok(number),
        _ => Err("a number of seconds from 0 to 600 is expected".to_owned()),
    }
}

impl CgosArgs {
    fn accounts(&self) -> Result<(Option<String>, Vec<Account>)> {
        if let Some(path) = &self.file {
            ensure!(
                self.engine.is_empty(),
                "{} names the engines; leave out what stands after `--`",
                path.display()
            );
            let file = AccountsFile::read(path)?;
            if let Some(text) = &file.server {
                server(text)
                    .map_err(|why| anyhow!("{}: the server {text:?}: {why}", path.display()))?;
            }
            return Ok((file.server.clone(), file.accounts(path)?));
        }
        let (Some(user), Some(password)) = (&self.user, &self.password_file) else {
            bail!("who plays? Give --user NAME and --password-file FILE, or --file FILE");
        };
        let engine = if self.engine.is_empty() {
            let own = std::env::current_exe().context("cannot find this program")?;
            vec![own.to_string_lossy().into_owned()]
        } else {
            self.engine.clone()
        };
        Ok((None, vec![Account::new(user, password, engine, 1)?]))
    }
}

/// Runs `tesuji cgos`.
///
/// # Errors
/// When the settings make no sense, the folder cannot be used, the server refuses every engine, or an engine fails.
pub fn run(args: &CgosArgs) -> Result<ExitCode> {
    let (server, accounts) = args.accounts()?;
    let server = args.server.clone().or(server);
    let plan = Plan {
        server: server.context("which server? Give --server HOST:PORT")?,
        folder: args.dir.clone(),
        games: args.games,
        kill_file: args.kill_file.clone(),
        analysis: !args.no_analysis,
        reserve: Duration::from_secs_f64(args.reserve),
        silence: Duration::from_secs_f64(args.silence),
        max_wait: Duration::from_secs_f64(args.max_wait),
    };
    if let Some(file) = plan.kill_file.as_ref().filter(|file| file.exists()) {
        bail!("{} is there already: remove it, or leave out --kill-file", file.display());
    }
    let interrupts = Arc::new(AtomicU32::new(0));
    let counted = interrupts.clone();
    ctrlc::set_handler(move || {
        counted.fetch_add(1, Ordering::Relaxed);
    })
    .context("cannot catch Ctrl-C")?;
    let mut journal = Journal::open(&plan.folder)?;
    let ended = in_turn(&plan, accounts, &mut journal, &interrupts);
    let summary = journal.summary();
    journal.say(&summary);
    ended
}

/// Lets the engines play one after another, until the run is to end or none is left.
fn in_turn(
    plan: &Plan,
    mut accounts: Vec<Account>,
    journal: &mut Journal,
    interrupts: &AtomicU32,
) -> Result<ExitCode> {
    let mut turn = 0;
    loop {
        let account = &accounts[turn % accounts.len()];
        let alone = accounts.len() == 1;
        let played: u32 = journal.tally.iter().sum();
        let left = plan.games.map(|games| games.saturating_sub(played));
        let games = if alone { left } else { Some(left.unwrap_or(u32::MAX).min(account.games)) };
        let mut client = Client::new(plan, account, journal, interrupts, games);
        match client.run() {
            Finish::Played => {
                let played: u32 = journal.tally.iter().sum();
                if plan.games.is_some_and(|games| played >= games) {
                    return Ok(ExitCode::SUCCESS);
                }
                turn += 1;
            }
            Finish::Stopped => {
                if let Some(file) = plan.kill_file.as_ref().filter(|file| file.exists()) {
                    std::fs::remove_file(file)
                        .with_context(|| format!("cannot remove {}", file.display()))?;
                }
                return Ok(ExitCode::SUCCESS);
            }
            // As a shell reports a program ended by Ctrl-C.
            Finish::Interrupted => return Ok(ExitCode::from(interrupt::EXIT_CODE)),
            Finish::Refused(why) => {
                let user = &account.user;
                if alone {
                    bail!("{user}: {why}");
                }
                journal.say(&format!("{user}: {why}; the others go on without it"));
                let index = turn % accounts.len();
                accounts.remove(index);
                turn = index;
            }
        }
    }
}
