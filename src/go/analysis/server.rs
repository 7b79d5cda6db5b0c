//! Queries in, results out: lines are read while positions are searched, several at a time.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result};
use go_engine::Game;
use go_patterns::knowledge::{Library, Patterns};
use serde_json::{Map, Value, json};

use super::action::Action;
use super::fields::Problem;
use super::output::Output;
use super::query::{ParsedQuery, Query};
use super::result::{self, Position};
use super::settings::Settings;
use crate::go::engine::{EngineConfig, GoEngine};
use crate::go::positions::{Cancelled, Pool, PositionQuery, PositionSearcher, Ticket};
use crate::go::raw;
use crate::go::static_evaluation::StaticEvaluation;
use crate::session::VERSION;

/// The longest line that is read, in bytes. An honest one has some tens of thousands.
pub(super) const MAX_LINE: usize = 4 << 20;
/// Bytes that all open queries may take; one of a usual game takes two thousand.
const MAX_OPEN_BYTES: usize = 256 << 20;

/// What analyses positions.
pub(super) struct Server {
    pool: Pool<PositionSearcher>,
    /// One that is not searched with, for what is asked of all.
    engine: GoEngine,
    settings: Settings,
    shared: Arc<Shared>,
    /// Fields that were passed over and told of.
    warned: HashSet<String>,
    begun: u64,
}

/// What workers share with who reads.
struct Shared {
    output: Arc<Output>,
    open: Mutex<Open>,
    /// How often what was found is to be forgotten.
    cleared: AtomicU64,
}

/// Positions that have no last result yet.
#[derive(Default)]
struct Open {
    /// By the query's id and the position's number, in the order of arrival.
    positions: BTreeMap<(Arc<str>, u64), (usize, Ticket<PositionSearcher>)>,
    bytes: usize,
}

/// A position that waits or is searched.
struct Job {
    query: Arc<Held>,
    id: Arc<str>,
    turn: usize,
    number: u64,
}

