//! The file of a tuning: what is tuned, how, and by which games.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::Method;
use super::clop::{Clop, Locality, MAX_PARAMETERS};
use super::parameter::Parameter;
use super::spsa::{Gains, Spsa};
use crate::arena::schedule::mix;
use crate::arena::settings::{Openings, Player, Settings, SprtBounds};
use crate::files;

/// How better values are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MethodName {
    /// [`Spsa`], for any number of parameters.
    #[default]
    Spsa,
    /// [`Clop`], for few.
    Clop,
}

/// The match at the end: the tuned engine against the start, from openings that were not used before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct FinalMatch {
    /// Games; 0 for no such match.
    pub games: u32,
    /// Stops it when it is decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtBounds>,
}

impl Default for FinalMatch {
    fn default() -> FinalMatch {
        FinalMatch { games: 400, sprt: None }
    }
}

/// Everything that a tuning is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct TuneSettings {
    /// The heading of the page.
    pub title: String,
    /// How better values are looked for.
    pub method: MethodName,
    /// Pairs of games; both games of a pair have the same opening and values, with colours changed.
    pub pairs: u32,
    /// Pairs under way at a time, of which a new one begins when the oldest is over: more than are played at a time, or
    /// processors wait.
    pub ahead: u32,
    /// The GTP command that sets a parameter, with `{name}` and `{value}`.
    pub set: String,
    /// What games are played: a match's settings without its players.
    #[serde(rename = "match")]
    pub games: Settings,
    /// The engine that is tuned.
    pub engine: Player,
    /// What is tuned.
    #[serde(rename = "parameter")]
    pub parameters: Vec<Parameter>,
    /// For the method of that name.
    pub spsa: Gains,
    /// The same.
    pub clop: Locality,
    /// What is played at the end.
    #[serde(rename = "final")]
    pub final_match: FinalMatch,
}

impl Default for TuneSettings {
    fn default() -> TuneSettings {
        TuneSettings {
            title: String::new(),
            method: MethodName::default(),
            pairs: 2000,
            ahead: 8,
            set: "tesuji-param {name} {value}".to_owned(),
            games: Settings::default(),
            engine: Player::default(),
            parameters: Vec::new(),
            spsa: Gains::default(),
            clop: Locality::default(),
            final_match: FinalMatch::default(),
        }
    }
}

/// Of openings from files, this share is for the tuning, the others for the match at the end.
const TUNING_SHARE: f64 = 0.75;

impl TuneSettings {
    /// Reads and checks a TOML file. Paths in it are meant from the folder that it lies in.
    ///
    /// # Errors
    /// When the file cannot be read, is no TOML, or has what cannot be; the message says where.
    pub fn read(file: &Path) -> Result<TuneSettings> {
        let text = files::read_settings(file)?;
        TuneSettings::parse(&text, file)
    }

    /// The same of the text of a file of this name.
    ///
    /// # Errors
    /// The same.
    pub fn parse(text: &str, file: &Path) -> Result<TuneSettings> {
        let mut settings: TuneSettings =
            toml::from_str(text).with_context(|| file.display().to_string())?;
        settings.games.from_folder_of(file);
        if let Some(dir) = &mut settings.engine.dir {
            *dir = file.parent().unwrap_or(Path::new("")).join(&dir);
        }
        if settings.title.is_empty() {
            settings.title = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        }
        refuse_idle(text).with_context(|| file.display().to_string())?;
        settings.check().with_context(|| file.display().to_string())?;
        Ok(settings)
    }

