//! A position as the network sees it: every candidate point, for one side to move.

use super::points::{DEEP, PointFeatures, PointNet};
use crate::Color;
use crate::board::Board;
use crate::candidates::candidates;
use crate::geometry::{Place, bits};
use crate::pattern::{REACH, line_patterns, without};
use crate::point::{MAX_POINTS, Point};
use crate::point_set::PointSet;

/// What the candidates of a position look like to the side to move.
pub struct View<'a> {
    net: &'a PointNet,
    mover: Color,
    points: Vec<Point>,
    features: Vec<PointFeatures>,
}

/// How the candidates look altogether: the layer's numbers of all points added up, and those of the points
/// that look like moves, each by its chance of being the first stone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pool(pub [f32; 2 * DEEP]);

/// How much of the layer's numbers goes into the sum over all points, which are a hundred or two.
pub const POOL_SHARE: f32 = 1.0 / 16.0;

impl<'a> View<'a> {
    /// A position's candidates.
    pub fn new(net: &'a PointNet, board: &Board, mover: Color) -> View<'a> {
        View::of(net, board, mover, &candidates(board))
    }

    /// Some points of a position.
    pub fn of(net: &'a PointNet, board: &Board, mover: Color, points: &PointSet) -> View<'a> {
        let points: Vec<Point> = points.iter().collect();
        let mut features = Vec::with_capacity(points.len());
        see_all(net, board, mover, &points, &mut features);
        View { net, mover, points, features }
    }

    /// The points and what they look like.
    pub fn points(&self) -> impl Iterator<Item = (Point, &PointFeatures)> {
        self.points.iter().copied().zip(&self.features)
    }

    /// The weights of all points as the first (0) or second (1) stone of a turn.
    pub fn weights(&self, stone: usize) -> Vec<f32> {
        self.features.iter().map(|features| self.net.weight(features, stone)).collect()
    }

    /// The `max` points with the highest weights and their chances, best first.
    pub fn best(&self, stone: usize, max: usize) -> Vec<(Point, f32)> {
        best(self.points.iter().copied().zip(self.weights(stone)).collect(), max)
    }

    /// How the candidates look altogether.
    pub fn pool(&self) -> Pool {
        let mut chances = self.weights(0);
        let total = soften(&mut chances);
        let mut pool = [0.0; 2 * DEEP];
        let (all, first) = pool.split_at_mut(DEEP);
        for (features, chance) in self.features.iter().zip(&chances) {
            let chance = chance / total;
            for ((a, f), d) in all.iter_mut().zip(first.iter_mut()).zip(&features.deep) {
                *a += d * POOL_SHARE;
                *f += d * chance;
            }
        }
        Pool(pool)
    }

    /// The weights of second stones, to be kept for all the first stones that a turn may begin with.
    pub fn second_stones(&self) -> SecondStones<'_, 'a> {
        let mut view = SecondStones {
            view: self,
            known: PointSet::default(),
            place: [0; MAX_POINTS],
            weights: [0.0; MAX_POINTS],
        };
        for (i, (&point, features)) in self.points.iter().zip(&self.features).enumerate() {
            view.known.insert(point);
            view.place[point.index()] = i as u16;
            view.weights[point.index()] = self.net.weight(features, 1);
        }
        view
    }
}

/// Weights of second stones before the first one stands: it changes only those near it on its lines.
pub struct SecondStones<'v, 'a> {
    view: &'v View<'a>,
    /// The points whose weights are known.
    known: PointSet,
    place: [u16; MAX_POINTS],
    weights: [f32; MAX_POINTS],
}

impl SecondStones<'_, '_> {
    /// The `max` best second stones of all candidates on the board with the first stone on it.
    pub fn best(&self, board: &Board, first: Point, max: usize) -> Vec<(Point, f32)> {
        let mut points = Vec::with_capacity(256);
        weigh_seconds(self, board, first, &mut points);
        best(points, max)
    }
}

simd::multiversion! {
    /// What each of some points looks like.
    fn see_all(
        net: &PointNet,
        board: &Board,
        mover: Color,
        points: &[Point],
        features: &mut Vec<PointFeatures>,
    ) = features_of_each;
}

#[inline(always)]
fn features_of_each(
    net: &PointNet,
    board: &Board,
    mover: Color,
    points: &[Point],
    features: &mut Vec<PointFeatures>,
) {
    for &point in points {
        features.push(net.see(board, mover, point));
    }
}

simd::multiversion! {
    /// The weights of all second stones on the board with the first stone on it.
    fn weigh_seconds(
        before: &SecondStones<'_, '_>,
        board: &Board,
        first: Point,
        points: &mut Vec<(Point, f32)>,
    ) = weigh_each;
}

#[inline(always)]
fn weigh_each(
    before: &SecondStones<'_, '_>,
    board: &Board,
    first: Point,
    points: &mut Vec<(Point, f32)>,
) {
    let View { net, mover, features, .. } = before.view;
    let mut weights = before.weights;
    for &place in board.geometry().places(first) {
        let line = place.line as usize;
        let bit = place.bit as usize;
        let near = ((1u32 << (bit + REACH + 1)) - 1) & (!0 << bit.saturating_sub(REACH));
        for other in bits(near & board.empty(line)) {
            let point = board.geometry().cell(line, other);
            if !before.known.contains(point) {
                continue;
            }
            let with = line_patterns(board, *mover, Place { line: place.line, bit: other as u8 });
            let mut sum = features[before.place[point.index()] as usize].sum;
            net.take(&mut sum, &without(with, other, bit));
            net.add(&mut sum, &with);
            weights[point.index()] = net.weight(&PointFeatures { sum, deep: net.deep(&sum) }, 1);
        }
    }
    for point in candidates(board).iter() {
        let weight = if before.known.contains(point) {
            weights[point.index()]
        } else {
            net.weight(&net.see(board, *mover, point), 1)
        };
        points.push((point, weight));
    }
}

/// Turns weights into numbers in proportion to their chances; gives their total.
pub fn soften(weights: &mut [f32]) -> f32 {
    let top = weights.iter().copied().fold(f32::MIN, f32::max);
    let mut total = 0.0;
    for weight in weights {
        *weight = (*weight - top).exp();
        total += *weight;
    }
    total
}

/// The `max` points with the highest weights and their chances among all, best first.
fn best(mut points: Vec<(Point, f32)>, max: usize) -> Vec<(Point, f32)> {
    let mut weights: Vec<f32> = points.iter().map(|p| p.1).collect();
    let total = soften(&mut weights);
    points.iter_mut().zip(weights).for_each(|(p, w)| p.1 = w / total);
    if points.len() > max {
        points.select_nth_unstable_by(max, |a, b| b.1.total_cmp(&a.1));
        points.truncate(max);
    }
    points.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::points::WIDTH;
    use crate::{Board, Rules};

    fn net() -> PointNet {
        let mut net = PointNet::default();
        let mut number = 1u32;
        let mut next = move || {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (number >> 8) as f32 / (1 << 24) as f32 - 0.5
        };
        for side in &mut net.rows {
            for pattern in 0..side.len() {
                let mirror = crate::pattern::mirrored(pattern as u16) as usize;
                side[pattern] =
                    if mirror < pattern { side[mirror] } else { std::array::from_fn(|_| next()) };
            }
        }
        net.mix = std::array::from_fn(|_| std::array::from_fn(|_| next()));
        net.moves = std::array::from_fn(|_| std::array::from_fn(|_| next()));
        net
    }

    fn board() -> Board {
        let mut board = Board::new(Rules::CONNECT6);
        for (i, (col, row)) in
            [(9, 9), (10, 9), (9, 10), (0, 0), (3, 1), (11, 12), (18, 18)].into_iter().enumerate()
        {
            board.place([Color::Black, Color::White][i % 2], Point::new(col, row).unwrap());
        }
        board
    }

    #[test]
    fn second_stones_have_the_weights_of_the_board_that_they_stand_on() {
        let net = net();
        for mover in Color::BOTH {
            let before = board();
            let view = View::new(&net, &before, mover);
            let kept = view.second_stones();
            for first in [(10, 10), (1, 1), (17, 18), (7, 9), (13, 5)] {
                let first = Point::new(first.0, first.1).unwrap();
                let mut board = before.clone();
                board.place(mover, first);
                let kept = kept.best(&board, first, 400);
                let anew = View::new(&net, &board, mover).best(1, 400);
                assert_eq!(kept.len(), anew.len());
                for (point, chance) in kept {
                    let found = anew.iter().find(|(p, _)| *p == point).unwrap().1;
                    assert!((chance - found).abs() < 1e-5, "{point:?} after {first:?}");
                }
            }
        }
    }

    #[test]
    fn a_turned_board_looks_the_same() {
        let net = net();
        let board = board();
        let mut turned = Board::new(Rules::CONNECT6);
        for point in Rules::CONNECT6.points() {
            if let Some(color) = board.get(point) {
                turned.place(color, Point::new(18 - point.row(), point.col()).unwrap());
            }
        }
        let here = View::new(&net, &board, Color::White).pool();
        let there = View::new(&net, &turned, Color::White).pool();
        for (a, b) in here.0.iter().zip(there.0) {
            assert!((a - b).abs() < 1e-3, "{a} {b}");
        }
        assert_eq!(net.bias.len(), WIDTH);
    }
}
