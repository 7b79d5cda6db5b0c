//! The shapes about each candidate move: hashes of nested, nearly round neighbourhoods, equal under
//! the eight symmetries and the swap of colours with the mover.
//!
//! Distance is that of Coulom 2007: `|dx| + |dy| + max(|dx|, |dy|)`. A hash is an exclusive or of
//! one key for each stone or border point in the neighbourhood, in eight lanes, one for each
//! symmetry; empty points count nothing, so all candidates' hashes are made by walking over the
//! stones once. The least lane and the sum of the lanes name the shape whatever way it lies.

use crate::mix;
use go_engine::{Board, Color, Point, Site};
use std::sync::LazyLock;

/// The farthest distance at which a point belongs to a shape.
pub const FARTHEST: usize = 14;
/// Nested neighbourhoods, by the largest distance that each reaches.
pub const REACH: [usize; LEVELS] = [3, 4, 5, 6, 7, 8, 9, 10, 12, 14];
/// How many there are.
pub const LEVELS: usize = 10;
/// The nearest neighbourhoods, which are also seen with the liberties of their stones.
pub const LIBERTY_LEVELS: usize = 3;
/// Up to so many stones all levels' hashes are made by walking over the stones; with more, only the
/// first [`NEAR_LEVELS`], and the rings beyond are walked from the candidate when a chain asks for
/// them: few do, since larger shapes are seldom known then.
const SPARSE_STONES: usize = 40;
const NEAR_LEVELS: usize = 4;

/// Columns and rows of the padded grid: 25 points and a margin of 7 on each side.
const GRID: usize = 39;
const MARGIN: usize = 7;
const NOBODY: u16 = u16::MAX;

type Lanes = [u32; 8];

/// A point of a neighbourhood, seen from its centre.
#[derive(Clone, Copy)]
struct Offset {
    /// Step in the padded grid.
    step: isize,
    dx: i8,
    dy: i8,
    level: u8,
}

/// What is fixed: the offsets in order of distance and their keys.
struct Geometry {
    offsets: Vec<Offset>,
    /// How many offsets belong to the first n + 1 levels.
    ends: [usize; LEVELS],
    /// Keys by offset: mine, theirs, border.
    keys: Vec<[Lanes; 3]>,
    /// Keys of stones with their liberties, by offset: mine with 1, 2, 3 or more, theirs likewise.
    liberty_keys: Vec<[Lanes; 6]>,
    /// Keys of the last move and the one before, by offset.
    last_keys: Vec<[Lanes; 2]>,
    /// The offset's number by step, for finding a last move's.
    number: Vec<u16>,
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

fn lanes(dx: i32, dy: i32, kind: u64) -> Lanes {
    images(dx, dy).map(|(x, y)| {
        let place = (x + 64) as u64 * 128 + (y + 64) as u64;
        (mix(place << 8 | kind) >> 32) as u32
    })
}

static GEOMETRY: LazyLock<Geometry> = LazyLock::new(|| {
    let reach = MARGIN as i32;
    let mut points: Vec<(usize, i32, i32)> = (-reach..=reach)
        .flat_map(|dy| (-reach..=reach).map(move |dx| (distance(dx, dy), dx, dy)))
        .filter(|&(distance, ..)| (1..=FARTHEST).contains(&distance))
        .collect();
    points.sort_unstable();
    let mut geometry = Geometry {
        offsets: Vec::new(),
        ends: [0; LEVELS],
        keys: Vec::new(),
        liberty_keys: Vec::new(),
        last_keys: Vec::new(),
        number: vec![NOBODY; 2 * (MARGIN * GRID + MARGIN) + 1],
    };
    for (index, (distance, dx, dy)) in points.into_iter().enumerate() {
        let level = level_of(distance);
        let step = dy as isize * GRID as isize + dx as isize;
        geometry.number[(step + (MARGIN * GRID + MARGIN) as isize) as usize] = index as u16;
        geometry.offsets.push(Offset { step, dx: dx as i8, dy: dy as i8, level: level as u8 });
        for end in &mut geometry.ends[level..] {
            *end = index + 1;
        }
        geometry.keys.push(std::array::from_fn(|kind| lanes(dx, dy, kind as u64)));
        geometry.liberty_keys.push(std::array::from_fn(|kind| lanes(dx, dy, 8 + kind as u64)));
        geometry.last_keys.push(std::array::from_fn(|kind| lanes(dx, dy, 16 + kind as u64)));
    }
    geometry
});

#[inline(always)]
fn xor(into: &mut Lanes, key: &Lanes) {
    for (a, b) in into.iter_mut().zip(key) {
        *a ^= b;
    }
}

/// The name of a shape: 64 bits from the lanes, the same for all eight ways it can lie.
#[inline]
fn name(lanes: &Lanes, salt: u64) -> u64 {
    let least = lanes.iter().copied().min().unwrap_or(0);
    let sum = lanes.iter().fold(0u32, |sum, &lane| sum.wrapping_add(lane));
    mix((u64::from(least) << 32 | u64::from(sum)) ^ salt)
}

/// The families of shapes that are looked up, each a chain from small to large.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// Stones and border only.
    Plain = 0,
    /// With the liberties of the stones.
    Liberties = 1,
    /// With the liberties and the place of the last move.
    Last = 2,
    /// With the liberties and the places of the last two moves.
    LastTwo = 3,
}

