//! The areas that networks are shown, against the words of their definition, on boards of all layouts.

use go_engine::rng::Rng;
use go_engine::{Board, Color, Point, with_layout};
use go_network::rules::{Bonus, Ko, NetworkRules, Scoring, Tax};
use go_network::{FeatureWriter, Position};
use std::collections::BTreeSet;

/// The definition as it stands in `8a-katago-network-files.md`, B3, word by word, on lists of points.
mod literal {
    use super::{BTreeSet, Tax};

    type Set = BTreeSet<usize>;

    /// A drawing, row by row: 0 empty, 1 and 2 stones.
    pub struct Drawing {
        pub width: usize,
        pub height: usize,
        pub cells: Vec<u8>,
    }

    impl Drawing {
        fn beside(&self, at: usize) -> Vec<usize> {
            let (x, y) = (at % self.width, at / self.width);
            let mut all = Vec::new();
            if x > 0 {
                all.push(at - 1);
            }
            if x + 1 < self.width {
                all.push(at + 1);
            }
            if y > 0 {
                all.push(at - self.width);
            }
            if y + 1 < self.height {
                all.push(at + self.width);
            }
            all
        }

        /// The connected sets of the points that fit.
        fn parts(&self, fits: impl Fn(usize) -> bool) -> Vec<Set> {
            let mut parts: Vec<Set> = Vec::new();
            for start in (0..self.cells.len()).filter(|&at| fits(at)) {
                if parts.iter().any(|part| part.contains(&start)) {
                    continue;
                }
                let (mut part, mut open) = (Set::from([start]), vec![start]);
                while let Some(at) = open.pop() {
                    let next = self.beside(at).into_iter().filter(|&beside| fits(beside));
                    open.extend(next.filter(|&beside| part.insert(beside)));
                }
                parts.push(part);
            }
            parts
        }

        fn touches(&self, at: usize, set: &Set) -> bool {
            self.beside(at).iter().any(|beside| set.contains(beside))
        }

        /// Whose each point is: 0 is nobody's.
        pub fn areas(&self, tax: Tax, strict: bool) -> Vec<u8> {
            let mut map = vec![0; self.cells.len()];
            for color in [1, 2] {
                self.mark(color, strict, &mut map);
            }
            for (owner, &stone) in map.iter_mut().zip(&self.cells) {
                if *owner == 0 {
                    *owner = stone;
                }
            }
            if tax == Tax::None { map } else { self.without_seki(&map) }
        }

        fn mark(&self, color: u8, strict: bool, map: &mut [u8]) {
            let chains = self.parts(|at| self.cells[at] == color);
            if chains.is_empty() {
                return;
            }
            let regions = self.parts(|at| self.cells[at] != color);
            let is_vital = |region: &Set, chain: &Set| {
                let asked = region.iter().filter(|&&at| strict || self.cells[at] == 0);
                asked.copied().all(|at| self.touches(at, chain))
            };
            let mut alive = vec![true; chains.len()];
            let is_sound = |region: &Set, alive: &[bool]| {
                let beside = chains.iter().zip(alive);
                let mut beside =
                    beside.filter(|(chain, _)| region.iter().any(|&at| self.touches(at, chain)));
                beside.all(|(_, &alive)| alive)
            };
            loop {
                let next: Vec<bool> = chains
                    .iter()
                    .zip(&alive)
                    .map(|(chain, &was)| {
                        let vital = regions
                            .iter()
                            .filter(|region| is_sound(region, &alive) && is_vital(region, chain));
                        was && vital.count() >= 2
                    })
                    .collect();
                if next == alive {
                    break;
                }
                alive = next;
            }
            for (chain, _) in chains.iter().zip(&alive).filter(|(_, alive)| **alive) {
                chain.iter().for_each(|&at| map[at] = color);
            }
            let own: Set = chains.iter().flatten().copied().collect();
            for region in &regions {
                let has_enemies = region.iter().any(|&at| self.cells[at] != 0);
                let apart = region.iter().filter(|&&at| !self.touches(at, &own)).count();
                if is_sound(region, &alive) && (apart <= 1 || !has_enemies) {
                    region.iter().for_each(|&at| map[at] = color);
                } else if !has_enemies {
                    for &at in region {
                        if map[at] == 0 {
                            map[at] = color;
                        }
                    }
                }
            }
        }

