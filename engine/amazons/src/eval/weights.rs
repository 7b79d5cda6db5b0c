//! The weights of the counts, by how open the position is.

use std::fmt::Write;
use std::sync::{Arc, OnceLock};

use super::features::{FEATURES, Features, KING, MOBILITY, PADDED, TEMPO};
use super::flood::{KING_CLASSES, QUEEN_CLASSES};
use super::mobility::MOBILITY_CLASSES;

/// The numbers of contested squares at which weights are given; between them they are mixed.
pub const KNOTS: [u32; 8] = [0, 3, 8, 16, 28, 44, 64, 92];

/// The weights inside the program.
const SHIPPED_TEXT: &str = include_str!("../../weights/evaluation.txt");

/// The most contested squares there can be, and one more.
pub(super) const ROWS: usize = 101;

/// Weights of the evaluation.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    knots: Vec<[f32; FEATURES]>,
    /// A row for each number of contested squares.
    rows: Vec<[f32; PADDED]>,
}

/// Why a text holds no weights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// A line too many or too few.
    #[error("{0} rows of weights instead of {rows}", rows = KNOTS.len())]
    Rows(usize),
    /// A line with too many or too few numbers, or something that is none.
    #[error("row {0} is not {FEATURES} numbers")]
    Row(usize),
}

/// The two knots around a number of contested squares, and the second one's share.
pub(crate) fn mix(contested: u32) -> (usize, f32) {
    let upper = KNOTS.iter().position(|&knot| knot >= contested).unwrap_or(KNOTS.len() - 1).max(1);
    let (low, high) = (KNOTS[upper - 1], KNOTS[upper]);
    let share = (contested.saturating_sub(low)) as f32 / (high - low) as f32;
    (upper - 1, share.min(1.0))
}

impl Weights {
    /// Weights from those at the knots.
    pub fn from_knots(knots: Vec<[f32; FEATURES]>) -> Weights {
        let row = |contested: usize| {
            let (at, share) = mix(contested as u32);
            let mut row = [0.0; PADDED];
            for (i, weight) in row[..FEATURES].iter_mut().enumerate() {
                *weight = knots[at][i] * (1.0 - share) + knots[at + 1][i] * share;
            }
            row
        };
        let rows = (0..ROWS).map(row).collect();
        Weights { knots, rows }
    }

