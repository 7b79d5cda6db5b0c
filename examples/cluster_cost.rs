//! What sharing a search over many ranks costs: messages of a real search are measured here, in bytes and in time, and a
//! cluster of 4, 64 and 1,024 ranks is worked out from them.
//!
//!     cargo run --release --example cluster_cost -- [SECONDS OF SEARCH] [MICROSECONDS OF LATENCY] [GBIT A SECOND]
//!
//! What nodes were expanded with is told once: of what a search has expanded, a message holds the part that an interval is of it.
//!
//! A second is played through in steps of messages: every rank tells rank 0 what it has found once an interval, all at times of
//! their own; rank 0 adds up and tells each rank what the others found. Its link carries one message after another, and so does
//! the thread that reads, adds and writes. Where they do not keep up with the interval, it is stretched until they do.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use game_core::SearchLimits;
use go_engine::search::Limits;
use go_engine::{Color, Game};
use go_network::{NetworkOptions, NetworkParams, NetworkSearch};
use go_patterns::knowledge::Library;
use go_patterns::network::own::OwnFile;
use tesuji::cluster::ClusterParams;
use tesuji::cluster::message::{Message, SearchId};
use tree_search::upper::{Expansion, Ledger, UpperNode, UpperSums, UpperTree, expand_all};
use tree_search::{Exchange, Partners};

/// Searches in all, of which each stands for some ranks.
const SAMPLES: u64 = 8;
const RANKS: [usize; 3] = [4, 64, 1024];

/// What a message tells.
#[derive(Clone, Default)]
struct Found {
    nodes: Vec<UpperNode>,
    expansions: Vec<Expansion>,
}

impl Found {
    fn message(&self) -> Message {
        let Found { nodes, expansions } = self.clone();
        Message::Found { search: SearchId::default(), round: 0, nodes, expansions }
    }
}

/// What all but the search of this number have found.
fn all_but(samples: &[Found], skipped: usize) -> Found {
    let mut sums = UpperSums::default();
    let mut expansions = BTreeMap::new();
    for (at, sample) in samples.iter().enumerate() {
        sums.add(&sample.nodes);
        if at != skipped {
            let told = sample.expansions.iter();
            expansions.extend(told.map(|expansion| (expansion.path, expansion.clone())));
        }
    }
    let nodes = match samples.get(skipped) {
        Some(sample) => sums.without(&sample.nodes),
        None => sums.nodes().to_vec(),
    };
    Found { nodes, expansions: expansions.into_values().collect() }
}

/// Keeps what a search has found when it ends, and what it took to read and to add to its tree.
#[derive(Default)]
struct Probe {
    ledger: Ledger,
    found: Found,
    others: Found,
    /// How many messages a search tells.
    messages: f64,
    read: Duration,
    import: Duration,
}

impl Exchange for Probe {
    fn begin(&mut self, tree: &dyn UpperTree) {
        self.ledger = Ledger::new(tree, &ClusterParams::default().limits());
    }

    fn pause_after(&self, _: Option<u64>, _: u64) -> Option<u64> {
        None
    }

    fn pause(&mut self, _: &dyn UpperTree, _: u64, _: Option<Instant>) {}

    fn tick(&mut self, _: &dyn UpperTree, _: u64) {}

    fn end(&mut self, tree: &dyn UpperTree) {
        let began = Instant::now();
        let nodes = self.ledger.own(tree, &ClusterParams::default().limits());
        let mut expansions = self.ledger.expansions(tree, &nodes);
        self.read = began.elapsed();
        let step = self.messages.max(1.0) as usize;
        expansions = expansions.into_iter().step_by(step).collect();
        self.found = Found { nodes, expansions };
        let began = Instant::now();
        expand_all(tree, &self.others.expansions);
        self.ledger.import(tree, &self.others.nodes);
        self.import = began.elapsed();
    }

    fn others(&self) -> u64 {
        0
    }
}

/// What one message costs.
struct Costs {
    /// Bytes of what a rank has found, and of what all have.
    own: f64,
    all: f64,
    /// Seconds: to read a tree and to write a message of it, to read a message and add it up, to leave one rank out and write the
    /// rest, to bring it into a tree.
    tell: f64,
    add: f64,
    leave_out: f64,
    import: f64,
}

fn seconds(work: impl FnOnce()) -> f64 {
    let began = Instant::now();
    work();
    began.elapsed().as_secs_f64()
}

