//! A network ready to be asked: its layers packed for this processor, shared by all threads, and what each thread works in.

use crate::features::{Features, MAX_SIDE};
use crate::file::{Multipliers, NetworkError, NetworkFile};
use crate::model::{Model, ModelState};
use crate::move_model::{AnyLayout, MoveModel, MoveReader, UNEXPECTED};
use crate::output::{Evaluation, Outputs};
use crate::position::Position;
use crate::probe;
use crate::rules::NetworkRules;
use game_core::Symmetry;
use go_engine::Game;
use go_engine::board::Site;
use nn::{BoardSize, Kernels, Numbers};
use std::path::Path;
use std::sync::Arc;

/// A network packed for some kernels. It never changes, and any number of threads may ask it at once, each with a
/// [`Worker`] of its own.
#[derive(Debug)]
pub struct Network {
    name: String,
    version: u32,
    multipliers: Multipliers,
    strict_pass_alive: bool,
    kernels: Kernels,
    model: Model,
    /// What expects moves beside it, and how much its word counts in each of the two policies.
    beside: Option<([f32; 2], Arc<dyn MoveModel>)>,
    /// The minimum side of a board that it knows.
    min_side: u8,
}

/// Positions by which whole numbers are compared with floats before they are used: side of the board, and how many.
const CHECKED: [(u8, usize); 2] = [(9, 10), (19, 6)];
/// The minimum share of them in which the best moves have to be the same, and how far chances of moves may differ.
const MIN_AGREEMENT: f32 = 0.93;
const MAX_DIFFERENCE: f32 = 0.05;

/// How far one way to compute a network agrees with another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Agreement {
    /// Positions that were compared.
    pub positions: usize,
    /// In how many of them both find the same move best.
    pub same_best: usize,
    /// The largest difference of a chance of a move.
    pub policy: f32,
    /// The largest difference of a chance to win.
    pub win: f32,
}

impl Agreement {
    /// Compares two ways on some positions of one size.
    ///
    /// # Panics
    /// When the positions are of several sizes.
    pub fn add(&mut self, one: &Network, other: &Network, positions: &[Features]) {
        let Some(first) = positions.first() else { return };
        let [expected, found] = [one, other].map(|network| {
            let mut outputs = vec![Outputs::default(); positions.len()];
            network.evaluate(&mut network.worker(first.size, 4), positions, &mut outputs);
            outputs
        });
        for ((expected, found), position) in expected.iter().zip(&found).zip(positions) {
            let is_free = |index: usize| {
                index == position.size.area()
                    || ![1, 2, 6].iter().any(|&plane| position.get(plane, index))
            };
            let [a, b] = [expected, found].map(|outputs| outputs.policy(0.0, is_free));
            let best = |policy: &[f32]| {
                (0..policy.len()).max_by(|&i, &j| policy[i].total_cmp(&policy[j]).then(j.cmp(&i)))
            };
            self.positions += 1;
            self.same_best += usize::from(best(&a) == best(&b));
            let difference = a.iter().zip(&b).map(|(a, b)| (a - b).abs());
            self.policy = difference.fold(self.policy, f32::max);
            let win = |outputs: &Outputs| {
                let mut outcome = outputs.outcome;
                nn::softmax(&mut outcome);
                outcome[0]
            };
            self.win = self.win.max((win(expected) - win(found)).abs());
        }
    }

    /// Whether one may stand for the other.
    fn is_good(&self) -> bool {
        self.same_best as f32 >= MIN_AGREEMENT * self.positions as f32
            && self.policy <= MAX_DIFFERENCE
            && self.win <= MAX_DIFFERENCE
    }
}

/// What a thread works in: space for up to so many boards of one size.
#[derive(Debug)]
pub struct Worker {
    state: ModelState,
    batch: usize,
    reader: Option<Box<dyn MoveReader>>,
}

impl Worker {
    /// From now on nothing is asked of what expects moves beside the network.
    pub(crate) fn forget_move_model(&mut self) {
        self.reader = None;
    }

