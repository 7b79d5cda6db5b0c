//! `tesuji-connect6 duel`: two settings of the engine against each other, to see what a change is worth.
//!
//! Each opening is played twice with colours changed. The openings are the most played of recorded games, or
//! drawn from the move weights by seed, so a duel of visits on one thread repeats exactly. Matches between programs are `tesuji match`.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tunables::Table;

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, value_parser};
use connect6_engine::book::symmetric_key;
use connect6_engine::learn::self_play;
use connect6_engine::search::{Control, Knowledge, Params, Search, SearchLimits, Searcher};
use connect6_engine::{Color, Game, Outcome, Rules, weights};

use super::game::completed;
use super::notation::record_turn;
use super::record;
use crate::arena::stats::Tally;
use crate::options::{finite, is_to_be_had};
use crate::output::say;
use crate::session::game::sgf::without_bom;

/// Options of `duel`.
#[derive(Args, Debug)]
pub struct DuelArgs {
    /// Settings of the first player, `name=value,...`: any tunable, `visits`, `ms` (milliseconds a turn),
    /// `memory` (MiB, 512 unless told) or `weights` (a file)
    #[arg(long, value_name = "SETTINGS", default_value = "")]
    first: String,

    /// Settings of the second player
    #[arg(long, value_name = "SETTINGS", default_value = "")]
    second: String,

    /// Games, an even number
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = even)]
    games: u64,

    /// Openings from recorded games, rows of moves or a table with the column `moves`: the different first
    /// stones of them, the most played first [default: drawn from the move weights]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// Stones of each opening, beginning with Black's first
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = value_parser!(u8).range(1..=9))]
    opening: u8,

    /// Writes every game to a file as a row: the first player's colour, the winner's, the moves
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Reads a number of games: each opening is played twice.
fn even(text: &str) -> Result<u64, String> {
    match text.parse::<u64>() {
        Ok(number) if number > 0 && number.is_multiple_of(2) => Ok(number),
        _ => Err("an even number is expected".to_owned()),
    }
}

struct Player {
    searcher: Searcher,
    visits: u64,
    time: Option<Duration>,
    longest: Duration,
}

impl Player {
    fn new(settings: &str) -> Result<Player> {
        let mut knowledge: Arc<Knowledge> = weights::shipped();
        let (mut visits, mut time, mut params) = (300, None, Params::default());
        let mut memory = 512;
        for setting in settings.split(',').filter(|s| !s.is_empty()) {
            let (name, value) = setting
                .split_once('=')
                .with_context(|| format!("{setting:?} is not name=value"))?;
            let number = || finite(value).map_err(|why| anyhow!("{name}: {why}"));
            match name {
                "visits" => visits = number()?.max(1.0) as u64,
                "ms" => time = Some(Duration::from_secs_f64(number()?.clamp(1.0, 1e9) / 1000.0)),
                "memory" => memory = number()?.clamp(4.0, 65536.0) as usize,
                "weights" => knowledge = Arc::new(read_weights(Path::new(value))?),
                _ => params.set(name, value)?,
            }
        }
        is_to_be_had(memory).map_err(|why| anyhow!(why))?;
        let mut searcher = Searcher::new(knowledge, 1, memory);
        searcher.params = params;
        Ok(Player { searcher, visits, time, longest: Duration::ZERO })
    }

    fn play(&mut self, game: &mut Game) -> Result<()> {
        let begun = Instant::now();
        let limits = match self.time {
            Some(time) => SearchLimits {
                deadline: Some(begun + time),
                soft: Some(begun + time),
                visits: None,
            },
            None => SearchLimits { visits: Some(self.visits), ..SearchLimits::default() },
        };
        let progress = self.searcher.search(game, &limits, &mut |_| Control::Continue);
        self.longest = self.longest.max(begun.elapsed());
        let turn = progress.moves.first().context("the search found no turn")?.mv;
        let side = game.to_move().color;
        for point in completed(game, turn) {
            if game.outcome() == Outcome::Open {
                game.play(side, point)?;
            }
        }
        Ok(())
    }
}

/// Weights from a file.
///
/// # Errors
/// When it cannot be read or holds something else.
pub fn read_weights(path: &Path) -> Result<Knowledge> {
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    weights::decode(&bytes).with_context(|| path.display().to_string())
}

