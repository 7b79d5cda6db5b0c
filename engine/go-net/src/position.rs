//! A game as a network sees it: the board and what its rules, history and score make of it.

use crate::rules::{Bonus, Ko, NetworkRules, Scoring};
use game_core::{Fnv1a, mix64};
use go_engine::board::{Board, Site, SiteSet, WHITE_TO_MOVE};
use go_engine::game::{AnyBoard, Game, Played};
use go_engine::{Color, Move};
use std::collections::VecDeque;
use std::sync::Arc;

/// Moves that are shown to a network.
pub const SHOWN_MOVES: usize = 5;
/// Boards that are shown: the present one, and those before the last move and the one before.
pub(crate) const BOARDS: usize = 3;

/// A game at some moment, on a board of one layout, with everything that the input features ask for. It is cheap to clone
/// and to play on: a search takes one down the tree.
///
/// It has the main phase only: play goes on in it after two passes, as in KataGo's GTP.
#[derive(Clone)]
pub struct Position<const N: usize, const W: usize> {
    pub(crate) rules: NetworkRules,
    /// Points for White, without what handicap and rules add.
    pub(crate) komi: f64,
    /// The present board, then those before the last moves; the present one again where there were none.
    pub(crate) boards: [Arc<Board<N, W>>; BOARDS],
    pub(crate) to_play: Color,
    /// The last moves, the latest first.
    pub(crate) recent: VecDeque<(Color, Site)>,
    /// Moves that may be shown: those since the history began, one at most from before an end.
    pub(crate) valid_moves: usize,
    pub(crate) passes: u32,
    /// Whether the last move ended the game; play may go on.
    pub(crate) ended: bool,
    /// Whether the first pass still takes half a point.
    pub(crate) button: bool,
    /// What White gets beside komi and handicap.
    pub(crate) white_bonus: f64,
    handicap: Handicap,
    /// Keys of the positions that superko forbids, or that count for repetition, the present one too.
    occurred: Vec<u64>,
    /// Keys of the positions in which somebody passed.
    passed_in: Vec<u64>,
    /// Points where there ever was a stone since the history began.
    ever_occupied: SiteSet<W>,
}

/// What counts as handicap stones.
#[derive(Clone, Copy, Debug)]
struct Handicap {
    stones: u32,
    /// Black's moves before White's first, unless White passed twice in a row.
    moves: u32,
    /// Whether that is over.
    white_has_moved: bool,
    white_passed: bool,
}

impl<const N: usize, const W: usize> Position<N, W> {
    /// An empty board, or a position that was set up: nothing was played as yet. `captured` are the stones of each colour
    /// that were captured before, if that is known.
    pub fn new(
        board: Board<N, W>,
        to_play: Color,
        rules: NetworkRules,
        komi: f64,
        captured: [u32; 2],
    ) -> Self {
        let [black, white] = Color::BOTH.map(|color| board.stones_on_board(color));
        let put = |stones: u32, color: Color| f64::from(stones + captured[color.index()]);
        let board = Arc::new(board);
        let mut position = Position {
            rules,
            komi,
            boards: std::array::from_fn(|_| board.clone()),
            to_play,
            recent: VecDeque::with_capacity(SHOWN_MOVES + 1),
            valid_moves: 0,
            passes: 0,
            ended: false,
            button: rules.button,
            white_bonus: 0.0,
            handicap: Handicap {
                stones: if white == 0 { black } else { 0 },
                moves: 0,
                white_has_moved: white != 0,
                white_passed: false,
            },
            occurred: Vec::new(),
            passed_in: Vec::new(),
            ever_occupied: SiteSet::EMPTY,
        };
        if rules.scoring == Scoring::Territory {
            position.white_bonus = put(black, Color::Black) - put(white, Color::White);
        }
        position.forget_history();
        position
    }

    /// The present board.
    pub fn board(&self) -> &Board<N, W> {
        &self.boards[0]
    }

    /// Who is to play.
    pub fn to_play(&self) -> Color {
        self.to_play
    }

    /// The rules.
    pub fn rules(&self) -> &NetworkRules {
        &self.rules
    }

    /// The last move, if it is remembered.
    pub fn last(&self) -> Option<(Color, Site)> {
        self.recent.front().copied()
    }

    /// The last move and the one before; [`Site::PASS`] where none is remembered.
    pub fn last_sites(&self) -> [Site; 2] {
        [0, 1].map(|age| self.recent.get(age).map_or(Site::PASS, |&(_, site)| site))
    }

    /// Says who is to play. A player who moves twice makes the network forget what was played before.
    pub fn set_to_play(&mut self, color: Color) {
        if color != self.to_play {
            self.to_play = color;
            self.forget_history();
        }
    }

