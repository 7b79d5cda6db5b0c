//! The 5x5 about a site as one number, and the names of the patterns within it, fast enough for
//! playouts.
//!
//! The board keeps a 3x3 code for every site move by move. The four diagonal neighbours' codes and
//! the site's own have all 24 points between them: a 5x5 costs five loads, and keeping a wider code
//! on the board for every move, asked for or not, would cost more.

use super::template::{Lanes, Name, OFFSETS, Template};
use go_engine::board::Around;
use go_engine::{Board, Color, Site};
use std::sync::LazyLock;

/// What lies on the 24 points about a site, seen by the mover as Black: two bits each, as in
/// [`Around`], in six bytes; the templates are nested bytes. On boards with sides of two or more.
///
/// | bytes | points (right, up) | template |
/// | --- | --- | --- |
/// | 0 | (0,1) (1,0) (0,-1) (-1,0) | (1,0) |
/// | 1 | (1,1) (1,-1) (-1,-1) (-1,1) | (1,1) |
/// | 2 | (0,2) (2,0) (0,-2) (-2,0) | (2,0) |
/// | 3 | (1,2) (2,1) (-1,-2) (-2,-1) | (2,1) |
/// | 4 | (-1,2) (2,-1) (1,-2) (-2,1) | (2,1) |
/// | 5 | (2,2) (2,-2) (-2,-2) (-2,2) | (2,2) |
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Square5(u64);

/// The points of each byte, as in the table above.
const POINTS: [[(i8, i8); 4]; 6] = [
    [(0, 1), (1, 0), (0, -1), (-1, 0)],
    [(1, 1), (1, -1), (-1, -1), (-1, 1)],
    [(0, 2), (2, 0), (0, -2), (-2, 0)],
    [(1, 2), (2, 1), (-1, -2), (-2, -1)],
    [(-1, 2), (2, -1), (1, -2), (-2, 1)],
    [(2, 2), (2, -2), (-2, -2), (-2, 2)],
];

/// How many bytes each template has.
const BYTES: [u32; 5] = [1, 2, 3, 5, 6];

/// Where the points of each byte's values go in each of the eight ways that a pattern can lie.
pub(super) struct Turns(Box<[[[u64; 256]; 6]; 8]>);

static TURNS: LazyLock<Turns> = LazyLock::new(|| {
    let place = |point: (i8, i8)| POINTS.iter().flatten().position(|&p| p == point).unwrap_or(0);
    let mut turned = Box::new([[[0; 256]; 6]; 8]);
    for (way, bytes) in turned.iter_mut().enumerate() {
        for (values, points) in bytes.iter_mut().zip(POINTS) {
            for (value, code) in values.iter_mut().enumerate() {
                for (at, (x, y)) in points.into_iter().enumerate() {
                    let (x, y) = if way & 4 == 0 { (x, y) } else { (y, x) };
                    let x = if way & 1 == 0 { x } else { -x };
                    let y = if way & 2 == 0 { y } else { -y };
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
    /// The 5x5 about an empty site.
    #[inline(always)]
    pub fn of<const N: usize, const W: usize>(
        board: &Board<N, W>,
        site: Site,
        mover: Color,
    ) -> Square5 {
        let own = u64::from(board.around(site).0);
        let off_board = own >> 8 & own >> 9 & 0x55;
        // A neighbour beyond the border is taken to see border only, as it does but for what the
        // next neighbour sees too.
        let seen_from = |corner: usize| {
            let beyond = (off_board >> (2 * corner) & 1).wrapping_neg() & 0xffff;
            u64::from(board.around(site.offset(Board::<N, W>::DIAGONAL[corner])).0) | beyond
        };
        let (a, b, c, d) = (seen_from(0), seen_from(1), seen_from(2), seen_from(3));
        let (e, f, g, h) = (a >> 8, b >> 8, c >> 8, d >> 8);
        let twice =
            (e >> 6 & h & 0x03) | (e & f << 2 & 0x0c) | (f & g << 2 & 0x30) | (g & h << 2 & 0xc0);
        let first = (a & 0x0f) | (c & 0xf0);
        let second = (b & 0x3c) | (d & 0xc3);
        let corners = (e & 0x03) | (f & 0x0c) | (g & 0x30) | (h & 0xc0);
        let code = own | twice << 16 | first << 24 | second << 32 | corners << 40;
        Square5(match mover {
            Color::Black => code,
            Color::White => swap(code),
        })
    }

    /// The 3x3 within, the other points empty.
    pub(super) fn of_around(around: Around) -> Square5 {
        Square5(u64::from(around.0))
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
    use crate::mle::names_on_board;
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
