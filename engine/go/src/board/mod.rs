//! The raw board: stones, chains with exact liberties, 3x3 codes and a position key, kept up to
//! date move by move. It knows simple ko and nothing of history: that is the game's business.
//!
//! One type serves four layouts, [`Board9`] to [`Board25`]; smaller boards lie in a layout with
//! border about them. `N` is the number of padded sites (a power of two, so that indices are
//! masked instead of checked) and `W` the number of words in a set of sites.
//!
//! ```
//! use go_engine::{board::Board9, Color, Point};
//! let mut board = Board9::new(9, 9).unwrap();
//! let e5 = board.site(Point::new(4, 4)).unwrap();
//! board.play(e5, Color::Black);
//! assert_eq!(board.liberties(e5), 4);
//! ```

#[cfg(target_arch = "x86_64")]
mod avx2;
mod beside;
mod cell;
mod check;
mod pattern3x3;
mod play;
mod query;
mod set;
mod site;
mod zobrist;

pub use beside::ChainsBeside;
pub use cell::Cell;
pub use pattern3x3::Pattern3x3;
pub use set::SiteSet;
pub use site::Site;
pub use zobrist::WHITE_TO_MOVE;

use crate::{Color, Point};

/// Boards of up to 9 points a side.
pub type Board9 = Board<128, 2>;
/// Boards of up to 13 points a side.
pub type Board13 = Board<256, 3>;
/// Boards of up to 19 points a side.
pub type Board19 = Board<512, 6>;
/// Boards of up to 25 points a side.
pub type Board25 = Board<1024, 11>;

/// What is known of one site, in eight bytes: most questions of a move touch one of these a
/// neighbour, at a fixed distance in memory.
#[derive(Clone, Copy)]
#[repr(C)]
struct SiteState {
    /// The 3x3 code of what lies about the site.
    pattern: Pattern3x3,
    /// The site that names the chain which the stone belongs to; 0 where there is no stone.
    chain: u16,
    /// The stone that follows in the ring of the chain.
    next: u16,
    cell: Cell,
}

/// What is known of a chain, at the site that names it.
#[derive(Clone, Copy)]
struct Chain<const W: usize> {
    libs: SiteSet<W>,
    /// How many liberties.
    nlibs: u16,
    /// How many stones.
    stones: u16,
}

/// A board of one layout. Made by [`Board::new`]; see the module's text.
#[derive(Clone)]
pub struct Board<const N: usize, const W: usize> {
    sites: [SiteState; N],
    chains: [Chain<W>; N],
    /// The empty sites, in no order that means anything.
    empties: [u16; N],
    /// Where each empty site stands in `empties`.
    place: [u16; N],
    n_empties: u16,
    /// Black stones on the board; White's are what remains.
    n_black: u16,
    /// Stones that were captured, by their own colour.
    captured: [u32; 2],
    /// Where a simple ko forbids the next move, or none.
    ko: Site,
    key: u64,
    width: u8,
    height: u8,
}

impl<const N: usize, const W: usize> Board<N, W> {
    /// Sites in a padded row.
    pub const STRIDE: usize = site::stride(W);
    /// The largest side of a board in this layout.
    pub const MAX_SIDE: u8 = Self::STRIDE as u8 - 1;
    const KEYS: [[u64; 2]; N] = zobrist::keys::<N>(Self::STRIDE);
    /// Steps to the four neighbours: up, right, down, left.
    pub const ORTHO: [isize; 4] = [Self::STRIDE as isize, 1, -(Self::STRIDE as isize), -1];
    /// Steps to the four diagonal neighbours, clockwise from the upper right.
    pub const DIAGONAL: [isize; 4] = [
        Self::STRIDE as isize + 1,
        1 - Self::STRIDE as isize,
        -(Self::STRIDE as isize) - 1,
        Self::STRIDE as isize - 1,
    ];
    /// Steps to all eight, in the order of their places in a [`Pattern3x3`].
    pub const NEIGHBOURS: [isize; 8] = {
        let ([up, right, down, left], [a, b, c, d]) = (Self::ORTHO, Self::DIAGONAL);
        [up, right, down, left, a, b, c, d]
    };

    /// An empty board, or `None` when a side is 0 or too large for the layout.
    pub fn new(width: u8, height: u8) -> Option<Self> {
        if width == 0 || height == 0 || width > Self::MAX_SIDE || height > Self::MAX_SIDE {
            return None;
        }
        let mut board = Board {
            sites: [SiteState {
                pattern: Pattern3x3::default(),
                chain: 0,
                next: 0,
                cell: Cell::Border,
            }; N],
            chains: [Chain { libs: SiteSet::EMPTY, nlibs: 0, stones: 0 }; N],
            empties: [0; N],
            place: [0; N],
            n_empties: 0,
            n_black: 0,
            captured: [0; 2],
            ko: Site::PASS,
            key: 0,
            width,
            height,
        };
        for row in 0..height {
            for col in 0..width {
                let s = site::site_of(Point::new(col, row), Self::STRIDE);
                board.sites[Self::ix(s)].cell = Cell::Empty;
                board.place[Self::ix(s)] = board.n_empties;
                board.empties[usize::from(board.n_empties)] = s.0;
                board.n_empties += 1;
            }
        }
        for s in board.sites().collect::<Vec<_>>() {
            board.sites[Self::ix(s)].pattern =
                Pattern3x3::from_cells(|step| board.cell(s.offset(step)), Self::STRIDE);
        }
        Some(board)
    }

    /// An index that the compiler knows to be in range.
    #[inline(always)]
    const fn ix(s: Site) -> usize {
        s.0 as usize & (N - 1)
    }

    /// The index of the neighbour of index `i` at `step`.
    ///
    /// `i` must be the index of a site of the board, not of border: then its eight neighbours lie
    /// within the padded arrays, whatever the board's size.
    #[inline(always)]
    const fn near(i: usize, step: isize) -> usize {
        (i as isize + step) as usize
    }

    /// The state of a neighbour; see [`Board::near`] for what must hold of `i`.
    #[inline(always)]
    fn state_near(&self, i: usize, step: isize) -> SiteState {
        let at = Self::near(i, step);
        debug_assert!(self.sites[i].cell != Cell::Border && at < N);
        // SAFETY: the callers pass an index that they have seen to be empty or a stone. Such sites
        // have a row and a column from 1 to the layout's side, and the layouts leave a row and a
        // column of border beyond each side within the N sites.
        unsafe { *self.sites.get_unchecked(at) }
    }

    /// The bit of a site in a [`SiteSet`].
    #[inline(always)]
    pub const fn bit(s: Site) -> usize {
        s.0 as usize - (Self::STRIDE + 1)
    }

    /// The site of a bit.
    #[inline(always)]
    pub const fn site_of_bit(bit: usize) -> Site {
        Site((bit + Self::STRIDE + 1) as u16)
    }

    /// The site of a point, or `None` when it lies outside this board.
    #[inline]
    pub fn site(&self, point: Point) -> Option<Site> {
        (point.col() < self.width && point.row() < self.height)
            .then(|| site::site_of(point, Self::STRIDE))
    }

    /// The point of a site of this board.
    #[inline]
    pub fn point(&self, s: Site) -> Point {
        site::point_of(s, Self::STRIDE)
    }

    /// All sites of the board, row by row from row 1.
    pub fn sites(&self) -> impl Iterator<Item = Site> + use<N, W> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |row| {
            (0..width).map(move |col| site::site_of(Point::new(col, row), Self::STRIDE))
        })
    }
}
