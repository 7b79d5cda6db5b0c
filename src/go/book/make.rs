//! `tesuji book make`: positions searched in rounds, each round those that the book before it asks for.
//!
//! A round is a job in parts: shards search theirs, and merging puts them together and makes the next round's book. Alone
//! it is the same with one shard and one merge after the other, so the book comes out the same, byte for byte, by whatever
//! way it was made and however often that was interrupted.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::{Args, value_parser};
use game_core::Report;
use go_engine::{Game, Move, Rules};
use go_patterns::opening::{
    Canonical, Conditions, Evaluation, Expansion, Leaf, MoveEvaluation, Round,
};
use go_patterns::progress::Progress as _;

use super::{kind, read};
use crate::go::positions::{Pool, PositionQuery, PositionSearcher, PositionsArgs};
use crate::go::train::write;
use crate::output::{note, print};
use crate::progress::Bar;
use crate::shard::{Shard, ShardArgs, lock_beside, parts_of};
use crate::{files, interrupt};

/// Options of `tesuji book make`.
#[derive(Args, Debug)]
pub struct MakeArgs {
    /// The book; if it is there already it is gone on with
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Side of the board
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = value_parser!(u8).range(5..=19))]
    size: u8,
    /// Points that White gets
    #[arg(long, value_name = "POINTS", default_value_t = 7.5, allow_negative_numbers = true, value_parser = komi)]
    komi: f32,
    /// Rules: tromp-taylor, chinese, japanese, aga or new-zealand
    #[arg(long, value_name = "NAME", default_value = "chinese")]
    rules: Rules,
    /// Positions that it is to have; the round that reaches them is finished
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = value_parser!(u32).range(1..=10_000_000))]
    entries: u32,
    /// Visits of the search of each position
    #[arg(long, alias = "playouts", value_name = "N", default_value_t = 1600, value_parser = value_parser!(u32).range(1..=100_000_000))]
    visits: u32,
    /// Positions of a round at most: it has one, and one more for each 8 that the book has. More make larger parts, and a book that is chosen a little less well
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = value_parser!(u32).range(1..=1_000_000))]
    batch: u32,
    #[command(flatten)]
    positions: PositionsArgs,
    #[command(flatten)]
    shard: ShardArgs,
}

fn komi(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(number) if number.abs() <= 1000.0 => Ok(number),
        _ => Err("a number of points is expected".to_owned()),
    }
}

/// Of a young book few positions are taken up at a time, since little is known of which: one for so many that it has.
const POSITIONS_FOR_ONE: usize = 8;
/// How often what was found is saved.
const SAVED_EVERY: Duration = Duration::from_secs(10);
/// How often is looked whether Ctrl-C was pressed.
const PATIENCE: Duration = Duration::from_millis(100);

