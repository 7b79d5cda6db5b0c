//! Searches of one position that tell each other what they found.

use crate::common::random_network;
use go_engine::search::{Limits, Report};
use go_engine::{Color, Game};
use go_network::{NetworkOptions, NetworkParams, NetworkSearch};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tree_search::upper::{
    Expansion, Ledger, MAX_UPPER_DEPTH, UpperLimits, UpperNode, UpperPath, UpperTree, expand_all,
};
use tree_search::{Exchange, Partners};

const ALL: UpperLimits = UpperLimits { depth: MAX_UPPER_DEPTH, min_share: 0.0, nodes: 50_000 };

/// What searches have found.
#[derive(Clone, Default)]
struct Found {
    nodes: Vec<UpperNode>,
    expansions: Vec<Expansion>,
}

/// Brings what others have found into a tree before the search, and keeps what it finds itself.
#[derive(Default)]
struct Partner {
    ledger: Ledger,
    others: Found,
    own: Found,
}

impl Exchange for Partner {
    fn begin(&mut self, tree: &dyn UpperTree) {
        self.ledger = Ledger::new(tree, &ALL);
        expand_all(tree, &self.others.expansions);
        self.others.expansions.iter().for_each(|other| _ = self.ledger.is_news(other));
        self.ledger.import(tree, &self.others.nodes);
    }

    fn pause_after(&self, _: Option<u64>, _: u64) -> Option<u64> {
        None
    }

    fn pause(&mut self, _: &dyn UpperTree, _: u64, _: Option<Instant>) {}

    fn tick(&mut self, _: &dyn UpperTree, _: u64) {}

    fn end(&mut self, tree: &dyn UpperTree) {
        self.own.nodes = self.ledger.own(tree, &ALL);
        self.own.expansions = self.ledger.expansions(tree, &self.own.nodes);
    }

    fn others(&self) -> u64 {
        1
    }
}

/// A search of so many visits that knows what others have found, and what it adds to that.
fn search(others: Found, visits: u64) -> (Report, Found) {
    let partner = Arc::new(Mutex::new(Partner { others, ..Partner::default() }));
    let partners = Partners::new(partner.clone(), Arc::default());
    let limits = Limits { stop_early: false, partners: Some(partners), ..Limits::playouts(visits) };
    let params = NetworkParams::default();
    let options = NetworkOptions { threads: 1, max_memory: 32 << 20, seed: 7, params };
    let game = Game::new(7, 7).unwrap();
    let mut search = NetworkSearch::new(random_network(), options);
    let report = search.search(&game, Color::Black, &limits, None);
    let own = partner.lock().unwrap().own.clone();
    (report, own)
}

#[test]
fn what_one_search_was_told_by_the_network_another_does_not_ask_again() {
    let (_, first) = search(Found::default(), 80);
    assert!(first.expansions.len() > 60, "{}", first.expansions.len());
    assert!(first.expansions.is_sorted_by(|a, b| a.path < b.path), "as they are told");
    let (report, second) = search(first.clone(), 40);
    assert!((118..=122).contains(&report.visits), "{}", report.visits);
    assert!(second.expansions.len() > 30, "{}", second.expansions.len());
    let known: Vec<UpperPath> = first.expansions.iter().map(|one| one.path).collect();
    assert!(second.expansions.iter().all(|new| !known.contains(&new.path)));
    let is_below = |new: &&Expansion| {
        let depth = new.path.depth();
        depth > 1 && known.contains(&new.path.up_to(depth - 1))
    };
    assert!(
        second.expansions.iter().filter(is_below).count() > 10,
        "it goes on where the first was"
    );
}

#[test]
fn a_shared_search_is_the_same_as_one_that_was_not_divided() {
    let (_, first) = search(Found::default(), 60);
    let (shared, _) = search(first, 60);
    let (alone, _) = search(Found::default(), 120);
    let visits = |report: &Report| -> Vec<_> {
        report.moves.iter().map(|found| (found.mv, found.visits)).collect()
    };
    let (shared, alone) = (visits(&shared), visits(&alone));
    let differences = shared.iter().map(|&(mv, visits)| {
        let other = alone.iter().find(|found| found.0 == mv).map_or(0, |found| found.1);
        visits.abs_diff(other)
    });
    assert!(differences.sum::<u32>() <= 8, "{shared:?} {alone:?}");
}

#[test]
fn what_is_no_move_of_the_board_is_not_taken() {
    let (alone, first) = search(Found::default(), 40);
    let path = first.expansions[0].path;
    let mv = path.last().unwrap();
    let one = 0.5f32.to_bits();
    for (value, moves) in [
        (0.5, vec![]),
        (0.5, vec![(60_000, one)]),
        (0.5, vec![(u32::MAX, one)]),
        (0.5, vec![(mv, f32::NAN.to_bits())]),
        (0.5, vec![(mv, (-1f32).to_bits())]),
        (7.0, first.expansions[0].moves.to_vec()),
    ] {
        let expansions = vec![Expansion { path, value, moves: moves.into() }];
        let (report, _) = search(Found { nodes: Vec::new(), expansions }, 40);
        assert_eq!(report.visits, alone.visits);
        assert_eq!(report.best().map(|best| best.mv), alone.best().map(|best| best.mv));
    }
    // Where a stone is already.
    let expansions = vec![Expansion { path, value: 0.5, moves: [(mv, one), (mv, one)].into() }];
    let (report, _) = search(Found { nodes: Vec::new(), expansions }, 40);
    assert_eq!(report.visits, alone.visits);
}
