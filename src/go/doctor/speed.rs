//! How fast this program searches here.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use go_engine::Game;
use go_patterns::knowledge::{Library, Patterns};

use crate::go::engine::{EngineConfig, GoEngine};
use crate::go::network_file::OWN_NETWORK;
use crate::session::{Engine as _, Filter, Purpose, Query, Upkeep as _};

/// The boards that it is measured on.
pub const SIDES: [u8; 3] = [9, 13, 19];

/// The engine as it plays unless told otherwise.
///
/// # Errors
/// When what was learned cannot be read.
pub fn engine(threads: u16) -> Result<GoEngine> {
    let config =
        EngineConfig { threads: usize::from(threads), seed: 1, memory_mib: 512, level: None };
    let library = Arc::new(Library::built_in().context("cannot read what was learned")?);
    let mut engine = GoEngine::new(config, Patterns::Full, library);
    engine.use_network(Path::new(OWN_NETWORK))?;
    Ok(engine)
}

/// Visits a second of a search of the empty board.
///
/// # Errors
/// When there is no such board.
pub fn measure(engine: &mut GoEngine, side: u8, limit: Duration) -> Result<f64> {
    let mut game = Game::new(side, side).context("no such board")?;
    game.set_komi(7.5);
    engine.new_game();
    engine.warm_up(&game);
    let began = Instant::now();
    let stop = || began.elapsed() >= limit;
    let query = Query {
        game: &game,
        color: game.to_play(),
        purpose: Purpose::Analysis,
        visits: None,
        deadlines: None,
        filter: &Filter::NONE,
        stop: &stop,
        resign_below: 0.0,
        pace: None,
    };
    let report = engine.search(&query, &mut |_| {});
    Ok(report.visits as f64 / began.elapsed().as_secs_f64().max(1e-9))
}
