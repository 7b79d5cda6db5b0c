//! Shapes: the stretches of a line that one colour could still fill, their types and threat counts.
//!
//! A shape is a maximal stretch of a line with stones of one colour and empty points, bounded by the
//! other colour or the edge (Xu, Xu and Wang 2011). Its type is not listed by hand: it follows from the
//! fullest window, from the threat count, and from the best type that one more stone of the colour
//! promotes it to. All shapes up to 19 points are kept in one table by length and bits.

use crate::geometry::bits;
use crate::point::MAX_SIDE;
use std::sync::OnceLock;

/// The twelve types of Connect6 shapes, from nothing to won.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum ShapeType {
    /// Anything less than the types below.
    Other,
    /// Two stones that one more promotes to a live three.
    Live2,
    /// Three stones that one more promotes to a dead four at best.
    Dead3,
    /// Three stones that one more promotes to a sleeping four at best.
    Sleeping3,
    /// Three stones that one more promotes to a live four.
    Live3,
    /// One threat of four stones that one more stone cannot double.
    Dead4,
    /// One threat of four stones that one more stone promotes to a live five.
    Sleeping4,
    /// Four stones and two threats.
    Live4,
    /// Five stones and one threat.
    Dead5,
    /// Five stones and two threats.
    Live5,
    /// More threats than two stones can stop: a double win.
    DoubleWin,
    /// Six in a row or more.
    Win,
}

impl ShapeType {
    /// All types in their order.
    pub const ALL: [ShapeType; 12] = [
        ShapeType::Other,
        ShapeType::Live2,
        ShapeType::Dead3,
        ShapeType::Sleeping3,
        ShapeType::Live3,
        ShapeType::Dead4,
        ShapeType::Sleeping4,
        ShapeType::Live4,
        ShapeType::Dead5,
        ShapeType::Live5,
        ShapeType::DoubleWin,
        ShapeType::Win,
    ];

    /// The short name of the paper.
    pub const fn name(self) -> &'static str {
        match self {
            ShapeType::Other => "O",
            ShapeType::Live2 => "L2",
            ShapeType::Dead3 => "D3",
            ShapeType::Sleeping3 => "S3",
            ShapeType::Live3 => "L3",
            ShapeType::Dead4 => "D4",
            ShapeType::Sleeping4 => "S4",
            ShapeType::Live4 => "L4",
            ShapeType::Dead5 => "D5",
            ShapeType::Live5 => "L5",
            ShapeType::DoubleWin => "DW",
            ShapeType::Win => "WIN",
        }
    }
}

/// What the table knows of a shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The type.
    pub kind: ShapeType,
    /// The minimum number of stones the opponent needs to stop six at the next turn: 0 to 3, where 3 stands for
    /// three or more (or already six in a row).
    pub threats: u8,
}

const ROW: usize = 6;
const TURN: usize = 2;

struct Table(Vec<u8>);

/// A shape's place in the table: bits of the length and, above them, one bit that tells the length.
fn slot(len: usize, stones: u32) -> usize {
    (1 << len | stones) as usize
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table(vec![0; 2 << MAX_SIDE]);
        for len in 1..=MAX_SIDE {
            // A promotion sets a bit, so it stands at a higher number and is there already.
            for stones in (0..1u32 << len).rev() {
                let shape = derive(&table, len, stones);
                table.0[slot(len, stones)] = shape.threats << 4 | shape.kind as u8;
            }
        }
        table
    })
}

fn derive(table: &Table, len: usize, stones: u32) -> Shape {
    let fullest = fullest_window(len, stones);
    if fullest >= ROW as u32 {
        return Shape { kind: ShapeType::Win, threats: 3 };
    }
    let threats = count_threats(len, stones);
    let best = || {
        bits(!stones & ((1 << len) - 1))
            .map(|bit| kind_of(table.0[slot(len, stones | 1 << bit)]))
            .max()
            .unwrap_or(ShapeType::Other)
    };
    let kind = match (threats, fullest) {
        (3.., _) => ShapeType::DoubleWin,
        (2, 5) => ShapeType::Live5,
        (_, 5) => ShapeType::Dead5,
        (2, _) => ShapeType::Live4,
        (1, _) if best() >= ShapeType::Live5 && best() != ShapeType::Win => ShapeType::Sleeping4,
        (1, _) => ShapeType::Dead4,
        (0, 3) => match best() {
            ShapeType::Dead4 => ShapeType::Dead3,
            ShapeType::Sleeping4 => ShapeType::Sleeping3,
            _ => ShapeType::Live3,
        },
        (0, 2) if best() == ShapeType::Live3 => ShapeType::Live2,
        _ => ShapeType::Other,
    };
    Shape { kind, threats }
}

