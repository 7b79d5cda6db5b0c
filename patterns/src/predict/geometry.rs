//! The neighbourhoods of a point that shapes are made of, and the keys of what can lie on their points.

use super::ops::Keys;
use game_core::splitmix;
use std::sync::LazyLock;

/// The farthest distance at which a point belongs to a shape.
pub const MAX_DISTANCE: usize = 14;
/// Nested neighbourhoods, by the largest distance that each reaches.
pub const REACH: [usize; LEVELS] = [3, 4, 5, 6, 7, 8, 9, 10, 12, 14];
/// How many there are.
pub const LEVELS: usize = 10;

/// Columns and rows of the padded grid: 25 points and a margin of 7 on each side.
pub(super) const GRID: usize = 39;
pub(super) const MARGIN: usize = 7;
pub(super) const NOBODY: u16 = u16::MAX;

/// A point of a neighbourhood, seen from its centre.
#[derive(Clone, Copy)]
pub(super) struct Offset {
    /// Step in the padded grid.
    pub step: isize,
    pub dx: i8,
    pub dy: i8,
    pub level: u8,
    /// Keys of what lies there: mine, theirs, border.
    pub keys: [Keys; 3],
    /// Keys of stones with their liberties: mine with 1, 2, 3 or more, theirs likewise.
    pub liberty_keys: [Keys; 6],
}

/// What is fixed: the offsets in order of distance and their keys.
pub(super) struct Geometry {
    pub offsets: Vec<Offset>,
    /// How many offsets belong to the first n + 1 levels.
    pub ends: [usize; LEVELS],
    /// Keys of the last move and the one before, by offset.
    pub last_keys: Vec<[Keys; 2]>,
    /// The offset's number by step, for finding a last move's.
    pub number: Vec<u16>,
}

/// Distance of Coulom's metric.
pub fn distance(dx: i32, dy: i32) -> usize {
    let (dx, dy) = (dx.unsigned_abs() as usize, dy.unsigned_abs() as usize);
    dx + dy + dx.max(dy)
}

fn level_of(distance: usize) -> usize {
    REACH.iter().position(|&reach| distance <= reach).unwrap_or(LEVELS)
}

/// The place of `(dx, dy)` after each of the eight symmetries.
fn images(dx: i32, dy: i32) -> [(i32, i32); 8] {
    [(dx, dy), (-dx, dy), (dx, -dy), (-dx, -dy), (dy, dx), (-dy, dx), (dy, -dx), (-dy, -dx)]
}

fn keys(dx: i32, dy: i32, kind: u64) -> Keys {
    images(dx, dy).map(|(x, y)| {
        let place = (x + 64) as u64 * 128 + (y + 64) as u64;
        (splitmix(place << 8 | kind) >> 32) as u32
    })
}

pub(super) static GEOMETRY: LazyLock<Geometry> = LazyLock::new(|| {
    let reach = MARGIN as i32;
    let mut points: Vec<(usize, i32, i32)> = (-reach..=reach)
        .flat_map(|dy| (-reach..=reach).map(move |dx| (distance(dx, dy), dx, dy)))
        .filter(|&(distance, ..)| (1..=MAX_DISTANCE).contains(&distance))
        .collect();
    points.sort_unstable();
    let mut geometry = Geometry {
        offsets: Vec::new(),
        ends: [0; LEVELS],
        last_keys: Vec::new(),
        number: vec![NOBODY; 2 * (MARGIN * GRID + MARGIN) + 1],
    };
    for (index, (distance, dx, dy)) in points.into_iter().enumerate() {
        let level = level_of(distance);
        let step = dy as isize * GRID as isize + dx as isize;
        geometry.number[(step + (MARGIN * GRID + MARGIN) as isize) as usize] = index as u16;
        geometry.offsets.push(Offset {
            step,
            dx: dx as i8,
            dy: dy as i8,
            level: level as u8,
            keys: std::array::from_fn(|kind| keys(dx, dy, kind as u64)),
            liberty_keys: std::array::from_fn(|kind| keys(dx, dy, 8 + kind as u64)),
        });
        for end in &mut geometry.ends[level..] {
            *end = index + 1;
        }
        geometry.last_keys.push(std::array::from_fn(|kind| keys(dx, dy, 16 + kind as u64)));
    }
    geometry
});
