//! Writes a network of random weights in the form of the published ones, for measuring how fast one of that size is:
//!
//!     cargo run --release -p tesuji-go-network --example tower -- 20 256 tower.bin
//!     tesuji network tower.bin

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<usize> = args.iter().take(2).filter_map(|word| word.parse().ok()).collect();
    let ([blocks, channels], [_, _, file]) = (numbers.as_slice(), args.as_slice()) else {
        eprintln!("BLOCKS CHANNELS FILE are expected");
        return ExitCode::FAILURE;
    };
    let network = go_network::sample::tower(*blocks, *channels, 1);
    match std::fs::write(file, network.write()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("cannot write {file}: {why}");
            ExitCode::FAILURE
        }
    }
}