    /// The logarithms of the chances that are expected of moves beside the network, by site; none where nothing is asked.
    fn expected<const N: usize, const W: usize>(
        &mut self,
        position: &Position<N, W>,
    ) -> Option<[f32; N]> {
        let reader = self.reader.as_mut()?;
        let board = AnyLayout::of(position.board())?;
        let mut expected = [UNEXPECTED; N];
        let (mover, last) = (position.to_play(), position.last_sites());
        reader.policy(board, mover, last, &mut |site, chance| {
            expected[usize::from(site.0)] = chance.ln().max(UNEXPECTED);
        });
        Some(expected)
    }
}

/// A position that a network is asked about.
#[derive(Clone, Copy)]
pub struct NetworkQuery<'a, const N: usize, const W: usize> {
    /// The position.
    pub position: &'a Position<N, W>,
    /// What the network is shown of it.
    pub features: &'a Features,
    /// How the board is turned before, and what is said turned back.
    pub symmetry: Symmetry,
}

impl Network {
    /// Packs a network for some kernels.
    pub fn new(file: &NetworkFile, kernels: Kernels) -> Network {
        let model = Model::new(file, kernels);
        Network {
            name: file.name.clone(),
            version: file.version,
            multipliers: file.multipliers,
            strict_pass_alive: file.strict_pass_alive,
            kernels,
            model,
            beside: None,
            min_side: 2,
        }
    }

    /// The same network with what expects moves beside it: logarithms of chances count so much in the logits of each policy.
    /// The second policy of such a network is not an optimistic one: it says what experts would play.
    pub fn with_move_model(self, weights: [f32; 2], model: Arc<dyn MoveModel>) -> Network {
        Network { beside: Some((weights, model)), ..self }
    }

    /// The same network, taught on no board with a side below this one.
    pub fn with_min_side(self, min_side: u8) -> Network {
        Network { min_side, ..self }
    }

    /// Whether it knows boards of a game's size.
    pub fn knows(&self, game: &Game) -> bool {
        self.knows_size(game.board().width(), game.board().height())
    }

    /// Whether it knows boards of so many columns and rows.
    pub fn knows_size(&self, width: u8, height: u8) -> bool {
        let sides = self.min_side..=MAX_SIDE as u8;
        sides.contains(&width) && sides.contains(&height)
    }

    /// Whether its second policy says what experts would play.
    pub fn knows_experts(&self) -> bool {
        self.beside.is_some()
    }

    /// Reads a file and packs its network for the kernels that are best here.
    ///
    /// # Errors
    /// When the file cannot be read, or holds no network that this program can use.
    pub fn open(path: &Path) -> Result<Network, NetworkError> {
        Ok(Network::with_best_kernels(&NetworkFile::open(path)?))
    }

    /// Packs a network for the kernels that are best here: whole numbers wherever there are vectors, if they find the same
    /// moves as floats; else floats. The choice depends on the processor and the network alone, so that a game can be
    /// repeated.
    pub fn with_best_kernels(file: &NetworkFile) -> Network {
        let [float, int16] = [Numbers::Float, Numbers::Int16]
            .map(|numbers| Kernels { level: simd::level(), numbers });
        let exact = Network::new(file, float);
        if simd::level() == simd::Level::SCALAR {
            return exact;
        }
        let fast = Network::new(file, int16);
        let mut agreement = Agreement::default();
        for (side, count) in CHECKED {
            let positions = probe::positions(side, count, file.strict_pass_alive);
            agreement.add(&exact, &fast, &positions);
        }
        if agreement.is_good() { fast } else { exact }
    }

    /// Whether what it says of a position are no numbers: weights that are finite, each of them, may overflow together.
    pub fn overflows(&self) -> bool {
        let positions = probe::positions(self.min_side.max(9), 2, self.strict_pass_alive);
        let mut outputs = vec![Outputs::default(); positions.len()];
        self.evaluate(&mut self.worker(positions[0].size, 2), &positions, &mut outputs);
        outputs.iter().any(|outputs| {
            let lists = [&outputs.policy, &outputs.optimistic_policy, &outputs.ownership];
            let rest = outputs.outcome.iter().chain(&outputs.misc);
            !lists.into_iter().flatten().chain(rest).all(|number| number.is_finite())
        })
    }

    /// The network's own name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The version of its file.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// What it is computed by.
    pub fn kernels(&self) -> Kernels {
        self.kernels
    }

