//! `tesuji planted`: how well reviews find mistakes. A move of a strong players' game is replaced by one that loses much by a
//! deeper search; the review ought to have it among the largest losses.
//!
//! What follows the mistake is played by the engine for some moves, since the game's own moves answer another one; there the
//! record ends. The mistake is kept in the record's `GC`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand, value_parser};
use game_record::{Games, Record, Tree};
use go_engine::rng::Rng;
use go_engine::{Game, Move};
use go_patterns::progress::Progress as _;

use super::reports;
use crate::files;
use crate::go::positions::{PositionQuery, PositionSearcher, PositionsArgs};
use crate::go::record;
use crate::go::train::games::{Part, Source, collect_as};
use crate::output::say;
use crate::progress::Bar;

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Planted {
    /// Plant mistakes in the validation games of records
    Make(MakeArgs),
    /// Tell how many of them are among the largest losses of reviews
    Score(ScoreArgs),
}

/// Options of `tesuji planted make`.
#[derive(Args, Debug)]
pub struct MakeArgs {
    #[command(flatten)]
    source: Source,
    /// Folder for the games; those that are there stay
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Playouts of the search that tells what a move loses
    #[arg(long, alias = "visits", value_name = "N", default_value_t = 10_000, value_parser = value_parser!(u64).range(100..))]
    playouts: u64,
    /// Points that the mistake loses at least
    #[arg(long, value_name = "POINTS", default_value_t = 15.0)]
    points: f64,
    /// Plants only where a chain of so many stones is in atari and the game's move saves or takes it [default: anywhere]
    #[arg(long, value_name = "STONES")]
    chain: Option<usize>,
    #[command(flatten)]
    positions: PositionsArgs,
}

/// Options of `tesuji planted score`.
#[derive(Args, Debug)]
pub struct ScoreArgs {
    /// Folder of the games
    games: PathBuf,
    /// Folder of their reviews
    reviews: PathBuf,
    /// Among how many of the largest losses the mistake has to be
    #[arg(long, value_name = "N", default_value_t = 3)]
    within: usize,
}

/// The mistake is one of the moves from this one on, and before that.
const FIRST: usize = 30;
const LAST: usize = 80;
/// Moves that the engine plays after it, and how many playouts it has for each.
const FOLLOWING: usize = 8;
const FOLLOWING_PLAYOUTS: u64 = 400;
/// Mistakes are among so many of the moves that experts expect most: no move that nobody would make.
const PLAUSIBLE: usize = 100;
/// So many of them are tried in a position, with so many playouts; and so many positions of a game.
const TRIED: usize = 12;
const TRIAL_PLAYOUTS: u64 = 300;
const POSITIONS: usize = 40;
/// Points beyond those of a mistake that a pass loses where moves are tried.
const MIN_STAKE: f64 = 12.0;
/// Points by which a trial may err.
const TRIAL_ERROR: f64 = 4.0;

/// How often it is looked whether there are enough.
const LOOKING: Duration = Duration::from_millis(200);

/// Runs `tesuji planted`.
///
/// # Errors
/// What went wrong, in words.
pub fn run(what: &Planted) -> Result<ExitCode> {
    match what {
        Planted::Make(args) => make(args),
        Planted::Score(args) => score(args),
    }
}

