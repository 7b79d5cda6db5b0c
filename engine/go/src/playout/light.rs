//! The light playout: uniformly random moves that fill no eye.
//!
//! It needs no exact liberties, so it is played on a board of its own: a chain counts
//! *pseudo-liberties*, one for each side that one of its stones has open. Placing a stone then costs
//! four subtractions, and a chain has no liberty left when its count is 0.

use crate::board::{Board, Cell, Site};
use crate::game::AnyBoard;
use crate::{Color, rng::Rng, with_board};

/// What is known of a site, in six bytes.
#[derive(Clone, Copy)]
struct SiteState {
    /// How many of the four neighbours are black or border, white or border, and empty, in four bits
    /// each, and above that what lies here.
    code: u16,
    /// The site that names the chain of the stone here; 0 where there is none.
    chain: u16,
    /// The next stone of the chain's ring; of an empty site the place in the list of them.
    link: u16,
}

/// What one neighbour counts in a [`SiteState::code`].
const fn counted(cell: Cell) -> u16 {
    match cell {
        Cell::Empty => 0x100,
        Cell::Black => 0x001,
        Cell::White => 0x010,
        Cell::Border => 0x011,
    }
}

/// Where in it stands what lies there: in the highest bits, so that it is got without a mask.
const CELL_SHIFT: u32 = 14;

const fn shifted(cell: Cell) -> u16 {
    (cell as u16) << CELL_SHIFT
}

impl SiteState {
    #[inline(always)]
    fn cell(self) -> Cell {
        Cell::from_bits(self.code >> CELL_SHIFT)
    }

    #[inline(always)]
    fn empties(self) -> u16 {
        self.code >> 8 & 15
    }

    /// Neighbours that are this colour's or border.
    #[inline(always)]
    fn mine(self, color: Color) -> u16 {
        match color {
            Color::Black => self.code & 15,
            Color::White => self.code >> 4 & 15,
        }
    }
}

/// A chain, at the site that names it.
#[derive(Clone, Copy, Default)]
struct Chain {
    /// Sides of its stones that are open. What is counted for site 0, which names no chain, means
    /// nothing.
    open: u16,
    stones: u16,
}

/// A board for light playouts; see the module's text.
#[derive(Clone)]
pub struct LightBoard<const N: usize, const W: usize> {
    sites: [SiteState; N],
    chains: [Chain; N],
    empties: [u16; N],
    n_empties: u16,
    n_black: u16,
    area: u16,
    ko: Site,
}

impl<const N: usize, const W: usize> LightBoard<N, W> {
    const ORTHO: [isize; 4] = Board::<N, W>::ORTHO;

    /// The same position.
    pub fn new(board: &Board<N, W>) -> Self {
        let blank = SiteState { code: shifted(Cell::Border), chain: 0, link: 0 };
        let mut light = LightBoard {
            sites: [blank; N],
            chains: [Chain::default(); N],
            empties: [0; N],
            n_empties: board.n_empties() as u16,
            n_black: board.stones_on_board(Color::Black) as u16,
            area: board.area() as u16,
            ko: board.ko(),
        };
        for (place, s) in board.empties().enumerate() {
            light.empties[place] = s.0;
            light.sites[Self::ix(s)].link = place as u16;
        }
        for s in board.sites() {
            light.sites[Self::ix(s)].code = shifted(board.cell(s));
        }
        for s in board.sites() {
            let cell = board.cell(s);
            for step in Self::ORTHO {
                // Border sites count what lies about them too: so none has to be told apart.
                let near = s.offset(step);
                light.sites[Self::ix(near)].code += counted(cell);
                if !board.is_on_board(near) {
                    light.sites[Self::ix(s)].code += counted(Cell::Border);
                }
            }
        }
        for s in board.sites() {
            if !board.is_empty(s) {
                let state = &mut light.sites[Self::ix(s)];
                state.chain = board.chain(s).0;
                state.link = board.next_stone(s).0;
                let open = state.empties();
                let chain = &mut light.chains[Self::ix(board.chain(s))];
                chain.open += open;
                chain.stones += 1;
            }
        }
        light
    }

    #[inline(always)]
    const fn ix(s: Site) -> usize {
        s.0 as usize & (N - 1)
    }

    /// The state of a neighbour of a site of the board.
    #[inline(always)]
    fn near(&mut self, i: usize, step: isize) -> &mut SiteState {
        let at = (i as isize + step) as usize;
        debug_assert!(self.sites[i].cell() != Cell::Border && at < N);
        // SAFETY: `i` is a site of the board, seen to be empty or a stone. Such sites have a row and
        // a column from 1 to the layout's side, and the layouts leave a row and a column of border
        // beyond each side within the N sites.
        unsafe { self.sites.get_unchecked_mut(at) }
    }

    #[inline(always)]
    fn chain(&mut self, name: u16) -> &mut Chain {
        &mut self.chains[usize::from(name) & (N - 1)]
    }