    fn check(&self) -> Result<()> {
        ensure!(self.pairs > 0, "pairs: none to play");
        ensure!(self.pairs <= 400_000, "pairs: 400000 at most");
        ensure!(self.ahead > 0, "ahead: at least 1");
        ensure!(!self.engine.command.is_empty(), "engine: it has no command");
        ensure!(self.games.players.is_empty(), "match: the players are the engine and itself");
        ensure!(self.games.sprt.is_none(), "match: sprt belongs under [final]");
        ensure!(
            self.games.alternate,
            "match: both games of a pair change colours; alternate must be true"
        );
        ensure!(
            self.set.contains("{name}") && self.set.contains("{value}"),
            "set: it must have {{name}} and {{value}}, as in \"tesuji-param {{name}} {{value}}\""
        );
        ensure!(!self.parameters.is_empty(), "there is no [[parameter]] to tune");
        for (at, parameter) in self.parameters.iter().enumerate() {
            parameter.check().map_err(anyhow::Error::msg)?;
            let twin = self.parameters[..at].iter().any(|other| other.name == parameter.name);
            ensure!(!twin, "two parameters are called {:?}", parameter.name);
        }
        ensure!(
            self.method != MethodName::Clop || self.parameters.len() <= MAX_PARAMETERS,
            "method clop is for {MAX_PARAMETERS} parameters at most; spsa takes more"
        );
        self.spsa.check().map_err(anyhow::Error::msg)?;
        ensure!(self.clop.errors > 0.0, "clop: errors must be above 0");
        if self.final_match.games > 0 {
            // What cannot be played at the end is not to be found after days.
            self.final_games(&self.start(), 0).context("final")?;
        }
        self.check_concurrency(self.tuning_games(0)?.concurrency)
    }

    /// Whether the games of so many can be played at a time.
    ///
    /// # Errors
    /// When fewer are known ahead.
    pub fn check_concurrency(&self, games: usize) -> Result<()> {
        let concurrency = u32::try_from(games).unwrap_or(u32::MAX);
        ensure!(
            concurrency.div_ceil(2) <= self.ahead,
            "ahead: with {} pairs no more than {} games are played at a time, not {concurrency}",
            self.ahead,
            2 * u64::from(self.ahead)
        );
        Ok(())
    }

    /// Where the search begins, in its coordinates.
    pub fn start(&self) -> Vec<f64> {
        self.parameters.iter().map(|one| one.to_coordinate(one.start)).collect()
    }

    /// The method at its beginning.
    pub fn method(&self) -> Box<dyn Method> {
        let ranges = self.parameters.iter().map(Parameter::range).collect();
        let (seed, start) = (mix(self.games.seed), self.start());
        match self.method {
            MethodName::Spsa => Box::new(Spsa::new(self.spsa, self.pairs, seed, start, ranges)),
            MethodName::Clop => Box::new(Clop::new(self.clop, seed, start, ranges)),
        }
    }

    /// The command that sets a parameter.
    pub fn command(&self, parameter: &Parameter, word: &str) -> String {
        self.set.replace("{name}", &parameter.name).replace("{value}", word)
    }

    /// The commands that set all to the values at these coordinates; `fraction` says for each how whole numbers are rounded.
    pub fn commands(&self, coordinates: &[f64], fraction: impl Fn(usize) -> f64) -> Vec<String> {
        let all = self.parameters.iter().zip(coordinates).enumerate();
        all.map(|(at, (parameter, &coordinate))| {
            let word = parameter.word(parameter.to_value(coordinate), fraction(at));
            self.command(parameter, &word)
        })
        .collect()
    }

    /// The names of the two sides: what a method proposes first, and second.
    pub fn sides(&self) -> [&'static str; 2] {
        match self.method {
            MethodName::Spsa => ["plus", "minus"],
            MethodName::Clop => ["tried", "start"],
        }
    }

    /// The match that the games of the tuning are, where so many of the files' openings may be used.
    ///
    /// # Errors
    /// Names what cannot be.
    pub fn tuning_games(&self, openings: usize) -> Result<Settings> {
        let players =
            self.sides().map(|name| Player { name: name.to_owned(), ..self.engine.clone() });
        let mut games = Settings {
            title: self.title.clone(),
            games: 2 * self.pairs,
            players: players.into(),
            ..self.games.clone()
        };
        if let Some(share) = self.for_tuning(openings) {
            games.openings.take = share;
        }
        games.complete()
    }

