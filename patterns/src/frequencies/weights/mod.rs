//! The estimates of patterns up to the 5x5 as weights for playouts: what [`Estimator`](super::Estimator) says,
//! arranged so that a point costs a load or two, seldom more.
//!
//! The patterns make a tree, from the 3x3 over the templates between to the 5x5. A pattern is kept
//! only where it changes its parent's weight, so that going down ends as soon as nothing can change
//! any more. The 3x3 is turned to the way in which its patterns are kept, and the points around it
//! with it.
//!
//! * `tree`: how the tables come to be.
//! * `avx2`: all points about a stone at once; `scalar`: one by one.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod scalar;
mod tree;

use super::compact_map::{CompactMap, Probe};
use super::square5::Square5;
use go_engine::playout::shapes::Neighbours8;
use go_engine::{Board, Color};

/// Which patterns decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deciding {
    /// The 3x3.
    Square3,
    /// The 5x5; unknown, it is worth nothing.
    Square5,
    /// The largest known one up to the 5x5, by back-off.
    Chain,
}

/// Weights by pattern, in 65,536ths, each within 2% of its estimate.
///
/// `avx2` reads whole words at every entry, so all tables but the compact maps are longer by a few
/// entries that nothing asks for.
pub struct Weights {
    /// By 3x3 code seen from the mover.
    small: Box<[Small]>,
    /// By row of the 3x3 and the next four points.
    crosses: Box<[Level]>,
    /// Which patterns of the next eight points can be known: a bit for each [`Ring::sieved`].
    sieve: Box<[u32; 1 << (SIEVE_BITS - 5)]>,
    /// By row of the 3x3, those four points and the next eight.
    rings: CompactMap,
    /// By slot of that and the four corners.
    corners: CompactMap,
    /// Whether any pattern is larger than the 3x3.
    has_larger: bool,
    /// What the levels are worth.
    worth: [u16; 258],
}

/// Bits of the sieve's index: 32 KiB.
const SIEVE_BITS: u32 = 18;

/// How good a pattern is, in steps of a factor, 0 for not at all; the highest bit is set when some
/// larger pattern is better or worse.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Level(u8);

impl Level {
    /// Levels per factor of two.
    const STEPS: f64 = 18.0;
    const MORE: u8 = 0x80;

    /// That of an estimate, from 2^-7 to 1.
    fn of(estimate: f64, good: f64) -> Level {
        if estimate < good || estimate <= 0.0 {
            return Level(0);
        }
        Level((127.0 + Self::STEPS * estimate.log2()).round().clamp(1.0, 127.0) as u8)
    }

    fn worth(self) -> u16 {
        let level = f64::from(self.0 & !Self::MORE);
        if level == 0.0 {
            return 0;
        }
        (65535.0 * ((level - 127.0) / Self::STEPS).exp2()).round() as u16
    }

    #[inline(always)]
    fn has_more(self) -> bool {
        self.0 & Self::MORE != 0
    }

    fn with_more(self) -> Level {
        Level(self.0 | Self::MORE)
    }
}

/// Where a 3x3's row of [`Weights::crosses`] is, how the points beyond it are to be turned, and
/// whether they matter.
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
struct Small(u16);

impl Small {
    const MORE: u16 = 0x8000;

    /// One that decides alone: only the first of its row counts.
    fn deciding(row: usize) -> Small {
        Small((row << 3) as u16)
    }

    fn with_larger(row: usize, way: usize) -> Small {
        Small(Self::MORE | (row << 3 | way) as u16)
    }

    #[inline(always)]
    fn row(self) -> usize {
        usize::from(self.0 & !Self::MORE) >> 3
    }

    #[inline(always)]
    fn way(self) -> usize {
        usize::from(self.0 & 7)
    }

    #[inline(always)]
    fn has_larger(self) -> bool {
        self.0 & Self::MORE != 0
    }
}

/// The twelve points about a 3x3, as they lie when it is turned to the way in which it is kept.
#[derive(Clone, Copy, Default)]
struct Ring {
    row: u32,
    /// The nearest four in the lowest byte, the others above, 24 bits.
    points: u32,
}

impl Ring {
    const SPREAD: [u32; 2] = [0x9e37_79b1, 0x85eb_ca6b];

