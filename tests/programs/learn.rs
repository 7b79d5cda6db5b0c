//! Learning on the real binary: bad records, bad files, Ctrl-C.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output};

fn tesuji(args: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tesuji")).args(args).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A legal game on 9x9 that differs with its number.
fn game(number: usize) -> String {
    let mut sgf = String::from("(;GM[1]SZ[9]");
    for (index, at) in (0..81).step_by(2).enumerate() {
        let at = (at * 16 + number * 7) % 81;
        let (col, row) = ((b'a' + (at % 9) as u8) as char, (b'a' + (at / 9) as u8) as char);
        if sgf.contains(&format!("[{col}{row}]")) {
            continue;
        }
        sgf += &format!(";{}[{col}{row}]", if index % 2 == 0 { 'B' } else { 'W' });
        if index > 20 {
            break;
        }
    }
    sgf + ")\n"
}

#[test]
fn bad_records_are_named_and_counted_and_stop_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let good: String = (0..60).map(game).collect();
    fs::create_dir(folder.path().join("in")).unwrap();
    fs::write(folder.path().join("in/good.sgf"), &good).unwrap();
    fs::write(folder.path().join("in/empty.sgf"), "").unwrap();
    fs::write(folder.path().join("in/notes.txt"), "no record").unwrap();
    let mut bad = b"(;GM[1]SZ[13];B[aa])\n(;GM[1]SZ[9];B[aa];W[aa])\n(;GM[1]SZ[9];B[a".to_vec();
    bad.extend(b"\n(;GM[1]CA[UTF-8]SZ[9]PB[\xff];B[aa])\n(;GM[1]SZ[9];B[zz])\n(;GM[1]SZ[9])\n");
    bad.extend(game(61).bytes());
    fs::write(folder.path().join("in/bad.sgf"), &bad).unwrap();

    let args = ["learn", "patterns", "in", "--size", "9", "--out", "t.bin", "--least", "2"];
    let done = tesuji(&args, folder.path());
    let told = text(&done.stderr);
    assert!(done.status.success(), "{told}");
    for line in [
        "in/bad.sgf, game 1, line 1: left out: a 13 board, not 9x9",
        "in/bad.sgf, game 2, line 2: left out: illegal move 2 at A9",
        "in/bad.sgf, game 3, line 3: left out: the game is cut short: a value is not closed by ']'",
        "in/bad.sgf, game 4, line 4: left out: the text is not valid UTF-8",
        "in/bad.sgf, game 5, line 5: left out: B[zz] is not a point of a 9 board",
        "in/bad.sgf, game 6, line 6: left out: no moves",
        "in/empty.sgf, game 1, line 1: left out: no game found",
        "left out: 7",
    ] {
        assert!(told.contains(line), "no '{line}' in:\n{told}");
    }
    let first = fs::read(folder.path().join("t.bin")).unwrap();
    assert!(tesuji(&args, folder.path()).status.success());
    assert_eq!(fs::read(folder.path().join("t.bin")).unwrap(), first);

    // The reports take the table, and say what is wrong with another file.
    let eval = ["patterns", "eval", "in/good.sgf", "--size", "9", "--part", "all", "--quiet"];
    let done = tesuji(&[&eval[..], &["--table", "t.bin"]].concat(), folder.path());
    assert!(done.status.success(), "{}", text(&done.stderr));
    for row in ["(1,1)", "(4,*)", "Katz, paper", "Katz, table", "predictor"] {
        assert!(text(&done.stdout).contains(row), "{}", text(&done.stdout));
    }
    let done = tesuji(&["patterns", "stats", "in/good.sgf", "--size", "9"], folder.path());
    assert!(text(&done.stdout).contains("(3,3)"), "{}", text(&done.stdout));
    let show = ["patterns", "show", "in/good.sgf", "--move", "5", "--table", "t.bin"];
    let shown = text(&tesuji(&show, folder.path()).stdout);
    assert!(
        shown.starts_with("after move 5, white to play, ") && shown.contains("(2,2)"),
        "{shown}"
    );
    // A position without moves is shown, too.
    fs::write(folder.path().join("set.sgf"), "(;SZ[9]AB[ee]PL[W])").unwrap();
    let show = ["patterns", "show", "set.sgf"];
    let shown = text(&tesuji(&[&show[..], &["--point", "C3"]].concat(), folder.path()).stdout);
    assert!(shown.starts_with("after move 0, white to play, about C3"), "{shown}");
    let refused = text(&tesuji(&show, folder.path()).stderr);
    assert!(refused.contains("no point was played on after move 0: name one"), "{refused}");
    let done = tesuji(&[&eval[..], &["--table", "in/notes.txt"]].concat(), folder.path());
    assert!(!done.status.success());
    assert!(
        text(&done.stderr).contains("in/notes.txt: not a TSJ-FREQ file"),
        "{}",
        text(&done.stderr)
    );
    let mut damaged = first.clone();
    damaged[100] ^= 1;
    fs::write(folder.path().join("t.bin"), damaged).unwrap();
    let done = tesuji(&[&eval[..], &["--table", "t.bin"]].concat(), folder.path());
    assert!(text(&done.stderr).contains("damaged"), "{}", text(&done.stderr));
}