    /// The match at the end: the tuned values against the start.
    ///
    /// # Errors
    /// Names what cannot be.
    pub fn final_games(&self, best: &[f64], openings: usize) -> Result<Settings> {
        let player = |name: &str, values: &[f64]| {
            let mut player = Player { name: name.to_owned(), ..self.engine.clone() };
            player.game_setup.extend(self.commands(values, |_| 0.5));
            player
        };
        let mut games = Settings {
            title: format!("{}: tuned against the start", self.title),
            games: self.final_match.games,
            players: vec![player("tuned", best), player("start", &self.start())],
            sprt: self.final_match.sprt,
            seed: self.final_seed(),
            ..self.games.clone()
        };
        if let Some(share) = self.for_tuning(openings) {
            games.openings.skip += share;
            games.openings.take = openings - share;
        }
        games.complete()
    }

    /// Openings that are drawn are others with another seed. Those of files that are shuffled have to stay in their order: what
    /// the tuning left of another one would be what it has used.
    fn final_seed(&self) -> u64 {
        let Openings { sgf, shuffle, .. } = &self.games.openings;
        if *shuffle && !sgf.is_empty() { self.games.seed } else { mix(self.games.seed) >> 33 }
    }

    /// How many of so many openings are for the tuning; nothing where there are too few to share.
    fn for_tuning(&self, openings: usize) -> Option<usize> {
        let share = (openings as f64 * TUNING_SHARE) as usize;
        (openings >= 2).then(|| share.max(1).min(self.pairs as usize))
    }

    /// What is to be said where the match at the end has no openings of its own.
    pub fn too_few_openings(&self, openings: usize) -> Option<&'static str> {
        if self.final_match.games == 0 || self.games.openings.random > 0 || openings >= 2 {
            return None;
        }
        Some(match openings {
            0 => {
                "openings: there are none, so all games begin alike, those of the match at the end too"
            }
            _ => "openings: there is only one, which the tuning and the match at the end both have",
        })
    }
}