    /// Its bit in the sieve.
    #[inline(always)]
    fn sieved(self) -> usize {
        let mixed =
            (self.points ^ self.row.wrapping_mul(Self::SPREAD[0])).wrapping_mul(Self::SPREAD[1]);
        (mixed >> (32 - SIEVE_BITS)) as usize
    }

    #[inline(always)]
    fn key(self) -> u64 {
        u64::from(self.row) << 24 | u64::from(self.points)
    }

    /// The key of what stands in this slot with the corners.
    #[inline(always)]
    fn key_with_corners(slot: usize, corners: u8) -> u64 {
        (slot as u64) << 8 | u64::from(corners)
    }
}

/// What a site is worth as far as the nearest four points beyond its 3x3 tell, and what leads farther.
#[derive(Clone, Copy, Default)]
struct InnerMatch {
    level: Level,
    way: usize,
    ring: Ring,
}

impl Weights {
    /// The weights of the patterns about the empty sites beside a stone, by place; the others stay
    /// what they are.
    #[inline(always)]
    pub fn weigh<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        neighbours: Neighbours8,
        mover: Color,
        weights: &mut [u16; 8],
    ) {
        if !self.has_larger {
            for (place, site) in neighbours.sites::<N, W>() {
                let small = self.small[usize::from(board.pattern3x3(site).seen_by(mover).0)];
                weights[place] = self.worth[usize::from(self.crosses[small.row() << 8].0)];
            }
            return;
        }
        self.weigh_at(simd::level(), board, neighbours, mover, weights);
    }

    #[inline(always)]
    fn weigh_at<const N: usize, const W: usize>(
        &self,
        level: simd::Level,
        board: &Board<N, W>,
        neighbours: Neighbours8,
        mover: Color,
        weights: &mut [u16; 8],
    ) {
        let tables = self;
        simd::dispatch!(level => avx2 | scalar: weigh(tables, board, neighbours, mover, weights));
    }

    /// What the next four points tell.
    #[inline(always)]
    fn match_inner(&self, square: Square5) -> InnerMatch {
        let small = self.small[usize::from(square.code() as u16)];
        let points = turned((square.code() >> 16) as u32 & 0xff_ffff, small.way());
        let column = if small.has_larger() { points as usize & 0xff } else { 0 };
        let level = self.crosses[small.row() << 8 | column];
        InnerMatch { level, way: small.way(), ring: Ring { row: small.row() as u32, points } }
    }

    /// Whether a ring can be known; if not, it is not.
    #[inline(always)]
    fn may_know(&self, ring: Ring) -> bool {
        let at = ring.sieved();
        self.sieve[at >> 5] >> (at & 31) & 1 != 0
    }

    /// The level with the ring and the corners, if more is known there.
    #[inline(always)]
    fn match_outer<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        neighbours: Neighbours8,
        place: usize,
        mover: Color,
        probe: Probe,
        way: usize,
    ) -> Option<Level> {
        let (slot, level) = self.rings.resolve(probe)?;
        let level = Level(level);
        if !level.has_more() {
            return Some(level);
        }
        let site = neighbours.stone.offset(Board::<N, W>::NEIGHBOURS[place & 7]);
        let corners = Square5::corners(board, site, mover);
        let corners = turned_corners(corners, way);
        let found = self.corners.find(Ring::key_with_corners(slot, corners));
        Some(found.map_or(level, |(_, level)| Level(level)))
    }
}

/// The twelve points about a 3x3, three bytes, in one of the eight ways to lie: see
/// [`Turns`](super::square5::Turns).
#[inline(always)]
fn turned(points: u32, way: usize) -> u32 {
    let points = if way & 1 == 0 {
        points
    } else {
        // Right and left change places, and so do what is seen on the right and on the left.
        let changed = points & 0x33_3333 | (points & 0x0c_0c0c) << 4 | points >> 4 & 0x0c_0c0c;
        changed & 0xff | changed >> 8 & 0xff00 | (changed & 0xff00) << 8
    };
    let quarters = way >> 1 & 3;
    let kept = KEPT[quarters];
    points << (2 * quarters) & kept | points >> (8 - 2 * quarters) & !kept & 0xff_ffff
}

/// What stays in its byte when every byte is shifted up by so many points.
const KEPT: [u32; 4] = [0xff_ffff, 0xfc_fcfc, 0xf0_f0f0, 0xc0_c0c0];