/// Most names that all chains of a candidate can have together.
pub const MOST_NAMES: usize = LEVELS + LIBERTY_LEVELS + LAST_LEVELS + LAST_TWO_LEVELS;
const LAST_LEVELS: usize = 6;
const LAST_TWO_LEVELS: usize = 4;

/// Whose the border's part of the hashes is, for boards of one size: worked out once.
struct Border {
    side: (u8, u8),
    /// The place of each site in the padded grid.
    places: Vec<u16>,
    sums: Vec<[Lanes; LEVELS]>,
}

/// Scratch space for the hashes of all candidates of a position.
pub struct Shapes {
    /// The candidate on each point of the padded grid, or [`NOBODY`].
    at: Vec<u16>,
    places: Vec<u16>,
    sums: Vec<[Lanes; LEVELS]>,
    liberty_sums: Vec<[Lanes; LIBERTY_LEVELS]>,
    /// Stones in each level's ring, the mover's and the other's.
    counts: Vec<[[u8; 2]; LEVELS]>,
    border: Border,
    /// What lies on each point of the padded grid: 0 empty, 1 mine, 2 theirs.
    grid: Vec<u8>,
    /// Levels whose sums are complete.
    filled: usize,
    last: [Option<usize>; 2],
}

impl Default for Shapes {
    fn default() -> Self {
        Shapes {
            at: vec![NOBODY; GRID * GRID],
            places: Vec::new(),
            sums: Vec::new(),
            liberty_sums: Vec::new(),
            counts: Vec::new(),
            border: Border { side: (0, 0), places: Vec::new(), sums: Vec::new() },
            grid: vec![0; GRID * GRID],
            filled: LEVELS,
            last: [None; 2],
        }
    }
}

fn place_of<const N: usize, const W: usize>(board: &Board<N, W>, site: Site) -> usize {
    let point = board.point(site);
    (usize::from(point.row()) + MARGIN) * GRID + usize::from(point.col()) + MARGIN
}

impl Shapes {
    /// Works out the hashes of all candidates, which are empty sites; `last` are the last move and
    /// the one before, passes left out.
    pub fn fill<const N: usize, const W: usize>(
        &mut self,
        board: &Board<N, W>,
        mover: Color,
        candidates: &[Site],
        last: [Site; 2],
    ) {
        let geometry = &*GEOMETRY;
        self.prepare_border(board);
        for &place in &self.places {
            self.at[usize::from(place)] = NOBODY;
        }
        self.places.clear();
        for (index, &site) in candidates.iter().enumerate() {
            let place = self.border.places[usize::from(site.0)];
            self.at[usize::from(place)] = index as u16;
            self.places.push(place);
        }
        self.sums.clear();
        self.sums.resize(candidates.len(), [[0; 8]; LEVELS]);
        self.liberty_sums.clear();
        self.liberty_sums.resize(candidates.len(), [[0; 8]; LIBERTY_LEVELS]);
        self.counts.clear();
        self.counts.resize(candidates.len(), [[0; 2]; LEVELS]);
        self.last = last.map(|site| self.place_of(site));
        let stones = board.area() - board.n_empties();
        self.filled = if stones > SPARSE_STONES { NEAR_LEVELS } else { LEVELS };
        let end = geometry.ends[self.filled - 1];
        let near = geometry.ends[LIBERTY_LEVELS - 1];
        for site in board.sites() {
            let place = usize::from(self.border.places[usize::from(site.0)]);
            let cell = board.cell(site);
            if cell == 0 {
                self.grid[place] = 0;
                continue;
            }
            let theirs = usize::from(cell != mover as u8);
            self.grid[place] = 1 + theirs as u8;
            let liberties = board.liberties(site).clamp(1, 3) as usize - 1;
            for (index, offset) in geometry.offsets[..end].iter().enumerate() {
                let candidate = usize::from(self.at[place.wrapping_add_signed(-offset.step)]);
                if let Some(sums) = self.sums.get_mut(candidate) {
                    let level = usize::from(offset.level);
                    xor(&mut sums[level], &geometry.keys[index][theirs]);
                    self.counts[candidate][level][theirs] += 1;
                    if index < near {
                        let key = &geometry.liberty_keys[index][3 * theirs + liberties];
                        xor(&mut self.liberty_sums[candidate][level], key);
                    }
                }
            }
        }
    }

