//! What a match is to be: read from a TOML file, from options, or from both.

mod complete;
mod player;
mod time;

use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result};
use game_core::time::TimeControl;
use serde::{Deserialize, Serialize};

use super::arbiter::{Game, RuleSet, Rules};
use super::fault::FaultPolicies;
use crate::files;
pub use player::{Player, Referee, words};
pub use time::{Span, parse_time};

/// A whole match or tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// The heading of the reports.
    pub title: String,
    /// Which game is played.
    pub game: Game,
    /// The board's side.
    pub size: u8,
    /// White's compensation in Go.
    pub komi: f64,
    /// The rule set of Go.
    pub rules: RuleSet,
    /// Fixed handicap stones in Go; 0 for an even game.
    pub handicap: usize,
    /// How the players are paired.
    pub format: Format,
    /// Games between each two players that meet.
    pub games: u32,
    /// Whether the players of a pairing change colours from game to game.
    pub alternate: bool,
    /// Games at a time.
    pub concurrency: usize,
    /// Seed of everything that is drawn at random.
    pub seed: u64,
    /// A game is stopped and counted after so many turns; 0 sets it by the board.
    pub move_limit: u32,
    /// Who says how a finished game of Go ended.
    pub scoring: Scoring,
    /// The clock; without one, only `move_timeout` bounds a move.
    #[serde(with = "time::table", skip_serializing_if = "Option::is_none")]
    pub time: Option<TimeControl>,
    /// How far a player may overstep its clock unpunished: the runner cannot tell pipes and scheduling from thinking.
    pub lag: Span,
    /// A move without a clock, and every other command, must be answered within this time.
    pub move_timeout: Span,
    /// An engine must be ready to play within this time of its start.
    pub start_timeout: Span,
    /// After `quit` an engine is killed when it has not ended within this time.
    pub quit_timeout: Span,
    /// Whether engines are asked for a comment on each move (`gomill-explain_last_move`), which goes into the record.
    pub comments: bool,
    /// Whether all GTP traffic is kept, a file a game.
    pub gtp_log: bool,
    /// The openings that games start from.
    pub openings: Openings,
    /// What follows from faults.
    pub faults: FaultPolicies,
    /// The test that stops the match, if any; two players only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtBounds>,
    /// When a game is stopped because both players agree on its outcome.
    pub adjudication: Adjudication,
    /// The program that counts finished games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub referee: Option<Referee>,
    /// The players.
    #[serde(rename = "player")]
    pub players: Vec<Player>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            title: String::new(),
            game: Game::GO,
            size: 0,
            komi: 7.5,
            rules: RuleSet::default(),
            handicap: 0,
            format: Format::RoundRobin,
            games: 100,
            alternate: true,
            concurrency: 1,
            seed: 1,
            move_limit: 0,
            scoring: Scoring::Auto,
            time: None,
            lag: Span::from_millis(100),
            move_timeout: Span::from_secs(600),
            start_timeout: Span::from_secs(60),
            quit_timeout: Span::from_secs(5),
            comments: true,
            gtp_log: false,
            openings: Openings::default(),
            faults: FaultPolicies::default(),
            sprt: None,
            adjudication: Adjudication::default(),
            referee: None,
            players: Vec::new(),
        }
    }
}

/// How players are paired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first player meets each of the others.
    Gauntlet,
}

/// Who counts a game of Go that ended by passes or at the move limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Scoring {
    /// The referee where there is one, else the players.
    #[default]
    Auto,
    /// The players' own `final_score`, where they agree on the winner.
    Players,
    /// The referee program.
    Referee,
    /// The runner: area, with every stone left on the board alive.
    Runner,
}

/// The openings of a match. Both games of a pair start from the same one, with colours changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Openings {
    /// SGF files, or folders of them; the main line of each game is an opening.
    pub sgf: Vec<PathBuf>,
    /// Only so many turns of each opening are played; 0 plays all.
    pub turns: usize,
    /// Whether the openings are taken in an order drawn at random rather than as they come.
    pub shuffle: bool,
    /// The first so many of the files' openings, in that order, are left out.
    #[serde(skip_serializing_if = "is_zero")]
    pub skip: usize,
    /// No more than so many of them are used; 0 for all.
    #[serde(skip_serializing_if = "is_zero")]
    pub take: usize,
    /// So many turns drawn at random, where there are no files.
    pub random: usize,
}

/// Settings that were not always there are not written where they are not used, so that older matches go on.
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The bounds of a sequential probability ratio test, in Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SprtBounds {
    /// The first player is this much stronger under the hypothesis to be rejected.
    pub elo0: f64,
    /// And this much under the hypothesis to be accepted.
    pub elo1: f64,
    /// The chance to accept `elo1` though `elo0` is true.
    pub alpha: f64,
    /// The chance to accept `elo0` though `elo1` is true.
    pub beta: f64,
}

impl Default for SprtBounds {
    fn default() -> Self {
        SprtBounds { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 }
    }
}

impl FromStr for SprtBounds {
    type Err = String;