/// The four corners in one of the eight ways to lie.
#[inline(always)]
fn turned_corners(corners: u8, way: usize) -> u8 {
    let corners = if way & 1 == 0 {
        corners
    } else {
        let pairs = corners.rotate_left(4);
        (pairs & 0x33) << 2 | pairs >> 2 & 0x33
    };
    corners.rotate_left(2 * (way >> 1 & 3) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frequencies::names_on_board;
    use crate::frequencies::{Estimator, Katz, Settings, Table, Template, Timing, learn};
    use crate::game::Game;
    use crate::learned;
    use crate::progress::Silent;
    use go_engine::Site;
    use go_engine::board::Board19;
    use go_engine::rng::Rng;

    const GOOD: f64 = 0.02;

    /// The same as the tree says, from the table and point by point.
    fn slowly<const N: usize, const W: usize>(
        table: &Table,
        deciding: Deciding,
        board: &Board<N, W>,
        site: Site,
        mover: Color,
    ) -> u16 {
        let names = names_on_board(board, site, mover, Template::SQUARE_5);
        let rate = |at: usize| names.get(at).and_then(|&n| table.get(n)).map_or(0.0, |e| e.rate());
        let estimate = match deciding {
            Deciding::Square3 => rate(1),
            Deciding::Square5 => rate(4),
            Deciding::Chain => Estimator::of(table).estimate(names),
        };
        if estimate < GOOD { 0 } else { (estimate * 65536.0) as u16 }
    }

    /// A table of games of random moves, which trusts only what is played often.
    fn distrustful() -> Table {
        let mut games = Vec::new();
        for seed in 0..40 {
            let mut rng = Rng::new(seed);
            let mut board = Board19::new(9, 9).unwrap();
            let mut game = Game { side: 9, ..Game::default() };
            for color in Color::BOTH.into_iter().cycle().take(70) {
                let sites: Vec<Site> =
                    board.sites().filter(|&site| board.is_legal(site, color)).collect();
                let Some(&site) = sites.get(rng.below(sites.len().max(1) as u32) as usize) else {
                    break;
                };
                game.moves.push((color, Some(board.point(site))));
                board.play(site, color);
            }
            games.push(game);
        }
        let (max_memory, timing) = (1 << 30, Timing::BeforeMove);
        let settings = Settings { max_memory, distinct_playable: false, timing };
        let learned = learn(&games, 1, settings, &Silent).unwrap();
        Table::new(&learned, 9, 40, Katz { threshold: 0.022, ..Katz::GOOD_TURING })
    }

    #[test]
    fn weights_are_the_tables_estimates() {
        estimates_are_those_of(&learned::frequencies().unwrap());
    }

    #[test]
    fn what_a_table_does_not_trust_decides_nothing() {
        estimates_are_those_of(&distrustful());
    }

    fn estimates_are_those_of(table: &Table) {
        let mut rng = Rng::new(7);
        for deciding in [Deciding::Square3, Deciding::Square5, Deciding::Chain] {
            let weights = Weights::new(&Estimator::of(table), deciding, GOOD);
            let mut found = 0;
            for (width, height) in [(9, 9), (19, 19), (5, 4), (2, 2)] {
                for _ in 0..6 {
                    let mut board = Board19::new(width, height).unwrap();
                    let mut color = Color::Black;
                    for _ in 0..board.area() {
                        let sites: Vec<Site> =
                            board.sites().filter(|&site| board.is_legal(site, color)).collect();
                        let len = sites.len().max(1) as u32;
                        let Some(&site) = sites.get(rng.below(len) as usize) else { break };
                        board.play(site, color);
                        color = color.other();
                        let neighbours = Neighbours8::new(&board, site);
                        let mut got = [0; 8];
                        weights.weigh(&board, neighbours, color, &mut got);
                        for level in simd::Level::available() {
                            let mut at_level = [0; 8];
                            weights.weigh_at(level, &board, neighbours, color, &mut at_level);
                            assert_eq!(got, at_level, "{level:?}");
                        }
                        for (place, s) in neighbours.sites::<512, 6>() {
                            let exact = slowly(table, deciding, &board, s, color);
                            let got = got[place];
                            assert!(got.abs_diff(exact) <= exact / 48, "{got} {exact}");
                            found += u32::from(got > 0);
                        }
                    }
                }
            }
            assert!(found > 100, "{deciding:?}: {found}");
        }
    }
}
