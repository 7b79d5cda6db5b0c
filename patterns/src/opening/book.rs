//! The positions of a book, and what it says of one.

use std::collections::HashMap;

use go_engine::{Game, Move, Point, Rules};

use super::canonical::Canonical;
use super::evaluation::Evaluation;
use super::values::{self, Value};
use crate::Unhashed;

/// What a book was made for and with. What it says holds for games of this size, komi and way of scoring.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditions {
    /// Side of the board.
    pub size: u8,
    /// The rules.
    pub rules: Rules,
    /// Points that White gets.
    pub komi: f32,
    /// Visits of the search of a position.
    pub visits: u32,
    /// Positions that are chosen at a time, by what was known before.
    pub batch: u32,
    /// The seed of the searches.
    pub seed: u64,
    /// The name of the network that the searches used.
    pub network: String,
}

/// A position of the book.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub key: u64,
    /// Moves from the start on the way by which it was found.
    pub ply: u16,
    pub found: Evaluation,
    /// The position after each move, where it is in the book. It always has a larger `ply`.
    pub children: Vec<Option<u32>>,
}

/// Positions with what searches found of them.
#[derive(Clone, Debug)]
pub struct OpeningBook {
    pub(super) conditions: Conditions,
    /// In the order in which they were found, the start first.
    pub(super) nodes: Vec<Node>,
    pub(super) index: HashMap<u64, u32, Unhashed>,
    /// What each is worth.
    pub(super) values: Vec<Value>,
}

/// What a book says of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct BookPosition {
    /// What it is worth to the player to move.
    pub value: Value,
    /// The moves, the best first.
    pub moves: Vec<BookMove>,
}

/// What a book says of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct BookMove {
    /// The points where it can be played, which are the same by symmetry; the one where people would play it first.
    pub points: Vec<Point>,
    /// How often the search of the position tried it.
    pub visits: u32,
    /// What it is worth to the player who makes it.
    pub value: Value,
    /// The position after it is in the book.
    pub goes_on: bool,
}

impl OpeningBook {
    /// A book that knows nothing yet.
    pub fn new(conditions: Conditions) -> OpeningBook {
        OpeningBook { conditions, nodes: Vec::new(), index: HashMap::default(), values: Vec::new() }
    }

    /// What it was made for and with.
    pub fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    /// How many positions it knows.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether it knows none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The longest line of moves.
    pub fn depth(&self) -> usize {
        self.nodes.iter().map(|node| usize::from(node.ply)).max().unwrap_or(0)
    }

    /// Whether what it says holds for a game: one of the size, the komi and the way of scoring that it was made for. Which
    /// repetitions are forbidden and whether suicide is allowed makes no difference in an opening.
    pub fn is_for(&self, game: &Game) -> bool {
        let Conditions { size, rules, komi, .. } = &self.conditions;
        let board = game.board();
        (board.width(), board.height()) == (*size, *size)
            && game.rules().scoring == rules.scoring
            && game.komi() as f32 == *komi
            && game.handicap() == 0
    }

    /// What it says of a game's position; nothing where it does not know it, or is not for such games. The rules allow all
    /// moves that it tells of.
    pub fn position(&self, game: &Game) -> Option<BookPosition> {
        if !self.is_for(game) {
            return None;
        }
        let canonical = Canonical::of(game);
        let node = *self.index.get(&canonical.key())?;
        let player = game.to_play();
        let moves = self.nodes[node as usize].found.moves.iter().enumerate();
        let moves = moves.filter_map(|(number, found)| {
            let mut points = canonical.points(found.place);
            points.retain(|&point| game.check(player, Move::Play(point)).is_ok());
            let (value, child) = self.move_value(node, number);
            let goes_on = child.is_some();
            (!points.is_empty()).then_some(BookMove {
                points,
                visits: found.visits,
                value,
                goes_on,
            })
        });
        let mut moves: Vec<BookMove> = moves.collect();
        // Stable: of equals the one that the search liked better.
        moves.sort_by(|a, b| b.value.winrate.total_cmp(&a.value.winrate));
        Some(BookPosition { value: self.values[node as usize], moves })
    }

    /// What a move of a position is worth to the player who makes it, and the position after it if that is in the book.
    pub(super) fn move_value(&self, node: u32, number: usize) -> (Value, Option<u32>) {
        let node = &self.nodes[node as usize];
        let child = node.children[number];
        let value = match child {
            Some(child) => self.values[child as usize].of_opponent(),
            None => Value::of_move(&node.found.moves[number]),
        };
        (value, child)
    }

    /// Works out anew what all positions are worth.
    pub(super) fn backup(&mut self) {
        self.values = values::of(&self.nodes);
    }

    /// An empty board of the kind that the book is about.
    pub(super) fn start(&self) -> Option<Game> {
        let Conditions { size, rules, komi, .. } = self.conditions;
        let mut game = Game::new(size, size)?;
        game.set_rules(rules);
        game.set_komi(f64::from(komi));
        Some(game)
    }
}

/// The game after a move that is named by its place in the canonical form; none when the rules forbid it.
pub(super) fn after(game: &Game, place: Point) -> Option<Game> {
    let point = *Canonical::of(game).points(place).first()?;
    let mut game = game.clone();
    let player = game.to_play();
    game.play(player, Move::Play(point)).ok()?;
    Some(game)
}
