//! The 5x5 about a site as one number, and the names of the patterns within it, fast enough for
//! playouts.
//!
//! The board keeps a 3x3 code for every site move by move. The codes of the four neighbours and the
//! site's own have all points between them but the corners, which the diagonal neighbours' have: a
//! 5x5 costs nine loads, five without the corners, and keeping a wider code on the board for every
//! move, asked for or not, would cost more.

use super::template::{Lanes, Name, OFFSETS, Template};
use super::timing::{Timing, is_captured};
use go_engine::board::Pattern3x3;
use go_engine::{Board, Color, Point, Site};
use std::sync::LazyLock;

/// What lies on the 24 points about a site, seen by the mover as Black: two bits each, as in
/// [`Pattern3x3`], in six bytes; the templates are nested bytes. On boards with sides of two or more.
///
/// | bytes | points (right, up) | template |
/// | --- | --- | --- |
/// | 0 | (0,1) (1,0) (0,-1) (-1,0) | (1,0) |
/// | 1 | (1,1) (1,-1) (-1,-1) (-1,1) | (1,1) |
/// | 2 | (0,2) (2,0) (0,-2) (-2,0) | (2,0) |
/// | 3 | (1,2) (2,-1) (-1,-2) (-2,1) | (2,1) |
/// | 4 | (-1,2) (2,1) (1,-2) (-2,-1) | (2,1) |
/// | 5 | (2,2) (2,-2) (-2,-2) (-2,2) | (2,2) |
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Square5(u64);

/// The points of each byte, as in the table above.
const POINTS: [[(i8, i8); 4]; 6] = [
    [(0, 1), (1, 0), (0, -1), (-1, 0)],
    [(1, 1), (1, -1), (-1, -1), (-1, 1)],
    [(0, 2), (2, 0), (0, -2), (-2, 0)],
    [(1, 2), (2, -1), (-1, -2), (-2, 1)],
    [(-1, 2), (2, 1), (1, -2), (-2, -1)],
    [(2, 2), (2, -2), (-2, -2), (-2, 2)],
];

/// How many bytes each template has.
const BYTES: [u32; 5] = [1, 2, 3, 5, 6];

/// Where the points of each byte's values go in each of the eight ways that a pattern can lie: an odd
/// way is mirrored first, left for right, and then each two more are a quarter turn clockwise.
pub(super) struct Turns(Box<[[[u64; 256]; 6]; 8]>);

static TURNS: LazyLock<Turns> = LazyLock::new(|| {
    let place = |point: (i8, i8)| POINTS.iter().flatten().position(|&p| p == point).unwrap_or(0);
    let mut turned = Box::new([[[0; 256]; 6]; 8]);
    for (way, bytes) in turned.iter_mut().enumerate() {
        for (values, points) in bytes.iter_mut().zip(POINTS) {
            for (value, code) in values.iter_mut().enumerate() {
                for (at, point) in points.into_iter().enumerate() {
                    let point = if way & 1 == 0 { point } else { (-point.0, point.1) };
                    let (x, y) = (0..way >> 1).fold(point, |(x, y), _| (y, -x));
                    *code |= (value as u64 >> (2 * at) & 3) << (2 * place((x, y)));
                }
            }
        }
    }
    Turns(turned)
});

impl Turns {
    /// Made once.
    pub(super) fn get() -> &'static Turns {
        &TURNS
    }
}

/// What each value of each byte adds to a pattern's code, in the eight ways that it can lie.
pub(crate) struct Parts(Box<[[Lanes; 256]; 6]>);

/// The parts of all names, made once: 96 KiB.
pub(crate) static PARTS: LazyLock<Parts> = LazyLock::new(|| {
    let mut parts = Box::new([[[0; 8]; 256]; 6]);
    for (rows, points) in parts.iter_mut().zip(POINTS) {
        for (value, lanes) in rows.iter_mut().enumerate() {
            for (place, (dx, dy)) in points.into_iter().enumerate() {
                let Some(kind) = (value >> (2 * place) & 3).checked_sub(1) else { continue };
                let offset = OFFSETS.iter().find(|offset| (offset.dx, offset.dy) == (dx, dy));
                for (lane, key) in lanes.iter_mut().zip(offset.map_or([0; 8], |o| o.keys[kind])) {
                    *lane ^= key;
                }
            }
        }
    }
    Parts(parts)
});

/// Black for White: the two bits of each point change places; empty and border stay.
#[inline(always)]
fn swap(code: u64) -> u64 {
    (code & 0x5555_5555_5555_5555) << 1 | (code >> 1 & 0x5555_5555_5555_5555)
}

impl Square5 {
    /// What [`Square5::from_bits`] makes it of again.
    pub(super) const fn bits(self) -> u64 {
        self.0
    }

    /// A square of bits that [`Square5::bits`] gave.
    pub(super) const fn from_bits(bits: u64) -> Square5 {
        Square5(bits)
    }

