//! What is proven on small boards, against a solver that plays everything out.

use crate::common::{Random, after, random_board};
use ahash::AHashMap;
use connect6_engine::search::{Control, Params, Search, SearchLimits, Searcher};
use connect6_engine::tss::{Options, Solver, ThreatResult, Turns};
use connect6_engine::{Color, Game, Outcome, Point, Rules, Turn, weights};
use game_core::Proven;
use tree_search::TurnFilter;

/// Plays out every turn of both sides. It knows nothing of the engine's lines.
struct BruteForce {
    rules: Rules,
    rows: Vec<u32>,
    known: AHashMap<(u32, u32, u8), i8>,
}

fn bits(mut left: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = left & left.wrapping_neg();
        left ^= bit;
        (bit != 0).then_some(bit)
    })
}

impl BruteForce {
    fn new(rules: Rules) -> BruteForce {
        let (w, h, k) = (rules.width() as i32, rules.height() as i32, rules.k() as i32);
        let mut rows = Vec::new();
        for (x, y) in (0..w).flat_map(|x| (0..h).map(move |y| (x, y))) {
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let (end_x, end_y) = (x + dx * (k - 1), y + dy * (k - 1));
                if (0..w).contains(&end_x) && (0..h).contains(&end_y) {
                    rows.push((0..k).fold(0, |row, i| row | 1 << ((y + dy * i) * w + x + dx * i)));
                }
            }
        }
        BruteForce { rules, rows, known: AHashMap::new() }
    }

    fn has_row(&self, stones: u32) -> bool {
        self.rows.iter().any(|row| row & !stones == 0)
    }

    /// What the stones are worth to the side to move, which has so many left in its turn.
    fn value(&mut self, own: u32, other: u32, left: u8) -> i8 {
        let full = (1u32 << (self.rules.width() * self.rules.height())) - 1;
        let empty = full & !own & !other;
        if empty == 0 {
            return 0;
        }
        if let Some(&known) = self.known.get(&(own, other, left)) {
            return known;
        }
        let mut best = if bits(empty).any(|bit| self.has_row(own | bit)) { 1 } else { -1 };
        for bit in bits(empty) {
            if best == 1 {
                break;
            }
            best = best.max(match left {
                1 => -self.value(other, own | bit, self.rules.p() as u8),
                _ => self.value(own | bit, other, left - 1),
            });
        }
        self.known.insert((own, other, left), best);
        best
    }

    /// What a position is worth to a side: 1 a win, 0 a draw, -1 a loss.
    fn of(&mut self, game: &Game, side: Color) -> i8 {
        let to_move = game.to_move();
        let value = match game.outcome() {
            Outcome::Draw => 0,
            Outcome::Win(color) => return if color == side { 1 } else { -1 },
            Outcome::Open => {
                let [own, other] = [to_move.color, !to_move.color].map(|color| {
                    let points = self.rules.points().enumerate();
                    let stones = points.filter(|(_, at)| game.board().get(*at) == Some(color));
                    stones.fold(0, |all, (i, _)| all | 1 << i)
                });
                self.value(own, other, to_move.stones)
            }
        };
        if to_move.color == side { value } else { -value }
    }
}

/// A small board with stones drawn at random, in the middle of a turn too.
fn position(random: &mut Random) -> Game {
    let (m, n, k, p, empty) = [
        (3, 3, 3, 1, 9),
        (3, 3, 3, 2, 9),
        (4, 3, 3, 1, 12),
        (4, 4, 3, 2, 12),
        (4, 4, 4, 1, 11),
        (4, 4, 4, 2, 12),
        (5, 4, 3, 1, 11),
        (5, 4, 4, 2, 11),
        (5, 5, 4, 1, 10),
        (5, 5, 4, 2, 11),
        (5, 5, 5, 2, 11),
    ][random.below(11)];
    let rules = Rules::new(m, n, k, p, 1).unwrap();
    loop {
        let count = m * n - 1 - random.below(empty);
        let game = random_board(random, rules, count);
        if game.outcome() != Outcome::Open {
            continue;
        }
        let stones: Vec<Point> = game.board().empties().take(random.below(p)).collect();
        let game = stones.iter().fold(game, |game, &at| after(&game, Turn::single(at)));
        if game.outcome() == Outcome::Open {
            return game;
        }
    }
}

fn number(proven: Proven) -> Option<i8> {
    match proven {
        Proven::Win => Some(1),
        Proven::Loss => Some(-1),
        Proven::Unknown => None,
    }
}

