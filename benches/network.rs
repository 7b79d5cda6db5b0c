//! Criterion benches of networks for Go: the features of a position, and evaluations by floats and whole numbers, one
//! position and several at once.
//!
//! `cargo bench --bench network`; `TESUJI_SIMD=avx2` measures what a processor without AVX-512 does. The network has the
//! form of a published one, 6 blocks of 96 channels, and random weights; `tesuji network FILE` measures a real one.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use go_network::{FeatureWriter, Kernels, Network, Numbers, Outputs, probe, sample};
use std::hint::black_box;

/// Positions whose features are written in one round.
const GAMES: usize = 40;

fn features_of<const N: usize, const W: usize>(c: &mut Criterion, side: u8) {
    let games = probe::games::<N, W>(side, GAMES);
    let mut writer = FeatureWriter::<N, W>::new(false);
    let mut group = c.benchmark_group("features");
    group.throughput(Throughput::Elements(GAMES as u64));
    group.bench_function(BenchmarkId::new("all read anew", side), |b| {
        b.iter(|| {
            writer.forget();
            for game in &games {
                black_box(writer.write(game));
            }
        });
    });
    group.bench_function(BenchmarkId::new("ladders remembered", side), |b| {
        b.iter(|| {
            for game in &games {
                black_box(writer.write(game));
            }
        });
    });
    group.finish();
}

fn features(c: &mut Criterion) {
    features_of::<128, 2>(c, 9);
    features_of::<256, 3>(c, 13);
    features_of::<512, 6>(c, 19);
}

fn evaluations(c: &mut Criterion) {
    let file = sample::tower(6, 96, 1);
    let level = simd::level();
    for numbers in [Numbers::Float, Numbers::Int16] {
        let network = Network::new(&file, Kernels { level, numbers });
        let mut group = c.benchmark_group(network.kernels().to_string());
        for side in [9, 13, 19] {
            let positions = probe::positions(side, 16, false);
            for batch in [1, 2, 4, 8, 16] {
                let positions = &positions[16 - batch..];
                let mut worker = network.worker(positions[0].size, batch);
                let mut outputs = vec![Outputs::default(); batch];
                group.throughput(Throughput::Elements(batch as u64));
                group.bench_function(BenchmarkId::new(format!("{side}x{side}"), batch), |b| {
                    b.iter(|| network.evaluate(&mut worker, positions, &mut outputs));
                });
            }
        }
        group.finish();
    }
}

criterion_group!(benches, features, evaluations);
criterion_main!(benches);
