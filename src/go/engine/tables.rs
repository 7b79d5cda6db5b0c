//! The tunables of everything that chooses a move: the defaults for the size of the board, and what a user set.

use go_engine::params::Params as SearchParams;
use go_network::NetworkParams;
use go_patterns::params::Params as PatternParams;
use tunables::{BoardSize, Error, Table};

use crate::cluster::ClusterParams;
use crate::go::params::Params as PlayParams;

/// All tables, as they are on boards of one size.
#[derive(Clone, Default)]
pub(super) struct Tunables {
    pub search: SearchParams,
    pub patterns: PatternParams,
    pub play: PlayParams,
    pub network: NetworkParams,
    pub cluster: ClusterParams,
    size: BoardSize,
    /// What was set by name, in that order: it holds on boards of every size.
    chosen: Vec<(String, String)>,
}

impl Tunables {
    /// All tables, in the order in which a person should see them.
    pub fn tables(&self) -> [&dyn Table; 5] {
        [&self.search, &self.patterns, &self.play, &self.network, &self.cluster]
    }

    /// Sets a tunable, on boards of every size.
    ///
    /// # Errors
    /// When none has this name, or it does not take the value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Error> {
        let Tunables { search, patterns, play, network, cluster, .. } = self;
        let tables: [&mut dyn Table; 5] = [search, patterns, play, network, cluster];
        tunables::set(tables, name, value)?;
        self.chosen.retain(|(other, _)| other != name);
        self.chosen.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    /// Takes what is best on boards of this size, but for what was set. False when that changes nothing. The network's
    /// and the cluster's tunables are the same on all boards.
    pub fn fit(&mut self, size: BoardSize) -> bool {
        if size == self.size {
            return false;
        }
        self.size = size;
        let before = (self.search.clone(), self.patterns.clone(), self.play.clone());
        (self.search, self.patterns, self.play) =
            (Table::on(size), Table::on(size), Table::on(size));
        for (name, value) in &self.chosen {
            let tables: [&mut dyn Table; 3] =
                [&mut self.search, &mut self.patterns, &mut self.play];
            // Those of the other tables have their values still.
            let _ = tunables::set(tables, name, value);
        }
        before != (self.search.clone(), self.patterns.clone(), self.play.clone())
    }
}
