//! Writing the features of a position.

use super::area::{Stones, areas};
use super::{Features, Plane, WORDS};
use crate::file::{GLOBALS, PLANES};
use crate::ladder::{LadderReader, Ladders};
use crate::position::{Position, SHOWN_MOVES};
use crate::rules::{Ko, Scoring, Tax};
use go_engine::Color;
use go_engine::board::{Board, SiteSet};
use nn::BoardSize;

/// Boards whose ladders are remembered, a power of two. The boards before the last two moves were most often read when
/// they were the present one.
const REMEMBERED: usize = 1024;

/// Writes features; owns what it works with, and remembers ladders of boards that it has read.
pub struct FeatureWriter<const N: usize, const W: usize> {
    reader: LadderReader<N, W>,
    /// By the key of stones and ko.
    ladders: Vec<Option<(u64, Ladders<W>)>>,
    /// See [`NetworkFile::strict_pass_alive`](crate::NetworkFile::strict_pass_alive).
    strict_pass_alive: bool,
}

impl<const N: usize, const W: usize> FeatureWriter<N, W> {
    /// A writer for networks with or without
    /// [`strict_pass_alive`](crate::NetworkFile::strict_pass_alive).
    pub fn new(strict_pass_alive: bool) -> Self {
        let ladders = vec![None; REMEMBERED];
        FeatureWriter { reader: LadderReader::default(), ladders, strict_pass_alive }
    }

    /// The features of a position.
    ///
    /// # Panics
    /// When the board has a side above 19.
    pub fn write(&mut self, position: &Position<N, W>) -> Features {
        self.features(position, false)
    }

    /// The same for playing: where a pass would end the game under area scoring and the player has not won by what the
    /// planes show, the network is not told that it would. Else it might take a pass that loses for one that ends a
    /// won game, for it learned from players who agree about the dead (KataGo's "passing hacks").
    ///
    /// # Panics
    /// When the board has a side above 19.
    pub fn write_for_play(&mut self, position: &Position<N, W>) -> Features {
        self.features(position, true)
    }

    fn features(&mut self, position: &Position<N, W>, for_play: bool) -> Features {
        let board = position.board();
        let size =
            BoardSize { width: usize::from(board.width()), height: usize::from(board.height()) };
        assert!(size.width.max(size.height) <= super::MAX_SIDE, "networks know boards up to 19x19");
        let mut features = Features { size, planes: [[0; WORDS]; PLANES], globals: [0.0; GLOBALS] };
        let (planes, globals) = (&mut features.planes, &mut features.globals);
        let pack = |set: &SiteSet<W>| pack::<N, W>(size, set);
        let (mine, theirs) = (position.to_play.index(), position.to_play.other().index());

        let stones = Stones::of(board);
        planes[0] = pack(&stones.on_board);
        planes[1] = pack(&stones.by_color[mine]);
        planes[2] = pack(&stones.by_color[theirs]);
        for (plane, set) in planes[3..6].iter_mut().zip(by_liberties(board)) {
            *plane = pack(&set);
        }
        let mut banned = SiteSet::EMPTY;
        for site in position.ko_banned() {
            banned.insert(Board::<N, W>::bit(site));
        }
        planes[6] = pack(&banned);

        let mut hidden = hides_history(position);
        if position.rules.scoring == Scoring::Area {
            let strict = self.strict_pass_alive || position.rules.suicide;
            let map = areas(board, &stones, position.rules.tax, strict);
            planes[18] = pack(&map[mine]);
            planes[19] = pack(&map[theirs]);
            let lead =
                f64::from(map[mine].len()) - f64::from(map[theirs].len()) + own_komi(position);
            hidden |= for_play && position.pass_ends() && lead <= 0.0;
        }
        let shown = if hidden { 0 } else { shown_moves(position) };
        for (age, &(_, site)) in position.recent.iter().take(shown).enumerate() {
            if site.is_pass() {
                globals[age] = 1.0;
            } else {
                let mut place = SiteSet::EMPTY;
                place.insert(Board::<N, W>::bit(site));
                planes[9 + age] = pack(&place);
            }
        }
        let now = self.ladders(board);
        planes[14] = pack(&now.caught);
        planes[17] = pack(&now.working_moves[theirs]);
        planes[15] = planes[14];
        if shown >= 1 {
            planes[15] = pack(&self.ladders(&position.boards[1]).caught);
        }
        planes[16] = planes[15];
        if shown >= 2 {
            planes[16] = pack(&self.ladders(&position.boards[2]).caught);
        }
        write_globals(position, hidden, globals);
        features
    }

