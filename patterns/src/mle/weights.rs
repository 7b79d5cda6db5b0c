//! The estimates of patterns up to the 5x5 as weights for playouts: what [`Katz`] says, arranged so
//! that a point costs a load or two, seldom more.
//!
//! The patterns make a tree, from the 3x3 over the templates between to the 5x5. A pattern is kept
//! only where it changes its parent's weight, so that going down ends as soon as nothing can change
//! any more. The 3x3 is turned to the way in which its patterns are kept, and the points around it
//! with it. What waits is memory, so the first two steps' tables are packed.

use super::katz::Katz;
use super::packed::{Looked, Packed};
use super::square5::{Square5, Turns};
use super::table::Table;
use super::template::Template;
use ahash::AHashMap;
use go_engine::board::Around;
use go_engine::playout::heavy::Beside;
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
pub struct Weights {
    /// By 3x3 code seen from the mover.
    small: Box<[Small]>,
    /// By number of the 3x3 and the next four points.
    crosses: Box<[Level]>,
    /// By number of the 3x3, those four points and the next eight.
    rings: Packed,
    /// By slot of that and the four corners.
    corners: Packed,
    /// The points beyond the 3x3 turned: by way, byte and its value.
    turned: Box<[[[u32; 256]; 4]; 8]>,
    /// What the levels are worth.
    worth: [u16; 256],
}

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

    fn without_more(self) -> Level {
        Level(self.0 & !Self::MORE)
    }
}

/// What a 3x3 is worth, or where its larger patterns are: its number among those that have some and
/// in the lowest three bits how it is to be turned.
#[derive(Clone, Copy, Default)]
struct Small(u16);

impl Small {
    const MORE: u16 = 0x8000;

    fn deciding(level: Level) -> Small {
        Small(level.0.into())
    }

    fn with_larger(number: usize, way: usize) -> Small {
        Small(Self::MORE | (number << 3 | way) as u16)
    }

    #[inline(always)]
    fn number_and_way(self) -> Option<(usize, usize)> {
        let number = usize::from(self.0 & !Self::MORE) >> 3;
        (self.0 & Self::MORE != 0).then_some((number, usize::from(self.0 & 7)))
    }
}

/// A pattern being followed from the 3x3 outwards.
#[derive(Clone, Copy, Default)]
struct Larger {
    /// As far as it is known.
    level: Level,
    /// How it is to be turned.
    way: u8,
    /// Of its 3x3.
    number: u16,
    /// The four points next to the 3x3, turned.
    cross: u8,
    /// All points beyond the 3x3, as they lie.
    outer: u32,
}

const TEMPLATES: usize = Template::SQUARE_5.index() + 1;

/// A pattern while the tree is made.
#[derive(Clone, Copy, Default)]
struct Node {
    /// Unknown for patterns that are there only for the sake of larger ones.
    level: Option<Level>,
    more: bool,
}

impl Node {
    fn finished(self) -> Level {
        let level = self.level.unwrap_or_default();
        if self.more { level.with_more() } else { level }
    }
}

/// The patterns of one template.
type Patterns = AHashMap<u64, Node>;

/// The key of a 3x3's number and the points of the next two templates.
#[inline(always)]
fn ring_key(number: usize, points: u32) -> u64 {
    (number as u64) << 24 | u64::from(points & 0xff_ffff)
}

/// The key of what stood in this slot and the corners.
#[inline(always)]
fn corner_key(slot: usize, corners: u32) -> u64 {
    (slot as u64) << 8 | u64::from(corners >> 24)
}

