//! The programs that take part: players, and the referee that counts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::super::arbiter::Spelling;
use super::super::engine_thread::OwnEngine;
use super::super::link::Link;
use super::super::process::Launch;

/// A program that counts finished games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Referee {
    /// Its command line.
    pub command: String,
    /// GTP commands sent once after it is started.
    #[serde(default)]
    pub setup: Vec<String>,
}

/// One player: a program and how to talk to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Player {
    /// The name in tables, records and file names.
    pub name: String,
    /// The command line, cut into words as a shell does; no shell runs it.
    pub command: String,
    /// GTP commands sent once after the start; `{seed}` stands for the seed of the game that it is started for.
    pub setup: Vec<String>,
    /// GTP commands sent at the start of every game; `{seed}` stands for the game's seed.
    pub game_setup: Vec<String>,
    /// Variables added to its environment.
    pub env: BTreeMap<String, String>,
    /// The folder it runs in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// How it spells turns of several steps.
    pub spelling: Spelling,
    /// Whether it is started anew for each game.
    pub restart: bool,
    /// Whether it plays in the runner's own process, which only this program's engine can.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub in_process: bool,
}

impl Player {
    /// Starts the program; what it logs is appended to `log`.
    ///
    /// # Errors
    /// When the command line cannot be one, as [`Player::check`] tells before, or the program cannot be started.
    pub fn start(&self, log: &Path) -> Result<Link> {
        let link = match self.in_process {
            true => Link::start_thread(self.own_engine()?, log),
            false => Link::start_process(&self.launch()?, log),
        };
        Ok(link?)
    }

    /// What can be told without starting the program.
    ///
    /// # Errors
    /// When the command line is empty, a quote in it is not closed, or an own engine does not understand it.
    pub fn check(&self) -> Result<()> {
        match self.in_process {
            true => self.own_engine().map(drop),
            false => self.launch().map(drop),
        }
    }

    fn launch(&self) -> Result<Launch> {
        let words = words(&self.command).with_context(|| format!("player {}", self.name))?;
        let env = self.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        Ok(Launch { words, env, dir: self.dir.clone() })
    }

    fn own_engine(&self) -> Result<OwnEngine> {
        let shares = |what: &str| format!("player {}: in-process: it has {what}", self.name);
        ensure!(self.env.is_empty(), shares("the runner's environment, and env would change it"));
        ensure!(self.dir.is_none(), shares("the runner's folder, and dir would change it"));
        words(&self.command)
            .and_then(|words| OwnEngine::new(&words))
            .with_context(|| format!("player {}", self.name))
    }
}

impl Referee {
    /// The referee as an engine that can be started.
    pub fn as_player(&self) -> Player {
        Player {
            name: "referee".into(),
            command: self.command.clone(),
            setup: self.setup.clone(),
            ..Player::default()
        }
    }
}

/// Cuts a command line into words as a shell does; on Windows, where paths hold backslashes, as is usual there.
///
/// # Errors
/// When a quote is not closed, or there is no word.
pub fn words(command: &str) -> Result<Vec<String>> {
    let words = if cfg!(windows) { windows_words(command) } else { shlex::split(command) };
    let words =
        words.with_context(|| format!("a quote is not closed in the command line {command:?}"))?;
    ensure!(!words.is_empty(), "the command line is empty");
    Ok(words)
}

/// Words with blanks between them; double quotes hold together what they stand around, and a backslash is a letter.
fn windows_words(command: &str) -> Option<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    let (mut in_word, mut in_quotes) = (false, false);
    for letter in command.chars() {
        match letter {
            '"' => {
                in_quotes = !in_quotes;
                if !in_word {
                    words.push(String::new());
                    in_word = true;
                }
            }
            letter if letter.is_whitespace() && !in_quotes => in_word = false,
            letter => {
                if !in_word {
                    words.push(String::new());
                    in_word = true;
                }
                words.last_mut()?.push(letter);
            }
        }
    }
    (!in_quotes).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_windows_a_backslash_is_a_letter() {
        let words = windows_words(r#""C:\my games\tesuji.exe" --name "a b" "" C:\x"#).unwrap();
        assert_eq!(words, [r"C:\my games\tesuji.exe", "--name", "a b", "", r"C:\x"]);
        assert_eq!(windows_words("\"open"), None);
    }
}
