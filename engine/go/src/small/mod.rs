//! An exact solver for boards of up to 5x5 points, where playouts see too little.
//!
//! Alpha-beta on bits, deeper and deeper, that asks one question: whether the side to move gets at least so many points
//! (van der Werf, van den Herik, Uiterwijk 2003, "Solving Go on small boards"). What is alive unconditionally ends the
//! search early; what was found of a position is kept in a table.
//!
//! Positions that must not come back are those of the game and of the line that is looked at.

mod board;
mod search;
mod table;

pub use board::MAX_SIDE;

use crate::game::Played;
use crate::rules::Scoring;
use crate::{Color, Game, Move, Rules};
use board::{Position, Shape};
use search::Search;
use table::Table;

/// What was found of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solution {
    /// The best move that is known.
    pub mv: Move,
    /// Points that the mover gets at least: area less the other side's, komi not counted. None when nothing is known.
    pub at_least: Option<i32>,
    /// Points that the mover gets at most.
    pub at_most: Option<i32>,
}

/// Whether a game's position can be solved in principle: a small board, whose area is counted.
pub fn is_small(game: &Game) -> bool {
    let board = game.board();
    Shape::new(board.width(), board.height()).is_some() && game.rules().scoring == Scoring::Area
}

/// Solves positions. What is proven for one move is kept for the mover's next one.
pub struct Solver {
    table: Table,
    /// The moves that the game had when the table was begun.
    since: usize,
    last: Option<Proof>,
}

/// The game whose last position was proven, and how.
struct Proof {
    keys: Vec<u64>,
    rules: Rules,
    size: (u8, u8),
    color: Color,
    solution: Solution,
}

impl Proof {
    /// Whether a game is this one after the proof's move and an answer. What was proven then rests on nothing that has
    /// come about since: each move of a proof leads to what was proven before.
    fn leads_to(&self, game: &Game, color: Color) -> bool {
        let (keys, n) = (game.keys(), self.keys.len());
        let moves = game.moves();
        let own = Played { color: self.color, mv: self.solution.mv };
        (self.color, self.rules, self.size) == (color, *game.rules(), size(game))
            && keys.len() == n + 2
            && keys.starts_with(&self.keys)
            && moves.len().checked_sub(2).is_some_and(|at| moves[at] == own)
    }
}

fn size(game: &Game) -> (u8, u8) {
    (game.board().width(), game.board().height())
}

impl Default for Solver {
    /// One whose memory only the number of positions bounds: 100 MB at most.
    fn default() -> Solver {
        Solver::with_bytes(usize::MAX)
    }
}

impl Solver {
    /// One that keeps what it finds in at most so many bytes.
    pub fn with_bytes(max_bytes: usize) -> Solver {
        Solver { table: Table::new(max_bytes), since: 0, last: None }
    }

    /// The bytes that what it finds takes at most.
    pub fn max_bytes(&self) -> usize {
        self.table.max_bytes()
    }

    /// Looks for the best move of `color`, until so many positions were looked at or `stop` says so. First whether the
    /// game is won, or else drawn, then by how much. None when not even the first question was answered.
    ///
    /// Where players agree about the dead, a second pass proves only what the opponent could not change by moving on.
    ///
    /// ```
    /// use go_engine::{Color, Game, small::Solver};
    /// let mut game = Game::new(3, 3).unwrap();
    /// game.set_komi(7.5);
    /// let found = Solver::default().solve(&game, Color::Black, 1_000_000, &|| false).unwrap();
    /// assert_eq!((found.mv.to_string().as_str(), found.at_least), ("B2", Some(9)));
    /// ```
    pub fn solve(
        &mut self,
        game: &Game,
        color: Color,
        max_nodes: u64,
        stop: &dyn Fn() -> bool,
    ) -> Option<Solution> {
        let shape = Shape::new(game.board().width(), game.board().height());
        let shape = shape.filter(|_| is_small(game))?;
        let compensation = game.compensation();
        let komi = if color == Color::Black { compensation } else { -compensation };
        // The minimum margin that wins.
        let win = (komi.floor() as i32).saturating_add(1).clamp(1 - shape.area, shape.area);
        let root = root(game, color);
        let last = self.last.take().filter(|last| last.leads_to(game, color));
        let known = match last.and_then(|last| last.solution.at_least) {
            Some(points) if points >= win => {
                let mut search = Search::new(shape, game, color, &mut self.table, max_nodes, stop);
                search.known_move((game, color, self.since), root, points).map(|mv| Solution {
                    mv,
                    at_least: Some(points),
                    at_most: None,
                })
            }
            _ => None,
        };
        let found = known.or_else(|| {
            let mut search = Search::new(shape, game, color, &mut self.table, max_nodes, stop);
            search.forget();
            self.since = game.moves().len();
            let draw = (komi.fract() == 0.0).then_some(win - 1);
            look(search, root, (win, draw), max_nodes)
        });
        self.last = found.filter(|found| found.at_least.is_some()).map(|solution| Proof {
            keys: game.keys().to_vec(),
            rules: *game.rules(),
            size: size(game),
            color,
            solution,
        });
        found
    }

