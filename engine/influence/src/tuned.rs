//! The tuned model: Zobrist's rounds, with several kinds of influence and learned weights.
//!
//! Every point begins with a few kinds of influence that depend on what lies there, on the
//! liberties of its chain and on its line. In each round it takes from itself, from its four
//! neighbours and its four diagonal neighbours (one, two or four steps away) and mixes the kinds by
//! weights; what is negative becomes nothing. In some rounds half the kinds are shared by the
//! stones of a chain, which live and die together. At the end the kinds are weighed into the chance
//! that the point becomes the mover's.
//!
//! All four neighbours have the same weight, so a turned or mirrored position gets the same values;
//! and everything is told from the mover's side, so the other colour gets the same.

use super::stones::{SIZE, Stones};
use super::{Influence, Scale};
use go_engine::Color;

/// Kinds of influence.
pub const KINDS: usize = 8;
/// Kinds that the stones of a chain share.
pub const SHARED: usize = 4;
/// What can lie on a point: nothing, or a stone of the mover's or the opponent's whose chain has 1,
/// 2, 3, 4 or more liberties.
pub const CONTENTS: usize = 9;
/// Lines told apart, the last for all further in.
pub const LINES: usize = 6;
/// Inputs of a mixture: a point's own kinds, its neighbours' and its diagonal neighbours'.
pub const INPUTS: usize = 3 * KINDS;

/// A round of giving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// Steps to the neighbours that are gathered.
    pub distance: usize,
    /// Whether chains share afterwards.
    pub shares: bool,
}

const fn round(distance: usize, shares: bool) -> Round {
    Round { distance, shares }
}

/// The rounds.
pub const ROUNDS: [Round; 5] =
    [round(1, true), round(2, false), round(4, true), round(2, true), round(1, false)];

/// The numbers of a round: weights, then biases.
const PER_ROUND: usize = INPUTS * KINDS + KINDS;
/// The beginnings of all contents and lines.
const BEGINNINGS: usize = CONTENTS * LINES * KINDS;
/// All numbers of the model: beginnings, rounds, and the last weighing with its bias.
pub const NUMBERS: usize = BEGINNINGS + ROUNDS.len() * PER_ROUND + KINDS + 1;

/// Rows and columns of border: the longest step.
const BORDER: usize = 4;

/// A point's kinds of influence.
pub type Kinds = [f32; KINDS];

/// How a position lies in the arrays of the model, which have a border of four points.
pub struct Layout {
    /// Cells of a row.
    stride: usize,
    /// The cells of the board, row by row from A1.
    pub cells: Vec<u16>,
}

impl Layout {
    /// The layout of a board size.
    pub fn new(width: u8, height: u8) -> Layout {
        let stride = usize::from(width) + BORDER;
        let cells = (0..usize::from(height)).flat_map(|row| {
            (0..usize::from(width)).map(move |col| ((row + BORDER) * stride + col + BORDER) as u16)
        });
        Layout { stride, cells: cells.collect() }
    }

    /// Cells of an array for this layout.
    pub fn len(&self) -> usize {
        self.cells.last().map_or(0, |&last| usize::from(last) + BORDER * (self.stride + 1) + 1)
    }

    /// Whether the board has no point.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Steps to the four neighbours at a distance, then to the four diagonal ones.
    pub fn steps(&self, distance: usize) -> [isize; 8] {
        let (up, right) = ((self.stride * distance) as isize, distance as isize);
        [up, right, -up, -right, up + right, up - right, -up - right, right - up]
    }
}

/// What lies on each point and which chain it belongs to, as the model wants it.
pub struct View {
    /// Row by row from A1: the number of the beginning.
    pub beginnings: Vec<u16>,
    /// Chains of two stones or more, each as its points' numbers row by row from A1.
    pub chains: Vec<Vec<u16>>,
}