    /// What [`FeatureWriter::new`](crate::FeatureWriter::new) asks for.
    pub fn strict_pass_alive(&self) -> bool {
        self.strict_pass_alive
    }

    /// Over how many ways to turn the board a root is averaged of so many that are wanted. Without vectors an evaluation
    /// takes what a whole short move may take: so it is one.
    pub fn root_symmetries(&self, wanted: u32) -> usize {
        match self.kernels.level == simd::Level::SCALAR {
            true => 1,
            false => wanted as usize,
        }
    }

    /// How many positions of a size are best asked of at once; more gain nothing.
    pub fn best_batch(&self, size: BoardSize) -> usize {
        self.model.best_batch(size)
    }

    /// What a thread needs to ask of up to `batch` positions of one size at once.
    ///
    /// # Panics
    /// When a side is below 2 or above 19, or the batch is 0.
    pub fn worker(&self, size: BoardSize, batch: usize) -> Worker {
        let sides = 2..=MAX_SIDE;
        assert!(sides.contains(&size.width) && sides.contains(&size.height) && batch > 0);
        // Larger batches are parted, as evenly as can be.
        let together = self.best_batch(size).min(batch);
        let batch = batch.div_ceil(batch.div_ceil(together));
        let reader = self.beside.as_ref().map(|(_, model)| model.reader());
        Worker { state: self.model.state(size, batch), batch, reader }
    }

    /// What the network says of some positions, any number of the worker's size. What it says of one depends on nothing
    /// but that position: not on the others, nor on their order.
    ///
    /// # Panics
    /// When a position has another size than the worker, or there are not as many outputs as positions.
    pub fn evaluate(&self, worker: &mut Worker, positions: &[Features], outputs: &mut [Outputs]) {
        assert_eq!(positions.len(), outputs.len());
        let parts = positions.chunks(worker.batch).zip(outputs.chunks_mut(worker.batch));
        for (positions, outputs) in parts {
            self.model.forward(&mut worker.state, positions, outputs);
        }
    }

    /// What the network says of a position, of whose board it sees another side, with what is expected beside it. `sites`
    /// are the points of the board in the network's order.
    pub fn evaluate_position<const N: usize, const W: usize>(
        &self,
        worker: &mut Worker,
        asked: NetworkQuery<'_, N, W>,
        sites: &[Site],
        outputs: &mut Outputs,
    ) {
        self.evaluate_positions(worker, &[asked], sites, std::slice::from_mut(outputs));
    }

    /// The same of several positions on boards of one size.
    ///
    /// # Panics
    /// As [`Network::evaluate`].
    pub fn evaluate_positions<const N: usize, const W: usize>(
        &self,
        worker: &mut Worker,
        asked: &[NetworkQuery<'_, N, W>],
        sites: &[Site],
        outputs: &mut [Outputs],
    ) {
        let turned: Vec<Features> =
            asked.iter().map(|asked| asked.features.transformed(asked.symmetry)).collect();
        self.evaluate(worker, &turned, outputs);
        for (asked, outputs) in asked.iter().zip(&mut *outputs) {
            outputs.undo_symmetry(asked.features.size, asked.symmetry);
        }
        let Some((weights, _)) = &self.beside else { return };
        let (mut expected, mut known): (_, Option<&Position<N, W>>) = ([UNEXPECTED; N], None);
        for (asked, outputs) in asked.iter().zip(outputs) {
            // One position may be asked about from several sides.
            if !known.is_some_and(|known| std::ptr::eq(known, asked.position)) {
                let Some(now) = worker.expected(asked.position) else { continue };
                (expected, known) = (now, Some(asked.position));
            }
            let policies = [&mut outputs.policy, &mut outputs.optimistic_policy];
            for (policy, weight) in policies.into_iter().zip(weights) {
                for (logit, site) in policy.iter_mut().zip(sites) {
                    *logit += weight * expected[usize::from(site.0)];
                }
            }
        }
    }

    /// Reads what the network said of a position under some rules.
    pub fn evaluation(&self, outputs: &Outputs, rules: &NetworkRules) -> Evaluation {
        outputs.evaluation(self.version, &self.multipliers, rules)
    }
}
