//! Go's side of a search over several processes: what rank 0 tells the others to search, and what they do then.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use go_engine::game::Start;
use go_engine::{Color, Game, Move, Point};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tree_search::Partners;

use super::engine::GoEngine;
use super::rules;
use crate::cluster::{Follower, Hub, follow};
use crate::gtp::Commands;
use crate::gtp::params::{Params, find};
use crate::session::{Engine, Filter, Purpose, Query, Session, Upkeep, VERSION};

/// What each rank has for itself.
const OWN_SETTINGS: [&str; 3] = ["threads", "seed", "max_memory"];

/// Which side of a shared search an engine is on.
#[derive(Clone)]
pub enum Role {
    /// It tells others what to search.
    Hub(Arc<Mutex<Hub>>),
    /// It searches what it is told to.
    Follower(Arc<Mutex<Follower>>),
}

impl Role {
    /// Those with whom a search is shared, which hear now what it is of. None where it is not to be shared: one that is to
    /// find the same every time, or that leaves moves out, or that plays below its strength.
    pub(super) fn partners(&self, engine: &GoEngine, query: &Query<Game>) -> Option<Partners> {
        match self {
            Role::Hub(hub) => {
                let purpose = Goal::of(query.purpose)?;
                if *query.filter != Filter::NONE || engine.level().is_some() {
                    return None;
                }
                let job = Job::of(engine, query, purpose);
                let in_step = query.visits.is_some() && purpose != Goal::Ponder;
                let mut rank0 = lock(hub);
                rank0.params = engine.cluster_params().clone();
                rank0.announce(serde_json::to_vec(&job).ok()?, in_step);
                drop(rank0);
                Some(Hub::partners(hub))
            }
            Role::Follower(follower) => {
                lock(follower).params = engine.cluster_params().clone();
                Some(Follower::partners(follower))
            }
        }
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a shared search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Goal {
    Play,
    Cleanup,
    Analysis,
    Ponder,
}

impl Goal {
    fn of(purpose: Purpose) -> Option<Goal> {
        match purpose {
            Purpose::Play => Some(Goal::Play),
            Purpose::Cleanup => Some(Goal::Cleanup),
            Purpose::Analysis => Some(Goal::Analysis),
            Purpose::Ponder => Some(Goal::Ponder),
            Purpose::Regression => None,
        }
    }

    fn purpose(self) -> Purpose {
        match self {
            Goal::Play => Purpose::Play,
            Goal::Cleanup => Purpose::Cleanup,
            Goal::Analysis => Purpose::Analysis,
            Goal::Ponder => Purpose::Ponder,
        }
    }
}

/// What is searched, and how. Colours are `b` and `w`.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Job {
    version: String,
    /// Whatever was found before another number came is forgotten.
    game: u64,
    settings: Vec<(String, String)>,
    size: (u8, u8),
    rules: Map<String, Value>,
    komi: f64,
    stones: Vec<(char, String)>,
    first: char,
    captured: [u32; 2],
    handicap: u32,
    moves: Vec<(char, String)>,
    color: char,
    goal: Goal,
    visits: Option<u64>,
}

fn letter(color: Color) -> char {
    if color == Color::Black { 'b' } else { 'w' }
}

fn color(letter: char) -> Result<Color, String> {
    match letter {
        'b' => Ok(Color::Black),
        'w' => Ok(Color::White),
        _ => Err(format!("{letter:?} is no colour")),
    }
}

fn point(text: &str) -> Result<Point, String> {
    text.parse().map_err(|why| format!("{why}"))
}

impl Job {
    fn of(engine: &GoEngine, query: &Query<Game>, goal: Goal) -> Job {
        let game = query.game;
        let params = engine.params().into_iter();
        let params = params.filter(|param| !OWN_SETTINGS.contains(&param.tunable.name));
        let rules = match rules::to_json(game.rules()) {
            Value::Object(rules) => rules,
            _ => Map::new(),
        };
        let Start { stones, to_play, captured, handicap } = game.start();
        let stone = |&(point, color): &(Point, Color)| (letter(color), point.to_string());
        Job {
            version: VERSION.to_owned(),
            game: engine.generation(),
            settings: params.map(|param| (param.tunable.name.to_owned(), param.value)).collect(),
            size: (game.board().width(), game.board().height()),
            rules,
            komi: game.komi(),
            stones: stones.iter().map(stone).collect(),
            first: letter(*to_play),
            captured: *captured,
            handicap: *handicap,
            moves: game.moves().iter().map(|m| (letter(m.color), m.mv.to_string())).collect(),
            color: letter(query.color),
            goal,
            visits: query.visits,
        }
    }

