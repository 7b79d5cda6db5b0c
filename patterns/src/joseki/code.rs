//! The code of Yue, Li and Qiu, "A pattern encoding method independent of symmetry applied in
//! joseki learning", CAAI Transactions on Intelligent Systems 2(4), 2007: the same for the 16 forms
//! of a corner and for every order of play, and not the same only for one position.

use super::corner::{Places, SIDE};
use super::stones::Stones;

/// The board's side as it enters the code.
const BOARD: u64 = 19;

/// The parts of the code of a set of stones taken as one colour. All arithmetic is modulo 2^64.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetCode {
    /// A, the neighbours: the product over stones of 1 and the number of stones beside it, 19 more
    /// for a stone on the board's edge.
    pub neighbours: u64,
    /// B, rows and columns: the product over each that is occupied of 19 and the distance of its
    /// farthest stone from the border, counted from 1.
    pub lines: u64,
    /// C, the outline: points of the smallest rectangle that holds the set.
    pub outline: u64,
}

/// The code of a corner's position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Code {
    /// Black's stones.
    pub black: SetCode,
    /// White's stones.
    pub white: SetCode,
    /// All stones as one colour.
    pub both: SetCode,
}

impl SetCode {
    /// The code of a set. No stones give A = B = 1 and C = 0, as products and areas of nothing do.
    ///
    /// ```
    /// use go_patterns::joseki::{Place, SetCode};
    /// let stones = [(3, 5), (4, 4), (7, 3)].map(|(x, y)| Place::new(x, y).unwrap());
    /// let code = SetCode::of(stones.into_iter().collect());
    /// assert_eq!((code.neighbours, code.lines, code.outline), (1, 159766464, 15));
    /// assert_eq!(code.k(), 159766479);
    /// ```
    pub fn of(set: Places) -> SetCode {
        let mut neighbours = 1u64;
        // The farthest stone of each column and row; 0 where there is none.
        let (mut columns, mut rows) = ([0u8; SIDE as usize], [0u8; SIDE as usize]);
        let (mut min, mut max) = ((SIDE, SIDE), (1, 1));
        for place in set.iter() {
            let (x, y) = (place.x(), place.y());
            let beside = place.neighbours().filter(|&next| set.has(next)).count() as u64;
            let edge = if x == 1 || y == 1 { BOARD } else { 0 };
            neighbours = neighbours.wrapping_mul(1 + beside + edge);
            let (column, row) = (usize::from(x) - 1, usize::from(y) - 1);
            columns[column] = columns[column].max(y);
            rows[row] = rows[row].max(x);
            min = (min.0.min(x), min.1.min(y));
            max = (max.0.max(x), max.1.max(y));
        }
        let spans = columns.into_iter().chain(rows).filter(|&far| far > 0);
        let lines = spans.fold(1u64, |product, far| product.wrapping_mul(BOARD + u64::from(far)));
        let outline = if set.is_empty() {
            0
        } else {
            u64::from(max.0 - min.0 + 1) * u64::from(max.1 - min.1 + 1)
        };
        SetCode { neighbours, lines, outline }
    }

    /// K = A * B + C.
    pub const fn k(self) -> u64 {
        self.neighbours.wrapping_mul(self.lines).wrapping_add(self.outline)
    }
}

impl Code {
    /// The code of a corner.
    pub fn of(stones: Stones) -> Code {
        Code {
            black: SetCode::of(stones.black),
            white: SetCode::of(stones.white),
            both: SetCode::of(stones.black.union(stones.white)),
        }
    }

    /// S, the code of the position: the product of the three K.
    pub const fn s(self) -> u64 {
        self.black.k().wrapping_mul(self.white.k()).wrapping_mul(self.both.k())
    }
}

#[cfg(test)]
mod tests {
    use super::super::corner::Place;
    use super::*;

    fn places(lines: &[(u8, u8)]) -> Places {
        lines.iter().filter_map(|&(x, y)| Place::new(x, y)).collect()
    }

    /// The paper's figure 1.
    fn example() -> Stones {
        Stones {
            black: places(&[(3, 5), (4, 4), (7, 3)]),
            white: places(&[(3, 6), (3, 9), (4, 6)]),
        }
    }

    #[test]
    fn the_papers_example_has_the_papers_numbers() {
        let code = Code::of(example());
        let parts = |set: SetCode| (set.neighbours, set.lines, set.outline, set.k());
        assert_eq!(parts(code.black), (1, 159_766_464, 15, 159_766_479));
        assert_eq!(parts(code.white), (4, 354_200, 8, 1_416_808));
        assert_eq!(parts(code.both), (12, 102_516_814_400, 35, 1_230_201_772_835));
        assert_eq!(code.s(), 3_483_223_225_763_992_904);
    }

    #[test]
    fn all_forms_have_one_code() {
        let Stones { black, white } = example();
        let forms = [
            Stones { black: white, white: black },
            Stones { black: black.flipped(), white: white.flipped() },
            Stones { black: white.flipped(), white: black.flipped() },
        ];
        for form in forms {
            assert_eq!(Code::of(form).s(), Code::of(example()).s());
            assert_eq!(form.canonical_form(), example().canonical_form());
        }
    }

    #[test]
    fn stones_on_the_edge_weigh_more_and_nothing_is_a_code_too() {
        let code = SetCode::of(places(&[(1, 1), (2, 1)]));
        // Both stones: 1 + one neighbour + 19. Columns reach line 1 twice, the row line 2.
        assert_eq!((code.neighbours, code.lines, code.outline), (21 * 21, 20 * 20 * 21, 2));
        let nothing = SetCode::of(Places::EMPTY);
        assert_eq!((nothing.neighbours, nothing.lines, nothing.outline, nothing.k()), (1, 1, 0, 1));
    }
}