/// The row of a model in what `patterns eval` prints.
fn row(report: &str, model: &str) -> String {
    let row = report.lines().find(|line| line.starts_with(model));
    // Without the time that it took, which is the seventh word after the name.
    let words = row.unwrap_or_else(|| panic!("no {model} in:\n{report}"))[model.len()..]
        .split_whitespace()
        .take(5)
        .collect::<Vec<_>>();
    words.join(" ")
}

#[test]
fn the_estimator_and_when_patterns_are_looked_at_are_options() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("good.sgf"), (0..60).map(game).collect::<String>()).unwrap();
    let run = |args: &[&str]| {
        let done = tesuji(args, folder.path());
        (done.status.success(), text(&done.stdout), text(&done.stderr))
    };
    let train = |out: &str, more: &[&str]| {
        let args =
            ["train", "patterns", "good.sgf", "--size", "9", "--out", out, "--min-count", "1"];
        let (good, _, told) = run(&[&args[..], more].concat());
        assert!(good, "{told}");
        fs::read(folder.path().join(out)).unwrap()
    };
    let plain = train("plain.bin", &[]);
    assert_eq!(train("same.bin", &["--discount", "good-turing:7", "--timing", "before"]), plain);
    let paper = ["--discount", "0", "--normaliser", "1", "--threshold", "0"];
    assert_ne!(train("paper.bin", &paper), plain);
    assert_ne!(train("after.bin", &["--timing", "after"]), plain);

    let eval = |table: &str, more: &[&str]| {
        let args = ["patterns", "eval", "good.sgf", "--size", "9", "--part", "all", "--quiet"];
        let (good, report, told) = run(&[&args[..], &["--table", table], more].concat());
        assert!(good, "{told}");
        report
    };
    let report = eval("paper.bin", &[]);
    assert_eq!(row(&report, "Katz, table"), row(&report, "Katz, paper"));
    assert!(!report.contains("Katz, asked"), "{report}");
    let report = eval("plain.bin", &paper);
    assert_eq!(row(&report, "Katz, asked"), row(&report, "Katz, paper"));
    assert_ne!(row(&report, "Katz, asked"), row(&report, "Katz, table"));
    let report = eval("plain.bin", &["--threshold", "0.9"]);
    assert_ne!(row(&report, "Katz, asked"), row(&report, "Katz, table"));

    for (option, value) in [
        ("--discount", "good-turing:0"),
        ("--discount", "1.5"),
        ("--normaliser", "own"),
        ("--threshold", "-1"),
        ("--timing", "during"),
    ] {
        let args = ["train", "patterns", "good.sgf", "--size", "9", "--out", "t.bin"];
        let (good, _, told) = run(&[&args[..], &[&format!("{option}={value}")]].concat());
        assert!(!good && told.contains(value) && told.contains(option), "{told}");
    }
}