/// A query, counted while it is kept.
struct Held {
    query: Query,
    bytes: usize,
    shared: Arc<Shared>,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.shared.lock().bytes -= self.bytes;
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What happens to the server.
enum Event {
    Line(Vec<u8>),
    /// A line of so many bytes.
    TooLong(usize),
    End,
    /// Nobody reads the results.
    Broken,
}

/// Answers queries until the input ends and everything is answered, or nobody reads the results. At the end of the input all
/// that is open is finished, or ended at once.
pub(super) fn run(
    pool: Pool<PositionSearcher>,
    engine: GoEngine,
    settings: Settings,
    quits_at_once: bool,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> Result<()> {
    let (events, happened) = sync_channel(4);
    let broken = events.clone();
    let tell = move || {
        // Nobody is there to hear it when all is over.
        let _ = broken.send(Event::Broken);
    };
    let (output, writer) = Output::start(output, tell).context("cannot start a thread")?;
    std::thread::Builder::new()
        .name("analysis-reader".to_owned())
        .spawn(move || read_lines(BufReader::with_capacity(1 << 16, input), &events))
        .context("cannot start a thread")?;
    let shared = Arc::new(Shared {
        output: output.clone(),
        open: Mutex::default(),
        cleared: AtomicU64::new(0),
    });
    let mut server = Server { pool, engine, settings, shared, warned: HashSet::new(), begun: 0 };
    for event in happened {
        match event {
            Event::Line(line) => server.line(&line),
            Event::TooLong(bytes) => {
                let text = format!("a line of {bytes} bytes is longer than {MAX_LINE}");
                output.answer(&json!({"error": text}));
            }
            Event::End => {
                if quits_at_once {
                    server.pool.cancel_all();
                }
                server.pool.wait();
                break;
            }
            Event::Broken => break,
        }
    }
    drop(server);
    output.close();
    // It has not panicked: it writes, or nobody reads.
    let _ = writer.join();
    Ok(())
}

/// Answers queries with one small worker, whose searches are short whatever is asked: for trying what lines do.
///
/// # Errors
/// When there is no thread or what was learned cannot be read.
pub fn run_small(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> Result<()> {
    let engine = small_engine()?;
    let worker = Mutex::new(engine.another());
    let pool = Pool::new(1, move |_| {
        let worker = worker.lock().unwrap_or_else(PoisonError::into_inner);
        PositionSearcher::new(worker.another()).at_most(SMALL_VISITS)
    });
    let settings = Settings::new(1, &engine);
    run(pool, engine, settings, false, input, output)
}

/// Visits of a search that only shows that there is one.
const SMALL_VISITS: u64 = 8;

fn small_engine() -> Result<GoEngine> {
    static LIBRARY: LazyLock<Option<Arc<Library>>> =
        LazyLock::new(|| Library::built_in().ok().map(Arc::new));
    let library = LIBRARY.clone().context("cannot read what was learned")?;
    let config = EngineConfig { threads: 1, seed: 1, memory_mib: 8, level: None };
    Ok(GoEngine::new(config, Patterns::Full, library))
}

/// Reads lines of any length in bounded memory. A last one without a line feed counts.
fn read_lines(mut input: impl BufRead, events: &SyncSender<Event>) {
    let mut line = Vec::new();
    let mut length = 0;
    loop {
        let bytes = match input.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                tracing::warn!("cannot read the input: {error}");
                &[]
            }
        };
        let at_end = bytes.is_empty();
        let end = bytes.iter().position(|&b| b == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        length += part.len();
        if length <= MAX_LINE {
            line.extend_from_slice(part);
        }
        let used = end.map_or(bytes.len(), |at| at + 1);
        input.consume(used);
        if end.is_some() || at_end && length > 0 {
            let taken = std::mem::take(&mut line);
            let event = if length > MAX_LINE { Event::TooLong(length) } else { Event::Line(taken) };
            length = 0;
            if events.send(event).is_err() {
                return;
            }
        }
        if at_end {
            // Nobody is there to hear it when all is over.
            let _ = events.send(Event::End);
            return;
        }
    }
}

/// An object about something that is wrong with a field of a query.
fn about(kind: &str, problem: &Problem, id: &str) -> Value {
    let mut object = Map::new();
    object.insert(kind.to_owned(), Value::from(problem.text.as_str()));
    object.insert("field".to_owned(), Value::from(problem.field.as_str()));
    object.insert("id".to_owned(), Value::from(id));
    Value::Object(object)
}

impl Server {
    /// One line of input.
    fn line(&mut self, line: &[u8]) {
        if line.trim_ascii().is_empty() {
            return;
        }
        let answered = catch_unwind(AssertUnwindSafe(|| self.object(line)));
        if let Err(object) = answered.unwrap_or_else(|_| {
            tracing::error!("a query could not be taken; the next ones are");
            Err(json!({"error": "this query could not be taken"}))
        }) {
            self.shared.output.answer(&object);
        }
    }

    fn object(&mut self, line: &[u8]) -> Result<(), Value> {
        let text = std::str::from_utf8(line)
            .map_err(|error| json!({"error": format!("this is no text in UTF-8: {error}")}))?;
        let value: Value = text
            .trim_start_matches('\u{feff}')
            .parse()
            .map_err(|error| json!({"error": format!("this is no JSON: {error}")}))?;
        let Value::Object(object) = value else {
            return Err(json!({"error": "a query is one JSON object"}));
        };
        let Some(Value::String(id)) = object.get("id") else {
            return Err(json!({"error": "a query has an id, which is a string", "field": "id"}));
        };
        let wrong = |problem: Problem| about("error", &problem, id);
        if object.contains_key("action") {
            let action = Action::read(&object).map_err(wrong)?;
            self.act(action, &object);
            return Ok(());
        }
        let asked = Query::read(&object, id, &self.settings).map_err(wrong)?;
        self.submit(asked, line.len()).map_err(|text| json!({"error": text, "id": id}))
    }

    fn act(&mut self, action: Action, object: &Map<String, Value>) {
        let mut answer = object.clone();
        let output = &self.shared.output;
        match action {
            Action::Version => {
                let hash = option_env!("TESUJI_GIT_HASH").unwrap_or("<omitted>");
                answer.insert("version".to_owned(), Value::from(VERSION));
                answer.insert("git_hash".to_owned(), Value::from(hash));
            }
            Action::Models => {
                if let Some(game) = Game::new(19, 19) {
                    answer.insert("models".to_owned(), raw::models(&self.engine, &game));
                }
            }
            Action::ClearCache => {
                self.shared.cleared.fetch_add(1, Ordering::Relaxed);
            }
            Action::Terminate(id, turns) => {
                output.answer(&Value::Object(answer));
                self.terminate(id.as_deref(), turns.as_ref());
                return;
            }
        }
        output.answer(&Value::Object(answer));
    }

    /// Lets the positions of a query wait for their turn.
    fn submit(&mut self, asked: ParsedQuery, bytes: usize) -> Result<(), String> {
        let ParsedQuery { query, turns, warnings } = asked;
        let shared = &self.shared;
        for warning in warnings {
            if self.warned.insert(warning.field.clone()) {
                shared.output.answer(&about("warning", &warning, &query.id));
            }
        }
        let bytes = bytes + size_of::<Held>();
        {
            let mut open = shared.lock();
            if open.bytes + bytes > MAX_OPEN_BYTES {
                return Err("too many queries are waiting".to_owned());
            }
            open.bytes += bytes;
        }
        let id: Arc<str> = Arc::from(query.id.as_str());
        let held = Arc::new(Held { query, bytes, shared: shared.clone() });
        let mut submitted: Vec<u64> = Vec::new();
        for (turn, priority) in turns {
            let number = self.begun;
            self.begun += 1;
            let job = Job { query: held.clone(), id: id.clone(), turn, number };
            // Held until it is among the open ones, where the worker looks for it at the end.
            let mut open = shared.lock();
            match self.pool.submit(priority, move |searcher, stop| job.run(searcher, stop)) {
                Ok(ticket) => {
                    open.positions.insert((id.clone(), number), (turn, ticket));
                    submitted.push(number);
                }
                Err(why) => {
                    let taken: Vec<_> = submitted
                        .iter()
                        .filter_map(|&number| open.positions.remove(&(id.clone(), number)))
                        .collect();
                    drop(open);
                    taken.iter().for_each(|(_, ticket)| {
                        ticket.cancel();
                    });
                    return Err(why.to_string());
                }
            }
        }
        Ok(())
    }

    /// Ends positions: of those that wait it is told that there is no result.
    fn terminate(&self, id: Option<&str>, turns: Option<&BTreeSet<usize>>) {
        let is_meant = |turn: usize| turns.is_none_or(|turns| turns.contains(&turn));
        let all: Vec<_> = {
            let open = self.shared.lock();
            let of_id: Box<dyn Iterator<Item = _>> = match id {
                Some(id) => {
                    let id: Arc<str> = Arc::from(id);
                    Box::new(open.positions.range((id.clone(), 0)..=(id, u64::MAX)))
                }
                None => Box::new(open.positions.iter()),
            };
            let meant = of_id.filter(|(_, (turn, _))| is_meant(*turn));
            meant.map(|(key, (turn, ticket))| (key.clone(), *turn, ticket.clone())).collect()
        };
        for (key, turn, ticket) in all {
            // What waited is dropped here, outside the lock that its end takes.
            if ticket.cancel() == Cancelled::Waiting {
                self.shared.lock().positions.remove(&key);
                self.shared.output.answer(&result::none(&key.0, turn));
            }
        }
    }
}

/// Says at its end that the position is not open any more; and if nothing was said of it by then, that it failed.
struct Closing<'a> {
    job: &'a Job,
    is_told: bool,
}

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        let Job { query, id, turn, number } = self.job;
        let shared = &query.shared;
        shared.lock().positions.remove(&(id.clone(), *number));
        if !self.is_told {
            let text = "the search of this position failed";
            shared.output.result(&json!({"error": text, "id": &**id, "turnNumber": turn}));
        }
    }
}

impl Job {
    /// Searches the position and tells what was found.
    fn run(&self, searcher: &mut PositionSearcher, stop: &AtomicBool) {
        let mut closing = Closing { job: self, is_told: false };
        let Held { query, shared, .. } = &*self.query;
        let Ok(game) = query.game(self.turn) else { return };
        searcher.clear_once(shared.cleared.load(Ordering::Relaxed));
        let raw = StaticEvaluation::of(searcher.engine(), &game);
        let position = Position::new(query, self.turn, &game, raw.as_ref());
        let asked = PositionQuery {
            visits: Some(query.settings.visits),
            time: query.settings.time,
            filter: &query.filter,
            pace: query.pace,
            network: query.settings.network.as_deref(),
            ..PositionQuery::new(&game)
        };
        let report = searcher.search(&asked, stop, &mut |report| {
            shared.output.result(&position.result(report, true));
        });
        let object = match report.visits {
            0 => result::none(&self.id, self.turn),
            _ => position.result(&report, false),
        };
        closing.is_told = true;
        shared.output.result(&object);
    }
}
