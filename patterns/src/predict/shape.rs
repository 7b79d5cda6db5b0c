//! The shapes about each candidate move: hashes of nested, nearly round neighbourhoods, equal under
//! the eight symmetries and the swap of colours with the mover.
//!
//! Distance is that of Coulom 2007: `|dx| + |dy| + max(|dx|, |dy|)`. A hash is an exclusive or of
//! one key for each stone or border point in the neighbourhood, in eight numbers, one for each
//! symmetry; empty points count nothing, so all candidates' hashes are made by walking over the
//! stones once. The minimum of them and their sum name the shape whatever way it lies.

use super::geometry::{GEOMETRY, GRID, LEVELS, MARGIN, NOBODY};
use super::ops::scalar::Scalar;
use super::ops::{Keys, Ops, name};
use go_engine::{Board, Color, Point, Site};

/// The nearest neighbourhoods, which are also seen with the liberties of their stones.
pub const LIBERTY_LEVELS: usize = 3;
/// Up to so many stones all levels' hashes are made by walking over the stones; with more, only the
/// first [`NEAR_LEVELS`], and the rings beyond are walked from the candidate when a chain asks for
/// them: few do, since larger shapes are seldom known then.
const SPARSE_STONES: usize = 40;
const NEAR_LEVELS: usize = 4;

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

/// How many there are.
pub const FAMILIES: usize = 4;
const FAMILY_ORDER: [Family; FAMILIES] =
    [Family::Plain, Family::Liberties, Family::Last, Family::LastTwo];
/// The last two moves are marked in the nearest levels only.
const LAST_LEVELS: usize = 6;
/// The most shapes of a candidate beyond the nearest levels.
pub(super) const FAR_SHAPES: usize = LEVELS - NEAR_LEVELS + LAST_LEVELS - NEAR_LEVELS;

/// The names of the shapes of the nearest levels of one candidate, and what is needed to go on
/// from there.
pub struct NearNames {
    names: [[u64; NEAR_LEVELS]; FAMILIES],
    lens: [usize; FAMILIES],
    plain: Keys,
    with_liberties: Keys,
    /// The last move's mark, when it is near.
    last: Option<Keys>,
}

impl NearNames {
    /// One family's, from small to large.
    #[inline]
    fn of(&self, family: Family) -> &[u64] {
        &self.names[family as usize][..self.lens[family as usize]]
    }

    /// All of them.
    #[inline]
    pub fn all(&self) -> impl Iterator<Item = u64> + '_ {
        FAMILY_ORDER.into_iter().flat_map(|family| self.of(family).iter().copied())
    }
}

/// Whose the border's part of the hashes is, for boards of one size: worked out once.
struct Border {
    side: (u8, u8),
    /// The place of each site in the padded grid.
    places: Vec<u16>,
    sums: Vec<[Keys; LEVELS]>,
}

/// The rings of a candidate's nearest levels.
#[derive(Clone, Copy, Default)]
struct Near {
    /// Stones.
    sums: [Keys; NEAR_LEVELS],
    /// Stones with their liberties.
    liberty_sums: [Keys; LIBERTY_LEVELS],
    /// How many stones of the mover's and of the other's, in all levels that are filled.
    counts: [[u8; 2]; LEVELS],
}

/// Scratch space for the hashes of all candidates of a position.
pub struct Shapes {
    /// The candidate on each point of the padded grid, or [`NOBODY`].
    at: Vec<u16>,
    places: Vec<u16>,
    near: Vec<Near>,
    /// The rings beyond the nearest levels, where they are filled.
    far: Vec<[Keys; LEVELS - NEAR_LEVELS]>,
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
            near: Vec::new(),
            far: Vec::new(),
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
    #[inline(always)]
    pub(super) fn fill<O: Ops, const N: usize, const W: usize>(
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
        self.near.clear();
        self.near.resize(candidates.len(), Near::default());
        self.last = last.map(|site| self.place_of(site));
        let stones = board.area() - board.n_empties();
        self.filled = if stones > SPARSE_STONES { NEAR_LEVELS } else { LEVELS };
        self.far.clear();
        if self.filled > NEAR_LEVELS {
            self.far.resize(candidates.len(), [[0; 8]; LEVELS - NEAR_LEVELS]);
        }
        let with_liberties = geometry.ends[LIBERTY_LEVELS - 1];
        let near = geometry.ends[NEAR_LEVELS - 1];
        for site in board.sites() {
            let place = usize::from(self.border.places[usize::from(site.0)]);
            let Some(color) = board.color(site) else {
                self.grid[place] = 0;
                continue;
            };
            let theirs = usize::from(color != mover);
            self.grid[place] = 1 + theirs as u8;
            let liberties = board.liberties(site).clamp(1, 3) as usize - 1;
            for (index, offset) in geometry.offsets[..near].iter().enumerate() {
                let candidate = usize::from(self.at[place.wrapping_add_signed(-offset.step)]);
                let Some(near) = self.near.get_mut(candidate) else { continue };
                let level = usize::from(offset.level);
                O::xor(&mut near.sums[level], &offset.keys[theirs]);
                near.counts[level][theirs] += 1;
                if index < with_liberties {
                    O::xor(
                        &mut near.liberty_sums[level],
                        &offset.liberty_keys[3 * theirs + liberties],
                    );
                }
            }
            if self.filled == NEAR_LEVELS {
                continue;
            }
            for offset in &geometry.offsets[near..] {
                let candidate = usize::from(self.at[place.wrapping_add_signed(-offset.step)]);
                let Some(far) = self.far.get_mut(candidate) else { continue };
                let level = usize::from(offset.level);
                O::xor(&mut far[level - NEAR_LEVELS], &offset.keys[theirs]);
                self.near[candidate].counts[level][theirs] += 1;
            }
        }
    }