impl View {
    /// The position as `to_play` sees it.
    pub fn new(stones: &Stones, to_play: Color) -> View {
        let mut beginnings = Vec::new();
        let mut chains: Vec<Vec<u16>> = Vec::new();
        let mut numbers = [0u16; SIZE];
        for (index, (point, cell)) in stones.points().enumerate() {
            let at = (usize::from(point.col()), usize::from(point.row()));
            beginnings.push(beginning(stones, at, cell, to_play));
            let chain = usize::from(stones.chain[cell]);
            if chain == 0 {
                continue;
            }
            if numbers[chain] == 0 {
                chains.push(Vec::new());
                numbers[chain] = chains.len() as u16;
            }
            chains[usize::from(numbers[chain]) - 1].push(index as u16);
        }
        chains.retain(|chain| chain.len() > 1);
        View { beginnings, chains }
    }
}

/// The number of the beginning of a point.
fn beginning(stones: &Stones, at: (usize, usize), cell: usize, to_play: Color) -> u16 {
    let liberties = u16::from(stones.liberties[cell].clamp(1, 4));
    let content = match stones.cells[cell] {
        0 => 0,
        stone if stone == super::stones::sign(to_play) => liberties,
        _ => 4 + liberties,
    };
    let line = stones.line(at.0, at.1).min(LINES) as u16 - 1;
    content * LINES as u16 + line
}

/// The weights of a round.
#[derive(Clone)]
pub struct Mixture {
    /// What each input gives to each kind.
    pub weights: [Kinds; INPUTS],
    /// What each kind has without any input.
    pub bias: Kinds,
}

/// The tuned model.
#[derive(Clone)]
pub struct Tuned {
    beginnings: [Kinds; CONTENTS * LINES],
    rounds: [Mixture; ROUNDS.len()],
    last: Kinds,
    bias: f32,
    /// Ownership in thousandths for the logit at each step of [`Tuned::STEP`].
    ownership: Vec<i16>,
}

impl Tuned {
    /// Logits beyond this are as good as certain.
    const MAX_LOGIT: f32 = 8.0;
    /// Places of the table of ownership for one unit of the logit.
    const STEP: f32 = 64.0;

    /// The model with these numbers, in the order that [`NUMBERS`] tells; `None` when there are
    /// more or fewer, or one is not finite.
    pub fn new(numbers: &[f32]) -> Option<Tuned> {
        if numbers.len() != NUMBERS || numbers.iter().any(|number| !number.is_finite()) {
            return None;
        }
        let (mut rest, row) = (numbers, |rest: &mut &[f32]| -> Option<Kinds> {
            let (first, others) = rest.split_first_chunk::<KINDS>()?;
            *rest = others;
            Some(*first)
        });
        let mut beginnings = [[0.0; KINDS]; CONTENTS * LINES];
        for beginning in &mut beginnings {
            *beginning = row(&mut rest)?;
        }
        let empty = Mixture { weights: [[0.0; KINDS]; INPUTS], bias: [0.0; KINDS] };
        let mut rounds: [Mixture; ROUNDS.len()] = std::array::from_fn(|_| empty.clone());
        for round in &mut rounds {
            for weights in &mut round.weights {
                *weights = row(&mut rest)?;
            }
            round.bias = row(&mut rest)?;
        }
        let last = row(&mut rest)?;
        let bias = *rest.first()?;
        let places = (2.0 * Self::MAX_LOGIT * Self::STEP) as i32;
        let ownership = (0..=places).map(|place| {
            let logit = place as f32 / Self::STEP - Self::MAX_LOGIT;
            (1000.0 * (logit / 2.0).tanh()).round() as i16
        });
        Some(Tuned { beginnings, rounds, last, bias, ownership: ownership.collect() })
    }

    /// What every point comes to: its expected owner in thousandths, 1000 Black's.
    pub fn spread(&self, stones: &Stones, to_play: Color) -> Influence {
        let mut values = [0; SIZE];
        // Rows with their border, cells of a row with its border, and points of a row that are
        // worked on together.
        match stones.width().max(stones.height()) {
            0..=9 => spread::<17, 24, 16>(self, stones, to_play, &mut values),
            10..=16 => spread::<24, 24, 16>(self, stones, to_play, &mut values),
            17..=19 => spread::<27, 32, 24>(self, stones, to_play, &mut values),
            _ => spread::<33, 40, 32>(self, stones, to_play, &mut values),
        }
        Influence::new(stones, values, Scale::CHANCE)
    }

