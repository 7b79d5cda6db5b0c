//! The features of every candidate move of a position.

mod chain_features;
mod distance_features;
mod prefetch;

use super::groups::{Context, Group, TACTICAL};
use super::ops::Ops;
use super::ops::scalar::Scalar;
use super::shape::{Family, Shapes};
use chain_features::ChainFact;
use distance_features::{Location, NO_DISTANCE, bucket, coarse, size_of};
use go_engine::board::Cell;
use go_engine::{Board, Color, Site};
use prefetch::PrefetchedLookup;

/// A position as the features see it.
#[derive(Clone, Copy)]
pub struct Position<'a, const N: usize, const W: usize> {
    /// The stones.
    pub board: &'a Board<N, W>,
    /// Who is to move.
    pub mover: Color,
    /// The last move and the one before; [`Site::PASS`] where there was none.
    pub last: [Site; 2],
}

/// What names of shapes are looked up in: the rows of those that are known.
pub trait Dictionary {
    /// The row of a shape, or `None` for an unknown one.
    fn find(&self, name: u64) -> Option<u32>;

    /// Tells that a name will be looked up soon.
    #[inline(always)]
    fn prefetch(&self, _name: u64) {}
}

/// The features of a position's candidates, one after another.
#[derive(Default)]
pub struct Features {
    /// The legal moves.
    pub candidates: Vec<Site>,
    /// Tactical features: numbers below [`TACTICAL`].
    pub tactical: Vec<u16>,
    /// Rows of the known shapes, as the dictionary gave them.
    pub shapes: Vec<u32>,
    /// Where each candidate's part of `tactical` and `shapes` ends.
    pub ends: Vec<(u32, u32)>,
    /// Features of the position itself.
    pub context: Vec<u16>,
}

impl Features {
    /// The tactical features and shapes of a candidate.
    #[inline]
    pub fn of(&self, candidate: usize) -> (&[u16], &[u32]) {
        let end = self.ends[candidate];
        let start = if candidate == 0 { (0, 0) } else { self.ends[candidate - 1] };
        (
            &self.tactical[start.0 as usize..end.0 as usize],
            &self.shapes[start.1 as usize..end.1 as usize],
        )
    }
}

/// Works out features; holds the scratch space.
#[derive(Default)]
pub struct Extractor {
    shapes: Shapes,
    prefetched: PrefetchedLookup,
    /// Steps from the last two moves along chains, by site.
    common_fate: [Vec<u8>; 2],
    queue: Vec<(Site, u8)>,
    /// Facts about chains, at the site that names each; see [`ChainFact`].
    facts: Vec<ChainFact>,
    /// The region of empty points that each site is in.
    regions: Vec<Region>,
    /// Where each site lies, and the board that this was worked out for.
    locations: Vec<Location>,
    side: (u8, u8),
}

/// Empty points that hang together.
#[derive(Clone, Copy, Default)]
struct Region {
    /// How many; 1 when there are more than [`MAX_REGION`], and 0 before they were looked at.
    size: u8,
    /// The only colour that it touches, unless it is too large.
    owner: Option<Color>,
}

/// Regions of more points than this are not closed ones.
const MAX_REGION: usize = 7;

impl Extractor {
    /// Works out the features of all legal moves of a position.
    pub fn extract<const N: usize, const W: usize>(
        &mut self,
        position: Position<'_, N, W>,
        dictionary: &impl Dictionary,
        out: &mut Features,
    ) {
        self.extract_by::<Scalar, N, W>(position, dictionary, out);
    }

    /// The same by such operations.
    #[inline(always)]
    pub(super) fn extract_by<O: Ops, const N: usize, const W: usize>(
        &mut self,
        position: Position<'_, N, W>,
        dictionary: &impl Dictionary,
        out: &mut Features,
    ) {
        let Position { board, mover, .. } = position;
        out.candidates.clear();
        out.candidates.extend(board.sites().filter(|&site| board.is_legal(site, mover)));
        self.extract_of::<O, N, W>(position, dictionary, out);
    }

