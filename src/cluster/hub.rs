//! Rank 0's side: it tells the others what to search, adds up what they find, and leaves out who falls silent.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use cpu_time::{ProcessTime, ThreadTime};
use tree_search::upper::{
    Expansion, Ledger, UpperNode, UpperPath, UpperSums, UpperTree, expand_all,
};
use tree_search::{Exchange, Partners, Turns};

use super::message::{Message, SearchId, hash};
use super::{ClusterParams, Transport};

/// So often in a row a rank may be waited for in vain, or be silent in a search, before it counts as lost.
const MAX_MISSES: u32 = 3;
/// A search that was shorter than so many intervals says nothing about who is silent.
const INTERVALS_OF_SILENCE: u32 = 8;
/// The shortest time that others are waited for, whatever share of the time that is: against a clock, and without one.
const MIN_WAIT: Duration = Duration::from_millis(20);
const MIN_WAIT_WITHOUT_CLOCK: Duration = Duration::from_millis(200);
/// How long a look for messages waits for the next one.
const NAP: Duration = Duration::from_micros(500);
/// The first time that ranks share comes after this part of the interval; it doubles from time to time.
const FIRST_SHARE: u32 = 8;

/// When ranks tell each other next what they found: soon at first, then at the interval.
#[derive(Debug)]
pub(super) struct Schedule {
    next: Instant,
    step: Duration,
    interval: Duration,
}

impl Schedule {
    pub fn new(params: &ClusterParams) -> Schedule {
        let interval = Duration::from_secs_f32(params.cluster_interval);
        let step = interval / FIRST_SHARE;
        Schedule { next: Instant::now() + step, step, interval }
    }

    /// Whether it is time, and then when the next time is.
    pub fn is_due(&mut self) -> bool {
        let now = Instant::now();
        let is_due = now >= self.next;
        if is_due {
            self.step = (self.step * 2).min(self.interval);
            self.next = now + self.step;
        }
        is_due
    }
}

/// After how many visits a search of so many is to pause next, so many times in all, when so many are done.
pub(super) fn next_pause(rounds: u32, limit: Option<u64>, done: u64) -> Option<(u32, u64)> {
    let limit = limit.filter(|_| rounds > 0)?;
    let after = |round: u64| (limit as u128 * u128::from(round) / u128::from(rounds)) as u64;
    let first = (u128::from(done) * u128::from(rounds) / u128::from(limit.max(1))) as u64;
    let mut all = (first.max(1)..=u64::from(rounds)).map(|round| (round as u32, after(round)));
    all.find(|&(_, visits)| visits > done)
}

/// What sharing has taken so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Usage {
    /// Searches that were shared.
    pub searches: u64,
    /// The time that they took.
    pub searched: Duration,
    /// The processor time that they took.
    pub computed: Duration,
    /// Of that, what reading, adding up and writing what was found took.
    pub worked: Duration,
    /// Of the time, how long others were waited for.
    pub waited: Duration,
    /// Bytes that were sent to all others.
    pub sent: u64,
    /// Bytes that came.
    pub received: u64,
    /// The longest message.
    pub longest: u64,
    /// Times that what was found was told.
    pub shares: u64,
}

/// Another rank.
#[derive(Debug, Default)]
struct Other {
    /// What it has found in this search.
    nodes: Vec<UpperNode>,
    /// What it has told of expansions since the others heard of them.
    expansions: Vec<Expansion>,
    /// Whether it was heard in this search, and the last round that it has ended.
    is_heard: bool,
    round: u32,
    /// It was waited for in vain, and is not any more in this search.
    is_late: bool,
    misses: u32,
    is_lost: bool,
    /// What it could not do.
    trouble: String,
}

/// Rank 0.
pub struct Hub {
    transport: Box<dyn Transport>,
    /// The tunables, for the searches to come.
    pub params: ClusterParams,
    search: SearchId,
    rounds: u32,
    round: u32,
    ledger: Ledger,
    schedule: Schedule,
    began: Instant,
    computing: ProcessTime,
    waited: Duration,
    others: Vec<Other>,
    turns: Arc<Turns>,
    usage: Usage,
}

