//! The openings that games start from: read from SGF records or drawn at random.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use game_record::{GameText, Games, Record, Step as RecordStep, Tree};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::arbiter::{Color, Game, Spelling, Step, Vertex, parse_steps, spell_steps};
use super::schedule::{fingerprint, mix};
use super::settings::Settings;

/// The openings of a match, one for each pair of games, from the first again when there are more pairs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpeningBook {
    openings: Vec<Vec<Step>>,
}

impl OpeningBook {
    /// Reads or draws the openings that the settings ask for.
    ///
    /// # Errors
    /// When a file or folder cannot be read, or no game in them can be used.
    pub fn new(settings: &Settings) -> Result<OpeningBook> {
        let wanted = &settings.openings;
        if wanted.random > 0 {
            return Ok(OpeningBook { openings: draw_all(settings, settings.games.div_ceil(2)) });
        }
        let mut openings = Vec::new();
        for file in files(&wanted.sgf)? {
            read_file(&file, settings, &mut openings)?;
        }
        let mut seen = HashSet::new();
        openings.retain(|opening| seen.insert(opening.clone()));
        ensure!(
            wanted.sgf.is_empty() || !openings.is_empty(),
            "openings: none of the games can be used"
        );
        if wanted.shuffle {
            openings.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(settings.seed));
        }
        let count = openings.len();
        ensure!(
            wanted.skip == 0 || wanted.skip < count,
            "openings: of {count} the first {} are to be left out",
            wanted.skip
        );
        openings.drain(..wanted.skip);
        openings.truncate(if wanted.take == 0 { count } else { wanted.take });
        Ok(OpeningBook { openings })
    }

    /// The opening of a pair of games, as single steps; empty where there are none.
    pub fn of_pair(&self, pair: u32) -> &[Step] {
        match self.openings.len() {
            0 => &[],
            count => &self.openings[pair as usize % count],
        }
    }

    /// How many different ones there are.
    pub fn len(&self) -> usize {
        self.openings.len()
    }

    /// Whether games start from the empty board.
    pub fn is_empty(&self) -> bool {
        self.openings.is_empty()
    }

    /// A number that changes with the openings read from files, so that a match does not go on with others.
    pub fn fingerprint(&self) -> String {
        let text: Vec<String> =
            self.openings.iter().map(|o| spell_steps(o, Spelling::Turns)).collect();
        format!("{} openings, {:016x}", self.openings.len(), fingerprint(&text.join("\n")))
    }
}

/// The files named, and the `.sgf` files of the folders named, in order.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = fs::read_dir(path).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
        let entries =
            entries.with_context(|| format!("openings: cannot read {}", path.display()))?;
        let mut inside: Vec<PathBuf> = entries
            .into_iter()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|end| end.eq_ignore_ascii_case("sgf")))
            .collect();
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}

fn read_file(file: &Path, settings: &Settings, openings: &mut Vec<Vec<Step>>) -> Result<()> {
    let bytes =
        fs::read(file).with_context(|| format!("openings: cannot read {}", file.display()))?;
    for (i, game) in Games::new(&bytes).enumerate() {
        let opening = game.map_err(|e| e.to_string()).and_then(|game| read_game(&game, settings));
        match opening {
            Ok(opening) => openings.push(opening),
            Err(why) => {
                tracing::warn!("openings: game {} of {} is left out: {why}", i + 1, file.display());
            }
        }
    }
    Ok(())
}

/// The main line of a record, as far as it is to be played.
fn read_game(game: &GameText, settings: &Settings) -> Result<Vec<Step>, String> {
    let turns = if settings.game == Game::GO {
        go_moves(game, settings)
    } else {
        other_turns(game, settings)
    };
    let mut arbiter = settings.rules().arbiter()?;
    if settings.handicap > 0 {
        arbiter.handicap(settings.handicap).map_err(|e| e.to_string())?;
    }
    let max_turns = if settings.openings.turns == 0 { usize::MAX } else { settings.openings.turns };
    let mut steps = Vec::new();
    for (number, (color, turn)) in turns?.into_iter().take(max_turns).enumerate() {
        if arbiter.to_move() != color {
            return Err(format!("turn {} is not {}'s", number + 1, arbiter.to_move()));
        }
        for step in turn {
            arbiter.play(step).map_err(|why| format!("turn {}: {why}", number + 1))?;
            steps.push(step);
        }
        if arbiter.game_over().is_some() {
            return Err(format!("the game is over after turn {}", number + 1));
        }
        if arbiter.to_move() == color {
            return Err(format!("turn {} lacks {} of its steps", number + 1, arbiter.steps_left()));
        }
    }
    if steps.is_empty() { Err("it has no moves".into()) } else { Ok(steps) }
}

type Turns = Vec<(Color, Vec<Step>)>;

