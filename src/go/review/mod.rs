//! `tesuji review`: whole games looked at, and reports of them.
//!
//! * `sources`, `game`: which games; a game with its positions. `found`: what a search found of a position.
//! * `plan`, `reviewer`, `progress`: how the playouts are spent; searching; what is kept of it on the way.
//! * `loss`, `summary`: what each move lost, and what a player's moves come to.
//! * `live`: the review of a game that is shown on a page.
//! * `document`: a review as it is written for programs, from which everything else is made: `reports`.

pub mod document;
pub mod game;
pub mod live;
pub mod loss;
pub mod plan;
pub mod planted;
pub mod position_analysis;
pub mod progress;
mod reports;
mod reviewer;
mod sources;
pub mod summary;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{Args, value_parser};
use go_engine::Rules;
use go_network::Network;
use go_patterns::progress::Progress as _;

use document::{Document, Made};
use game::{Assumed, ReviewGame};
use progress::Progress;
use reviewer::{Effort, Reviewer};
use sources::{Source, Sources};

use crate::go::positions::PositionsArgs;
use crate::interrupt;
use crate::output::note;
use crate::progress::Bar;
use crate::shard::ShardArgs;

/// Options of `tesuji review`.
#[derive(Args, Debug)]
pub struct ReviewArgs {
    /// Records, and folders of them
    #[arg(required = true, value_name = "FILE.sgf|DIR")]
    paths: Vec<PathBuf>,

    /// Folder for the reports; of a review that was stopped, what it found is there
    #[arg(short, long, value_name = "DIR", default_value = "review")]
    out: PathBuf,

    /// Playouts of each position; where most was lost, more [default: 300, without a network 2000]
    #[arg(long, alias = "visits", value_name = "N", value_parser = value_parser!(u64).range(1..=1_000_000_000))]
    playouts: Option<u64>,

    /// How long a game may take, for example 30s or 5m, instead of a number of playouts
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration, conflicts_with = "playouts")]
    time: Option<Duration>,

    /// Only this game of a file with several
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    game: Option<u64>,

    /// Rules, whatever the records say: tromp-taylor, chinese, japanese, aga or new-zealand
    /// [default: the record's, or chinese]
    #[arg(long, value_name = "NAME")]
    rules: Option<Rules>,

    /// Points that White gets, whatever the records say [default: the record's, or 7.5, or 0.5 with a handicap]
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true, value_parser = komi)]
    komi: Option<f64>,

    /// How positions are searched
    #[command(flatten)]
    positions: PositionsArgs,

    #[command(flatten)]
    shard: ShardArgs,
}

/// Playouts of a position in the second pass when it is not said how many.
const DEFAULT_PLAYOUTS: u64 = 2000;
/// The same with a network.
const DEFAULT_EVALUATIONS: u64 = 300;

/// How often what was found is written down.
const SAVING: Duration = Duration::from_secs(2);

/// The most memory of a worker, in MiB: enough for the deepest pass.
const WORKER_MEMORY: u64 = 128;

fn komi(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.abs() <= 1000.0 => Ok(number),
        _ => Err("a number from -1000 to 1000 is expected".to_owned()),
    }
}

/// Runs `tesuji review`.
///
/// # Errors
/// What went wrong, in words. A game that is broken is told and the others are reviewed.
pub fn run(args: &ReviewArgs) -> Result<ExitCode> {
    let assumed = Assumed { rules: args.rules, komi: args.komi };
    let mut sources = Sources::find(&args.paths, args.game, &args.out, &assumed)?;
    // Where there are fewer games than parts, some parts have none.
    let is_for_others = args.shard.shard.is_some() && !sources.games.is_empty();
    if let Some(shard) = args.shard.shard {
        sources.share(shard);
    }
    for broken in &sources.broken {
        note(&broken.why);
    }
    if sources.games.is_empty() && !is_for_others {
        bail!("there is no game to review");
    }
    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("cannot make the folder {}", args.out.display()))?;
    let review = Review::new(args, &assumed, &sources)?;
    if args.shard.merge {
        review.check_finished()?;
    }
    review.all()
}

/// What is reviewed, and how.
struct Review<'a> {
    args: &'a ReviewArgs,
    assumed: &'a Assumed,
    sources: &'a Sources,
    pool: crate::go::positions::Pool<crate::go::positions::PositionSearcher>,
    network: Option<Arc<Network>>,
    bar: Bar,
}

impl<'a> Review<'a> {
    fn new(args: &'a ReviewArgs, assumed: &'a Assumed, sources: &'a Sources) -> Result<Self> {
        let mut positions = args.positions.clone();
        // What a search finds with a network depends a little on what its memory holds: so that is the same for any number of
        // workers.
        positions.max_memory =
            positions.max_memory.min(WORKER_MEMORY * positions.positions() as u64);
        let engine = positions.engine()?;
        let network = engine.any_network().cloned();
        let pool = positions.pool_of(engine);
        Ok(Review { args, assumed, sources, pool, network, bar: Bar::new() })
    }

    fn playouts(&self, side: u8) -> u64 {
        let default = match self.network_for(side) {
            Some(_) => DEFAULT_EVALUATIONS,
            None => DEFAULT_PLAYOUTS,
        };
        self.args.playouts.unwrap_or(default)
    }

    /// The network's name, where it knows boards of this side.
    fn network_for(&self, side: u8) -> Option<&str> {
        let network = self.network.as_ref().filter(|network| network.knows_size(side, side));
        network.map(|network| network.name())
    }

