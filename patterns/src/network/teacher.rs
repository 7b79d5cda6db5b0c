//! What a network says of a position, and what the predictor of moves expects there.

use super::sample::{Origin, Sample};
use crate::predict::features;
use crate::predict::predictor::{Predictor, Scratch};
use go_engine::board::Site;
use go_network::{Asked, BoardSize, FeatureWriter, Network, Outputs, Position, Symmetry, Worker};

/// A network that is asked, with the space that this takes, for boards of one size.
pub struct Teacher<'a, const N: usize, const W: usize> {
    network: &'a Network,
    predictor: &'a Predictor,
    scratch: Scratch,
    writer: FeatureWriter<N, W>,
    worker: Worker,
    outputs: Outputs,
    /// The points in the network's order.
    sites: Vec<Site>,
}

impl<'a, const N: usize, const W: usize> Teacher<'a, N, W> {
    /// One for boards of this side.
    ///
    /// # Panics
    /// When the layout has no board of this side, or networks do not know it.
    pub fn new(network: &'a Network, predictor: &'a Predictor, side: u8) -> Self {
        let board = go_engine::Board::<N, W>::new(side, side).expect("a board of this layout");
        let points = (0..side).rev().flat_map(|row| (0..side).map(move |column| (column, row)));
        let sites = points
            .filter_map(|(column, row)| board.site(go_engine::Point::new(column, row)))
            .collect();
        Teacher {
            network,
            predictor,
            scratch: Scratch::default(),
            writer: FeatureWriter::new(network.strict_pass_alive()),
            worker: network.worker(BoardSize::square(usize::from(side)), 1),
            outputs: Default::default(),
            sites,
        }
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
        let (worker, outputs) = (&mut self.worker, &mut self.outputs);
        let asked = Asked { position, features: &features, symmetry };
        self.network.evaluate_position(worker, asked, &self.sites, outputs);
        let policy = outputs
            .policy(0.0, |index| self.sites.get(index).is_none_or(|&site| position.is_legal(site)));
        let said = self.network.evaluation(outputs, position.rules());
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
            owners: outputs.owners(),
            features,
            policy,
            played: None,
            outcome: [said.win, said.loss],
            score: [said.score_mean, said.score_spread(), said.lead],
            result: None,
            origin: Origin::SelfPlay,
            turn: 0,
            expected,
        }
    }
}