    /// A row for each number of contested squares.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn rows(&self) -> &[[f32; PADDED]] {
        &self.rows
    }

    /// The weights at the knots.
    pub fn knots(&self) -> &[[f32; FEATURES]] {
        &self.knots
    }

    /// The logit that belongs to counts.
    #[inline]
    pub(crate) fn evaluate_features(&self, features: &Features) -> f32 {
        let row = &self.rows[(features.contested as usize).min(ROWS - 1)];
        // Eight sums side by side, since a single one would have to be added up in order.
        let mut sums = [0.0f32; 8];
        for (weights, counts) in row.chunks_exact(8).zip(features.counts.chunks_exact(8)) {
            for i in 0..8 {
                sums[i] += weights[i] * counts[i] as f32;
            }
        }
        sums.iter().sum()
    }

    /// Lieberum's terms with weights set by hand: t1 alone where nothing is contested any more, and the more is, the more
    /// t2, c1, c2 and m.
    pub fn hand_made() -> Weights {
        let knot = |&contested: &u32| {
            let open = contested as f32 / 92.0;
            // The logit of a square's lead falls as the position opens; shares of t1, t2, c1, c2 as they do in the paper.
            let scale = 0.16 + 0.84 * (1.0 - open).powi(6);
            let (t1, t2) = (1.0 - 0.75 * open.sqrt(), 0.35 * open.sqrt());
            let (c1, c2) = (0.2 * open.sqrt(), 0.2 * open.sqrt());
            let mut weights = [0.0; FEATURES];
            for own in 0..QUEEN_CLASSES {
                for other in 0..QUEEN_CLASSES {
                    let lead = ahead(own, other, QUEEN_CLASSES);
                    let value = |class: usize| {
                        if class == QUEEN_CLASSES - 1 { 0.0 } else { 0.5f32.powi(class as i32) }
                    };
                    weights[own * QUEEN_CLASSES + other] =
                        scale * (t1 * lead + c1 * (value(own) - value(other)));
                }
            }
            for own in 0..KING_CLASSES {
                for other in 0..KING_CLASSES {
                    let lead = ahead(own, other, KING_CLASSES);
                    let step =
                        |class: usize| if class == KING_CLASSES - 1 { 12.0 } else { class as f32 };
                    let gap = ((step(other) - step(own)) / 6.0).clamp(-1.0, 1.0);
                    weights[KING + own * KING_CLASSES + other] = scale * (t2 * lead + c2 * gap);
                }
            }
            const SHUT_IN: [f32; MOBILITY_CLASSES] = [5.0, 3.5, 2.2, 1.3, 0.7, 0.3, 0.1, 0.0];
            for (class, penalty) in SHUT_IN.into_iter().enumerate() {
                weights[MOBILITY + class] = -scale * open * penalty;
                weights[MOBILITY + MOBILITY_CLASSES + class] = scale * open * penalty;
            }
            weights[TEMPO] = 0.1;
            weights
        };
        Weights::from_knots(KNOTS.iter().map(knot).collect())
    }

    /// The weights inside the program, learned from games of the engine against itself.
    pub fn shipped() -> Arc<Weights> {
        static SHIPPED: OnceLock<Arc<Weights>> = OnceLock::new();
        // The tests hold that the text can be read.
        let read =
            || Arc::new(Weights::from_text(SHIPPED_TEXT).unwrap_or_else(|_| Weights::hand_made()));
        SHIPPED.get_or_init(read).clone()
    }

    /// Reads what [`Weights::to_text`] writes.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn from_text(text: &str) -> Result<Weights, WeightsError> {
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        let mut knots = Vec::new();
        for (number, line) in lines.enumerate() {
            let numbers: Option<Vec<f32>> = line
                .split_whitespace()
                .map(|word| word.parse().ok().filter(|n: &f32| n.is_finite()))
                .collect();
            let row = numbers.and_then(|numbers| numbers.try_into().ok());
            knots.push(row.ok_or(WeightsError::Row(number + 1))?);
        }
        if knots.len() != KNOTS.len() {
            return Err(WeightsError::Rows(knots.len()));
        }
        Ok(Weights::from_knots(knots))
    }

    /// The weights as text: a row of numbers for each of [`KNOTS`].
    pub fn to_text(&self) -> String {
        let mut text = String::from("# Weights of the evaluation of Amazons, a row for each of ");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{KNOTS:?} contested squares.");
        for knot in &self.knots {
            let row: Vec<String> = knot.iter().map(|weight| format!("{weight:.4}")).collect();
            let _ = writeln!(text, "{}", row.join(" "));
        }
        text
    }
}

/// Whom a square belongs to by its distances: 1 or -1, a fifth for the side to move where they are equal, nothing where
/// nobody comes.
fn ahead(own: usize, other: usize, classes: usize) -> f32 {
    match own.cmp(&other) {
        std::cmp::Ordering::Less => 1.0,
        std::cmp::Ordering::Greater => -1.0,
        std::cmp::Ordering::Equal if own == classes - 1 => 0.0,
        std::cmp::Ordering::Equal => 0.2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Color, Position};

    #[test]
    fn knots_are_met_and_mixed_between() {
        assert_eq!(mix(0), (0, 0.0));
        assert_eq!(mix(3), (0, 1.0));
        assert_eq!(mix(12), (2, 0.5));
        assert_eq!(mix(100), (6, 1.0));
    }

    #[test]
    fn text_is_read_back() {
        let weights = Weights::from_text(&Weights::hand_made().to_text()).expect("weights");
        assert_eq!(Weights::from_text(&weights.to_text()).as_ref(), Ok(&weights));
        assert_eq!(Weights::from_text("1 2\n"), Err(WeightsError::Row(1)));
        assert_eq!(Weights::from_text(""), Err(WeightsError::Rows(0)));
    }

    #[test]
    fn the_shipped_weights_can_be_read() {
        assert_eq!(Weights::from_text(SHIPPED_TEXT).as_ref(), Ok(&*Weights::shipped()));
        assert_ne!(*Weights::shipped(), Weights::hand_made());
    }

    #[test]
    fn more_room_is_better_for_either_side() {
        for weights in [Weights::hand_made(), (*Weights::shipped()).clone()] {
            // Seven squares for White, three for Black.
            let mut position: Position = "X...|....|####|O...".parse().expect("a diagram");
            assert!(weights.evaluate(&position) > 1.0);
            position.set_to_move(Color::Black);
            assert!(weights.evaluate(&position) < -1.0);
        }
    }
}