    /// Works out the features of the moves that stand in `out.candidates`, legal ones.
    #[inline(always)]
    pub(super) fn extract_of<O: Ops, const N: usize, const W: usize>(
        &mut self,
        position: Position<'_, N, W>,
        dictionary: &impl Dictionary,
        out: &mut Features,
    ) {
        let Position { board, mover, last } = position;
        out.tactical.clear();
        out.shapes.clear();
        out.ends.clear();
        out.context.clear();

        if self.side != (board.width(), board.height()) || self.locations.len() != N {
            self.side = (board.width(), board.height());
            self.locations = vec![Location::default(); N];
            for site in board.sites() {
                self.locations[usize::from(site.0)] = Location::of(board, site);
            }
        }
        self.shapes.fill::<O, N, W>(board, mover, &out.candidates, last);
        self.facts.clear();
        self.facts.resize(N, ChainFact::default());
        for (which, &site) in last.iter().enumerate() {
            self.walk_chains(board, site, which);
        }
        self.find_regions(board);
        self.context(position, out);
        self.prefetched.clear();
        for index in 0..out.candidates.len() {
            let site = out.candidates[index];
            let near = self.shapes.near_names::<O>(index);
            near.all().for_each(|name| dictionary.prefetch(name));
            self.places(position, index, site, &mut out.tactical);
            self.tactics(position, site, &mut out.tactical);
            let shapes = &mut out.shapes;
            let far = self.shapes.nearest_shapes(index, &near, |_, name| {
                let row = dictionary.find(name);
                shapes.extend(row);
                row.is_some()
            });
            out.ends.push((out.tactical.len() as u32, out.shapes.len() as u32));
            self.prefetched.add::<O>(&self.shapes, dictionary, far);
        }
        self.prefetched.look_up::<O>(&self.shapes, dictionary, out);
    }

    /// The names of the shapes of one move, for counting which are played.
    pub fn names<const N: usize, const W: usize>(
        &mut self,
        position: Position<'_, N, W>,
        site: Site,
        visit: impl FnMut(Family, u64) -> bool,
    ) {
        self.shapes.fill_one(position.board, position.mover, site, position.last);
        self.shapes.names::<Scalar>(0, &self.shapes.near_names::<Scalar>(0), visit);
    }

    /// Steps from `from` to every site, where stones of one chain are one step's worth together.
    fn walk_chains<const N: usize, const W: usize>(
        &mut self,
        board: &Board<N, W>,
        from: Site,
        which: usize,
    ) {
        let common_fate = &mut self.common_fate[which];
        common_fate.clear();
        common_fate.resize(N, 0);
        if from.is_pass() {
            return;
        }
        const MAX_DISTANCE: u8 = 9;
        self.queue.clear();
        let mut reach = |site: Site, steps: u8, queue: &mut Vec<(Site, u8)>| {
            if common_fate[usize::from(site.0)] != 0 || !board.is_on_board(site) {
                return;
            }
            if board.is_empty(site) {
                common_fate[usize::from(site.0)] = steps;
                queue.push((site, steps));
            } else {
                for stone in board.chain_stones(site) {
                    common_fate[usize::from(stone.0)] = steps;
                    queue.push((stone, steps));
                }
            }
        };
        reach(from, 1, &mut self.queue);
        let mut next = 0;
        while next < self.queue.len() {
            let (site, steps) = self.queue[next];
            next += 1;
            if steps < MAX_DISTANCE {
                for beside in Board::<N, W>::neighbours(site) {
                    reach(beside, steps + 1, &mut self.queue);
                }
            }
        }
    }

    /// Finds the regions of empty points and what they touch; only small ones matter.
    fn find_regions<const N: usize, const W: usize>(&mut self, board: &Board<N, W>) {
        self.regions.clear();
        self.regions.resize(N, Region::default());
        for site in board.empties() {
            if self.regions[usize::from(site.0)].size != 0 {
                continue;
            }
            let mut touched = [false; 2];
            self.queue.clear();
            self.queue.push((site, 0));
            self.regions[usize::from(site.0)].size = 1;
            let mut next = 0;
            while let Some(&(member, _)) = self.queue.get(next) {
                next += 1;
                for neighbour in Board::<N, W>::neighbours(member) {
                    match board.cell(neighbour) {
                        Cell::Empty => {
                            let region = &mut self.regions[usize::from(neighbour.0)];
                            if region.size == 0 {
                                region.size = 1;
                                self.queue.push((neighbour, 0));
                            }
                        }
                        Cell::Border => {}
                        Cell::Black => touched[Color::Black.index()] = true,
                        Cell::White => touched[Color::White.index()] = true,
                    }
                }
            }
            if self.queue.len() <= MAX_REGION {
                let owner = match touched {
                    [true, false] => Some(Color::Black),
                    [false, true] => Some(Color::White),
                    _ => None,
                };
                let region = Region { size: self.queue.len() as u8, owner };
                for (member, _) in &self.queue {
                    self.regions[usize::from(member.0)] = region;
                }
            }
        }
    }