    /// How much is looked at a game on a board of this side.
    fn effort(&self, side: u8) -> Effort {
        match self.args.time {
            Some(time) => Effort::Time(time, self.playouts(side)),
            None => Effort::Playouts(self.playouts(side)),
        }
    }

    /// All games, and what is told of them together.
    fn all(&self) -> Result<ExitCode> {
        let sources = &self.sources.games;
        let cost = |source: &Source| plan::cost(source.moves, self.playouts(source.side));
        let whole: u64 = sources.iter().map(cost).sum();
        let mut position: u64 = 0;
        self.bar.begin("", whole);
        let (mut names, mut is_stopped) = (Vec::new(), false);
        let mut broken: Vec<String> =
            self.sources.broken.iter().map(|broken| broken.why.clone()).collect();
        for (at, source) in sources.iter().enumerate() {
            if is_stopped {
                // What was reviewed before stays on the page of all.
                names.extend(self.is_reviewed(source).then(|| source.name.clone()));
                continue;
            }
            let count = if sources.len() > 1 {
                format!("{}/{} ", at + 1, sources.len())
            } else {
                String::new()
            };
            self.bar.tell(&format!("{count}{}", source.name));
            match source.load(self.assumed) {
                // It was whole when it was looked for.
                Err(error) => {
                    let why = format!("{error:#}");
                    self.bar.say(&why);
                    broken.push(why);
                }
                Ok(game) => {
                    is_stopped = !self.one(source, game)?;
                    names.push(source.name.clone());
                }
            }
            position += cost(source);
            self.bar.set_position(position);
        }
        self.bar.end();
        if self.sources.are_many && self.args.shard.shard.is_none() {
            reports::write_index(&self.args.out, &names, &broken)?;
        }
        if is_stopped {
            note("stopped; the same command goes on");
            return Ok(ExitCode::from(interrupt::EXIT_CODE));
        }
        let broken = broken.len();
        let place = self.args.out.display();
        match (names.as_slice(), self.sources.are_many) {
            ([name], false) => note(format_args!("see {place}/{name}.html")),
            (names, _) => {
                let games = reports::words::games(names.len());
                match self.args.shard.shard {
                    None => note(format_args!("{games} reviewed: see {place}/index.html")),
                    Some(shard) => note(format_args!("{games} reviewed, part {}", shard.words())),
                }
            }
        }
        if broken > 0 {
            note(format_args!("{broken} could not be reviewed"));
            return Ok(ExitCode::FAILURE);
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Whether the reviews of all games are there.
    fn check_finished(&self) -> Result<()> {
        let is_open = |source: &&Source| {
            let Ok(game) = source.load(self.assumed) else { return false };
            self.finished(source, &game).is_none()
        };
        let open: Vec<&str> =
            self.sources.games.iter().filter(is_open).map(|source| source.name.as_str()).collect();
        if let Some(first) = open.first() {
            let count = reports::words::games(open.len());
            bail!("not reviewed yet: {count}, the first is {first}");
        }
        Ok(())
    }

    fn is_reviewed(&self, source: &Source) -> bool {
        let is_there = reports::read(&self.args.out.join(&source.name)).is_some();
        is_there
            && source.load(self.assumed).is_ok_and(|game| self.finished(source, &game).is_some())
    }

    /// The review of a game, where it was finished.
    fn finished(&self, source: &Source, game: &ReviewGame) -> Option<Document> {
        let key = self.key(game, self.effort(source.side));
        let document = reports::read(&self.args.out.join(&source.name))?;
        (document.finished && document.key == key).then_some(document)
    }

    /// A game: false when it was stopped.
    fn one(&self, source: &Source, game: ReviewGame) -> Result<bool> {
        let game = Arc::new(game);
        let effort = self.effort(source.side);
        let key = self.key(&game, effort);
        let base = self.args.out.join(&source.name);
        if self.finished(source, &game).is_some() {
            return Ok(true);
        }
        if let Some(folder) = base.parent() {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        let file = progress::path(&base);
        let mut progress = Progress::read(&file, &key);
        let keep = |progress: &Progress| progress.write(&file);
        let reviewer =
            Reviewer { pool: &self.pool, bar: &self.bar, keep: &keep, keep_every: SAVING };
        let finished = reviewer.review(&game, effort, &mut progress)?;
        let found = progress.found(game.positions.len());
        let reviewed = game.reviewed(&found);
        let name = source.file.file_name().unwrap_or_default().to_string_lossy();
        let made = Made {
            key: &key,
            finished,
            file: &name,
            playouts: progress.playouts,
            network: self.network_for(source.side),
        };
        let document = Document::new(&made, &game, &found, &reviewed);
        reports::write(&base, &document, &game)?;
        if finished {
            remove(&file)?;
        }
        Ok(finished)
    }

    /// Stands for the game and everything that its review rests on.
    fn key(&self, game: &ReviewGame, effort: Effort) -> String {
        let effort = match effort {
            Effort::Playouts(playouts) => format!("playouts {playouts}"),
            Effort::Time(time, _) => format!("time {}", time.as_secs_f64()),
        };
        let network = self.network_for(game.side()).unwrap_or("none");
        let (version, seed) = (crate::session::VERSION, self.args.positions.seed);
        let format = document::FORMAT;
        format!(
            "{version}/{format}, {effort}, seed {seed}, network {network}, game {:016x}",
            game.key()
        )
    }
}

/// Another run of the same review may have removed it: both write the same.
fn remove(file: &Path) -> Result<()> {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", file.display()))
        }
        _ => Ok(()),
    }
}
