//! The side of all ranks but 0: they search what rank 0 tells them to, and tell it what they find.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tree_search::upper::{Expansion, Ledger, UpperNode, UpperTree, expand_all};
use tree_search::{Exchange, Partners, Turns};

use super::hub::{Schedule, next_pause};
use super::message::{Message, SearchId, hash};
use super::{ClusterParams, Transport};

/// How long a rank that has nothing to do waits before it looks again.
const IDLE: Duration = Duration::from_millis(2);
/// How long a look for an answer waits for the next one.
const NAP: Duration = Duration::from_micros(500);
/// Rank 0 is waited for no longer than this at the end of a round.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// A search that rank 0 has begun.
#[derive(Clone, Debug)]
struct Begun {
    search: SearchId,
    rounds: u32,
    job: Vec<u8>,
}

/// A rank that follows rank 0.
pub struct Follower {
    transport: Box<dyn Transport>,
    /// The tunables, for the searches to come.
    pub params: ClusterParams,
    /// What is searched, and what is to be searched next.
    current: Option<Begun>,
    next: Option<Begun>,
    /// The present search is to end.
    is_ended: Arc<AtomicBool>,
    /// Rank 0 needs this rank no more.
    quits: bool,
    round: u32,
    /// What all others have found, and the last round that is in it.
    others: (u32, Vec<UpperNode>),
    /// That is not in the tree yet, nor is what others expanded nodes with: by message.
    is_news: bool,
    expansions: Vec<Vec<Expansion>>,
    ledger: Ledger,
    schedule: Schedule,
    turns: Arc<Turns>,
}

impl Follower {
    /// A rank that has nothing to do yet.
    pub fn new(transport: Box<dyn Transport>, params: ClusterParams) -> Follower {
        Follower {
            transport,
            current: None,
            next: None,
            is_ended: Arc::default(),
            quits: false,
            round: 0,
            others: (0, Vec::new()),
            is_news: false,
            expansions: Vec::new(),
            ledger: Ledger::default(),
            schedule: Schedule::new(&params),
            turns: Arc::default(),
            params,
        }
    }

    /// Those with whom its searches are shared.
    pub fn partners(follower: &Arc<Mutex<Follower>>) -> Partners {
        let turns = follower.lock().unwrap_or_else(PoisonError::into_inner).turns.clone();
        Partners::new(follower.clone(), turns)
    }

    fn search(&self) -> SearchId {
        self.current.as_ref().map_or_else(SearchId::default, |begun| begun.search)
    }

    fn is_ended(&self) -> bool {
        self.is_ended.load(Relaxed)
    }

    /// Takes what has come.
    fn receive(&mut self) {
        while let Some((from, bytes)) = self.transport.receive() {
            match Message::decode(&bytes) {
                _ if from != 0 => tracing::debug!("rank {from} speaks to another than rank 0"),
                Ok(Message::Begin { search, rounds, job }) if search.key == hash(&job) => {
                    self.next = Some(Begun { search, rounds, job });
                    self.is_ended.store(true, Relaxed);
                }
                Ok(Message::End { search }) => {
                    self.next.take_if(|next| next.search == search);
                    if search == self.search() {
                        self.is_ended.store(true, Relaxed);
                    }
                }
                Ok(Message::Found { search, round, nodes, expansions }) => {
                    if search == self.search() {
                        self.others = (round, nodes);
                        self.expansions.push(expansions);
                        self.is_news = true;
                    }
                }
                Ok(Message::Quit) => {
                    self.quits = true;
                    self.is_ended.store(true, Relaxed);
                }
                Ok(_) => tracing::debug!("rank 0 says what is others' to say"),
                Err(why) => tracing::warn!("from rank 0: {why}"),
            }
        }
        if !self.transport.is_open() {
            self.quits = true;
            self.is_ended.store(true, Relaxed);
        }
    }

    /// Begins the search that is due, if there is one: what it is of.
    fn start(&mut self) -> Option<Vec<u8>> {
        let next = self.next.take()?;
        let job = next.job.clone();
        self.current = Some(next);
        self.round = 0;
        self.others = (0, Vec::new());
        self.expansions.clear();
        self.is_ended.store(self.quits, Relaxed);
        Some(job)
    }

    fn tell(&mut self, tree: &dyn UpperTree) {
        let nodes = self.ledger.own(tree, &self.params.limits());
        let expansions = self.ledger.expansions(tree, &nodes);
        let (search, round) = (self.search(), self.round);
        let message = Message::Found { search, round, nodes, expansions };
        self.transport.send(0, message.encode());
    }

    fn import(&mut self, tree: &dyn UpperTree) {
        self.is_news = false;
        for expansions in self.expansions.drain(..) {
            expand_all(tree, &expansions);
            expansions.iter().for_each(|expansion| _ = self.ledger.is_news(expansion));
        }
        self.ledger.import(tree, &self.others.1);
        self.turns.end();
    }
}

impl Exchange for Follower {
    fn begin(&mut self, tree: &dyn UpperTree) {
        let (rank, size) = (self.transport.rank() as u32, self.transport.size() as u32);
        self.turns.set(rank, if self.params.cluster_expect { size } else { 0 });
        self.turns.end();
        self.schedule = Schedule::new(&self.params);
        self.ledger = Ledger::new(tree, &self.params.limits());
    }

    fn pause_after(&self, limit: Option<u64>, done: u64) -> Option<u64> {
        let rounds = self.current.as_ref().map_or(0, |begun| begun.rounds);
        next_pause(rounds, limit, done).map(|(_, visits)| visits)
    }

    fn pause(&mut self, tree: &dyn UpperTree, _: u64, _: Option<Instant>) {
        self.round += 1;
        self.tell(tree);
        let began = Instant::now();
        loop {
            self.receive();
            if self.is_ended() || self.others.0 >= self.round || began.elapsed() > MAX_WAIT {
                break;
            }
            std::thread::sleep(NAP);
        }
        self.import(tree);
    }

    fn tick(&mut self, tree: &dyn UpperTree, _: u64) {
        self.receive();
        if self.schedule.is_due() {
            self.tell(tree);
        }
        if self.is_news {
            self.import(tree);
        }
    }

    fn end(&mut self, tree: &dyn UpperTree) {
        if !self.is_ended() {
            // There was nothing left to find out: nobody has to wait.
            self.round = u32::MAX;
            self.tell(tree);
        }
    }

    /// How long it searches is rank 0's to say.
    fn others(&self) -> u64 {
        u64::from(u32::MAX)
    }
}

/// Follows rank 0 until it needs this rank no more: `search` is called with what is to be searched, and says why it cannot be. It
/// is to end the search when the flag is raised.
pub fn follow(
    follower: &Arc<Mutex<Follower>>,
    mut search: impl FnMut(&[u8], &AtomicBool) -> Result<(), String>,
) {
    let lock = || follower.lock().unwrap_or_else(PoisonError::into_inner);
    let is_ended = Arc::clone(&lock().is_ended);
    loop {
        let job = {
            let mut follower = lock();
            follower.receive();
            if follower.quits {
                return;
            }
            follower.start()
        };
        match job {
            None => std::thread::sleep(IDLE),
            Some(job) => {
                if let Err(why) = search(&job, &is_ended) {
                    let mut follower = lock();
                    let message = Message::Trouble { search: follower.search(), why };
                    follower.transport.send(0, message.encode());
                }
            }
        }
    }
}
