//! A board for reading ladders: stones, chains and numbers of liberties, with every change written down so that it can be
//! taken back.

use go_engine::Color;
use go_engine::board::{Board, Cell, Site};

/// What is kept for each site, one array after another: a [`Cell`] first.
const CELL: usize = 0;
const HEAD: usize = 1;
const NEXT: usize = 2;
const LIBERTIES: usize = 3;
const STONES: usize = 4;
const FIELDS: usize = 5;

/// A place in the list of changes.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    changes: usize,
    ko: Site,
}

/// A board whose moves can be taken back. Unlike [`Board`] it counts liberties and keeps no set of them: what a ladder
/// asks is mostly whether there are one, two or more.
pub(super) struct LadderBoard<const N: usize, const W: usize> {
    fields: [[u16; N]; FIELDS],
    /// Where a simple ko forbids the next move.
    ko: Site,
    /// What stood where before each change: the field and site, and the number.
    changes: Vec<(u16, u16)>,
    /// When a site was last looked at, so that it is not counted twice.
    seen: [u32; N],
    now: u32,
}

impl<const N: usize, const W: usize> LadderBoard<N, W> {
    pub(super) fn new() -> Self {
        LadderBoard {
            fields: [[0; N]; FIELDS],
            ko: Site::PASS,
            changes: Vec::new(),
            seen: [0; N],
            now: 0,
        }
    }

    /// Becomes a copy of a board.
    pub(super) fn load(&mut self, board: &Board<N, W>) {
        self.fields[CELL] = [Cell::Border as u16; N];
        self.changes.clear();
        self.ko = board.ko();
        for site in board.sites() {
            let i = Self::ix(site);
            let cell = board.cell(site);
            self.fields[CELL][i] = cell as u16;
            if cell == Cell::Empty {
                continue;
            }
            let head = board.chain(site);
            self.fields[HEAD][i] = head.0;
            self.fields[NEXT][i] = board.next_stone(site).0;
            if head == site {
                self.fields[LIBERTIES][i] = board.liberties(site) as u16;
                self.fields[STONES][i] = board.chain_len(site) as u16;
            }
        }
    }

    #[inline(always)]
    const fn ix(site: Site) -> usize {
        site.0 as usize & (N - 1)
    }

    #[inline(always)]
    fn get(&self, field: usize, site: Site) -> u16 {
        self.fields[field][Self::ix(site)]
    }

    #[inline(always)]
    fn set(&mut self, field: usize, site: Site, number: u16) {
        let place = &mut self.fields[field][Self::ix(site)];
        self.changes.push(((field * N + Self::ix(site)) as u16, *place));
        *place = number;
    }

    /// Where to come back to.
    #[inline(always)]
    pub(super) fn mark(&self) -> Mark {
        Mark { changes: self.changes.len(), ko: self.ko }
    }

    /// Takes back all moves since.
    #[inline(always)]
    pub(super) fn undo(&mut self, mark: Mark) {
        while self.changes.len() > mark.changes {
            if let Some((place, number)) = self.changes.pop() {
                self.fields[usize::from(place) / N][usize::from(place) % N] = number;
            }
        }
        self.ko = mark.ko;
    }

    #[inline(always)]
    pub(super) fn neighbours(site: Site) -> [Site; 4] {
        Board::<N, W>::neighbours(site)
    }

    #[inline(always)]
    pub(super) fn is_empty(&self, site: Site) -> bool {
        self.get(CELL, site) == Cell::Empty as u16
    }

    #[inline(always)]
    pub(super) fn is(&self, site: Site, color: Color) -> bool {
        self.get(CELL, site) == color as u16
    }

    /// The site that names the chain of a stone.
    #[inline(always)]
    pub(super) fn head(&self, site: Site) -> Site {
        Site(self.get(HEAD, site))
    }

    /// Liberties of the chain of a stone.
    #[inline(always)]
    pub(super) fn liberties(&self, site: Site) -> u16 {
        self.get(LIBERTIES, self.head(site))
    }

    /// Stones of the chain of a stone.
    #[inline(always)]
    pub(super) fn stones(&self, site: Site) -> u16 {
        self.get(STONES, self.head(site))
    }