/// Runs `tesuji book make`.
///
/// # Errors
/// When the book that is there is of another kind or damaged, a network cannot be used, or a file cannot be written.
pub fn run(args: &MakeArgs) -> Result<ExitCode> {
    let engine = args.positions.engine()?;
    let board = Game::new(args.size, args.size).context("no such board")?;
    let conditions = Conditions {
        size: args.size,
        rules: args.rules,
        komi: args.komi,
        visits: args.visits,
        batch: args.batch,
        seed: args.positions.seed,
        network: engine
            .network(&board)
            .map_or("none".to_owned(), |network| network.name().to_owned()),
    };
    // What another task finds meanwhile would be written over.
    let written = args.shard.shard.map_or(args.out.clone(), |shard| shard.part_of(&args.out));
    let _lock = lock_beside(&written)?;
    let mut book = open(&args.out, &conditions)?;
    if args.shard.merge {
        return merge(args, book);
    }
    let bar = Bar::new();
    let mut maker = Maker { args, bar: &bar, pool: args.positions.pool_of(engine) };
    bar.begin("positions", u64::from(args.entries));
    let shard = args.shard.shard;
    let mut is_done = true;
    while let Some(leaves) = wanted(args, &book) {
        let part = shard.unwrap_or(Shard::WHOLE).part_of(&args.out);
        let mine = leaves
            .iter()
            .zip(0..)
            .filter(|(_, number)| shard.is_none_or(|shard| shard.has(*number)));
        let mine: Vec<Leaf> = mine.map(|(&leaf, _)| leaf).collect();
        let round = maker.search(&book, &mine, &part)?;
        is_done = mine.iter().all(|&leaf| round.get(leaf).is_some());
        if !is_done || shard.is_some() {
            write(&part, &round.to_bytes())?;
            break;
        }
        take_up(&mut book, &leaves, &round)?;
        write(&args.out, &book.book().to_bytes())?;
        remove(&part)?;
    }
    bar.end();
    if !is_done {
        note("tesuji: interrupted; what was found is kept, and the same command goes on");
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    match shard {
        Some(shard) if wanted(args, &book).is_some() => print(&format!(
            "part {} of the round after {} positions is done; when all are, put them together with --merge\n",
            shard.words(),
            book.book().len()
        ))?,
        _ => tell(args, &book)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The book that is there, or a new one.
fn open(path: &Path, conditions: &Conditions) -> Result<Expansion> {
    if !path.exists() {
        return Ok(Expansion::begin(conditions.clone()));
    }
    let book = read(path)?;
    let there = book.conditions();
    let say = |conditions: &Conditions| {
        let Conditions { visits, batch, seed, network, .. } = conditions;
        let kind = kind(conditions);
        format!("{kind}, {visits} visits, batch {batch}, seed {seed}, network {network}")
    };
    ensure!(
        there == conditions,
        "{} is a book for {}; what is asked for is one for {}: give the same options to go on with it, or another file",
        path.display(),
        say(there),
        say(conditions)
    );
    Ok(Expansion::of(book))
}

/// The positions of the next round; none when the book is complete.
fn wanted(args: &MakeArgs, book: &Expansion) -> Option<Vec<Leaf>> {
    let len = book.book().len();
    if len >= args.entries as usize {
        return None;
    }
    let leaves = book.next((1 + len / POSITIONS_FOR_ONE).min(args.batch as usize));
    Some(leaves).filter(|leaves| !leaves.is_empty())
}

/// Adds what was found of a round's positions, in their order.
fn take_up(book: &mut Expansion, leaves: &[Leaf], round: &Round) -> Result<()> {
    let found: Vec<(Leaf, Evaluation)> =
        leaves.iter().filter_map(|&leaf| Some((leaf, round.get(leaf)?.clone()))).collect();
    let missing = leaves.len() - found.len();
    ensure!(
        missing == 0,
        "of the {} positions of the round {missing} were not searched: run its parts again",
        leaves.len()
    );
    book.add(found);
    Ok(())
}

/// Puts the parts of a round together.
fn merge(args: &MakeArgs, mut book: Expansion) -> Result<ExitCode> {
    if let Some(leaves) = wanted(args, &book) {
        let parts = parts_of(&args.out)?;
        let mut round = Round::of(book.book());
        for part in &parts {
            let other = read_round(part)?;
            ensure!(
                other.is_of_same_book(&round),
                "{} is of another round than the book is at: run that part again",
                part.display()
            );
            round.take(other);
        }
        take_up(&mut book, &leaves, &round)?;
        write(&args.out, &book.book().to_bytes())?;
        parts.iter().try_for_each(|part| remove(part))?;
    }
    tell(args, &book)?;
    Ok(ExitCode::SUCCESS)
}

fn read_round(path: &Path) -> Result<Round> {
    let bytes =
        files::read_record(path).with_context(|| format!("cannot read {}", path.display()))?;
    Round::from_bytes(&bytes).with_context(|| format!("cannot use {}", path.display()))
}

fn remove(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", path.display()))
        }
        _ => Ok(()),
    }
}

/// Says what there is now.
fn tell(args: &MakeArgs, book: &Expansion) -> Result<()> {
    let is_complete = wanted(args, book).is_none();
    let (book, out) = (book.book(), args.out.display());
    let (len, depth) = (book.len(), book.depth());
    let rest = match (is_complete, args.shard.merge) {
        (false, true) => "; the next round may begin",
        (true, _) if len < args.entries as usize => "; no move of theirs leads to another one",
        _ => "",
    };
    print(&format!("{out}: {len} positions, up to {depth} moves deep{rest}\n"))
}

/// What searches positions.
struct Maker<'a> {
    args: &'a MakeArgs,
    bar: &'a Bar,
    pool: Pool<PositionSearcher>,
}

