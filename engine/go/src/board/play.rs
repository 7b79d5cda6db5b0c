//! Putting stones on the board and taking captured ones off.

use super::{Around, Board, Color, EMPTY, Site, SiteSet, zobrist};

impl<const N: usize, const W: usize> Board<N, W> {
    /// Plays a stone of `color` on `s`, which must be empty and no pass: takes off what has no
    /// liberty left, the stone's own chain too when that captures nothing (suicide), and notes the
    /// ko. Returns how many of the opponent's stones were captured.
    ///
    /// Whether the move is allowed is asked beforehand: see [`Board::is_legal`].
    #[inline]
    pub fn play(&mut self, s: Site, color: Color) -> u32 {
        debug_assert_eq!(self.cell[Self::ix(s)], EMPTY, "play on an occupied site");
        self.ko = Site::PASS;
        self.put(s, color);
        let bit = Self::bit(s);

        let mut own = SiteSet::<W>::EMPTY;
        let mut friends = [0u16; 4];
        let mut n_friends = 0;
        let mut dead = [0u16; 4];
        let mut n_dead = 0;
        for step in Self::ORTHO {
            let t = s.offset(step);
            let cell = self.cell[Self::ix(t)];
            if cell == EMPTY {
                own.add(Self::bit(t));
            } else if cell == color as u8 {
                let head = self.chain[Self::ix(t)];
                if !friends[..n_friends].contains(&head) {
                    friends[n_friends & 3] = head;
                    n_friends += 1;
                }
            } else if cell == color.other() as u8 {
                let head = self.chain[Self::ix(t)];
                let h = Self::ix(Site(head));
                if self.libs[h].remove(bit) {
                    self.nlibs[h] -= 1;
                    if self.nlibs[h] == 0 {
                        dead[n_dead & 3] = head;
                        n_dead += 1;
                    }
                }
            }
        }

        let head = self.join(s, &friends[..n_friends], own);
        let mut captured = 0;
        for &d in &dead[..n_dead] {
            captured += u32::from(self.stones[Self::ix(Site(d))]);
            self.take(d, color.other());
        }
        let h = Self::ix(Site(head));
        if captured == 1 && self.stones[h] == 1 && self.nlibs[h] == 1 {
            self.ko = Site(dead[0]);
        } else if self.nlibs[h] == 0 {
            self.take(head, color);
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

    /// Makes the stone on `s` part of the chains it touches; `own` are its empty neighbours.
    /// Returns the site that names the chain.
    #[inline(always)]
    fn join(&mut self, s: Site, friends: &[u16], own: SiteSet<W>) -> u16 {
        let i = Self::ix(s);
        let Some(&first) = friends.first() else {
            self.chain[i] = s.0;
            self.next[i] = s.0;
            self.stones[i] = 1;
            self.nlibs[i] = own.len() as u16;
            self.libs[i] = own;
            return s.0;
        };
        let mut main = first;
        for &f in &friends[1..] {
            if self.stones[Self::ix(Site(f))] > self.stones[Self::ix(Site(main))] {
                main = f;
            }
        }
        let m = Self::ix(Site(main));
        let mut libs = self.libs[m];
        libs.unite(&own);
        let mut stones = self.stones[m] + 1;
        self.chain[i] = main;
        self.next[i] = self.next[m];
        self.next[m] = s.0;
        for &f in friends {
            if f == main {
                continue;
            }
            let h = Self::ix(Site(f));
            libs.unite(&self.libs[h]);
            stones += self.stones[h];
            let mut t = f;
            loop {
                let j = Self::ix(Site(t));
                self.chain[j] = main;
                t = self.next[j];
                if t == f {
                    break;
                }
            }
            self.next.swap(m, h);
        }
        libs.remove(Self::bit(s));
        self.libs[m] = libs;
        self.nlibs[m] = libs.len() as u16;
        self.stones[m] = stones;
        main
    }

    /// Takes a chain of `color` off the board.
    #[inline]
    fn take(&mut self, head: u16, color: Color) {
        let mut t = head;
        self.captured[color.index()] += u32::from(self.stones[Self::ix(Site(head))]);
        loop {
            let s = Site(t);
            self.unput(s, color);
            let bit = Self::bit(s);
            for step in Self::ORTHO {
                let u = Self::ix(s.offset(step));
                if self.cell[u] == color.other() as u8 {
                    let h = Self::ix(Site(self.chain[u]));
                    self.nlibs[h] += u16::from(self.libs[h].add(bit));
                }
            }
            t = self.next[Self::ix(s)];
            if t == head {
                break;
            }
        }
    }

    /// Writes a stone into the cells, codes, key and list of empty sites.
    #[inline(always)]
    fn put(&mut self, s: Site, color: Color) {
        let i = Self::ix(s);
        self.cell[i] = color as u8;
        self.key ^= zobrist::of(&Self::KEYS[i], color);
        self.on_board[color.index()] += 1;
        self.tell_neighbours(s, color);
        self.n_empties -= 1;
        let last = self.empties[usize::from(self.n_empties) & (N - 1)];
        let hole = self.place[i];
        self.empties[usize::from(hole) & (N - 1)] = last;
        self.place[Self::ix(Site(last))] = hole;
    }

    /// Wipes a stone from the cells, codes, key, and lists the site as empty.
    #[inline(always)]
    fn unput(&mut self, s: Site, color: Color) {
        let i = Self::ix(s);
        self.cell[i] = EMPTY;
        self.key ^= zobrist::of(&Self::KEYS[i], color);
        self.on_board[color.index()] -= 1;
        self.tell_neighbours(s, color);
        self.empties[usize::from(self.n_empties) & (N - 1)] = s.0;
        self.place[i] = self.n_empties;
        self.n_empties += 1;
    }

    /// Toggles a stone in the 3x3 codes of its eight neighbours: seen from the neighbour above, the
    /// stone lies below, and so on.
    #[inline(always)]
    fn tell_neighbours(&mut self, s: Site, color: Color) {
        for (i, (ortho, diagonal)) in Self::ORTHO.into_iter().zip(Self::DIAGONAL).enumerate() {
            let opposite = (i + 2) & 3;
            let code: &mut Around = &mut self.around[Self::ix(s.offset(ortho))];
            code.toggle(opposite, color);
            let code: &mut Around = &mut self.around[Self::ix(s.offset(diagonal))];
            code.toggle(4 + opposite, color);
        }
    }

    /// Swaps two places of the list of empty sites: for drawing without repetition.
    #[inline(always)]
    pub fn swap_empties(&mut self, from: usize, to: usize) {
        let a = self.empties[from & (N - 1)];
        let b = self.empties[to & (N - 1)];
        self.empties[from & (N - 1)] = b;
        self.empties[to & (N - 1)] = a;
        self.place[Self::ix(Site(b))] = from as u16;
        self.place[Self::ix(Site(a))] = to as u16;
    }
}