    /// Gives back what it keeps.
    pub fn clear(&mut self) {
        self.table.free();
        self.last = None;
    }
}

/// A game's position as the solver sees it.
fn root(game: &Game, color: Color) -> Position {
    let mut root = Position::of(game.board(), color);
    if game.last().is_some_and(|last| last.color == color) {
        root.ko = 0;
    }
    root.passed = !game.rules().friendly_pass_ok
        && game.last().is_some_and(|last| last.mv == Move::Pass && last.color != color);
    root
}

/// Whether at least `win` points are reached, then how many; where they are not, those of a draw or one first.
fn look(
    mut search: Search<'_>,
    root: Position,
    (win, draw): (i32, Option<i32>),
    max_nodes: u64,
) -> Option<Solution> {
    let area = search.area();
    let mut known = Solution { mv: Move::Pass, at_least: None, at_most: None };
    let (mut low, mut high) = (-area, area);
    let mut question = win;
    // Without a draw a loss by as little as there is.
    let next_best = draw.unwrap_or(1 - area);
    // A win that is not found leaves the other half for a draw.
    let mut limit = if draw.is_some() { max_nodes / 2 } else { max_nodes };
    while low < high {
        match search.reaches(root, question, limit) {
            Some((true, mv)) => {
                low = question;
                (known.at_least, known.mv) = (Some(low), mv);
            }
            Some((false, _)) => {
                high = question - 1;
                known.at_most = Some(high);
            }
            None => match draw {
                Some(draw) if question == win => {
                    (question, limit) = (draw, max_nodes);
                    continue;
                }
                _ => break,
            },
        }
        // A draw, or by how much: all of it or not, then point by point from what is known; but no longer than the first took.
        let is_first = question == win;
        let asks_for_draw = is_first && low < win && draw.is_some();
        limit = if asks_for_draw { max_nodes } else { max_nodes.min(3 * search.nodes()) };
        question = match (low >= win, is_first) {
            (true, true) | (false, false) => high,
            (true, false) => low + 1,
            (false, true) => next_best.clamp(low + 1, high.max(low + 1)),
        };
    }
    if low == high {
        // Where everything loses all, any move is as good.
        (known.at_least, known.at_most) = (Some(low), Some(high));
    }
    (known.at_least.is_some() || known.at_most.is_some()).then_some(known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ko;

    /// What is found at a komi within so many positions, as Black's points: at least, at most, and the move.
    fn solved(
        (width, height): (u8, u8),
        first: &str,
        komi: f64,
        max_nodes: u64,
    ) -> (Option<i32>, Option<i32>, String) {
        let mut game = Game::new(width, height).unwrap();
        game.set_rules(Rules::TROMP_TAYLOR);
        game.set_komi(komi);
        for name in first.split_whitespace() {
            let mv = name.parse().map_or(Move::Pass, Move::Play);
            game.play(game.to_play(), mv).unwrap();
        }
        let color = game.to_play();
        let Some(found) = Solver::default().solve(&game, color, max_nodes, &|| false) else {
            return (None, None, String::new());
        };
        let mv = found.mv.to_string();
        match color {
            Color::Black => (found.at_least, found.at_most, mv),
            Color::White => (found.at_most.map(|n| -n), found.at_least.map(|n| -n), mv),
        }
    }

    /// Published values under area scoring: van der Werf, van den Herik, Uiterwijk 2003; for openings that are not the
    /// best, Drange 1998 ("Mini-Go"). On both sides of each value what is found has to answer who wins.
    #[test]
    fn published_values_of_small_boards() {
        for (size, first, value, max_nodes, moves) in [
            ((2, 2), "", 1, 30_000, ""),
            ((3, 2), "", 0, 100_000, ""),
            ((4, 2), "", 8, 30_000, "B1 B2 C1 C2"),
            ((5, 2), "", 10, 30_000, "B1 B2 C1 C2 D1 D2"),
            ((3, 3), "", 9, 30_000, "B2"),
            ((3, 3), "A1", -9, 30_000, ""),
            ((3, 3), "B1", 3, 30_000, ""),
            ((4, 3), "", 4, 1_000_000, "B2 C2"),
            ((5, 3), "", 15, 3_000_000, "B2 C2 D2"),
            ((4, 4), "B1", -16, 20_000_000, ""),
        ] {
            for komi in [value - 1, value].map(|points| f64::from(points) + 0.5) {
                let (at_least, at_most, mv) = solved(size, first, komi, max_nodes);
                let context =
                    format!("{size:?} {first:?} komi {komi}: {at_least:?} {at_most:?} {mv}");
                assert!(at_least.is_none_or(|points| points <= value), "{context}");
                assert!(at_most.is_none_or(|points| points >= value), "{context}");
                if f64::from(value) > komi {
                    assert_eq!(at_least, Some(value), "{context}");
                    let is_known = moves.is_empty() || !first.is_empty();
                    assert!(is_known || moves.split(' ').any(|name| name == mv), "{context}");
                } else {
                    assert_eq!(at_most, Some(value), "{context}");
                }
            }
        }
    }

    /// The even game on 4x4, whose value is 2, takes seconds: so Black's side of it alone.
    #[test]
    fn black_wins_four_by_four_by_two() {
        let (at_least, at_most, _) = solved((4, 4), "", 1.5, 12_000_000);
        assert_eq!(at_least, Some(2), "{at_most:?}");
    }

    /// What is found for both sides has to agree along a line that leads into ko.
    #[test]
    fn values_agree_from_move_to_move() {
        for line in ["C2", "C2 B2", "C2 B2 B1", "C2 B2 B1 B3"] {
            let (at_least, at_most, _) = solved((4, 3), line, 4.5, 1_000_000);
            assert!(at_most.is_none_or(|points| points >= 4), "{line}: {at_most:?}");
            assert!(at_least.is_none_or(|points| points <= 4), "{line}: {at_least:?}");
        }
    }

    /// Whoever plays the solver's moves against one who plays at random wins what is known to be won, and breaks no rule.
    #[test]
    fn a_win_is_made_by_every_move_of_the_game() {
        let mut wins = 0;
        for seed in 0..60 {
            let mut rng = crate::rng::Rng::new(seed);
            let mut below = |n: usize| rng.below(n as u32) as usize;
            let (width, height) = [(3, 2), (3, 3), (4, 2), (4, 3)][below(4)];
            let mut game = Game::new(width, height).unwrap();
            let ko = [Ko::Simple, Ko::Positional, Ko::Situational][below(3)];
            let suicide = below(2) == 0;
            game.set_rules(Rules { ko, suicide, ..Rules::TROMP_TAYLOR });
            game.set_komi(below(13) as f64 - 5.5);
            let (own, first, max_nodes) =
                (Color::BOTH[below(2)], below(12), [3_000, 120_000][below(2)]);
            // Also one that forgets most of what it finds.
            let max_bytes = if seed % 2 == 0 { usize::MAX } else { 3_000 };
            let mut solver = Solver::with_bytes(max_bytes);
            let mut is_won = false;
            while game.passes() < 2 && game.moves().len() < 100 {
                let color = game.to_play();
                let points: Vec<_> = game.legal_points(color).collect();
                let random = points.get(below(points.len() + 1));
                let mut mv = random.map_or(Move::Pass, |&point| Move::Play(point));
                if color == own
                    && game.moves().len() >= first
                    && let Some(found) = solver.solve(&game, own, max_nodes, &|| false)
                {
                    let margin = |komi: f64| if own == Color::Black { komi } else { -komi };
                    let at_least = found.at_least.map_or(f64::MIN, f64::from);
                    is_won |= at_least > margin(game.compensation());
                    mv = found.mv;
                }
                let context = format!("seed {seed}: {color:?} {mv}\n{}", game.board());
                game.play(color, mv).expect(&context);
            }
            if is_won && game.passes() >= 2 {
                let score = game.score(&crate::score::Statuses::all_alive());
                assert_eq!(score > 0.0, own == Color::Black, "seed {seed}\n{}", game.board());
                wins += 1;
            }
        }
        assert!(wins >= 10, "{wins}");
    }

    #[test]
    fn a_position_of_whoever_moved_out_of_turn_may_not_come_back() {
        let mut game = Game::new(4, 2).unwrap();
        game.set_rules(Rules::AGA);
        game.set_komi(7.5);
        let line = "B B1 W C1 B B2 W C2 B A2 B D1 B D2 W C1";
        let words: Vec<&str> = line.split(' ').collect();
        for pair in words.chunks(2) {
            let color = if pair[0] == "B" { Color::Black } else { Color::White };
            game.play(color, Move::Play(pair[1].parse().unwrap())).unwrap();
        }
        for color in Color::BOTH {
            let found = Solver::default().solve(&game, color, 30_000, &|| false);
            let mv = found.map_or(Move::Pass, |found| found.mv);
            assert!(game.check(color, mv).is_ok(), "{color:?}: {found:?}\n{}", game.board());
        }
    }

    /// Black lives in the end, with a white stone inside. It comes off only by a move which would bring back black stones that
    /// lay there before: so White keeps it, and what superko forbids Black is not won.
    #[test]
    fn what_superko_leaves_on_the_board_is_not_won() {
        let rules = Rules { suicide: false, ..Rules::TROMP_TAYLOR };
        for (komi, ko, line) in [
            (5.5, Ko::Situational, "B2 B3 B1 A1 A2 pass A3 pass B3 A1"),
            (5.5, Ko::Positional, "A2 B2 B3 B1 A1 B1 B2 pass A3 B1 A2 A3"),
            (-3.0, Ko::Positional, "pass B1 A1 A3 B3 A2 pass B2 pass A1 B3 B1 A3 A1 A2"),
        ] {
            let mut game = Game::new(2, 3).unwrap();
            game.set_rules(Rules { ko, ..rules });
            game.set_komi(komi);
            for name in line.split(' ') {
                let mv = name.parse().map_or(Move::Pass, Move::Play);
                game.play(game.to_play(), mv).unwrap();
            }
            let found = Solver::default().solve(&game, game.to_play(), 300_000, &|| false);
            let at_least = found.and_then(|found| found.at_least).map_or(f64::MIN, f64::from);
            assert!(at_least <= komi.abs(), "{line}: {found:?}");
        }
    }

    /// Two moves after D4 in this line B1 brings back the stones that lay there before D4, which positional superko forbids:
    /// what was proven of one of the two positions must not be taken for the other.
    #[test]
    fn what_is_known_from_before_brings_no_position_back() {
        let mut game = Game::new(4, 4).unwrap();
        game.set_rules(Rules::TROMP_TAYLOR);
        game.set_komi(-13.5);
        let mut solver = Solver::default();
        for name in "B1 C2 B3 B2 C3 D2 A3 D3 A2 C4 B4 C1 D4 A1 pass C4".split(' ') {
            let mv = name.parse().map_or(Move::Pass, Move::Play);
            game.play(game.to_play(), mv).unwrap();
            if game.to_play() == Color::Black {
                let found = solver.solve(&game, Color::Black, 1_000_000, &|| false);
                let mv = found.map_or(Move::Pass, |found| found.mv);
                let played = game.clone().play(Color::Black, mv);
                assert!(played.is_ok(), "{found:?}\n{}", game.board());
            }
        }
    }
}
