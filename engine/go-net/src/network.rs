//! A network ready to be asked: its layers packed for this processor, shared by all threads, and what each thread works in.

use crate::features::Features;
use crate::file::{Multipliers, NetworkFile};
use crate::model::{Model, ModelState};
use crate::output::{Evaluation, Outputs};
use crate::rules::NetworkRules;
use nn::{BoardSize, Kernels};

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
}

/// What a thread works in: space for up to so many boards of one size.
#[derive(Debug)]
pub struct Worker {
    state: ModelState,
    batch: usize,
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
        }
    }

    /// The network's own name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is computed by.
    pub fn kernels(&self) -> Kernels {
        self.kernels
    }

    /// What [`FeatureWriter::new`](crate::FeatureWriter::new) asks for.
    pub fn strict_pass_alive(&self) -> bool {
        self.strict_pass_alive
    }

    /// What a thread needs to ask of up to `batch` positions of one size at once.
    ///
    /// # Panics
    /// When a side is below 2 or above 19, or the batch is 0.
    pub fn worker(&self, size: BoardSize, batch: usize) -> Worker {
        let sides = 2..=crate::features::MAX_SIDE;
        assert!(sides.contains(&size.width) && sides.contains(&size.height) && batch > 0);
        Worker { state: self.model.state(size, batch), batch }
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

    /// Reads what the network said of a position under some rules.
    pub fn evaluation(&self, outputs: &Outputs, rules: &NetworkRules) -> Evaluation {
        outputs.evaluation(self.version, &self.multipliers, rules)
    }
}
