//! How positions are searched side by side, as a command line says it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use clap::{Args, value_parser};
use go_patterns::knowledge::{Library, Patterns};

use super::{Pool, PositionSearcher};
use crate::go::engine::{EngineConfig, GoEngine};
use crate::go::network_file::OWN_NETWORK;
use crate::options::{default_memory, default_threads, threads};

/// How many positions at a time, and what each search may take.
#[derive(Args, Debug, Clone)]
pub struct PositionsArgs {
    /// Positions that are searched at a time [default: one for each processor]
    ///
    /// Fewer where there are not 8 MiB of memory for each.
    #[arg(long, aliases = ["analysis-threads", "num-analysis-threads"], value_name = "N", value_parser = threads())]
    pub positions: Option<u16>,

    /// Threads that search one position together [default: 1]
    #[arg(long, value_name = "N", value_parser = threads())]
    pub threads: Option<u16>,

    /// Memory that all searches together may take, in MiB
    #[arg(long, value_name = "MIB", default_value_t = default_memory(512), value_parser = value_parser!(u64).range(16..=1 << 20))]
    pub max_memory: u64,

    /// Seed of all random choices: with one thread for a search it repeats what is found
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u64).range(..=i64::MAX as u64))]
    pub seed: u64,

    /// The network that is searched with: built-in (on boards from 9x9 to 19x19), none, or a file, also one of KataGo's (.bin.gz)
    #[arg(long, value_name = "FILE", default_value = OWN_NETWORK)]
    pub network: PathBuf,
}

/// The minimum memory of one search, in MiB.
const MIN_MEMORY: u64 = 8;

impl PositionsArgs {
    /// Positions at a time.
    pub fn positions(&self) -> usize {
        let wanted = usize::from(self.positions.unwrap_or_else(default_threads));
        let room = usize::try_from(self.max_memory / MIN_MEMORY).unwrap_or(usize::MAX);
        wanted.min(room).max(1)
    }

    /// One worker's engine, from which the others are made: see [`GoEngine::another`].
    ///
    /// # Errors
    /// When the network cannot be used.
    pub fn engine(&self) -> Result<GoEngine> {
        let config = EngineConfig {
            threads: usize::from(self.threads.unwrap_or(1)),
            seed: self.seed,
            memory_mib: self.max_memory / self.positions() as u64,
            level: None,
        };
        let library = Arc::new(Library::built_in().context("cannot read what was learned")?);
        let mut engine = GoEngine::new(config, Patterns::Full, library);
        engine.use_network(&self.network)?;
        Ok(engine)
    }

    /// The workers, each with an engine like this one.
    pub fn pool_of(&self, engine: GoEngine) -> Pool<PositionSearcher> {
        let engine = Mutex::new(engine);
        Pool::new(self.positions(), move |_| {
            let engine = engine.lock().unwrap_or_else(PoisonError::into_inner);
            PositionSearcher::new(engine.another())
        })
    }

    /// The workers.
    ///
    /// # Errors
    /// When the network cannot be used.
    pub fn pool(&self) -> Result<Pool<PositionSearcher>> {
        Ok(self.pool_of(self.engine()?))
    }
}