    fn place_of(&self, site: Site) -> Option<usize> {
        (!site.is_pass()).then(|| usize::from(self.border.places[usize::from(site.0)]))
    }

    /// What the stones of one level's ring add to a candidate's hash.
    #[inline(always)]
    fn ring<O: Ops>(&self, place: usize, level: usize) -> Keys {
        let geometry = &*GEOMETRY;
        let mut keys = [0; 8];
        for offset in &geometry.offsets[geometry.ends[level - 1]..geometry.ends[level]] {
            let cell = self.grid[place.wrapping_add_signed(offset.step)];
            if cell != 0 {
                O::xor(&mut keys, &offset.keys[usize::from(cell) - 1]);
            }
        }
        keys
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
        let mut near = Near::default();
        let centre = board.point(candidate);
        let with_liberties = geometry.ends[LIBERTY_LEVELS - 1];
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
            Scalar::xor(&mut sums[level], &offset.keys[theirs]);
            near.counts[level][theirs] += 1;
            if index < with_liberties {
                let liberties = board.liberties(site).clamp(1, 3) as usize - 1;
                Scalar::xor(
                    &mut near.liberty_sums[level],
                    &offset.liberty_keys[3 * theirs + liberties],
                );
            }
        }
        near.sums.copy_from_slice(&sums[..NEAR_LEVELS]);
        self.near.clear();
        self.near.push(near);
        self.far.clear();
        self.far.push(std::array::from_fn(|level| sums[NEAR_LEVELS + level]));
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
            for offset in &GEOMETRY.offsets {
                if !inside(place.wrapping_add_signed(offset.step)) {
                    let sums = &mut self.border.sums[place][usize::from(offset.level)];
                    Scalar::xor(sums, &offset.keys[2]);
                }
            }
        }
    }

    /// The level at which a candidate's nearest friend and enemy lie; `LEVELS` for none in reach.
    pub fn nearest(&self, candidate: usize) -> [usize; 2] {
        let counts = &self.near[candidate].counts;
        [0, 1].map(|side| {
            let levels = counts.iter().enumerate();
            let some = levels.fold(1u32 << LEVELS, |some, (level, ring)| {
                some | u32::from(ring[side] > 0) << level
            });
            some.trailing_zeros() as usize
        })
    }

    /// How many friends and enemies lie within distance 6 of a candidate.
    pub fn crowd(&self, candidate: usize) -> [usize; 2] {
        let counts = &self.near[candidate].counts;
        [0, 1].map(|side| counts[..NEAR_LEVELS].iter().map(|ring| usize::from(ring[side])).sum())
    }

    /// The names of a candidate's nearest shapes. They are worked out some time before they are
    /// looked up, so that the table's memory can be asked for in between.
    #[inline(always)]
    pub(super) fn near_names<O: Ops>(&self, candidate: usize) -> NearNames {
        let geometry = &*GEOMETRY;
        let place = usize::from(self.places[candidate]);
        let Near { sums, liberty_sums, .. } = &self.near[candidate];
        let border = &self.border.sums[place];

        let mark = |last: Option<usize>, which: usize| -> Option<Keys> {
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
            O::xor(&mut a, &b);
            a
        });

        let (mut plain, mut with_liberties) = ([0; 8], [0; 8]);
        let mut names = [[0; NEAR_LEVELS]; FAMILIES];
        for level in 0..NEAR_LEVELS {
            O::xor(&mut plain, &sums[level]);
            O::xor(&mut plain, &border[level]);
            let salt = level as u64 * 8;
            names[Family::Plain as usize][level] = name::<O>(&plain, salt);
            // Beyond the nearest levels stones count without their liberties.
            let outer = if level < LIBERTY_LEVELS { &liberty_sums[level] } else { &sums[level] };
            O::xor(&mut with_liberties, outer);
            O::xor(&mut with_liberties, &border[level]);
            if level < LIBERTY_LEVELS {
                names[Family::Liberties as usize][level] = name::<O>(&with_liberties, salt + 1);
            }
            for (family, mark) in [(Family::Last, &last), (Family::LastTwo, &both)] {
                if let Some(mark) = mark {
                    let mut keys = with_liberties;
                    O::xor(&mut keys, mark);
                    names[family as usize][level] = name::<O>(&keys, salt + family as u64);
                }
            }
        }
        let lens = [
            NEAR_LEVELS,
            LIBERTY_LEVELS,
            if last.is_some() { NEAR_LEVELS } else { 0 },
            if both.is_some() { NEAR_LEVELS } else { 0 },
        ];
        NearNames { names, lens, plain, with_liberties, last }
    }

    /// Calls `visit` with the names of a candidate's shapes, chain by chain from small to large.
    /// When `visit` returns false the rest of that chain is skipped.
    #[inline(always)]
    pub(super) fn names<O: Ops>(
        &self,
        candidate: usize,
        near: &NearNames,
        mut visit: impl FnMut(Family, u64) -> bool,
    ) {
        let mut far = self.nearest_shapes(candidate, near, &mut visit);
        while let Some(names) = self.next_names::<O>(&mut far) {
            far.go_on(names, &mut visit);
        }
    }

    /// The same for the nearest shapes alone; gives what is to be gone on with.
    #[inline(always)]
    pub(super) fn nearest_shapes(
        &self,
        candidate: usize,
        near: &NearNames,
        mut visit: impl FnMut(Family, u64) -> bool,
    ) -> FarShapes {
        let mut on = [true; FAMILIES];
        for (family, on) in FAMILY_ORDER.into_iter().zip(&mut on) {
            *on = near.of(family).iter().all(|&name| visit(family, name));
        }
        FarShapes {
            candidate,
            level: NEAR_LEVELS,
            plain: on[Family::Plain as usize].then_some(near.plain),
            last: near.last.filter(|_| on[Family::Last as usize]),
            with_liberties: near.with_liberties,
        }
    }

    /// The names of the next larger shapes of a candidate's plain chain and of that with the last move; none
    /// where a chain has ended, nothing when both have.
    #[inline(always)]
    pub(super) fn next_names<O: Ops>(&self, far: &mut FarShapes) -> Option<[Option<u64>; 2]> {
        let level = far.level;
        if level >= LAST_LEVELS {
            far.last = None;
        }
        if level == LEVELS || far.plain.is_none() && far.last.is_none() {
            return None;
        }
        far.level += 1;
        let place = usize::from(self.places[far.candidate]);
        let mut ring = match self.far.get(far.candidate) {
            Some(far) => far[level - NEAR_LEVELS],
            None => self.ring::<O>(place, level),
        };
        O::xor(&mut ring, &self.border.sums[place][level]);
        O::xor(&mut far.with_liberties, &ring);
        let salt = level as u64 * 8;
        let plain = far.plain.as_mut().map(|plain| {
            O::xor(plain, &ring);
            name::<O>(plain, salt)
        });
        let last = far.last.as_ref().map(|mark| {
            let mut keys = far.with_liberties;
            O::xor(&mut keys, mark);
            name::<O>(&keys, salt + Family::Last as u64)
        });
        Some([plain, last])
    }
}

/// The shapes of a candidate beyond the nearest levels: chains that go on while the smaller shapes are known.
pub(super) struct FarShapes {
    /// The candidate.
    pub candidate: usize,
    /// The next level.
    level: usize,
    /// The hash of the plain chain.
    plain: Option<Keys>,
    /// The last move's mark, while the chain that bears it goes on.
    last: Option<Keys>,
    with_liberties: Keys,
}

impl FarShapes {
    /// Calls `visit` with these names; where it returns false the chain ends.
    #[inline(always)]
    pub fn go_on(&mut self, names: [Option<u64>; 2], mut visit: impl FnMut(Family, u64) -> bool) {
        let [plain, last] = names;
        if plain.is_some_and(|name| !visit(Family::Plain, name)) {
            self.plain = None;
        }
        if last.is_some_and(|name| !visit(Family::Last, name)) {
            self.last = None;
        }
    }
}

/// The last moves are marked up to this level's distance.
const MARK_LEVEL: usize = 7;

fn column_distance(a: usize, b: usize) -> usize {
    (a % GRID).abs_diff(b % GRID)
}
