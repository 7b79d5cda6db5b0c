//! Evaluations a second: `cargo run --release -p go-network --example speed -- FILE [SIZE] [BATCH]`.
use cpu_time::ThreadTime;
use go_network::*;
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let file = NetworkFile::open(std::path::Path::new(&args[1])).unwrap();
    let sizes: Vec<usize> = args.get(2).map_or(vec![9, 13, 19], |s| vec![s.parse().unwrap()]);
    let batches: Vec<usize> =
        args.get(3).map_or(vec![1, 2, 4, 8, 16], |s| vec![s.parse().unwrap()]);
    writing::<128, 2>(9);
    writing::<256, 3>(13);
    writing::<512, 6>(19);
    let level = simd::level();
    for numbers in [Numbers::Float, Numbers::Int16] {
        if args.get(4).is_some_and(|n| *n != format!("{numbers:?}")) {
            continue;
        }
        let start = Instant::now();
        let network = Network::new(&file, Kernels { level, numbers });
        println!("{level:?} {numbers:?}: packed in {:?}", start.elapsed());
        for &side in &sizes {
            let size = BoardSize::square(side);
            let mut features = Features::empty(size);
            let mut state = 1u64;
            for index in 0..side * side {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let r = (state >> 60) as usize;
                let mut set = |p: usize| features.planes[p][index / 64] |= 1 << (index % 64);
                match r {
                    0..4 => {
                        set(1);
                        set(18);
                        if r == 0 {
                            set(4)
                        }
                    }
                    4..8 => {
                        set(2);
                        set(19);
                        if r == 4 {
                            set(5)
                        }
                    }
                    8..10 => set(18),
                    10..12 => set(19),
                    _ => {}
                }
            }
            for &batch in &batches {
                let mut worker = network.worker(size, batch);
                let positions = vec![features.clone(); batch];
                let mut outputs = vec![Outputs::default(); batch];
                let mut best = f64::MAX;
                let start = Instant::now();
                let mut rounds = 0;
                while rounds < 8 || start.elapsed().as_secs_f64() < 1.2 {
                    let one = ThreadTime::now();
                    network.evaluate(&mut worker, &positions, &mut outputs);
                    best = best.min(one.elapsed().as_secs_f64() / batch as f64);
                    rounds += 1;
                }
                println!(
                    "{side}x{side} batch {batch}: {:.0} a second, {:.1} G",
                    1.0 / best,
                    file.multiply_adds(side * side) as f64 / best / 1e9
                );
            }
        }
    }
}

fn writing<const N: usize, const W: usize>(side: u8) {
    let games = probe::games::<N, W>(side, 40);
    let mut writer = FeatureWriter::<N, W>::new(false);
    let (mut fresh, mut again, mut played) = (f64::MAX, f64::MAX, f64::MAX);
    for _ in 0..200 {
        writer.forget();
        let start = ThreadTime::now();
        games.iter().for_each(|game| drop(std::hint::black_box(writer.write(game))));
        fresh = fresh.min(start.elapsed().as_secs_f64() / 40.0);
        let start = ThreadTime::now();
        games.iter().for_each(|game| drop(std::hint::black_box(writer.write(game))));
        again = again.min(start.elapsed().as_secs_f64() / 40.0);
        let start = ThreadTime::now();
        games.iter().for_each(|game| {
            let mut g = game.clone();
            let site = g.board().empties().next().unwrap();
            g.play(g.to_play(), site);
            std::hint::black_box(&g);
        });
        played = played.min(start.elapsed().as_secs_f64() / 40.0);
    }
    println!(
        "{side}x{side}: features in {:.1} microseconds, {:.1} with ladders remembered; clone and play {:.1}",
        fresh * 1e6,
        again * 1e6,
        played * 1e6
    );
}
