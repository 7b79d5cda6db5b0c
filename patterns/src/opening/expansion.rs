//! Which positions a book takes up next: drop-out expansion.
//!
//! T. R. Lincke, "Strategies for the Automatic Construction of Opening Books" (Computers and Games 2000, LNCS 2063, pages
//! 74-86). A book that follows only the best moves is left as soon as an opponent plays the second best; one that is
//! complete to some depth spends itself on blunders. So each move costs a ply, and more the more it is worse than the best
//! one; the position that is reached at the least cost comes next. A good line becomes long, a poor one is followed while
//! it is short, and every move that drops out of the book costs about as much. To Lincke's cost is added that of a move
//! which the search hardly looked at: neither player is likely to make it.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, HashSet};

use go_engine::Game;

use super::book::{Conditions, Node, OpeningBook, after};
use super::canonical::Canonical;
use super::evaluation::Evaluation;
use crate::Unhashed;

/// Plies that a loss of the whole game costs: one for 2.5% of the chance to win.
const DROP_PLIES: f64 = 40.0;
/// Plies that a move costs whose visits are 1/e of those of the move that was looked at most.
const SURPRISE_PLIES: f64 = 0.7;

/// A position to be taken up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Leaf {
    key: u64,
    /// The position before it and the number of its move; none for the start.
    from: Option<(u32, u8)>,
}

impl Leaf {
    /// Its key, as [`Canonical::key`].
    pub fn key(self) -> u64 {
        self.key
    }
}

/// A book that is being made.
pub struct Expansion {
    book: OpeningBook,
    /// The first way to each position; none to the start.
    ways: Vec<Option<(u32, u8)>>,
    /// Where moves lead that are in no book yet: the position before and the move's number, in order.
    frontier: HashMap<u64, Vec<(u32, u8)>, Unhashed>,
    /// The same the other way round.
    leads_to: BTreeMap<(u32, u8), u64>,
}

impl Expansion {
    /// Begins a book.
    ///
    /// # Panics
    /// When the size is none that a board has.
    pub fn begin(conditions: Conditions) -> Expansion {
        Expansion::of(OpeningBook::new(conditions))
    }

    /// Goes on with a book.
    pub fn of(book: OpeningBook) -> Expansion {
        let mut expansion = Expansion {
            ways: Vec::new(),
            frontier: HashMap::default(),
            leads_to: BTreeMap::new(),
            book: OpeningBook::new(book.conditions.clone()),
        };
        // The first move that leads to each position from one that was found before it.
        let mut first: Vec<Option<(u32, u8)>> = vec![None; book.nodes.len()];
        for (before, parent) in book.nodes.iter().enumerate() {
            for (number, child) in parent.children.iter().enumerate() {
                let later = child.map(|child| child as usize).filter(|&child| child > before);
                if let Some(way) = later.and_then(|child| first.get_mut(child)) {
                    way.get_or_insert((before as u32, number as u8));
                }
            }
        }
        for (node, from) in book.nodes.iter().zip(first) {
            expansion.append(Leaf { key: node.key, from }, node.found.clone());
        }
        expansion.book.backup();
        expansion
    }

    /// The book so far.
    pub fn book(&self) -> &OpeningBook {
        &self.book
    }

    /// The game that leads to a position that is to be taken up.
    pub fn game(&self, leaf: Leaf) -> Option<Game> {
        let mut places = Vec::new();
        let mut from = leaf.from;
        while let Some((node, number)) = from {
            places.push(self.book.nodes[node as usize].found.moves[usize::from(number)].place);
            from = self.ways[node as usize];
        }
        places.into_iter().rev().try_fold(self.book.start()?, |game, place| after(&game, place))
    }