impl Weights {
    /// The weights of a table's patterns by this estimator; estimates below `good` count nothing.
    pub fn new(table: &Table, katz: Katz, deciding: Deciding, good: f64) -> Weights {
        let mut patterns = known(table, katz, deciding, good);
        link(&mut patterns, |code| small_level(table, katz, deciding, good, code));
        let turns = Turns::get();
        let mut numbers: Vec<u64> =
            patterns[1].iter().filter(|(_, node)| node.more).map(|(&code, _)| code).collect();
        // Fewer than 4096: there are 2,839 that experts play at all (the paper's count).
        numbers.sort_unstable();
        let small: Box<[Small]> = (0..=u16::MAX)
            .map(|code| {
                let square = Square5::of_around(Around(code));
                let way = (0..8).min_by_key(|&way| square.turned(turns, way)).unwrap_or(0);
                match numbers.binary_search(&square.turned(turns, way).code()) {
                    Ok(number) => Small::with_larger(number, way),
                    Err(_) => {
                        Small::deciding(small_level(table, katz, deciding, good, u64::from(code)))
                    }
                }
            })
            .collect();
        let mut crosses = vec![Level(0); numbers.len() << 8].into_boxed_slice();
        for (row, code) in crosses.chunks_mut(256).zip(&numbers) {
            row.fill(patterns[1].get(code).and_then(|node| node.level).unwrap_or_default());
        }
        let images = |template: usize| {
            patterns[template].iter().flat_map(|(&code, node)| {
                let images = Square5::from_code(code).map(Square5::images).unwrap_or_default();
                images.into_iter().map(|image| (image.code(), node.finished()))
            })
        };
        // Those that lie as their 3x3 does here: its number, the points beyond it, the level.
        let lying = |template: usize| {
            let mut found: Vec<(usize, u32, Level)> = images(template)
                .filter_map(|(code, level)| {
                    let number = numbers.binary_search(&(code & 0xffff)).ok()?;
                    Some((number, (code >> 16) as u32, level))
                })
                .collect();
            found.sort_unstable_by_key(|&(number, points, _)| (number, points));
            found.dedup();
            found
        };
        for (number, cross, level) in lying(2) {
            crosses[number << 8 | cross as usize & 0xff] = level;
        }
        let rings: Vec<(u64, u8)> = lying(3)
            .iter()
            .map(|&(number, points, level)| (ring_key(number, points), level.0))
            .collect();
        let rings = Packed::new(&rings);
        let corners: Vec<(u64, u8)> = lying(4)
            .iter()
            .filter_map(|&(number, points, level)| {
                let (slot, _) = rings.find(ring_key(number, points))?;
                Some((corner_key(slot, points), level.0))
            })
            .collect();
        let corners = Packed::new(&corners);
        let worth = std::array::from_fn(|level| Level(level as u8).worth());
        Weights { small, crosses, rings, corners, turned: turned(turns), worth }
    }

    /// The weights of the patterns about these empty sites.
    #[inline(always)]
    pub fn weigh<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        sites: &Beside,
        mover: Color,
        weights: &mut [u16; 8],
    ) {
        // First what every site needs, so that no load waits for another site's.
        let mut larger = [Larger::default(); 8];
        let mut open = 0u32;
        for (at, &(site, _)) in sites.as_slice().iter().enumerate() {
            let small = self.small[usize::from(board.around(site).seen_by(mover).0)];
            let level = match small.number_and_way() {
                None => Level(small.0 as u8),
                Some((number, way)) => {
                    let next = self.look_beyond(number, way, Square5::of(board, site, mover));
                    larger[at & 7] = next;
                    next.level
                }
            };
            weights[at & 7] = self.worth[usize::from(level.0)];
            open |= u32::from(level.has_more()) << at;
        }
        let mut looked = [Looked::default(); 8];
        let mut rest = open;
        while rest != 0 {
            let at = rest.trailing_zeros() as usize & 7;
            rest &= rest - 1;
            looked[at] = self.look_farther(&larger[at]);
        }
        while open != 0 {
            let at = open.trailing_zeros() as usize & 7;
            open &= open - 1;
            weights[at] = self.worth[usize::from(self.level(&larger[at], looked[at]).0)];
        }
    }

    /// With the next four points.
    #[inline(always)]
    fn look_beyond(&self, number: usize, way: usize, square: Square5) -> Larger {
        let outer = (square.code() >> 16) as u32;
        let cross = self.turned[way & 7][0][outer as usize & 0xff] as u8;
        let level = self.crosses[number << 8 | usize::from(cross)];
        Larger { level, number: number as u16, way: way as u8, cross, outer }
    }

    /// With the next eight.
    #[inline(always)]
    fn look_farther(&self, larger: &Larger) -> Looked {
        let turned = &self.turned[usize::from(larger.way & 7)];
        let [_, ring, ring_too, _] = larger.outer.to_le_bytes();
        let ring = u32::from(larger.cross)
            | turned[1][usize::from(ring)]
            | turned[2][usize::from(ring_too)];
        self.rings.look(ring_key(larger.number.into(), ring))
    }

    /// What was found there, or with the corners.
    #[inline(always)]
    fn level(&self, larger: &Larger, looked: Looked) -> Level {
        let Some((slot, level)) = self.rings.resolve(looked) else {
            return larger.level.without_more();
        };
        let level = Level(level);
        if !level.has_more() {
            return level;
        }
        let [.., corners] = larger.outer.to_le_bytes();
        let corners = self.turned[usize::from(larger.way & 7)][3][usize::from(corners)];
        let found = self.corners.find(corner_key(slot, corners));
        found.map_or(level.without_more(), |(_, level)| Level(level))
    }
}

