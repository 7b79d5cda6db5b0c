//! Tuning a real engine: what comes out, stopped and gone on with, and what is refused.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::PATIENCE;

/// A tuning of a few small games; `{more}` is in the part of whole numbers at its end.
fn file(method: &str, pairs: u32, more: &str) -> String {
    format!(
        "method = {method:?}\npairs = {pairs}\nahead = 3\n\
         [match]\nsize = 5\nconcurrency = 2\nopenings.random = 2\n\
         [engine]\ncommand = '\"{}\" --network none --threads 1 --playouts 20 --boardsize 5'\n\
         [[parameter]]\nname = \"rave_equivalence\"\nstart = 300\nmin = 30\nmax = 30000\nstep = 2\nscale = \"log\"\n\
         [[parameter]]\nname = \"expand_visits\"\nstart = 4\nmin = 1\nmax = 40\nstep = 3\nkind = \"integer\"\n{more}",
        env!("CARGO_BIN_EXE_tesuji")
    )
}

fn tune(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.arg("tune").args(args).current_dir(folder).stdin(Stdio::null());
    command
}

fn done(output: &Output) -> String {
    let (out, err) = (&output.stdout, String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{err}");
    String::from_utf8_lossy(out).into_owned()
}

#[test]
fn a_tuning_comes_to_the_same_values_stopped_or_not() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.toml"), file("spsa", 12, "[final]\ngames = 4\nsprt = {}\n")).unwrap();
    let text = done(&tune(folder.path(), &["a.toml"]).output().unwrap());
    assert!(text.contains("12 of 12 pairs are counted"), "{text}");
    assert!(text.contains("    tesuji-param rave_equivalence "), "{text}");
    assert!(text.contains("tuned against the start: "), "{text}");
    assert!(text.contains("\nSPRT of 0 against 10 Elo"), "{text}");
    let course = fs::read_to_string(at("a.tune/course.csv")).unwrap();
    assert_eq!(course.lines().count(), 13);
    let page = fs::read_to_string(at("a.tune/index.html")).unwrap();
    assert!(page.contains("<h2>expand_visits</h2>") && page.contains("<polyline"), "{page}");
    assert!(page.contains("games ended: "), "{page}");
    assert!(page.contains("chart wide-only") && page.contains("chart narrow-only"), "{page}");
    let last = fs::read_to_string(at("a.tune/final/match.toml")).unwrap();
    assert!(last.contains("tesuji-param expand_visits 4"), "{last}");

    let mut child = tune(folder.path(), &["a.toml", "--dir", "b", "-j", "1"])
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    let games = || fs::read_to_string(at("b/results.jsonl")).unwrap_or_default().lines().count();
    while games() < 4 {
        assert!(begun.elapsed() < PATIENCE, "no games");
        std::thread::sleep(Duration::from_millis(2));
    }
    // Ctrl-C, as a terminal sends it.
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signal.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(games() < 22, "it was stopped in the middle");
    done(&tune(folder.path(), &["a.toml", "--dir", "b"]).output().unwrap());
    assert_eq!(fs::read_to_string(at("b/course.csv")).unwrap(), course);
    let many = tune(folder.path(), &["a.toml", "--dir", "b", "-j", "7"]).output().unwrap();
    let why = String::from_utf8_lossy(&many.stderr).into_owned();
    assert!(!many.status.success() && why.contains("no more than 6 games"), "{why}");
    let program = format!("\"{}\"", env!("CARGO_BIN_EXE_tesuji"));
    let inside = fs::read_to_string(at("a.toml")).unwrap().replace(&program, "tesuji");
    let inside = inside.replace("[engine]\n", "[engine]\nin-process = true\n");
    fs::write(at("inside.toml"), inside).unwrap();
    done(&tune(folder.path(), &["inside.toml", "--dir", "c"]).output().unwrap());
    assert_eq!(fs::read_to_string(at("c/course.csv")).unwrap(), course);
    // The page again, without a game.
    fs::remove_file(at("b/index.html")).unwrap();
    let again = done(&tune(folder.path(), &["a.toml", "--dir", "b", "--report"]).output().unwrap());
    assert_eq!(again, text);
    assert!(at("b/index.html").exists());
    // Looking changes nothing, and makes no folder where there was none.
    let results = || fs::read_to_string(at("b/results.jsonl")).unwrap();
    let before = results();
    done(&tune(folder.path(), &["a.toml", "--dir", "b", "--report"]).output().unwrap());
    assert_eq!(results(), before);
    let other = tune(folder.path(), &["a.toml", "--dir", "none", "--report"]).output().unwrap();
    let why = String::from_utf8_lossy(&other.stderr);
    assert!(!other.status.success() && why.contains("none holds no games"), "{why}");
    assert!(!at("none").exists());
    // A match's page is not put in its place.
    let mut report = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    let report = report.args(["match", "report", "b"]).current_dir(folder.path()).output().unwrap();
    let why = String::from_utf8_lossy(&report.stderr);
    assert!(!report.status.success() && why.contains("b is a tuning's folder"), "{why}");
}

