//! Ranks in threads: that what is shared adds up, and that nobody is waited for who does not come.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread::{JoinHandle, spawn};
use std::time::{Duration, Instant};

use game_core::{Control, SearchLimits};
use go_engine::search::{Limits, Options, Report, Search};
use go_engine::{Color, Game};
use tree_search::Partners;
use tree_search::upper::{Sums, UPPER_SUMS, UpperNode, UpperPath};

use super::local::{Local, ranks};
use super::message::{Message, SearchId};
use super::{ClusterParams, Follower, Hub, Transport, follow};

const VISITS: u64 = 400;

fn limits(visits: u64, partners: Partners) -> Limits {
    let search = SearchLimits { visits: Some(visits), ..SearchLimits::default() };
    Limits { search, partners: Some(partners), ..Limits::default() }
}

fn searcher(seed: u64) -> Search {
    Search::handcrafted(Options { max_memory: 64 << 20, seed, ..Options::default() })
}

/// A rank that searches, whatever the job is, until it is told to end.
fn start(local: Local, params: ClusterParams) -> JoinHandle<()> {
    spawn(move || {
        let mut search = searcher(100 + local.rank() as u64);
        let follower = Arc::new(Mutex::new(Follower::new(Box::new(local), params)));
        let partners = Follower::partners(&follower);
        let game = Game::new(7, 7).unwrap();
        follow(&follower, |job, is_ended: &AtomicBool| {
            let visits = std::str::from_utf8(job).unwrap().parse().map_err(|_| "no number")?;
            let mut look = |_: &dyn Fn() -> Report| match is_ended.load(Relaxed) {
                true => Control::Stop,
                false => Control::Continue,
            };
            let limits = limits(visits, partners.clone());
            search.search(&game, Color::Black, &limits, Some(&mut look));
            Ok(())
        });
    })
}

/// Rank 0 and its search.
struct First {
    hub: Arc<Mutex<Hub>>,
    search: Search,
}

impl First {
    fn new(local: Local, params: ClusterParams) -> First {
        let hub = Arc::new(Mutex::new(Hub::new(Box::new(local), params)));
        First { hub, search: searcher(1) }
    }

    fn search(&mut self, job: &str, visits: u64, in_step: bool) -> Report {
        self.hub.lock().unwrap().announce(job.into(), in_step);
        let limits = limits(visits, Hub::partners(&self.hub));
        self.search.clear();
        self.search.search(&Game::new(7, 7).unwrap(), Color::Black, &limits, None)
    }

    fn heard(&self) -> usize {
        self.hub.lock().unwrap().ranks().1
    }

    fn quit(self, others: impl IntoIterator<Item = JoinHandle<()>>) {
        self.hub.lock().unwrap().quit();
        others.into_iter().for_each(|other| other.join().unwrap());
    }
}

/// Others are waited for as long as a busy machine may need.
fn patient() -> ClusterParams {
    ClusterParams { cluster_max_wait: 0.9, ..ClusterParams::default() }
}

fn cluster(count: usize, params: &ClusterParams) -> (First, VecDeque<Local>) {
    let mut locals: VecDeque<Local> = ranks(count).into();
    let first = First::new(locals.pop_front().unwrap(), params.clone());
    (first, locals)
}

#[test]
fn in_step_rank_0_knows_what_all_have_found_and_nothing_twice() {
    let params = patient();
    let (mut first, locals) = cluster(4, &params);
    let others: Vec<JoinHandle<()>> =
        locals.into_iter().map(|local| start(local, params.clone())).collect();
    let mut full = 0;
    for _ in 0..5 {
        let found = first.search("400", VISITS, true);
        assert_eq!(found.playouts, VISITS, "a number of visits is one of its own");
        assert!(u64::from(found.visits) <= 4 * VISITS + 8, "{}", found.visits);
        full += u32::from(u64::from(found.visits) > 7 * VISITS / 2);
        let children: u64 = found.moves.iter().map(|found| u64::from(found.visits)).sum();
        assert!(children <= u64::from(found.visits) + 8, "{children} of {}", found.visits);
        assert!(found.moves.iter().all(|found| (0.0..=1.0).contains(&found.winrate)));
    }
    assert!(full > 0, "ranks that are there are waited for");
    first.quit(others);
}

