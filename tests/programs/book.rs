//! The opening book of Go: made in one go, in parts or with interruptions, shown, and played from.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::common::Program;

/// A book that is made in no time.
const SMALL: [&str; 12] = [
    "book",
    "make",
    "--out",
    "b.bin",
    "--visits",
    "20",
    "--batch",
    "5",
    "--max-memory",
    "32",
    "--positions",
    "2",
];

fn tesuji(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn done(folder: &Path, args: &[&str]) -> String {
    let output = tesuji(folder, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn refused(folder: &Path, args: &[&str]) -> String {
    let output = tesuji(folder, args);
    assert!(!output.status.success() && output.stdout.is_empty(), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn make<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&SMALL[..], more].concat()
}

/// A book of at least so many positions, made in one go.
fn whole(entries: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    done(folder.path(), &make(&["--entries", entries]));
    let left = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 1, "nothing but the book is left");
    fs::read(folder.path().join("b.bin")).unwrap()
}

#[test]
fn a_book_is_the_same_by_whatever_way_it_is_made() {
    let (at_once, smaller) = (whole("24"), whole("12"));
    assert_ne!(at_once, smaller);

    let folder = tempfile::tempdir().unwrap();
    let (folder, book) = (folder.path(), folder.path().join("b.bin"));
    // A smaller one grows; one thing after another.
    fs::write(&book, &smaller).unwrap();
    done(folder, &make(&["--entries", "24"]));
    assert_eq!(fs::read(&book).unwrap(), at_once);
    done(folder, &make(&["--entries", "24"]));
    assert_eq!(fs::read(&book).unwrap(), at_once, "there is nothing more to do");

    // In parts, now two and now three, and one of them by itself in between.
    fs::write(&book, &smaller).unwrap();
    let mut parts = [2, 1, 3].into_iter().cycle();
    for round in 0.. {
        assert!(round < 20);
        let count = parts.next().unwrap();
        let mut told = String::new();
        for part in (1..=count).rev() {
            told = done(folder, &make(&["--entries", "24", "--shard", &format!("{part}/{count}")]));
        }
        if told.starts_with("b.bin: ") {
            break;
        }
        done(folder, &make(&["--entries", "24", "--merge"]));
    }
    assert_eq!(fs::read(&book).unwrap(), at_once);

    // A part that was done, as after an interruption, and one that was cut.
    for cut in [false, true] {
        fs::write(&book, &smaller).unwrap();
        done(folder, &make(&["--entries", "24", "--shard", "1/1"]));
        let part = folder.join("b.bin.part-1-of-1");
        if cut {
            let bytes = fs::read(&part).unwrap();
            fs::write(&part, &bytes[..bytes.len() / 2]).unwrap();
        }
        done(folder, &make(&["--entries", "24"]));
        assert_eq!(fs::read(&book).unwrap(), at_once);
        assert!(!part.exists());
    }
}

#[test]
fn parts_of_another_round_are_not_taken() {
    let folder = tempfile::tempdir().unwrap();
    let (folder, entries) = (folder.path(), ["--entries", "12"]);
    done(folder, &make(&["--entries", "1"]));
    let why = refused(folder, &make(&[&entries[..], &["--merge"]].concat()));
    assert!(why.contains("has no parts beside it"), "{why}");
    done(folder, &make(&[&entries[..], &["--shard", "1/2"]].concat()));
    let why = refused(folder, &make(&[&entries[..], &["--merge"]].concat()));
    assert!(why.contains("of 2 parts these are missing: 2"), "{why}");
    let old = fs::read(folder.join("b.bin.part-1-of-2")).unwrap();
    done(folder, &make(&[&entries[..], &["--shard", "2/2"]].concat()));
    done(folder, &make(&[&entries[..], &["--merge"]].concat()));
    // As a task leaves it that began before the merge and ended after it.
    fs::write(folder.join("b.bin.part-1-of-1"), old).unwrap();
    let why = refused(folder, &make(&[&entries[..], &["--merge"]].concat()));
    assert!(why.contains("b.bin.part-1-of-1 is of another round"), "{why}");
}

#[test]
fn a_book_without_more_moves_has_no_next_round() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // Searches of one visit know one move each, so the book is one line, up to where the search passes.
    let line =
        ["book", "make", "--out", "b.bin", "--size", "5", "--network", "none", "--visits", "1"];
    let args = |more: &[&'static str]| {
        [&line[..], &["--max-memory", "32", "--positions", "1", "--entries", "1000"], more].concat()
    };
    assert!(done(folder, &args(&[])).ends_with("deep; no move of theirs leads to another one\n"));
    for more in [&["--merge"][..], &["--shard", "1/2"]] {
        let told = done(folder, &args(more));
        assert!(told.starts_with("b.bin: ") && !told.contains("the next round"), "{told}");
    }
}

#[test]
fn a_book_for_rules_without_a_name_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let rules = "koSIMPLEscoreAREAtaxNONEsui1whb0";
    done(folder.path(), &make(&["--entries", "2", "--rules", rules]));
    let told = done(folder.path(), &["book", "show", "--book", "b.bin"]);
    assert!(told.contains("9x9, custom rules"), "{told}");
    done(folder.path(), &make(&["--entries", "4", "--rules", rules]));
}

