//! The models by name, and what anything has in common with them that says whose the points are.

use super::constants::Constants;
use super::tuned::Tuned;
use super::{Bouzy, Chen, Influence, Ryder, Stones, Thesis, Zobrist};
use go_engine::Color;
use go_engine::game::AnyBoard;
use std::sync::Arc;

/// What gives every point of a board an influence: a [`Model`], or a network.
pub trait InfluenceModel: Sync {
    /// Its name, as it is asked for.
    fn name(&self) -> &'static str;

    /// What every point comes to when it is `to_play`'s turn.
    fn influence(&self, board: &AnyBoard, to_play: Color) -> Influence;

    /// Whether the expected owners were learned from how games ended, so that they say by themselves how safe stones are.
    fn is_learned(&self) -> bool;
}

impl InfluenceModel for Model {
    fn name(&self) -> &'static str {
        Model::name(self)
    }

    fn influence(&self, board: &AnyBoard, to_play: Color) -> Influence {
        self.spread(&Stones::of_game(board), to_play)
    }

    fn is_learned(&self) -> bool {
        matches!(self, Model::Tuned(_))
    }
}

/// A model with its constants.
#[derive(Clone)]
pub enum Model {
    /// Zobrist's.
    Zobrist(Zobrist),
    /// Ryder's.
    Ryder(Ryder),
    /// Chen's.
    Chen(Chen),
    /// The thesis's.
    Thesis(Thesis),
    /// Bouzy's.
    Bouzy(Bouzy),
    /// The learned one.
    Tuned(Arc<Tuned>),
}

impl Model {
    /// The models that need nothing learned, with their sources' constants.
    pub fn all() -> [Model; 5] {
        [
            Model::Zobrist(Zobrist::default()),
            Model::Ryder(Ryder::default()),
            Model::Chen(Chen::default()),
            Model::Thesis(Thesis::default()),
            Model::Bouzy(Bouzy::default()),
        ]
    }

    /// The same with the constants that fit finished games best; `docs/experiments/influence.md` has
    /// the command that found them.
    pub fn fitted() -> [Model; 5] {
        [
            Model::Zobrist(Zobrist { stone: 41, rounds: 20, given: 1, territory: 72 }),
            Model::Ryder(Ryder { stone: 41, neighbour: 14, territory: 13 }),
            Model::Chen(Chen { neighbour: 64, fade: 593, edge: 223, certain: 247, control: 16 }),
            Model::Thesis(Thesis {
                exponent: 8,
                reach: 11,
                stone_steps: 1,
                reflect: 0,
                territory: 93,
            }),
            Model::Bouzy(Bouzy { stone: 76, dilations: 12, erosions: 0, territory: 27 }),
        ]
    }

    /// Its name, as it is asked for.
    pub fn name(&self) -> &'static str {
        match self {
            Model::Zobrist(_) => "zobrist",
            Model::Ryder(_) => "ryder",
            Model::Chen(_) => "chen",
            Model::Thesis(_) => "thesis",
            Model::Bouzy(_) => "bouzy",
            Model::Tuned(_) => "tuned",
        }
    }

    /// What every point comes to. Only the tuned model asks whose turn it is.
    pub fn spread(&self, stones: &Stones, to_play: Color) -> Influence {
        match self {
            Model::Zobrist(model) => model.spread(stones),
            Model::Ryder(model) => model.spread(stones),
            Model::Chen(model) => model.spread(stones),
            Model::Thesis(model) => model.spread(stones),
            Model::Bouzy(model) => model.spread(stones),
            Model::Tuned(model) => model.spread(stones, to_play),
        }
    }

    /// Its constants, to look at.
    pub fn constants(&self) -> Option<&dyn Constants> {
        match self {
            Model::Zobrist(model) => Some(model),
            Model::Ryder(model) => Some(model),
            Model::Chen(model) => Some(model),
            Model::Thesis(model) => Some(model),
            Model::Bouzy(model) => Some(model),
            Model::Tuned(_) => None,
        }
    }

    /// Its constants, to change; the tuned model has none that a person sets.
    pub fn constants_mut(&mut self) -> Option<&mut dyn Constants> {
        match self {
            Model::Zobrist(model) => Some(model),
            Model::Ryder(model) => Some(model),
            Model::Chen(model) => Some(model),
            Model::Thesis(model) => Some(model),
            Model::Bouzy(model) => Some(model),
            Model::Tuned(_) => None,
        }
    }
}