#[test]
fn by_the_clock_nobody_waits_and_all_add_up() {
    let params = ClusterParams { cluster_interval: 0.02, ..ClusterParams::default() };
    let (mut first, mut locals) = cluster(2, &params);
    let other = start(locals.pop_front().unwrap(), params);
    let began = Instant::now();
    let mut found = first.search("1000000", 3000, false);
    while u64::from(found.visits) < 3500 {
        assert!(began.elapsed() < Duration::from_secs(60), "{}", found.visits);
        found = first.search("1000000", 3000, false);
    }
    assert_eq!(found.playouts, 3000);
    assert_eq!(first.hub.lock().unwrap().usage().waited, Duration::ZERO);
    first.quit([other]);
}

#[test]
fn a_silent_rank_is_waited_for_a_share_of_the_time_and_then_not_at_all() {
    let params = ClusterParams::default();
    let (mut first, mut locals) = cluster(3, &params);
    let silent = locals.pop_back().unwrap();
    let other = start(locals.pop_front().unwrap(), params.clone());
    let mut waits = Vec::new();
    for _ in 0..6 {
        let began = Instant::now();
        let before = first.hub.lock().unwrap().usage().waited;
        let found = first.search("4000", 4000, true);
        assert_eq!(found.playouts, 4000);
        let waited = first.hub.lock().unwrap().usage().waited - before;
        let share = waited.as_secs_f64() / began.elapsed().as_secs_f64();
        // Without a clock a fifth of a second is waited in any case. The tests beside this one take their time too.
        assert!(share < 0.6 || waited < Duration::from_millis(300), "{share}, {waited:?}");
        waits.push(waited);
    }
    let all = first.hub.lock().unwrap();
    assert_eq!(all.ranks().0, 3);
    assert!(all.is_lost(2), "{waits:?}");
    drop(all);
    drop(silent);
    first.quit([other]);
}

#[test]
fn a_rank_that_comes_late_takes_part_from_then_on() {
    let params = patient();
    let (mut first, mut locals) = cluster(2, &params);
    let late = locals.pop_front().unwrap();
    for _ in 0..4 {
        assert_eq!(first.search("400", VISITS, true).visits as u64, VISITS);
    }
    assert!(first.hub.lock().unwrap().is_lost(1));
    let other = start(late, params);
    let began = Instant::now();
    while first.heard() < 2 {
        assert!(began.elapsed() < Duration::from_secs(60));
        first.search("400", VISITS, true);
    }
    assert!(!first.hub.lock().unwrap().is_lost(1));
    let found = first.search("400", VISITS, true);
    assert!(found.visits as u64 > VISITS, "{}", found.visits);
    first.quit([other]);
}

#[test]
fn what_is_about_another_position_or_no_message_at_all_changes_nothing() {
    let params = ClusterParams::default();
    let (mut first, mut locals) = cluster(3, &params);
    let alone = first.search("400", VISITS, true);
    let mut foreign = locals.pop_front().unwrap();
    let mut search = None;
    while let Some((_, bytes)) = foreign.receive() {
        if let Ok(Message::Begin { search: begun, .. }) = Message::decode(&bytes) {
            search = Some(begun);
        }
    }
    let search = search.unwrap();
    // As if it had been found in the search that comes next.
    let others = [
        SearchId { key: search.key ^ 1, number: search.number + 1 },
        search,
        SearchId { number: search.number + 2, ..search },
    ];
    let found = Sums { visits: 900, sums: [900.0; UPPER_SUMS] };
    let nodes = vec![UpperNode { path: UpperPath::ROOT, found }];
    for search in others {
        let found = Message::Found {
            search,
            round: u32::MAX,
            nodes: nodes.clone(),
            expansions: Vec::new(),
        };
        foreign.send(0, found.encode());
        foreign.send(0, vec![7; 40]);
        foreign.send(0, Message::Quit.encode());
    }
    let found = first.search("400", VISITS, true);
    assert_eq!(found.visits, alone.visits);
    assert_eq!(found.best().map(|best| best.mv), alone.best().map(|best| best.mv));
}

#[test]
fn a_rank_that_cannot_do_it_says_so_and_is_not_waited_for() {
    let params = patient();
    let (mut first, mut locals) = cluster(2, &params);
    let other = start(locals.pop_front().unwrap(), params);
    for _ in 0..3 {
        assert_eq!(first.search("nonsense", VISITS, true).visits as u64, VISITS);
    }
    first.quit([other]);
}
