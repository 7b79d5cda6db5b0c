//! Learning the network from games: the moves by cross-entropy, the value by temporal differences.

use game_core::GOLDEN_GAMMA;

use super::adam::Adam;
use super::factored_embedding::FactoredEmbedding;
use super::random::Random;
use super::{Sample, Turn, turns};
use crate::Color;
use crate::board::Board;
use crate::candidates::candidates;
use crate::eval::features::{CLASSES, Inputs};
use crate::eval::net::{HIDDEN, Net, activation, sigmoid};
use crate::eval::points::{DEEP, PointNet, Row, WIDTH};
use crate::eval::view::{POOL_SHARE, soften};
use crate::eval::{SPREAD, combine, static_score};
use crate::geometry::DIRECTIONS;
use crate::pattern::{LinePatterns, patterns};
use crate::point::Point;
use crate::rules::Rules;

/// How a game is learned from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearnOptions {
    /// How much the winner's moves and the loser's count where nothing was searched; what was searched counts
    /// in full. 0 and 0 learns none of those moves.
    pub moves: [f32; 2],
    /// TD(lambda): 1 learns from the result alone, 0 from the next position alone, or from what a search of
    /// the position itself expected.
    pub lambda: f32,
    /// Adam's step for the weights that every position moves.
    pub dense_rate: f32,
}

/// AdaGrad's steps for the rows of patterns and of lines.
const PATTERN_RATE: f32 = 0.05;
const LINE_RATE: f32 = 0.03;
/// What squared gradients begin with: of a row's numbers that are weights of moves, of the others, of lines.
const FIRST_SQUARES: [f32; 3] = [0.1, 0.01, 0.01];
/// How much of the value's gradient goes into what points look like.
const VALUE_SHARE: f32 = 0.5;
/// Second stones are learned beside first ones that are played as often as this, or more.
const MIN_FIRST: f32 = 0.1;
/// The numbers of a sum that go straight into weights of moves.
const DIRECT: usize = 2;

/// A network that learns.
#[derive(Clone, Debug)]
pub struct Learner {
    patterns: [FactoredEmbedding; 2],
    bias: Adam<WIDTH>,
    mix: [Adam<DEEP>; WIDTH],
    mix_bias: Adam<DEEP>,
    moves: [Adam<DEEP>; 2],
    pool: [Adam<HIDDEN>; 2 * DEEP],
    lines: [Vec<[f32; HIDDEN]>; 2],
    line_squares: [Vec<[f32; HIDDEN]>; 2],
    hidden: Adam<HIDDEN>,
    out: Adam<HIDDEN>,
    out_bias: Adam<1>,
    games: u32,
}

/// What a point looks like, and all that its gradient needs.
struct PointActivations {
    point: Point,
    patterns: [LinePatterns; DIRECTIONS],
    sum: Row,
    deep: [f32; DEEP],
}

/// A position whose value is learned.
#[derive(Clone, Copy)]
struct Valued<'a> {
    inputs: &'a Inputs,
    score: f32,
    target: f32,
}

impl Learner {
    /// A learner that knows nothing; the seed decides the small numbers that it begins with.
    pub fn new(seed: u64) -> Learner {
        let state = seed.wrapping_mul(GOLDEN_GAMMA) ^ 0x2545_f491_4f6c_dd1d;
        let mut stream = Random::at(state);
        let mut random = move || stream.unit() - 0.5;
        let first = std::array::from_fn(|i| FIRST_SQUARES[if i < DIRECT { 0 } else { 1 }]);
        let random = &mut random;
        Learner {
            patterns: std::array::from_fn(|_| {
                FactoredEmbedding::new(first, DIRECT, || 0.3 * random())
            }),
            bias: Adam::new(0.1, &mut *random),
            mix: std::array::from_fn(|_| Adam::new(0.3, &mut *random)),
            mix_bias: Adam::new(0.1, &mut *random),
            moves: std::array::from_fn(|_| Adam::new(0.1, &mut *random)),
            pool: std::array::from_fn(|_| Adam::new(0.1, &mut *random)),
            lines: std::array::from_fn(|_| vec![[0.0; HIDDEN]; CLASSES]),
            line_squares: std::array::from_fn(|_| vec![[FIRST_SQUARES[2]; HIDDEN]; CLASSES]),
            hidden: Adam::new(0.1, &mut *random),
            out: Adam::new(0.2, &mut *random),
            out_bias: Adam::new(0.2, &mut *random),
            games: 0,
        }
    }