#[test]
fn what_the_search_proves_is_so() {
    let mut random = Random(5);
    let mut proven = [0; 2];
    for _ in 0..600 {
        let game = position(&mut random);
        let mut brute_force = BruteForce::new(game.rules());
        let mut searcher = Searcher::new(weights::shipped(), 1 + random.below(2), 4);
        // With few turns all that are tried may lose although others do not.
        let narrow = random.below(2) == 0;
        let mode = random.below(4);
        searcher.params = Params {
            first_points: if narrow { 1 + random.below(3) } else { 15 },
            second_points: if narrow { 1 + random.below(3) } else { 12 },
            turns: if narrow { 1 + random.below(4) } else { 55 },
            threat_search: random.below(3) > 0,
            alpha_beta: mode == 0,
            ..Params::default()
        };
        let visits = Some([5, 50, 500][random.below(3)]);
        let limits = SearchLimits { visits, ..SearchLimits::default() };
        // What is proven where turns are left out does not rest on that.
        let (salt, share) = (random.below(1 << 30), 1 + random.below(4));
        let accepts = |color: Color, turn: Turn, depth: usize| {
            let first = salt ^ color.index() << 20 ^ depth << 24;
            let hash = turn.stones().fold(first, |hash, at| ((hash ^ at.index()) * 0x9e37) >> 3);
            hash % 5 >= share
        };
        let filter = match mode {
            1 => TurnFilter::new(1 + random.below(4), &accepts),
            _ => TurnFilter::all(),
        };
        let report = searcher.search_among(&game, &limits, filter, &mut |_| Control::Continue);
        let side = game.to_move().color;
        if let Some(claimed) = number(report.proven) {
            proven[usize::from(claimed == 1)] += 1;
            assert_eq!(claimed, brute_force.of(&game, side), "{}", shown(&game));
        }
        for found in &report.moves {
            let next = after(&game, found.mv);
            if let Some(claimed) = number(found.proven) {
                assert_eq!(
                    claimed,
                    brute_force.of(&next, side),
                    "{:?}\n{}",
                    found.mv,
                    shown(&game)
                );
            }
        }
    }
    println!("{proven:?} losses and wins");
    assert!(proven[0] > 30 && proven[1] > 200, "{proven:?}");
}

#[test]
fn turns_that_lose_prove_nothing_of_those_that_were_not_tried() {
    // Noughts and crosses: only the middle holds the draw, which is not among the few turns that are looked at.
    let rules = Rules::new(3, 3, 3, 1, 1).unwrap();
    let limits = SearchLimits { visits: Some(500), ..SearchLimits::default() };
    let mut hopeless = 0;
    for corner in [(0, 0), (0, 2), (2, 0), (2, 2)] {
        let corner = Point::new(corner.0, corner.1).unwrap();
        let game = Game::from_stones(rules, [corner]).unwrap();
        for turns in 1..=4 {
            let mut searcher = Searcher::new(weights::shipped(), 1, 4);
            searcher.params = Params { first_points: 1, turns, ..Params::default() };
            // Again, from the tree of the first time.
            for _ in 0..2 {
                let report = searcher.search(&game, &limits, &mut |_| Control::Continue);
                assert_eq!(report.proven, Proven::Unknown, "{corner:?}, {turns} turns");
                if report.moves.iter().all(|found| found.proven == Proven::Loss) {
                    assert!(report.winrate == 0.0 && !report.moves.is_empty());
                    hopeless += 1;
                }
            }
        }
    }
    assert!(hopeless > 0);
}

#[test]
fn a_position_is_lost_once_every_turn_was_tried() {
    // Black begins with two stones, next to each other on the rim.
    let rules = Rules::new(3, 3, 3, 1, 2).unwrap();
    let limits = SearchLimits { visits: Some(500), ..SearchLimits::default() };
    let stones = [(0, 1), (1, 0)].map(|(col, row)| Point::new(col, row).unwrap());
    let game = Game::from_stones(rules, stones).unwrap();
    let mut searcher = Searcher::new(weights::shipped(), 1, 4);
    searcher.params.threat_search = false;
    let report = searcher.search(&game, &limits, &mut |_| Control::Continue);
    assert_eq!(report.proven, Proven::Loss, "{report:?}");
}

#[test]
fn what_threats_win_is_won_and_only_stones_of_the_zone_stop_it() {
    let mut random = Random(6);
    let (mut wins, mut outside) = (0, 0);
    for _ in 0..1200 {
        let game = position(&mut random);
        let (rules, side) = (game.rules(), game.to_move().color);
        let mut brute_force = BruteForce::new(rules);
        let mut solver = Solver::new(1);
        let mut board = game.board().clone();
        let turns = [Turns::Doubles, Turns::Singles][random.below(2)];
        let stones = usize::from(game.to_move().stones);
        let options = Options { stones, turns, nodes: 100_000 };
        if solver.solve(&mut board, side, &options).result == ThreatResult::Win {
            assert_eq!(brute_force.of(&game, side), 1, "{}", shown(&game));
            wins += 1;
        }
        let options = Options { stones: rules.p(), ..options };
        let report = solver.solve(&mut board, !side, &options);
        if report.result != ThreatResult::Win || board.has_threat(!side) {
            continue;
        }
        let zone = solver.zone(&mut board, !side, &report, stones);
        let others: Vec<Point> = board.empties().filter(|at| !zone.contains(*at)).collect();
        for (i, &a) in others.iter().enumerate() {
            for &b in others[..=i].iter().filter(|b| (**b == a) == (stones == 1)) {
                let next = after(&game, Turn::pair(a, b));
                assert_eq!(brute_force.of(&next, side), -1, "{a:?} {b:?}\n{}", shown(&game));
                outside += 1;
            }
        }
    }
    println!("{wins} wins, {outside} turns outside of zones");
    assert!(wins > 400 && outside > 50, "{wins} {outside}");
}

fn shown(game: &Game) -> String {
    let rules = game.rules();
    let mut text = format!("{rules:?}, {:?}", game.to_move());
    for row in (0..rules.height()).rev() {
        text.push('\n');
        text.extend((0..rules.width()).map(|col| {
            match Point::new(col, row).and_then(|at| game.board().get(at)) {
                Some(Color::Black) => 'X',
                Some(Color::White) => 'O',
                None => '.',
            }
        }));
    }
    text
}
