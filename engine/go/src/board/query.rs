//! Questions to a board.

use super::{BORDER, Board, Color, EMPTY, Pattern3x3, Site, SiteSet, zobrist};

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

    /// What lies there: 0 empty, 1 black, 2 white, 3 border.
    #[inline(always)]
    pub fn cell(&self, s: Site) -> u8 {
        self.cells[Self::ix(s)].content
    }

    /// The colour of the stone there, if there is one.
    #[inline(always)]
    pub fn color(&self, s: Site) -> Option<Color> {
        match self.cell(s) {
            1 => Some(Color::Black),
            2 => Some(Color::White),
            _ => None,
        }
    }

    /// Whether the site is empty.
    #[inline(always)]
    pub fn is_empty(&self, s: Site) -> bool {
        self.cell(s) == EMPTY
    }

    /// Whether the site belongs to the board.
    #[inline(always)]
    pub fn is_on_board(&self, s: Site) -> bool {
        self.cell(s) != BORDER
    }

    /// The 3x3 code of the site.
    #[inline(always)]
    pub fn pattern3x3(&self, s: Site) -> Pattern3x3 {
        self.cells[Self::ix(s)].pattern
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
        Site(self.cells[Self::ix(s)].chain)
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
        Site(self.cells[Self::ix(s)].next)
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
        if self.cells[i].content == BORDER {
            return true;
        }
        let mut alive = false;
        for step in Self::ORTHO {
            let cell = self.cell_near(i, step);
            let in_atari = self.chains[Self::ix(Site(cell.chain))].nlibs == 1;
            alive |= (cell.content != BORDER) & ((cell.content == color as u8) != in_atari);
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
        let mut key = self.key ^ zobrist::of(&Self::KEYS[Self::ix(s)], color);
        let mut seen = [Site::PASS; 4];
        for (i, step) in Self::ORTHO.into_iter().enumerate() {
            let t = s.offset(step);
            if self.cell(t) != color.other() as u8 || self.liberties(t) != 1 {
                continue;
            }
            let head = self.chain(t);
            if seen.contains(&head) {
                continue;
            }
            seen[i] = head;
            for stone in self.chain_stones(head) {
                key ^= zobrist::of(&Self::KEYS[Self::ix(stone)], color.other());
            }
        }
        if key == self.key ^ zobrist::of(&Self::KEYS[Self::ix(s)], color)
            && self.is_suicide(s, color)
        {
            // Nothing captured and no liberty: the stone and the chains it joins come off again.
            key = self.key;
            let mut seen = [Site::PASS; 4];
            for (i, step) in Self::ORTHO.into_iter().enumerate() {
                let t = s.offset(step);
                if self.cell(t) == color as u8 && !seen.contains(&self.chain(t)) {
                    seen[i] = self.chain(t);
                    for stone in self.chain_stones(t) {
                        key ^= zobrist::of(&Self::KEYS[Self::ix(stone)], color);
                    }
                }
            }
        }
        key
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
            let (mut points, mut touched) = (0, 0u8);
            stack.push(s);
            while let Some(t) = stack.pop() {
                points += 1;
                for step in Self::ORTHO {
                    let u = t.offset(step);
                    match self.cell(u) {
                        EMPTY => {
                            if seen.insert(Self::bit(u)) {
                                stack.push(u);
                            }
                        }
                        BORDER => {}
                        color => touched |= color,
                    }
                }
            }
            score += match touched {
                1 => points,
                2 => -points,
                _ => 0,
            };
        }
        score
    }
}