    #[inline(always)]
    fn spread_plainly<const ROWS: usize, const STRIDE: usize, const LANES: usize>(
        &self,
        stones: &Stones,
        to_play: Color,
        values: &mut [i16; SIZE],
    ) {
        let (width, height) = (usize::from(stones.width()), usize::from(stones.height()));
        let mut planes = [[[[0.0f32; STRIDE]; ROWS]; KINDS]; 2];
        let [here, next] = &mut planes;
        let (mut here, mut next) = (here, next);
        // Stones of chains: row, column, and the number of the chain.
        let mut members = [(0u8, 0u8, 0u16); 625];
        let mut n = 0;
        for row in 0..height {
            for col in 0..width {
                let cell = (row + 1) * stones.stride() + col + 1;
                let beginning = beginning(stones, (col, row), cell, to_play);
                let beginning = &self.beginnings[usize::from(beginning)];
                for k in 0..KINDS {
                    here[k][row + BORDER][col + BORDER] = beginning[k];
                }
                if stones.chain[cell] != 0 {
                    let at = ((row + BORDER) as u8, (col + BORDER) as u8);
                    members[n] = (at.0, at.1, stones.chain[cell]);
                    n += 1;
                }
            }
        }
        let members = &members[..n];
        let mut inputs = [Row([0.0f32; LANES]); INPUTS];
        let mut inside = [0.0f32; LANES];
        inside[..width].fill(1.0);
        for (round, mixture) in ROUNDS.iter().zip(&self.rounds) {
            #[allow(clippy::needless_range_loop, reason = "the row counts in every plane")]
            for row in BORDER..BORDER + height {
                // The distances are written out, so that each is compiled for itself.
                match round.distance {
                    1 => gather_inputs::<1, ROWS, STRIDE, LANES>(here, row, &mut inputs),
                    2 => gather_inputs::<2, ROWS, STRIDE, LANES>(here, row, &mut inputs),
                    _ => gather_inputs::<4, ROWS, STRIDE, LANES>(here, row, &mut inputs),
                }
                for first in (0..KINDS).step_by(TOGETHER) {
                    let mixed = mix::<LANES>(&inputs, first, mixture);
                    for (k, Row(mixed)) in (first..).zip(&mixed) {
                        write_row(mixed, &inside, &mut next[k][row]);
                    }
                }
            }
            if round.shares {
                share(members, next);
            }
            std::mem::swap(&mut here, &mut next);
        }
        let sign = super::stones::sign(to_play);
        for row in 0..height {
            let mut logits = [self.bias; LANES];
            for (plane, weight) in here.iter().zip(&self.last) {
                let kind = &plane[row + BORDER][BORDER..][..LANES];
                for i in 0..LANES {
                    logits[i] += weight * kind[i];
                }
            }
            let values = &mut values[(row + 1) * stones.stride() + 1..][..width];
            for (value, logit) in values.iter_mut().zip(&logits) {
                let logit = logit.clamp(-Self::MAX_LOGIT, Self::MAX_LOGIT);
                let place = ((logit + Self::MAX_LOGIT) * Self::STEP + 0.5) as usize;
                *value = sign * self.ownership.get(place).copied().unwrap_or(0);
            }
        }
    }
}

simd::multiversion! {
    /// What every point comes to, in thousandths. Rows are [`BORDER`] and more longer than the board, `LANES` the points of
    /// a row that are worked on together.
    fn spread<const ROWS: usize, const STRIDE: usize, const LANES: usize>(
        model: &Tuned,
        stones: &Stones,
        to_play: Color,
        values: &mut [i16; SIZE],
    ) = Tuned::spread_plainly::<ROWS, STRIDE, LANES>;
}

/// A row of numbers, where whole registers can be loaded.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Row<const LANES: usize>([f32; LANES]);