/// The points beyond the 3x3 as [`Weights`] turns them.
fn turned(turns: &Turns) -> Box<[[[u32; 256]; 4]; 8]> {
    let mut turned = Box::new([[[0; 256]; 4]; 8]);
    for (way, bytes) in turned.iter_mut().enumerate() {
        for (byte, values) in bytes.iter_mut().enumerate() {
            for (value, to) in (0u64..).zip(values) {
                let only = Square5::from_code(value << (8 * (byte + 2)));
                *to = only.map_or(0, |only| (only.turned(turns, way).code() >> 16) as u32);
            }
        }
    }
    turned
}

/// The level of a 3x3 about which nothing larger is known.
fn small_level(table: &Table, katz: Katz, deciding: Deciding, good: f64, code: u64) -> Level {
    let Some(square) = Square5::from_code(code) else { return Level(0) };
    let name = |template: Template| square.name(template);
    let estimate = match deciding {
        Deciding::Square3 => table.get(name(Template::SQUARE_3)).map_or(0.0, |entry| entry.rate()),
        Deciding::Square5 => 0.0,
        Deciding::Chain => {
            let names = [Template::ALL[0], Template::SQUARE_3].map(name);
            katz.back_off(table, names, Template::SQUARE_5)
        }
    };
    Level::of(estimate, good)
}

/// The patterns larger than the 3x3 that decide, with their levels when nothing larger is known.
fn known(table: &Table, katz: Katz, deciding: Deciding, good: f64) -> [Patterns; TEMPLATES] {
    let mut patterns: [Patterns; TEMPLATES] = Default::default();
    let from = match deciding {
        Deciding::Square3 => return patterns,
        Deciding::Square5 => Template::SQUARE_5.index(),
        Deciding::Chain => Template::SQUARE_3.index() + 1,
    };
    for template in &Template::ALL[from..TEMPLATES] {
        for square in table.squares(*template) {
            let name = square.name(*template);
            let estimate = match deciding {
                Deciding::Chain => katz.back_off(table, [name], Template::SQUARE_5),
                _ => table.get(name).map_or(0.0, |entry| entry.rate()),
            };
            let node = Node { level: Some(Level::of(estimate, good)), more: false };
            patterns[template.index()].insert(square.code(), node);
            for smaller in &Template::ALL[1..template.index()] {
                let part = square.within(*smaller).canonical().code();
                patterns[smaller.index()].entry(part).or_default();
            }
        }
    }
    patterns
}

/// Gives every pattern its level, drops those that change nothing and marks the parents of those
/// that are left.
fn link(patterns: &mut [Patterns; TEMPLATES], small_level: impl Fn(u64) -> Level) {
    for (&code, node) in &mut patterns[1] {
        node.level = Some(small_level(code));
    }
    let parent_of = |code: u64, template: usize| {
        let smaller = Template::ALL[template - 1];
        Square5::from_code(code).map_or(0, |square| square.within(smaller).canonical().code())
    };
    for template in 2..TEMPLATES {
        let [smaller, larger] = &mut patterns[template - 1..=template] else { return };
        for (&code, node) in larger {
            let parent = smaller.get(&parent_of(code, template));
            node.level = node.level.or(parent.and_then(|parent| parent.level));
        }
    }
    for template in (2..TEMPLATES).rev() {
        let [smaller, larger] = &mut patterns[template - 1..=template] else { return };
        larger.retain(|&code, node| {
            let Some(parent) = smaller.get_mut(&parent_of(code, template)) else { return false };
            let is_kept = node.more || node.level != parent.level;
            parent.more |= is_kept;
            is_kept
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learned;
    use crate::mle::names_on_board;
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
            Deciding::Chain => Katz::FULL.estimate(table, names),
        };
        if estimate < GOOD { 0 } else { (estimate * 65536.0) as u16 }
    }

    #[test]
    fn weights_are_the_tables_estimates() {
        let table = learned::frequencies().unwrap();
        let mut rng = Rng::new(7);
        for deciding in [Deciding::Square3, Deciding::Square5, Deciding::Chain] {
            let weights = Weights::new(&table, Katz::FULL, deciding, GOOD);
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
                        let beside = Beside::new(&board, site);
                        let mut got = [0; 8];
                        weights.weigh(&board, &beside, color, &mut got);
                        for (&(s, _), got) in beside.as_slice().iter().zip(got) {
                            let exact = slowly(&table, deciding, &board, s, color);
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
