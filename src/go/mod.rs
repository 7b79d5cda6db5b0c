//! Go over GTP, and the tools around its engine.
//!
//! A [`Go`] session is the one of all games ([`crate::session`]) with this game's rules and words ([`game`]), its engine
//! ([`engine`]) and commands of its own, each module below with its part.

pub mod analysis;
pub mod bench;
mod bench_ratio;
pub mod book;
pub mod cli;
pub mod cluster;
pub mod diagram;
mod display;
pub mod doctor;
mod early;
mod easy_win;
pub mod engine;
pub mod estimate;
pub mod eval;
pub mod game;
mod handicap;
pub mod joseki;
pub mod level;
pub mod network;
mod network_file;
mod params;
mod position;
pub mod positions;
mod queries;
mod raw;
mod readings;
pub mod record;
pub mod recorded;
pub mod review;
mod rules;
mod score;
mod searcher;
pub mod selfplay;
mod small_board;
mod static_evaluation;
pub mod train;
mod tree;

use go_engine::Game;

use crate::gtp::Commands;
use crate::session::{self, Session};

/// A session: one game after another over one connection.
pub type Go = Session<Game>;

/// Everything that a session answers to.
pub fn commands() -> Commands<Go> {
    let mut commands: Commands<Go> = session::commands();
    session::add_seed(&mut commands);
    queries::register(&mut commands);
    readings::register(&mut commands);
    position::register(&mut commands);
    raw::register(&mut commands);
    handicap::register(&mut commands);
    rules::register(&mut commands);
    score::register(&mut commands);
    display::register(&mut commands);
    tree::register(&mut commands);
    book::gogui::register(&mut commands);
    joseki::gogui::register(&mut commands);
    estimate::gogui::register(&mut commands);
    commands
}
