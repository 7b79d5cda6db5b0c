//! The engine's settings: how the search is set up, then its tunables.

use std::path::Path;

use super::{GoEngine, LEVELS, NO_NETWORK};
use crate::gtp::params::{Param, Params};
use crate::options::is_to_be_had;
use crate::session::machine_params;
use tunables::Kind;

impl Params for GoEngine {
    fn params(&self) -> Vec<Param> {
        let [threads, memory] = machine_params(self.config.threads, self.config.memory_mib);
        let mut params = vec![
            threads,
            Param::new(
                "seed",
                Kind::Integer(0, i64::MAX),
                self.config.seed,
                "Where random choices begin; with one thread it repeats a game.",
            ),
            memory,
            Param::new(
                "level",
                Kind::Integer(0, i64::from(*LEVELS.end())),
                self.config.level.unwrap_or(0),
                "Plays weaker, 1 the weakest, however fast the machine is; 0 is full strength.",
            ),
            Param::new(
                "network",
                Kind::Text("built-in, none, or the path of a file"),
                self.network.as_ref().map_or(NO_NETWORK.into(), |(_, file)| file.to_string_lossy()),
                "The network that moves are searched with: the one inside the program, none, or a file, also one of KataGo's.",
            ),
            Param::new(
                "book",
                Kind::Text("built-in, off, or the path of a file"),
                self.books.name().to_string_lossy(),
                "The opening book that is played from: those inside the program, none, or a file of tesuji book make.",
            ),
        ];
        // Who has no network, or searches alone, need not read how that would be done otherwise.
        let is_of_use = [true, true, true, self.network.is_some(), self.role.is_some()];
        let tables = self.tunables.tables().into_iter().zip(is_of_use);
        let tables = tables.filter(|(_, is_of_use)| *is_of_use).map(|(table, _)| table);
        params.extend(tables.flat_map(|table| Param::rows(table, &["joseki"])));
        params
    }

    fn set_param(&mut self, name: &str, value: &str) -> Result<(), String> {
        let whole = |value: &str| value.parse::<u64>().map_err(|error| error.to_string());
        match name {
            "threads" => self.config.threads = whole(value)? as usize,
            "seed" => {
                // From here on everything repeats, whatever was played before.
                self.config.seed = whole(value)?;
                self.games = 0;
                self.forget();
                return Ok(());
            }
            "max_memory" => {
                let memory_mib = whole(value)?;
                is_to_be_had(memory_mib as usize)?;
                self.config.memory_mib = memory_mib;
            }
            "level" => {
                let level = whole(value)? as u8;
                let had_one = self.config.level.is_some();
                self.config.level = (level > 0).then_some(level);
                if had_one == self.config.level.is_some() {
                    return Ok(());
                }
            }
            "network" => {
                return self.use_network(Path::new(value)).map_err(|why| format!("{why:#}"));
            }
            "book" => return self.use_book(Path::new(value)).map_err(|why| format!("{why:#}")),
            _ => self.tunables.set(name, value).map_err(|error| error.to_string())?,
        }
        self.rebuild();
        Ok(())
    }
}
