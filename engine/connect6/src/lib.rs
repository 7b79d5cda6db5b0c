//! The rules of Connect6 and its relatives, threats, and how a game is searched.

pub mod board;
pub mod book;
pub mod candidates;
pub mod defences;
pub mod eval;
pub mod game;
pub mod geometry;
pub mod learn;
pub mod pattern;
pub mod point;
pub mod point_set;
pub mod rules;
pub mod search;
pub mod shape;
pub mod tss;
pub mod weights;
pub mod windows;

pub use board::Board;
pub use game::{Game, Outcome, PlayError, ToMove};
pub use game_core::Color;
pub use point::{MAX_POINTS, MAX_SIDE, Point, Turn};
pub use point_set::PointSet;
pub use rules::{Rules, RulesError};