fn kind_of(packed: u8) -> ShapeType {
    ShapeType::ALL[(packed & 15) as usize]
}

fn fullest_window(len: usize, stones: u32) -> u32 {
    (0..(len + 1).saturating_sub(ROW))
        .map(|start| (stones >> start & 0x3f).count_ones())
        .max()
        .unwrap_or(0)
}

/// The minimum number of stones that hit the empty points of every window of four stones or more: windows are
/// stretches of one line, so taking the last empty point of the first window left over is optimal.
fn count_threats(len: usize, stones: u32) -> u8 {
    let (mut blocked, mut count) = (0u32, 0);
    for start in 0..(len + 1).saturating_sub(ROW) {
        let window = 0x3fu32 << start;
        if (stones & window).count_ones() as usize >= ROW - TURN && blocked & window == 0 {
            let empties = window & !stones;
            if empties == 0 {
                return 3;
            }
            blocked |= 1 << empties.ilog2();
            count += 1;
        }
    }
    count.min(3)
}

/// The shape of a stretch of `len` points (1 to 19) with stones on the bits of `stones`; a longer stretch
/// or stray bits are cut off.
///
/// ```
/// use connect6_engine::shape::{ShapeType, shape};
/// let live_four = shape(8, 0b00111100);
/// assert_eq!((live_four.kind, live_four.threats), (ShapeType::Live4, 2));
/// // Four stones against the edge make one threat.
/// assert_eq!(shape(6, 0b001111).threats, 1);
/// ```
pub fn shape(len: usize, stones: u32) -> Shape {
    let len = len.clamp(1, MAX_SIDE);
    let packed = table().0[slot(len, stones & ((1 << len) - 1))];
    Shape { kind: kind_of(packed), threats: packed >> 4 }
}

/// What a stone of the colour on an empty point of the shape promotes it to; none on a stone or outside.
pub fn promotion(len: usize, stones: u32, bit: usize) -> Option<Shape> {
    (bit < len && stones >> bit & 1 == 0).then(|| shape(len, stones | 1 << bit))
}

/// The attack points of a shape: the empty points whose promotion is the best, if it is better than now.
pub fn attack_points(len: usize, stones: u32) -> u32 {
    let now = shape(len, stones).kind;
    let best = (0..len).filter_map(|bit| promotion(len, stones, bit)).map(|s| s.kind).max();
    match best {
        Some(best) if best > now => (0..len)
            .filter(|&bit| promotion(len, stones, bit).is_some_and(|s| s.kind == best))
            .fold(0, |mask, bit| mask | 1 << bit),
        _ => 0,
    }
}

/// The defence points of a shape: the empty points where a stone of the opponent leaves the fewest
/// threats, or with no threat on the shape the lowest types.
pub fn defence_points(len: usize, stones: u32) -> u32 {
    let after = |bit: usize| {
        let low = shape(bit.max(1), stones & ((1 << bit) - 1));
        let high = shape((len - bit - 1).max(1), stones >> (bit + 1));
        let low = if bit == 0 { shape(1, 0) } else { low };
        let high = if bit + 1 == len { shape(1, 0) } else { high };
        (low.threats + high.threats, low.kind.max(high.kind))
    };
    let now = shape(len, stones);
    let empties = || (0..len).filter(|&bit| stones >> bit & 1 == 0);
    let Some(best) = empties().map(after).min() else { return 0 };
    if best >= (now.threats, now.kind) {
        return 0;
    }
    empties().filter(|&bit| after(bit) == best).fold(0, |mask, bit| mask | 1 << bit)
}

/// The shapes of one colour on a line: start, length and stones of each stretch that holds a stone.
pub fn stretches(own: u32, other: u32, valid: u32) -> impl Iterator<Item = (usize, usize, u32)> {
    let mut free = valid & !other;
    std::iter::from_fn(move || {
        loop {
            if free == 0 {
                return None;
            }
            let start = free.trailing_zeros() as usize;
            let len = (!(free >> start)).trailing_zeros() as usize;
            let mask = ((1u32 << len) - 1) << start;
            free &= !mask;
            if own & mask != 0 {
                return Some((start, len, (own & mask) >> start));
            }
        }
    })
}