    /// Whether `color` may play on the empty site `s` and does not fill an eye there.
    #[inline(always)]
    fn is_playable(&mut self, s: Site, color: Color) -> bool {
        let state = self.sites[Self::ix(s)];
        state.empties() != 0 || self.is_playable_inside(s, state, color)
    }

    /// The same of a site without empty neighbours.
    #[inline(always)]
    fn is_playable_inside(&mut self, s: Site, state: SiteState, color: Color) -> bool {
        let i = Self::ix(s);
        if state.mine(color) == 4 {
            let (mut others, mut border) = (0, 0);
            for step in Board::<N, W>::DIAGONAL {
                let cell = self.near(i, step).cell();
                others += u32::from(cell == color.other());
                border |= u32::from(cell == Cell::Border);
            }
            // A one-point eye: see `Pattern3x3::is_eye`.
            if others + border <= 1 {
                return false;
            }
        }
        if s == self.ko {
            return false;
        }
        // Fill the site in the counts only, see who has no liberty left, and take it back: the sides
        // that one chain has open here may be several.
        let mut names = [0; 4];
        for (name, step) in names.iter_mut().zip(Self::ORTHO) {
            *name = self.near(i, step).chain;
            let chain = self.chain(*name);
            chain.open = chain.open.wrapping_sub(1);
        }
        let mut alive = false;
        for (name, step) in names.into_iter().zip(Self::ORTHO) {
            let is_mine = self.near(i, step).cell() == color;
            alive |= (name != 0) & (is_mine == (self.chain(name).open != 0));
        }
        for name in names {
            let chain = self.chain(name);
            chain.open = chain.open.wrapping_add(1);
        }
        alive
    }

    /// Draws a move as [`draw`](super::draw) does.
    #[inline(always)]
    fn draw(&mut self, color: Color, rng: &mut Rng) -> Site {
        let n = usize::from(self.n_empties);
        let mut at = if n == 0 { 0 } else { rng.below(n as u32) as usize };
        for _ in 0..n {
            let s = Site(self.empties[at & (N - 1)]);
            if self.is_playable(s, color) {
                return s;
            }
            at = if at == 0 { n - 1 } else { at - 1 };
        }
        Site::PASS
    }

    /// Plays a move that is known to be legal.
    #[inline(always)]
    fn play(&mut self, s: Site, color: Color) {
        let i = Self::ix(s);
        let before = self.sites[i];
        debug_assert!(before.cell() == Cell::Empty);
        self.ko = Site::PASS;
        self.n_black += u16::from(color == Color::Black);
        self.n_empties -= 1;
        let last = self.empties[usize::from(self.n_empties) & (N - 1)];
        self.empties[usize::from(before.link) & (N - 1)] = last;
        self.sites[Self::ix(Site(last))].link = before.link;

        // No branches on what lies about: see `Board::play`.
        let change = counted(color.into()).wrapping_sub(counted(Cell::Empty));
        let mut friends = [0; 4];
        let mut any_dead = false;
        for (friend, step) in friends.iter_mut().zip(Self::ORTHO) {
            let near = self.near(i, step);
            near.code = near.code.wrapping_add(change);
            let (name, cell) = (near.chain, near.cell());
            *friend = name & u16::from(cell == color).wrapping_neg();
            let chain = self.chain(name);
            chain.open = chain.open.wrapping_sub(1);
            any_dead |= chain.open == 0;
        }
        self.sites[i].code += shifted(color.into());

        let name = self.join(s, friends, before.empties());
        if any_dead {
            self.take_dead(s, name, color);
        }
    }

    /// Makes the stone on `s` part of its friends' chain; see `Board::join`.
    #[inline(always)]
    fn join(&mut self, s: Site, friends: [u16; 4], open: u16) -> u16 {
        let i = Self::ix(s);
        let main = friends[0].max(friends[1]).max(friends[2].max(friends[3]));
        if main == 0 {
            self.sites[i].chain = s.0;
            self.sites[i].link = s.0;
            self.chains[i] = Chain { open, stones: 1 };
            return s.0;
        }
        let m = usize::from(main) & (N - 1);
        self.sites[i].chain = main;
        self.sites[i].link = self.sites[m].link;
        self.sites[m].link = s.0;
        let chain = self.chain(main);
        chain.open = chain.open.wrapping_add(open);
        chain.stones += 1;
        // Of up to three other chains there is seldom more than one.
        let but = |a: u16, b: u16, c: u16| {
            let other = friends.map(|f| if f == a || f == b || f == c { 0 } else { f });
            other[0].max(other[1]).max(other[2].max(other[3]))
        };
        let other = but(main, main, main);
        if other == 0 {
            return main;
        }
        let mut name = self.merge(main, other);
        let third = but(main, other, other);
        if third != 0 {
            name = self.merge(name, third);
            let fourth = but(main, other, third);
            if fourth != 0 {
                name = self.merge(name, fourth);
            }
        }
        name
    }

