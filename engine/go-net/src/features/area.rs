//! Planes 18 and 19: the points that count as each side's, as far as no reading is needed to see it.
//!
//! Chains that live if their owner always passes (Benson 1976, "Life in the game of Go"), what they enclose, and whatever
//! else touches one colour only. It is not [`go_engine::endgame::safe_area`], which marks less: a network was taught with
//! this and no other map.

use crate::rules::Tax;
use go_engine::Color;
use go_engine::board::{Board, Site, SiteSet};

/// A set of sites with the operations that areas need.
fn dilated<const N: usize, const W: usize>(set: &SiteSet<W>, on_board: &SiteSet<W>) -> SiteSet<W> {
    let words = set.words();
    let stride = Board::<N, W>::STRIDE;
    let mut out = [0; W];
    for i in 0..W {
        let below = if i > 0 { words[i - 1] } else { 0 };
        let above = if i + 1 < W { words[i + 1] } else { 0 };
        let up = words[i] << stride | below >> (64 - stride);
        let down = words[i] >> stride | above << (64 - stride);
        let right = words[i] << 1 | below >> 63;
        let left = words[i] >> 1 | above << 63;
        out[i] = (words[i] | up | down | right | left) & on_board.words()[i];
    }
    SiteSet::from_words(out)
}

fn both<const W: usize>(a: &SiteSet<W>, b: &SiteSet<W>) -> SiteSet<W> {
    SiteSet::from_words(std::array::from_fn(|i| a.words()[i] & b.words()[i]))
}

fn is_within<const W: usize>(a: &SiteSet<W>, b: &SiteSet<W>) -> bool {
    a.difference(b).is_empty()
}

/// The whole of `within` that is connected with `from`.
fn flood<const N: usize, const W: usize>(from: SiteSet<W>, within: &SiteSet<W>) -> SiteSet<W> {
    let mut set = from;
    loop {
        let next = dilated::<N, W>(&set, within);
        if next == set {
            return set;
        }
        set = next;
    }
}

/// Stones and empty points of a board as sets.
#[derive(Clone, Debug)]
pub(super) struct Stones<const W: usize> {
    pub(super) by_color: [SiteSet<W>; 2],
    pub(super) empty: SiteSet<W>,
    pub(super) on_board: SiteSet<W>,
}

impl<const W: usize> Stones<W> {
    pub(super) fn of<const N: usize>(board: &Board<N, W>) -> Stones<W> {
        let mut sets = [SiteSet::EMPTY; 4];
        for site in board.sites() {
            sets[board.cell(site) as usize].insert(Board::<N, W>::bit(site));
        }
        let [empty, black, white, _] = sets;
        let mut on_board = empty;
        on_board.union_with(&black);
        on_board.union_with(&white);
        Stones { by_color: [black, white], empty, on_board }
    }

    fn of_color(&self, color: Color) -> &SiteSet<W> {
        &self.by_color[color.index()]
    }
}

/// A connected set of points without a stone of one colour.
struct Region<const W: usize> {
    points: SiteSet<W>,
    /// Stones of the colour that touch it.
    border: SiteSet<W>,
    /// At most one of its points touches no stone of the colour.
    is_small: bool,
    has_enemies: bool,
    sound: bool,
    /// Heads of the chains that it is vital to.
    vital_to: [Site; 4],
}

/// The points that count as Black's and White's.
///
/// With `strict`, every point of a region has to touch a chain for the region to be vital to it, and not only the empty
/// ones: when several stones may be played off the board by their owner, or the network asks for it.
pub(super) fn areas<const N: usize, const W: usize>(
    board: &Board<N, W>,
    stones: &Stones<W>,
    tax: Tax,
    strict: bool,
) -> [SiteSet<W>; 2] {
    let mut map = [SiteSet::EMPTY; 2];
    for color in Color::BOTH {
        mark_area(board, stones, color, strict, &mut map);
    }
    for color in Color::BOTH {
        let unmarked = stones.of_color(color).difference(&map[color.other().index()]);
        map[color.index()].union_with(&unmarked);
    }
    if tax == Tax::None { map } else { without_seki(board, stones, &map) }
}

