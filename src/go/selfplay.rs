//! `tesuji selfplay`: positions with what a teacher, or a search by playouts, says of them, in files that the training program
//! reads.
//!
//! Each file is wholly given by the options and its number, so a run that was stopped goes on with the files that are not
//! there yet. A file says what it was made with, so that no others are gone on with.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, value_parser};
use game_core::{Fnv1a, mix64};
use go_network::Network;
use go_patterns::game::Game;
use go_patterns::knowledge::Library;
use go_patterns::network::AnyTeacher;
use go_patterns::network::own::OwnFile;
use go_patterns::network::sample::{self, HEAD, Made, Sample};
use go_patterns::network::self_play::SelfPlay;
use go_patterns::progress::Progress;
use rayon::prelude::*;

use super::network_file::{OWN_NETWORK, open_network};
use super::train::games::{self, Part, Source};
use crate::files;
use crate::options::{default_threads, threads};
use crate::progress::Bar;
use crate::shard::Shard;

/// Games that one file has positions of; an interruption loses so many at most.
const GAMES_A_FILE: u64 = 100;
/// The same where positions are searched, which takes long.
const SEARCHED_GAMES_A_FILE: u64 = 10;

/// Playouts at each position, where no network plays.
const PLAYOUTS: u64 = 400;

/// Options of `tesuji selfplay`.
#[derive(Args, Debug)]
pub struct SelfPlayArgs {
    /// The network that plays and evaluates: a file of KataGo's (.bin.gz), one that `tesuji train network` made, or built-in
    /// for the one inside. Without it playouts do, and nobody else has a part in what is learned; records are not evaluated
    /// then: the training program asks the teacher, or learns what experts play alone
    #[arg(long, value_name = "FILE")]
    teacher: Option<PathBuf>,

    /// Folder for the positions; it is made, or gone on with
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Side of the board
    #[arg(long, value_name = "N", default_value_t = 19, value_parser = value_parser!(u8).range(5..=19))]
    size: u8,

    /// Games to take positions of, with --records at most so many
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = value_parser!(u64).range(1..=100_000_000))]
    games: u64,

    /// Takes positions of these records instead of games that are played: folders or files. One game in twenty is kept
    /// back for validation; games that begin with stones on the board give none
    #[arg(long, value_name = "PATH", num_args = 1..)]
    records: Vec<PathBuf>,

    /// Takes the records that are kept back for validation, and no others
    #[arg(long, requires = "records")]
    validation: bool,

    /// Positions of each record
    #[arg(long, value_name = "N", default_value_t = 8, requires = "records",
          value_parser = value_parser!(u16).range(1..))]
    turns: u16,

    /// Share of the positions of games that is kept
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, conflicts_with = "records")]
    kept: f64,

    /// Searches so many visits at each position that is kept, and takes what is found for what is to be learned; 0 takes what
    /// the network says [default: 0 with a teacher, 400 playouts without]
    #[arg(long, alias = "playouts", value_name = "N", conflicts_with = "records")]
    visits: Option<u64>,

    /// Seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Files that are made at a time [default: one for each processor]
    #[arg(long, value_name = "N", default_value_t = default_threads(), hide_default_value = true,
          value_parser = threads())]
    threads: u16,

    /// Make only part I of N of the files, from 1/N to N/N; auto takes the numbers from Slurm's array. The files are the same,
    /// whoever makes them, on machines with AVX2
    #[arg(long, value_name = "I/N|auto")]
    shard: Option<Shard>,
}

/// What positions are made with.
struct Maker<'a> {
    args: &'a SelfPlayArgs,
    network: Option<Arc<Network>>,
    library: &'a Arc<Library>,
    games: Vec<Game>,
    /// How many games there are in all.
    count: u64,
    /// A hash of what gives the positions beside the numbers of the games.
    options: u32,
    /// Visits of the searches that say what is to be learned; none where there are none.
    visits: u64,
    bar: &'a Bar,
}

/// Runs `tesuji selfplay`.
///
/// # Errors
/// What went wrong, in words; no file is left half written.
pub fn run(args: &SelfPlayArgs) -> Result<ExitCode> {
    ensure!((0.0..=1.0).contains(&args.kept), "--kept is a share from 0 to 1");
    let library = Arc::new(Library::built_in().context("cannot read what was learned")?);
    let open = |path: &PathBuf| {
        let network = open_network(path, &library);
        network.map(Arc::new).with_context(|| format!("cannot use {}", path.display()))
    };
    let network = args.teacher.as_ref().map(open).transpose()?;
    ensure!(
        network.as_ref().is_none_or(|network| network.knows_size(args.size, args.size)),
        "the network does not know boards of {0}x{0}",
        args.size
    );
    library.predictor(args.size).context("cannot read what was learned")?;
    let visits = args.visits.unwrap_or(if network.is_some() { 0 } else { PLAYOUTS });
    ensure!(
        visits > 0 || network.is_some() || !args.records.is_empty(),
        "--visits 0 wants a teacher: without one, playouts say what is to be learned"
    );
    std::fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let bar = Bar::new();
    let mut games = Vec::new();
    if !args.records.is_empty() {
        let source = Source { paths: args.records.clone(), size: args.size, quiet: true };
        let part = if args.validation { Part::Validation } else { Part::Learned };
        games = games::collect(&source, part, &bar)?;
        let with_stones = games.iter().filter(|game| !game.setup.is_empty()).count();
        if with_stones > 0 {
            let all = games.len();
            bar.say(&format!(
                "{with_stones} of {all} games begin with stones and give no positions"
            ));
        }
        shuffle(&mut games, args.seed);
    }
    let options = options_hash(args, visits, &games)?;
    if !args.records.is_empty() {
        games.truncate(usize::try_from(args.games).unwrap_or(usize::MAX));
    }
    let count = if args.records.is_empty() { args.games } else { games.len() as u64 };
    let maker =
        Maker { args, network, library: &library, games, count, options, visits, bar: &bar };
    let shard = args.shard.unwrap_or(Shard::WHOLE);
    let files: Vec<u64> =
        (0..count.div_ceil(maker.games_a_file())).filter(|&n| shard.has(n)).collect();
    let mut missing = Vec::new();
    for &file in &files {
        if !maker.is_there(file)? {
            missing.push(file);
        }
    }
    if missing.len() < files.len() {
        let there = files.len() - missing.len();
        bar.say(&format!("{there} of {} files were there already", files.len()));
    }
    bar.begin("files of positions", missing.len() as u64);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(args.threads)).build()?;
    let made = pool.install(|| {
        missing.into_par_iter().try_for_each(|file| {
            let done = if bar.stopped() { Ok(()) } else { maker.file(file) };
            bar.advance(1);
            done
        })
    });
    bar.end();
    made?;
    if bar.stopped() {
        bail!("stopped; the same command goes on");
    }
    Ok(ExitCode::SUCCESS)
}