#[test]
fn few_parameters_can_be_tuned_by_clop() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.toml"), file("clop", 12, "[final]\ngames = 0\n")).unwrap();
    let text = done(&tune(folder.path(), &["a.toml"]).output().unwrap());
    assert!(
        text.contains("12 of 12 pairs are counted") && !text.contains("tuned against"),
        "{text}"
    );
    assert!(!folder.path().join("a.tune/final").exists());
}

#[test]
fn what_cannot_be_tuned_is_named_before_a_game_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let other = "[[parameter]]\nname = \"no_such\"\nstart = 1\nmin = 0\nmax = 2\nstep = 1\n";
    for (text, word) in [
        (file("spsa", 4, other), "\"no_such\": the engine answers `tesuji-param no_such 0`"),
        (file("spsa", 4, "").replace("max = 40", "max = 4000"), "expand_visits 4000"),
        (file("spsa", 4, "").replace("kind = \"integer\"", ""), "; `kind = \"integer\"` keeps"),
        (file("spsa", 4, "").replace("--threads 1", "--no-such-option"), "the engine: "),
        (file("guess", 4, ""), "guess"),
        (file("spsa", 4, "[spsa]\nrat = 3\n"), "rat"),
    ] {
        fs::write(folder.path().join("a.toml"), text).unwrap();
        let output = tune(folder.path(), &["a.toml"]).output().unwrap();
        let why = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && why.contains(word), "{word}: {why}");
        assert!(!folder.path().join("a.tune").exists(), "{word}");
    }
    let output = tune(folder.path(), &["none.toml"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot read none.toml"));
}

/// A tuning of a number from 0 to 20 of a script that resigns at its first move, and does `more` with each command; `start` is
/// what it does when it is started.
#[cfg(unix)]
fn scripted(folder: &Path, start: &str, more: &str) {
    let script = format!(
        "{start}\nwhile read -r id command rest; do\nsign='='\ntext=''\n\
         case \"$command $rest\" in genmove*) text=resign;; {more} esac\n\
         printf '%s%s %s\\n\\n' \"$sign\" \"$id\" \"$text\"\n[ \"$command\" = quit ] && exit\ndone\n"
    );
    fs::write(folder.join("engine.sh"), script).unwrap();
    let text = "pairs = 6\nset = \"set {name} {value}\"\n[match]\nsize = 5\n[engine]\ncommand = \"sh engine.sh\"\n\
                [[parameter]]\nname = \"a\"\nstart = 10\nmin = 0\nmax = 20\nstep = 2\nkind = \"integer\"\n";
    fs::write(folder.join("a.toml"), text).unwrap();
}

#[cfg(unix)]
#[test]
fn a_value_that_is_refused_is_a_start_that_failed() {
    let folder = tempfile::tempdir().unwrap();
    scripted(folder.path(), "", "'set a 7'|'set a 8'|'set a 9') sign='?';;");
    let output = tune(folder.path(), &["a.toml"]).output().unwrap();
    let why = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{why}");
    assert!(why.contains("could not be started and its games were left out: `set a "), "{why}");
    let games = fs::read_to_string(folder.path().join("a.tune/results.jsonl")).unwrap();
    assert!(!games.contains("\"type\":\"game\""), "{games}");
}

#[cfg(unix)]
#[test]
fn what_a_program_said_before_it_failed_is_told() {
    let folder = tempfile::tempdir().unwrap();
    scripted(folder.path(), "echo 'no licence' >&2; exit 3", "");
    let output = tune(folder.path(), &["a.toml"]).output().unwrap();
    let why = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && why.contains("; it said: no licence"), "{why}");
}

#[cfg(unix)]
#[test]
fn it_stops_while_the_engine_is_tried() {
    let folder = tempfile::tempdir().unwrap();
    scripted(folder.path(), ": > begun; exec sleep 100", "");
    let mut tuning = tune(folder.path(), &["a.toml"]);
    let child = tuning.stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while !folder.path().join("begun").exists() {
        assert!(begun.elapsed() < PATIENCE, "the engine is not started");
        std::thread::sleep(Duration::from_millis(2));
    }
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signal.success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("the same command goes on"), "{said}");
}

#[cfg(unix)]
#[test]
fn values_that_stayed_where_they_were_play_no_match_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    scripted(folder.path(), "", "");
    let output = tune(folder.path(), &["a.toml"]).output().unwrap();
    assert!(done(&output).contains("6 of 6 pairs are counted"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("there is no match at the end"), "{said}");
    assert!(!folder.path().join("a.tune/final").exists());
}
