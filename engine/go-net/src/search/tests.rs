//! What holds for the tree of any search, however many threads made it, and however they were stopped.

use super::*;
use crate::sample;
use go_engine::rng::Rng;
use go_engine::{Game, Rules};
use nn::{Kernels, Numbers};
use tree_search::puct::NodeExtra as _;
use worker::GoNode;

fn network() -> Arc<Network> {
    let kernels = Kernels { level: simd::level(), numbers: Numbers::Float };
    Arc::new(Network::new(&sample::network(15, 3), kernels))
}

/// No visit is under way any more or expected, values are those of the visits, and what is below a node was visited through it.
fn check(tree: &GoTree, node: &GoNode, depth: usize) {
    let stats = node.stats();
    assert_eq!((stats.pending, node.extra.expected_visits()), (0, 0), "{depth}: {stats:?}");
    assert!((-0.01..=stats.visits as f32 + 0.01).contains(&stats.sum), "{depth}: {stats:?}");
    let below = tree.edges(node).iter().filter_map(|edge| tree.child(edge));
    let children: u32 = below.clone().map(GoNode::visits).sum();
    assert!(children <= stats.visits, "{depth}: {children} of {stats:?}");
    below.for_each(|child| check(tree, child, depth + 1));
}

#[test]
fn no_visit_stays_under_way() {
    let network = network();
    let mut rng = Rng::new(3);
    for number in 0..24 {
        let mut game = Game::new(3 + rng.below(4) as u8, 3 + rng.below(3) as u8).unwrap();
        game.set_rules([Rules::CHINESE, Rules::TROMP_TAYLOR, Rules::JAPANESE][number % 3]);
        let params = NetworkParams {
            network_batch: 1 + rng.below(7),
            network_transpositions: rng.below(2) == 0,
            network_playout_weight: [0.0, 0.3][rng.below(2) as usize],
            ..NetworkParams::default()
        };
        let options = NetworkOptions {
            threads: 1 + rng.below(4) as usize,
            max_memory: 1 << (18 + rng.below(6)),
            seed: 1,
            params,
        };
        let mut search = SizedSearch::<128, 2>::new(network.clone(), options.max_memory);
        for _ in 0..6 {
            let visits = u64::from(1 + rng.below(300));
            let limits = Limits { stop_early: rng.below(2) == 0, ..Limits::playouts(visits) };
            let mut looks = rng.below(4);
            let mut stop = |_: &dyn Fn() -> Report| {
                looks = looks.saturating_sub(1);
                if looks == 0 { Control::Stop } else { Control::Continue }
            };
            let mut look: Option<Look> = (rng.below(2) == 0).then_some(&mut stop as Look);
            let color = game.to_play();
            let report = AnySearch::search(&mut search, &options, &game, color, &limits, &mut look);
            check(&search.tree, search.tree.root(), 0);
            assert!(report.playouts <= visits && !report.moves.is_empty());
            let best = report.moves[0].mv;
            // Now and then another move than the expected one, or one is taken back.
            match rng.below(5) {
                0 => _ = game.undo(),
                1 => game.play(color, Move::Pass).unwrap(),
                _ => game.play(color, best).unwrap(),
            }
        }
    }
}