    /// Makes the present position the start of the game's history.
    fn forget_history(&mut self) {
        self.recent.clear();
        self.valid_moves = 0;
        self.passes = 0;
        self.ended = false;
        self.passed_in.clear();
        self.occurred.clear();
        self.occurred.push(self.key_for(self.board().key(), self.to_play));
        let board = self.boards[0].clone();
        self.ever_occupied = SiteSet::EMPTY;
        for site in board.sites().filter(|&site| !board.is_empty(site)) {
            self.ever_occupied.insert(Board::<N, W>::bit(site));
        }
        self.boards = std::array::from_fn(|_| board.clone());
    }

    /// The key by which repetition is told, of stones and who is to move.
    fn key_for(&self, stones: u64, to_play: Color) -> u64 {
        match self.rules.ko {
            Ko::Positional => stones,
            Ko::Situational | Ko::Simple if to_play == Color::White => stones ^ WHITE_TO_MOVE,
            Ko::Situational | Ko::Simple => stones,
        }
    }

    /// Makes a move, which is not checked: an empty site, or [`Site::PASS`].
    pub fn play(&mut self, color: Color, site: Site) {
        self.set_to_play(color);
        self.count_handicap(color, site);
        let before = self.key_for(self.board().key(), color);
        self.ended = false;
        let mut board = Board::clone(&self.boards[0]);
        let mut repeated = false;
        if site.is_pass() {
            board.pass();
            repeated = self.pass(color, before);
        } else {
            board.play(site, color);
            self.passes = 0;
            self.ever_occupied.insert(Board::<N, W>::bit(site));
            if self.rules.scoring == Scoring::Territory {
                self.white_bonus += if color == Color::Black { 1.0 } else { -1.0 };
            }
        }
        self.occurred.push(self.key_for(board.key(), color.other()));
        self.boards.rotate_right(1);
        self.boards[0] = Arc::new(board);
        self.recent.push_front((color, site));
        self.recent.truncate(SHOWN_MOVES);
        self.valid_moves += 1;
        self.to_play = color.other();
        if self.passes >= 2 || repeated {
            self.ended = true;
            self.valid_moves = self.valid_moves.min(1);
        }
        // A position that comes up for the third time under a rule that forbids none ends the game without a result.
        if self.rules.ko == Ko::Simple && !site.is_pass() {
            let last = self.occurred.last();
            self.ended |= self.occurred.iter().filter(|&key| Some(key) == last).count() >= 3;
        }
    }

    /// Passes, and tells whether the same player has passed here before.
    fn pass(&mut self, color: Color, before: u64) -> bool {
        if self.button {
            self.button = false;
            self.white_bonus += if color == Color::White { 0.5 } else { -0.5 };
            self.passes = 0;
            self.passed_in.clear();
            self.occurred.clear();
            return false;
        }
        let repeated = self.repeats_pass();
        self.passes += 1;
        self.passed_in.push(before);
        if self.rules.ko == Ko::Simple {
            self.occurred.clear();
        }
        repeated
    }

    /// Whether the player to move has passed with the same stones on the board before, where that ends the game.
    pub(crate) fn repeats_pass(&self) -> bool {
        self.rules.ko == Ko::Simple
            && self.passed_in.contains(&self.key_for(self.board().key(), self.to_play))
    }

    /// Whether a pass of the player to move would end the game.
    pub(crate) fn pass_ends(&self) -> bool {
        !self.button && (self.passes >= 1 || self.repeats_pass())
    }

    /// Whether two passes in a row were the last moves.
    pub(crate) fn both_passed(&self) -> bool {
        self.passes >= 2
    }

    /// Whether the position was there before, under a rule that allows that.
    pub(crate) fn is_repeated(&self) -> bool {
        self.rules.ko == Ko::Simple
            && !self.last().is_some_and(|(_, site)| site.is_pass())
            && self.occurred.split_last().is_some_and(|(last, before)| before.contains(last))
    }

    fn lift_ko(&mut self) {
        Arc::make_mut(&mut self.boards[0]).lift_ko();
    }

    /// What a network's answer is remembered by: the stones, who is to move, where ko and superko forbid to, passes and what
    /// White gets. The moves that led there are left out, so that positions that came about in another order are known too.
    pub(crate) fn key(&self) -> u64 {
        let mut hash = Fnv1a::new();
        hash.step(self.board().key());
        hash.step(u64::from(self.board().ko().0) << 8 | u64::from(self.to_play as u8));
        self.superko_banned().for_each(|site| hash.step(u64::from(site.0)));
        hash.step(u64::from(self.passes.min(2)) << 1 | u64::from(self.pass_ends()));
        hash.step(self.white_komi().to_bits());
        mix64(hash.get())
    }