fn measure(side: u8, search_seconds: f64) -> Result<Costs, Box<dyn Error>> {
    let library = Arc::new(Library::built_in()?);
    let network = Arc::new(OwnFile::built_in()?.network(None, &library));
    let mut game = Game::new(side, side).ok_or("no such board")?;
    game.set_komi(7.0);
    let messages = search_seconds / f64::from(ClusterParams::default().cluster_interval);
    let mut samples: Vec<Found> = Vec::new();
    let (mut read, mut import) = (0.0, 0.0);
    for seed in 0..SAMPLES {
        let others = all_but(&samples, samples.len());
        let probe = Arc::new(Mutex::new(Probe { others, messages, ..Probe::default() }));
        let params = NetworkParams::default();
        let options = NetworkOptions { threads: 1, max_memory: 256 << 20, seed, params };
        let deadline = Some(Instant::now() + Duration::from_secs_f64(search_seconds));
        let limits = Limits {
            search: SearchLimits { deadline, ..SearchLimits::default() },
            partners: Some(Partners::new(probe.clone(), Arc::default())),
            ..Limits::default()
        };
        NetworkSearch::new(network.clone(), options).search(&game, Color::Black, &limits, None);
        let probe = probe.lock().map_err(|_| "a search has failed")?;
        read = probe.read.as_secs_f64();
        import = probe.import.as_secs_f64();
        samples.push(probe.found.clone());
    }
    let messages: Vec<Vec<u8>> = samples.iter().map(|found| found.message().encode()).collect();
    let mut all = UpperSums::default();
    let mut expansions = BTreeMap::new();
    let add = seconds(|| {
        let mut parts = Vec::new();
        for bytes in &messages {
            if let Ok(Message::Found { nodes, expansions: told, .. }) = Message::decode(bytes) {
                parts.push(nodes);
                expansions.extend(told.into_iter().map(|told| (told.path, told)));
            }
        }
        all = UpperSums::of(parts.iter().map(Vec::as_slice));
    });
    let mut bytes = 0;
    let leave_out = seconds(|| {
        for found in &samples {
            let nodes = all.without(&found.nodes);
            let expansions = expansions.values().cloned().collect();
            bytes += Found { nodes, expansions }.message().encode().len();
        }
    });
    let write = seconds(|| drop(samples[0].message().encode()));
    let n = SAMPLES as f64;
    Ok(Costs {
        own: messages.iter().map(Vec::len).sum::<usize>() as f64 / n,
        all: bytes as f64 / n,
        tell: read + write,
        add: add / n,
        leave_out: leave_out / n,
        import,
    })
}

/// How rank 0 fares with so many ranks: how often they share, and what that takes.
struct Outcome {
    interval: f64,
    /// Share of the time of the thread of rank 0 that does it, and of one of any other.
    hub: f64,
    other: f64,
    /// Bytes a second over rank 0's link, one way, and over another's.
    hub_bytes: f64,
    other_bytes: f64,
    /// The mean age of what a rank is told.
    age: f64,
}

fn simulate(
    costs: &Costs,
    ranks: usize,
    interval: f64,
    latency: f64,
    bytes_a_second: f64,
) -> Outcome {
    let others = (ranks - 1) as f64;
    let work = others * (costs.add + costs.leave_out) + costs.import + costs.tell;
    let link = others * costs.own.max(costs.all) / bytes_a_second;
    // What rank 0 does in a round has to fit into the interval, and so does what its link carries each way.
    let interval = interval.max(work).max(link);
    let (mut ages, mut count) = (0.0, 0.0);
    let mut link_free = 0.0f64;
    let rounds = 20;
    // Messages of rounds: ranks tell at times spread over the interval, and hear in the order of their numbers.
    let mut arrived = vec![0.0f64; ranks];
    for round in 1..=rounds {
        let begin = f64::from(round) * interval;
        for (rank, arrival) in arrived.iter_mut().enumerate().skip(1) {
            let told = begin - interval + interval * rank as f64 / ranks as f64;
            link_free = link_free.max(told) + costs.own / bytes_a_second;
            *arrival = link_free + latency;
        }
        // Rank 0 takes what has come by then; what comes later is in its next round.
        let mut at = begin + others * costs.add + costs.import + costs.tell;
        for (rank, &arrival) in arrived.iter().enumerate().skip(1) {
            at += costs.leave_out;
            let heard = at + costs.all / bytes_a_second + latency;
            let late = if arrival > begin { interval } else { 0.0 };
            let told = begin - interval + interval * rank as f64 / ranks as f64;
            ages += heard - told + late;
            count += 1.0;
        }
    }
    Outcome {
        interval,
        hub: work / interval,
        other: (costs.tell + costs.import) / interval,
        hub_bytes: others * costs.own.max(costs.all) / interval,
        other_bytes: costs.own.max(costs.all) / interval,
        age: ages / count,
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse::<f64>());
    let mut number = |default| args.next().unwrap_or(Ok(default));
    let (search_seconds, latency, gbit) = (number(3.0)?, number(30.0)?, number(10.0)?);
    let interval = f64::from(ClusterParams::default().cluster_interval);
    println!(
        "searches of {search_seconds} s with one thread; {latency} microseconds of latency, {gbit} Gbit a second; ranks share every \
         {interval} s\n"
    );
    for side in [9, 19] {
        let costs = measure(side, search_seconds)?;
        println!(
            "{side}x{side}: a rank tells {:.1} kB and hears {:.1} kB; to read and write that takes {:.0} us, to add it up {:.0}, to \
             leave one out {:.0}, to bring it into a tree {:.0}",
            costs.own / 1e3,
            costs.all / 1e3,
            costs.tell * 1e6,
            costs.add * 1e6,
            costs.leave_out * 1e6,
            costs.import * 1e6,
        );
        println!(
            "{:>7} {:>10} {:>12} {:>12} {:>12} {:>12} {:>9}",
            "ranks", "interval", "rank 0", "others", "rank 0", "others", "age"
        );
        for ranks in RANKS {
            let one = simulate(&costs, ranks, interval, latency * 1e-6, gbit * 1e9 / 8.0);
            println!(
                "{ranks:>7} {:>8.2} s {:>10.2} % {:>10.3} % {:>7.1} MB/s {:>7.3} MB/s {:>7.2} s",
                one.interval,
                100.0 * one.hub,
                100.0 * one.other,
                one.hub_bytes / 1e6,
                one.other_bytes / 1e6,
                one.age,
            );
        }
        println!();
    }
    Ok(())
}
