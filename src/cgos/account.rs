//! Engines with their names on the server, and what else a run is told.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

use crate::arena::process::Launch;
use crate::arena::settings::words;
use crate::files;

/// An engine with its name on the server.
#[derive(Clone, Debug)]
pub struct Account {
    /// The name.
    pub user: String,
    /// The password.
    pub password: String,
    /// How the engine is started.
    pub launch: Launch,
    /// Games that it plays before the next one has its turn, where there are several.
    pub games: u32,
}

/// What a run is told beside its engines.
#[derive(Clone, Debug)]
pub struct Plan {
    /// `HOST:PORT`.
    pub server: String,
    /// Where records and logs go.
    pub folder: PathBuf,
    /// So many games in all; for ever without it.
    pub games: Option<u32>,
    /// A file that stops the run after the running game once it is there.
    pub kill_file: Option<PathBuf>,
    /// Whether analysis is sent where the server takes it.
    pub analysis: bool,
    /// Time that every move keeps back for the way over the network.
    pub reserve: Duration,
    /// After so long without a line of the server the connection is taken for dead.
    pub silence: Duration,
    /// The longest wait before the server is tried again.
    pub max_wait: Duration,
}

/// A file that names several engines.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AccountsFile {
    /// `HOST:PORT`, where the command line does not say.
    pub server: Option<String>,
    /// The engines, which play in turn.
    #[serde(rename = "engine")]
    pub engines: Vec<EngineEntry>,
}

/// One engine of such a file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EngineEntry {
    /// Its name on the server.
    pub user: String,
    /// The file that holds its password, from the folder of this file.
    pub password_file: PathBuf,
    /// Its command line, cut into words as a shell does; no shell runs it.
    pub command: String,
    /// Games that it plays before the next has its turn.
    #[serde(default = "one")]
    pub games: u32,
}

fn one() -> u32 {
    1
}

impl AccountsFile {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or says something that makes no sense; the message says where.
    pub fn read(path: &Path) -> Result<AccountsFile> {
        let text = files::read_settings(path)?;
        toml::from_str(&text).with_context(|| format!("{}", path.display()))
    }

    /// The engines, with their passwords read.
    ///
    /// # Errors
    /// Names the engine and what is wrong with it.
    pub fn accounts(&self, path: &Path) -> Result<Vec<Account>> {
        ensure!(
            !self.engines.is_empty(),
            "{}: it names no engine; give each a table [[engine]]",
            path.display()
        );
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut accounts: Vec<Account> = Vec::new();
        for entry in &self.engines {
            let place = || format!("{}: the engine {:?}", path.display(), entry.user);
            let words = words(&entry.command).with_context(place)?;
            let password = folder.join(&entry.password_file);
            let account = Account::new(&entry.user, &password, words, entry.games);
            let account = account.with_context(place)?;
            ensure!(
                accounts.iter().all(|other| other.user != account.user),
                "{}: two engines are called {:?}",
                path.display(),
                account.user
            );
            accounts.push(account);
        }
        Ok(accounts)
    }
}

impl Account {
    /// An account, checked as the server will check it.
    ///
    /// # Errors
    /// What the server would refuse, and why.
    pub fn new(
        user: &str,
        password_file: &Path,
        words: Vec<String>,
        games: u32,
    ) -> Result<Account> {
        check(user, 3..=18).with_context(|| format!("the name {user:?}"))?;
        ensure!(
            !user.starts_with(|c: char| c.is_ascii_digit()),
            "the name {user:?}: a name cannot begin with a digit"
        );
        ensure!(!words.is_empty(), "an engine's command line is expected");
        ensure!(games > 0, "games: at least one is expected");
        Ok(Account {
            user: user.to_owned(),
            password: read_password(password_file)?,
            launch: Launch { words, env: Vec::new(), dir: None },
            games,
        })
    }

    /// The engine's command line as a person would type it.
    pub fn command(&self) -> String {
        shlex::try_join(self.launch.words.iter().map(String::as_str))
            .unwrap_or_else(|_| self.launch.words.join(" "))
    }
}

/// The first line of a file.
fn read_password(path: &Path) -> Result<String> {
    let text = files::read_settings(path).with_context(|| {
        format!("cannot read the password from {}; put it there, on one line", path.display())
    })?;
    let password = text.lines().next().unwrap_or_default().trim().to_owned();
    // Of the password itself nothing is shown.
    check(&password, 3..=16).with_context(|| format!("the password in {}", path.display()))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if let Ok(about) = std::fs::metadata(path)
            && about.permissions().mode() & 0o077 != 0
        {
            let path = path.display();
            tracing::warn!("others can read the password in {path}; `chmod 600 {path}` hides it");
        }
    }
    Ok(password)
}

/// Names and passwords are checked before the server does: it would close the connection.
fn check(text: &str, length: std::ops::RangeInclusive<usize>) -> Result<()> {
    if !length.contains(&text.len()) {
        bail!("{} to {} characters are expected", length.start(), length.end());
    }
    let allowed = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    ensure!(text.chars().all(allowed), "only letters, digits, `_`, `.` and `-` are allowed");
    Ok(())
}