/// An opening drawn from the move weights.
fn draw(knowledge: &Knowledge, stones: usize, seed: u64) -> Result<Game> {
    // Black's first turn is one stone, the others are two.
    let game = self_play::opening(Rules::CONNECT6, &knowledge.net, 1 + stones / 2, seed);
    Ok(Game::from_stones(Rules::CONNECT6, game.stones().map(|s| s.1).take(stones))?)
}

/// The different openings of so many stones in a file of games, the most played first. Openings that are
/// turned or mirrored images of each other are one.
fn recorded(path: &Path, stones: usize) -> Result<Vec<Game>> {
    let bytes = crate::files::read_record(path).with_context(|| path.display().to_string())?;
    let text = String::from_utf8_lossy(without_bom(&bytes));
    let column = text.lines().next().and_then(|row| row.split('\t').position(|n| n == "moves"));
    let rows = text.lines().skip(usize::from(column.is_some()));
    let rows = rows.filter_map(|row| row.split('\t').nth(column.unwrap_or(0)));
    let games = rows.filter_map(|row| record::from_moves(row, Rules::CONNECT6, Some(stones)).ok());
    let mut counted: HashMap<u64, (usize, Game)> = HashMap::new();
    for game in games {
        if game.board().count() == stones && game.outcome() == Outcome::Open {
            counted.entry(symmetric_key(game.board())).or_insert((0, game)).0 += 1;
        }
    }
    let mut games: Vec<(u64, (usize, Game))> = counted.into_iter().collect();
    games.sort_by_key(|(key, (count, _))| (Reverse(*count), *key));
    if games.is_empty() {
        bail!("{}: no game with {stones} stones", path.display());
    }
    Ok(games.into_iter().map(|(_, (_, game))| game).collect())
}

/// Plays the duel.
///
/// # Errors
/// A setting that does not exist.
pub fn run(args: &DuelArgs) -> Result<ExitCode> {
    let mut players = [Player::new(&args.first)?, Player::new(&args.second)?];
    let mut tally = Tally::default();
    let mut rows = String::new();
    let knowledge = weights::shipped();
    let openings = args
        .openings
        .as_deref()
        .map(|path| recorded(path, usize::from(args.opening)))
        .transpose()?;
    for number in 0..args.games {
        let pair = number / 2;
        let mut game = match &openings {
            Some(openings) => openings[pair as usize % openings.len()].clone(),
            None => {
                draw(&knowledge, usize::from(args.opening), args.seed.wrapping_add(pair * 7919))?
            }
        };
        players.iter_mut().for_each(|p| p.searcher.clear());
        let first_is = if number % 2 == 0 { Color::Black } else { Color::White };
        while game.outcome() == Outcome::Open {
            let side = game.to_move().color;
            players[usize::from(side != first_is)].play(&mut game)?;
        }
        match game.outcome() {
            Outcome::Win(color) if color == first_is => tally.wins += 1,
            Outcome::Win(_) => tally.losses += 1,
            Outcome::Draw | Outcome::Open => tally.draws += 1,
        }
        if let Some(path) = &args.output {
            let moves: Vec<String> =
                record::parts(&game).iter().map(|(_, turn)| record_turn(turn)).collect();
            let winner = match game.outcome() {
                Outcome::Win(color) => color.title(),
                Outcome::Draw | Outcome::Open => "none",
            };
            rows += &format!("{}\t{winner}\t{}\n", first_is.title(), moves.join(" "));
            crate::files::replace(path, rows.as_bytes())
                .with_context(|| path.display().to_string())?;
        }
        if number % 2 == 1 {
            let Tally { wins, draws, losses, .. } = tally;
            say(&format!("{} games: +{wins} ={draws} -{losses}", number + 1))?;
        }
    }
    let (low, high) = tally.wilson();
    say(&format!(
        "first player {:.1}% ({:.1}% to {:.1}%); longest turns {:?} {:?}",
        100.0 * tally.score(),
        100.0 * low,
        100.0 * high,
        players[0].longest,
        players[1].longest
    ))?;
    Ok(ExitCode::SUCCESS)
}