impl Hub {
    /// Rank 0 of these ranks.
    pub fn new(transport: Box<dyn Transport>, params: ClusterParams) -> Hub {
        let others = (1..transport.size()).map(|_| Other::default()).collect();
        Hub {
            search: SearchId::default(),
            rounds: 0,
            round: 0,
            ledger: Ledger::default(),
            schedule: Schedule::new(&params),
            began: Instant::now(),
            computing: ProcessTime::now(),
            waited: Duration::ZERO,
            others,
            turns: Arc::default(),
            usage: Usage::default(),
            transport,
            params,
        }
    }

    /// Tells all others what is searched next: they begin at once. Where they are `in_step` ranks wait for each other a few times
    /// in a search of a fixed number of visits.
    pub fn announce(&mut self, job: Vec<u8>, in_step: bool) {
        self.search = SearchId { number: self.search.number + 1, key: hash(&job) };
        self.rounds = if in_step { self.params.cluster_rounds } else { 0 };
        for other in &mut self.others {
            other.nodes.clear();
            other.expansions.clear();
            (other.is_heard, other.is_late, other.round) = (false, other.is_lost, 0);
        }
        self.send_to_all(&Message::Begin { search: self.search, rounds: self.rounds, job });
    }

    /// Those with whom its searches are shared.
    pub fn partners(hub: &Arc<Mutex<Hub>>) -> Partners {
        let turns = hub.lock().unwrap_or_else(PoisonError::into_inner).turns.clone();
        Partners::new(hub.clone(), turns)
    }

    /// What sharing has taken so far.
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// How many ranks there are, and how many of them were heard in the last search; this one is one of both.
    pub fn ranks(&self) -> (usize, usize) {
        (self.transport.size(), 1 + self.others.iter().filter(|other| other.is_heard).count())
    }

    /// Whether a rank was silent for too long.
    pub fn is_lost(&self, rank: usize) -> bool {
        rank.checked_sub(1).and_then(|at| self.others.get(at)).is_some_and(|other| other.is_lost)
    }

    fn send(&mut self, to: usize, bytes: Vec<u8>) {
        self.usage.sent += bytes.len() as u64;
        self.usage.longest = self.usage.longest.max(bytes.len() as u64);
        self.transport.send(to, bytes);
    }

    fn send_to_all(&mut self, message: &Message) {
        let bytes = message.encode();
        (1..self.transport.size()).for_each(|to| self.send(to, bytes.clone()));
    }

    /// Takes what has come.
    fn receive(&mut self) {
        while let Some((from, bytes)) = self.transport.receive() {
            self.usage.received += bytes.len() as u64;
            let Some(other) = from.checked_sub(1).and_then(|at| self.others.get_mut(at)) else {
                continue;
            };
            match Message::decode(&bytes) {
                Ok(Message::Found { search, round, nodes, expansions }) => {
                    if std::mem::take(&mut other.is_lost) {
                        tracing::info!("rank {from} is there again");
                    }
                    other.misses = 0;
                    // What is about an earlier search comes too late.
                    if search == self.search {
                        (other.is_heard, other.is_late) = (true, false);
                        other.round = other.round.max(round);
                        other.nodes = nodes;
                        other.expansions.extend(expansions);
                    }
                }
                Ok(Message::Trouble { why, .. }) => {
                    if other.trouble != why {
                        tracing::warn!("rank {from} does not take part: {why}");
                        other.trouble = why;
                    }
                    other.is_late = true;
                }
                Ok(_) => tracing::debug!("rank {from} says what is rank 0's to say"),
                Err(why) => tracing::warn!("from rank {from}: {why}"),
            }
        }
    }

    /// Waits until all others have ended this round, for as long as it may.
    fn wait(&mut self, deadline: Option<Instant>) {
        let began = Instant::now();
        let share = f64::from(self.params.cluster_max_wait);
        // Of the whole time, that which is waited counted.
        let searched = (began - self.began).saturating_sub(self.waited).as_secs_f64();
        let min = if deadline.is_some() { MIN_WAIT } else { MIN_WAIT_WITHOUT_CLOCK };
        let allowed = Duration::from_secs_f64(searched * share / (1.0 - share)).max(min);
        let mut end = began + allowed.saturating_sub(self.waited);
        if let Some(deadline) = deadline {
            end = end.min(began + deadline.saturating_duration_since(began).mul_f64(share));
        }
        loop {
            self.receive();
            let round = self.round;
            let is_missing = |other: &Other| !other.is_late && other.round < round;
            if !self.others.iter().any(is_missing) {
                break;
            }
            if Instant::now() >= end {
                for (at, other) in self.others.iter_mut().enumerate() {
                    if is_missing(other) {
                        other.is_late = true;
                        miss(other, at + 1);
                    }
                }
                break;
            }
            std::thread::sleep(NAP);
        }
        self.waited += began.elapsed();
        self.usage.waited += began.elapsed();
    }