    /// The game.
    fn position(&self) -> Result<Game, String> {
        let (width, height) = self.size;
        let sizes = 2..=25;
        let game = Game::new(width, height);
        let game = game.filter(|_| sizes.contains(&width) && sizes.contains(&height));
        let mut game = game.ok_or_else(|| format!("no board of {width}x{height}"))?;
        let rules = rules::with_fields(*game.rules(), &self.rules);
        game.set_rules(rules.map_err(|why| format!("rules: {why:?}"))?);
        game.set_komi(self.komi);
        let stones = self.stones.iter();
        let stones: Result<Vec<(Point, Color)>, String> =
            stones.map(|(letter, at)| Ok((point(at)?, color(*letter)?))).collect();
        let (captured, handicap) = (self.captured, self.handicap);
        let start = Start { stones: stones?, to_play: color(self.first)?, captured, handicap };
        game.begin_with(start).map_err(|why| why.to_string())?;
        for (number, (letter, mv)) in self.moves.iter().enumerate() {
            let mv = if mv == "pass" { Move::Pass } else { Move::Play(point(mv)?) };
            game.replay(color(*letter)?, mv)
                .map_err(|why| format!("move {}: {why}", number + 1))?;
        }
        Ok(game)
    }

    /// Sets what is set otherwise.
    fn set_up(&self, engine: &mut GoEngine) -> Result<(), String> {
        for (name, value) in &self.settings {
            let known = find(engine, name).map_err(|_| format!("unknown parameter {name:?}"))?;
            if known.value != *value && !OWN_SETTINGS.contains(&known.tunable.name) {
                let value = known.tunable.check(value).map_err(|why| why.to_string())?;
                engine.set_param(known.tunable.name, &value)?;
            }
        }
        Ok(())
    }
}

/// Searches what rank 0 tells to, until it needs this rank no more.
pub fn serve(engine: &mut GoEngine, follower: &Arc<Mutex<Follower>>) {
    let mut generation = None;
    follow(follower, |job, is_ended| serve_one(engine, &mut generation, job, is_ended));
}

fn serve_one(
    engine: &mut GoEngine,
    generation: &mut Option<u64>,
    job: &[u8],
    is_ended: &AtomicBool,
) -> Result<(), String> {
    let job: Job = serde_json::from_slice(job).map_err(|why| why.to_string())?;
    if job.version != VERSION {
        return Err(format!("it is version {VERSION}, and rank 0 is {}", job.version));
    }
    job.set_up(engine)?;
    let game = job.position()?;
    if generation.replace(job.game).is_some_and(|old| old != job.game) {
        engine.new_game();
    }
    let query = Query {
        game: &game,
        color: color(job.color)?,
        purpose: job.goal.purpose(),
        visits: job.visits,
        deadlines: None,
        filter: &Filter::NONE,
        stop: &|| is_ended.load(Relaxed),
        resign_below: 0.0,
        pace: None,
    };
    engine.search(&query, &mut |_| {});
    Ok(())
}

/// The command that tells how sharing goes.
pub(super) fn register(commands: &mut Commands<Session<Game>>, hub: Arc<Mutex<Hub>>) {
    commands.add("tesuji-cluster", move |_, _| {
        let hub = lock(&hub);
        let (all, heard) = hub.ranks();
        let usage = hub.usage();
        let seconds = usage.searched.as_secs_f64().max(1e-9);
        let computed = usage.computed.as_secs_f64().max(1e-9);
        let others = (all as f64 - 1.0).max(1.0);
        let rate = |bytes: u64| bytes as f64 / seconds / 1e3;
        Ok(format!(
            "ranks {all}, heard {heard}\nsearches {} in {seconds:.2} s, shared {} times\nsharing takes {:.3}% of the processor \
             time, waiting {:.2}% of the time\nsent {:.1} kB a second ({:.1} to each), received {:.1}; the longest message has {} bytes",
            usage.searches,
            usage.shares,
            100.0 * usage.worked.as_secs_f64() / computed,
            100.0 * usage.waited.as_secs_f64() / seconds,
            rate(usage.sent),
            rate(usage.sent) / others,
            rate(usage.received),
            usage.longest,
        ))
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::engine::EngineConfig;
    use go_engine::Rules;
    use go_patterns::knowledge::{Library, Patterns};

    fn engine() -> GoEngine {
        let config = EngineConfig { threads: 1, seed: 1, memory_mib: 16, level: None };
        GoEngine::new(config, Patterns::Hand, Arc::new(Library::built_in().unwrap()))
    }

    static NO_FILTER: Filter = Filter::NONE;

    fn query<'a>(game: &'a Game, stop: &'a (dyn Fn() -> bool + Sync)) -> Query<'a, Game> {
        Query {
            game,
            color: Color::White,
            purpose: Purpose::Play,
            visits: Some(7),
            deadlines: None,
            filter: &NO_FILTER,
            stop,
            resign_below: 0.0,
            pace: None,
        }
    }

    #[test]
    fn a_game_arrives_as_it_is() {
        let at = |name: &str| name.parse::<Point>().unwrap();
        let mut game = Game::new(13, 13).unwrap();
        game.set_rules(Rules { suicide: true, ..Rules::JAPANESE });
        game.set_komi(-3.5);
        game.place_fixed_handicap(4).unwrap();
        for (color, mv) in [
            (Color::White, Move::Play(at("A1"))),
            (Color::White, Move::Pass),
            (Color::Black, Move::Play(at("A2"))),
            (Color::Black, Move::Play(at("B1"))),
        ] {
            game.play(color, mv).unwrap();
        }
        let job = Job::of(&engine(), &query(&game, &|| false), Goal::Play);
        let bytes = serde_json::to_vec(&job).unwrap();
        let job: Job = serde_json::from_slice(&bytes).unwrap();
        let found = job.position().unwrap();
        assert_eq!(found.board().to_string(), game.board().to_string());
        assert_eq!((found.start(), found.moves()), (game.start(), game.moves()));
        assert_eq!((found.rules(), found.komi()), (game.rules(), game.komi()));
        assert_eq!((found.keys(), found.handicap()), (game.keys(), game.handicap()));
        assert_eq!(found.to_play(), game.to_play());
    }

    #[test]
    fn settings_are_followed_and_impossible_jobs_are_refused() {
        let game = Game::new(9, 9).unwrap();
        let (mut first, mut second) = (engine(), engine());
        first.set_param("exploration", "0.25").unwrap();
        first.set_param("seed", "77").unwrap();
        let good = || Job::of(&first, &query(&game, &|| false), Goal::Play);
        good().set_up(&mut second).unwrap();
        let value = |engine: &GoEngine, name| find(engine, name).unwrap().value;
        assert_eq!(value(&second, "exploration"), "0.25");
        assert_eq!(value(&second, "seed"), "1");
        let stone = |letter, at: &str| vec![(letter, at.to_owned())];
        for (job, why) in [
            (Job { size: (1, 200), ..good() }, "no board"),
            (Job { stones: stone('b', "T19"), ..good() }, "not on the board"),
            (Job { moves: stone('x', "A1"), ..good() }, "no colour"),
            (Job { moves: [stone('b', "A1"), stone('w', "A1")].concat(), ..good() }, "move 2"),
            (Job { settings: vec![("nothing".into(), "1".into())], ..good() }, "nothing"),
            (Job { settings: vec![("exploration".into(), "-7".into())], ..good() }, "exploration"),
            (Job { version: "0.1".into(), ..good() }, "rank 0 is 0.1"),
        ] {
            let bytes = serde_json::to_vec(&job).unwrap();
            let refused = serve_one(&mut second, &mut None, &bytes, &AtomicBool::new(true));
            assert!(refused.as_ref().is_err_and(|text| text.contains(why)), "{why}: {refused:?}");
        }
        assert!(serve_one(&mut second, &mut None, b"{}", &AtomicBool::new(true)).is_err());
    }
}