    /// Counts the handicap as a game does, which knows what its first stones are.
    pub(crate) fn take_handicap(&mut self, game: &Game) {
        let known_start = game.start().stones.is_empty() || game.start().handicap > 0;
        let is_stone =
            |played: &Played| played.color == Color::Black && matches!(played.mv, Move::Play(_));
        let goes_on = known_start && game.moves().iter().all(is_stone);
        self.handicap = match goes_on {
            true => Handicap {
                stones: game.start().handicap,
                moves: game.moves().len() as u32,
                white_has_moved: false,
                white_passed: false,
            },
            false => Handicap {
                stones: game.handicap(),
                moves: 0,
                white_has_moved: true,
                white_passed: false,
            },
        };
    }

    /// Forbids, under superko, to bring back any position of a game, also one from before a player moved twice, which a network
    /// is not shown any more.
    fn take_repetition(&mut self, game: &Game) {
        let (keys, moves, start) = (game.keys(), game.moves(), game.start());
        if self.rules.ko == Ko::Simple || self.occurred.len() >= keys.len() {
            return;
        }
        // Who was to move in a position, and who moved although it was not their turn: as `Game::check` has it.
        let (mut turn, mut occurred) = (start.to_play, Vec::new());
        for (index, &key) in keys.iter().enumerate() {
            let moved = moves.get(index).map(|played| played.color);
            let turns = [Some(turn), moved].into_iter().flatten();
            occurred.extend(turns.map(|turn| self.key_for(key, turn)));
            turn = moved.map_or(turn, Color::other);
        }
        occurred.append(&mut self.occurred);
        self.occurred = occurred;
        let played = moves.iter().filter_map(|played| match played.mv {
            Move::Play(point) => Some(point),
            Move::Pass => None,
        });
        for point in start.stones.iter().map(|&(point, _)| point).chain(played) {
            if let Some(site) = self.board().site(point) {
                self.ever_occupied.insert(Board::<N, W>::bit(site));
            }
        }
    }

    fn count_handicap(&mut self, color: Color, site: Site) {
        let handicap = &mut self.handicap;
        if handicap.white_has_moved {
            return;
        }
        match (color, site.is_pass()) {
            (Color::Black, false) => handicap.moves += 1,
            (Color::Black, true) => {}
            (Color::White, true) if handicap.white_passed => {
                handicap.moves = 0;
                handicap.white_has_moved = true;
            }
            (Color::White, true) => {}
            (Color::White, false) => handicap.white_has_moved = true,
        }
        handicap.white_passed = color == Color::White;
    }

    /// Points that White gets in all.
    pub(crate) fn white_komi(&self) -> f64 {
        let stones = match self.handicap.stones + self.handicap.moves {
            ..=1 => 0,
            stones => stones,
        };
        let bonus = match self.rules.bonus {
            Bonus::None => 0,
            Bonus::StonesLessOne => stones.saturating_sub(1),
            Bonus::Stones => stones,
        };
        self.komi + self.white_bonus + f64::from(bonus)
    }

    /// Whether the player to move may play on a site by the rules in force, superko too.
    pub fn is_legal(&self, site: Site) -> bool {
        site.is_pass()
            || self.board().is_empty(site)
                && site != self.board().ko()
                && !self.is_forbidden_suicide(site)
                && !self.is_superko(site)
    }

    fn is_forbidden_suicide(&self, site: Site) -> bool {
        let board = self.board();
        board.is_suicide(site, self.to_play)
            && (!self.rules.suicide
                || Board::<N, W>::ORTHO
                    .into_iter()
                    .all(|step| board.color(site.offset(step)) != Some(self.to_play)))
    }

    /// Whether a move, legal otherwise, would bring back a position.
    fn is_superko(&self, site: Site) -> bool {
        if self.rules.ko == Ko::Simple {
            return false;
        }
        // Where there never was a stone, a stone makes a new position, unless it comes off again.
        if !self.ever_occupied.contains(Board::<N, W>::bit(site))
            && !self.board().is_suicide(site, self.to_play)
        {
            return false;
        }
        let after = self.board().key_after(site, self.to_play);
        self.occurred.contains(&self.key_for(after, self.to_play.other()))
    }

    /// Empty sites where only ko forbids the player to move to play.
    pub(crate) fn ko_banned(&self) -> impl Iterator<Item = Site> + '_ {
        let ko = self.board().ko();
        (!ko.is_pass()).then_some(ko).into_iter().chain(self.superko_banned())
    }

    /// Those of them that only superko forbids.
    fn superko_banned(&self) -> impl Iterator<Item = Site> + '_ {
        // Under a rule that forbids no repetition there is nothing to look at.
        let board = (self.rules.ko != Ko::Simple).then(|| self.board());
        let empties = board.into_iter().flat_map(Board::empties);
        empties.filter(|&site| {
            site != self.board().ko() && self.is_superko(site) && !self.is_forbidden_suicide(site)
        })
    }
}

