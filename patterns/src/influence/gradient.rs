//! The tuned model forwards and backwards: what each of its numbers does to the loss.

use go_influence::tuned::{
    CONTENTS, INPUTS, KINDS, Kinds, LINES, Layout, NUMBERS, ROUNDS, SHARED, View,
};

/// Where the numbers of a round begin.
pub(super) const fn round_at(round: usize) -> usize {
    CONTENTS * LINES * KINDS + round * (INPUTS * KINDS + KINDS)
}

/// Where the last weighing begins.
pub(super) const LAST: usize = round_at(ROUNDS.len());

/// Scratch for one position, used again and again.
pub(super) struct Scratch {
    /// What each point has before each round, and at the end.
    kinds: Vec<Vec<Kinds>>,
    /// What each point has after a round, before chains share.
    unshared: Vec<Vec<Kinds>>,
    /// What a better end would be, and the beginning of the round at hand.
    wanted: Vec<Kinds>,
    earlier: Vec<Kinds>,
    /// What the four neighbours and the four diagonal ones have a part in.
    beside: Vec<Kinds>,
    across: Vec<Kinds>,
}

impl Scratch {
    pub fn new(layout: &Layout) -> Scratch {
        let blank = vec![[0.0; KINDS]; layout.len()];
        Scratch {
            kinds: vec![blank.clone(); ROUNDS.len() + 1],
            unshared: vec![blank.clone(); ROUNDS.len()],
            wanted: blank.clone(),
            earlier: blank.clone(),
            beside: blank.clone(),
            across: blank,
        }
    }
}

fn row(numbers: &[f32], at: usize) -> &Kinds {
    numbers[at..].first_chunk().expect("the numbers reach so far")
}

fn row_mut(numbers: &mut [f32], at: usize) -> &mut Kinds {
    numbers[at..].first_chunk_mut().expect("the numbers reach so far")
}

fn gather_inputs(from: &[Kinds], cell: usize, steps: &[isize; 8]) -> [Kinds; 3] {
    let at = |i: usize| &from[cell.wrapping_add_signed(steps[i])];
    let sum = |first: usize| -> Kinds {
        let [a, b, c, d] = [at(first), at(first + 1), at(first + 2), at(first + 3)];
        std::array::from_fn(|k| (a[k] + b[k]) + (c[k] + d[k]))
    };
    [from[cell], sum(0), sum(4)]
}

/// The logits of all points, row by row from A1.
pub(super) fn forward(
    numbers: &[f32],
    layout: &Layout,
    view: &View,
    scratch: &mut Scratch,
    logits: &mut Vec<f32>,
) {
    for (&cell, &beginning) in layout.cells.iter().zip(&view.beginnings) {
        scratch.kinds[0][usize::from(cell)] = *row(numbers, usize::from(beginning) * KINDS);
    }
    for (r, round) in ROUNDS.iter().enumerate() {
        let steps = layout.steps(round.distance);
        let start = round_at(r);
        let bias = row(numbers, start + INPUTS * KINDS);
        let (before, after) = scratch.kinds.split_at_mut(r + 1);
        let (before, after, unshared) = (&before[r], &mut after[0], &mut scratch.unshared[r]);
        for &cell in &layout.cells {
            let cell = usize::from(cell);
            let inputs = gather_inputs(before, cell, &steps);
            let mut mixed: Kinds = std::array::from_fn(|k| bias[k] + before[cell][k]);
            for (input, value) in inputs.as_flattened().iter().enumerate() {
                let weights = row(numbers, start + input * KINDS);
                for k in 0..KINDS {
                    mixed[k] += value * weights[k];
                }
            }
            unshared[cell] = mixed.map(|kind| kind.max(0.0));
        }
        after.copy_from_slice(unshared);
        if round.shares {
            share(layout, view, after);
        }
    }
    let last = row(numbers, LAST);
    let bias = numbers[NUMBERS - 1];
    logits.clear();
    logits.extend(layout.cells.iter().map(|&cell| {
        let kinds = &scratch.kinds[ROUNDS.len()][usize::from(cell)];
        bias + kinds.iter().zip(last).map(|(kind, weight)| kind * weight).sum::<f32>()
    }));
}

/// Gives the stones of each chain its mean in the shared kinds. Forwards this is what the model
/// does; backwards it does the same to what is wanted.
fn share(layout: &Layout, view: &View, kinds: &mut [Kinds]) {
    for chain in &view.chains {
        let cells = || chain.iter().map(|&index| usize::from(layout.cells[usize::from(index)]));
        #[allow(clippy::needless_range_loop, reason = "the kind counts in every cell")]
        for k in 0..SHARED {
            let mean = cells().map(|cell| kinds[cell][k]).sum::<f32>() / chain.len() as f32;
            cells().for_each(|cell| kinds[cell][k] = mean);
        }
    }
}