    /// `ELO0,ELO1` or `ELO0,ELO1,ALPHA,BETA`.
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Result<Vec<f64>, _> =
            text.split(',').map(|n| n.trim().parse::<f64>()).collect();
        match numbers.as_deref() {
            Ok(&[elo0, elo1]) => Ok(SprtBounds { elo0, elo1, ..SprtBounds::default() }),
            Ok(&[elo0, elo1, alpha, beta]) => Ok(SprtBounds { elo0, elo1, alpha, beta }),
            _ => Err("expected ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA".to_string()),
        }
    }
}

/// When a game is decided by what both players say of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Adjudication {
    /// The command both players are asked after their moves, such as `estimate_score`; empty for none. An answer
    /// is a score (`W+12.5`) or, for agreed resignation, Black's chance to win from 0 to 1.
    pub command: String,
    /// The score by which both must see the same side ahead.
    pub margin: f64,
    /// The chance to win below which both must see the same side, where the answers are chances.
    pub hopeless: f64,
    /// How many times in a row, for each player.
    pub times: u32,
    /// No game is decided before this turn.
    pub from_move: u32,
}

impl Settings {
    /// Reads a TOML file. Paths in it are meant from the folder that it lies in.
    ///
    /// # Errors
    /// When the file cannot be read, is no TOML, or has a setting that does not exist; the message says where.
    pub fn read(file: &Path) -> Result<Settings> {
        let text = files::read_settings(file)?;
        Settings::parse(&text, file)
    }

    /// Reads the text of a TOML file of this name.
    ///
    /// # Errors
    /// When it is no TOML, or has a setting that does not exist; the message says where.
    pub fn parse(text: &str, file: &Path) -> Result<Settings> {
        let mut settings: Settings =
            toml::from_str(text).with_context(|| format!("{}", file.display()))?;
        settings.from_folder_of(file);
        if settings.title.is_empty()
            && let Some(stem) = file.file_stem()
        {
            settings.title = stem.to_string_lossy().into_owned();
        }
        Ok(settings)
    }

    /// Makes paths mean what they mean from the folder of this file.
    pub fn from_folder_of(&mut self, file: &Path) {
        let base = file.parent().unwrap_or(Path::new(""));
        let from_base = |path: &mut PathBuf| *path = base.join(&path);
        self.openings.sgf.iter_mut().for_each(from_base);
        self.players.iter_mut().filter_map(|p| p.dir.as_mut()).for_each(from_base);
    }

    /// The settings as the text of a TOML file.
    ///
    /// # Errors
    /// When a setting has no form in TOML: a path that is no text.
    pub fn to_toml(&self) -> Result<String> {
        toml::to_string(self).context("the settings")
    }

    /// The rules of each game.
    pub fn rules(&self) -> Rules {
        Rules { game: self.game, size: self.size, komi: self.komi, rule_set: self.rules }
    }

    /// Who counts, with [`Scoring::Auto`] resolved.
    pub fn scoring(&self) -> Scoring {
        match self.scoring {
            Scoring::Auto if self.referee.is_some() => Scoring::Referee,
            Scoring::Auto => Scoring::Players,
            chosen => chosen,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_that_does_not_exist_is_named() {
        let error = toml::from_str::<Settings>("gamez = 3").expect_err("unknown");
        assert!(error.to_string().contains("gamez"), "{error}");
    }

    #[test]
    fn the_guides_example_is_a_settings_file() {
        let guide = include_str!("../../../docs/match-file.md");
        let example = guide.split("```toml").nth(1).and_then(|rest| rest.split("```").next());
        let settings: Settings = toml::from_str(example.expect("an example")).expect("settings");
        let settings = settings.complete().expect("a match");
        // Everything that it says to be a default is one.
        let plain = Settings { players: settings.players.clone(), size: 9, ..Settings::default() };
        let plain = plain.complete().expect("a match");
        let same = Settings {
            title: String::new(),
            time: None,
            openings: Openings::default(),
            sprt: None,
            adjudication: Adjudication::default(),
            referee: None,
            ..settings
        };
        assert_eq!(same, plain);
    }

    #[test]
    fn a_schedule_that_fills_memory_is_refused() {
        let player =
            |name: &str| Player { name: name.into(), command: "x".into(), ..Player::default() };
        let settings = Settings {
            players: vec![player("a"), player("b"), player("c")],
            games: 400_000,
            ..Settings::default()
        };
        let error = settings.complete().expect_err("too many").to_string();
        assert_eq!(error, "games: 1200000 in all, and a match has 1000000 at most");
    }

    #[test]
    fn settings_survive_being_written() {
        let mut settings =
            Settings { time: Some(parse_time("1m+5s/3").expect("time")), ..Settings::default() };
        settings.players.push(Player {
            name: "a".into(),
            command: "x".into(),
            ..Player::default()
        });
        let text = toml::to_string(&settings).expect("TOML");
        assert_eq!(toml::from_str::<Settings>(&text).expect("read back"), settings);
    }
}