    /// Brings what has come into the tree, and tells each rank what the others found.
    fn share(&mut self, tree: &dyn UpperTree) {
        let began = ThreadTime::now();
        let mut all = UpperSums::of(self.others.iter().map(|other| other.nodes.as_slice()));
        let mut expansions = self.expand(tree);
        self.ledger.import(tree, all.nodes());
        let own = self.ledger.own(tree, &self.params.limits());
        let own_expansions = self.ledger.expansions(tree, &own);
        expansions.extend(own_expansions.into_iter().map(|own| (own.path, (0, own))));
        all.add(&own);
        for at in 0..self.others.len() {
            let nodes = all.without(&self.others[at].nodes);
            let rest = expansions.values().filter(|(by, _)| *by != at + 1);
            let expansions = rest.map(|(_, expansion)| expansion.clone()).collect();
            let (search, round) = (self.search, self.round);
            let message = Message::Found { search, round, nodes, expansions };
            self.send(at + 1, message.encode());
        }
        self.expect();
        self.usage.shares += 1;
        self.usage.worked += began.elapsed();
    }

    /// Expands nodes as others have: where that is new, by the paths, with the rank that told so first.
    fn expand(&mut self, tree: &dyn UpperTree) -> BTreeMap<UpperPath, (usize, Expansion)> {
        let mut news = BTreeMap::new();
        for (at, other) in self.others.iter_mut().enumerate() {
            let told = std::mem::take(&mut other.expansions);
            let told = told.into_iter().filter(|expansion| self.ledger.is_news(expansion));
            news.extend(told.map(|expansion| (expansion.path, (at + 1, expansion))));
        }
        expand_all(tree, news.values().map(|(_, expansion)| expansion));
        news
    }

    /// Visits are expected of those that take part, from here on.
    fn expect(&mut self) {
        let others = self.others.iter().filter(|other| !other.is_late).count() as u32;
        self.turns.set(0, if self.params.cluster_expect { 1 + others } else { 0 });
        self.turns.end();
    }

    /// Tells the others that the game is over.
    pub fn quit(&mut self) {
        self.send_to_all(&Message::Quit);
    }
}

/// Notes that a rank was silent where it ought not to be.
fn miss(other: &mut Other, rank: usize) {
    other.misses += 1;
    if other.misses >= MAX_MISSES && !other.is_lost {
        other.is_lost = true;
        tracing::warn!("rank {rank} is silent: going on without it");
    }
}

impl Exchange for Hub {
    fn begin(&mut self, tree: &dyn UpperTree) {
        let began = ThreadTime::now();
        (self.began, self.computing) = (Instant::now(), ProcessTime::now());
        self.waited = Duration::ZERO;
        self.round = 0;
        self.schedule = Schedule::new(&self.params);
        self.ledger = Ledger::new(tree, &self.params.limits());
        self.expect();
        self.usage.searches += 1;
        self.usage.worked += began.elapsed();
    }

    fn pause_after(&self, limit: Option<u64>, done: u64) -> Option<u64> {
        next_pause(self.rounds, limit, done).map(|(_, visits)| visits)
    }

    fn pause(&mut self, tree: &dyn UpperTree, _: u64, deadline: Option<Instant>) {
        self.round += 1;
        self.wait(deadline);
        self.share(tree);
    }

    fn tick(&mut self, tree: &dyn UpperTree, _: u64) {
        if self.schedule.is_due() {
            self.receive();
            self.share(tree);
        }
    }

    fn end(&mut self, _: &dyn UpperTree) {
        self.send_to_all(&Message::End { search: self.search });
        let took = self.began.elapsed();
        self.usage.searched += took;
        self.usage.computed += self.computing.elapsed();
        if took >= Duration::from_secs_f32(self.params.cluster_interval) * INTERVALS_OF_SILENCE {
            for (at, other) in self.others.iter_mut().enumerate() {
                if !other.is_heard && !other.is_late {
                    miss(other, at + 1);
                }
            }
        }
    }

    fn others(&self) -> u64 {
        self.others.iter().filter(|other| other.is_heard && !other.is_late).count() as u64
    }
}
