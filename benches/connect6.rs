//! Criterion benches of the Connect6 engine: stones, threats, the estimate, the threat search and the tree search.
//!
//! `cargo bench --bench connect6` runs all; `cargo bench --bench connect6 -- threats` some.

use connect6_engine::candidates::candidates;
use connect6_engine::search::{Control, Search, SearchLimits, Searcher};
use connect6_engine::tss::{Options, Solver, Turns};
use connect6_engine::{Color, Game, Point, Rules, defences, eval, weights};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

/// A middle game in which neither side has a quick win: columns and rows from the lower left, Black first.
const STONES: [(usize, usize); 9] =
    [(9, 9), (10, 10), (8, 10), (11, 10), (9, 11), (9, 8), (9, 12), (7, 10), (7, 9)];

fn middle_game() -> Game {
    let mut game = Game::new(Rules::CONNECT6);
    for (column, row) in STONES {
        let color = game.to_move().color;
        let point = Point::new(column, row).expect("a point of the board");
        game.play(color, point).expect("a free point");
    }
    game
}

fn boards(c: &mut Criterion) {
    let game = middle_game();
    let board = game.board();
    let mut group = c.benchmark_group("stones");
    let points: Vec<_> = candidates(board).iter().collect();
    group.throughput(Throughput::Elements(points.len() as u64));
    group.bench_function("place and remove", |b| {
        let mut board = board.clone();
        b.iter(|| {
            for &point in &points {
                board.place(Color::White, point);
                board.remove(Color::White, point);
            }
        });
    });
    group.finish();
    let mut group = c.benchmark_group("position");
    group.bench_function("candidates", |b| b.iter(|| candidates(black_box(board))));
    group.bench_function("threats", |b| {
        b.iter(|| defences::threats(black_box(board), Color::Black));
    });
    let knowledge = weights::shipped();
    group.bench_function("estimate", |b| {
        b.iter(|| eval::chance(black_box(board), Color::White, Some(&knowledge.net)));
    });
    group.finish();
}

fn searches(c: &mut Criterion) {
    let game = middle_game();
    let mut group = c.benchmark_group("search");
    group.sample_size(10);
    group.bench_function("threats, 20,000 nodes", |b| {
        let options = Options { stones: 2, turns: Turns::Singles, nodes: 20_000 };
        let mut solver = Solver::new(64);
        b.iter(|| {
            solver.clear();
            solver.solve(&mut game.board().clone(), Color::Black, &options)
        });
    });
    group.bench_function("tree, 100 visits", |b| {
        let mut searcher = Searcher::new(weights::shipped(), 1, 64);
        let limits = SearchLimits { visits: Some(100), ..SearchLimits::default() };
        b.iter(|| {
            searcher.clear();
            searcher.search(&game, &limits, &mut |_| Control::Continue)
        });
    });
    group.finish();
}

criterion_group!(benches, boards, searches);
criterion_main!(benches);