fn make(args: &MakeArgs) -> Result<ExitCode> {
    fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let bar = Bar::new();
    let records = collect_as(&args.source, &bar, &|record, game| {
        let is_long = record.moves().count() > LAST;
        Ok((Part::Validation.has(&game) && is_long).then(|| record.clone()))
    })?;
    // Spread evenly over all that there are; some games have no such mistake.
    let games = args.games as usize;
    let tried = games * if args.chain.is_some() { 50 } else { 2 };
    let step = (records.len() / tried).max(1);
    let records: Vec<Record> = records.into_iter().step_by(step).take(tried).collect();
    let records = Arc::new(records);
    let pool = args.positions.pool()?;
    bar.begin("planting", u64::from(args.games));
    let count = || fs::read_dir(&args.out).map_or(0, |entries| entries.count());
    let (sender, receiver) = channel();
    for at in 0..records.len() {
        let file = args.out.join(format!("{at:03}.sgf"));
        let (records, playouts, points) = (records.clone(), args.playouts, args.points);
        let chain = args.chain;
        let sender = sender.clone();
        pool.submit(0, move |searcher: &mut PositionSearcher, stop| {
            if !file.exists() {
                let mut planter = Planter { searcher, stop, playouts, points, chain };
                let planted = planter.plant(&records[at], at as u64);
                let planted = planted.filter(|_| !stop.load(Ordering::Relaxed));
                if let Some(Err(error)) = planted.map(|sgf| files::replace(&file, sgf.as_bytes())) {
                    tracing::error!("{}: {error}", file.display());
                }
            }
            let _ = sender.send(());
        })?;
    }
    drop(sender);
    while !matches!(receiver.recv_timeout(LOOKING), Err(RecvTimeoutError::Disconnected)) {
        bar.set_position(count() as u64);
        if count() >= games || bar.stopped() {
            pool.cancel_all();
        }
    }
    bar.end();
    if bar.stopped() {
        bail!("stopped; the same command goes on");
    }
    say(&format!("{} games in {}", count(), args.out.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// What plants mistakes.
struct Planter<'a> {
    searcher: &'a mut PositionSearcher,
    stop: &'a AtomicBool,
    playouts: u64,
    points: f64,
    chain: Option<usize>,
}

impl Planter<'_> {
    /// The lead of who is to move, and the best move.
    fn lead(&mut self, game: &Game, playouts: u64) -> (f64, Option<Move>) {
        let query = PositionQuery { visits: Some(playouts), ..PositionQuery::new(game) };
        let found = self.searcher.search(&query, self.stop, &mut |_| {});
        let best = found.best();
        let lead = best.and_then(|best| best.lead).or(found.lead).unwrap_or(0.0);
        (f64::from(lead), best.map(|best| best.mv))
    }

    /// A game with a mistake, as SGF; nothing where none was found.
    fn plant(&mut self, record: &Record, seed: u64) -> Option<String> {
        let mut rng = Rng::new(seed);
        let mut like = Game::new(19, 19)?;
        like.set_komi(7.5);
        let mut places = places(record, &like, self.chain)?;
        for _ in 0..POSITIONS.min(places.len()) {
            let at = places.swap_remove(rng.below(places.len() as u32) as usize);
            let mut game = record::replay(record, Some(at), &like).ok()?;
            let color = game.to_play();
            let played = record.moves().nth(at).filter(|played| played.color == color)?;
            let played = played.point.map_or(Move::Pass, |point| {
                let height = game.board().height();
                Move::Play(go_engine::Point::new(point.column, height - 1 - point.row))
            });
            // A pass tells what is at stake; where that is little no move loses much.
            let (trial, best) = self.lead(&game, TRIAL_PLAYOUTS);
            game.play(color, Move::Pass).ok()?;
            let stake = trial + self.lead(&game, TRIAL_PLAYOUTS).0;
            game.undo().ok()?;
            if stake < self.points + MIN_STAKE {
                continue;
            }
            let mut before = None;
            let policy = self.searcher.engine().policy(&game, color);
            let is_legal = |mv: &Move| game.check(color, *mv).is_ok() && Some(*mv) != best;
            let plausible = policy.into_iter().map(|(mv, _)| mv).take(PLAUSIBLE).filter(is_legal);
            let mut plausible: Vec<Move> = plausible.filter(|&mv| mv != played).collect();
            for _ in 0..TRIED.min(plausible.len()) {
                let mv = plausible.swap_remove(rng.below(plausible.len() as u32) as usize);
                game.play(color, mv).ok()?;
                let seems = trial + self.lead(&game, TRIAL_PLAYOUTS).0;
                let after =
                    (seems >= self.points + TRIAL_ERROR).then(|| self.lead(&game, self.playouts).0);
                game.undo().ok()?;
                let Some(after) = after else { continue };
                let before = *before.get_or_insert_with(|| self.lead(&game, self.playouts).0);
                if before + after >= self.points {
                    game.play(color, mv).ok()?;
                    return self.finish(game, at + 1, before + after);
                }
            }
        }
        None
    }

    /// Plays on, and writes the game.
    fn finish(&mut self, mut game: Game, number: usize, loss: f64) -> Option<String> {
        for _ in 0..FOLLOWING {
            let mv = self.lead(&game, FOLLOWING_PLAYOUTS).1?;
            game.play(game.to_play(), mv).ok()?;
        }
        let text = record::write(&game, "", "");
        let rest = text.strip_prefix("(;GM[1]")?;
        Some(format!("(;GM[1]GC[planted: move {number} loses {loss:.1}]{rest}"))
    }
}

/// The moves that may be replaced, from 0: those that save or take a chain of so many stones, where that is asked.
fn places(record: &Record, like: &Game, chain: Option<usize>) -> Option<Vec<usize>> {
    let Some(stones) = chain else { return Some((FIRST..LAST).collect()) };
    let mut places = Vec::new();
    let mut at = 0;
    record::walk(record, Some(LAST), like, &mut |game, played| {
        if let (FIRST..LAST, Move::Play(point)) = (at, played.mv) {
            // Of those that touch where the move was made: one that is saved, or one that is taken.
            let mut after = game.board().clone();
            let taken = after.play(point, played.color) as usize;
            let is_in_atari = |&stone: &go_engine::Point| {
                game.board().stone(stone) == Some(played.color)
                    && game.board().chain(stone).len() >= stones
                    && game.board().liberties(stone).len() == 1
            };
            let is_saved = game.board().neighbours(point).any(|stone| is_in_atari(&stone))
                && after.liberties(point).len() > 2;
            if is_saved || taken >= stones {
                places.push(at);
            }
        }
        at += 1;
    })
    .ok()?;
    Some(places)
}

/// The mistake in a game: the number of the move, and what it loses.
fn planted(file: &Path) -> Result<(usize, f64)> {
    let bytes = files::read_record(file)?;
    let text = Games::new(&bytes).next().context("no game")??;
    let tree = Tree::parse(&text)?;
    let words = tree.node(Tree::ROOT).text("GC").unwrap_or_default().into_owned();
    let mut numbers = words.split_whitespace().filter_map(|word| word.parse::<f64>().ok());
    match (numbers.next(), numbers.next()) {
        (Some(number), Some(loss)) => Ok((number as usize, loss)),
        _ => bail!("no mistake was planted"),
    }
}

fn score(args: &ScoreArgs) -> Result<ExitCode> {
    let entries = fs::read_dir(&args.games).with_context(|| args.games.display().to_string())?;
    let mut games: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    games.retain(|game| game.extension().is_some_and(|ending| ending == "sgf"));
    games.sort();
    let (mut reviewed, mut found) = (0, 0);
    say("game   move  planted  reviewed  place  largest losses")?;
    for game in &games {
        let stem = game.file_stem().unwrap_or_default().to_string_lossy();
        let (number, loss) = planted(game).with_context(|| game.display().to_string())?;
        let review = reports::read(&args.reviews.join(&*stem));
        let Some(review) = review.filter(|review| review.finished) else { continue };
        let largest = review.largest();
        let place = largest.iter().position(|(entry, _)| entry.number == number);
        let is_found = place.is_some_and(|place| place < args.within);
        reviewed += 1;
        found += usize::from(is_found);
        let told = place.map_or(0.0, |place| largest[place].1.loss);
        let others = largest.iter().take(args.within);
        let others: Vec<String> =
            others.map(|(entry, one)| format!("{} {:.1}", entry.number, one.loss)).collect();
        let place = place.map_or_else(|| "-".to_owned(), |place| (place + 1).to_string());
        let others = others.join(", ");
        say(&format!("{stem:6} {number:4} {loss:8.1} {told:9.1} {place:>6}  {others}"))?;
    }
    let share = 100.0 * f64::from(found as u32) / f64::from(reviewed.max(1) as u32);
    say(&format!(
        "{found} of {reviewed} ({share:.0}%) are among the {} largest losses",
        args.within
    ))?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_that_save_or_take_chains_may_be_replaced() {
        // Thirty moves far apart, then three black stones at the edge that White puts in atari and Black saves.
        let mut sgf = String::from("(;SZ[19]AB[as][bs][cs]AW[ar][br]");
        for at in 0..15u8 {
            let column = (b'a' + at) as char;
            sgf += &format!(";B[{column}a];W[{column}c]");
        }
        sgf += ";B[sa];W[cr];B[ds];W[sc])";
        let text = Games::new(sgf.as_bytes()).next().unwrap().unwrap();
        let record = Record::read(&text).unwrap();
        let like = Game::new(19, 19).unwrap();
        assert_eq!(places(&record, &like, Some(4)), Some(vec![]));
        assert_eq!(places(&record, &like, None).unwrap().len(), LAST - FIRST);
        // One liberty more is no rescue; two more are.
        assert_eq!(places(&record, &like, Some(3)), Some(vec![]));
        let sgf = sgf.replace("AW[ar][br]", "AW[ar][br]AB[dr]");
        let text = Games::new(sgf.as_bytes()).next().unwrap().unwrap();
        let record = Record::read(&text).unwrap();
        assert_eq!(places(&record, &like, Some(3)), Some(vec![32]));
    }

    #[test]
    fn a_planted_mistake_is_read_from_its_record() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.sgf");
        fs::write(&file, "(;GM[1]GC[planted: move 98 loses 17.6];B[aa])").unwrap();
        assert_eq!(planted(&file).unwrap(), (98, 17.6));
        fs::write(&file, "(;GM[1];B[aa])").unwrap();
        assert!(planted(&file).is_err());
    }
}