/// Refuses what a match's file has and a tuning has no use for: it would be passed over in silence.
fn refuse_idle(text: &str) -> Result<()> {
    let file: toml::Table = toml::from_str(text)?;
    let has =
        |table: &str, name: &str| file.get(table).is_some_and(|table| table.get(name).is_some());
    for (table, name, hint) in [
        ("match", "games", "pairs, at the top, says how many are played"),
        ("match", "format", "the engine plays itself alone"),
        ("match", "title", "it belongs at the top"),
        ("engine", "name", "the sides are named by the method; the page has a title, at the top"),
    ] {
        ensure!(!has(table, name), "{table}: {name} says nothing in a tuning; {hint}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::openings::OpeningBook;

    const SMALL: &str = "[engine]\ncommand = \"x\"\n[[parameter]]\nname = \"a\"\nstart = 1\nmin = 0\nmax = 2\nstep = 0.5\n";

    fn read(text: &str) -> Result<TuneSettings> {
        TuneSettings::parse(text, Path::new("folder/a.toml"))
    }

    #[test]
    fn what_is_left_out_has_a_default() {
        let settings = read(SMALL).unwrap();
        assert!(read(&format!("ahead = {}\n{SMALL}", u32::MAX)).is_ok());
        assert_eq!((settings.pairs, settings.title.as_str()), (2000, "a"));
        let games = settings.tuning_games(0).unwrap();
        assert_eq!((games.games, games.players.len(), games.size), (4000, 2, 19));
        assert_eq!(settings.start(), [2.0]);
        let last = settings.final_games(&[3.0], 0).unwrap();
        assert_eq!(last.players[0].game_setup, ["tesuji-param a 1.5"]);
        assert_eq!(last.players[1].game_setup, ["tesuji-param a 1"]);
        assert_ne!(last.seed, games.seed);
    }

    #[test]
    fn openings_of_files_are_shared_out() {
        let settings = read(SMALL).unwrap();
        assert_eq!(settings.tuning_games(100).unwrap().openings.take, 75);
        assert_eq!(settings.final_games(&[3.0], 100).unwrap().openings.skip, 75);
        let few = read(&format!("pairs = 10\n{SMALL}")).unwrap();
        assert_eq!(few.final_games(&[3.0], 100).unwrap().openings.skip, 10);
    }

    #[test]
    fn openings_are_shared_out_within_those_that_may_be_used() {
        let some = "[match.openings]\nsgf = [\"op\"]\nskip = 6\ntake = 4\n";
        let settings = read(&format!("{SMALL}{some}")).unwrap();
        let range = |games: Settings| (games.openings.skip, games.openings.take);
        // Where they are counted, and where there is but one, they are those that the file names.
        assert_eq!(range(settings.tuning_games(0).unwrap()), (6, 4));
        assert_eq!(range(settings.tuning_games(4).unwrap()), (6, 3));
        assert_eq!(range(settings.final_games(&[3.0], 4).unwrap()), (9, 1));
        assert_eq!(range(settings.final_games(&[3.0], 1).unwrap()), (6, 4));
        assert!(settings.too_few_openings(1).unwrap().contains("only one"));
        assert!(settings.too_few_openings(0).unwrap().contains("none"));
        assert_eq!(settings.too_few_openings(2), None);
        let drawn = read(&format!("{SMALL}[match.openings]\nrandom = 2")).unwrap();
        assert_eq!(drawn.too_few_openings(0), None);
    }

    #[test]
    fn shuffled_openings_are_shared_out_in_one_order() {
        let folder = tempfile::tempdir().unwrap();
        let game = |column: char| format!("(;SZ[9];B[{column}{column}])");
        std::fs::write(
            folder.path().join("a.sgf"),
            "abcdefgh".chars().map(game).collect::<String>(),
        )
        .unwrap();
        let text =
            format!("{SMALL}[match]\nsize = 9\nopenings = {{ sgf = [\"\"], shuffle = true }}\n");
        let settings = TuneSettings::parse(&text, &folder.path().join("a.toml")).unwrap();
        let openings = |games: Settings| {
            let book = OpeningBook::new(&games).unwrap();
            (0..book.len() as u32).map(|pair| book.of_pair(pair).to_vec()).collect::<Vec<_>>()
        };
        let tuning = openings(settings.tuning_games(8).unwrap());
        let last = openings(settings.final_games(&[3.0], 8).unwrap());
        assert_eq!((tuning.len(), last.len()), (6, 2));
        assert!(last.iter().all(|opening| !tuning.contains(opening)), "{tuning:?} {last:?}");
    }

    #[test]
    fn what_cannot_be_is_named() {
        for (text, word) in [
            ("pears = 3", "pears"),
            ("[engine]\ncommand = \"x\"", "no [[parameter]]"),
            (&format!("pairs = 0\n{SMALL}"), "pairs"),
            (&format!("set = \"param {{name}}\"\n{SMALL}"), "{value}"),
            (&format!("{SMALL}[match]\nconcurrency = 40"), "ahead"),
            (&format!("{SMALL}[match]\nsize = 99"), "99"),
            (&format!("{SMALL}[match]\ngames = 100"), "pairs"),
            (&format!("{SMALL}[match]\nformat = \"gauntlet\""), "format"),
            (&format!("{SMALL}[match]\ntitle = \"x\""), "title"),
            (&SMALL.replace("[[", "name = \"x\"\n[["), "engine: name"),
            (&format!("{SMALL}[final]\ngames = 2000000"), "final"),
            (&format!("{SMALL}[final]\nsprt = {{ elo0 = 5, elo1 = 0 }}"), "elo0"),
            (&format!("{SMALL}[final.sprt]\nalpha = 0.9"), "alpha"),
            (&format!("{SMALL}[spsa]\nrate = -1"), "rate"),
            (&SMALL.replace("max = 2", "max = 0"), "order"),
            (
                &format!(
                    "{SMALL}[[parameter]]\nname = \"a\"\nstart = 1\nmin = 0\nmax = 2\nstep = 1"
                ),
                "two",
            ),
        ] {
            let why = format!("{:#}", read(text).unwrap_err());
            assert!(why.contains(word) && why.contains("a.toml"), "{why}");
        }
    }

    #[test]
    fn the_guides_example_is_a_file_of_defaults() {
        let guide = include_str!("../../docs/tune.md");
        let example = guide.split("```toml").nth(1).and_then(|rest| rest.split("```").next());
        let settings = read(example.unwrap()).unwrap();
        let plain = TuneSettings {
            title: settings.title.clone(),
            games: settings.games.clone(),
            engine: settings.engine.clone(),
            parameters: settings.parameters.clone(),
            ..TuneSettings::default()
        };
        assert_eq!(settings, plain);
    }
}
