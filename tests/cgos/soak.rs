//! Longer runs: two clients with the shipped engine, a server in a process of its own whose lines break at random, and which is
//! killed once.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::server::Server;
use super::support::Client;
use super::world::Options;

fn value<T: std::str::FromStr>(words: &[String], key: &str, default: T) -> T {
    let text = words.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
    text.map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{key}={text}?")))
}

/// `server port=N games=N first=N cut=SHARE main=MS size=N seed=N`: tells of each finished game on standard output, and of
/// violations and cuts with it, until it is killed.
pub fn serve(words: &[String]) {
    let server = Server::start_on(
        value(words, "port", 0),
        Options {
            size: value(words, "size", 9),
            main: value(words, "main", 60_000),
            games: value(words, "games", usize::MAX),
            first_id: value(words, "first", 1),
            cut: value(words, "cut", 0.0),
            seed: value(words, "seed", 1),
            ..Options::default()
        },
    );
    let mut told = 0;
    println!("port {}", server.port);
    loop {
        std::thread::sleep(Duration::from_millis(50));
        let events = server.events();
        for (id, white, black, result) in &events.results[told..] {
            let (cuts, moves, analysed) = (events.cuts, events.moves, events.analysed);
            println!("game {id} {white} {black} {result} {cuts} {moves} {analysed}");
        }
        told = events.results.len();
        for violation in &events.violations {
            println!("violation {violation}");
        }
        let _ = std::io::stdout().flush();
    }
}

struct Tally {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Tally {
    fn start(words: &str) -> Tally {
        let mut child = Command::new(std::env::current_exe().expect("the path"))
            .arg("server")
            .args(words.split_whitespace())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server");
        let lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        Tally { child, lines }
    }

    fn line(&mut self) -> String {
        self.lines.next().expect("a line").expect("text")
    }
}

impl Drop for Tally {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `soak games=50 cut=0.02 playouts=100 main=60000 kill=25`: plays, kills the server after `kill` games in the middle of the next one, and
/// prints what came of it.
pub fn run(words: &[String]) {
    let games: usize = value(words, "games", 50);
    let kill: usize = value(words, "kill", games / 2);
    let (cut, main): (f64, i64) = (value(words, "cut", 0.02), value(words, "main", 60_000));
    let playouts: u32 = value(words, "playouts", 100);
    let base = tempfile::tempdir().expect("a folder");
    let begin = Instant::now();
    let options = format!("cut={cut} main={main} size={}", value(words, "size", 9));
    let mut server = Tally::start(&format!("{options} games={}", kill + 1));
    let port: u16 = server.line()["port ".len()..].parse().expect("a port");
    let engine = |extra: &str| {
        let line = format!("{} --threads 1 {extra}", env!("CARGO_BIN_EXE_tesuji"));
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let quick = engine(&format!("--playouts {playouts} --network none"));
    let one = Client::start(base.path(), port, "alpha", "", &quick);
    let two = Client::start(base.path(), port, "beta", "", &quick);
    let (mut finished, mut faults) = (0, Vec::new());
    let (mut cuts, mut moves, mut analysed) = (0, 0, 0);
    let mut last = [0; 3];
    while finished < games {
        let line = server.line();
        let parts: Vec<&str> = line.split(' ').collect();
        if parts[0] != "game" {
            faults.push(line.clone());
            break;
        }
        finished += 1;
        last = [5, 6, 7].map(|at| parts[at].parse::<u32>().expect("a number"));
        if parts[4].contains("Time") || parts[4].contains("Illegal") {
            faults.push(line.clone());
        }
        eprintln!("{:6.1} s {line}", begin.elapsed().as_secs_f64());
        if finished == kill {
            // In the middle of the next game, which is lost with it.
            std::thread::sleep(Duration::from_millis(1500));
            drop(server);
            (cuts, moves, analysed) = (cuts + last[0], moves + last[1], analysed + last[2]);
            last = [0; 3];
            std::thread::sleep(Duration::from_secs(3));
            server = Tally::start(&format!(
                "{options} port={port} first=1001 seed=2 games={}",
                games - kill
            ));
            server.line();
            eprintln!(
                "{:6.1} s the server was killed and is there again",
                begin.elapsed().as_secs_f64()
            );
        }
    }
    // The clients hear of the last result when the server does.
    std::thread::sleep(Duration::from_secs(1));
    (cuts, moves, analysed) = (cuts + last[0], moves + last[1], analysed + last[2]);
    let breaks = |client: &Client| -> u32 {
        client.table().iter().filter_map(|row| row.rsplit(',').next()?.parse::<u32>().ok()).sum()
    };
    println!(
        "games {finished}, moves {moves} ({analysed} with analysis), lines cut {cuts}, seconds {:.0}",
        begin.elapsed().as_secs_f64()
    );
    println!("resumed in the middle of a game: {} and {}", breaks(&one), breaks(&two));
    println!(
        "rows in the tables: {} and {}; records: {} and {}",
        one.table().len(),
        two.table().len(),
        one.records().len(),
        two.records().len()
    );
    println!("lost on time or by an illegal move, or against the protocol: {}", faults.len());
    for fault in &faults {
        println!("  {fault}");
    }
    if !faults.is_empty() {
        let kept = base.keep();
        println!("kept: {}", kept.display());
        std::process::exit(1);
    }
}