/// Adds to `gradient` what each number does to the loss, `slopes` being what each logit does to
/// it. The room must be as [`forward`] left it.
pub(super) fn backward(
    numbers: &[f32],
    layout: &Layout,
    view: &View,
    scratch: &mut Scratch,
    slopes: &[f32],
    gradient: &mut [f32],
) {
    let last = *row(numbers, LAST);
    for (&cell, &slope) in layout.cells.iter().zip(slopes) {
        let cell = usize::from(cell);
        let kinds = &scratch.kinds[ROUNDS.len()][cell];
        let into = row_mut(gradient, LAST);
        for k in 0..KINDS {
            into[k] += slope * kinds[k];
            scratch.wanted[cell][k] = slope * last[k];
        }
        gradient[NUMBERS - 1] += slope;
    }
    for (r, round) in ROUNDS.iter().enumerate().rev() {
        if round.shares {
            share(layout, view, &mut scratch.wanted);
        }
        let steps = layout.steps(round.distance);
        let start = round_at(r);
        let before = &scratch.kinds[r];
        for &cell in &layout.cells {
            let cell = usize::from(cell);
            let after = &scratch.unshared[r][cell];
            // What was cut off at nothing has no slope.
            let slope: Kinds =
                std::array::from_fn(|k| if after[k] > 0.0 { scratch.wanted[cell][k] } else { 0.0 });
            let inputs = gather_inputs(before, cell, &steps);
            let mut back = [[0.0f32; KINDS]; 3];
            for (input, (value, back)) in
                inputs.as_flattened().iter().zip(back.as_flattened_mut()).enumerate()
            {
                let weights = row(numbers, start + input * KINDS);
                let into = row_mut(gradient, start + input * KINDS);
                let mut sum = 0.0;
                for k in 0..KINDS {
                    into[k] += value * slope[k];
                    sum += weights[k] * slope[k];
                }
                *back = sum;
            }
            let into = row_mut(gradient, start + INPUTS * KINDS);
            for k in 0..KINDS {
                into[k] += slope[k];
                scratch.earlier[cell][k] = slope[k] + back[0][k];
            }
            scratch.beside[cell] = back[1];
            scratch.across[cell] = back[2];
        }
        for &cell in &layout.cells {
            let cell = usize::from(cell);
            let [_, beside, _] = gather_inputs(&scratch.beside, cell, &steps);
            let [_, _, across] = gather_inputs(&scratch.across, cell, &steps);
            for k in 0..KINDS {
                scratch.wanted[cell][k] = scratch.earlier[cell][k] + beside[k] + across[k];
            }
        }
    }
    for (&cell, &beginning) in layout.cells.iter().zip(&view.beginnings) {
        let into = row_mut(gradient, usize::from(beginning) * KINDS);
        for (into, wanted) in into.iter_mut().zip(&scratch.wanted[usize::from(cell)]) {
            *into += wanted;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_engine::{Color, Game, Move, Point, rng::Rng};
    use go_influence::{Stones, Tuned};

    fn numbers() -> Vec<f32> {
        let mut rng = Rng::new(3);
        (0..NUMBERS).map(|_| (rng.below(2000) as f32 - 1000.0) / 5000.0).collect()
    }

    fn position() -> Game {
        let mut game = Game::new(7, 6).unwrap();
        let mut rng = Rng::new(5);
        let mut color = Color::Black;
        for _ in 0..25 {
            let point = Point::new(rng.below(7) as u8, rng.below(6) as u8);
            if game.play(color, Move::Play(point)).is_ok() {
                color = color.other();
            }
        }
        game
    }

    #[test]
    fn the_learner_computes_what_the_engine_does() {
        let game = position();
        let stones = Stones::of_game(game.board());
        let (layout, view) = (Layout::new(7, 6), View::new(&stones, Color::White));
        let (mut scratch, mut logits) = (Scratch::new(&layout), Vec::new());
        forward(&numbers(), &layout, &view, &mut scratch, &mut logits);
        let influence = Tuned::new(&numbers()).unwrap().spread(&stones, Color::White);
        for (point, logit) in game.board().points().zip(&logits) {
            // The engine tells Black's share in thousandths, from a table.
            let expected = -1000.0 * (logit / 2.0).tanh();
            let found = influence.at(point) as f32;
            assert!((found - expected).abs() < 6.0, "{point}: {found}, not {expected}");
        }
    }

    #[test]
    fn slopes_are_those_of_small_changes() {
        let game = position();
        let stones = Stones::of_game(game.board());
        let (layout, view) = (Layout::new(7, 6), View::new(&stones, Color::Black));
        let (mut scratch, mut logits) = (Scratch::new(&layout), Vec::new());
        let numbers = numbers();
        // A loss that weighs the logits by chance numbers.
        let slopes: Vec<f32> = (0..42).map(|i| ((i * 37 % 11) as f32 - 5.0) / 10.0).collect();
        let mut loss = |numbers: &[f32], scratch: &mut Scratch| -> f64 {
            forward(numbers, &layout, &view, scratch, &mut logits);
            logits.iter().zip(&slopes).map(|(a, b)| f64::from(a * b)).sum()
        };
        loss(&numbers, &mut scratch);
        let mut gradient = vec![0.0; NUMBERS];
        backward(&numbers, &layout, &view, &mut scratch, &slopes, &mut gradient);
        let mut compared = 0;
        for at in (0..NUMBERS).step_by(13).chain(LAST..NUMBERS) {
            let change = 1e-3;
            let mut moved = numbers.clone();
            moved[at] += change;
            let up = loss(&moved, &mut scratch);
            moved[at] -= 2.0 * change;
            let down = loss(&moved, &mut scratch);
            let slope = (up - down) / f64::from(2.0 * change);
            let found = f64::from(gradient[at]);
            // Where a kind is cut off within the change the two may differ a little.
            assert!(
                (slope - found).abs() < 0.02 + 0.03 * slope.abs(),
                "{at}: {found}, not {slope}"
            );
            compared += usize::from(slope.abs() > 0.01);
        }
        assert!(compared > 30, "only {compared} numbers mattered");
    }
}