impl Maker<'_> {
    /// Searches positions of a round, but those that a part of it on disk has already, until all are done or Ctrl-C is
    /// pressed. What is found is saved from time to time.
    fn search(&mut self, book: &Expansion, leaves: &[Leaf], part: &Path) -> Result<Round> {
        let mut round = Round::of(book.book());
        if part.exists() {
            // One of an earlier round is of no use any more, and one that was cut is made again.
            match read_round(part) {
                Ok(there) if there.is_of_same_book(&round) => round.take(there),
                Ok(_) => {}
                Err(why) => self.bar.say(&format!("{why:#}; it is made again")),
            }
        }
        let before = book.book().len();
        let left: Vec<Leaf> =
            leaves.iter().copied().filter(|&leaf| round.get(leaf).is_none()).collect();
        let (mut done, mut left) = (leaves.len() - left.len(), left.into_iter());
        let (sender, receiver) = channel();
        let mut sender = Some(sender);
        let mut saved = Instant::now();
        loop {
            // Few at a time, since each has a game of its own.
            while let Some(sender) = sender.as_ref().filter(|_| self.pool.waiting() < self.ahead())
            {
                match left.next() {
                    Some(leaf) => self.submit(book, leaf, sender.clone())?,
                    None => break,
                }
            }
            if left.len() == 0 {
                sender = None;
            }
            self.bar.set_position((before + done) as u64);
            match receiver.recv_timeout(PATIENCE) {
                Ok((leaf, found)) => {
                    round.note(leaf, found);
                    done += 1;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if saved.elapsed() >= SAVED_EVERY {
                write(part, &round.to_bytes())?;
                saved = Instant::now();
            }
            if self.bar.stopped() {
                self.pool.cancel_all();
                self.pool.wait();
                receiver.try_iter().for_each(|(leaf, found)| round.note(leaf, found));
                break;
            }
        }
        Ok(round)
    }

    /// How many positions wait for a worker at most: enough that none has to wait for one.
    fn ahead(&self) -> usize {
        2 * self.pool.workers()
    }

    /// Lets a worker search a position in its turn, and send what it found.
    fn submit(
        &self,
        book: &Expansion,
        leaf: Leaf,
        sender: Sender<(Leaf, Evaluation)>,
    ) -> Result<()> {
        let visits = u64::from(self.args.visits);
        let game = book.game(leaf).context("the book leads to a move that the rules forbid")?;
        self.pool.submit(0, move |searcher, stop| {
            // Nothing of other positions may count, or the order in which they come would.
            searcher.clear();
            let query = PositionQuery { visits: Some(visits), ..PositionQuery::new(&game) };
            let found = searcher.search(&query, stop, &mut |_| {});
            if !stop.load(Ordering::Relaxed) {
                // Nobody waits for it any more when all ends.
                let _ = sender.send((leaf, evaluation(&game, &found)));
            }
        })?;
        Ok(())
    }
}

/// What a book keeps of a search of a game's position.
fn evaluation(game: &Game, found: &Report<Move>) -> Evaluation {
    let canonical = Canonical::of(game);
    let moves = found.moves.iter().filter_map(|mv| match mv.mv {
        Move::Play(point) => Some(MoveEvaluation {
            place: canonical.place(point),
            visits: mv.visits,
            winrate: mv.winrate,
            lead: mv.lead.unwrap_or(0.0),
        }),
        // A game that has come so far that a pass is worth a thought is out of its opening.
        Move::Pass => None,
    });
    let visits = u32::try_from(found.visits).unwrap_or(u32::MAX);
    Evaluation::new(found.winrate, found.lead.unwrap_or(0.0), visits, moves)
}
