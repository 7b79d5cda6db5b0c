//! The programs that take part: players, and the referee that counts.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::super::arbiter::Spelling;
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
    /// GTP commands sent once after the start; `{seed}` stands for a number of its own for each process.
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
}

impl Player {
    /// How to start the program.
    ///
    /// # Errors
    /// When the command line is empty or a quote in it is not closed.
    pub fn launch(&self) -> Result<Launch> {
        let words = words(&self.command).with_context(|| format!("player {}", self.name))?;
        let env = self.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        Ok(Launch { words, env, dir: self.dir.clone() })
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

/// Cuts a command line into words as a shell does.
pub(super) fn words(command: &str) -> Result<Vec<String>> {
    let words = shlex::split(command)
        .with_context(|| format!("a quote is not closed in the command line {command:?}"))?;
    ensure!(!words.is_empty(), "the command line is empty");
    Ok(words)
}
