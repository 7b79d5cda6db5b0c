//! The engine behind the commands: the tree search and its judgement of the end of the game.

use std::time::Duration;

use go_engine::endgame::{self, EndgamePolicy};
use go_engine::params::Params as SearchParams;
use go_engine::score::Statuses;
use go_engine::search::{Limits, MoveReport, Options, ProgressCallback, Report, Search};
use go_engine::{Color, Game, Move};
use go_patterns::knowledge::{self, Library, Patterns};
use go_patterns::params::Params as PatternParams;
use std::sync::Arc;

use super::engine::{Branch, Candidate, Decision, Engine, Filter, Findings, Question};
use super::judge;
use super::level::{LEVELS, Level};
use super::params::Params as PlayParams;
use super::settle;
use crate::clock::Budget;
use crate::gtp::params::{Param, Params};
use tunables::{Kind, Table};

/// How the engine is set up.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Threads, at least one.
    pub threads: usize,
    /// Where its random choices begin.
    pub seed: u64,
    /// Memory for the tree, in MiB.
    pub memory: u64,
    /// Resigns below this chance of winning, 0 to 1.
    pub resign_below: f32,
    /// Plays below its strength at this level; none is full strength.
    pub level: Option<u8>,
}

/// Playouts for a move when nothing else limits it.
const DEFAULT_PLAYOUTS: u64 = 10_000;
/// Playouts for telling which stones are dead.
const JUDGING_PLAYOUTS: u64 = 2_000;
/// Share of the time of a late move that is kept for it.
const SECOND_LOOK: f64 = 0.1;
/// Memory for that, in bytes.
const JUDGING_MEMORY: usize = 16 << 20;
/// Playouts after which pondering has done what it can.
const PONDERING_PLAYOUTS: u64 = 2_000_000;

/// The tunables of everything that chooses a move.
#[derive(Default)]
struct Tunables {
    search: SearchParams,
    patterns: PatternParams,
    play: PlayParams,
}

/// Makes a search with given tunables.
type Recipe = Box<dyn Fn(Options, &PatternParams) -> Search + Send>;

/// A tree search with what it found last.
pub struct Player {
    search: Search,
    /// Makes the search again when the tunables change.
    recipe: Recipe,
    setup: Setup,
    tunables: Tunables,
    /// Games begun since the seed was set: each has a seed of its own, or all would be the same.
    games: u64,
    last: Option<Last>,
}

/// The last search that was asked for.
struct Last {
    game: Game,
    color: Color,
    findings: Findings,
    /// The tree is still that search's, and not one of a position looked at since.
    has_tree: bool,
}

impl Player {
    /// A player that knows no more than the rules and tactics.
    pub fn handcrafted(setup: Setup) -> Player {
        Player::new(setup, Box::new(|options, _| Search::handcrafted(options)))
    }

    /// A player that uses these learned patterns.
    pub fn learned(setup: Setup, patterns: Patterns, library: Arc<Library>) -> Player {
        let recipe = move |options: Options, params: &PatternParams| {
            knowledge::search(patterns, &library, options, params)
        };
        Player::new(setup, Box::new(recipe))
    }

    fn new(setup: Setup, recipe: Recipe) -> Player {
        let tunables = Tunables::default();
        let search = recipe(options(&setup, &tunables.search), &tunables.patterns);
        Player { search, recipe, setup, tunables, games: 0, last: None }
    }

    /// Begins again after something was set.
    fn rebuild(&mut self) {
        let options = options(&self.setup, &self.tunables.search);
        self.search = (self.recipe)(options, &self.tunables.patterns);
        self.last = None;
    }

    /// Forgets what the search found.
    fn forget(&mut self) {
        self.search.clear();
        self.last = None;
    }

