//! Putting stones on the board and taking captured ones off.

use super::{Board, Cell, Chain, Color, Site, SiteSet, zobrist};

impl<const N: usize, const W: usize> Board<N, W> {
    /// Plays a stone of `color` on `s`, which must be empty and no pass: takes off what has no
    /// liberty left, the stone's own chain too when that captures nothing (suicide), and notes the
    /// ko. Returns how many of the opponent's stones were captured.
    ///
    /// Whether the move is allowed is asked beforehand: see [`Board::is_legal`].
    #[inline(always)]
    pub fn play(&mut self, s: Site, color: Color) -> u32 {
        let i = Self::ix(s);
        assert!(
            self.sites[i].cell == Cell::Empty,
            "a stone is played on an empty site of the board"
        );
        self.ko = Site::PASS;
        // All four neighbours are treated alike, without a branch: what lies where is what a
        // processor cannot foresee, and guessing wrong costs more than the work. What is no stone
        // belongs to chain 0, which has no liberties to lose.
        let pattern = self.sites[i].pattern;
        let (empties, mine) = (pattern.ortho_empties(), pattern.ortho_stones(color));
        self.place_stone(s, color);
        let bit = Self::bit(s);
        let mut own = SiteSet::<W>::EMPTY;
        let mut friends = [0u16; 4];
        let mut any_dead = false;
        for (k, step) in Self::ORTHO.into_iter().enumerate() {
            let chain = self.state_near(i, step).chain;
            own.insert_if(bit.wrapping_add_signed(step), empties >> (2 * k) & 1 != 0);
            friends[k] = chain & (mine >> (2 * k) & 1).wrapping_neg();
            let struck = &mut self.chains[Self::ix(Site(chain))];
            let lost = struck.libs.remove(bit);
            struck.nlibs -= u16::from(lost);
            // A chain of the mover's own too, when this was its last liberty: sorted out below.
            any_dead |= lost & (struck.nlibs == 0);
        }

        let head = self.join(s, friends, own);
        let mut captured = 0;
        let mut ko = 0;
        if any_dead {
            for step in Self::ORTHO {
                let t = self.state_near(i, step);
                let dead = Self::ix(Site(t.chain));
                if t.cell == color.other() && self.chains[dead].nlibs == 0 {
                    captured += u32::from(self.chains[dead].stones);
                    self.remove_chain(t.chain, color.other());
                    ko = t.chain;
                }
            }
        }
        let placed = &self.chains[Self::ix(Site(head))];
        if captured == 1 && placed.stones == 1 && placed.nlibs == 1 {
            self.ko = Site(ko);
        } else if placed.nlibs == 0 {
            self.remove_chain(head, color);
        }
        captured
    }

    /// Passes: lifts the ko.
    #[inline(always)]
    pub fn pass(&mut self) {
        self.ko = Site::PASS;
    }

    /// Forgets the ko, for boards that are set up.
    pub fn lift_ko(&mut self) {
        self.ko = Site::PASS;
    }

    /// Makes the stone on `s` part of the chains it touches (0 where there is none); `own` are its
    /// empty neighbours. Returns the site that names the chain.
    #[inline(always)]
    fn join(&mut self, s: Site, friends: [u16; 4], own: SiteSet<W>) -> u16 {
        let i = Self::ix(s);
        let main = friends[0].max(friends[1]).max(friends[2].max(friends[3]));
        if main == 0 {
            self.sites[i].chain = s.0;
            self.sites[i].next = s.0;
            self.chains[i] = Chain { libs: own, nlibs: own.len() as u16, stones: 1 };
            return s.0;
        }
        let m = Self::ix(Site(main));
        self.sites[i].chain = main;
        self.sites[i].next = self.sites[m].next;
        self.sites[m].next = s.0;
        self.chains[m].stones += 1;
        self.chains[m].libs.union_with(&own);
        // Of up to three other chains there is seldom more than one.
        let other = friends.map(|f| if f == main { 0 } else { f }).into_iter().fold(0, u16::max);
        let mut main = main;
        if other != 0 {
            let third = friends
                .map(|f| if f == main || f == other { 0 } else { f })
                .into_iter()
                .fold(0, u16::max);
            let fourth = friends
                .map(|f| if f == main || f == other || f == third { 0 } else { f })
                .into_iter()
                .fold(0, u16::max);
            main = self.merge(main, other);
            if third != 0 {
                main = self.merge(main, third);
                if fourth != 0 {
                    main = self.merge(main, fourth);
                }
            }
        }
        let chain = &mut self.chains[Self::ix(Site(main))];
        chain.nlibs = chain.libs.len() as u16;
        main
    }

