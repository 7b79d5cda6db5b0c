//! Folders, TOML and running the binary.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tesuji::arena::results::{GameLine, Results};

/// A match in a folder of its own.
pub struct Match {
    folder: tempfile::TempDir,
    settings: String,
    players: String,
}

/// The command line of a scripted engine.
pub fn scripted(words: &str) -> String {
    let program = std::env::current_exe().expect("the test program's path");
    format!("'{}' scripted-engine {words}", program.display())
}

impl Match {
    /// A match on 5x5 with these settings, in TOML.
    pub fn new(settings: &str) -> Match {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = if settings.contains("size = ") {
            format!("{settings}\n")
        } else {
            format!("size = 5\nscoring = \"runner\"\n{settings}\n")
        };
        Match { folder, settings, players: String::new() }
    }

    /// Adds a scripted engine under a name; `FILE` in its words stands for a file of the match's own.
    pub fn player(self, name: &str, words: &str) -> Match {
        self.player_with(name, words, "")
    }

    /// The same with more settings of the player's own.
    pub fn player_with(mut self, name: &str, words: &str, more: &str) -> Match {
        let file = self.folder.path().join(format!("{name}.once"));
        let command = scripted(&words.replace("FILE", &file.display().to_string()));
        self.players
            .push_str(&format!("[[player]]\nname = \"{name}\"\ncommand = {command:?}\n{more}\n"));
        self
    }

    /// A file beside the match's own.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The folder that the match writes to.
    pub fn folder(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    /// The command that plays it.
    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
        command.arg("match").args(self.arguments());
        command
    }

    /// What the command that plays matches is given: the settings' file, and the folder.
    pub fn arguments(&self) -> [PathBuf; 3] {
        let file = self.folder.path().join("match.toml");
        std::fs::write(&file, format!("{}{}", self.settings, self.players)).expect("the TOML file");
        [file, "--dir".into(), self.folder()]
    }

    /// Plays it to its end.
    pub fn run(&self) -> Finished {
        let output = self.command().output().expect("the binary runs");
        Finished::new(output, &self.folder())
    }
}

/// What a run left behind.
pub struct Finished {
    pub output: Output,
    pub results: Results,
    pub stdout: String,
    pub stderr: String,
}

impl Finished {
    pub fn new(output: Output, folder: &Path) -> Finished {
        Finished {
            results: Results::read(folder).expect("results"),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            output,
        }
    }

    /// Checks that the run ended well with so many games.
    pub fn succeeded(self, games: usize) -> Finished {
        assert!(self.output.status.success(), "{}\n{}", self.stdout, self.stderr);
        assert_eq!(self.results.games.len(), games, "{}\n{}", self.stdout, self.stderr);
        self
    }

    pub fn games(&self) -> &[GameLine] {
        &self.results.games
    }
}
