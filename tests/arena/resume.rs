//! Runs that are killed, stopped, repeated or started twice.

use std::collections::{HashMap, HashSet};
use std::process::{Command, Stdio};
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tesuji::arena::results::{Line, Results};
use tesuji::arena::schedule::GameId;

use super::support::{Finished, Match};

pub const TESTS: &[(&str, fn())] = &[
    ("resume::killed_at_random_moments_every_game_counts_once", killed),
    ("resume::a_line_cut_short_is_played_again", cut_short),
    ("resume::a_second_run_on_the_same_folder_is_refused", second_run),
    ("resume::another_match_in_the_same_folder_is_refused", another_match),
    ("resume::more_games_and_players_can_be_added", more),
    ("resume::a_player_left_out_does_not_come_back_as_another", left_out),
    ("resume::an_engine_that_talks_on_does_not_keep_the_run_from_stopping", talks_on),
];

/// Every line of the results file that can be read, by game.
fn lines_by_game(folder: &std::path::Path) -> HashMap<GameId, usize> {
    let text = std::fs::read_to_string(folder.join("results.jsonl")).expect("results");
    let mut games = HashMap::new();
    for line in text.lines() {
        if let Ok(Line::Game(game)) = serde_json::from_str(line) {
            *games.entry(game.game).or_default() += 1;
        }
    }
    games
}

/// How many lines the results file has; none while there is no file.
fn lines_in(folder: &std::path::Path) -> usize {
    let text = std::fs::read(folder.join("results.jsonl")).unwrap_or_default();
    text.iter().filter(|&&byte| byte == b'\n').count()
}

fn killed() {
    const GAMES: usize = 200;
    let played = Match::new(&format!("games = {GAMES}\nconcurrency = 2"))
        .player("a", "good")
        .player("b", "good turns=20");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
    let mut kills = 0;
    loop {
        let errors = std::fs::File::create(played.file("stderr")).expect("a file");
        let mut child =
            played.command().stdout(Stdio::null()).stderr(errors).spawn().expect("the binary runs");
        // Some games further on, however slow the machine, and then a moment more or less.
        let until = lines_in(&played.folder()) + random.random_range(1..16);
        while lines_in(&played.folder()) < until && child.try_wait().expect("a status").is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(random.random_range(0..5000)));
        if let Some(status) = child.try_wait().expect("a status") {
            let errors = std::fs::read_to_string(played.file("stderr")).expect("a file");
            assert!(status.success(), "{errors}");
            break;
        }
        // Nobody can catch this one.
        child.kill().expect("killed");
        child.wait().expect("a status");
        kills += 1;
        assert!(kills < 1000, "no end in sight");
    }
    let games = lines_by_game(&played.folder());
    assert_eq!(games.len(), GAMES);
    assert!(games.values().all(|&lines| lines == 1));
    for n in 0..GAMES as u32 {
        assert!(games.contains_key(&GameId { a: "a".into(), b: "b".into(), n }), "game {n}");
    }
    for game in Results::read(&played.folder()).expect("results").games {
        let sgf = std::fs::read_to_string(played.folder().join(&game.sgf)).expect("a record");
        assert!(sgf.ends_with(")\n") && sgf.contains(&format!("RE[{}]", game.result)), "{sgf}");
    }
    println!("{kills} kills in {GAMES} games");
    assert!(kills >= 5, "{kills} kills test little");
}

fn cut_short() {
    let played = Match::new("games = 4").player("a", "good").player("b", "good seed=2");
    played.run().succeeded(4);
    let file = played.folder().join("results.jsonl");
    let whole = std::fs::read(&file).expect("results");
    // Cut into the last line, as a full disk or a loss of power would.
    std::fs::write(&file, &whole[..whole.len() - 30]).expect("written");
    let finished = played.run().succeeded(4);
    assert_eq!(finished.results.broken_lines, 1);
    assert!(finished.stderr.contains("3 of 4 games are already played"), "{}", finished.stderr);
    assert!(lines_by_game(&played.folder()).values().all(|&lines| lines == 1));
}