        fn without_seki(&self, map: &[u8]) -> Vec<u8> {
            let mut kept = map.to_vec();
            for color in [1, 2] {
                for area in self.parts(|at| map[at] == color) {
                    let is_neutral = |&at: &usize| self.cells[at] == 0 && map[at] == 0;
                    let meets = area.iter().any(|&at| self.beside(at).iter().any(is_neutral));
                    let chains = self.parts(|at| self.cells[at] == color);
                    let in_atari = chains.iter().any(|chain| {
                        let liberties: Set = chain
                            .iter()
                            .flat_map(|&at| self.beside(at))
                            .filter(|&at| self.cells[at] == 0)
                            .collect();
                        liberties.len() == 1 && chain.iter().any(|at| area.contains(at))
                    });
                    if meets || in_atari {
                        for &at in area.iter().filter(|&&at| self.cells[at] != color) {
                            kept[at] = 0;
                        }
                    }
                }
            }
            kept
        }
    }
}

/// A board of stones drawn at random, whole chunks of one colour, none without liberties.
fn random_board<const N: usize, const W: usize>(size: (u8, u8), rng: &mut Rng) -> Board<N, W> {
    let mut board = Board::<N, W>::new(size.0, size.1).unwrap();
    let mut sites: Vec<_> = board.sites().collect();
    for at in (1..sites.len()).rev() {
        sites.swap(at, rng.below(at as u32 + 1) as usize);
    }
    let (count, slope) = (rng.below(sites.len() as u32 + 1) as usize, rng.below(5));
    for &site in &sites[..count] {
        let point = board.point(site);
        // Halves of the board lean to one colour.
        let leans = u32::from(point.col() * 2 >= size.0);
        let color = if rng.below(6) >= slope { leans } else { rng.below(2) };
        let color = Color::BOTH[color as usize];
        if board.is_legal(site, color) {
            board.play(site, color);
        }
    }
    board.lift_ko();
    board
}

fn compare<const N: usize, const W: usize>(size: (u8, u8), rng: &mut Rng) -> usize {
    let board = random_board::<N, W>(size, rng);
    let (width, height) = (usize::from(size.0), usize::from(size.1));
    let points = (0..size.1).rev().flat_map(|row| (0..size.0).map(move |col| Point::new(col, row)));
    let cells = points.map(|point| {
        let color = board.color(board.site(point).unwrap());
        color.map_or(0, |color| 1 + color.index() as u8)
    });
    let drawing = literal::Drawing { width, height, cells: cells.collect() };
    let (mut marked, mut writers) = (0, [false, true].map(FeatureWriter::<N, W>::new));
    for (tax, suicide, flag) in [Tax::None, Tax::Seki, Tax::All]
        .into_iter()
        .flat_map(|tax| [(tax, false, 0), (tax, true, 0), (tax, false, 1)])
    {
        let rules = NetworkRules {
            ko: Ko::Positional,
            scoring: Scoring::Area,
            tax,
            suicide,
            button: false,
            bonus: Bonus::None,
            friendly_pass_ok: false,
        };
        let position = Position::new(board.clone(), Color::Black, rules, 7.0, [0; 2]);
        let features = writers[flag].write(&position);
        let expected = drawing.areas(tax, suicide || flag == 1);
        for (at, &owner) in expected.iter().enumerate() {
            let found = (features.get(18, at), features.get(19, at));
            assert_eq!(found, (owner == 1, owner == 2), "{tax:?} {suicide} {flag} {at}: {board:?}");
            marked += usize::from(owner != 0 && drawing.cells[at] != owner);
        }
    }
    marked
}

#[test]
fn areas_are_what_their_definition_says() {
    let mut rng = Rng::new(11);
    let sizes = [(5, 5), (7, 4), (3, 9), (9, 9), (2, 2), (10, 6), (13, 13), (19, 5), (14, 19)];
    let mut marked = 0;
    for number in 0..200 {
        let size = sizes[number % sizes.len()];
        let size = if number % 2 == 0 { size } else { sizes[number % 5] };
        let side = size.0.max(size.1);
        marked += with_layout!(side, compare(size, &mut rng));
    }
    assert!(marked > 4_000, "{marked}");
}
