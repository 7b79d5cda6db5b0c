//! Questions to a board.

use super::{Board, Cell, Color, Pattern3x3, Site, SiteSet, zobrist};

impl<const N: usize, const W: usize> Board<N, W> {
    /// Columns.
    #[inline]
    pub fn width(&self) -> u8 {
        self.width
    }

    /// Rows.
    #[inline]
    pub fn height(&self) -> u8 {
        self.height
    }

    /// Points of the board.
    #[inline]
    pub fn area(&self) -> usize {
        usize::from(self.width) * usize::from(self.height)
    }

    /// What lies there.
    #[inline(always)]
    pub fn cell(&self, s: Site) -> Cell {
        self.sites[Self::ix(s)].cell
    }

    /// The colour of the stone there, if there is one.
    #[inline(always)]
    pub fn color(&self, s: Site) -> Option<Color> {
        self.cell(s).color()
    }

    /// Whether the site is empty.
    #[inline(always)]
    pub fn is_empty(&self, s: Site) -> bool {
        self.cell(s) == Cell::Empty
    }

    /// Whether the site belongs to the board.
    #[inline(always)]
    pub fn is_on_board(&self, s: Site) -> bool {
        self.cell(s) != Cell::Border
    }

    /// The 3x3 code of the site.
    #[inline(always)]
    pub fn pattern3x3(&self, s: Site) -> Pattern3x3 {
        self.sites[Self::ix(s)].pattern
    }

