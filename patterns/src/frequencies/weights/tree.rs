//! How the tables of [`Weights`] come to be.

use super::super::compact_map::CompactMap;
use super::super::katz::Estimator;
use super::super::square5::{Square5, Turns};
use super::super::template::Template;
use super::{Deciding, Level, Ring, SIEVE_BITS, Small, Weights};
use ahash::AHashMap;
use go_engine::board::Pattern3x3;

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

impl Weights {
    /// The weights of a table's patterns by this estimator; estimates below `good` count nothing.
    pub fn new(katz: &Estimator<'_>, deciding: Deciding, good: f64) -> Weights {
        let mut patterns = known(katz, deciding, good);
        link(&mut patterns, |code| small_level(katz, deciding, good, code));
        let turns = Turns::get();
        let mut numbers: Vec<u64> =
            patterns[1].iter().filter(|(_, node)| node.more).map(|(&code, _)| code).collect();
        // Fewer than 4096: there are 2,839 that experts play at all (the paper's count).
        numbers.sort_unstable();
        let mut crosses = vec![Level(0); numbers.len() << 8];
        for (row, code) in crosses.chunks_mut(256).zip(&numbers) {
            row.fill(patterns[1].get(code).and_then(|node| node.level).unwrap_or_default());
        }
        // Behind them a row for every level that a 3x3 decides alone.
        let mut rows: [Option<usize>; 256] = [None; 256];
        let small: Box<[Small]> = (0..=u16::MAX)
            .map(|code| {
                let square = Square5::of_pattern3x3(Pattern3x3(code));
                let way = (0..8).min_by_key(|&way| square.turned(turns, way)).unwrap_or(0);
                if let Ok(row) = numbers.binary_search(&square.turned(turns, way).code()) {
                    return Small::with_larger(row, way);
                }
                let level = small_level(katz, deciding, good, u64::from(code));
                Small::deciding(*rows[usize::from(level.0)].get_or_insert_with(|| {
                    crosses.resize(crosses.len() + 256, level);
                    (crosses.len() >> 8) - 1
                }))
            })
            .chain([Small::default()])
            .collect();
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
            .map(|&(number, points, level)| (ring(number, points).key(), level.0))
            .collect();
        let mut sieve = Box::new([0; 1 << (SIEVE_BITS - 5)]);
        for (number, points, _) in lying(3) {
            let at = ring(number, points).sieved();
            sieve[at >> 5] |= 1 << (at & 31);
        }
        let rings = CompactMap::new(&rings);
        let corners: Vec<(u64, u8)> = lying(4)
            .iter()
            .filter_map(|&(number, points, level)| {
                let (slot, _) = rings.find(ring(number, points).key())?;
                Some((Ring::key_with_corners(slot, (points >> 24) as u8), level.0))
            })
            .collect();
        let corners = CompactMap::new(&corners);
        // The entries more than are asked for: see `Weights`.
        crosses.resize(crosses.len() + 3, Level(0));
        Weights {
            small,
            crosses: crosses.into_boxed_slice(),
            sieve,
            rings,
            corners,
            has_larger: !numbers.is_empty(),
            worth: std::array::from_fn(|level| Level(level as u8).worth()),
        }
    }
}

/// The ring of these points beyond the 3x3 of a row.
fn ring(row: usize, points: u32) -> Ring {
    Ring { row: row as u32, points: points & 0xff_ffff }
}

/// The level of a 3x3 about which nothing larger is known.
fn small_level(katz: &Estimator<'_>, deciding: Deciding, good: f64, code: u64) -> Level {
    let table = katz.table();
    let Some(square) = Square5::from_code(code) else { return Level(0) };
    let name = |template: Template| square.name(template);
    let estimate = match deciding {
        Deciding::Square3 => table.get(name(Template::SQUARE_3)).map_or(0.0, |entry| entry.rate()),
        Deciding::Square5 => 0.0,
        Deciding::Chain => {
            let names = [Template::ALL[0], Template::SQUARE_3].map(name);
            katz.back_off(names, Template::SQUARE_5)
        }
    };
    Level::of(estimate, good)
}

/// The patterns larger than the 3x3 that decide, with their levels when nothing larger is known.
fn known(katz: &Estimator<'_>, deciding: Deciding, good: f64) -> [Patterns; TEMPLATES] {
    let table = katz.table();
    let mut patterns: [Patterns; TEMPLATES] = Default::default();
    let from = match deciding {
        Deciding::Square3 => return patterns,
        Deciding::Square5 => Template::SQUARE_5.index(),
        Deciding::Chain => Template::SQUARE_3.index() + 1,
    };
    for template in &Template::ALL[from..TEMPLATES] {
        for square in table.squares(*template) {
            let name = square.name(*template);
            // One that is not trusted is worth what the smaller one is.
            if deciding == Deciding::Chain && katz.trusted(name).is_none() {
                continue;
            }
            let estimate = match deciding {
                Deciding::Chain => katz.back_off([name], Template::SQUARE_5),
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