fn second_run() {
    let played = Match::new("games = 2\nmove-timeout = 60").player("a", "hang").player("b", "good");
    let mut first = played
        .command()
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    while !played.folder().join("results.jsonl").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let second = played.command().output().expect("the binary runs");
    let stderr = String::from_utf8_lossy(&second.stderr).into_owned();
    assert_eq!(second.status.code(), Some(1));
    assert!(stderr.contains("another run is using the folder"), "{stderr}");
    // Ctrl-C ends the first at once, hanging engine and all, and the lock with it.
    let pid = rustix::process::Pid::from_child(&first);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("interrupted");
    let begin = std::time::Instant::now();
    assert_eq!(first.wait().expect("a status").code(), Some(130));
    assert!(begin.elapsed() < Duration::from_secs(3));
    let third = played
        .command()
        .args(["--games", "1", "--move-timeout", "60"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let pid = rustix::process::Pid::from_child(&third);
    std::thread::sleep(Duration::from_millis(200));
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("interrupted");
    let third = third.wait_with_output().expect("a status");
    assert_eq!(third.status.code(), Some(130));
    // An engine that is stopped in the middle of a move is not blamed for having been killed.
    let stderr = String::from_utf8_lossy(&third.stderr);
    assert!(!stderr.contains("after quit"), "{stderr}");
}

fn another_match() {
    let played = Match::new("games = 2").player("a", "good").player("b", "good seed=2");
    played.run().succeeded(2);
    let other = played.command().args(["--komi", "0.5"]).output().expect("the binary runs");
    let stderr = String::from_utf8_lossy(&other.stderr);
    assert_eq!(other.status.code(), Some(1));
    assert!(
        stderr.contains("games of another match") && stderr.contains("komi was 7.5"),
        "{stderr}"
    );
}

fn more() {
    let mut played = Match::new("games = 4").player("a", "good").player("b", "good seed=2");
    played.run().succeeded(4);
    played = played.player("c", "good seed=3");
    let finished = played.run().succeeded(12);
    assert!(finished.stderr.contains("4 of 12 games are already played"), "{}", finished.stderr);
    let output = played.command().args(["--games", "6"]).output().expect("the binary runs");
    let finished = Finished::new(output, &played.folder()).succeeded(18);
    assert!(lines_by_game(&played.folder()).values().all(|&lines| lines == 1));
    // Their places in the schedule are others now, and each record is still there.
    let numbers: HashSet<u32> = finished.games().iter().map(|game| game.number).collect();
    assert_eq!(numbers.len(), 18);
    for game in finished.games() {
        let sgf = std::fs::read_to_string(played.folder().join(&game.sgf)).expect("a record");
        let names = [format!("PB[{}]", game.black), format!("PW[{}]", game.white)];
        assert!(names.iter().all(|name| sgf.contains(name)), "{sgf}");
        assert!(sgf.contains(&format!("Seed: {}", game.seed)), "{sgf}");
    }
}

fn left_out() {
    let two = || Match::new("games = 2").player("a", "good").player("b", "good seed=2");
    let three = two().player("c", "good seed=3");
    let run = |of: &Match| {
        let [file, ..] = of.arguments();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
        command.arg("match").arg(file).arg("--dir").arg(three.folder());
        Finished::new(command.output().expect("the binary runs"), &three.folder())
    };
    run(&three).succeeded(6);
    run(&two()).succeeded(6);
    let page = std::fs::read_to_string(three.folder().join("index.html")).expect("a page");
    assert!(page.contains("2 of 2 games played"), "{page}");
    let other = run(&two().player("c", "good seed=4"));
    assert_eq!(other.output.status.code(), Some(1), "{}", other.stderr);
    assert!(other.stderr.contains("player \"c\" was defined otherwise"), "{}", other.stderr);
    run(&three).succeeded(6);
}

fn talks_on() {
    let played = Match::new("games = 1").player("a", "talk at=1 file=FILE").player("b", "good");
    let mut child = played
        .command()
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    while !played.file("a.once").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("interrupted");
    for _ in 0..300 {
        std::thread::sleep(Duration::from_millis(10));
        if let Some(status) = child.try_wait().expect("a status") {
            assert_eq!(status.code(), Some(130));
            return;
        }
    }
    child.kill().expect("killed");
    panic!("it has not heard the interrupt");
}
