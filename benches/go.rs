//! Criterion benches of the Go engine: moves, captures, playouts, the search and room in its tree, beside the crate
//! `go_game_board` (a port of libEGO) in the same run.
//!
//! `cargo bench --bench go` runs all; `cargo bench --bench go -- playout` some.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use go_engine::board::{Board, Board9, Board13, Board19};
use go_engine::params::Params;
use go_engine::playout::{heavy::Heavy, light::LightBoard};
use go_engine::rng::Rng;
use go_engine::search::tree::Tree;
use go_engine::search::{Limits, Options, Search};
use go_engine::{Color, Game, Site};
use go_influence::{Model, Stones};
use std::hint::black_box;
use std::time::{Duration, Instant};
use tree_search::Bounded;

/// The moves of a random game, for playing them again.
fn random_game<const N: usize, const W: usize>(empty: &Board<N, W>) -> Vec<(Site, Color)> {
    let mut board = empty.clone();
    let mut rng = Rng::new(7);
    let mut color = Color::Black;
    let mut moves = Vec::new();
    let mut passes = 0;
    while passes < 2 {
        let s = go_engine::playout::random_move(&mut board, color, &mut rng, |_, _| true);
        if s.is_pass() {
            passes += 1;
            board.pass();
        } else {
            passes = 0;
            board.play(s, color);
            moves.push((s, color));
        }
        color = color.other();
    }
    moves
}

fn boards<const N: usize, const W: usize>(c: &mut Criterion, empty: Option<Board<N, W>>) {
    let empty = empty.expect("the board fits its layout");
    let side = empty.width();
    let moves = random_game(&empty);
    let mut group = c.benchmark_group("moves");
    group.throughput(Throughput::Elements(moves.len() as u64));
    group.bench_function(format!("tesuji {side}x{side}"), |b| {
        b.iter_batched_ref(
            || empty.clone(),
            |board| {
                for &(s, color) in &moves {
                    black_box(board.play(s, color));
                }
            },
            BatchSize::SmallInput,
        );
    });
    group.finish();

    // A ladder-like wall: the last move takes a chain as long as the board is wide.
    let at = |col, row| empty.site(go_engine::Point::new(col, row)).expect("on the board");
    let mut wall = empty.clone();
    for col in 0..side {
        wall.play(at(col, 1), Color::Black);
    }
    for col in 0..side - 1 {
        wall.play(at(col, 0), Color::White);
    }
    let mut group = c.benchmark_group("captures");
    group.throughput(Throughput::Elements(u64::from(side) - 1));
    group.bench_function(format!("tesuji {side}x{side}"), |b| {
        b.iter_batched_ref(
            || wall.clone(),
            |board| black_box(board.play(at(side - 1, 0), Color::Black)),
            BatchSize::SmallInput,
        );
    });
    group.finish();

    let heavy = Heavy::new(&Params::default());
    let mut group = c.benchmark_group("playouts");
    group.throughput(Throughput::Elements(1));
    let mut board = empty.clone();
    let mut rng = Rng::new(1);
    let empty_light = LightBoard::new(&empty);
    let mut light = empty_light.clone();
    group.bench_function(format!("light {side}x{side}"), |b| {
        b.iter(|| {
            light.clone_from(&empty_light);
            black_box(light.play_out(Color::Black, &mut rng, |_| ()))
        });
    });
    let mut moves = Vec::new();
    group.bench_function(format!("full {side}x{side}"), |b| {
        b.iter(|| {
            board.clone_from(&empty);
            moves.clear();
            let last = [Site::PASS; 2];
            black_box(heavy.play_out(&mut board, Color::Black, last, &mut rng, &mut moves))
        });
    });
    group.bench_function(format!("go_game_board {side}x{side}"), |b| {
        use go_game_board::{Gammas, Sampler, fast_random::FastRandom};
        let side = usize::from(side);
        let mut empty = go_game_board::Board::with_size(side, side);
        empty.clear();
        let gammas = Gammas::new();
        let mut board = empty.clone();
        let mut random = FastRandom::new(123);
        let mut sampler = Sampler::new(&board, &gammas);
        b.iter(|| {
            board.load(&empty);
            sampler.new_playout(&board, &gammas);
            while !board.both_player_pass() {
                let player = board.act_player();
                let v = sampler.sample_move(&board, &mut random);
                board.play_legal(player, v);
                sampler.move_played(&board, &gammas);
            }
            black_box(board.playout_winner())
        });
    });
    group.finish();
}

