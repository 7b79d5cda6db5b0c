//! The codes of all patterns on a board, kept up to date move by move.

use super::template::{Lanes, Name, OFFSETS, TEMPLATES, Template};
use super::timing::{Timing, is_captured};
use go_engine::{Board, Color, Point, Site};
use std::sync::OnceLock;

/// The codes about every point of a board, for both colours as the mover. Whatever changes on the
/// board is told by [`Codes::toggle`]; a code is then made of ten numbers at most, whatever the
/// template's size.
#[derive(Clone)]
pub struct Codes {
    side: i32,
    /// By point and mover: for each template, the points that it has beyond the next smaller one.
    rings: Vec<[[Lanes; TEMPLATES]; 2]>,
}

impl Codes {
    /// The codes of an empty square board.
    pub fn new(side: u8) -> Codes {
        let side = i32::from(side);
        let mut rings = vec![[[[0; 8]; TEMPLATES]; 2]; (side * side) as usize];
        for row in 0..side {
            for col in 0..side {
                let ring = &mut rings[(row * side + col) as usize];
                for offset in OFFSETS.iter() {
                    let (x, y) = (col + i32::from(offset.dx), row + i32::from(offset.dy));
                    if !(0..side).contains(&x) || !(0..side).contains(&y) {
                        for mover in ring.iter_mut() {
                            xor(&mut mover[offset.template.index()], &offset.keys[2]);
                        }
                    }
                }
            }
        }
        Codes { side, rings }
    }

    /// The codes of a position on a square board.
    pub fn of_board<const N: usize, const W: usize>(board: &Board<N, W>) -> Codes {
        /// Empty boards by side, made once.
        static EMPTY: [OnceLock<Codes>; 26] = [const { OnceLock::new() }; 26];
        let side = board.width();
        let mut codes = match EMPTY.get(usize::from(side)) {
            Some(empty) => empty.get_or_init(|| Codes::new(side)).clone(),
            None => Codes::new(side),
        };
        for site in board.sites() {
            if let Some(color) = board.color(site) {
                codes.toggle(codes.cell(board, site), color);
            }
        }
        codes
    }

    /// The number of a site's point.
    #[inline]
    pub fn cell<const N: usize, const W: usize>(&self, board: &Board<N, W>, site: Site) -> usize {
        let point = board.point(site);
        usize::from(point.row()) * self.side as usize + usize::from(point.col())
    }

    /// A stone of `color` appears on a point or vanishes from it.
    #[inline]
    pub fn toggle(&mut self, cell: usize, color: Color) {
        self.for_neighbours(cell, |rings, offset| {
            for mover in Color::BOTH {
                let key = &OFFSETS[offset].keys[usize::from(color != mover)];
                let template = OFFSETS[offset].template.index();
                xor(&mut rings[mover.index()][template], key);
            }
        });
    }

    /// Calls `visit` for every point that has `cell` in its largest template, with the number of
    /// the offset at which it sees it.
    #[inline]
    fn for_neighbours(
        &mut self,
        cell: usize,
        mut visit: impl FnMut(&mut [[Lanes; TEMPLATES]; 2], usize),
    ) {
        let (row, col) = (cell as i32 / self.side, cell as i32 % self.side);
        for (index, offset) in OFFSETS.iter().enumerate() {
            let (x, y) = (col - i32::from(offset.dx), row - i32::from(offset.dy));
            if (0..self.side).contains(&x) && (0..self.side).contains(&y) {
                visit(&mut self.rings[(y * self.side + x) as usize], index);
            }
        }
    }

    /// The points that see `cell`, each with the smallest template in which it does.
    #[inline]
    pub fn seers(&self, cell: usize) -> impl Iterator<Item = (usize, Template)> + use<> {
        let side = self.side;
        let (row, col) = (cell as i32 / side, cell as i32 % side);
        OFFSETS.iter().filter_map(move |offset| {
            let (x, y) = (col - i32::from(offset.dx), row - i32::from(offset.dy));
            let inside = (0..side).contains(&x) && (0..side).contains(&y);
            inside.then_some(((y * side + x) as usize, offset.template))
        })
    }

    /// Names of the patterns about a point for a mover, the smallest first.
    #[inline]
    pub fn names(&self, cell: usize, mover: Color) -> impl Iterator<Item = Name> + '_ {
        let rings = &self.rings[cell][mover.index()];
        let mut lanes = [0; 8];
        Template::all().map(move |template| {
            xor(&mut lanes, &rings[template.index()]);
            Name::of(&lanes, template)
        })
    }

    /// Names of the patterns about a move, by template.
    #[inline]
    pub fn names_of_move<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        site: Site,
        mover: Color,
        timing: Timing,
    ) -> [Name; TEMPLATES] {
        let mut rings = self.rings[self.cell(board, site)][mover.index()];
        if !timing.alters(board, site, mover) {
            return names_of(&rings);
        }
        let centre = board.point(site);
        for offset in OFFSETS.iter() {
            let col = i32::from(centre.col()) + i32::from(offset.dx);
            let row = i32::from(centre.row()) + i32::from(offset.dy);
            if (0..self.side).contains(&col)
                && (0..self.side).contains(&row)
                && let Some(stone) = board.site(Point::new(col as u8, row as u8))
                && is_captured(board, stone, site, mover)
            {
                xor(&mut rings[offset.template.index()], &offset.keys[1]);
            }
        }
        names_of(&rings)
    }
}

/// The names of the patterns that these rings make.
#[inline]
fn names_of(rings: &[Lanes; TEMPLATES]) -> [Name; TEMPLATES] {
    let mut lanes = [0; 8];
    std::array::from_fn(|index| {
        xor(&mut lanes, &rings[index]);
        Name::of(&lanes, Template::ALL[index])
    })
}

/// The names of the patterns about one site, up to a template, the smallest first: made from the
/// stones there, for boards whose codes nobody keeps.
pub fn names_on_board<const N: usize, const W: usize>(
    board: &Board<N, W>,
    site: Site,
    mover: Color,
    largest: Template,
) -> Vec<Name> {
    let mut lanes = [0; 8];
    let mut names = Vec::with_capacity(TEMPLATES);
    let centre = board.point(site);
    let mut template = Template::ALL[0];
    for offset in OFFSETS.iter().take_while(|offset| offset.template <= largest) {
        if offset.template != template {
            names.push(Name::of(&lanes, template));
            template = offset.template;
        }
        let col = i32::from(centre.col()) + i32::from(offset.dx);
        let row = i32::from(centre.row()) + i32::from(offset.dy);
        let on = |at: i32, side: u8| (0..i32::from(side)).contains(&at);
        let kind = if !on(col, board.width()) || !on(row, board.height()) {
            2
        } else {
            match board.site(Point::new(col as u8, row as u8)).and_then(|s| board.color(s)) {
                None => continue,
                Some(color) => usize::from(color != mover),
            }
        };
        xor(&mut lanes, &offset.keys[kind]);
    }
    names.push(Name::of(&lanes, template));
    names
}

#[inline(always)]
fn xor(into: &mut Lanes, key: &Lanes) {
    for (a, b) in into.iter_mut().zip(key) {
        *a ^= b;
    }
}