    /// Merges two chains into the larger, whose name is returned. The number of liberties is left
    /// to the caller.
    #[inline(never)]
    fn merge(&mut self, one: u16, two: u16) -> u16 {
        let stones = |name: u16| self.chains[Self::ix(Site(name))].stones;
        let (into, from) = if stones(two) > stones(one) { (two, one) } else { (one, two) };
        let (m, h) = (Self::ix(Site(into)), Self::ix(Site(from)));
        let Chain { libs, stones, .. } = self.chains[h];
        self.chains[m].libs.union_with(&libs);
        self.chains[m].stones += stones;
        let mut t = h;
        loop {
            self.sites[t].chain = into;
            t = Self::ix(Site(self.sites[t].next));
            if t == h {
                break;
            }
        }
        let (a, b) = (self.sites[m].next, self.sites[h].next);
        (self.sites[m].next, self.sites[h].next) = (b, a);
        into
    }

    /// Takes a chain of `color` off the board.
    #[inline(never)]
    fn remove_chain(&mut self, head: u16, color: Color) {
        self.captured[color.index()] += u32::from(self.chains[Self::ix(Site(head))].stones);
        let mut t = head;
        loop {
            let s = Site(t);
            let i = Self::ix(s);
            self.remove_stone(s, color);
            let bit = Self::bit(s);
            let captors = self.sites[i].pattern.ortho_stones(color.other());
            for (k, step) in Self::ORTHO.into_iter().enumerate() {
                let captor = self.state_near(i, step).chain;
                let captor = &mut self.chains[Self::ix(Site(captor))];
                let is_captor = captors >> (2 * k) & 1 != 0;
                captor.nlibs += u16::from(is_captor & !captor.libs.contains(bit));
                captor.libs.insert_if(bit, is_captor);
            }
            t = self.sites[i].next;
            if t == head {
                break;
            }
        }
    }

    /// Writes a stone into the cells, codes, key and list of empty sites.
    #[inline(always)]
    fn place_stone(&mut self, s: Site, color: Color) {
        let i = Self::ix(s);
        self.sites[i].cell = color.into();
        self.key ^= zobrist::of(&Self::KEYS[i], color);
        self.n_black += u16::from(color == Color::Black);
        self.toggle_in_neighbours(s, color);
        self.n_empties -= 1;
        let last = self.empties[usize::from(self.n_empties) & (N - 1)];
        let hole = self.place[i];
        self.empties[usize::from(hole) & (N - 1)] = last;
        self.place[Self::ix(Site(last))] = hole;
    }

    /// Wipes a stone from the cells, codes, key, and lists the site as empty.
    #[inline(always)]
    fn remove_stone(&mut self, s: Site, color: Color) {
        let i = Self::ix(s);
        self.sites[i].cell = Cell::Empty;
        self.key ^= zobrist::of(&Self::KEYS[i], color);
        self.n_black -= u16::from(color == Color::Black);
        self.sites[i].chain = 0;
        self.toggle_in_neighbours(s, color);
        self.empties[usize::from(self.n_empties) & (N - 1)] = s.0;
        self.place[i] = self.n_empties;
        self.n_empties += 1;
    }

    /// Toggles a stone in the 3x3 codes of its eight neighbours: seen from the neighbour above, the
    /// stone lies below, and so on.
    #[inline(always)]
    fn toggle_in_neighbours(&mut self, s: Site, color: Color) {
        let i = Self::ix(s);
        for (k, (ortho, diagonal)) in Self::ORTHO.into_iter().zip(Self::DIAGONAL).enumerate() {
            let opposite = (k + 2) & 3;
            for (step, place) in [(ortho, opposite), (diagonal, 4 + opposite)] {
                let at = Self::near(i, step);
                debug_assert!(at < N);
                // SAFETY: as in `neighbour`: a stone is put on or taken off sites of the board only.
                unsafe { self.sites.get_unchecked_mut(at) }.pattern.toggle(place, color);
            }
        }
    }
}
