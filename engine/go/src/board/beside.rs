//! What lies beside a site.

use super::{Board, Color, Site};

impl<const N: usize, const W: usize> Board<N, W> {
    /// The four sites beside a site of the board; some may be border.
    #[inline(always)]
    pub fn neighbours(s: Site) -> [Site; 4] {
        Self::ORTHO.map(|step| s.offset(step))
    }

    /// Those of the four whose bits are set, each at twice its number among [`Board::ORTHO`].
    #[inline(always)]
    fn chosen(s: Site, mut places: u16) -> impl Iterator<Item = Site> {
        std::iter::from_fn(move || {
            let place = (places != 0).then(|| (places.trailing_zeros() >> 1) as usize & 3)?;
            places &= places - 1;
            Some(s.offset(Self::ORTHO[place]))
        })
    }

    /// The stones of `color` beside a site.
    #[inline(always)]
    pub fn stones_beside(&self, s: Site, color: Color) -> impl Iterator<Item = Site> + use<N, W> {
        Self::chosen(s, self.pattern3x3(s).ortho_stones(color))
    }

    /// The empty sites beside a site.
    #[inline(always)]
    pub fn empties_beside(&self, s: Site) -> impl Iterator<Item = Site> + use<N, W> {
        Self::chosen(s, self.pattern3x3(s).ortho_empties())
    }

    /// The chains of `color` beside a site.
    #[inline]
    pub fn chains_beside(&self, s: Site, color: Color) -> ChainsBeside {
        let mut chains = ChainsBeside { names: [Site::PASS; 4], len: 0 };
        for stone in self.stones_beside(s, color) {
            let name = self.chain(stone);
            if !chains.contains(&name) {
                chains.names[chains.len & 3] = name;
                chains.len += 1;
            }
        }
        chains
    }

    /// Whether a stone of `color` in atari lies beside `s`, which must be a site of the board.
    #[inline(always)]
    pub fn touches_atari(&self, s: Site, color: Color) -> bool {
        self.stones_beside(s, color).any(|stone| self.liberties(stone) == 1)
    }
}

/// The chains beside a site, by the sites that name them, each once.
pub struct ChainsBeside {
    names: [Site; 4],
    len: usize,
}

impl std::ops::Deref for ChainsBeside {
    type Target = [Site];

    #[inline(always)]
    fn deref(&self) -> &[Site] {
        &self.names[..self.len.min(4)]
    }
}
