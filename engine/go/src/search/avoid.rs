//! Moves that are left out of a search, down to some depth of its tree.

use crate::board::Site;
use crate::{Color, Move};

/// A move that a player does not make in the first turns of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avoided {
    /// Whose move.
    pub color: Color,
    /// The move.
    pub mv: Move,
    /// In how many turns from the root on, both players' counted: in 1 it is left out at the root alone.
    pub depth: u32,
}

impl Avoided {
    /// Moves of the side to move that are left out at the root alone.
    pub fn at_root(color: Color, moves: impl IntoIterator<Item = Move>) -> Vec<Avoided> {
        moves.into_iter().map(|mv| Avoided { color, mv, depth: 1 }).collect()
    }
}

/// The same by sites, to be asked in the tree.
#[derive(Clone, Debug, Default)]
pub struct AvoidedSites {
    /// For each side and site, in how many turns it is left out; empty where none is.
    depths: [Vec<u32>; 2],
    max_depth: u32,
}

impl AvoidedSites {
    /// These moves; `site_of` tells where they lie, and none for a point beyond the board.
    pub fn new(avoided: &[Avoided], site_of: impl Fn(Move) -> Option<Site>) -> AvoidedSites {
        let mut table = AvoidedSites::default();
        for &Avoided { color, mv, depth } in avoided {
            let Some(site) = site_of(mv).map(|site| usize::from(site.0)) else { continue };
            let depths = &mut table.depths[color.index()];
            if depths.len() <= site {
                depths.resize(site + 1, 0);
            }
            depths[site] = depths[site].max(depth);
            table.max_depth = table.max_depth.max(depth);
        }
        table
    }

    /// Whether anything is left out so many turns below the root.
    #[inline(always)]
    pub fn concerns(&self, depth: usize) -> bool {
        depth < self.max_depth as usize
    }

    /// Whether a move may be made so many turns below the root.
    #[inline(always)]
    pub fn allows(&self, color: Color, site: Site, depth: usize) -> bool {
        !self.concerns(depth) || self.is_beyond(color, site, depth)
    }

    fn is_beyond(&self, color: Color, site: Site, depth: usize) -> bool {
        let left_out = self.depths[color.index()].get(usize::from(site.0));
        left_out.is_none_or(|&turns| depth >= turns as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, Point, with_board};

    #[test]
    fn a_move_is_left_out_for_one_side_down_to_its_depth() {
        let game = Game::new(9, 9).unwrap();
        let (a, b) = (Point::new(2, 2), Point::new(24, 2));
        let avoided = [
            Avoided { color: Color::White, mv: Move::Play(a), depth: 2 },
            Avoided { color: Color::White, mv: Move::Play(a), depth: 1 },
            Avoided { color: Color::Black, mv: Move::Pass, depth: 1 },
            Avoided { color: Color::Black, mv: Move::Play(b), depth: 9 },
        ];
        with_board!(game.board(), board => {
            let site_of = |mv| match mv {
                Move::Pass => Some(Site::PASS),
                Move::Play(point) => board.site(point),
            };
            let table = AvoidedSites::new(&avoided, site_of);
            let a = board.site(a).unwrap();
            let depths = |color, site| [0, 1, 2, 3].map(|depth| table.allows(color, site, depth));
            assert_eq!(depths(Color::White, a), [false, false, true, true]);
            assert_eq!(depths(Color::Black, a), [true; 4]);
            assert_eq!(depths(Color::Black, Site::PASS), [false, true, true, true]);
            assert_eq!([1, 2].map(|depth| table.concerns(depth)), [true, false]);
        });
    }
}