/// Makes the position of a game, on the layout of its board.
pub trait FromGame: Sized {
    /// The position at the end of the game so far, where this colour is to play, whoever's turn it is; none when the board has
    /// another layout. What is legal in it is what the game says.
    fn from_game(game: &Game, to_play: Color, rules: NetworkRules) -> Option<Self>;
}

macro_rules! from_game {
    ($($layout:ident: $n:literal, $w:literal;)+) => { $(
        impl FromGame for Position<$n, $w> {
            fn from_game(game: &Game, to_play: Color, rules: NetworkRules) -> Option<Self> {
                let AnyBoard::$layout(now) = game.board() else { return None };
                let mut board = Board::<$n, $w>::new(now.width(), now.height())?;
                let start = game.start();
                for &(point, color) in &start.stones {
                    board.play(board.site(point)?, color);
                }
                board.lift_ko();
                let mut position =
                    Position::new(board, start.to_play, rules, game.komi(), start.captured);
                for played in game.moves() {
                    let site = match played.mv {
                        Move::Play(point) => position.board().site(point)?,
                        Move::Pass => Site::PASS,
                    };
                    position.play(played.color, site);
                }
                position.take_handicap(game);
                if game.last().is_some_and(|last| last.color == to_play) {
                    position.lift_ko(); // Who moves twice in a row may fill it.
                }
                position.set_to_play(to_play);
                position.take_repetition(game);
                Some(position)
            }
        }
    )+ };
}

from_game! {
    Up9: 128, 2;
    Up13: 256, 3;
    Up19: 512, 6;
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_engine::{Point, Rules};

    type Small = Position<128, 2>;

    fn site(name: &str) -> Site {
        let point: Point = name.parse().unwrap();
        Board::<128, 2>::new(9, 9).unwrap().site(point).unwrap()
    }

    /// A ko about B2 and C2, which one side has.
    fn ko_fight(in_the_ko: (&str, Color), to_play: Color, ko: Ko) -> Small {
        let mut board = Board::new(9, 9).unwrap();
        for (names, color) in [("A2 B1 B3", Color::Black), ("C1 C3 D2", Color::White)] {
            for name in names.split(' ') {
                board.play(site(name), color);
            }
        }
        board.play(site(in_the_ko.0), in_the_ko.1);
        board.lift_ko();
        Position::new(board, to_play, NetworkRules { ko, ..Rules::CHINESE.into() }, 7.0, [0; 2])
    }

    #[test]
    fn a_point_that_superko_forbids_makes_another_position() {
        for ko in [Ko::Simple, Ko::Positional, Ko::Situational] {
            // White's stone was taken, then both passed.
            let mut taken = ko_fight(("B2", Color::White), Color::Black, ko);
            taken.play(Color::Black, site("C2"));
            // Black's stone was there from the start.
            let mut there = ko_fight(("C2", Color::Black), Color::White, ko);
            for position in [&mut taken, &mut there] {
                position.play(Color::White, Site::PASS);
                position.play(Color::Black, Site::PASS);
            }
            assert_eq!(taken.board().key(), there.board().key());
            assert!(there.is_legal(site("B2")));
            let is_forbidden = ko != Ko::Simple;
            assert_eq!(taken.is_legal(site("B2")), !is_forbidden, "{ko:?}");
            assert_eq!(taken.key() != there.key(), is_forbidden, "{ko:?}");
        }
    }

    #[test]
    fn who_moves_out_of_turn_may_play_what_the_game_allows() {
        for rules in [Rules::TROMP_TAYLOR, Rules::AGA] {
            let mut game = Game::new(9, 9).unwrap();
            game.set_rules(rules);
            let stones = [("A2 B1 B3", Color::Black), ("B2 C1 C3 D2", Color::White)];
            let stones = stones.into_iter().flat_map(|(names, color)| {
                names.split(' ').map(move |name| (name.parse().unwrap(), Some(color)))
            });
            game.set_up(stones).unwrap();
            game.play(Color::Black, Move::Play("C2".parse().unwrap())).unwrap();
            game.play(Color::White, Move::Pass).unwrap();
            let mut position = Small::from_game(&game, Color::Black, rules.into()).unwrap();
            position.set_to_play(Color::White);
            assert!(position.is_legal(site("B2")), "what was before is forgotten");
            let position = Small::from_game(&game, Color::White, rules.into()).unwrap();
            for point in game.board().points() {
                let is_legal = game.check(Color::White, Move::Play(point)).is_ok();
                let site = position.board().site(point).unwrap();
                assert_eq!(position.is_legal(site), is_legal, "{rules}: {point}");
            }
            assert!(!position.is_legal(site("B2")), "{rules}");
        }
    }
}