    #[inline(never)]
    fn merge(&mut self, one: u16, two: u16) -> u16 {
        let (into, from) = match self.chain(two).stones > self.chain(one).stones {
            true => (two, one),
            false => (one, two),
        };
        let Chain { open, stones } = *self.chain(from);
        let chain = self.chain(into);
        chain.open = chain.open.wrapping_add(open);
        chain.stones += stones;
        let (m, h) = (usize::from(into) & (N - 1), usize::from(from) & (N - 1));
        let mut t = h;
        loop {
            self.sites[t].chain = into;
            t = usize::from(self.sites[t].link) & (N - 1);
            if t == h {
                break;
            }
        }
        let (a, b) = (self.sites[m].link, self.sites[h].link);
        (self.sites[m].link, self.sites[h].link) = (b, a);
        into
    }

    /// Takes off the opponent's chains about `s` that have no liberty left, and notes the ko.
    #[inline(never)]
    fn take_dead(&mut self, s: Site, name: u16, color: Color) {
        let i = Self::ix(s);
        let (mut captured, mut ko) = (0, 0);
        for step in Self::ORTHO {
            let near = *self.near(i, step);
            if near.cell() == color.other() && self.chain(near.chain).open == 0 {
                captured += self.chain(near.chain).stones;
                ko = near.chain;
                self.remove_chain(near.chain, color.other());
            }
        }
        let Chain { open, stones } = *self.chain(name);
        if captured == 1 && stones == 1 && open == 1 {
            self.ko = Site(ko);
        }
    }

    fn remove_chain(&mut self, name: u16, color: Color) {
        let change = counted(Cell::Empty).wrapping_sub(counted(color.into()));
        let mut t = name;
        loop {
            let i = usize::from(t) & (N - 1);
            let next = self.sites[i].link;
            for step in Self::ORTHO {
                let near = self.near(i, step);
                near.code = near.code.wrapping_add(change);
                let captor = near.chain;
                let captor = self.chain(captor);
                captor.open = captor.open.wrapping_add(1);
            }
            self.n_black -= u16::from(color == Color::Black);
            self.empties[usize::from(self.n_empties) & (N - 1)] = t;
            let state = &mut self.sites[i];
            state.code -= shifted(color.into());
            state.chain = 0;
            state.link = self.n_empties;
            self.n_empties += 1;
            t = next;
            if t == name {
                break;
            }
        }
    }

    /// Whose a site is at the end: as [`owner`](super::owner) tells.
    #[inline(always)]
    pub fn owner(&self, s: Site) -> Option<Color> {
        let state = self.sites[Self::ix(s)];
        match state.cell() {
            Cell::Empty if state.mine(Color::Black) == 4 => Some(Color::Black),
            Cell::Empty if state.mine(Color::White) == 4 => Some(Color::White),
            cell => cell.color(),
        }
    }

    /// Black's area minus White's at the end: as [`terminal_score`](super::terminal_score).
    fn score(&self) -> i32 {
        let black = i32::from(self.n_black);
        let mut score = 2 * black - i32::from(self.area) + i32::from(self.n_empties);
        for &s in &self.empties[..usize::from(self.n_empties).min(N)] {
            let state = self.sites[Self::ix(Site(s))];
            score += i32::from(state.mine(Color::Black) == 4);
            score -= i32::from(state.mine(Color::White) == 4);
        }
        score
    }

    /// Plays to the end, `to_move` first, and returns Black's area minus White's. `record` is told
    /// every move.
    ///
    /// ```
    /// use go_engine::{board::Board9, playout::light::LightBoard, rng::Rng, Color};
    /// let mut board = LightBoard::new(&Board9::new(9, 9).unwrap());
    /// let score = board.play_out(Color::Black, &mut Rng::new(1), |_| ());
    /// assert!((-81..=81).contains(&score));
    /// ```
    pub fn play_out(&mut self, to_move: Color, rng: &mut Rng, mut record: impl FnMut(Site)) -> i32 {
        let mut color = to_move;
        let mut passes = 0;
        // Superko is not watched: a rare long cycle is cut off.
        for _ in 0..3 * u32::from(self.area) {
            // Spelled out for each colour: the compiler then knows it, which is worth a few percent.
            let s = match color {
                Color::Black => self.draw_and_play(Color::Black, rng),
                Color::White => self.draw_and_play(Color::White, rng),
            };
            record(s);
            passes = if s.is_pass() { passes + 1 } else { 0 };
            if passes == 2 {
                break;
            }
            color = color.other();
        }
        self.score()
    }

    #[inline(always)]
    fn draw_and_play(&mut self, color: Color, rng: &mut Rng) -> Site {
        let s = self.draw(color, rng);
        if s.is_pass() {
            self.ko = Site::PASS;
        } else {
            self.play(s, color);
        }
        s
    }
}

/// Plays so many games to the end, each from the same position; `visit` is told Black's area minus White's.
pub fn play_outs(
    start: &AnyBoard,
    to_move: Color,
    rng: &mut Rng,
    times: u64,
    visit: &mut dyn FnMut(i32),
) {
    with_board!(start, start => {
        let start = LightBoard::new(start);
        let mut board = start.clone();
        for _ in 0..times {
            board.clone_from(&start);
            visit(board.play_out(to_move, rng, |_| ()));
        }
    });
}
