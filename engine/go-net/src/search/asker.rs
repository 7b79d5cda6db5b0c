//! What a thread asks a network with.

use super::cache::Evaluated;
use super::params::NetworkParams;
use super::utility::Value;
use crate::features::{FeatureWriter, Features};
use crate::network::{Network, NetworkQuery, Worker};
use crate::output::{Evaluation, Outputs};
use crate::position::Position;
use game_core::Symmetry;
use go_engine::Color;
use go_engine::board::{Board, Site};
use nn::BoardSize;

/// Below the root, moves less likely than this are left out: together they are hardly ever right.
const MIN_CHANCE: f32 = 1e-5;
/// The most that a pass may be expected where it would end the game: a twentieth is left for moves (as in KataGo).
const MAX_ENDING_PASS: f32 = 0.95;

/// The points of a board in a network's order: row by row from the top.
#[derive(Clone, Debug)]
pub(super) struct Points {
    pub size: BoardSize,
    pub sites: Vec<Site>,
}

impl Points {
    pub fn of<const N: usize, const W: usize>(board: &Board<N, W>) -> Points {
        let (width, height) = (board.width(), board.height());
        let point = move |row| (0..width).map(move |column| go_engine::Point::new(column, row));
        let points = (0..height).rev().flat_map(point);
        Points {
            size: BoardSize { width: usize::from(width), height: usize::from(height) },
            sites: points.filter_map(|point| board.site(point)).collect(),
        }
    }

    /// The move of an index into a policy.
    pub fn site(&self, index: usize) -> Site {
        self.sites.get(index).copied().unwrap_or(Site::PASS)
    }
}

/// How a policy is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub optimism: f32,
    pub temperature: f32,
    /// Whether all legal moves are wanted, or only those with a chance.
    pub all_moves: bool,
}

/// One thread's tools.
pub(super) struct Asker<const N: usize, const W: usize> {
    writer: FeatureWriter<N, W>,
    worker: Worker,
    outputs: Vec<Outputs>,
    /// How many leaves are asked about at once.
    batch: usize,
    /// Whether the predictor of moves is asked too.
    predictor: bool,
}

impl<const N: usize, const W: usize> Asker<N, W> {
    /// Tools to ask as these parameters say.
    pub fn new(network: &Network, size: BoardSize, params: &NetworkParams) -> Self {
        let writer = FeatureWriter::new(network.strict_pass_alive());
        let (batch, predictor) = (params.network_batch as usize, params.network_predictor);
        let mut worker = network.worker(size, batch);
        if !predictor {
            worker.forget_move_model();
        }
        Asker { writer, worker, outputs: Vec::new(), batch, predictor }
    }

    /// Whether it asks as these parameters say.
    pub fn fits(&self, params: &NetworkParams) -> bool {
        (self.batch, self.predictor) == (params.network_batch as usize, params.network_predictor)
    }

    /// How many leaves are asked about at once.
    pub fn batch(&self) -> usize {
        self.batch
    }

    /// What the network says of a position, in the mean over some symmetries.
    pub fn ask(
        &mut self,
        network: &Network,
        (position, points): (&Position<N, W>, &Points),
        symmetries: &[Symmetry],
        reading: Reading,
    ) -> Evaluated {
        let features = self.writer.write_for_play(position);
        let asked = |&symmetry: &Symmetry| NetworkQuery { position, features: &features, symmetry };
        let asked: Vec<NetworkQuery<'_, N, W>> = symmetries.iter().map(asked).collect();
        self.evaluate(network, points, &asked);
        let said = &self.outputs[..asked.len()];
        mean(network, (position, points), said, reading)
    }

    /// What the network says of some positions at once, each seen in one way.
    pub fn ask_each(
        &mut self,
        network: &Network,
        (positions, points): (&[(&Position<N, W>, Symmetry)], &Points),
        reading: Reading,
    ) -> Vec<Evaluated> {
        let writer = &mut self.writer;
        let features: Vec<Features> =
            positions.iter().map(|(position, _)| writer.write_for_play(position)).collect();
        let asked =
            |(&(position, symmetry), features)| NetworkQuery { position, features, symmetry };
        let asked: Vec<NetworkQuery<'_, N, W>> =
            positions.iter().zip(&features).map(asked).collect();
        self.evaluate(network, points, &asked);
        let said = positions.iter().zip(&self.outputs);
        said.map(|(&(position, _), said)| {
            mean(network, (position, points), std::slice::from_ref(said), reading)
        })
        .collect()
    }

    fn evaluate(&mut self, network: &Network, points: &Points, asked: &[NetworkQuery<'_, N, W>]) {
        let count = asked.len();
        if self.outputs.len() < count {
            self.outputs.resize_with(count, Outputs::default);
        }
        let outputs = &mut self.outputs[..count];
        network.evaluate_positions(&mut self.worker, asked, &points.sites, outputs);
    }
}

/// What the network said of a position, in the mean over the ways in which it saw it.
fn mean<const N: usize, const W: usize>(
    network: &Network,
    (position, points): (&Position<N, W>, &Points),
    said: &[Outputs],
    reading: Reading,
) -> Evaluated {
    let area = points.sites.len();
    let is_legal: Vec<bool> =
        (0..=area).map(|index| position.is_legal(points.site(index))).collect();
    let mut policy = vec![0.0; area + 1];
    let mut owners = vec![0.0; area];
    let mut value = Value::default();
    let mut square = 0.0;
    let share = 1.0 / said.len() as f32;
    // The other policy of such a network means to please, not to win.
    let optimism = if network.knows_experts() { 0.0 } else { reading.optimism };
    let sign = if position.to_play() == Color::Black { 1.0 } else { -1.0 };
    for outputs in said {
        let chances = outputs.policy(optimism, |index| is_legal[index]);
        add(&mut policy, &chances, share);
        add(&mut owners, &outputs.owners(), share * sign);
        let said = network.evaluation(outputs, position.rules());
        let Evaluation { win, loss, score_mean, lead, .. } = said;
        value.win += share * (0.5 + 0.5 * sign * (win - loss));
        value.score += share * sign * score_mean;
        value.lead += share * sign * lead;
        square += share * said.score_square;
    }
    value.spread = (square - value.score * value.score).max(0.0).sqrt();
    if reading.temperature != 1.0 {
        let power = 1.0 / reading.temperature;
        policy.iter_mut().for_each(|chance| *chance = chance.powf(power));
    }
    if position.pass_ends() {
        let others: f32 = policy[..area].iter().sum();
        let max = others * MAX_ENDING_PASS / (1.0 - MAX_ENDING_PASS);
        policy[area] = policy[area].min(max.max(f32::MIN_POSITIVE));
    }
    let sum: f32 = policy.iter().sum::<f32>().max(f32::MIN_POSITIVE);
    let min_chance = if reading.all_moves { 0.0 } else { MIN_CHANCE };
    let moves = policy.iter().zip(&is_legal).enumerate();
    let mut moves: Vec<(u16, f32)> = moves
        .map(|(index, (&chance, &legal))| (index as u16, chance / sum, legal))
        .filter(|&(_, chance, legal)| legal && chance >= min_chance)
        .map(|(index, chance, _)| (index, chance))
        .collect();
    moves.sort_by(|a, b| b.1.total_cmp(&a.1));
    Evaluated {
        policy: moves.into(),
        value,
        ownership: owners.into_iter().map(Evaluated::pack_owner).collect(),
    }
}

fn add(sums: &mut [f32], more: &[f32], share: f32) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += share * more;
    }
}