    /// The stone after this one in its chain, which is a ring. What joined a chain last comes first after its head.
    #[inline(always)]
    pub(super) fn next(&self, site: Site) -> Site {
        Site(self.get(NEXT, site))
    }

    /// Where a simple ko forbids the next move.
    #[inline(always)]
    pub(super) fn ko(&self) -> Site {
        self.ko
    }

    /// Forgets the ko, until moves before that are taken back.
    #[inline(always)]
    pub(super) fn lift_ko(&mut self) {
        self.ko = Site::PASS;
    }

    /// Empty points beside a site.
    #[inline(always)]
    pub(super) fn empties_beside(&self, site: Site) -> u16 {
        Self::neighbours(site).into_iter().map(|beside| u16::from(self.is_empty(beside))).sum()
    }

    /// The first `count` liberties of a chain, which must have as many.
    #[inline(always)]
    pub(super) fn find_liberties<const COUNT: usize>(&self, site: Site) -> [Site; COUNT] {
        let mut found = [Site::PASS; COUNT];
        let mut count = 0;
        let head = self.head(site);
        let mut stone = self.next(head);
        loop {
            for beside in Self::neighbours(stone) {
                if self.is_empty(beside) && !found[..count].contains(&beside) {
                    found[count] = beside;
                    count += 1;
                    if count == COUNT {
                        return found;
                    }
                }
            }
            if stone == head {
                return found;
            }
            stone = self.next(stone);
        }
    }

    /// Whether a stone on this site is a legal move: an empty site, no ko, no suicide.
    #[inline(always)]
    pub(super) fn is_legal(&self, site: Site, color: Color) -> bool {
        self.is_empty(site)
            && site != self.ko
            && Self::neighbours(site).into_iter().any(|beside| {
                self.is_empty(beside)
                    || self.is(beside, color) && self.liberties(beside) > 1
                    || self.is(beside, color.other()) && self.liberties(beside) == 1
            })
    }

    /// Plays a legal move.
    pub(super) fn play(&mut self, site: Site, color: Color) {
        self.ko = Site::PASS;
        self.set(CELL, site, color as u16);
        // Every chain beside it loses a liberty, once.
        let mut heads = [Site::PASS; 4];
        let mut empties = 0;
        for (k, beside) in Self::neighbours(site).into_iter().enumerate() {
            if self.is_empty(beside) {
                empties += 1;
            } else if self.get(CELL, beside) != Cell::Border as u16 {
                let head = self.head(beside);
                if !heads[..k].contains(&head) {
                    heads[k] = head;
                    self.set(LIBERTIES, head, self.get(LIBERTIES, head) - 1);
                }
            }
        }
        self.join(site, color, heads, empties);
        let mut captured = Site::PASS;
        let mut count = 0;
        for head in heads {
            if !head.is_pass() && self.is(head, color.other()) && self.get(LIBERTIES, head) == 0 {
                count += self.get(STONES, head);
                captured = head;
                self.remove(head, color);
            }
        }
        if count == 1 && self.stones(site) == 1 && self.liberties(site) == 1 {
            self.ko = captured;
        }
    }

    /// Makes a new stone part of the chains it touches.
    fn join(&mut self, site: Site, color: Color, heads: [Site; 4], empties: u16) {
        let mut friends = heads;
        let mut count = 0;
        for head in heads {
            if !head.is_pass() && self.is(head, color) {
                friends[count] = head;
                count += 1;
            }
        }
        let friends = &friends[..count];
        // What stood here before may have had the head that is asked for below.
        self.set(HEAD, site, site.0);
        let Some(&main) = friends.iter().max_by_key(|&&head| self.get(STONES, head)) else {
            self.set(NEXT, site, site.0);
            self.set(LIBERTIES, site, empties);
            self.set(STONES, site, 1);
            return;
        };
        let mut liberties = self.get(LIBERTIES, main);
        for beside in Self::neighbours(site) {
            liberties += u16::from(self.is_empty(beside) && !self.touches(beside, main));
        }
        self.set(HEAD, site, main.0);
        self.set(NEXT, site, self.get(NEXT, main));
        self.set(NEXT, main, site.0);
        let mut stones = self.get(STONES, main) + 1;
        for &other in friends.iter().filter(|&&head| head != main) {
            stones += self.get(STONES, other);
            liberties += self.new_liberties(other, main);
            let mut stone = other;
            loop {
                self.set(HEAD, stone, main.0);
                stone = self.next(stone);
                if stone == other {
                    break;
                }
            }
            let (a, b) = (self.get(NEXT, main), self.get(NEXT, other));
            self.set(NEXT, main, b);
            self.set(NEXT, other, a);
        }
        self.set(LIBERTIES, main, liberties);
        self.set(STONES, main, stones);
    }

