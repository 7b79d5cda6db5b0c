//! Criterion benches of the Amazons engine: moves, the estimate, the policy network, the solver and the search.
//!
//! `cargo bench --bench amazons` runs all; `cargo bench --bench amazons -- search` some.

use std::hint::black_box;
use std::sync::Arc;

use amazons_engine::eval::Weights;
use amazons_engine::game::Stage;
use amazons_engine::net::file::Net;
use amazons_engine::net::policy::{Policy, Scratch};
use amazons_engine::net::resnet::ResNet;
use amazons_engine::search::{Control, Search, SearchLimits, Searcher};
use amazons_engine::solve::{self, Solver};
use amazons_engine::{Game, Position, perft::perft};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn positions(c: &mut Criterion) {
    let start = Position::start();
    let mut group = c.benchmark_group("moves");
    group.throughput(Throughput::Elements(start.count_moves()));
    group.bench_function("perft 1", |b| b.iter(|| perft(&mut start.clone(), 1)));
    group.bench_function("generate", |b| b.iter(|| black_box(&start).moves()));
    group.finish();
    let mut group = c.benchmark_group("position");
    let weights = Weights::shipped();
    group.bench_function("estimate", |b| b.iter(|| weights.evaluate(black_box(&start))));
    group.bench_function("policy of a turn", |b| {
        let network = Net::ResNet(Box::new((*ResNet::shipped()).clone()));
        let (policy, mut scratch) = (Policy::Network(Arc::new(network)), Scratch::default());
        b.iter(|| policy.turn(&weights, black_box(&start), Stage::From, &mut scratch));
    });
    group.finish();
}

fn searches(c: &mut Criterion) {
    let mut group = c.benchmark_group("search");
    group.sample_size(10);
    group.bench_function("solver, 500 nodes", |b| {
        let start = Position::start_on(5).expect("there is a start on 5x5");
        let limits = solve::Limits { nodes: Some(500), ..solve::Limits::default() };
        let mut solver = Solver::new(64);
        b.iter(|| {
            solver.clear();
            solver.solve(&start, &limits)
        });
    });
    group.bench_function("tree, 500 visits", |b| {
        let game = Game::new(Position::start());
        let limits = SearchLimits { visits: Some(500), ..SearchLimits::default() };
        b.iter(|| {
            let mut searcher = Searcher::new(Weights::shipped(), 1, 64);
            searcher.search(&game, &limits, &mut |_| Control::Continue)
        });
    });
    group.finish();
}

criterion_group!(benches, positions, searches);
criterion_main!(benches);