    /// The network as it is now.
    pub fn net(&self) -> Net {
        Net {
            points: PointNet {
                rows: [self.patterns[0].whole(), self.patterns[1].whole()],
                bias: self.bias.weights,
                mix: std::array::from_fn(|i| self.mix[i].weights),
                mix_bias: self.mix_bias.weights,
                moves: std::array::from_fn(|i| self.moves[i].weights),
            },
            pool: std::array::from_fn(|i| self.pool[i].weights),
            lines: self.lines.clone(),
            bias: self.hidden.weights,
            out: self.out.weights,
            out_bias: self.out_bias.weights[0],
        }
    }

    /// Everything that a checkpoint keeps, between games, and how many games were learned.
    pub fn state_mut(&mut self) -> (impl Iterator<Item = &mut f32>, &mut u32) {
        let [own, other] = &mut self.patterns;
        let dense = (self.bias.numbers_mut())
            .chain(self.mix.iter_mut().flat_map(Adam::numbers_mut))
            .chain(self.mix_bias.numbers_mut())
            .chain(self.moves.iter_mut().flat_map(Adam::numbers_mut))
            .chain(self.pool.iter_mut().flat_map(Adam::numbers_mut))
            .chain(self.hidden.numbers_mut())
            .chain(self.out.numbers_mut())
            .chain(self.out_bias.numbers_mut());
        let lines = self.lines.iter_mut().chain(&mut self.line_squares).flatten().flatten();
        (own.numbers_mut().chain(other.numbers_mut()).chain(lines).chain(dense), &mut self.games)
    }

    /// Learns from one game.
    pub fn learn(&mut self, rules: Rules, sample: &Sample, options: &LearnOptions) {
        learn_game(self, rules, sample, options);
    }

    #[inline(always)]
    fn learn_turns(&mut self, rules: Rules, sample: &Sample, options: &LearnOptions) {
        let turns = turns(rules, sample);
        let inputs: Vec<Option<(Inputs, f32)>> = turns
            .iter()
            .map(|turn| {
                turn.is_open(rules).then(|| {
                    (Inputs::of(&turn.board, turn.side), static_score(&turn.board, turn.side))
                })
            })
            .collect();
        // From the end backwards the lambda return of each position, as Black's chance.
        let of_black =
            |turn: &Turn, own: f32| if turn.side == Color::Black { own } else { 1.0 - own };
        let mut targets = vec![0.0; turns.len()];
        let mut target = sample.result(Color::Black);
        for (i, (turn, inputs)) in turns.iter().zip(&inputs).enumerate().rev() {
            if let Some(searched) = turn.searched {
                let chance = of_black(turn, searched.chance);
                target = options.lambda * target + (1.0 - options.lambda) * chance;
            }
            targets[i] = of_black(turn, target);
            if let (None, Some((inputs, score))) = (turn.searched, inputs) {
                let points = self.see(&turn.board, turn.side);
                let chance = self.chance(&points, inputs, *score);
                target = options.lambda * target + (1.0 - options.lambda) * of_black(turn, chance);
            }
        }
        for ((turn, inputs), target) in turns.iter().zip(&inputs).zip(targets) {
            let side = turn.side;
            let valued =
                inputs.as_ref().map(|(inputs, score)| Valued { inputs, score: *score, target });
            let share = match turn.searched {
                Some(_) => 1.0,
                None => options.moves[usize::from(sample.result(side) <= 0.75)],
            };
            let mut board = turn.board.clone();
            let firsts = turn.first_stones();
            self.learn_stone(&board, side, &firsts, 0, share, valued);
            if share <= 0.0 {
                continue;
            }
            for (first, chance) in firsts.into_iter().filter(|f| f.1 >= MIN_FIRST) {
                let seconds = turn.second_stones(first);
                if !seconds.is_empty() {
                    board.place(side, first);
                    self.learn_stone(&board, side, &seconds, 1, share * chance, None);
                    board.remove(side, first);
                }
            }
        }
        self.games = self.games.saturating_add(1);
        let (rate, games) = (options.dense_rate, self.games);
        self.bias.step(rate, games);
        self.mix.iter_mut().for_each(|d| d.step(rate, games));
        self.mix_bias.step(rate, games);
        self.moves.iter_mut().for_each(|d| d.step(rate, games));
        self.pool.iter_mut().for_each(|d| d.step(rate, games));
        self.hidden.step(rate, games);
        self.out.step(rate, games);
        self.out_bias.step(rate, games);
    }

    #[inline(always)]
    fn see(&self, board: &Board, side: Color) -> Vec<PointActivations> {
        let see = |point| {
            let patterns = patterns(board, side, point);
            let mut sum = self.bias.weights;
            for line in &patterns {
                for (factors, &pattern) in self.patterns.iter().zip(line) {
                    factors.add(&mut sum, pattern);
                }
            }
            let mut deep = self.mix_bias.weights;
            for (s, mix) in sum.iter().zip(&self.mix) {
                let s = s.max(0.0);
                for (d, w) in deep.iter_mut().zip(&mix.weights) {
                    *d += s * w;
                }
            }
            PointActivations { point, patterns, sum, deep: deep.map(|d| d.max(0.0)) }
        };
        candidates(board).iter().map(see).collect()
    }