    fn place_of(&self, site: Site) -> Option<usize> {
        (!site.is_pass()).then(|| usize::from(self.border.places[usize::from(site.0)]))
    }

    /// What the stones of one level's ring add to a candidate's hash.
    fn ring(&self, place: usize, level: usize) -> Lanes {
        let geometry = &*GEOMETRY;
        let mut lanes = [0; 8];
        for index in geometry.ends[level - 1]..geometry.ends[level] {
            let cell = self.grid[place.wrapping_add_signed(geometry.offsets[index].step)];
            if cell != 0 {
                xor(&mut lanes, &geometry.keys[index][usize::from(cell) - 1]);
            }
        }
        lanes
    }

    /// Works out the hashes of one candidate, from the point outwards.
    pub fn fill_one<const N: usize, const W: usize>(
        &mut self,
        board: &Board<N, W>,
        mover: Color,
        candidate: Site,
        last: [Site; 2],
    ) {
        let geometry = &*GEOMETRY;
        self.prepare_border(board);
        self.filled = LEVELS;
        self.last = last.map(|site| self.place_of(site));
        for &place in &self.places {
            self.at[usize::from(place)] = NOBODY;
        }
        self.places.clear();
        self.places.push(self.border.places[usize::from(candidate.0)]);
        let mut sums = [[0; 8]; LEVELS];
        let mut liberty_sums = [[0; 8]; LIBERTY_LEVELS];
        let mut counts = [[0; 2]; LEVELS];
        let centre = board.point(candidate);
        let near = geometry.ends[LIBERTY_LEVELS - 1];
        for (index, offset) in geometry.offsets.iter().enumerate() {
            let col = i32::from(centre.col()) + i32::from(offset.dx);
            let row = i32::from(centre.row()) + i32::from(offset.dy);
            let on = |at: i32, side: u8| (0..i32::from(side)).contains(&at);
            if !on(col, board.width()) || !on(row, board.height()) {
                continue;
            }
            let Some(site) = board.site(Point::new(col as u8, row as u8)) else { continue };
            let Some(color) = board.color(site) else { continue };
            let theirs = usize::from(color != mover);
            let level = usize::from(offset.level);
            xor(&mut sums[level], &geometry.keys[index][theirs]);
            counts[level][theirs] += 1;
            if index < near {
                let liberties = board.liberties(site).clamp(1, 3) as usize - 1;
                xor(
                    &mut liberty_sums[level],
                    &geometry.liberty_keys[index][3 * theirs + liberties],
                );
            }
        }
        self.sums.clear();
        self.sums.push(sums);
        self.liberty_sums.clear();
        self.liberty_sums.push(liberty_sums);
        self.counts.clear();
        self.counts.push(counts);
    }

    fn prepare_border<const N: usize, const W: usize>(&mut self, board: &Board<N, W>) {
        let side = (board.width(), board.height());
        if self.border.side == side {
            return;
        }
        self.border.side = side;
        self.grid.fill(0);
        self.border.places = vec![0; N];
        for site in board.sites() {
            self.border.places[usize::from(site.0)] = place_of(board, site) as u16;
        }
        self.border.sums = vec![[[0; 8]; LEVELS]; GRID * GRID];
        let inside = |place: usize| {
            let (row, col) = (place / GRID, place % GRID);
            (MARGIN..MARGIN + usize::from(side.1)).contains(&row)
                && (MARGIN..MARGIN + usize::from(side.0)).contains(&col)
        };
        for site in board.sites() {
            let place = place_of(board, site);
            for (index, offset) in GEOMETRY.offsets.iter().enumerate() {
                if !inside(place.wrapping_add_signed(offset.step)) {
                    let sums = &mut self.border.sums[place][usize::from(offset.level)];
                    xor(sums, &GEOMETRY.keys[index][2]);
                }
            }
        }
    }

