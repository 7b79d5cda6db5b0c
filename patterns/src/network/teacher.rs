//! What a network says of a position, and what the predictor of moves expects there.

use super::sample::{Origin, Sample};
use crate::knowledge::Library;
use crate::predict::features;
use crate::predict::predictor::{Predictor, Scratch};
use go_engine::board::Site;
use go_network::{
    BoardSize, FeatureWriter, Features, Network, NetworkQuery, Outputs, Position, Symmetry, Worker,
};
use std::sync::Arc;

/// A network that is asked, with the space that this takes, for boards of one size. Without a network, what it would say
/// is left open: zeros.
pub struct Teacher<'a, const N: usize, const W: usize> {
    network: Option<Asking<'a>>,
    library: &'a Arc<Library>,
    predictor: &'a Predictor,
    scratch: Scratch,
    writer: FeatureWriter<N, W>,
    /// The points in the network's order.
    sites: Vec<Site>,
}

/// The network, and what it computes with and writes to.
struct Asking<'a> {
    network: &'a Arc<Network>,
    worker: Worker,
    outputs: Outputs,
}

impl<'a, const N: usize, const W: usize> Teacher<'a, N, W> {
    /// One for boards of this side, with the predictor of what was learned.
    ///
    /// # Panics
    /// When the layout has no board of this side, networks do not know it, or what was learned cannot be read.
    pub fn new(network: Option<&'a Arc<Network>>, library: &'a Arc<Library>, side: u8) -> Self {
        let board = go_engine::Board::<N, W>::new(side, side).expect("a board of this layout");
        let points = (0..side).rev().flat_map(|row| (0..side).map(move |column| (column, row)));
        let sites = points
            .filter_map(|(column, row)| board.site(go_engine::Point::new(column, row)))
            .collect();
        Teacher {
            network: network.map(|network| Asking {
                network,
                worker: network.worker(BoardSize::square(usize::from(side)), 1),
                outputs: Default::default(),
            }),
            predictor: library.predictor(side).expect("what was learned can be read"),
            library,
            scratch: Scratch::default(),
            writer: FeatureWriter::new(network.is_none_or(|network| network.strict_pass_alive())),
            sites,
        }
    }

    /// The network.
    pub fn network(&self) -> Option<&'a Arc<Network>> {
        self.network.as_ref().map(|asking| asking.network)
    }

    /// What was learned beside it.
    pub fn library(&self) -> &'a Arc<Library> {
        self.library
    }

    /// The site of an index of a policy; a pass follows the points.
    pub fn site(&self, index: usize) -> Site {
        self.sites.get(index).copied().unwrap_or(Site::PASS)
    }

    /// The index of a site.
    pub fn index(&self, site: Site) -> usize {
        self.sites.iter().position(|&other| other == site).unwrap_or(self.sites.len())
    }

    /// What is to be learned of a position. The network sees it turned by `symmetry`.
    pub fn ask(&mut self, position: &Position<N, W>, symmetry: Symmetry) -> Sample {
        let features = self.writer.write(position);
        let said = match &mut self.network {
            Some(asking) => asking.ask(position, &features, &self.sites, symmetry),
            None => Said::nothing(self.sites.len()),
        };
        let mut expected = vec![0.0; self.sites.len()];
        let (board, mover, last) = (position.board(), position.to_play(), position.last_sites());
        let asked = features::Position { board, mover, last };
        let predicted = self.predictor.predict(asked, &mut self.scratch);
        let mut by_site = [0.0; N];
        for (site, &chance) in predicted.moves().iter().zip(predicted.probabilities()) {
            by_site[usize::from(site.0)] = chance;
        }
        for (&site, chance) in self.sites.iter().zip(&mut expected) {
            *chance = by_site[usize::from(site.0)];
        }
        Sample {
            owners: said.owners,
            features,
            policy: said.policy,
            played: None,
            outcome: said.outcome,
            score: said.score,
            result: None,
            origin: Origin::SelfPlay,
            turn: 0,
            expected,
        }
    }
}

/// What a network says of a position, as [`Sample`] has it.
struct Said {
    policy: Vec<f32>,
    outcome: [f32; 2],
    score: [f32; 3],
    owners: Vec<f32>,
}

impl Said {
    fn nothing(area: usize) -> Said {
        Said {
            policy: vec![0.0; area + 1],
            outcome: [0.0; 2],
            score: [0.0; 3],
            owners: vec![0.0; area],
        }
    }
}

impl Asking<'_> {
    fn ask<const N: usize, const W: usize>(
        &mut self,
        position: &Position<N, W>,
        features: &Features,
        sites: &[Site],
        symmetry: Symmetry,
    ) -> Said {
        let asked = NetworkQuery { position, features, symmetry };
        self.network.evaluate_position(&mut self.worker, asked, sites, &mut self.outputs);
        let is_legal = |index| sites.get(index).is_none_or(|&site| position.is_legal(site));
        let found = self.network.evaluation(&self.outputs, position.rules());
        Said {
            policy: self.outputs.policy(0.0, is_legal),
            outcome: [found.win, found.loss],
            score: [found.score_mean, found.score_spread(), found.lead],
            owners: self.outputs.owners(),
        }
    }
}
