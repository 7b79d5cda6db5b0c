//! Long jobs in parts: what is merged has the same bytes for every number of parts.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const GO: &str = env!("CARGO_BIN_EXE_tesuji");
const CONNECT6: &str = env!("CARGO_BIN_EXE_tesuji-connect6");
const AMAZONS: &str = env!("CARGO_BIN_EXE_tesuji-amazons");

fn run(program: &str, folder: &Path, args: &[&str]) -> Output {
    Command::new(program)
        .args(args)
        .current_dir(folder)
        .env_remove("SLURM_ARRAY_TASK_ID")
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn done(program: &str, folder: &Path, args: &[&str]) -> String {
    let output = run(program, folder, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn refused(program: &str, folder: &Path, args: &[&str]) -> String {
    let output = run(program, folder, args);
    assert!(!output.status.success(), "{args:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Does all parts of a job in a folder of their own, the last first, and puts them together.
fn in_parts(program: &str, folder: &Path, parts: u32, args: &[&str]) {
    fs::create_dir(folder).unwrap();
    for part in (1..=parts).rev() {
        let shard = format!("{part}/{parts}");
        done(program, folder, &[args, &["--shard", &shard]].concat());
    }
    done(program, folder, &[args, &["--merge"]].concat());
}

/// The bytes of a job's file, which are the same for one, three and eight parts.
fn merged(program: &str, file: &str, args: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let of = |parts: u32| {
        let folder = folder.path().join(parts.to_string());
        in_parts(program, &folder, parts, args);
        fs::read(folder.join(file)).unwrap()
    };
    let whole = of(1);
    assert!(!whole.is_empty());
    assert!(of(3) == whole && of(8) == whole, "{args:?}");
    whole
}

#[test]
fn games_against_itself_are_shared_out_by_their_seeds() {
    let args =
        ["selfplay", "--output", "games.tsv", "--games", "5", "--visits", "5", "--threads", "2"];
    let merged_games = merged(CONNECT6, "games.tsv", &args);
    assert_eq!(String::from_utf8(merged_games).unwrap().lines().count(), 6);
    merged(AMAZONS, "games.tsv", &args);
}

#[test]
fn a_part_that_was_stopped_goes_on_and_one_that_is_missing_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let args = ["selfplay", "--output", "g", "--games", "4", "--visits", "5"];
    let with = |more: &[&'static str]| [&args[..], more].concat();
    done(AMAZONS, folder.path(), &with(&["--shard", "1/2"]));
    let why = refused(AMAZONS, folder.path(), &with(&["--merge"]));
    assert!(why.contains("of 2 parts these are missing: 2"), "{why}");
    done(AMAZONS, folder.path(), &with(&["--shard", "2/2"]));
    done(AMAZONS, folder.path(), &with(&["--merge"]));
    let whole = fs::read(at("g")).unwrap();
    // As a task leaves it that was killed in the middle of a line.
    let part = fs::read(at("g.part-2-of-2")).unwrap();
    fs::write(at("g.part-2-of-2"), &part[..part.len() / 2 + 9]).unwrap();
    let why = refused(AMAZONS, folder.path(), &with(&["--merge"]));
    assert!(why.contains("of 4 games are not played yet"), "{why}");
    done(AMAZONS, folder.path(), &with(&["--shard", "2/2"]));
    done(AMAZONS, folder.path(), &with(&["--merge"]));
    assert!(fs::read(at("g")).unwrap() == whole);
}

#[test]
fn slurms_arrays_say_which_part_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["selfplay", "--output", "g", "--games", "2", "--visits", "5", "--shard", "auto"];
    let why = refused(AMAZONS, folder.path(), &args);
    assert!(why.contains("SLURM_ARRAY_TASK_ID"), "{why}");
    // Tasks 3 to 7, every second.
    for task in ["3", "5", "7"] {
        let status = Command::new(AMAZONS)
            .args(args)
            .current_dir(folder.path())
            .env("SLURM_ARRAY_TASK_ID", task)
            .env("SLURM_ARRAY_TASK_COUNT", "3")
            .env("SLURM_ARRAY_TASK_MIN", "3")
            .env("SLURM_ARRAY_TASK_STEP", "2")
            .status()
            .unwrap();
        assert!(status.success());
    }
    for part in 1..=3 {
        assert!(folder.path().join(format!("g.part-{part}-of-3")).exists());
    }
}

#[test]
fn a_job_of_slurm_keeps_within_its_memory() {
    let memory_with = |name: &str, given: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji-amazons"));
        command.env_remove("SLURM_MEM_PER_NODE").env_remove("SLURM_MEM_PER_CPU");
        let mut child = command
            .env("SLURM_CPUS_PER_TASK", "2")
            .env(name, given)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(b"kata-get-param max_memory\n").unwrap();
        let answer = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
        answer.trim_start_matches('=').trim().parse::<u64>().unwrap()
    };
    assert_eq!(memory_with("SLURM_MEM_PER_NODE", "200"), 150);
    assert_eq!(memory_with("SLURM_MEM_PER_CPU", "100"), 150);
    assert_eq!(memory_with("SLURM_MEM_PER_NODE", "16000"), 512);
    assert_eq!(memory_with("SLURM_MEM_PER_NODE", "0"), 512);
}

/// Some games of Go as records, several in a file.
fn records(folder: &Path) {
    let mut all = String::new();
    for game in 0..40u8 {
        all += "(;SZ[19]RE[B+R]DT[2020]";
        for (at, point) in ["dd", "pp", "dp", "pd", "cf", "fc", "nq", "qn", "jj"].iter().enumerate()
        {
            let color = if at % 2 == 0 { 'B' } else { 'W' };
            // Games differ from some move on.
            let column = if at > usize::from(game % 7) {
                (b'e' + game % 5) as char
            } else {
                point.chars().next().unwrap()
            };
            all += &format!(";{color}[{column}{}]", (b'b' + at as u8 * 2) as char);
        }
        all += ")\n";
    }
    fs::write(folder.join("games.sgf"), all).unwrap();
}

#[test]
fn joseki_are_counted_in_parts() {
    let records_folder = tempfile::tempdir().unwrap();
    records(records_folder.path());
    let games = records_folder.path().join("games.sgf");
    let args = [
        "train",
        "joseki",
        games.to_str().unwrap(),
        "--out",
        "joseki.bin",
        "--part",
        "all",
        "--min-state",
        "1",
        "--min-count",
        "1",
    ];
    let in_one = merged(GO, "joseki.bin", &args);
    // Nor does it matter whether there are parts at all.
    let folder = tempfile::tempdir().unwrap();
    done(GO, folder.path(), &args);
    assert!(fs::read(folder.path().join("joseki.bin")).unwrap() == in_one);
    done(GO, folder.path(), &[&args[..], &["--shard", "1/1"]].concat());
    let why = refused(GO, folder.path(), &[&args[..], &["--merge", "--moves", "7"]].concat());
    assert!(why.contains("another --size, --moves"), "{why}");
    fs::write(folder.path().join("joseki.bin.part-1-of-1"), "no counts").unwrap();
    let why = refused(GO, folder.path(), &[&args[..], &["--merge"]].concat());
    assert!(why.contains("joseki.bin.part-1-of-1: not a TSJ-JOSC file"), "{why}");
}

#[test]
fn patterns_are_counted_in_parts_in_two_steps() {
    let records_folder = tempfile::tempdir().unwrap();
    records(records_folder.path());
    let games = records_folder.path().join("games.sgf");
    let with = |more: &[&str]| {
        let common =
            ["train", "patterns", games.to_str().unwrap(), "--out", "p.bin", "--part", "all"];
        [&common[..], more].concat().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let args = with(&["--min-count", "2"]);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let folder = tempfile::tempdir().unwrap();
    done(GO, folder.path(), &args);
    let whole = fs::read(folder.path().join("p.bin")).unwrap();
    for parts in [1, 3, 8] {
        let folder = tempfile::tempdir().unwrap();
        let part = |part: u32| {
            let shard = format!("{part}/{parts}");
            run(GO, folder.path(), &[&args[..], &["--shard", &shard]].concat())
        };
        (1..=parts).for_each(|number| assert!(part(number).status.success()));
        // Run again by mistake, or requeued: the second step.
        (1..=parts).for_each(|number| assert!(part(number).status.success()));
        assert!(part(1).status.success());
        done(GO, folder.path(), &[&args[..], &["--merge"]].concat());
        assert!(fs::read(folder.path().join("p.bin")).unwrap() == whole, "{parts} parts");
        let other = with(&["--min-count", "3", "--merge"]);
        let other: Vec<&str> = other.iter().map(String::as_str).collect();
        let why = refused(GO, folder.path(), &other);
        assert!(why.contains("not counted alike"), "{why}");
    }
    let folder = tempfile::tempdir().unwrap();
    let first = [&args[..], &["--shard", "1/2"]].concat();
    done(GO, folder.path(), &first);
    let why = refused(GO, folder.path(), &first);
    assert!(why.contains("of 2 parts these are missing: 2"), "{why}");
    let second = [&args[..], &["--shard", "2/2"]].concat();
    done(GO, folder.path(), &second);
    done(GO, folder.path(), &first);
    // Other games under the same name, as many as there were.
    let text = fs::read_to_string(&games).unwrap();
    fs::write(&games, text.replace("B[db]", "B[qb]")).unwrap();
    let why = refused(GO, folder.path(), &second);
    assert!(why.contains("was counted from other games (20) than there are now (20)"), "{why}");
    fs::write(&games, text).unwrap();
    done(GO, folder.path(), &second);
    done(GO, folder.path(), &[&args[..], &["--merge"]].concat());
    assert!(fs::read(folder.path().join("p.bin")).unwrap() == whole);
}

#[test]
fn a_match_is_shared_out_by_pairs_of_games() {
    let folder = tempfile::tempdir().unwrap();
    let engine = |name: &str, playouts: u32| {
        format!(
            "[[player]]\nname = {name:?}\ncommand = '\"{GO}\" --network none --threads 1 --boardsize 5 --playouts {playouts}'\n"
        )
    };
    let file =
        format!("games = 6\nsize = 5\nopenings.random = 2\n{}{}", engine("a", 20), engine("b", 5));
    fs::write(folder.path().join("m.toml"), &file).unwrap();
    let outcomes = |parts: u32| {
        let dir = format!("m{parts}");
        for part in 1..=parts {
            let shard = format!("{part}/{parts}");
            done(GO, folder.path(), &["match", "m.toml", "--dir", &dir, "--shard", &shard]);
        }
        let table = done(GO, folder.path(), &["match", "report", &dir]);
        assert!(table.contains(" of 6\n"), "{table}");
        fs::read_to_string(folder.path().join(dir).join("outcomes.csv")).unwrap()
    };
    let whole = outcomes(1);
    assert_eq!(whole.lines().count(), 7);
    assert_eq!(outcomes(3), whole);
    // A test that has decided ends all parts: none begins another game.
    fs::write(folder.path().join("s.toml"), format!("{file}[sprt]\nelo0 = 0\nelo1 = 10\n"))
        .unwrap();
    let part =
        |shard| done(GO, folder.path(), &["match", "s.toml", "--dir", "s", "--shard", shard]);
    part("1/3");
    let lines = |part| {
        let file = format!("s/results-{part}-of-3.jsonl");
        fs::read_to_string(folder.path().join(file)).unwrap().lines().count()
    };
    fs::write(folder.path().join("s/decided"), "elo1 of 0,10,0.05,0.05\n").unwrap();
    part("2/3");
    assert_eq!(lines(2), 1);
    // One with other bounds ends nothing.
    fs::write(folder.path().join("s/decided"), "elo1 of 0,400,0.05,0.05\n").unwrap();
    part("3/3");
    assert_eq!(lines(3), 3);
}

#[test]
fn a_folder_is_reviewed_in_parts() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    for name in ["a", "b", "c"] {
        let game = format!("(;SZ[9]GN[{name}];B[ee];W[cc];B[gc])");
        fs::write(folder.path().join(format!("in/{name}.sgf")), game).unwrap();
    }
    let args = ["review", "in", "--playouts", "20", "--network", "none", "--out"];
    done(GO, folder.path(), &[&args[..], &["whole"]].concat());
    for shard in ["3/3", "1/3"] {
        done(GO, folder.path(), &[&args[..], &["parts", "--shard", shard]].concat());
    }
    let why = refused(GO, folder.path(), &[&args[..], &["parts", "--merge"]].concat());
    assert!(why.contains("not reviewed yet: 1 game, the first is b"), "{why}");
    done(GO, folder.path(), &[&args[..], &["parts", "--shard", "2/3"]].concat());
    // A part without a game has nothing to do.
    done(GO, folder.path(), &[&args[..], &["parts", "--shard", "5/5"]].concat());
    assert!(!folder.path().join("parts/index.html").exists());
    done(GO, folder.path(), &[&args[..], &["parts", "--merge"]].concat());
    for file in ["index.html", "moves.csv", "a.html", "b.sgf", "c.json"] {
        let of = |dir: &str| fs::read(folder.path().join(dir).join(file)).unwrap();
        assert!(of("whole") == of("parts"), "{file}");
    }
}

#[test]
fn a_network_is_evaluated_in_parts() {
    let records_folder = tempfile::tempdir().unwrap();
    records(records_folder.path());
    let games = records_folder.path().join("games.sgf");
    let games = games.to_str().unwrap();
    let args = ["eval", games, "--part", "all", "--games", "11", "--turns", "2", "--out", "e.txt"];
    let in_parts = merged(GO, "e.txt", &args);
    let folder = tempfile::tempdir().unwrap();
    done(GO, folder.path(), &args);
    assert!(fs::read(folder.path().join("e.txt")).unwrap() == in_parts);
    // To standard output without a file.
    let printed = done(GO, folder.path(), &args[..args.len() - 2]);
    assert!(printed.as_bytes() == in_parts, "{printed}");
    assert!(printed.starts_with("11 games, 22 positions\n"), "{printed}");
    let with = |more: &[&'static str]| [&args[..], more].concat();
    done(GO, folder.path(), &with(&["--shard", "1/2"]));
    let why = refused(GO, folder.path(), &with(&["--merge"]));
    assert!(why.contains("of 2 parts these are missing: 2"), "{why}");
    done(GO, folder.path(), &with(&["--shard", "2/2"]));
    let mut other = with(&["--merge"]);
    other[7] = "3";
    let why = refused(GO, folder.path(), &other);
    assert!(why.contains("e.txt.part-1-of-2 was made otherwise"), "{why}");
    // Other games under the same name.
    let text = fs::read_to_string(games).unwrap();
    fs::write(games, text.replace("RE[B", "RE[W")).unwrap();
    let why = refused(GO, folder.path(), &with(&["--merge"]));
    assert!(why.contains("e.txt.part-1-of-2 was made otherwise"), "{why}");
    fs::write(games, text).unwrap();
    let mut small = args;
    small[1] = "good.sgf";
    let good = folder.path().join("good.sgf");
    fs::write(&good, "(;GM[1]SZ[7]KM[7]RE[B+R];B[dd];W[cc];B[ce];W[ee])").unwrap();
    let why = refused(GO, folder.path(), &[&small[..], &["--size", "7"]].concat());
    assert!(why.contains("built-in does not know boards of 7x7"), "{why}");
    fs::write(folder.path().join("e.txt.part-2-of-2"), "{}").unwrap();
    let why = refused(GO, folder.path(), &with(&["--merge"]));
    assert!(why.contains("e.txt.part-2-of-2 is no part of an evaluation"), "{why}");
    let without = [&args[..args.len() - 2], &["--shard", "1/2"]].concat();
    let why = refused(GO, folder.path(), &without);
    assert!(why.contains("--shard needs --out"), "{why}");
}