fn mark_area<const N: usize, const W: usize>(
    board: &Board<N, W>,
    stones: &Stones<W>,
    color: Color,
    strict: bool,
    map: &mut [SiteSet<W>; 2],
) {
    let own = stones.of_color(color);
    if own.is_empty() {
        return;
    }
    let touched = dilated::<N, W>(own, &stones.on_board);
    let mut regions = Vec::new();
    let outside = stones.on_board.difference(own);
    let mut left = outside;
    while let Some(first) = left.first() {
        let mut points = SiteSet::EMPTY;
        points.insert(first);
        points = flood::<N, W>(points, &outside);
        left = left.difference(&points);
        regions.push(region(board, stones, color, strict, points, &touched));
    }
    let live = live_chains(board, color, own, &mut regions);
    let (mine, other) = (color.index(), color.other().index());
    map[other] = map[other].difference(&live);
    map[mine].union_with(&live);
    for region in &regions {
        if region.sound && (region.is_small || !region.has_enemies) {
            map[other] = map[other].difference(&region.points);
            map[mine].union_with(&region.points);
        } else if !region.has_enemies {
            let unmarked = region.points.difference(&map[other]);
            map[mine].union_with(&unmarked);
        }
    }
}

fn region<const N: usize, const W: usize>(
    board: &Board<N, W>,
    stones: &Stones<W>,
    color: Color,
    strict: bool,
    points: SiteSet<W>,
    touched: &SiteSet<W>,
) -> Region<W> {
    let border = both(&dilated::<N, W>(&points, &stones.on_board), stones.of_color(color));
    let asked = if strict { points } else { both(&points, &stones.empty) };
    let mut vital_to = [Site::PASS; 4];
    // A chain that all these points touch stands beside the first of them.
    if let Some(first) = asked.first() {
        let first = Board::<N, W>::site_of_bit(first);
        let empty = both(&asked, &stones.empty);
        for (i, beside) in Board::<N, W>::neighbours(first).into_iter().enumerate() {
            if board.color(beside) != Some(color) || vital_to.contains(&board.chain(beside)) {
                continue;
            }
            let is_vital = is_within(&empty, board.liberty_set(beside))
                && (!strict || {
                    let mut chain = SiteSet::EMPTY;
                    for stone in board.chain_stones(beside) {
                        chain.insert(Board::<N, W>::bit(stone));
                    }
                    is_within(&asked, &dilated::<N, W>(&chain, &stones.on_board))
                });
            if is_vital {
                vital_to[i] = board.chain(beside);
            }
        }
    }
    Region {
        is_small: points.difference(touched).len() <= 1,
        has_enemies: !both(&points, stones.of_color(color.other())).is_empty(),
        sound: true,
        points,
        border,
        vital_to,
    }
}

/// Stones of the chains that cannot be captured even if their owner always passes; tells the regions whether all chains
/// about them are such.
fn live_chains<const N: usize, const W: usize>(
    board: &Board<N, W>,
    color: Color,
    own: &SiteSet<W>,
    regions: &mut [Region<W>],
) -> SiteSet<W> {
    let mut heads: Vec<Site> = regions.iter().flat_map(|region| region.vital_to).collect();
    heads.retain(|head| !head.is_pass());
    heads.sort_unstable();
    // Whom fewer than two regions are vital to is not alive; most often that is everybody.
    heads = heads.chunk_by(|a, b| a == b).filter(|same| same.len() >= 2).map(|s| s[0]).collect();
    let mut live;
    loop {
        live = SiteSet::EMPTY;
        for &head in &heads {
            debug_assert_eq!(board.color(head), Some(color));
            for stone in board.chain_stones(head) {
                live.insert(Board::<N, W>::bit(stone));
            }
        }
        debug_assert!(is_within(&live, own));
        for region in regions.iter_mut() {
            region.sound = is_within(&region.border, &live);
        }
        let before = heads.len();
        heads.retain(|head| {
            let vital = regions.iter().filter(|r| r.sound && r.vital_to.contains(head)).count();
            vital >= 2
        });
        if heads.len() == before {
            return live;
        }
    }
}

/// What remains of a map without what is surrounded in seki: there only stones on points of their own colour count.
fn without_seki<const N: usize, const W: usize>(
    board: &Board<N, W>,
    stones: &Stones<W>,
    map: &[SiteSet<W>; 2],
) -> [SiteSet<W>; 2] {
    let mut owned = map[0];
    owned.union_with(&map[1]);
    let beside_neutral = dilated::<N, W>(&stones.empty.difference(&owned), &stones.on_board);
    let mut kept = *map;
    for color in Color::BOTH {
        let (area, own) = (&map[color.index()], stones.of_color(color));
        let mut seeds = both(area, &beside_neutral);
        for stone in both(area, own).iter() {
            let site = Board::<N, W>::site_of_bit(stone);
            if board.liberties(site) == 1 {
                seeds.insert(stone);
            }
        }
        let seki = flood::<N, W>(seeds, area);
        kept[color.index()] = area.difference(&seki);
        kept[color.index()].union_with(&both(&seki, own));
    }
    kept
}
