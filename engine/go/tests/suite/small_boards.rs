//! Small boards whose value is known (van der Werf 2003, "Solving Go on small boards"): 3x3 is all
//! Black's from the centre, 5x5 all 25 points Black's from C3.

use go_engine::params::PlayoutPolicy;
use go_engine::score::Statuses;
use go_engine::search::{Limits, Options, Report, Search};
use go_engine::{Color, Game, Move, Rules};

fn options(seed: u64) -> Options {
    Options { seed, max_memory: 64 << 20, ..Options::default() }
}

fn game(side: u8, komi: f64) -> Game {
    let mut game = Game::new(side, side).unwrap();
    game.set_rules(Rules::TROMP_TAYLOR);
    game.set_komi(komi);
    game
}

fn best(report: &Report) -> Move {
    report.best().map_or(Move::Pass, |best| best.mv)
}

#[test]
fn three_by_three_is_won_from_the_centre() {
    let game = game(3, 8.5);
    let report =
        Search::handcrafted(options(1)).search(&game, Color::Black, &Limits::playouts(5000), None);
    assert_eq!(best(&report).to_string(), "B2");
    assert!(report.winrate > 0.8, "{}", report.winrate);
}

#[test]
fn light_playouts_find_the_same_move() {
    let mut light = options(1);
    light.params.playout_policy = PlayoutPolicy::Light;
    let game = game(3, 8.5);
    let report =
        Search::handcrafted(light).search(&game, Color::Black, &Limits::playouts(5000), None);
    assert_eq!(best(&report).to_string(), "B2");
    assert!(report.winrate > 0.8, "{}", report.winrate);
}

/// Black plays for all 25 points; `defend` answers.
fn five_by_five(mut defend: impl FnMut(&Game) -> Move) {
    let mut game = game(5, 24.5);
    let mut black = Search::handcrafted(options(5));
    let first = best(&black.search(&game, Color::Black, &Limits::playouts(8000), None));
    assert_eq!(first.to_string(), "C3");
    game.play(Color::Black, first).unwrap();
    for _ in 0..100 {
        let reply = defend(&game);
        game.play(Color::White, reply).unwrap();
        let mv = best(&black.search(&game, Color::Black, &Limits::playouts(8000), None));
        game.play(Color::Black, mv).unwrap();
        if game.passes() >= 2 {
            break;
        }
    }
    assert_eq!(game.passes(), 2, "the game ends\n{}", game.board());
    let score = game.score(&Statuses::all_alive());
    assert_eq!(score, 0.5, "\n{}", game.board());
}

#[test]
fn five_by_five_is_won_against_a_search_that_fights_for_one_live_group() {
    // White is told a komi at which every point that it holds counts, so that it does not give up.
    let mut white = Search::handcrafted(options(9));
    five_by_five(|game| {
        let mut hopeful = game.clone();
        hopeful.set_komi(5.5);
        best(&white.search(&hopeful, Color::White, &Limits::playouts(4000), None))
    });
}

#[test]
fn five_by_five_is_won_against_a_search_that_sees_the_same() {
    let mut white = Search::handcrafted(options(3));
    five_by_five(|game| best(&white.search(game, Color::White, &Limits::playouts(8000), None)));
}

#[test]
fn one_thread_and_one_seed_repeat_a_game() {
    let play = || {
        let mut game = game(9, 7.5);
        let mut search = Search::handcrafted(options(4));
        for _ in 0..12 {
            let color = game.to_play();
            let mv = best(&search.search(&game, color, &Limits::playouts(300), None));
            game.play(color, mv).unwrap();
        }
        game.moves().to_vec()
    };
    assert_eq!(play(), play());
}

#[test]
fn the_memory_bound_holds_and_a_pruned_search_goes_on() {
    let game = game(13, 7.5);
    // Three chunks of a mebibyte each, which the search fills.
    let mut search = Search::handcrafted(Options { max_memory: 4 << 20, ..options(1) });
    let limits = Limits { stop_early: false, ..Limits::playouts(12_000) };
    let report = search.search(&game, Color::Black, &limits, None);
    assert_eq!(report.playouts, 12_000);
    assert!(report.nodes * 32 <= 4 << 20, "{} nodes", report.nodes);
}

#[test]
fn several_threads_make_the_playouts_asked_for() {
    let game = game(9, 7.5);
    let mut search = Search::handcrafted(Options { threads: 4, ..options(1) });
    let limits = Limits { stop_early: false, ..Limits::playouts(2000) };
    let report = search.search(&game, Color::Black, &limits, None);
    assert_eq!((report.playouts, report.visits), (2000, 2000));
    assert_eq!(report.moves.iter().map(|m| m.visits).sum::<u32>(), 2000);
}