    fn location(&self, site: Site) -> Location {
        self.locations[usize::from(site.0)]
    }

    fn context<const N: usize, const W: usize>(
        &mut self,
        position: Position<'_, N, W>,
        out: &mut Features,
    ) {
        let Position { board, mover, last } = position;
        let stones = board.area() - board.n_empties();
        let mut in_atari = [0; 2];
        for site in board.sites() {
            if let Some(color) = board.color(site)
                && board.chain(site) == site
                && board.liberties(site) == 1
            {
                let largest = &mut in_atari[usize::from(color != mover)];
                *largest = board.chain_len(site).max(*largest);
            }
        }
        let gap = match last {
            [a, b] if !a.is_pass() && !b.is_pass() => self.location(a).distance(self.location(b)),
            _ => NO_DISTANCE,
        };
        let last_line =
            if last[0].is_pass() { 0 } else { usize::from(self.location(last[0]).line) };
        let stage =
            bucket(stones, &[3, 7, 12, 20, 30, 40, 55, 70, 90, 110, 130, 150, 180, 210, 240]);
        let atari = |stones: u32| if stones == 0 { 0 } else { 1 + size_of(stones) };
        for row in [
            Context::Phase.row(stage),
            Context::InAtari.row(atari(in_atari[0])),
            Context::EnemyInAtari.row(atari(in_atari[1])),
            Context::Gap.row(coarse(gap)),
            Context::LastLine.row(last_line),
        ] {
            out.context.push(row as u16);
        }
    }

    /// Features of where a candidate lies.
    fn places<const N: usize, const W: usize>(
        &mut self,
        position: Position<'_, N, W>,
        index: usize,
        site: Site,
        out: &mut Vec<u16>,
    ) {
        let Position { board, last, .. } = position;
        let mut add = |row: u32| out.push(row as u16);
        let stones = board.area() - board.n_empties();
        let phase = bucket(stones, &[11, 29, 69, 119, 179]);
        let location = self.location(site);
        let line = usize::from(location.line);
        add(Group::Line.row(line * 6 + phase));
        add(Group::Place.row(usize::from(location.folded) * 3 + bucket(stones, &[15, 49])));

        let to = last.map(|move_| match move_.is_pass() {
            true => NO_DISTANCE,
            false => location.distance(self.location(move_)),
        });
        let gap = match last {
            [a, b] if !a.is_pass() && !b.is_pass() => self.location(a).distance(self.location(b)),
            _ => NO_DISTANCE,
        };
        add(Group::LastDistance.row(to[0]));
        add(Group::SecondDistance.row(to[1]));
        add(Group::Distances.row((coarse(to[0]) * 6 + coarse(to[1])) * 6 + coarse(gap)));
        let common_fate =
            [0, 1].map(|which| usize::from(self.common_fate[which][usize::from(site.0)]).min(9));
        add(Group::CommonFate.row(common_fate[0] * 10 + common_fate[1]));
        if !last[0].is_pass() {
            let (long, short) = location.steps(self.location(last[0]));
            if long <= 5 {
                add(Group::LastStep.row((long * (long + 1) / 2 + short) * 4 + line.min(3)));
            }
        }
        let nearest = self.shapes.nearest(index);
        add(Group::Nearest.row((nearest[0] * 11 + nearest[1]) * 3 + bucket(line, &[1, 3])));
        let crowd = self.shapes.crowd(index).map(|count| bucket(count, &[0, 1, 2, 3, 5]));
        add(Group::Crowd.row((crowd[0] * 6 + crowd[1]) * 2 + usize::from(stones > 119)));
    }
}

const _: () = assert!(TACTICAL < u16::MAX as usize);
