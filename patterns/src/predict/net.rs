//! The predictor as it is learned: in floating point.

use super::features::Features;
use super::groups::TACTICAL;
pub use super::ops::UNITS;

/// A row of `V`.
pub type Row = [f32; UNITS];

/// What is learned, as the learner holds it. Rows of `vectors` are the tactical features, then the
/// most frequent shapes.
pub struct Net {
    /// Weight of each tactical feature.
    pub tactical: Vec<f32>,
    /// Weight of each shape.
    pub shapes: Vec<f32>,
    /// The hidden units' weights, a row for each feature.
    pub vectors: Vec<Row>,
    /// What is added to the hidden units.
    pub bias: Row,
    /// The weights from the hidden units to the outcome.
    pub out: Row,
}

fn add(into: &mut Row, row: &Row) {
    for (a, b) in into.iter_mut().zip(row) {
        *a += b;
    }
}

impl Net {
    /// One without hidden units.
    pub fn linear(tactical: Vec<f32>, shapes: Vec<f32>) -> Net {
        let vectors = vec![[0.0; UNITS]; TACTICAL];
        Net { tactical, shapes, vectors, bias: [0.0; UNITS], out: [0.0; UNITS] }
    }

    pub(super) fn base(&self, features: &Features) -> Row {
        let mut base = self.bias;
        for &row in &features.context {
            add(&mut base, &self.vectors[usize::from(row)]);
        }
        base
    }

    /// Score and hidden activations of a candidate.
    pub(super) fn score(&self, base: &Row, tactical: &[u16], shapes: &[u32]) -> (f32, Row) {
        let mut hidden = *base;
        let mut score = 0.0;
        for &row in tactical {
            score += self.tactical[usize::from(row)];
            add(&mut hidden, &self.vectors[usize::from(row)]);
        }
        for &row in shapes {
            score += self.shapes[row as usize];
            if let Some(vector) = self.vectors.get(TACTICAL + row as usize) {
                add(&mut hidden, vector);
            }
        }
        for (h, u) in hidden.iter_mut().zip(&self.out) {
            *h = h.max(0.0);
            score += *h * u;
        }
        (score, hidden)
    }

    /// The scores of all candidates.
    pub fn scores(&self, features: &Features, out: &mut Vec<f32>) {
        let base = self.base(features);
        out.clear();
        for candidate in 0..features.candidates.len() {
            let (tactical, shapes) = features.of(candidate);
            out.push(self.score(&base, tactical, shapes).0);
        }
    }
}