    /// The positions to be taken up next, at most so many, in order; none when there are no more.
    pub fn next(&self, count: usize) -> Vec<Leaf> {
        let Some(start) = self.book.start() else { return Vec::new() };
        if self.book.is_empty() {
            return vec![Leaf { key: Canonical::of(&start).key(), from: None }];
        }
        let costs = self.costs();
        let open = self.leads_to.iter().filter(|(_, key)| !self.book.index.contains_key(key));
        let mut open: Vec<(f64, (u32, u8), u64)> = open
            .map(|(&(node, number), &key)| {
                let step = self.step(node, usize::from(number));
                (costs[node as usize] + step, (node, number), key)
            })
            .collect();
        open.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut chosen = HashSet::new();
        open.retain(|&(_, _, key)| chosen.insert(key));
        open.truncate(count);
        open.into_iter().map(|(_, _, key)| self.leaf(key)).collect()
    }

    /// A position by the first way that leads there.
    fn leaf(&self, key: u64) -> Leaf {
        let from = self.frontier.get(&key).and_then(|ways| ways.first().copied());
        Leaf { key, from }
    }

    /// Takes up positions with what was found of them, in order.
    pub fn add(&mut self, found: impl IntoIterator<Item = (Leaf, Evaluation)>) {
        for (leaf, evaluation) in found {
            self.append(leaf, evaluation);
        }
        self.book.backup();
    }

    fn append(&mut self, leaf: Leaf, found: Evaluation) {
        let Some(game) = self.game(leaf) else { return };
        let own = self.book.nodes.len() as u32;
        let ply = leaf
            .from
            .map_or(0, |(before, _)| self.book.nodes[before as usize].ply.saturating_add(1));
        for &(before, number) in self.frontier.get(&leaf.key).into_iter().flatten() {
            let parent = &mut self.book.nodes[before as usize];
            if parent.ply < ply {
                parent.children[usize::from(number)] = Some(own);
            }
        }
        let mut children = Vec::new();
        for (number, mv) in found.moves.iter().enumerate() {
            let Some(next) = after(&game, mv.place) else {
                children.push(None);
                continue;
            };
            let (key, way) = (Canonical::of(&next).key(), (own, number as u8));
            self.leads_to.insert(way, key);
            self.frontier.entry(key).or_default().push(way);
            // A position that was reached by as many moves or fewer would lead in a circle.
            let known = self.book.index.get(&key).copied();
            children.push(known.filter(|&known| self.book.nodes[known as usize].ply > ply));
        }
        self.book.index.insert(leaf.key, own);
        self.book.nodes.push(Node { key: leaf.key, ply, found, children });
        self.ways.push(leaf.from);
    }

    /// What each position costs to be reached.
    fn costs(&self) -> Vec<f64> {
        let nodes = &self.book.nodes;
        let mut costs = vec![f64::INFINITY; nodes.len()];
        costs[0] = 0.0;
        let mut order: Vec<usize> = (0..nodes.len()).collect();
        order.sort_by_key(|&number| nodes[number].ply);
        for number in order {
            for (mv, child) in nodes[number].children.iter().enumerate() {
                let Some(child) = *child else { continue };
                let cost = costs[number] + self.step(number as u32, mv);
                let known = &mut costs[child as usize];
                if cost.partial_cmp(known) == Some(Ordering::Less) {
                    *known = cost;
                }
            }
        }
        costs
    }

    /// What a move costs, in plies.
    fn step(&self, node: u32, number: usize) -> f64 {
        let moves = &self.book.nodes[node as usize].found.moves;
        let winrate = |number: usize| match self.book.move_value(node, number) {
            (value, Some(_)) => value.winrate,
            // It is not held against a move that it was hardly looked at: that costs below.
            (_, None) => f64::from(moves[number].winrate),
        };
        let best = (0..moves.len()).map(|number| self.book.move_value(node, number).0.winrate);
        let drop = best.fold(0.0, f64::max) - winrate(number);
        let max_visits = moves.iter().map(|mv| mv.visits).max().unwrap_or(1).max(1);
        let share = f64::from(moves[number].visits.max(1)) / f64::from(max_visits);
        1.0 + DROP_PLIES * drop.max(0.0) - SURPRISE_PLIES * share.ln()
    }
}
