//! The estimates of patterns up to the 5x5 as weights for playouts: what [`Katz`] says, arranged so
//! that a point costs a load or two, seldom more.
//!
//! The patterns make a tree, from the 3x3 over the templates between to the 5x5. A pattern is kept
//! only where it changes its parent's weight, so that going down ends as soon as nothing can change
//! any more. The 3x3 is turned to the way in which its patterns are kept, and the points around it
//! with it.

use super::katz::Katz;
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

/// Weights by pattern, in 65,536ths, always even.
pub struct Weights {
    /// By 3x3 code seen from the mover.
    small: Box<[Small]>,
    /// By number of the 3x3 and the next four points.
    crosses: Box<[u16]>,
    /// The larger patterns by key: its 48 bits and the weight's 16; 0 for a free slot.
    slots: Box<[u64]>,
    /// The points beyond the 3x3 turned: by way, byte and its value.
    turned: Box<[[[u32; 256]; 4]; 8]>,
}

/// What a 3x3 is worth and where its larger patterns are.
#[derive(Clone, Copy, Default)]
struct Small {
    /// With [`MORE`] where larger patterns matter.
    weight: u16,
    /// Its number among those that have larger patterns, and in the lowest three bits how it is to
    /// be turned.
    number: u16,
}

/// A pattern being followed from the 3x3 outwards.
#[derive(Clone, Copy, Default)]
struct Larger {
    /// As far as it is known.
    weight: u16,
    /// Of its 3x3.
    number: u16,
    /// How it is to be turned.
    way: u8,
    /// The four points next to the 3x3, turned.
    cross: u8,
    /// All points beyond the 3x3, as they lie.
    outer: u32,
}

/// Set in a weight when some larger pattern has another.
const MORE: u16 = 1;

const LEVELS: usize = Template::SQUARE_5.index() + 1;

/// A pattern while the tree is made.
#[derive(Clone, Copy, Default)]
struct Node {
    /// Unknown for patterns that are there only for the sake of larger ones.
    weight: Option<u16>,
    more: bool,
}

type Level = AHashMap<u64, Node>;

/// The key of a pattern of the 3x3 of this number: the points beyond it in their order, and the
/// template.
#[inline(always)]
fn key(number: u64, outer: u64, template: Template) -> u64 {
    (template.index() as u64 - 2) << 46 | (number << 32 | outer) & ((1 << 46) - 1)
}

#[inline(always)]
fn place(key: u64, slots: usize) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (slots - 1)
}

impl Weights {
    /// The weights of a table's patterns by this estimator; estimates below `good` count nothing.
    pub fn new(table: &Table, katz: Katz, deciding: Deciding, good: f64) -> Weights {
        let mut levels = known(table, katz, deciding, good);
        link(&mut levels, |code| small_weight(table, katz, deciding, good, code));
        let turns = Turns::get();
        let mut numbers: Vec<u64> =
            levels[1].iter().filter(|(_, node)| node.more).map(|(&code, _)| code).collect();
        numbers.sort_unstable();
        let small: Box<[Small]> = (0..=u16::MAX)
            .map(|code| {
                let square = Square5::of_around(Around(code));
                let way = (0..8).min_by_key(|&way| square.turned(turns, way)).unwrap_or(0);
                let canonical = square.turned(turns, way).code();
                let weight = small_weight(table, katz, deciding, good, u64::from(code));
                match numbers.binary_search(&canonical) {
                    Ok(number) => {
                        Small { weight: weight | MORE, number: (number as u16) << 3 | way as u16 }
                    }
                    Err(_) => Small { weight, number: 0 },
                }
            })
            .collect();
        let mut crosses = vec![0; numbers.len() << 8].into_boxed_slice();
        for (row, &code) in crosses.chunks_mut(256).zip(&numbers) {
            row.fill(small[code as usize].weight & !MORE);
        }
        let mut larger = Vec::new();
        for template in &Template::ALL[2..LEVELS] {
            for (&code, node) in &levels[template.index()] {
                let Some(square) = Square5::from_code(code) else { continue };
                for image in square.images() {
                    let inner = image.code() & 0xffff;
                    let Ok(number) = numbers.binary_search(&inner) else { continue };
                    let weight = node.weight.unwrap_or(0) | if node.more { MORE } else { 0 };
                    if template.index() == 2 {
                        crosses[number << 8 | (image.code() >> 16) as usize & 0xff] = weight;
                    } else {
                        larger.push((key(number as u64, image.code() >> 16, *template), weight));
                    }
                }
            }
        }
        larger.sort_unstable();
        larger.dedup();
        // At most half full.
        let mut slots = vec![0; (larger.len() * 2 + 2).next_power_of_two()].into_boxed_slice();
        for (key, weight) in larger {
            let mut at = place(key, slots.len());
            while slots[at] != 0 {
                at = (at + 1) & (slots.len() - 1);
            }
            slots[at] = key << 16 | u64::from(weight);
        }
        let mut turned = Box::new([[[0; 256]; 4]; 8]);
        for (way, bytes) in turned.iter_mut().enumerate() {
            for (byte, values) in bytes.iter_mut().enumerate() {
                for (value, to) in (0u64..).zip(values) {
                    let only = Square5::from_code(value << (8 * (byte + 2)));
                    *to = only.map_or(0, |only| (only.turned(turns, way).code() >> 16) as u32);
                }
            }
        }
        Weights { small, crosses, slots, turned }
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
            weights[at & 7] = small.weight;
            if small.weight & MORE != 0 {
                let next = self.look_beyond(small, Square5::of(board, site, mover));
                weights[at & 7] = next.weight;
                larger[at & 7] = next;
            }
            open |= u32::from(weights[at & 7] & MORE) << at;
        }
        while open != 0 {
            let at = open.trailing_zeros() as usize & 7;
            open &= open - 1;
            weights[at] = self.look_farther(&larger[at]);
        }
    }

    /// With the next four points.
    #[inline(always)]
    fn look_beyond(&self, small: Small, square: Square5) -> Larger {
        let (number, way) = (small.number >> 3, (small.number & 7) as u8);
        let outer = (square.code() >> 16) as u32;
        let cross = self.turned[usize::from(way)][0][outer as usize & 0xff];
        let weight = self.crosses[usize::from(number) << 8 | cross as usize];
        Larger { weight, number, way, cross: cross as u8, outer }
    }

    /// With all the others.
    #[inline]
    fn look_farther(&self, larger: &Larger) -> u16 {
        let turned = &self.turned[usize::from(larger.way & 7)];
        let [_, ring, ring_too, corners] = larger.outer.to_le_bytes();
        let ring = u32::from(larger.cross)
            | turned[1][usize::from(ring)]
            | turned[2][usize::from(ring_too)];
        let number = u64::from(larger.number);
        let Some(weight) = self.find(key(number, ring.into(), Template::ALL[3])) else {
            return larger.weight & !MORE;
        };
        if weight & MORE == 0 {
            return weight;
        }
        let all = ring | turned[3][usize::from(corners)];
        self.find(key(number, all.into(), Template::SQUARE_5)).unwrap_or(weight & !MORE)
    }

    #[inline(always)]
    fn find(&self, key: u64) -> Option<u16> {
        let mut at = place(key, self.slots.len());
        loop {
            let slot = self.slots[at & (self.slots.len() - 1)];
            if slot >> 16 == key {
                return Some(slot as u16);
            }
            if slot == 0 {
                return None;
            }
            at += 1;
        }
    }
}