#[cfg(unix)]
#[test]
fn an_interrupted_book_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("b.bin");
    let args = make(&["--entries", "100000"]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(args)
        .current_dir(folder.path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let began = std::time::Instant::now();
    while !book.exists() {
        assert!(began.elapsed() < crate::common::PATIENCE);
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signal.success());
    let code = child.wait().unwrap().code();
    assert_eq!(code, Some(130));
    let told = done(folder.path(), &["book", "show", "--book", "b.bin"]);
    let count: u32 =
        told.split(" positions").next().unwrap().rsplit(' ').next().unwrap().parse().unwrap();
    let more = (count + 8).to_string();
    done(folder.path(), &make(&["--entries", &more]));
    assert_eq!(fs::read(&book).unwrap(), whole(&more));
}

#[test]
fn what_is_no_book_or_another_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let at = |name: &str| folder.join(name);
    done(folder, &make(&["--entries", "3"]));
    let bytes = fs::read(at("b.bin")).unwrap();
    fs::write(at("cut.bin"), &bytes[..bytes.len() - 3]).unwrap();
    fs::write(at("foreign.bin"), "(;GM[1]SZ[9])").unwrap();
    let mut newer = bytes.clone();
    newer[8] = 2;
    fs::write(at("newer.bin"), newer).unwrap();
    let mut program =
        Program::start_in(folder, &["--boardsize", "9", "--book", "b.bin", "--threads", "1"]);
    for (file, wanted) in [
        ("cut.bin", "cannot use cut.bin as an opening book: the file is damaged"),
        ("foreign.bin", "cannot use foreign.bin as an opening book: not a TESUBOOK file"),
        ("newer.bin", "version 2 of the file format; this program reads version 1"),
        ("none.bin", "cannot read none.bin"),
    ] {
        for args in [&["--book", file][..], &["book", "show", "--book", file]] {
            let why = refused(folder, args);
            assert!(why.contains(wanted), "{why}");
        }
        let why = program.ask(&format!("tesuji-param book {file}"));
        assert!(why.starts_with('?') && why.contains(wanted), "{why}");
    }
    assert!(program.ok("tesuji-param").contains("book b.bin"), "the one that it had stays");
    // What is there is not written over by something else.
    for (option, value) in
        [("--visits", "30"), ("--komi", "6.5"), ("--network", "none"), ("--rules", "japanese")]
    {
        let args =
            ["book", "make", "--out", "b.bin", "--batch", "5", "--entries", "9", option, value];
        let args = if option == "--visits" {
            args.to_vec()
        } else {
            [&args[..], &["--visits", "20"]].concat()
        };
        let why = refused(folder, &args);
        assert!(
            why.contains("b.bin is a book for 9x9, chinese rules, komi 7.5, 20 visits"),
            "{why}"
        );
    }
    assert_eq!(fs::read(at("b.bin")).unwrap(), bytes);
    let why = refused(folder, &["book", "show", "--book", "b.bin", "E5", "E5"]);
    assert!(why.contains("move 2: there is a stone on E5"), "{why}");
    let why = refused(folder, &["book", "show", "--book", "b.bin", "--komi", "3"]);
    assert!(why.contains("has no such book, but: 9x9, chinese rules, komi 7.5"), "{why}");
}