fn searches(c: &mut Criterion) {
    const PLAYOUTS: u64 = 2000;
    let mut group = c.benchmark_group("search");
    group.throughput(Throughput::Elements(PLAYOUTS));
    for side in [9, 13, 19] {
        let mut game = Game::new(side, side).expect("a size that exists");
        game.set_komi(7.5);
        group.bench_function(format!("{side}x{side}"), |b| {
            let mut search = Search::handcrafted(Options::default());
            let limits = Limits { stop_early: false, fresh: true, ..Limits::playouts(PLAYOUTS) };
            b.iter(|| black_box(search.search(&game, Color::Black, &limits, None).visits));
        });
    }
    group.finish();
}

/// Joseki: the look-up of a corner's next moves on the board, in a game in which its keys are kept.
fn joseki(c: &mut Criterion) {
    use go_patterns::joseki::{Corner, Corners, Query};
    let book = go_patterns::learned::joseki().expect("the program is undamaged");
    let mut board = Board19::new(19, 19).expect("a size that exists");
    let moves = ["q16", "d4", "q3", "d16", "o4", "c14", "r10", "f17", "r14", "c6"];
    let mut color = Color::Black;
    let mut last = Site::PASS;
    for text in moves {
        let point: go_engine::Point = text.parse().expect("a point");
        last = board.site(point).expect("on the board");
        board.play(last, color);
        color = color.other();
    }
    let corners = Corners::of_board(&board).expect("the board is large enough");
    let mut group = c.benchmark_group("joseki");
    group.throughput(Throughput::Elements(4));
    group.bench_function("next moves of four corners", |b| {
        b.iter(|| {
            let corners = black_box(&corners);
            let mut sum = 0.0;
            for corner in Corner::ALL {
                if let Some(query) = Query::of(book, corners, &board, corner, color, last) {
                    for found in query.continuations(corners, &board) {
                        sum += found.share * f32::from(found.site.0);
                    }
                }
            }
            sum
        });
    });
    group.throughput(Throughput::Elements(1));
    group.bench_function("a move followed", |b| {
        let mut kept = corners.clone();
        b.iter(|| kept.follow(black_box(&board), last, Color::White, 0));
    });
    group.bench_function("all four corners from the board", |b| {
        b.iter(|| Corners::of_board(black_box(&board)));
    });
    group.finish();
}

/// The predictor at every position of a game of 200 moves drawn from what it predicts.
fn predictor(c: &mut Criterion) {
    use go_patterns::predict::{features::Position, predictor::Scratch};
    let predictor = go_patterns::learned::predictor(19).expect("the program is undamaged");
    let mut scratch = Scratch::default();
    let mut rng = Rng::new(7);
    let mut board = Board19::new(19, 19).expect("a size that exists");
    let (mut mover, mut last) = (Color::Black, [Site::PASS; 2]);
    let mut positions = Vec::new();
    for _ in 0..200 {
        positions.push((board.clone(), mover, last));
        let position = Position { board: &board, mover, last };
        let found = predictor.predict(position, &mut scratch);
        let mut left = rng.below(1 << 24) as f32 / (1 << 24) as f32;
        let drawn = found.probabilities().iter().position(|share| {
            left -= share;
            left < 0.0
        });
        let site = found.moves()[drawn.unwrap_or(0)];
        board.play(site, mover);
        (mover, last) = (mover.other(), [site, last[0]]);
    }
    let mut group = c.benchmark_group("predictor");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("19x19", |b| {
        b.iter(|| {
            for (board, mover, last) in &positions {
                let position = Position { board, mover: *mover, last: *last };
                black_box(predictor.predict(position, &mut scratch).probabilities());
            }
        });
    });
    group.finish();
}

