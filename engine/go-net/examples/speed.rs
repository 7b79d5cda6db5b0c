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