/// A hash of what gives the positions beside the side of the board, the seed and the kind, which are in the files' names: the
/// teacher, the records and the shares. How many games there are is no part of it.
fn options_hash(args: &SelfPlayArgs, visits: u64, games: &[Game]) -> Result<u32> {
    let mut hash = Fnv1a::new();
    match &args.teacher {
        Some(path) if path.as_os_str() == OWN_NETWORK => hash.bytes(OwnFile::built_in_bytes()),
        Some(path) => {
            let bytes = std::fs::read(path);
            hash.bytes(&bytes.with_context(|| format!("cannot read {}", path.display()))?);
        }
        None => {}
    }
    hash.number(visits);
    if args.records.is_empty() {
        hash.number(args.kept.to_bits());
    } else {
        hash.number(u64::from(args.turns));
        games.iter().for_each(|game| game.add_to(&mut hash));
    }
    Ok((hash.get() ^ hash.get() >> 32) as u32)
}

/// Brings games into an order that a seed gives.
fn shuffle(games: &mut [Game], seed: u64) {
    for last in (1..games.len()).rev() {
        let other = mix64(seed ^ game_core::GOLDEN_GAMMA.wrapping_mul(last as u64));
        games.swap(last, (other % (last as u64 + 1)) as usize);
    }
}

impl Maker<'_> {
    fn games_a_file(&self) -> u64 {
        let is_searched = self.games.is_empty() && self.visits > 0;
        if is_searched { SEARCHED_GAMES_A_FILE } else { GAMES_A_FILE }
    }

    fn path(&self, file: u64) -> PathBuf {
        let SelfPlayArgs { size, seed, records, validation, .. } = self.args;
        let kind = match (records.is_empty(), validation) {
            (true, _) if self.visits > 0 => "searches",
            (true, _) => "games",
            (false, false) => "records",
            (false, true) => "validation",
        };
        self.args.out.join(format!("{size}-{kind}-{seed}-{file:05}.bin"))
    }

    /// The numbers of the games that a file has positions of.
    fn games_of(&self, file: u64) -> std::ops::Range<u64> {
        let each = self.games_a_file();
        file * each..self.count.min((file + 1) * each)
    }

    /// Whether a file need not be made: it is there, with as many games or more. One that does not say what it was made with is
    /// from a time when none did, and is taken as it is.
    ///
    /// # Errors
    /// When it was made with other options, or is damaged.
    fn is_there(&self, file: u64) -> Result<bool> {
        let path = self.path(file);
        if !path.exists() {
            return Ok(false);
        }
        let made = read_made(&path, self.args.size)
            .with_context(|| format!("cannot read {}", path.display()))?;
        let Some(made) = made else {
            bail!("{} is damaged; remove it, and it is made again", path.display());
        };
        ensure!(
            made == Made::default() || made.options == self.options,
            "{} was made with other options; name another folder with --out, or another --seed",
            path.display()
        );
        let games = self.games_of(file);
        Ok(made == Made::default() || u64::from(made.games) >= games.end - games.start)
    }

    /// Makes a file, unless it is stopped before.
    fn file(&self, file: u64) -> Result<()> {
        let path = self.path(file);
        let games = self.games_of(file);
        let made = Made { games: (games.end - games.start) as u32, options: self.options };
        let side = self.args.size;
        let mut teacher = AnyTeacher::new(self.network.as_ref(), self.library, side);
        let how = SelfPlay { kept: self.args.kept, visits: self.visits, ..SelfPlay::default() };
        let mut samples: Vec<Sample> = Vec::new();
        for number in games {
            if self.bar.stopped() {
                // What is there of the file is given up: it is made again from its seeds.
                return Ok(());
            }
            let seed = mix64(mix64(self.args.seed) ^ number);
            samples.extend(match self.games.get(number as usize) {
                Some(game) => teacher.of_record(game, usize::from(self.args.turns), seed),
                None => teacher.play(&how, seed),
            });
        }
        files::replace(&path, &sample::file(side, &samples, made))
            .with_context(|| format!("cannot write {}", path.display()))
    }
}

/// What a file was made of; nothing where it is damaged.
fn read_made(path: &Path, side: u8) -> std::io::Result<Option<Made>> {
    let mut head = Vec::with_capacity(HEAD);
    let file = File::open(path)?;
    let bytes = file.metadata()?.len();
    file.take(HEAD as u64).read_to_end(&mut head)?;
    Ok(head.as_slice().try_into().ok().and_then(|head| Made::read(head, side, bytes)))
}