    /// The 5x5 about an empty site.
    #[inline(always)]
    pub fn of<const N: usize, const W: usize>(
        board: &Board<N, W>,
        site: Site,
        mover: Color,
    ) -> Square5 {
        let corners = Square5::corners(board, site, mover);
        Square5(Square5::without_corners(board, site, mover).0 | u64::from(corners) << 40)
    }

    /// The 5x5 about a move.
    pub(super) fn of_move<const N: usize, const W: usize>(
        board: &Board<N, W>,
        site: Site,
        mover: Color,
        timing: Timing,
    ) -> Square5 {
        let mut square = Square5::of(board, site, mover);
        if timing.alters(board, site, mover) {
            let centre = board.point(site);
            for (place, (right, up)) in POINTS.into_iter().flatten().enumerate() {
                let (col, row) =
                    (centre.col().checked_add_signed(right), centre.row().checked_add_signed(up));
                if let (Some(col), Some(row)) = (col, row)
                    && col < board.width()
                    && row < board.height()
                    && let Some(stone) = board.site(Point::new(col, row))
                    && is_captured(board, stone, site, mover)
                {
                    square.0 &= !(3 << (2 * place));
                }
            }
        }
        square
    }

    /// The 5x5 about an empty site, its corners empty.
    #[inline(always)]
    pub(super) fn without_corners<const N: usize, const W: usize>(
        board: &Board<N, W>,
        site: Site,
        mover: Color,
    ) -> Square5 {
        let own = board.pattern3x3(site).0;
        let [n, e, s, w] = Board::<N, W>::neighbours(site).map(|beside| board.pattern3x3(beside).0);
        // What a neighbour sees straight ahead and on its right, and what on its left.
        let ahead_right = n & 0x0303 | e & 0x0c0c | s & 0x3030 | w & 0xc0c0;
        let left = ((n & 0xc000 | e & 0x0300 | s & 0x0c00 | w & 0x3000) >> 8) as u8;
        // A neighbour beyond the border sees border only, whatever its code says.
        let beyond = (own & own >> 1 & 0x55) * 3;
        let ahead_right = ahead_right | beyond | beyond << 8;
        let left = u16::from(left.rotate_left(2)) | beyond;
        let code = u64::from(own) | u64::from(ahead_right) << 16 | u64::from(left) << 32;
        Square5(match mover {
            Color::Black => code,
            Color::White => swap(code),
        })
    }

    /// The last byte of the 5x5 about an empty site.
    #[inline(always)]
    pub(super) fn corners<const N: usize, const W: usize>(
        board: &Board<N, W>,
        site: Site,
        mover: Color,
    ) -> u8 {
        let [a, b, c, d] =
            Board::<N, W>::DIAGONAL.map(|step| board.pattern3x3(site.offset(step)).0);
        let seen = (a & 0x0300 | b & 0x0c00 | c & 0x3000 | d & 0xc000) >> 8;
        let diagonal = board.pattern3x3(site).0 >> 8;
        let corners = u64::from(seen | ((diagonal & diagonal >> 1 & 0x55) * 3));
        match mover {
            Color::Black => corners as u8,
            Color::White => swap(corners) as u8,
        }
    }

    /// The 3x3 within, the other points empty.
    pub(super) fn of_pattern3x3(pattern: Pattern3x3) -> Square5 {
        Square5(u64::from(pattern.0))
    }

    /// The number that it is: what an earlier [`Square5::code`] gave, or `None` for what cannot be
    /// one.
    pub(super) fn from_code(code: u64) -> Option<Square5> {
        (code >> 48 == 0).then_some(Square5(code))
    }

    /// It as a number of 48 bits.
    #[inline(always)]
    pub(super) fn code(self) -> u64 {
        self.0
    }

    /// Only the points of a template, at most the 5x5; the others empty.
    #[inline(always)]
    pub fn within(self, template: Template) -> Square5 {
        let bytes = BYTES.get(template.index()).copied().unwrap_or(6);
        Square5(self.0 & ((1 << (8 * bytes)) - 1))
    }

    /// One of the eight ways that it can lie, 0 the one that it does.
    #[inline(always)]
    pub(super) fn turned(self, turns: &Turns, way: usize) -> Square5 {
        let bytes = &turns.0[way & 7];
        let part = |byte: usize| bytes[byte][(self.0 >> (8 * byte) & 0xff) as usize];
        Square5((0..6).fold(0, |code, byte| code | part(byte)))
    }

    /// All eight.
    pub fn images(self) -> [Square5; 8] {
        std::array::from_fn(|way| self.turned(Turns::get(), way))
    }

    /// The same for all eight ways that it can lie.
    pub fn canonical(self) -> Square5 {
        self.images().into_iter().min().unwrap_or(self)
    }

    /// The name of its pattern of this template, at most the 5x5.
    pub fn name(self, template: Template) -> Name {
        self.names(&PARTS, template, template).next().unwrap_or(Name(0))
    }