    /// The chances of all points as a stone of a turn.
    #[inline(always)]
    fn chances(&self, points: &[PointActivations], stone: usize) -> Vec<f32> {
        let weights = &self.moves[stone].weights;
        let mut chances: Vec<f32> = points
            .iter()
            .map(|s| s.sum[stone] + s.deep.iter().zip(weights).map(|(d, w)| d * w).sum::<f32>())
            .collect();
        let total = soften(&mut chances);
        chances.iter_mut().for_each(|c| *c /= total);
        chances
    }

    /// The pool and the hidden layer before its activation.
    #[inline(always)]
    fn hidden(
        &self,
        points: &[PointActivations],
        chances: &[f32],
        inputs: &Inputs,
    ) -> ([f32; 2 * DEEP], [f32; HIDDEN]) {
        let mut pool = [0.0; 2 * DEEP];
        for (point, chance) in points.iter().zip(chances) {
            for i in 0..DEEP {
                pool[i] += point.deep[i] * POOL_SHARE;
                pool[DEEP + i] += point.deep[i] * chance;
            }
        }
        let mut hidden = self.hidden.weights;
        for (rows, classes) in self.lines.iter().zip([&inputs.own, &inputs.other]) {
            for &class in classes {
                hidden.iter_mut().zip(&rows[class as usize]).for_each(|(h, r)| *h += r);
            }
        }
        for (number, row) in pool.iter().zip(&self.pool) {
            hidden.iter_mut().zip(&row.weights).for_each(|(h, r)| *h += number * r);
        }
        (pool, hidden)
    }

    fn output(&self, hidden: &[f32; HIDDEN]) -> f32 {
        let z: f32 = hidden.iter().zip(&self.out.weights).map(|(h, w)| activation(*h) * w).sum();
        sigmoid(z + self.out_bias.weights[0])
    }

    /// The chance that the side to move wins.
    #[inline(always)]
    fn chance(&self, points: &[PointActivations], inputs: &Inputs, score: f32) -> f32 {
        let (_, hidden) = self.hidden(points, &self.chances(points, 0), inputs);
        sigmoid(combine(score, self.output(&hidden)))
    }

    /// Learns from one position: which stones were played, and what it was worth.
    #[inline(always)]
    fn learn_stone(
        &mut self,
        board: &Board,
        side: Color,
        wanted: &[(Point, f32)],
        stone: usize,
        share: f32,
        valued: Option<Valued<'_>>,
    ) {
        let points = self.see(board, side);
        let chances = self.chances(&points, stone);
        let of = |point: Point| wanted.iter().find(|w| w.0 == point).map_or(0.0, |w| w.1);
        let total: f32 = points.iter().map(|s| of(s.point)).sum();
        let share = if total > 0.0 { share } else { 0.0 };
        let pull = match valued {
            Some(valued) => self.learn_value(&points, &chances, valued),
            None => [0.0; 2 * DEEP],
        };
        for (point, chance) in points.iter().zip(chances) {
            let target = of(point.point) / total.max(f32::MIN_POSITIVE);
            let gradient = (chance - target) * share;
            if valued.is_none() && gradient.abs() < 1e-4 {
                continue;
            }
            // How the loss changes with the layer's numbers.
            let mut deep = [0.0; DEEP];
            let moves = &mut self.moves[stone];
            for i in 0..DEEP {
                deep[i] = pull[i] + chance * pull[DEEP + i] + gradient * moves.weights[i];
                moves.gradients[i] += gradient * point.deep[i];
                if point.deep[i] <= 0.0 {
                    deep[i] = 0.0;
                }
                self.mix_bias.gradients[i] += deep[i];
            }
            // With the sum's.
            let mut sum = [0.0; WIDTH];
            for ((sum, s), mix) in sum.iter_mut().zip(&point.sum).zip(&mut self.mix) {
                if *s > 0.0 {
                    for ((d, w), g) in deep.iter().zip(&mix.weights).zip(&mut mix.gradients) {
                        *sum += d * w;
                        *g += d * s;
                    }
                }
            }
            sum[stone] += gradient;
            for (g, s) in self.bias.gradients.iter_mut().zip(&sum) {
                *g += s;
            }
            for line in &point.patterns {
                for (factors, &pattern) in self.patterns.iter_mut().zip(line) {
                    factors.step(pattern, &sum, PATTERN_RATE);
                }
            }
        }
    }

