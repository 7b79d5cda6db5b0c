//! The vital point of a small eye space: where one stone keeps it from becoming two eyes.

use crate::Color;
use crate::board::{Board, Site};

/// The vital point of the empty region at `s`, when stones of `color` alone enclose it and its
/// shape has one: three in a row or bent, the T and the square of four, the bulky five, the cross
/// of five and the six of two rows that a bulky five and a point make.
pub fn vital_point<const N: usize, const W: usize>(
    board: &Board<N, W>,
    s: Site,
    color: Color,
) -> Option<Site> {
    let mut region = [s; 6];
    let mut n = 1;
    let mut at = 0;
    while at < n {
        if board.pattern3x3(region[at]).ortho_stones(color.other()) != 0 {
            return None;
        }
        for t in board.empties_beside(region[at]) {
            if !region[..n].contains(&t) {
                if n == region.len() {
                    return None;
                }
                region[n] = t;
                n += 1;
            }
        }
        at += 1;
    }
    vital_point_of::<N, W>(&region[..n])
}

/// The vital point of a shape of up to six points that hang together, if it has one.
#[inline]
pub(super) fn vital_point_of<const N: usize, const W: usize>(shape: &[Site]) -> Option<Site> {
    if shape.len() < 3 {
        return None;
    }
    let (mut best, mut max_degree, mut ends) = (shape[0], 0, 0);
    for &point in shape {
        let beside = Board::<N, W>::neighbours(point);
        let degree = beside.iter().filter(|neighbour| shape.contains(neighbour)).count();
        ends += degree;
        if degree >= max_degree {
            (best, max_degree) = (point, degree);
        }
    }
    // Each link between two points has two ends.
    let links = ends / 2;
    let killable = match shape.len() {
        3 => true,
        4 => max_degree == 3 || links == 4,
        5 => max_degree == 4 || links == 5,
        _ => max_degree == 4 && links >= 6,
    };
    // The bulky five's point is the one with three neighbours, which is the maximum degree there.
    killable.then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Point;
    use crate::board::Board9;

    /// A black wall around the points of `eye` in an otherwise empty board's corner.
    fn vital(eye: &[(u8, u8)]) -> Option<String> {
        let mut board = Board9::new(9, 9).unwrap();
        for s in board.sites().collect::<Vec<_>>() {
            let p = board.point(s);
            let inside = eye.contains(&(p.col(), p.row()));
            let beside = eye.iter().any(|&(c, r)| c.abs_diff(p.col()) + r.abs_diff(p.row()) == 1);
            if beside && !inside {
                board.play(s, Color::Black);
            }
        }
        let s = board.site(Point::new(eye[0].0, eye[0].1)).unwrap();
        vital_point(&board, s, Color::Black).map(|v| board.point(v).to_string())
    }

    #[test]
    fn finds_the_point_of_each_shape() {
        assert_eq!(vital(&[(0, 0), (1, 0), (2, 0)]).as_deref(), Some("B1"));
        assert_eq!(vital(&[(0, 0), (0, 1), (1, 0)]).as_deref(), Some("A1"));
        assert_eq!(vital(&[(3, 3), (4, 3), (5, 3), (4, 4)]).as_deref(), Some("E4"));
        assert_eq!(vital(&[(4, 4), (3, 4), (5, 4), (4, 3), (4, 5)]).as_deref(), Some("E5"));
        let bulky = vital(&[(3, 3), (4, 3), (3, 4), (4, 4), (5, 4)]);
        assert_eq!(bulky.as_deref(), Some("E5"));
        assert_eq!(vital(&[(0, 0), (1, 0), (2, 0), (3, 0)]), None, "four in a row is alive");
        assert_eq!(vital(&[(0, 0), (1, 0)]), None);
    }
}