/// The move of a program on the empty board, and whether it is the book's.
fn first_move(options: &[&str]) -> (String, bool) {
    let more = ["--boardsize", "9", "--threads", "1", "--playouts", "30"];
    let mut program = Program::start(&[&more[..], options].concat());
    let mv = program.ok("genmove b");
    (mv, program.ok("gomill-explain_last_move").contains("from the opening book"))
}

#[test]
fn the_book_is_played_from_at_full_strength_only() {
    assert!(first_move(&["--seed", "3"]).1);
    assert_eq!(first_move(&["--seed", "3"]), first_move(&["--seed", "3"]));
    assert!(!first_move(&["--book", "off"]).1);
    assert!(first_move(&["--komi", "7"]).1);
    assert!(!first_move(&["--komi", "5.5"]).1);
    assert!(!first_move(&["--rules", "japanese"]).1);
    let mut program = Program::start(&["--boardsize", "9", "--threads", "1", "--level", "1"]);
    program.ok("genmove b");
    assert!(!program.ok("gomill-explain_last_move").contains("opening book"));
    // More visits than the book has behind any move.
    let mut program = Program::start(&["--boardsize", "9", "--threads", "1", "--playouts", "30"]);
    program.ok("tesuji-param book_visits 1000");
    program.ok("tesuji-param playouts 1000000000");
    program.write("lz-genmove_analyze b 1\n");
    let line = program.line_within(crate::common::PATIENCE);
    assert!(line.is_some_and(|line| line.starts_with('=')), "it searches");
    // An analysis does not ask it, nor what only tells a move for a test.
    let mut program = Program::start(&["--boardsize", "9", "--threads", "1", "--playouts", "30"]);
    program.ok("reg_genmove b");
    assert!(!program.ok("gomill-explain_last_move").contains("opening book"));
}

#[test]
fn symmetric_games_get_symmetric_answers() {
    let folder = tempfile::tempdir().unwrap();
    done(folder.path(), &make(&["--entries", "12"]));
    let answers = |moves: &str| {
        let told = done(
            folder.path(),
            &[&["book", "show", "--book", "b.bin"], &moves.split(' ').collect::<Vec<_>>()[..]]
                .concat(),
        );
        // Numbers alone: the points are turned.
        told.lines()
            .skip(4)
            .map(|row| row.split_whitespace().skip(1).take(4).map(str::to_owned).collect())
            .collect::<Vec<Vec<String>>>()
    };
    for (one, other) in [("E5", "E5"), ("G6", "C4"), ("F7", "D3")] {
        assert_eq!(answers(one), answers(other));
    }
}

#[test]
fn two_tasks_do_not_make_one_book() {
    let folder = tempfile::tempdir().unwrap();
    for (lock, more) in [("b.bin.lock", None), ("b.bin.part-1-of-2.lock", Some("1/2"))] {
        let args = make(&["--entries", "5"]);
        let args = more.map_or(args.clone(), |shard| [&args[..], &["--shard", shard]].concat());
        let held = fs::File::create(folder.path().join(lock)).unwrap();
        held.lock().unwrap();
        let why = refused(folder.path(), &args);
        assert!(why.contains("is being written by another task"), "{why}");
        drop(held);
        done(folder.path(), &args);
        assert!(!folder.path().join(lock).exists(), "{lock}");
    }
}