#[test]
fn strengths_are_learned_and_measured_like_the_predictor() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("good.sgf"), (0..60).map(game).collect::<String>()).unwrap();
    for levels in ["all", "largest"] {
        let args = ["train", "bradley-terry", "good.sgf", "--size", "9", "--out", "s.bin"];
        let more = ["--part", "all", "--iterations", "3", "--min-count", "2", "--levels", levels];
        let done = tesuji(&[&args[..], &more].concat(), folder.path());
        let told = text(&done.stderr);
        assert!(done.status.success(), "{told}");
        assert!(told.contains("before iteration 4: log-likelihood -"), "{told}");
        let eval = ["patterns", "eval", "good.sgf", "--size", "9", "--part", "all", "--quiet"];
        let done = tesuji(&[&eval[..], &["--predictor", "s.bin"]].concat(), folder.path());
        let learned = row(&text(&done.stdout), "predictor");
        let done = tesuji(&eval, folder.path());
        assert_ne!(row(&text(&done.stdout), "predictor"), learned);
        // These games repeat each other: what was learned from them knows most moves.
        let first: f64 = learned.split('%').next().unwrap().trim().parse().unwrap();
        assert!(first > 50.0, "{levels}: {learned}");
    }
}

#[test]
fn what_cannot_be_read_or_written_is_said_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let learn = |paths: &[&str], out: &str| {
        let args = [&["learn", "patterns", "--size", "9", "--out", out], paths].concat();
        let done = tesuji(&args, folder.path());
        assert!(!done.status.success());
        text(&done.stderr)
    };
    assert!(learn(&["nowhere"], "t.bin").contains("nowhere does not exist"));
    fs::write(folder.path().join("one.sgf"), "(;GM[1]SZ[19];B[aa])").unwrap();
    assert!(learn(&["one.sgf"], "t.bin").contains("no game on a board of 9x9 was found"));
    fs::write(folder.path().join("one.sgf"), game(1)).unwrap();
    assert!(learn(&["one.sgf"], "none/t.bin").contains("cannot write none/t.bin"));
    if Path::new("/dev/full").exists() {
        assert!(learn(&["one.sgf"], "/dev/full").contains("cannot write /dev/full"));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_joseki_move_is_listed_once() {
    let folder = tempfile::tempdir().unwrap();
    // Corners that are their own mirror images, and moves between two corners.
    fs::write(folder.path().join("open.sgf"), "(;GM[1]SZ[19];B[dd];W[pp];B[dp];W[pd];B[jp])")
        .unwrap();
    for moves in ["0", "1", "2", "3", "5"] {
        let args = ["joseki", "show", "open.sgf", "--move", moves];
        let shown = text(&tesuji(&args, folder.path()).stdout);
        assert!(shown.starts_with(&format!("after move {moves}, ")), "{shown}");
        let rows = shown.lines().filter(|row| row.starts_with("  ") && row.contains('%'));
        let mut points: Vec<&str> = rows
            .flat_map(|row| row.split_whitespace().take_while(|word| !word.contains('%')))
            .collect();
        assert!(points.len() > 20, "{shown}");
        points.sort_unstable();
        let twice = points.windows(2).find(|pair| pair[0] == pair[1]);
        assert_eq!(twice, None, "{shown}");
    }
    let shown = text(&tesuji(&["joseki", "show", "open.sgf", "--move", "0"], folder.path()).stdout);
    assert!(shown.contains("  D3 C4  ") || shown.contains("  C4 D3  "), "{shown}");
}

/// The example of Yue, Li and Qiu, as a record: Black on (3,5) (4,4) (7,3) of the upper right corner.
const EXAMPLE: &str = "(;GM[1]SZ[19]AB[qe][pd][mc]AW[qf][qi][pf])\n";

#[test]
fn joseki_are_learned_shown_and_written_as_a_tree() {
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| {
        let done = tesuji(&[&["joseki"], args].concat(), folder.path());
        assert!(done.status.success(), "{args:?}: {}", text(&done.stderr));
        text(&done.stdout)
    };
    fs::write(folder.path().join("example.sgf"), EXAMPLE).unwrap();
    let code = run(&["code", "example.sgf", "--corner", "upper-right"]);
    for row in [
        ["black", "1", "159766464", "15", "159766479"],
        ["white", "4", "354200", "8", "1416808"],
        ["both", "12", "102516814400", "35", "1230201772835"],
    ] {
        let words = |line: &str| line.split_whitespace().eq(row);
        assert!(code.lines().any(words), "no {row:?} in:\n{code}");
    }
    assert!(code.contains("S 3483223225763992904"), "{code}");
    assert!(!code.contains("lower"), "{code}");
    assert_eq!(run(&["code", "example.sgf"]).matches("S ").count(), 4);

    // Ten games with one beginning, and bad ones among them.
    let opening = ";B[pd];W[dp];B[pq];W[dd];B[fc];W[cf];B[db];W[cc];B[ic]";
    let games: String =
        (0..10).map(|n| format!("(;SZ[19]DT[{}]RE[B+R]{opening})", 2010 + n)).collect();
    fs::write(folder.path().join("games.sgf"), games + "(;SZ[19];B[aa];W[aa])(;SZ[9];B[ee])")
        .unwrap();
    let learn = ["learn", "joseki", "games.sgf", "--out", "j.bin", "--part", "all"];
    let done = tesuji(&learn, folder.path());
    let told = text(&done.stderr);
    assert!(done.status.success(), "{told}");
    assert!(told.contains("game 11, line 1: left out: illegal move 2"), "{told}");
    assert!(told.contains("left out: 2"), "{told}");
    assert!(text(&done.stdout).contains("keys shared by different positions: 0"));
    let bytes = fs::read(folder.path().join("j.bin")).unwrap();
    assert!(tesuji(&learn, folder.path()).status.success());
    assert_eq!(fs::read(folder.path().join("j.bin")).unwrap(), bytes);

    let shown = run(&["show", "games.sgf", "--move", "5", "--machine", "j.bin"]);
    assert!(shown.starts_with("after move 5, white to play\n"), "{shown}");
    let answer = ["C14", "100.0%", "10", "3", "0.0%"];
    assert!(shown.lines().any(|line| line.split_whitespace().eq(answer)), "{shown}");
    assert!(run(&["show", "games.sgf", "--corner", "upper-left"]).contains("upper left"));
    let told =
        run(&["eval", "games.sgf", "--machine", "j.bin", "--part", "all", "--size", "19", "-q"]);
    assert!(told.contains("since 2017"), "{told}");
    let figures = run(&["stats", "games.sgf", "--moves", "20", "-q"]);
    assert!(figures.contains("paper's code") && figures.contains("10 games, "), "{figures}");

    let told = run(&["export", "--machine", "j.bin", "--min-count", "5", "--out", "tree.sgf"]);
    assert!(told.contains("tree.sgf"), "{told}");
    let tree = fs::read(folder.path().join("tree.sgf")).unwrap();
    let mut games = game_record::Games::new(&tree);
    let game = games.next().unwrap().unwrap();
    let record = game_record::Record::read(&game).unwrap();
    assert!(games.next().is_none() && record.moves().count() > 1);
    assert_eq!(text(&tree), run(&["export", "--machine", "j.bin", "--min-count", "5"]));

    // What cannot be read is said.
    for (args, why) in [
        (&["show", "games.sgf", "--move", "99"][..], "games.sgf has 9 moves, not 99"),
        (&["show", "games.sgf", "--game", "99"], "games.sgf has no game 99"),
        (&["show", "none.sgf"], "cannot read none.sgf"),
        (&["show", "games.sgf", "--game", "12"], "there is none on a 9 x 9 board"),
        (&["code", "games.sgf", "--corner", "middle"], "'middle' is none of lower-left"),
        (&["export", "--machine", "games.sgf"], "cannot use games.sgf: not a TSJ-JSKI file"),
        (&["export", "--out", "none/tree.sgf"], "cannot write none/tree.sgf"),
        (&["stats", "games.sgf", "--size", "9"], "there is none on a 9 x 9 board"),
    ] {
        let done = tesuji(&[&["joseki"], args].concat(), folder.path());
        assert!(!done.status.success(), "{args:?}");
        assert!(text(&done.stderr).contains(why), "{args:?}: {}", text(&done.stderr));
    }
}

/// Waits until a program listens for Ctrl-C, which a busy machine lets it do late; where that cannot be seen, a while.
#[cfg(unix)]
fn until_it_listens(process: u32) {
    use crate::common::PATIENCE;
    use std::time::{Duration, Instant};
    const INTERRUPT: u64 = 1 << 1;
    let listens = |status: &str| {
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        caught
            .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
            .map(|m| m & INTERRUPT != 0)
    };
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        match listens(&status) {
            Some(true) => return,
            Some(false) => std::thread::sleep(Duration::from_millis(5)),
            None => return std::thread::sleep(Duration::from_secs(2)),
        }
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_no_half_written_table() {
    use std::time::Duration;
    let folder = tempfile::tempdir().unwrap();
    let many: String = (0..81).cycle().take(40_000).map(game).collect();
    fs::write(folder.path().join("many.sgf"), many).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(["learn", "patterns", "many.sgf", "--size", "9", "--part", "all", "--out", "t.bin"])
        .current_dir(folder.path())
        .spawn()
        .unwrap();
    until_it_listens(child.id());
    std::thread::sleep(Duration::from_millis(300));
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signal.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn ctrl_c_while_records_are_read_leaves_what_was_learned_before() {
    let folder = tempfile::tempdir().unwrap();
    let counted = |number| game(number).replace("SZ[9]", "SZ[9]KM[0]RE[B+1]");
    let many: String = (0..81).cycle().take(40_000).map(counted).collect();
    fs::write(folder.path().join("many.sgf"), many).unwrap();
    fs::write(folder.path().join("t.bin"), "learned before").unwrap();
    for what in ["influence", "moves"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
            .args(["train", what, "many.sgf", "--size", "9", "--out", "t.bin"])
            .current_dir(folder.path())
            .spawn()
            .unwrap();
        until_it_listens(child.id());
        let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(signal.unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{what}");
        assert_eq!(fs::read(folder.path().join("t.bin")).unwrap(), b"learned before", "{what}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_fitting_and_the_measuring_of_models() {
    use crate::common::PATIENCE;
    use std::time::{Duration, Instant};
    let folder = tempfile::tempdir().unwrap();
    // White passes, and all becomes Black's.
    let counted = |number: usize| {
        let moves = (0..41).map(|at| {
            let at = (2 * at + number * 6) % 82 % 81;
            format!(
                ";B[{}{}];W[]",
                char::from(b'a' + (at % 9) as u8),
                char::from(b'a' + (at / 9) as u8)
            )
        });
        format!("(;GM[1]SZ[9]KM[0]RE[B+81]{})\n", moves.collect::<String>())
    };
    let many: String = (0..41).cycle().take(400).map(counted).collect();
    fs::write(folder.path().join("many.sgf"), many).unwrap();
    for (what, part) in [("--fit", &[][..]), ("--eval", &["--part", "all"])] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
            .args(["estimate", "--size", "9", "--games", "400"])
            .args(part)
            .args([what, "many.sgf"])
            .current_dir(folder.path())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        until_it_listens(child.id());
        let stderr = child.stderr.take().unwrap();
        // It says how many games there are, and begins.
        let said = BufReader::new(stderr).lines().map_while(Result::ok);
        assert!(said.into_iter().any(|line| line.contains("were counted at the end")));
        let begun = Instant::now();
        let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(signal.unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{what}");
        assert!(begun.elapsed() < PATIENCE.min(Duration::from_secs(10)), "{what}");
    }
}

#[test]
fn of_games_without_a_position_to_learn_from_no_influence_is_learned() {
    let folder = tempfile::tempdir().unwrap();
    let one = "(;SZ[5]KM[0]RE[B+25];B[cc])(;SZ[5]KM[0]RE[B+25];B[cc];W[])";
    fs::write(folder.path().join("short.sgf"), one).unwrap();
    let args = ["train", "influence", "short.sgf", "--size", "5", "--out", "t.bin"];
    let done = tesuji(&args, folder.path());
    let told = text(&done.stderr);
    assert!(!done.status.success() && told.contains("too short to learn from"), "{told}");
    assert!(!folder.path().join("t.bin").exists());
}