fn go_moves(game: &GameText, settings: &Settings) -> Result<Turns, String> {
    let record = Record::read(game).map_err(|e| e.to_string())?;
    if record.size.side() != Some(settings.size) {
        return Err(format!("its board is {}, not {}", record.size, settings.size));
    }
    if !record.setup.is_empty() && settings.handicap == 0 {
        return Err("it begins with stones on the board".into());
    }
    let mut turns = Turns::new();
    for step in &record.steps {
        let play = match step {
            RecordStep::Play(play) => play,
            RecordStep::Setup(_) => return Err("stones are set up during the game".into()),
            // The next move tells it too.
            RecordStep::ToPlay(_) => continue,
        };
        // A pass ends the opening: two of them would end the game.
        let Some(point) = play.point else { break };
        let color = match play.color {
            game_record::Color::Black => Color::Black,
            game_record::Color::White => Color::White,
        };
        turns.push((
            color,
            vec![Step::At(Vertex { column: point.column, row: settings.size - 1 - point.row })],
        ));
    }
    Ok(turns)
}

/// The turns of a record that has them in the game's own notation.
fn other_turns(game: &GameText, settings: &Settings) -> Result<Turns, String> {
    let tree = Tree::parse(game).map_err(|e| e.to_string())?;
    let mut turns = Turns::new();
    for node in tree.main_line() {
        for (ident, color) in [("B", Color::Black), ("W", Color::White)] {
            let Some(value) = node.value(ident) else { continue };
            let steps = parse_steps(value, settings.game, settings.size, Spelling::Algebraic);
            let shown: String = value.chars().take(20).collect();
            turns.push((color, steps.ok_or_else(|| format!("{shown:?} is no turn"))?));
        }
    }
    Ok(turns)
}

/// Random openings for the first `pairs` pairs of games. The same seed gives the same ones, however many are asked
/// for, and no two are alike as long as twenty draws find a new one.
fn draw_all(settings: &Settings, pairs: u32) -> Vec<Vec<Step>> {
    let mut seen = HashSet::new();
    let mut openings = Vec::new();
    for number in 0..pairs {
        let mut opening = Vec::new();
        for attempt in 0..20 {
            opening = draw(settings, mix(settings.seed) ^ mix(u64::from(number) << 8 | attempt));
            if seen.insert(opening.clone()) {
                break;
            }
        }
        openings.push(opening);
    }
    openings
}

fn draw(settings: &Settings, seed: u64) -> Vec<Step> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let Ok(mut arbiter) = settings.rules().arbiter() else { return Vec::new() };
    if settings.handicap > 0 && arbiter.handicap(settings.handicap).is_err() {
        return Vec::new();
    }
    let mut steps = Vec::new();
    for _ in 0..settings.openings.random {
        for _ in 0..arbiter.steps_left() {
            let legal = arbiter.legal();
            if legal.is_empty() || arbiter.game_over().is_some() {
                return steps;
            }
            let step = legal[random.random_range(0..legal.len())];
            if arbiter.play(step).is_err() {
                return steps;
            }
            steps.push(step);
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_openings_repeat_with_the_seed_and_differ_by_pair() {
        let mut settings = Settings { size: 9, ..Settings::default() };
        settings.openings.random = 4;
        let openings = draw_all(&settings, 20);
        assert_eq!(openings[..7], draw_all(&settings, 7));
        assert_eq!(openings.iter().collect::<HashSet<_>>().len(), 20);
        assert!(openings.iter().all(|o| o.len() == 4));
    }

    #[test]
    fn an_opening_does_not_end_in_the_middle_of_a_turn() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.sgf");
        let games = "(;GM[511]SZ[19];B[j10];W[k10])(;GM[511]SZ[19];B[j10];W[k10k11])";
        fs::write(&file, games).expect("written");
        let game = "connect6".parse().expect("a game");
        let mut settings = Settings { game, size: 19, ..Settings::default() };
        settings.openings.sgf = vec![file];
        let book = OpeningBook::new(&settings).expect("openings");
        assert_eq!((book.len(), book.of_pair(0).len()), (1, 3));
    }

    #[test]
    fn records_become_openings() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.sgf");
        // The second game begins like the first, the third is on another board, the fourth is broken off by a pass, the fifth illegal.
        let games = "(;SZ[9];B[ee];W[gc];B[cc])(;SZ[9];B[ee];W[gc];B[gg])(;SZ[13];B[ee])(;SZ[9];B[cc];W[])(;SZ[9];B[cc];W[cc])";
        fs::write(&file, games).expect("written");
        let mut settings = Settings { size: 9, ..Settings::default() };
        settings.openings.sgf = vec![folder.path().to_path_buf()];
        let book = OpeningBook::new(&settings).expect("openings");
        let spelt: Vec<String> =
            (0..book.len() as u32).map(|i| spell_steps(book.of_pair(i), Spelling::Turns)).collect();
        assert_eq!(spelt, ["E5 G7 C7", "E5 G7 G3", "C7"]);
        assert_eq!(book.of_pair(3), book.of_pair(0));
        settings.openings.turns = 2;
        let shorter = OpeningBook::new(&settings).expect("openings");
        assert_eq!(shorter.len(), 2);
        assert_ne!(shorter.fingerprint(), book.fingerprint());
        settings.size = 19;
        assert!(OpeningBook::new(&settings).is_err());
        settings.openings.sgf = vec![folder.path().join("missing.sgf")];
        assert!(
            OpeningBook::new(&settings).expect_err("missing").to_string().contains("missing.sgf")
        );
    }
}
