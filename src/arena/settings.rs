//! What a match is to be: read from a TOML file, from options, or from both.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::fault::FaultPolicy;
use super::judge::{Game, RuleSet, Rules, Spelling};
use super::process::Launch;

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
    #[serde(skip_serializing_if = "Option::is_none")]
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
    pub faults: FaultPolicy,
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
            game: Game::Go,
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
            faults: FaultPolicy::default(),
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
    /// So many turns drawn at random, where there are no files.
    pub random: usize,
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

/// The clock of a game, as GTP's `time_settings` has it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct TimeControl {
    /// Time for the whole game.
    pub main: Span,
    /// When it is used up: periods of this length.
    pub period: Span,
    /// Moves to be made in each period.
    pub stones: u32,
}

impl Default for TimeControl {
    fn default() -> Self {
        TimeControl { main: Span::default(), period: Span::default(), stones: 1 }
    }
}

impl TimeControl {
    /// Whether there is anything after the main time.
    pub fn has_overtime(&self) -> bool {
        self.period.0 > Duration::ZERO && self.stones > 0
    }
}

impl FromStr for TimeControl {
    type Err = String;

    /// `MAIN`, `MAIN+PERIOD` or `MAIN+PERIOD/STONES`: `10m`, `5m+30s`, `0+5m/25`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (main, overtime) = text.split_once('+').unwrap_or((text, "0"));
        let (period, stones) = overtime.split_once('/').unwrap_or((overtime, "1"));
        let stones =
            stones.trim().parse().map_err(|_| format!("{stones:?} is not a number of stones"))?;
        Ok(TimeControl { main: main.parse()?, period: period.parse()?, stones })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.main)?;
        if self.has_overtime() {
            write!(f, "+{}/{}", self.period, self.stones)?;
        }
        Ok(())
    }
}

/// A length of time as people write it: `1.5s`, `10m`, `1h 30m`, or a bare number of seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Span(pub Duration);

impl Span {
    /// So many seconds.
    pub const fn from_secs(seconds: u64) -> Span {
        Span(Duration::from_secs(seconds))
    }

