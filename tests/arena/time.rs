//! Every kind of time control: what programs are told of it, what the records say, who loses by it.

use tesuji::arena::game::EndReason;

use super::support::{Finished, Match};

pub const TESTS: &[(&str, fn())] = &[
    ("time::periods_are_told_to_each_program_in_its_own_words", periods_are_told),
    ("time::a_move_may_use_up_periods_but_not_all", periods_are_used_up),
    ("time::an_increment_is_told_and_saves_a_game", increment),
    ("time::options_stand_over_the_file", options),
];

/// What a program was told of time, a command a line.
fn told(played: &Match, name: &str) -> Vec<String> {
    let log = std::fs::read_to_string(played.file(&format!("{name}.time"))).expect("a log");
    log.lines().map(str::to_owned).collect()
}

fn records(played: &Match, finished: &Finished) -> Vec<String> {
    let read = |path: &String| std::fs::read_to_string(played.folder().join(path));
    finished.games().iter().map(|game| read(&game.sgf).expect("a record")).collect()
}

/// A match whose programs write down what they are told of time.
fn logged(settings: &str, players: [(&str, &str); 2]) -> Match {
    players.into_iter().fold(Match::new(settings), |played, (name, words)| {
        let log = played.file(&format!("{name}.time")).display().to_string();
        played.player(name, &format!("{words} log={log}"))
    })
}

fn periods_are_told() {
    let played = logged(
        "games = 1\n[time]\nmain = 60\nperiod = 30\nperiods = 3",
        [("kgs", "good turns=3 knows=kgs-time_settings"), ("plain", "good turns=3")],
    );
    let finished = played.run().succeeded(1);
    let kgs = told(&played, "kgs");
    assert_eq!(kgs[0], "kgs-time_settings byoyomi 60 30 3");
    // White first, then the side that is asked for its first move with nothing used yet.
    assert_eq!(kgs[1..3], ["time_left w 60 0", "time_left b 60 0"]);
    let plain = told(&played, "plain");
    assert_eq!(plain[0], "time_settings 120 30 1");
    assert_eq!(plain[2], "time_left w 120 0");
    let record = &records(&played, &finished)[0];
    assert!(record.contains("TM[60]") && record.contains("OT[3x30 byo-yomi]"), "{record}");
    assert!(record.contains("BL[") && !record.contains("OB["), "{record}");
}

fn periods_are_used_up() {
    // The third move takes 1.5 s: more than main time and one period.
    let settings = |periods| {
        format!("games = 2\nlag = 0.05\n[time]\nmain = 0.2\nperiod = 1\nperiods = {periods}")
    };
    let with = |periods, name| {
        logged(&settings(periods), [("good", "good turns=5"), (name, "late turns=5")])
    };
    let played = with(3, "late");
    let finished = played.run().succeeded(2);
    assert!(
        finished.games().iter().all(|game| game.reason == EndReason::Score),
        "{:?}",
        finished.games()
    );
    let record = &records(&played, &finished)[1];
    assert!(record.contains("BL[1.000]OB[2]"), "{record}");
    let left = told(&played, "late");
    assert!(
        left.iter().any(|line| line == "time_left b 2 0"),
        "two periods as main time: {left:?}"
    );
    assert!(left.iter().any(|line| line == "time_left b 1 0"), "then one and the last: {left:?}");

    let lost = with(1, "late").run().succeeded(2);
    for game in lost.games() {
        assert_eq!(
            (game.winner.as_deref(), game.reason),
            (Some("good"), EndReason::Time),
            "{game:?}"
        );
    }
}

fn increment() {
    let settings =
        |increment| format!("games = 2\nlag = 0.05\n[time]\nmain = 1\nincrement = {increment}");
    let players = [
        ("kata", "late turns=5 knows=kata-time_settings knows=kgs-time_settings"),
        ("plain", "good turns=5"),
    ];
    let played = logged(&settings("1.5"), players);
    let finished = played.run().succeeded(2);
    assert!(
        finished.games().iter().all(|game| game.reason == EndReason::Score),
        "{:?}",
        finished.games()
    );
    let kata = told(&played, "kata");
    assert_eq!(kata[0], "kata-time_settings fischer 1 1.5");
    assert_eq!(kata[1..3], ["time_left w 1 0", "time_left b 1 0"]);
    assert!(kata.iter().any(|line| line == "time_left b 2 0"), "{kata:?}");
    assert_eq!(told(&played, "plain")[0], "time_settings 1 0 0");
    let record = &records(&played, &finished)[0];
    assert!(record.contains("TM[1]") && record.contains("OT[1.5 fischer]"), "{record}");
    assert!(record.contains("BL[2.") && !record.contains("OB["), "{record}");

    let lost = logged(&settings("0.1"), players).run().succeeded(2);
    for game in lost.games() {
        assert_eq!(
            (game.winner.as_deref(), game.reason),
            (Some("plain"), EndReason::Time),
            "{game:?}"
        );
    }
}

fn options() {
    let settings = "games = 1\n[time]\nmain = 60";
    let run = |time: &str| {
        let played = logged(settings, [("a", "good turns=2"), ("b", "good turns=2")]);
        let mut command = played.command();
        let output = command.args(["--time", time]).output().expect("the binary runs");
        (Finished::new(output, &played.folder()), played)
    };
    let (finished, played) = run("fischer 1m 5s");
    finished.succeeded(1);
    let written = std::fs::read_to_string(played.folder().join("match.toml")).expect("settings");
    assert!(
        written.contains("main = \"60s\"") && written.contains("increment = \"5s\""),
        "{written}"
    );
    let (finished, played) = run("1m+5x30s");
    finished.succeeded(1);
    assert_eq!(told(&played, "a")[0], "time_settings 180 30 1");
    let (finished, played) = run("none");
    finished.succeeded(1);
    assert!(!played.file("a.time").exists(), "nothing is said of time");
    let (finished, _) = run("fischer 0 5s");
    assert!(finished.stderr.contains("needs main time"), "{}", finished.stderr);
}
