//! The way from a teacher to a network of our own, in small: positions by `tesuji selfplay`, the training program on them, and
//! the same numbers from what it learned in the engine as in PyTorch.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use go_network::{BoardSize, Features, Kernels, Network, NetworkFile, Numbers, Outputs, sample};
use serde_json::Value;

const TRAINER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/training/go");

const GAME: &str =
    "(;GM[1]SZ[9]KM[7]RE[B+R];B[ee];W[gc];B[cg];W[ge];B[gf];W[ff];B[fe];W[gg];B[hf])";

fn tesuji(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(args).current_dir(folder).output().unwrap()
}

/// The files of a folder with their bytes, by name.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}

/// A folder with a teacher that has random weights.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("teacher.bin.gz"), sample::network(8, 3).write_gzip()).unwrap();
    folder
}

#[test]
fn positions_are_given_by_their_seed_and_what_is_missing_is_made() {
    let folder = folder();
    let make = |out: &str, more: &[&str]| {
        let mut args =
            vec!["selfplay", "--teacher", "teacher.bin.gz", "--size", "5", "--games", "250"];
        args.extend(["--out", out]);
        args.extend(more);
        let done = tesuji(folder.path(), &args);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        files(&folder.path().join(out))
    };
    let whole = make("whole", &["--threads", "2"]);
    let names: Vec<&str> = whole.iter().map(|(name, _)| name.as_str()).collect();
    let expected = ["5-games-1-00000.bin", "5-games-1-00001.bin", "5-games-1-00002.bin"];
    assert_eq!(names, expected);
    // One that was stopped goes on.
    make("parts", &["--threads", "1"]);
    fs::remove_file(folder.path().join("parts/5-games-1-00001.bin")).unwrap();
    assert!(make("parts", &["--threads", "1"]) == whole);
    assert!(make("other", &["--seed", "2"]) != whole);
    // A search finds something else, and the same again.
    let bytes = |files: &[(String, Vec<u8>)]| -> Vec<Vec<u8>> {
        files.iter().map(|(_, bytes)| bytes.clone()).collect()
    };
    let searched = make("searched", &["--visits", "8", "--kept", "0.02", "--threads", "2"]);
    assert_eq!(searched[0].0, "5-searches-1-00000.bin");
    assert!(
        bytes(&searched) != bytes(&make("said", &["--kept", "0.02"]))
            && make("again", &["--visits", "8", "--kept", "0.02"]) == searched
    );

    // The network inside teaches too, on boards that it knows.
    let by_own = |size| {
        let args = ["selfplay", "--teacher", "built-in", "--games", "1", "--kept", "0.02"];
        tesuji(
            folder.path(),
            &[&args[..], &["--size", size, "--out", "own", "--visits", "4"]].concat(),
        )
    };
    let done = by_own("9");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(fs::metadata(folder.path().join("own/9-searches-1-00000.bin")).is_ok());
    let bad = by_own("7");
    let why = String::from_utf8(bad.stderr).unwrap();
    assert!(!bad.status.success() && why.contains("does not know boards of 7x7"), "{why}");

    // Without a teacher playouts play, and say what is to be learned.
    let by_playouts = |out, visits| {
        let args = ["selfplay", "--size", "5", "--games", "2", "--kept", "0.3", "--out", out];
        tesuji(folder.path(), &[&args[..], &["--visits", visits]].concat())
    };
    for out in ["played", "played-again"] {
        let done = by_playouts(out, "20");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    let played = files(&folder.path().join("played"));
    assert_eq!(played[0].0, "5-searches-1-00000.bin");
    assert!(played == files(&folder.path().join("played-again")));
    let (policy, outcome) = labels(&played[0].1);
    assert!(!policy.is_empty());
    for (policy, outcome) in policy.iter().zip(&outcome) {
        assert!((policy - 1.0).abs() < 0.01 && (outcome - 1.0).abs() < 0.01, "{policy} {outcome}");
    }
    let bad = by_playouts("none", "0");
    let why = String::from_utf8(bad.stderr).unwrap();
    assert!(!bad.status.success() && why.contains("--visits 0 wants a teacher"), "{why}");

    // More games make a file longer that was short; with fewer it stays. Other options are refused.
    let more = |games, kept| {
        let args = ["selfplay", "--size", "5", "--visits", "20", "--out", "played"];
        tesuji(folder.path(), &[&args[..], &["--games", games, "--kept", kept]].concat())
    };
    for games in ["4", "3"] {
        let done = more(games, "0.3");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let longer = files(&folder.path().join("played"));
        assert_eq!(longer[0].1[24], 4, "games of the file");
        assert!(longer[0].1.len() > played[0].1.len());
        assert!(longer[0].1[32..].starts_with(&played[0].1[32..]));
    }
    let why = String::from_utf8(more("4", "0.3").stderr).unwrap();
    assert!(why.contains("1 of 1 files were there already"), "{why}");
    let bad = more("4", "0.4");
    let why = String::from_utf8(bad.stderr).unwrap();
    assert!(
        !bad.status.success() && why.contains("5-searches-1-00000.bin was made with other options"),
        "{why}"
    );
    // Seeds are told apart by all their digits.
    let beyond = make("beyond", &["--seed", "4294967297"]);
    assert!(bytes(&beyond) != bytes(&whole));

    let bad = tesuji(folder.path(), &["selfplay", "--teacher", "none.bin.gz", "--out", "bad"]);
    let why = String::from_utf8(bad.stderr).unwrap();
    assert!(!bad.status.success() && why.contains("cannot use none.bin.gz"), "{why}");
}

/// The features of the first positions of a file, as `patterns/src/network/sample.rs` writes them.
fn features(bytes: &[u8], count: usize) -> Vec<Features> {
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let (side, len) = (number(12), number(16));
    let size = BoardSize::square(side);
    let of = |record: &[u8]| {
        let mut features = Features::empty(size);
        let packed = size.area().div_ceil(8);
        for (plane, bits) in features.planes.iter_mut().zip(record.chunks(packed)) {
            plane.fill(0);
            for index in 0..size.area() {
                let bit = u64::from(bits[index / 8] >> (index % 8) & 1);
                plane[index / 64] |= bit << (index % 64);
            }
        }
        let numbers = record[22 * packed..].chunks(4);
        for (global, number) in features.globals.iter_mut().zip(numbers) {
            *global = f32::from_le_bytes(number.try_into().unwrap());
        }
        features
    };
    bytes[32..].chunks(len).take(count).map(of).collect()
}

/// What the chances of the likeliest moves come to in each position of a file, and those of winning and losing.
fn labels(bytes: &[u8]) -> (Vec<f32>, Vec<f32>) {
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let (area, len) = (number(12).pow(2), number(16));
    let at = 22 * area.div_ceil(8) + 76 + 48;
    let of = |record: &[u8]| {
        let shares = record[at..at + 48].chunks(2);
        let shares: u32 =
            shares.map(|share| u32::from(u16::from_le_bytes(share.try_into().unwrap()))).sum();
        let outcome = record[at + 50..at + 58].chunks(4);
        let outcome: f32 =
            outcome.map(|chance| f32::from_le_bytes(chance.try_into().unwrap())).sum();
        (shares as f32 / 65_535.0, outcome)
    };
    bytes[32..].chunks(len).map(of).unzip()
}

#[test]
fn the_engine_computes_what_the_training_program_does() {
    let has = Command::new("python3").args(["-c", "import torch, numpy"]).output();
    let has_system = Command::new("/usr/bin/python3").args(["-c", "import torch, numpy"]).output();
    let works = |done: &std::io::Result<Output>| done.as_ref().is_ok_and(|d| d.status.success());
    let python = match (works(&has), works(&has_system)) {
        (true, _) => "python3",
        (_, true) => "/usr/bin/python3",
        _ => return println!("skipped: there is no Python with PyTorch"),
    };
    let folder = folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for size in ["5", "9"] {
        let args = ["selfplay", "--teacher", "teacher.bin.gz", "--size", size, "--games", "20"];
        let done = tesuji(folder.path(), &[&args[..], &["--out", "data"]].concat());
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    let program = format!("{TRAINER}/train.py");
    let learn = |data: &str, out: &str, more: &[&str]| {
        let args = ["train", "network", "--data", data, "--validation", "data", "--out", out];
        let program = ["--program", &program, "--python", python];
        let shape = ["--", "--blocks", "3", "--channels", "16", "--shares", "5:0.5,9:0.5"];
        let batches = ["--batches", "5:32,9:32", "--frozen-after", "4", "--every", "4"];
        tesuji(folder.path(), &[&args[..], &program, &shape, &batches, more].concat())
    };
    for steps in ["4", "8"] {
        let done = learn("data", "out", &["--steps", steps]);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    let curve = fs::read_to_string(path("out/curve.csv")).unwrap();
    assert_eq!(curve.lines().count(), 3, "a head, and a row for each time: {curve}");
    let picture = fs::read_to_string(path("out/curve.svg")).unwrap();
    assert!(picture.contains("value error") && picture.contains("8 steps"), "{picture}");

    let file = NetworkFile::open(Path::new(&path("out/network.bin.gz"))).unwrap();
    assert_eq!(file.blocks(), [2, 1, 0]);
    for size in ["5", "9"] {
        let positions = path(&format!("data/{size}-games-1-00000.bin"));
        let mut say = Command::new(python);
        say.arg(format!("{TRAINER}/say.py"));
        let said = say.args([&path("out/checkpoint.pt"), &positions, "6"]).output().unwrap();
        let said: Value = serde_json::from_slice(&said.stdout)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&said.stderr)));
        let features = features(&fs::read(&positions).unwrap(), 6);
        let kernels = Kernels { level: simd::level(), numbers: Numbers::Float };
        let network = Network::new(&file, kernels);
        let mut outputs = vec![Outputs::default(); features.len()];
        network.evaluate(&mut network.worker(features[0].size, 2), &features, &mut outputs);
        for (said, found) in said.as_array().unwrap().iter().zip(&outputs) {
            let close = |name: &str, found: &[f32]| {
                let said = said[name].as_array().unwrap();
                assert_eq!(said.len(), found.len(), "{name}");
                for (said, found) in said.iter().zip(found) {
                    let said = said.as_f64().unwrap() as f32;
                    assert!(
                        (said - found).abs() < 2e-3 + 1e-3 * said.abs(),
                        "{name}: {said} {found}"
                    );
                }
            };
            close("policy", &found.policy);
            close("experts", &found.optimistic_policy);
            close("outcome", &found.outcome);
            close("misc", &found.misc);
            close("owners", &found.ownership);
        }
    }
    // Records that nobody was asked about are learned from too, in the word of a teacher who is asked meanwhile.
    fs::write(folder.path().join("game.sgf"), GAME).unwrap();
    let args = ["selfplay", "--size", "9", "--records", "game.sgf", "--out", "records"];
    let done = tesuji(folder.path(), &args);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let done =
        learn("records", "taught", &["--steps", "4", "--teacher", &path("out/network.bin.gz")]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let curve = fs::read_to_string(path("taught/curve.csv")).unwrap();
    let (head, row) = curve.split_once('\n').unwrap();
    let column = head.split(',').position(|name| name == "train9_value").unwrap();
    let loss: f32 = row.split(',').nth(column).unwrap().parse().unwrap();
    assert!((0.1..2.0).contains(&loss), "{curve}");
    // What a search found stands, whatever the teacher says.
    let args = ["selfplay", "--teacher", "teacher.bin.gz", "--size", "9", "--games", "10"];
    let done = tesuji(folder.path(), &[&args[..], &["--visits", "4", "--out", "deep"]].concat());
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let curve_of = |out: &str, more: &[&str]| {
        let done = learn("deep", out, &[&["--steps", "4"], more].concat());
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let curve = fs::read_to_string(path(&format!("{out}/curve.csv"))).unwrap();
        let losses = |line: &str| line.split(',').skip(2).map(str::to_owned).collect::<Vec<_>>();
        losses(curve.lines().nth(1).unwrap())
    };
    let teacher = path("out/network.bin.gz");
    assert_eq!(curve_of("alone", &[]), curve_of("beside", &["--teacher", &teacher]));
    let done = learn("nothing", "empty", &["--steps", "4"]);
    let why = String::from_utf8(done.stderr).unwrap();
    assert!(!done.status.success() && why.contains("no positions in nothing"), "{why}");
    // And it plays.
    let args = ["--network", "out/network.bin", "--playouts", "5", "--boardsize", "9"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(args).current_dir(folder.path());
    let answer = answer_to_genmove(command);
    assert!(answer.starts_with("= "), "{answer}");
}

/// What a program answers to `genmove b`.
fn answer_to_genmove(mut command: Command) -> String {
    use std::io::Write;
    use std::process::Stdio;
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"genmove b\n").unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}
