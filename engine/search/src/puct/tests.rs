//! The tree as games use it, with moves that are numbers.

use super::*;
use crate::{Bounded, Prunable, Roomy};
use game_core::Proven;

fn choices(from: u32, count: u32) -> Vec<Choice<u32>> {
    (0..count).map(|i| Choice { mv: from + i, estimate: 1.0 / (i + 2) as f32 }).collect()
}

fn expand(tree: &Tree<u32>, node: &Node, choices: &[Choice<u32>]) -> bool {
    node.try_expand() && tree.publish(node, choices, true)
}

fn select<'t>(tree: &'t Tree<u32>, node: &Node) -> Option<&'t Edge<u32>> {
    tree.select(node, 1.5, |_, stats| match stats {
        Some(Stats { visits, pending, sum }) => sum / (visits + pending).max(1) as f32,
        None => 0.4,
    })
}

/// One visit along the tree's own choice, with a value that depends on the way.
fn visit(tree: &Tree<u32>) {
    let (mut path, mut hash) = (Vec::new(), 1u32);
    let (mut node, mut edge, mut own) = (tree.root(), None, true);
    loop {
        node.add_virtual_loss();
        path.push(Step { node, edge, own });
        if !node.is_expanded() {
            break;
        }
        let Some(next) = select(tree, node) else { break };
        let Some(child) = tree.child_or_new(next) else { break };
        hash = hash.wrapping_mul(0x9e37_79b1) ^ next.mv();
        (node, edge, own) = (child, Some(next), !own);
    }
    if node.visits() > 0 || path.len() == 1 {
        expand(tree, node, &choices(hash % 50, 20));
    }
    let value = f64::from(hash >> 8) / f64::from(1 << 24);
    tree.backup(&path, |own| if own { value } else { 1.0 - value });
}

/// All of a node's edges and what is below them, wherever they lie.
fn below(tree: &Tree<u32>, node: &Node) -> Vec<(usize, u32, u32, Option<f32>, Proven)> {
    let mut rows = Vec::new();
    let mut open = vec![(0, node)];
    while let Some((depth, node)) = open.pop() {
        for edge in tree.edges(node) {
            let child = tree.child(edge);
            let mean = child.and_then(Node::mean);
            rows.push((depth, edge.mv(), child.map_or(0, Node::visits), mean, edge.proven()));
            open.extend(child.map(|child| (depth + 1, child)));
        }
    }
    rows
}

#[test]
fn keeps_what_is_below_the_new_root() {
    let mut tree = Tree::new(1 << 26);
    (0..3000).for_each(|_| visit(&tree));
    // Edges of one node lie elsewhere than in the order of visits after it is widened.
    let root = tree.root();
    assert!(tree.widen(root, &choices(80, 5)) && !tree.widen(root, &choices(80, 5)));
    (0..1000).for_each(|_| visit(&tree));
    assert_eq!(root.visits(), 4000);
    tree.prove(tree.edges(root).last().expect("a move"), Proven::Loss);
    let edge = tree.best(root).expect("a move");
    let (mv, expected) = (edge.mv(), below(&tree, tree.child(edge).expect("visited")));
    assert!(expected.len() > 1000, "{}", expected.len());
    assert!(tree.keep([mv]));
    assert_eq!(below(&tree, tree.root()), expected);
    assert_eq!(tree.edge_count(), expected.len(), "nothing else is left");
    assert_eq!(tree.node_count(), expected.iter().filter(|row| row.2 > 0).count() + 1);
    assert!(!tree.keep([1_000_000]), "no such move");
    assert_eq!(below(&tree, tree.root()), expected);
    // It goes on as the tree before would have.
    (0..500).for_each(|_| visit(&tree));
    tree.clear();
    assert_eq!((tree.node_count(), tree.edge_count(), tree.root().visits()), (1, 0, 0));
}

#[test]
fn a_full_tree_forgets_what_was_visited_least() {
    let mut tree = Tree::new(1 << 20);
    let mut times = 0;
    for _ in 0..100_000 {
        visit(&tree);
        if tree.is_full() {
            assert!(tree.bytes() <= 1 << 20, "{} bytes", tree.bytes());
            let state = |tree: &Tree<u32>| {
                let best = tree.best(tree.root()).and_then(|edge| tree.child(edge));
                (tree.root().visits(), tree.edges(tree.root()).len(), best.map(Node::visits))
            };
            let before = state(&tree);
            while tree.is_full() {
                assert!(tree.make_room());
            }
            assert!(tree.bytes() <= 7 << 17 && tree.bytes() > 1 << 19, "{} bytes", tree.bytes());
            assert_eq!(state(&tree), before, "the root loses nothing");
            times += 1;
        }
    }
    assert!(times > 3, "{times} times");
    assert_eq!(tree.root().visits(), 100_000);
    let made = tree.nodes.made_bytes() + tree.edges.made_bytes();
    assert!(made <= (1 << 20) + (2 << 16), "{made} bytes made");
}

#[test]
fn what_is_given_back_is_all_that_nothing_leads_to() {
    let mut tree = Tree::new(1 << 19);
    for number in 0..20_000 {
        visit(&tree);
        if number % 100 == 0 {
            // Some are widened, and leave their old edges behind.
            let best = tree.best(tree.root()).and_then(|edge| tree.child(edge));
            tree.widen(best.unwrap_or(tree.root()), &choices(1000 + number, 3));
        }
        let moves_on = number % 3000 == 2999;
        if moves_on {
            let mv = tree.best(tree.root()).expect("a move").mv();
            assert!(tree.keep([mv]));
        }
        if tree.is_full() || moves_on {
            let before = below(&tree, tree.root());
            while tree.is_full() {
                assert!(tree.make_room());
            }
            while !tree.collect(usize::MAX) {}
            let after = below(&tree, tree.root());
            assert!(after.len() <= before.len());
            assert_eq!(tree.edges.len(), after.len());
            assert_eq!(tree.nodes.len(), after.iter().filter(|row| row.2 > 0).count() + 1);
        }
    }
}

