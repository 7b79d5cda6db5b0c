//! What a search calls proven, compared on tiny boards with all games that can be played from there.

use game_core::Proven;
use go_engine::rng::Rng;
use go_engine::rules::Ko;
use go_engine::score::Statuses;
use go_engine::search::{Limits, Options, Search};
use go_engine::{Color, Game, Move, Rules};

/// Whether the side to move wins; none when there are more games than are looked at.
fn wins(game: &Game, left: &mut u32) -> Option<bool> {
    *left = left.checked_sub(1)?;
    let color = game.to_play();
    if game.passes() >= 2 {
        return Some((game.score(&Statuses::all_alive()) > 0.0) == (color == Color::Black));
    }
    let mut moves: Vec<Move> = game.legal_points(color).map(Move::Play).collect();
    moves.push(Move::Pass);
    if game.passes() == 1 {
        moves.reverse();
    }
    for mv in moves {
        let mut next = game.clone();
        next.play(color, mv).unwrap();
        if !wins(&next, left)? {
            return Some(true);
        }
    }
    Some(false)
}

/// Compares what is proven of each move of a position; how many were.
fn check(game: &Game, options: Options, visits: u64) -> u32 {
    let limits = Limits { stop_early: false, ..Limits::playouts(visits) };
    let report = Search::handcrafted(options).search(game, game.to_play(), &limits, None);
    let mut checked = 0;
    for found in report.moves.iter().filter(|found| found.proven.is_known()) {
        let mut next = game.clone();
        next.play(game.to_play(), found.mv).unwrap();
        if let Some(wins) = wins(&next, &mut 5000) {
            let context = format!("{} {:?}\n{}", found.mv, game.moves(), game.board());
            assert_eq!(found.proven, Proven::from_win(Some(!wins)), "{context}");
            checked += 1;
        }
    }
    checked
}

fn options(seed: u64) -> Options {
    Options { seed, max_memory: 8 << 20, ..Options::default() }
}

fn game(columns: u8, rows: u8, rules: Rules, komi: f64) -> Game {
    let mut game = Game::new(columns, rows).unwrap();
    game.set_rules(rules);
    game.set_komi(komi);
    game
}

/// After a pass the position is another one, which must not come back either: without that Black seems to win by A2.
#[test]
fn a_pass_makes_a_situation_that_must_not_come_back() {
    let rules = Rules { ko: Ko::Situational, suicide: false, ..Rules::TROMP_TAYLOR };
    let mut game = game(1, 4, rules, -2.5);
    for name in ["A4", "A1"] {
        game.play(game.to_play(), Move::Play(name.parse().unwrap())).unwrap();
    }
    let checked: u32 = (0..8).map(|seed| check(&game, options(seed), 1000)).sum();
    assert!(checked >= 8, "{checked}");
}

#[test]
fn what_is_proven_holds_against_all_play() {
    let mut checked = [0; 2];
    for seed in 0..160 {
        let mut rng = Rng::new(seed);
        let mut below = |n: usize| rng.below(n as u32) as usize;
        let (columns, rows) = [(1, 3), (4, 1), (2, 2), (1, 5), (3, 2)][below(5)];
        let situational = below(2);
        let ko = [Ko::Positional, Ko::Situational][situational];
        let (suicide, friendly_pass_ok) = (below(2) == 0, below(2) == 0);
        let rules = Rules { ko, suicide, friendly_pass_ok, ..Rules::TROMP_TAYLOR };
        let area = usize::from(columns) * usize::from(rows);
        let mut game = game(columns, rows, rules, below(2 * area) as f64 - area as f64 + 0.5);
        for _ in 0..10 + below(25) {
            let points: Vec<_> = game.legal_points(game.to_play()).collect();
            let point = points.get(below(points.len() + 1));
            let mv = point.map_or(Move::Pass, |&point| Move::Play(point));
            if mv != Move::Pass || game.passes() == 0 {
                game.play(game.to_play(), mv).unwrap();
            }
        }
        checked[situational] += check(&game, options(seed), [200, 1000][below(2)]);
    }
    assert!(checked.iter().all(|&n| n > 40), "{checked:?}");
}