fn weight_of(estimate: f64, good: f64) -> u16 {
    if estimate < good {
        return 0;
    }
    (estimate * 65536.0).round().clamp(0.0, 65534.0) as u16 & !MORE
}

/// The weight of a 3x3 about which nothing larger is known.
fn small_weight(table: &Table, katz: Katz, deciding: Deciding, good: f64, code: u64) -> u16 {
    let Some(square) = Square5::from_code(code) else { return 0 };
    let name = |template: Template| square.name(template);
    let estimate = match deciding {
        Deciding::Square3 => table.get(name(Template::SQUARE_3)).map_or(0.0, |entry| entry.rate()),
        Deciding::Square5 => 0.0,
        Deciding::Chain => {
            let names = [Template::ALL[0], Template::SQUARE_3].map(name);
            katz.back_off(table, names, Template::SQUARE_5)
        }
    };
    weight_of(estimate, good)
}

/// The patterns larger than the 3x3 that decide, with their weights when nothing larger is known.
fn known(table: &Table, katz: Katz, deciding: Deciding, good: f64) -> [Level; LEVELS] {
    let mut levels: [Level; LEVELS] = Default::default();
    let from = match deciding {
        Deciding::Square3 => return levels,
        Deciding::Square5 => Template::SQUARE_5.index(),
        Deciding::Chain => Template::SQUARE_3.index() + 1,
    };
    for template in &Template::ALL[from..LEVELS] {
        for square in table.squares(*template) {
            let name = square.name(*template);
            let estimate = match deciding {
                Deciding::Chain => katz.back_off(table, [name], Template::SQUARE_5),
                _ => table.get(name).map_or(0.0, |entry| entry.rate()),
            };
            let node = Node { weight: Some(weight_of(estimate, good)), more: false };
            levels[template.index()].insert(square.code(), node);
            for smaller in &Template::ALL[1..template.index()] {
                let part = square.within(*smaller).canonical().code();
                levels[smaller.index()].entry(part).or_default();
            }
        }
    }
    levels
}

/// Gives every pattern its weight, drops those that change nothing and marks the parents of those
/// that are left.
fn link(levels: &mut [Level; LEVELS], small_weight: impl Fn(u64) -> u16) {
    for (&code, node) in &mut levels[1] {
        node.weight = Some(small_weight(code));
    }
    let parent_of = |code: u64, level: usize| {
        let smaller = Template::ALL[level - 1];
        Square5::from_code(code).map_or(0, |square| square.within(smaller).canonical().code())
    };
    for level in 2..LEVELS {
        let [smaller, larger] = &mut levels[level - 1..=level] else { return };
        for (&code, node) in larger {
            let parent = smaller.get(&parent_of(code, level));
            node.weight = node.weight.or(parent.and_then(|parent| parent.weight));
        }
    }
    for level in (2..LEVELS).rev() {
        let [smaller, larger] = &mut levels[level - 1..=level] else { return };
        larger.retain(|&code, node| {
            let Some(parent) = smaller.get_mut(&parent_of(code, level)) else { return false };
            let is_kept = node.more || node.weight != parent.weight;
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
        weight_of(estimate, GOOD)
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
                            assert_eq!(got, slowly(&table, deciding, &board, s, color));
                            found += u32::from(got > 0);
                        }
                    }
                }
            }
            assert!(found > 100, "{deciding:?}: {found}");
        }
    }
}