    /// The ladders of a board, from memory where it was read before.
    fn ladders(&mut self, board: &Board<N, W>) -> Ladders<W> {
        let ko = u64::from(board.ko().0).wrapping_mul(game_core::GOLDEN_GAMMA);
        let key = board.key() ^ ko;
        let place = (key >> 32) as usize % REMEMBERED;
        match &self.ladders[place] {
            Some((known, ladders)) if *known == key => *ladders,
            _ => {
                let ladders = self.reader.read(board);
                self.ladders[place] = Some((key, ladders));
                ladders
            }
        }
    }

    /// Forgets the ladders that were read: needed before the same writer is used for a board of another size.
    pub fn forget(&mut self) {
        self.ladders.fill(None);
    }
}

/// A set of sites as a plane.
fn pack<const N: usize, const W: usize>(size: BoardSize, set: &SiteSet<W>) -> Plane {
    let mut plane = [0; WORDS];
    let words = set.words();
    let mask = (1u64 << size.width) - 1;
    for row in 0..size.height {
        let from = row * Board::<N, W>::STRIDE;
        let mut bits = words[from / 64] >> (from % 64);
        if from % 64 + size.width > 64 {
            bits |= words[from / 64 + 1] << (64 - from % 64);
        }
        bits &= mask;
        let to = (size.height - 1 - row) * size.width;
        plane[to / 64] |= bits << (to % 64);
        if to % 64 + size.width > 64 {
            plane[to / 64 + 1] |= bits >> (64 - to % 64);
        }
    }
    plane
}

/// Stones of chains of one, two and three liberties.
fn by_liberties<const N: usize, const W: usize>(board: &Board<N, W>) -> [SiteSet<W>; 3] {
    let mut sets = [SiteSet::EMPTY; 3];
    for site in board.sites() {
        if !board.is_empty(site)
            && let Some(set) = sets.get_mut((board.liberties(site) as usize).wrapping_sub(1))
        {
            set.insert(Board::<N, W>::bit(site));
        }
    }
    sets
}

/// Whether a pass would end the game that a friendly opponent's pass began to end, or both have passed and may yet play on:
/// then the network is not told of it.
fn hides_history<const N: usize, const W: usize>(position: &Position<N, W>) -> bool {
    position.rules.friendly_pass_ok
        && position.rules.scoring == Scoring::Area
        && position.passes >= 1
        && !position.repeats_pass()
}

/// How many of the last moves are shown: as long as the players took turns, and no more than one from before an end.
fn shown_moves<const N: usize, const W: usize>(position: &Position<N, W>) -> usize {
    let max = if position.ended { 1 } else { SHOWN_MOVES };
    let max = max.min(position.valid_moves);
    let mut color = position.to_play.other();
    let taking_turns = position.recent.iter().take_while(|&&(by, _)| {
        let goes_on = by == color;
        color = color.other();
        goes_on
    });
    taking_turns.take(max).count()
}

/// Points that the player to move gets, as far as networks are told of them.
fn own_komi<const N: usize, const W: usize>(position: &Position<N, W>) -> f64 {
    let limit = position.board().area() as f64 + 20.0;
    let white_komi = position.white_komi().clamp(-limit, limit);
    if position.to_play == Color::White { white_komi } else { -white_komi }
}

fn write_globals<const N: usize, const W: usize>(
    position: &Position<N, W>,
    hidden: bool,
    globals: &mut [f32; GLOBALS],
) {
    let rules = &position.rules;
    let area = position.board().area();
    let komi = own_komi(position) as f32;
    globals[5] = komi / 20.0;
    (globals[6], globals[7]) = match rules.ko {
        Ko::Simple => (0.0, 0.0),
        Ko::Positional => (1.0, 0.5),
        Ko::Situational => (1.0, -0.5),
    };
    globals[8] = f32::from(rules.suicide);
    globals[9] = f32::from(rules.scoring == Scoring::Territory);
    (globals[10], globals[11]) = match rules.tax {
        Tax::None => (0.0, 0.0),
        Tax::Seki => (1.0, 0.0),
        Tax::All => (1.0, 1.0),
    };
    globals[14] = f32::from(!hidden && position.pass_ends());
    globals[17] = f32::from(position.button);
    if rules.scoring == Scoring::Area {
        globals[18] = parity_wave(komi, area);
    }
}

/// A wave over the komi of period two, whose rising part lies about the komi at which a game can be drawn.
fn parity_wave(komi: f32, area: usize) -> f32 {
    let odd = (area % 2) as f32;
    let drawable = ((komi - odd) / 2.0).floor() * 2.0 + odd;
    let above = (komi - drawable).clamp(0.0, 2.0);
    if above < 0.5 {
        above
    } else if above < 1.5 {
        1.0 - above
    } else {
        above - 2.0
    }
}