/// What the points of a row gather at a distance, kind by kind: from themselves, from the four
/// neighbours, from the four diagonal ones.
#[inline(always)]
fn gather_inputs<
    const DISTANCE: usize,
    const ROWS: usize,
    const STRIDE: usize,
    const LANES: usize,
>(
    from: &[[[f32; STRIDE]; ROWS]; KINDS],
    row: usize,
    inputs: &mut [Row<LANES>; INPUTS],
) {
    let (left, right) = (BORDER - DISTANCE, BORDER + DISTANCE);
    for (k, plane) in from.iter().enumerate() {
        let (above, here, below) = (&plane[row + DISTANCE], &plane[row], &plane[row - DISTANCE]);
        inputs[k].0.copy_from_slice(&here[BORDER..][..LANES]);
        let beside = [
            &above[BORDER..][..LANES],
            &below[BORDER..][..LANES],
            &here[left..][..LANES],
            &here[right..][..LANES],
        ];
        sum_of_four(beside, &mut inputs[KINDS + k].0);
        let across = [
            &above[left..][..LANES],
            &below[right..][..LANES],
            &above[right..][..LANES],
            &below[left..][..LANES],
        ];
        sum_of_four(across, &mut inputs[2 * KINDS + k].0);
    }
}

/// Adds four rows, two and two, so that no direction comes first.
#[inline(always)]
fn sum_of_four<const LANES: usize>(rows: [&[f32]; 4], sums: &mut [f32; LANES]) {
    let [a, b, c, d] = [&rows[0][..LANES], &rows[1][..LANES], &rows[2][..LANES], &rows[3][..LANES]];
    for i in 0..LANES {
        sums[i] = (a[i] + b[i]) + (c[i] + d[i]);
    }
}

/// Kinds that are mixed at a time: their sums fit into registers.
const TOGETHER: usize = 2;

/// Mixes what a row gathered into the kinds from `first` on.
#[inline(always)]
fn mix<const LANES: usize>(
    inputs: &[Row<LANES>; INPUTS],
    first: usize,
    mixture: &Mixture,
) -> [Row<LANES>; TOGETHER] {
    let (Row(mut a), Row(mut b)) = (inputs[first], inputs[first + 1]);
    let (bias_a, bias_b) = (mixture.bias[first], mixture.bias[first + 1]);
    for i in 0..LANES {
        a[i] += bias_a;
        b[i] += bias_b;
    }
    for (Row(input), weights) in inputs.iter().zip(&mixture.weights) {
        let (to_a, to_b) = (weights[first], weights[first + 1]);
        for i in 0..LANES {
            a[i] += input[i] * to_a;
            b[i] += input[i] * to_b;
        }
    }
    [Row(a), Row(b)]
}

/// Puts a row of a kind in its place: nothing where it is negative, or not on the board.
#[inline(always)]
fn write_row<const STRIDE: usize, const LANES: usize>(
    mixed: &[f32; LANES],
    inside: &[f32; LANES],
    to: &mut [f32; STRIDE],
) {
    let to = &mut to[BORDER..][..LANES];
    for i in 0..LANES {
        to[i] = mixed[i].max(0.0) * inside[i];
    }
}

/// Gives every stone the mean of its chain in the shared kinds. Members are row, column and chain.
#[inline(always)]
fn share<const ROWS: usize, const STRIDE: usize>(
    members: &[(u8, u8, u16)],
    kinds: &mut [[[f32; STRIDE]; ROWS]; KINDS],
) {
    // For each chain its sums and its stones; flat, since so it is cleared at once.
    const EACH: usize = SHARED + 1;
    let mut sums = [0.0f32; SIZE * EACH];
    for &(row, col, chain) in members {
        let sums = &mut sums[usize::from(chain) * EACH..][..EACH];
        for k in 0..SHARED {
            sums[k] += kinds[k][usize::from(row)][usize::from(col)];
        }
        sums[SHARED] += 1.0;
    }
    for &(row, col, chain) in members {
        let sums = &sums[usize::from(chain) * EACH..][..EACH];
        for k in 0..SHARED {
            kinds[k][usize::from(row)][usize::from(col)] = sums[k] / sums[SHARED];
        }
    }
}