    /// The empty sites, in the order of the list (which every move changes).
    #[inline(always)]
    pub fn empties(&self) -> impl ExactSizeIterator<Item = Site> + '_ {
        self.empties[..usize::from(self.n_empties).min(N)].iter().map(|&s| Site(s))
    }

    /// How many sites are empty.
    #[inline(always)]
    pub fn n_empties(&self) -> usize {
        usize::from(self.n_empties)
    }

    /// The empty site at a place of the list.
    #[inline(always)]
    pub fn empty_at(&self, place: usize) -> Site {
        Site(self.empties[place & (N - 1)])
    }

    /// The site that names the chain of the stone on `s`. Meaningless where there is no stone.
    #[inline(always)]
    pub fn chain(&self, s: Site) -> Site {
        Site(self.sites[Self::ix(s)].chain)
    }

    /// Stones of the chain on `s`.
    #[inline(always)]
    pub fn chain_len(&self, s: Site) -> u32 {
        u32::from(self.chains[Self::ix(self.chain(s))].stones)
    }

    /// Number of liberties of the chain on `s`.
    #[inline(always)]
    pub fn liberties(&self, s: Site) -> u32 {
        u32::from(self.chains[Self::ix(self.chain(s))].nlibs)
    }

    /// The liberties of the chain on `s`.
    #[inline(always)]
    pub fn liberty_set(&self, s: Site) -> &SiteSet<W> {
        &self.chains[Self::ix(self.chain(s))].libs
    }

    /// The liberties of the chain on `s`, in the order of their bits.
    #[inline(always)]
    pub fn liberty_sites(&self, s: Site) -> impl Iterator<Item = Site> + use<'_, N, W> {
        self.liberty_set(s).iter().map(Self::site_of_bit)
    }

    /// Whether a stone of `color` lies there whose chain has one liberty left.
    #[inline(always)]
    pub fn is_in_atari(&self, s: Site, color: Color) -> bool {
        self.cell(s) == color && self.liberties(s) == 1
    }

    /// A liberty of the chain on `s`: the only one when it is in atari. [`Site::PASS`] when there
    /// is no stone with a liberty.
    #[inline(always)]
    pub fn any_liberty(&self, s: Site) -> Site {
        self.liberty_set(s).first().map_or(Site::PASS, Self::site_of_bit)
    }

    /// The stones of the chain on `s`, each once.
    #[inline]
    pub fn chain_stones(&self, s: Site) -> impl Iterator<Item = Site> + '_ {
        let first = self.chain(s);
        let mut at = Some(first);
        std::iter::from_fn(move || {
            let here = at?;
            let next = self.next_stone(here);
            at = (next != first).then_some(next);
            Some(here)
        })
    }

    /// The stone that follows in the ring of a chain.
    #[inline(always)]
    pub fn next_stone(&self, s: Site) -> Site {
        Site(self.sites[Self::ix(s)].next)
    }

    /// Where a simple ko forbids the next move: [`Site::PASS`] for nowhere.
    #[inline(always)]
    pub fn ko(&self) -> Site {
        self.ko
    }

    /// The key of the position: stones only, neither ko nor side to move.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Stones of a colour on the board.
    #[inline(always)]
    pub fn stones_on_board(&self, color: Color) -> u32 {
        let black = u32::from(self.n_black);
        match color {
            Color::Black => black,
            Color::White => self.area() as u32 - u32::from(self.n_empties) - black,
        }
    }

    /// Stones of a colour that were captured (or died by suicide) so far.
    #[inline(always)]
    pub fn captured(&self, color: Color) -> u32 {
        self.captured[color.index()]
    }

    /// Whether a stone of `color` on the empty site `s` would have no liberty after captures.
    #[inline(always)]
    pub fn is_suicide(&self, s: Site, color: Color) -> bool {
        !self.pattern3x3(s).touches_empty() && self.is_dead_end(s, color)
    }

    /// Whether a stone of `color` on the empty site `s`, which has no empty neighbour, would have
    /// no liberty after captures: no enemy in atari to take, no friend with another liberty.
    #[inline(always)]
    pub fn is_dead_end(&self, s: Site, color: Color) -> bool {
        let i = Self::ix(s);
        if self.sites[i].cell == Cell::Border {
            return true;
        }
        let mut alive = false;
        for step in Self::ORTHO {
            let near = self.state_near(i, step);
            let in_atari = self.chains[Self::ix(Site(near.chain))].nlibs == 1;
            alive |= (near.cell != Cell::Border) & ((near.cell == color) != in_atari);
        }
        !alive
    }

    /// Whether `color` may play on `s` by the rules that playouts use: empty, no simple ko, no
    /// suicide.
    #[inline(always)]
    pub fn is_legal(&self, s: Site, color: Color) -> bool {
        self.is_empty(s) && s != self.ko && !self.is_suicide(s, color)
    }

    /// The key after `color` plays on the empty site `s`, captures included, without playing.
    pub fn key_after(&self, s: Site, color: Color) -> u64 {
        let own = zobrist::of(&Self::KEYS[Self::ix(s)], color);
        let of_chain = |chain: Site, color: Color| {
            let keys =
                self.chain_stones(chain).map(|t| zobrist::of(&Self::KEYS[Self::ix(t)], color));
            keys.fold(0, |all, key| all ^ key)
        };
        let mut captured = 0;
        for &chain in self.chains_beside(s, color.other()).iter() {
            if self.liberties(chain) == 1 {
                captured ^= of_chain(chain, color.other());
            }
        }
        if captured == 0 && self.is_suicide(s, color) {
            // Nothing captured and no liberty: the stone and the chains it joins come off again.
            let friends = self.chains_beside(s, color);
            return friends.iter().fold(self.key, |key, &chain| key ^ of_chain(chain, color));
        }
        self.key ^ own ^ captured
    }

    /// Black's area minus White's when every stone stands: stones, and empty sites that touch one
    /// colour only (Tromp-Taylor).
    pub fn area_score(&self) -> i32 {
        let stones = |color| self.stones_on_board(color) as i32;
        let mut score = stones(Color::Black) - stones(Color::White);
        let mut seen = SiteSet::<W>::EMPTY;
        let mut stack = Vec::new();
        for s in self.empties() {
            if !seen.insert(Self::bit(s)) {
                continue;
            }
            let (mut points, mut touched) = (0, [false; 2]);
            stack.push(s);
            while let Some(t) = stack.pop() {
                points += 1;
                for step in Self::ORTHO {
                    let u = t.offset(step);
                    match self.cell(u) {
                        Cell::Empty => {
                            if seen.insert(Self::bit(u)) {
                                stack.push(u);
                            }
                        }
                        Cell::Border => {}
                        Cell::Black => touched[Color::Black.index()] = true,
                        Cell::White => touched[Color::White.index()] = true,
                    }
                }
            }
            score += match touched {
                [true, false] => points,
                [false, true] => -points,
                _ => 0,
            };
        }
        score
    }
}