    /// The seed of the present game.
    fn seed(&self) -> u64 {
        self.setup.seed.wrapping_add(self.games.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn think(
        &mut self,
        question: &Question,
        stop_early: bool,
        report: &mut dyn FnMut(&Findings),
    ) -> Report {
        let limits = Limits {
            playouts: question.playouts,
            soft: question.budget.map(|budget| budget.soft),
            hard: question.budget.map(|budget| budget.hard),
            stop_early,
            interrupted: question.stop,
            avoid: avoid(question),
            fresh: question.fresh,
        };
        let color = question.color;
        let mut call = |found: &Report| report(&findings(found, color));
        let progress = question.interval.map(|every| ProgressCallback { every, call: &mut call });
        self.search.reseed(if question.fresh { self.setup.seed } else { self.seed() });
        let found = self.search.search(question.game, color, &limits, progress);
        self.last = Some(Last {
            game: question.game.clone(),
            color,
            findings: findings(&found, color),
            has_tree: true,
        });
        found
    }
}

impl Player {
    /// The chance that the last search of this game gave the player asked about, if it was asked
    /// about the same player.
    fn last_winrate(&self, question: &Question) -> Option<f64> {
        let last = self.last.as_ref().filter(|last| last.color == question.color)?;
        let goes_on = question.game.moves().starts_with(last.game.moves());
        goes_on.then_some(last.findings.winrate)
    }

    /// Whether the judgement without search agrees that the player asked about is behind.
    fn is_behind(&self, question: &Question) -> bool {
        if !self.tunables.play.resign_needs_influence {
            return true;
        }
        judge::gogui::estimate(question.game).is_none_or(|estimate| match question.color {
            Color::Black => estimate.lead < 0.0,
            Color::White => estimate.lead > 0.0,
        })
    }

    /// Looks at a position in a search of its own: the same stones are dead whatever was thought
    /// about before.
    fn judge(&self, game: &Game, color: Color, playouts: u64, time: Option<Duration>) -> Report {
        let limits = Limits { hard: time, stop_early: false, ..Limits::playouts(playouts) };
        let options =
            Options { max_memory: JUDGING_MEMORY, ..options(&self.setup, &self.tunables.search) };
        let mut search = (self.recipe)(options, &self.tunables.patterns);
        search.search(game, color, &limits, None)
    }
}

fn options(setup: &Setup, params: &SearchParams) -> Options {
    Options {
        threads: setup.threads,
        max_memory: usize::try_from(setup.memory << 20).unwrap_or(usize::MAX),
        seed: setup.seed,
        params: params.clone(),
    }
}

/// The moves that the question's filter leaves out.
fn avoid(question: &Question) -> Vec<Move> {
    if *question.filter == Filter::default() {
        return Vec::new();
    }
    let points = question.game.board().points().map(Move::Play);
    points.chain([Move::Pass]).filter(|&mv| !question.filter.accepts(mv)).collect()
}

fn findings(report: &Report, color: Color) -> Findings {
    let lead = f64::from(report.score);
    let lead = if color == Color::Black { lead } else { -lead };
    Findings {
        visits: u64::from(report.visits),
        winrate: f64::from(report.winrate),
        lead,
        candidates: report.moves.iter().map(|found| candidate(found, lead)).collect(),
        ownership: report.ownership.clone(),
        counted: report.counted,
    }
}

fn candidate(found: &MoveReport, lead: f64) -> Candidate {
    let visits = found.variation_visits.iter().map(|&visits| u64::from(visits));
    Candidate {
        mv: found.mv,
        visits: u64::from(found.visits),
        winrate: f64::from(found.winrate),
        lcb: f64::from(found.lower_bound),
        lead,
        prior: f64::from(found.prior),
        variation: found.variation.iter().copied().zip(visits).collect(),
    }
}

impl Engine for Player {
    fn choose(&mut self, question: &Question, report: &mut dyn FnMut(&Findings)) -> Decision {
        // Late in the game a pass may want a second look, which takes time too.
        let late = question.game.moves().len() > question.game.board().area() / 2;
        let budget = question.budget.map(|budget| {
            settle::budget(
                budget,
                question.game,
                question.color,
                self.last_winrate(question),
                &self.tunables.play,
            )
        });
        let (first, second) = match budget {
            Some(budget) if late => {
                let share = |time: Duration| time.mul_f64(1.0 - SECOND_LOOK);
                let rest = Budget { soft: share(budget.soft), hard: share(budget.hard) };
                (Some(rest), Some(budget.hard.mul_f64(SECOND_LOOK)))
            }
            budget => (budget, None),
        };
        let level = self.setup.level.map(Level::of);
        let playouts = level.map(|level| level.playouts).or(question.playouts);
        let found = self.think(&Question { playouts, budget: first, ..*question }, true, report);
        let policy =
            EndgamePolicy { resign_below: self.setup.resign_below, cleanup: question.cleanup };
        let playouts = playouts.map_or(JUDGING_PLAYOUTS, |n| n.clamp(100, JUDGING_PLAYOUTS));
        let mut re_search = |game: &Game, color| self.judge(game, color, playouts, second);
        match endgame::decide(question.game, question.color, &found, policy, &mut re_search) {
            endgame::Decision::Play(mv) => Decision::Move(match level {
                Some(level) if !question.cleanup => {
                    level.choose(question.game, question.color, mv, &found, self.seed())
                }
                _ => mv,
            }),
            endgame::Decision::Resign if self.is_behind(question) => Decision::Resign,
            endgame::Decision::Resign => {
                Decision::Move(found.best().map_or(Move::Pass, |best| best.mv))
            }
        }
    }

    fn analyze(&mut self, question: &Question, report: &mut dyn FnMut(&Findings)) {
        self.think(question, false, report);
    }

    fn ponder(&mut self, game: &Game, stop: &(dyn Fn() -> bool + Sync)) {
        let question = Question {
            game,
            color: game.to_play(),
            playouts: Some(PONDERING_PLAYOUTS),
            budget: None,
            filter: &Filter::default(),
            stop,
            fresh: false,
            cleanup: false,
            interval: None,
        };
        // What the user sees is the last move's search, not this one.
        let last = self.last.take();
        self.think(&question, false, &mut |_| {});
        self.last = last.map(|last| Last { has_tree: false, ..last });
    }

    fn statuses(&mut self, game: &Game) -> Statuses {
        let limits = Limits { stop_early: false, ..Limits::playouts(JUDGING_PLAYOUTS) };
        // A search of its own: the same stones are dead whatever was thought about before.
        let options =
            Options { max_memory: JUDGING_MEMORY, ..options(&self.setup, &self.tunables.search) };
        let mut search = (self.recipe)(options, &self.tunables.patterns);
        let found = search.search(game, game.to_play(), &limits, None);
        endgame::statuses(game, &found.ownership)
    }

    fn expect(&self, game: &Game, color: Color) -> Vec<(Move, f32)> {
        let mut likely = self.search.policy(game, color);
        likely.sort_by(|a, b| b.1.total_cmp(&a.1));
        likely
    }

    fn findings(&self) -> Option<(Color, &Findings)> {
        self.last.as_ref().map(|last| (last.color, &last.findings))
    }

    fn tree(&self, least: u64) -> Option<(&Game, Color, Vec<Branch>)> {
        let last = self.last.as_ref().filter(|last| last.has_tree)?;
        let least = u32::try_from(least).unwrap_or(u32::MAX);
        let branches = self.search.node_infos(&last.game, least).into_iter().map(|branch| Branch {
            depth: branch.depth,
            mv: branch.mv,
            visits: u64::from(branch.visits),
            winrate: f64::from(branch.value),
        });
        Some((&last.game, last.color, branches.collect()))
    }

    fn new_game(&mut self) {
        self.games += 1;
        self.forget();
    }

    fn default_playouts(&self) -> u64 {
        DEFAULT_PLAYOUTS
    }
}

/// How the search is set up, then its tunables.
impl Params for Player {
    fn params(&self) -> Vec<Param> {
        let mut params = vec![
            Param::new(
                "threads",
                Kind::Integer(1, 256),
                self.setup.threads.to_string(),
                "Threads that search together.",
            ),
            Param::new(
                "seed",
                Kind::Integer(0, i64::MAX),
                self.setup.seed.to_string(),
                "Where random choices begin; with one thread it repeats a game.",
            ),
            Param::new(
                "max_memory",
                Kind::Integer(16, 1 << 20),
                self.setup.memory.to_string(),
                "Memory for the search, in MiB.",
            ),
            Param::new(
                "resign",
                Kind::Real(0.0, 100.0),
                percent(self.setup.resign_below).to_string(),
                "Resigns below this chance of winning, in percent; 0 never resigns.",
            ),
            Param::new(
                "level",
                Kind::Integer(0, i64::from(*LEVELS.end())),
                self.setup.level.unwrap_or(0).to_string(),
                "Plays weaker, 1 the weakest, alike on every machine; 0 is full strength.",
            ),
        ];
        let Tunables { search, patterns, play } = &self.tunables;
        let tables: [&dyn Table; 3] = [search, patterns, play];
        params.extend(tables.into_iter().flat_map(Param::rows));
        params
    }

    fn set_param(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number = |value: &str| value.parse::<f64>().map_err(|error| error.to_string());
        let whole = |value: &str| value.parse::<u64>().map_err(|error| error.to_string());
        match name {
            "threads" => self.setup.threads = whole(value)? as usize,
            "seed" => {
                // From here on everything repeats, whatever was played before.
                self.setup.seed = whole(value)?;
                self.games = 0;
                self.forget();
                return Ok(());
            }
            "max_memory" => self.setup.memory = whole(value)?,
            "resign" => {
                // Nothing the search knows depends on it.
                self.setup.resign_below = number(value)? as f32 / 100.0;
                return Ok(());
            }
            "level" => {
                let level = whole(value)? as u8;
                self.setup.level = (level > 0).then_some(level);
                return Ok(());
            }
            _ => {
                let Tunables { search, patterns, play } = &mut self.tunables;
                let tables: [&mut dyn Table; 3] = [search, patterns, play];
                tunables::set(tables, name, value).map_err(|error| error.to_string())?;
            }
        }
        self.rebuild();
        Ok(())
    }
}

/// A share as percent, without the traces of binary fractions.
fn percent(share: f32) -> f64 {
    (f64::from(share) * 1e6).round() / 1e4
}