/// The models of influence on a position of 100 moves by chance, the arrays they read included.
fn influence(c: &mut Criterion) {
    let mut board = Board19::new(19, 19).expect("a size that exists");
    for (s, color) in random_game(&board.clone()).into_iter().take(100) {
        board.play(s, color);
    }
    let mut models = Model::all().to_vec();
    let tuned = go_patterns::learned::influence().expect("an undamaged program");
    models.push(Model::Tuned(std::sync::Arc::new(tuned)));
    let mut group = c.benchmark_group("influence");
    group.throughput(Throughput::Elements(1));
    for model in models {
        group.bench_function(format!("{} 19x19", model.name()), |b| {
            b.iter(|| model.spread(&Stones::of(black_box(&board)), Color::Black));
        });
    }
    group.finish();
}

/// Plays one visit of a made-up search, most of them below few moves; false when the tree is full.
fn grow(tree: &Tree, rng: &mut Rng) -> bool {
    const CHILDREN: usize = 250;
    let mut node = tree.root();
    node.stats.add_virtual_loss(1);
    while let Some(children) = node.children() {
        let share = rng.below(1000) * rng.below(1000) / 4;
        node = tree.node(children.first + share * u32::from(children.len) / 1_000_000);
        node.stats.add_virtual_loss(1);
    }
    if node.stats.visits() < 4 && !std::ptr::eq(node, tree.root()) {
        return true;
    }
    let Some(children) = tree.allocate(CHILDREN) else { return false };
    for (index, site) in children.indices().zip(1..) {
        tree.set(index, Site(site), 1.0, 0.5);
    }
    node.try_expand();
    node.publish(children);
    true
}

/// Making room in a full tree: a part of it, for which a search is held, and all of it; and a new root.
fn room(c: &mut Criterion) {
    let mut group = c.benchmark_group("room");
    for mib in [32, 512, 2048] {
        let mut tree = Tree::new((mib << 20) / Tree::bytes(1));
        let mut rng = Rng::new(7);
        for is_whole in [false, true] {
            let name = if is_whole { "all of it" } else { "a part" };
            group.bench_function(format!("{name}, {mib} MiB"), |b| {
                b.iter_custom(|times| {
                    let mut spent = Duration::ZERO;
                    for _ in 0..times {
                        while !tree.is_full() {
                            grow(&tree, &mut rng);
                        }
                        let begun = Instant::now();
                        while tree.is_full() {
                            assert!(tree.make_room());
                            if !is_whole {
                                break;
                            }
                        }
                        spent += begun.elapsed();
                    }
                    spent
                });
            });
        }
        group.bench_function(format!("a new root, {mib} MiB"), |b| {
            b.iter_custom(|times| {
                let mut spent = Duration::ZERO;
                for _ in 0..times {
                    // The root's most visited child with children of its own.
                    while !tree.is_full() {
                        grow(&tree, &mut rng);
                    }
                    let children = tree.root().children().expect("it was searched");
                    let root = children
                        .indices()
                        .max_by_key(|&child| tree.node(child).stats.visits())
                        .expect("a child");
                    let begun = Instant::now();
                    tree.keep(root);
                    spent += begun.elapsed();
                }
                spent
            });
        });
    }
    group.finish();
}

fn all(c: &mut Criterion) {
    room(c);
    joseki(c);
    boards(c, Board9::new(9, 9));
    boards(c, Board13::new(13, 13));
    boards(c, Board19::new(19, 19));
    searches(c);
    predictor(c);
    influence(c);
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    targets = all
}
criterion_main!(benches);