#[test]
fn memory_goes_to_what_needs_it() {
    // First few nodes with many edges, then many nodes with few.
    let mut tree = Tree::new(2 << 20);
    let grow = |tree: &mut Tree<u32>, edges: u32, rounds: u32| {
        for round in 0..rounds {
            let (mut node, mut pick) = (tree.root(), round);
            while node.is_expanded() {
                let all = tree.edges(node);
                let edge = &all[pick as usize % all.len()];
                pick = pick.wrapping_mul(0x9e37_79b1) >> 7;
                let Some(child) = tree.child_or_new(edge) else { break };
                node = child;
                node.add_virtual_loss();
                node.backup(0.5);
            }
            expand(tree, node, &choices(0, edges));
            while tree.is_full() {
                assert!(tree.make_room());
            }
        }
    };
    grow(&mut tree, 500, 10_000);
    let before = tree.nodes.len();
    for _ in 0..4 {
        let visited = tree.edges(tree.root()).iter();
        let next = visited.max_by_key(|edge| tree.child(edge).map_or(0, Node::visits));
        let mv = next.expect("a move").mv();
        assert!(tree.keep([mv]));
        grow(&mut tree, 2, 100_000);
    }
    assert!(tree.nodes.len() > 4 * before, "{} {before}", tree.nodes.len());
    let made = tree.nodes.made_bytes() + tree.edges.made_bytes();
    assert!(made <= (2 << 20) + (2 << 16), "{made} bytes made");
}

#[test]
fn visits_are_halved_before_they_overflow() {
    let mut tree = Tree::new(1 << 20);
    (0..1000).for_each(|_| visit(&tree));
    let mean = tree.root().mean().expect("visited");
    tree.scale_nodes(0, 1 << 20, f64::from(u32::MAX - 10) / 1000.0);
    for _ in 0..50 {
        while tree.is_full() {
            assert!(tree.make_room());
        }
        visit(&tree);
    }
    let root = tree.root();
    assert!((1 << 30..1 << 31).contains(&root.visits()), "{}", root.visits());
    assert_eq!(root.total_visits(), root.visits());
    assert!((root.mean().expect("visited") - mean).abs() < 1e-6);
    let below = below(&tree, root);
    let moves = below.iter().filter(|row| row.0 == 0);
    let all: u64 = moves.map(|row| u64::from(row.2)).sum();
    assert!((1 << 29..1 << 31).contains(&all), "{all}");
}

#[test]
fn a_full_tree_refuses_all_but_wins() {
    let tree = Tree::new(1 << 16);
    while !tree.is_full() {
        visit(&tree);
    }
    let leaf = tree.edges(tree.root()).iter().filter_map(|edge| tree.child(edge));
    let leaf = leaf.last().expect("visited");
    let before = tree.edge_count();
    (0..100).for_each(|_| visit(&tree));
    assert_eq!(tree.edge_count(), before);
    assert!(tree.widen(leaf, &choices(500, 1)), "a win is noted all the same");
}

#[test]
fn proofs_come_up_from_the_leaf() {
    let tree = Tree::new(1 << 20);
    let root = tree.root();
    assert!(expand(&tree, root, &choices(0, 3)));
    let edges = tree.edges(root);
    tree.prove(&edges[0], Proven::Loss);
    assert_eq!(select(&tree, root).map(Edge::mv), Some(1), "the first loses");
    // A move that loses and is followed all the same is still known to lose.
    let child = tree.child_or_new(&edges[0]).expect("room");
    assert_eq!(child.proven(), Proven::Win);
    for (edge, proven) in [(&edges[1], Proven::Unknown), (&edges[2], Proven::Loss)] {
        let node = tree.child_or_new(edge).expect("room");
        root.add_virtual_loss();
        node.add_virtual_loss();
        node.set_proven(Proven::Win);
        let path = [
            Step { node: root, edge: None, own: true },
            Step { node, edge: Some(edge), own: false },
        ];
        tree.backup(&path, |own| if own { 0.0 } else { 1.0 });
        assert_eq!(edge.proven(), Proven::Loss);
        assert_eq!(root.proven(), proven);
    }
    assert!(tree.is_lost(root) && select(&tree, root).is_none());
}

#[test]
fn threads_keep_the_books() {
    let tree = Tree::new(1 << 24);
    std::thread::scope(|scope| {
        for thread in 0..4u32 {
            let tree = &tree;
            scope.spawn(move || {
                for round in 0..2000 {
                    visit(tree);
                    if round % 100 == thread {
                        tree.widen(tree.root(), &choices(1000 + round, 1));
                    }
                }
            });
        }
    });
    let root = tree.root();
    assert_eq!((root.visits(), root.total_visits()), (8000, 8000));
    assert_eq!(tree.edges(root).len(), 20 + 80);
    let visits: u32 = tree.edges(root).iter().filter_map(|e| tree.child(e)).map(Node::visits).sum();
    // A visit that finds its edge just moved ends at the root.
    assert!(visits <= 8000 && visits > 7800, "{visits}");
}