    /// Learns the value's own weights from one position; gives how the loss changes with the pool's numbers,
    /// in terms of one point. The chances in the pool are taken as they are.
    #[inline(always)]
    fn learn_value(
        &mut self,
        points: &[PointActivations],
        chances: &[f32],
        Valued { inputs, score, target }: Valued<'_>,
    ) -> [f32; 2 * DEEP] {
        let (pool, hidden) = self.hidden(points, chances, inputs);
        let network = self.output(&hidden);
        let error = sigmoid(combine(score, network)) - target;
        let dz = error * SPREAD * network * (1.0 - network);
        let mut dh = [0.0; HIDDEN];
        for i in 0..HIDDEN {
            // The derivative of x / (1 + |x|) is 1 / (1 + |x|)^2.
            dh[i] = dz * self.out.weights[i] / (1.0 + hidden[i].abs()).powi(2);
            self.out.gradients[i] += dz * activation(hidden[i]);
            self.hidden.gradients[i] += dh[i];
        }
        self.out_bias.gradients[0] += dz;
        let mut pull = [0.0; 2 * DEEP];
        for (i, ((pull, number), row)) in pull.iter_mut().zip(pool).zip(&mut self.pool).enumerate()
        {
            for (j, d) in dh.iter().enumerate() {
                *pull += d * row.weights[j];
                row.gradients[j] += d * number;
            }
            *pull *= VALUE_SHARE * if i < DEEP { POOL_SHARE } else { 1.0 };
        }
        for (side, classes) in [&inputs.own, &inputs.other].into_iter().enumerate() {
            for &class in classes {
                let row = &mut self.lines[side][class as usize];
                let squares = &mut self.line_squares[side][class as usize];
                for i in 0..HIDDEN {
                    squares[i] += dh[i] * dh[i];
                    row[i] -= LINE_RATE * dh[i] / (squares[i] + 1e-12).sqrt();
                }
            }
        }
        pull
    }
}

simd::multiversion! {
    fn learn_game(
        learner: &mut Learner,
        rules: Rules,
        sample: &Sample,
        options: &LearnOptions,
    ) = Learner::learn_turns;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Outcome;

    const OPTIONS: LearnOptions = LearnOptions { moves: [1.0, 0.5], lambda: 0.9, dense_rate: 0.01 };

    fn sample() -> Sample {
        let stones = [
            (9, 9),
            (9, 8),
            (10, 10),
            (10, 11),
            (11, 10),
            (12, 9),
            (11, 8),
            (13, 8),
            (11, 9),
            (12, 10),
            (12, 11),
            (12, 7),
            (12, 12),
            (14, 9),
            (13, 10),
            (12, 6),
            (10, 9),
            (14, 8),
            (15, 9),
            (16, 10),
        ];
        Sample {
            stones: stones.into_iter().filter_map(|(col, row)| Point::new(col, row)).collect(),
            outcome: Outcome::Win(Color::White),
            searched: Vec::new(),
        }
    }

    #[test]
    fn the_engine_computes_what_was_learned() {
        let mut learner = Learner::new(1);
        let sample = sample();
        for _ in 0..3 {
            learner.learn(Rules::CONNECT6, &sample, &OPTIONS);
        }
        let net = learner.net();
        for turn in turns(Rules::CONNECT6, &sample) {
            let (board, side) = (&turn.board, turn.side);
            let inputs = Inputs::of(board, side);
            let points = learner.see(board, side);
            let view = net.view(board, side);
            for stone in 0..2 {
                let mut here = view.weights(stone);
                let total = soften(&mut here);
                for (a, b) in here.iter().zip(learner.chances(&points, stone)) {
                    assert!((a / total - b).abs() < 1e-5);
                }
            }
            let here =
                sigmoid(combine(static_score(board, side), net.output(&view.pool(), &inputs)));
            let there = learner.chance(&points, &inputs, static_score(board, side));
            assert!((here - there).abs() < 1e-4, "{here} {there}");
        }
    }

    #[test]
    fn a_game_seen_often_is_known() {
        let mut learner = Learner::new(1);
        let before = super::super::evaluate(&learner.net(), Rules::CONNECT6, &[sample()]);
        for _ in 0..30 {
            learner.learn(Rules::CONNECT6, &sample(), &OPTIONS);
        }
        let after = super::super::evaluate(&learner.net(), Rules::CONNECT6, &[sample()]);
        assert!(after.move_loss < 0.7 * before.move_loss, "{before:?} {after:?}");
        assert!(after.value_loss < 0.7 * before.value_loss, "{before:?} {after:?}");
    }
}
