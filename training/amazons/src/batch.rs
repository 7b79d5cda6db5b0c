//! Lessons as numbers for a loss.

use amazons_engine::Position;
use amazons_engine::eval::Weights;
use amazons_engine::learn::Lesson;
use amazons_engine::net::gemm::Row;
use amazons_engine::net::input::{PLANES, input};
use amazons_engine::net::lean::{MOST, ask};
use amazons_engine::net::planes::{AREA, QUEENS, number, planes};
use burn_tensor::{Device, Tensor, TensorData};

/// What is added to the logit of an illegal choice.
const ILLEGAL: f32 = -1e9;

/// Lessons of one stage, either queens' moves or arrows.
pub struct Batch {
    /// How many.
    pub size: usize,
    /// 0 for queens' moves, 1 for arrows.
    pub stage: usize,
    /// Rows of 100 outputs: the queens that may move, or the one that shoots; for the patent's Move-Net all squares.
    pub sources: usize,
    planes: Vec<f32>,
    /// For the lean network: 1 at the square of each source.
    from: Vec<f32>,
    /// For the lean network: the evaluation's logits of the choices, and of the positions.
    judged: Vec<f32>,
    logits: Vec<f32>,
    mask: Vec<f32>,
    targets: Vec<f32>,
    values: Vec<f32>,
}

/// The tensors of a batch.
pub struct Tensors {
    /// The input, batch x planes x 10 x 10.
    pub planes: Tensor<4>,
    /// Batch x sources x 100.
    pub from: Tensor<3>,
    /// Batch x outputs.
    pub judged: Tensor<2>,
    /// Batch x 1.
    pub logits: Tensor<2>,
    /// Batch x outputs: 0, or far below for illegal ones.
    pub mask: Tensor<2>,
    /// Batch x outputs: shares, together 1.
    pub targets: Tensor<2>,
    /// Batch x 1: the chance that is learned.
    pub values: Tensor<2>,
}

impl Batch {
    /// Lessons of one stage for the lean network, which learns the search's visits, and of the result and the search's
    /// chance the mean.
    pub fn lean(lessons: &[Lesson], weights: &Weights) -> Batch {
        let stage = usize::from(lessons.first().is_some_and(|lesson| lesson.shooter.is_some()));
        let sources = if stage == 0 { QUEENS } else { 1 };
        let mut batch = Batch::empty(lessons.len(), stage, sources, sources * AREA);
        let mut rows: Vec<Row> = Vec::with_capacity(PLANES);
        for (at, lesson) in lessons.iter().enumerate() {
            input(&lesson.position, lesson.shooter, &mut rows);
            rows.iter().for_each(|row| batch.planes.extend(&row[..AREA]));
            let queens: Vec<_> = match lesson.shooter {
                Some(shooter) => vec![shooter],
                None => {
                    lesson.position.queens(lesson.position.to_move()).iter().take(QUEENS).collect()
                }
            };
            for (source, &queen) in queens.iter().enumerate() {
                batch.from[(at * sources + source) * AREA + number(queen)] = 1.0;
            }
            let row = at * sources * AREA;
            let output = |from, to| {
                let source = queens.iter().position(|&queen| queen == from)?;
                Some(row + source * AREA + number(to))
            };
            let (logit, asked) = ask(weights, &lesson.position, lesson.shooter);
            for choice in asked {
                if let Some(output) = output(choice.from, choice.to) {
                    batch.mask[output] = 0.0;
                    batch.judged[output] = choice.logit.clamp(-MOST, MOST);
                }
            }
            let all: u32 = lesson.visits.iter().map(|visit| visit.2).sum();
            for &(from, to, visits) in &lesson.visits {
                if let Some(output) = output(from, to) {
                    batch.targets[output] += visits as f32 / all.max(1) as f32;
                }
            }
            batch.logits.push(logit.clamp(-MOST, MOST));
            batch.values.push(0.5 * f32::from(u8::from(lesson.won)) + 0.5 * lesson.chance);
        }
        batch
    }

    /// Lessons of one stage for the patent's networks, which learn what was played and the result.
    pub fn literal(lessons: &[Lesson]) -> Batch {
        let stage = usize::from(lessons.first().is_some_and(|lesson| lesson.shooter.is_some()));
        let sources = if stage == 0 { AREA } else { 1 };
        let mut batch = Batch::empty(lessons.len(), stage, sources, 0);
        for (at, lesson) in lessons.iter().enumerate() {
            for plane in planes(&lesson.position) {
                batch.planes.extend(plane.iter().map(|mean| mean / 100.0));
            }
            let row = at * sources * AREA;
            let output =
                |from, to| row + if stage == 0 { number(from) * AREA } else { 0 } + number(to);
            let position: &Position = &lesson.position;
            match lesson.shooter {
                Some(from) => {
                    for to in position.destinations(from) {
                        batch.mask[output(from, to)] = 0.0;
                    }
                }
                None => {
                    for from in position.queens(position.to_move()) {
                        for to in position.destinations(from) {
                            batch.mask[output(from, to)] = 0.0;
                        }
                    }
                }
            }
            batch.targets[output(lesson.played.0, lesson.played.1)] = 1.0;
            batch.logits.push(0.0);
            batch.values.push(f32::from(u8::from(lesson.won)));
        }
        batch
    }

    /// A batch without lessons; `paired` numbers of each are for the lean network alone.
    fn empty(size: usize, stage: usize, sources: usize, paired: usize) -> Batch {
        let outputs = size * sources * AREA;
        Batch {
            size,
            stage,
            sources,
            planes: Vec::new(),
            from: vec![0.0; size * paired],
            judged: vec![0.0; size * paired],
            logits: Vec::with_capacity(size),
            mask: vec![ILLEGAL; outputs],
            targets: vec![0.0; outputs],
            values: Vec::with_capacity(size),
        }
    }

    /// The batch on a device.
    pub fn tensors(&self, device: &Device) -> Tensors {
        let (size, outputs) = (self.size, self.sources * AREA);
        let channels = self.planes.len() / (size * AREA).max(1);
        let flat = |numbers: &[f32], columns: usize| {
            let data = TensorData::new(numbers.to_vec(), [size, columns]);
            Tensor::<2>::from_data(data, device)
        };
        // Only the lean network's batches have them.
        let paired = self.from.len() / size.max(1);
        Tensors {
            planes: flat(&self.planes, channels * AREA).reshape([size, channels, 10, 10]),
            from: flat(&self.from, paired).reshape([size, paired / AREA, AREA]),
            judged: flat(&self.judged, paired),
            logits: flat(&self.logits, 1),
            mask: flat(&self.mask, outputs),
            targets: flat(&self.targets, outputs),
            values: flat(&self.values, 1),
        }
    }
}