    /// The level at which a candidate's nearest friend and enemy lie; [`LEVELS`] for none in reach.
    pub fn nearest(&self, candidate: usize) -> [usize; 2] {
        let counts = &self.counts[candidate];
        [0, 1].map(|side| counts.iter().position(|ring| ring[side] > 0).unwrap_or(LEVELS))
    }

    /// How many friends and enemies lie within distance 6 of a candidate.
    pub fn crowd(&self, candidate: usize) -> [usize; 2] {
        let counts = &self.counts[candidate];
        [0, 1].map(|side| counts[..NEAR_LEVELS].iter().map(|ring| usize::from(ring[side])).sum())
    }

    /// Calls `visit` with the names of a candidate's shapes, chain by chain from small to large.
    /// When `visit` returns false the rest of that chain is skipped.
    pub fn names(&self, candidate: usize, mut visit: impl FnMut(Family, u64) -> bool) {
        let geometry = &*GEOMETRY;
        let place = usize::from(self.places[candidate]);
        let (sums, border) = (&self.sums[candidate], &self.border.sums[place]);
        let liberty_sums = &self.liberty_sums[candidate];

        let mark = |last: Option<usize>, which: usize| -> Option<Lanes> {
            let far = (MARGIN * GRID + MARGIN) as isize;
            let step = last? as isize - place as isize;
            let number = *geometry.number.get(usize::try_from(step + far).ok()?)?;
            // A step can also be reached across the grid's edge, where rows wrap: not a near point.
            let near = column_distance(place, last?) <= MARGIN;
            (near && usize::from(number) < geometry.ends[MARK_LEVEL])
                .then(|| geometry.last_keys[usize::from(number)][which])
        };
        let last = mark(self.last[0], 0);
        let both = last.zip(mark(self.last[1], 1)).map(|(mut a, b)| {
            xor(&mut a, &b);
            a
        });

        let mut plain = [0; 8];
        let mut with_liberties = [0; 8];
        let (mut plain_on, mut liberties_on) = (true, true);
        let (mut last_on, mut both_on) = (last.is_some(), both.is_some());
        for level in 0..LEVELS {
            liberties_on &= level < LIBERTY_LEVELS;
            last_on &= level < LAST_LEVELS;
            both_on &= level < LAST_TWO_LEVELS;
            if !(plain_on || liberties_on || last_on || both_on) {
                break;
            }
            let ring = if level < self.filled { sums[level] } else { self.ring(place, level) };
            xor(&mut plain, &ring);
            xor(&mut plain, &border[level]);
            let salt = level as u64 * 8;
            if plain_on {
                plain_on = visit(Family::Plain, name(&plain, salt));
            }
            if !(liberties_on || last_on || both_on) {
                continue;
            }
            // Beyond the nearest levels stones count without their liberties.
            let outer = if level < LIBERTY_LEVELS { &liberty_sums[level] } else { &ring };
            xor(&mut with_liberties, outer);
            xor(&mut with_liberties, &border[level]);
            if liberties_on {
                liberties_on = visit(Family::Liberties, name(&with_liberties, salt + 1));
            }
            if let Some(mark) = last.as_ref().filter(|_| last_on) {
                let mut lanes = with_liberties;
                xor(&mut lanes, mark);
                last_on = visit(Family::Last, name(&lanes, salt + 2));
            }
            if let Some(mark) = both.as_ref().filter(|_| both_on) {
                let mut lanes = with_liberties;
                xor(&mut lanes, mark);
                both_on = visit(Family::LastTwo, name(&lanes, salt + 3));
            }
        }
    }
}

/// The last moves are marked up to this level's distance.
const MARK_LEVEL: usize = 7;

fn column_distance(a: usize, b: usize) -> usize {
    (a % GRID).abs_diff(b % GRID)
}