    /// The names of the patterns from one template up to another, the smallest first.
    #[inline(always)]
    pub(crate) fn names(
        self,
        parts: &Parts,
        from: Template,
        to: Template,
    ) -> impl Iterator<Item = Name> {
        let mut lanes = [0; 8];
        let mut bytes = 0;
        let mut next = from.index();
        std::iter::from_fn(move || {
            let template = Template::from_index(next).filter(|&template| template <= to)?;
            next += 1;
            while bytes < *BYTES.get(template.index())? {
                let part = &parts.0[bytes as usize][(self.0 >> (8 * bytes) & 0xff) as usize];
                for (lane, part) in lanes.iter_mut().zip(part) {
                    *lane ^= part;
                }
                bytes += 1;
            }
            Some(Name::of(&lanes, template))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frequencies::names_on_board;
    use go_engine::board::Board19;
    use go_engine::rng::Rng;

    #[test]
    fn all_ways_of_lying_have_one_name() {
        let mut rng = Rng::new(6);
        for _ in 0..1000 {
            let square = Square5(rng.bits() >> 16);
            let images = square.images();
            assert_eq!(images[0], square);
            for template in Template::all().take(5) {
                let part = square.within(template);
                for image in images {
                    assert_eq!(image.name(template), square.name(template));
                    assert_eq!(image.within(template).canonical(), part.canonical());
                    assert!(part.images().contains(&image.within(template)));
                }
            }
        }
    }

    #[test]
    fn different_patterns_have_different_names() {
        let mut names = std::collections::HashMap::new();
        for code in 0..=u16::MAX {
            let square = Square5(code.into());
            let (name, canonical) = (square.name(Template::SQUARE_3), square.canonical());
            assert_eq!(*names.entry(name).or_insert(canonical), canonical, "{code:#x}");
        }
        // Four things on eight points, up to eight ways of lying: Burnside's lemma.
        let fixed = [4u64.pow(8), 4u64.pow(4), 2 * 4u64.pow(2), 4 * 4u64.pow(5)];
        assert_eq!(names.len() as u64, fixed.iter().sum::<u64>() / 8);
    }

    #[test]
    fn after_a_move_the_captured_stones_are_gone() {
        let mut rng = Rng::new(8);
        let mut captures = 0;
        for (width, height) in [(2, 5), (5, 5), (9, 9), (7, 19)] {
            for _ in 0..20 {
                let mut board = Board19::new(width, height).unwrap();
                let mut color = Color::Black;
                for _ in 0..2 * board.area() {
                    let sites: Vec<Site> =
                        board.sites().filter(|&site| board.is_legal(site, color)).collect();
                    for &site in &sites {
                        let mut after = board.clone();
                        captures += after.play(site, color);
                        let square = Square5::of_move(&board, site, color, Timing::AfterMove);
                        assert_eq!(square, Square5::of(&after, site, color));
                    }
                    let Some(&site) = sites.get(rng.below(sites.len().max(1) as u32) as usize)
                    else {
                        break;
                    };
                    board.play(site, color);
                    color = color.other();
                }
            }
        }
        assert!(captures > 1000, "{captures}");
    }

    #[test]
    fn stones_in_the_far_corner_of_the_largest_board_are_gone_too() {
        let mut board = Board::<1024, 11>::new(25, 25).unwrap();
        let site = |name: &str| board.site(name.parse().unwrap()).unwrap();
        let [stone, beside, capture] = ["Z25", "Y25", "Z24"].map(site);
        board.play(stone, Color::White);
        board.play(beside, Color::Black);
        let square = Square5::of_move(&board, capture, Color::Black, Timing::AfterMove);
        assert!(board.play(capture, Color::Black) == 1);
        assert_eq!(square, Square5::of(&board, capture, Color::Black));
    }

    #[test]
    fn names_are_those_made_point_by_point() {
        let mut rng = Rng::new(5);
        for (width, height) in [(2, 2), (2, 5), (3, 4), (9, 9), (19, 19), (7, 19)] {
            let mut board = Board19::new(width, height).unwrap();
            let mut color = Color::Black;
            for _ in 0..board.area() {
                let sites: Vec<Site> =
                    board.sites().filter(|&site| board.is_legal(site, color)).collect();
                let Some(&site) = sites.get(rng.below(sites.len().max(1) as u32) as usize) else {
                    break;
                };
                board.play(site, color);
                color = color.other();
                for site in board.sites().filter(|&site| board.is_empty(site)) {
                    for mover in Color::BOTH {
                        let slow = names_on_board(&board, site, mover, Template::SQUARE_5);
                        let fast: Vec<Name> = Square5::of(&board, site, mover)
                            .names(&PARTS, Template::ALL[0], Template::SQUARE_5)
                            .collect();
                        assert_eq!(fast, slow, "{width}x{height}");
                    }
                }
            }
        }
    }
}