    /// Whether an empty site is a liberty of a chain.
    #[inline(always)]
    fn touches(&self, site: Site, head: Site) -> bool {
        Self::neighbours(site).into_iter().any(|beside| {
            // What is no stone may have the head of one that was taken.
            self.get(HEAD, beside) == head.0 && self.get(CELL, beside) == self.get(CELL, head)
        })
    }

    /// Liberties of a chain that another has not.
    fn new_liberties(&mut self, chain: Site, other: Site) -> u16 {
        self.now += 1;
        let mut count = 0;
        let mut stone = chain;
        loop {
            for beside in Self::neighbours(stone) {
                if self.is_empty(beside) && self.seen[Self::ix(beside)] != self.now {
                    self.seen[Self::ix(beside)] = self.now;
                    count += u16::from(!self.touches(beside, other));
                }
            }
            stone = self.next(stone);
            if stone == chain {
                return count;
            }
        }
    }

    /// Takes a chain off, whose captors are of this colour.
    fn remove(&mut self, head: Site, captor: Color) {
        let mut stone = head;
        loop {
            self.set(CELL, stone, Cell::Empty as u16);
            let mut heads = [Site::PASS; 4];
            for (k, beside) in Self::neighbours(stone).into_iter().enumerate() {
                if self.is(beside, captor) && !heads[..k].contains(&self.head(beside)) {
                    heads[k] = self.head(beside);
                    self.set(LIBERTIES, heads[k], self.get(LIBERTIES, heads[k]) + 1);
                }
            }
            stone = self.next(stone);
            if stone == head {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_engine::board::Board9;

    fn check(reader: &LadderBoard<128, 2>, board: &Board9) {
        assert_eq!(reader.ko, board.ko());
        for site in board.sites() {
            assert_eq!(reader.get(CELL, site), board.cell(site) as u16);
            if board.color(site).is_some() {
                assert_eq!(u32::from(reader.liberties(site)), board.liberties(site));
                assert_eq!(u32::from(reader.stones(site)), board.chain_len(site));
                let mut ring = vec![site];
                while reader.next(*ring.last().unwrap()) != site {
                    ring.push(reader.next(*ring.last().unwrap()));
                }
                let mut stones: Vec<Site> = board.chain_stones(site).collect();
                ring.sort();
                stones.sort();
                assert_eq!(ring, stones);
            }
        }
    }

    #[test]
    fn random_games_are_played_and_taken_back_alike() {
        let mut state = 3u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        for side in [3, 5, 9] {
            let mut board = Board9::new(side, side).unwrap();
            let mut reader = LadderBoard::<128, 2>::new();
            reader.load(&board);
            let mut history = Vec::new();
            let mut color = Color::Black;
            for _ in 0..200 {
                let all: Vec<Site> = board.sites().filter(|&s| board.is_legal(s, color)).collect();
                for site in board.sites() {
                    assert_eq!(reader.is_legal(site, color), all.contains(&site));
                }
                if !all.is_empty() {
                    history.push((reader.mark(), board.clone()));
                    let site = all[next(all.len())];
                    board.play(site, color);
                    reader.play(site, color);
                    check(&reader, &board);
                }
                color = color.other();
            }
            while let Some((mark, board)) = history.pop() {
                reader.undo(mark);
                check(&reader, &board);
            }
        }
    }
}