    /// So many milliseconds.
    pub const fn from_millis(millis: u64) -> Span {
        Span(Duration::from_millis(millis))
    }
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let wrong = || format!("{text:?} is not a length of time such as 30s, 1.5s, 10m or 1h");
        let span = match text.parse::<f64>() {
            Ok(seconds) => Duration::try_from_secs_f64(seconds).map_err(|_| wrong())?,
            Err(_) => text
                .parse::<jiff::SignedDuration>()
                .ok()
                .and_then(|d| Duration::try_from(d).ok())
                .ok_or_else(wrong)?,
        };
        // A year is longer than any game; an instant this far ahead can still be computed.
        if span > Duration::from_secs(365 * 24 * 3600) { Err(wrong()) } else { Ok(Span(span)) }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}s", self.0.as_secs_f64())
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(f64),
            Text(String),
        }
        let text = match Written::deserialize(deserializer)? {
            Written::Number(seconds) => seconds.to_string(),
            Written::Text(text) => text,
        };
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl Settings {
    /// Reads a TOML file. Paths in it are meant from the folder that it lies in.
    ///
    /// # Errors
    /// When the file cannot be read, is no TOML, or has a setting that does not exist; the message says where.
    pub fn read(file: &Path) -> Result<Settings> {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read {}", file.display()))?;
        let mut settings: Settings =
            toml::from_str(&text).with_context(|| format!("{}", file.display()))?;
        let base = file.parent().unwrap_or(Path::new(""));
        let from_base = |path: &mut PathBuf| *path = base.join(&path);
        settings.openings.sgf.iter_mut().for_each(from_base);
        settings.players.iter_mut().filter_map(|p| p.dir.as_mut()).for_each(from_base);
        if settings.title.is_empty()
            && let Some(stem) = file.file_stem()
        {
            settings.title = stem.to_string_lossy().into_owned();
        }
        Ok(settings)
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

    /// Fills in what was left open and checks that the whole makes sense.
    ///
    /// # Errors
    /// Names the setting that cannot be, and why.
    pub fn complete(mut self) -> Result<Settings> {
        if self.size == 0 {
            self.size = match self.game {
                Game::Go | Game::Connect6 => 19,
                Game::Amazons => 10,
            };
        }
        if self.game != Game::Go {
            self.komi = 0.0;
            ensure!(self.handicap == 0, "handicap: only Go has it");
        }
        self.rules().check().map_err(anyhow::Error::msg)?;
        if self.handicap > 0 {
            let mut judge = self.rules().judge().map_err(anyhow::Error::msg)?;
            judge
                .handicap(self.handicap)
                .with_context(|| format!("handicap {} on size {}", self.handicap, self.size))?;
        }
        if self.move_limit == 0 {
            // A game of Go that goes on for three times the board's points will not end by itself.
            self.move_limit = match self.game {
                Game::Go => 3 * u32::from(self.size) * u32::from(self.size),
                Game::Connect6 | Game::Amazons => u32::from(self.size) * u32::from(self.size),
            };
        }
        self.check()?;
        Ok(self)
    }

    fn check(&self) -> Result<()> {
        ensure!(
            self.players.len() >= 2,
            "a match needs at least two players, {} given",
            self.players.len()
        );
        for (i, player) in self.players.iter().enumerate() {
            ensure!(!player.name.trim().is_empty(), "player {}: it has no name", i + 1);
            ensure!(
                !player.name.contains(['/', '\\', '\n', '\r', '\0'])
                    && !player.name.starts_with('.'),
                "player {:?}: a name cannot hold slashes or line ends, nor begin with a dot",
                player.name
            );
            if let Some(twin) = self.players[..i].iter().find(|p| p.name == player.name) {
                bail!("two players are called {:?}", twin.name);
            }
            player.launch()?;
        }
        ensure!(self.games > 0, "games: none to play");
        ensure!(self.concurrency > 0, "concurrency: at least 1");
        self.faults.check().map_err(anyhow::Error::msg)?;
        match &self.referee {
            Some(referee) => drop(words(&referee.command).context("referee")?),
            None => ensure!(self.scoring != Scoring::Referee, "scoring: no referee is given"),
        }
        if let Some(time) = self.time {
            ensure!(time.main.0 > Duration::ZERO || time.has_overtime(), "time: no time at all");
            ensure!(
                time.period.0 == Duration::ZERO || time.stones > 0,
                "time: a period needs at least one stone"
            );
        }
        ensure!(
            self.openings.sgf.is_empty() || self.openings.random == 0,
            "openings: either from sgf or drawn at random, not both"
        );
        if let Some(sprt) = self.sprt {
            ensure!(
                self.players.len() == 2,
                "sprt: it decides between two players, {} given",
                self.players.len()
            );
            ensure!(
                sprt.elo0.is_finite() && sprt.elo1.is_finite() && sprt.elo0 < sprt.elo1,
                "sprt: elo0 must be below elo1"
            );
            let chance = |p: f64| p > 0.0 && p < 0.5;
            ensure!(
                chance(sprt.alpha) && chance(sprt.beta),
                "sprt: alpha and beta must lie between 0 and 0.5"
            );
            ensure!(self.alternate, "sprt: it needs games in pairs with colors changed");
        }
        let adjudication = &self.adjudication;
        if !adjudication.command.is_empty() {
            ensure!(
                adjudication.margin > 0.0 || adjudication.hopeless > 0.0,
                "adjudication: give a margin of points, a hopeless chance, or both"
            );
            ensure!(
                (0.0..0.5).contains(&adjudication.hopeless),
                "adjudication: hopeless must lie between 0 and 0.5"
            );
        }
        Ok(())
    }
}

/// Cuts a command line into words as a shell does.
fn words(command: &str) -> Result<Vec<String>> {
    let words = shlex::split(command)
        .with_context(|| format!("a quote is not closed in the command line {command:?}"))?;
    ensure!(!words.is_empty(), "the command line is empty");
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_people_write_them() {
        let span = |text: &str| text.parse::<Span>().map(|s| s.0.as_millis());
        assert_eq!(span("30"), Ok(30_000));
        assert_eq!(span("1.5s"), Ok(1500));
        assert_eq!(span("10m"), Ok(600_000));
        assert_eq!(span("1h 30m"), Ok(5_400_000));
        assert_eq!(span("250ms"), Ok(250));
        for wrong in ["", "-5", "nan", "inf", "soon", "-3s", "1e300", "999999h"] {
            assert!(span(wrong).is_err(), "{wrong}");
        }
        let time: TimeControl = "5m+30s/10".parse().expect("a time control");
        assert_eq!(
            (time.main, time.period, time.stones),
            (Span::from_secs(300), Span::from_secs(30), 10)
        );
        assert!("5m+30s/x".parse::<TimeControl>().is_err());
    }

    #[test]
    fn a_setting_that_does_not_exist_is_named() {
        let error = toml::from_str::<Settings>("gamez = 3").expect_err("unknown");
        assert!(error.to_string().contains("gamez"), "{error}");
    }

    #[test]
    fn the_guides_example_is_a_settings_file() {
        let guide = include_str!("../../docs/match.md");
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
    fn settings_survive_being_written() {
        let mut settings =
            Settings { time: Some("1m+5s/3".parse().expect("time")), ..Settings::default() };
        settings.players.push(Player {
            name: "a".into(),
            command: "x".into(),
            ..Player::default()
        });
        let text = toml::to_string(&settings).expect("TOML");
        assert_eq!(toml::from_str::<Settings>(&text).expect("read back"), settings);
    }
}
