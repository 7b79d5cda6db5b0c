//! Short games, each with a kind of trouble.

use std::time::Duration;

use super::server::Server;
use super::support::{Client, engine, until};
use super::world::Options;

pub const TESTS: &[(&str, fn())] = &[
    ("games_are_played_and_recorded", plain),
    ("a_server_with_odd_ways_is_understood", odd),
    ("broken_lines_cost_no_game", cuts),
    ("a_server_that_was_killed_is_found_again", killed),
    ("a_wrong_password_ends_the_program", refused),
    ("somebody_else_under_the_same_name_ends_the_program", evicted),
    ("who_is_not_ready_does_not_log_in", slow_to_start),
    ("a_kill_file_stops_after_the_running_game", kill_file),
    #[cfg(unix)]
    ("ctrl_c_stops_after_the_game_and_twice_at_once", interrupted),
    ("an_engine_that_fails_is_started_again", faults),
    ("engines_play_in_turn", in_turn),
    ("a_game_that_is_over_stops_the_search", aborted),
    ("a_silent_server_is_left", silent),
];

const LIMIT: Duration = Duration::from_secs(90);

fn results(server: &Server) -> Vec<String> {
    let events = server.events();
    assert!(events.violations.is_empty(), "{:#?}\n{}", events.violations, events.log.join("\n"));
    events.results.into_iter().map(|(.., result)| result).collect()
}

/// Nobody lost by a fault of the client's.
fn well_played(results: &[String], games: usize) {
    assert_eq!(results.len(), games, "{results:?}");
    for result in results {
        assert!(!result.contains("Time") && !result.contains("Illegal"), "{results:?}");
    }
}

fn plain() {
    let base = tempfile::tempdir().unwrap();
    let server = Server::start(Options { games: 4, ..Options::default() });
    let mut one = Client::start(base.path(), server.port, "one", "--games 4", &engine("seed=1"));
    let tesuji =
        [env!("CARGO_BIN_EXE_tesuji"), "--playouts", "20", "--threads", "1"].map(String::from);
    let mut two = Client::start(base.path(), server.port, "two", "--games 4", &tesuji);
    assert_eq!((one.wait(LIMIT), two.wait(LIMIT)), (Some(0), Some(0)), "{}", one.errors());
    well_played(&results(&server), 4);
    let events = server.events();
    assert_eq!(
        events.analysed,
        events.moves + events.results.iter().filter(|r| r.3.contains("Resign")).count()
    );
    for client in [&one, &two] {
        let (table, records) = (client.table(), client.records());
        assert_eq!((table.len(), records.len()), (4, 4));
        for (id, white, black, result) in &events.results {
            let row = table
                .iter()
                .find(|row| row.split(',').nth(1) == Some(&id.to_string()))
                .expect("a row");
            assert_eq!(row.split(',').nth(8), Some(result.as_str()));
            let named = |record: &&String| record.contains(&format!("GN[CGOS game {id}]"));
            let record = records.iter().find(named).expect("a record");
            assert!(
                record.contains(&format!("PB[{black}]"))
                    && record.contains(&format!("PW[{white}]"))
            );
            assert!(record.contains(&format!("RE[{}", &result[..2])), "{record}");
        }
        let log = std::fs::read_to_string(client.folder.join("cgos.log")).unwrap();
        assert!(
            log.contains("S> setup 1 ") && log.contains("C> ready") && !log.contains("secret"),
            "{log}"
        );
    }
    // What the engine thinks stands in the record.
    assert!(one.records().iter().any(|record| record.contains("7 visits")));
    assert!(one.errors().contains("4 games"), "{}", one.errors());
}

fn odd() {
    let base = tempfile::tempdir().unwrap();
    let options = Options { games: 2, odd: true, analysis: false, ..Options::default() };
    let server = Server::start(options);
    let mut one = Client::start(base.path(), server.port, "one", "--games 2", &engine("seed=1"));
    let mut two = Client::start(base.path(), server.port, "two", "--games 2", &engine("seed=2"));
    assert_eq!((one.wait(LIMIT), two.wait(LIMIT)), (Some(0), Some(0)), "{}", one.errors());
    well_played(&results(&server), 2);
    assert_eq!(server.events().analysed, 0);
}

fn cuts() {
    let base = tempfile::tempdir().unwrap();
    let server = Server::start(Options { games: 4, cut: 0.05, ..Options::default() });
    let mut one = Client::start(base.path(), server.port, "one", "", &engine("seed=1 slow=20"));
    let mut two = Client::start(base.path(), server.port, "two", "", &engine("seed=2 slow=20"));
    until("the end of four games", || server.events().results.len() >= 4);
    well_played(&results(&server), 4);
    assert!(server.events().cuts > 3, "{}", server.events().cuts);
    assert!(one.is_running() && two.is_running());
    let broken = |record: &String| record.contains("The line broke");
    assert!(one.records().iter().chain(&two.records()).any(broken));
}

fn killed() {
    let base = tempfile::tempdir().unwrap();
    let server = Server::start(Options::default());
    let port = server.port;
    let _one = Client::start(base.path(), port, "one", "", &engine("seed=1 slow=10"));
    let two = Client::start(base.path(), port, "two", "", &engine("seed=2 slow=10"));
    until("a game", || server.events().results.len() == 1 && server.events().moves > 32);
    drop(server);
    std::thread::sleep(Duration::from_millis(500));
    // Its games are lost with it.
    let server = Server::start_on(port, Options { first_id: 100, games: 2, ..Options::default() });
    until("two more games", || server.events().results.len() == 2);
    well_played(&results(&server), 2);
    until("the record of the game that was lost", || {
        two.records().iter().any(|record| record.contains("RE[?]"))
    });
}

fn refused() {
    let base = tempfile::tempdir().unwrap();
    let server = Server::start(Options::default());
    let _first = Client::start(base.path(), server.port, "one", "", &engine(""));
    until("a login", || server.logged_in() == 1);
    std::fs::write(base.path().join("other.pw"), "another\n").unwrap();
    let password = base.path().join("other.pw");
    let options = format!("--user one --password-file {}", password.display());
    let mut second = Client::start_plain(base.path(), server.port, "second", &options, &engine(""));
    assert_eq!(second.wait(LIMIT), Some(1));
    assert!(second.errors().contains("password doesn't match"), "{}", second.errors());
    assert!(second.errors().contains("put the right password"), "{}", second.errors());
    // What the server would refuse is not tried.
    let mut third = Client::start(base.path(), server.port, "9lives", "", &engine(""));
    assert_eq!(third.wait(LIMIT), Some(1));
    assert!(third.errors().contains("digit"), "{}", third.errors());
}

fn slow_to_start() {
    let base = tempfile::tempdir().unwrap();
    let server = Server::start(Options::default());
    let file = base.path().join("ready");
    let slow = engine(&format!("ready={}", file.display()));
    let _one = Client::start(base.path(), server.port, "one", "", &slow);
    // Nobody is paired whose engine would lose by the clock.
    std::thread::sleep(Duration::from_millis(700));
    assert_eq!(server.logged_in(), 0);
    std::fs::write(&file, "").unwrap();
    until("a login", || server.logged_in() == 1);
}

fn evicted() {
    let base = tempfile::tempdir().unwrap();
    let server = Server::start(Options::default());
    let mut first = Client::start(base.path(), server.port, "one", "", &engine(""));
    until("a login", || server.logged_in() == 1);
    let options = format!("--user one --password-file {}", base.path().join("one.pw").display());
    let mut second = Client::start_plain(base.path(), server.port, "second", &options, &engine(""));
    assert_eq!(first.wait(LIMIT), Some(1));
    assert!(first.errors().contains("somebody else"), "{}", first.errors());
    assert!(second.is_running());
}

fn kill_file() {
    let base = tempfile::tempdir().unwrap();
    let server = Server::start(Options::default());
    let file = base.path().join("stop");
    let options = format!("--kill-file {}", file.display());
    let mut one = Client::start(base.path(), server.port, "one", &options, &engine("slow=20"));
    let _two = Client::start(base.path(), server.port, "two", "", &engine("seed=2 slow=20"));
    until("a game", || server.events().moves > 3);
    std::fs::write(&file, "").unwrap();
    assert_eq!(one.wait(LIMIT), Some(0), "{}", one.errors());
    well_played(&results(&server), 1);
    assert!(!file.exists());
    assert_eq!(one.table().len(), 1);
    let ready = |line: &&String| line.contains("one C> ready");
    assert!(!server.events().log.iter().any(|line| ready(&line)));
    // A stale one is no order.
    std::fs::write(&file, "").unwrap();
    let mut again = Client::start(base.path(), server.port, "one", &options, &engine(""));
    assert_eq!(again.wait(LIMIT), Some(1));
    assert!(again.errors().contains("is there already"), "{}", again.errors());
}

#[cfg(unix)]
fn interrupted() {
    let base = tempfile::tempdir().unwrap();
    let server = Server::start(Options::default());
    let mut one = Client::start(base.path(), server.port, "one", "", &engine("slow=20"));
    let mut two = Client::start(base.path(), server.port, "two", "", &engine("seed=2 slow=20"));
    until("a game", || server.events().moves > 3);
    one.interrupt();
    assert_eq!(one.wait(LIMIT), Some(0), "{}", one.errors());
    well_played(&results(&server), 1);
    // Who waits leaves at once.
    until("the wait for a game", || two.table().len() == 1);
    two.interrupt();
    assert_eq!(two.wait(Duration::from_secs(3)), Some(0), "{}", two.errors());
    let slow = engine("slow=2000");
    let mut one = Client::start(base.path(), server.port, "one", "", &slow);
    let _two = Client::start(base.path(), server.port, "two", "", &slow);
    until("another game", || {
        server.events().log.iter().any(|line| line.contains("genmove b") && line.contains("59"))
            || server.logged_in() == 2
    });
    std::thread::sleep(Duration::from_millis(300));
    one.interrupt();
    std::thread::sleep(Duration::from_millis(300));
    assert!(one.is_running(), "{}", one.errors());
    one.interrupt();
    assert_eq!(one.wait(Duration::from_secs(3)), Some(130), "{}", one.errors());
}

fn faults() {
    let base = tempfile::tempdir().unwrap();
    let server = Server::start(Options { games: 2, ..Options::default() });
    let once = base.path().join("once");
    let crash = engine(&format!("fault=crash once={}", once.display()));
    let mut one = Client::start(base.path(), server.port, "one", "--games 2", &crash);
    // An illegal move is not sent.
    let mut two = Client::start(
        base.path(),
        server.port,
        "two",
        "--games 2",
        &engine("seed=2 fault=illegal"),
    );
    assert_eq!((one.wait(LIMIT), two.wait(LIMIT)), (Some(0), Some(0)), "{}", one.errors());
    well_played(&results(&server), 2);
    assert!(once.exists() && one.errors().contains("started again"), "{}", one.errors());
    assert!(two.errors().contains("illegal here"), "{}", two.errors());
    assert!(two.records().iter().all(|record| record.contains("passes instead")));
    // One that dies at the opponent's move hears of that move once.
    let server = Server::start(Options { games: 1, ..Options::default() });
    let deaf = engine(&format!("fault=deaf once={}", base.path().join("deaf").display()));
    let mut five = Client::start(base.path(), server.port, "five", "--games 1", &deaf);
    let mut six = Client::start(base.path(), server.port, "six", "--games 1", &engine("seed=2"));
    assert_eq!((five.wait(LIMIT), six.wait(LIMIT)), (Some(0), Some(0)), "{}", five.errors());
    well_played(&results(&server), 1);
    assert_eq!(five.errors().matches("started again").count(), 1, "{}", five.errors());
    // One that fails every time is given up; the opponent does not have to wait.
    let server = Server::start(Options { games: 1, ..Options::default() });
    let mut three =
        Client::start(base.path(), server.port, "three", "", &engine("fault=crash at=1"));
    let _four = Client::start(base.path(), server.port, "four", "", &engine("seed=2"));
    assert_eq!(three.wait(LIMIT), Some(1), "{}", three.errors());
    assert!(three.errors().contains("cannot go on"), "{}", three.errors());
    until("a resignation", || server.events().results.len() == 1);
    assert!(results(&server)[0].contains("Resign"));
    // One that cannot be started says so before anything else.
    let mut none =
        Client::start(base.path(), server.port, "none", "", &["no-such-program".to_owned()]);
    assert_eq!(none.wait(LIMIT), Some(1));
    assert!(none.errors().contains("no-such-program"), "{}", none.errors());
}

fn in_turn() {
    let base = tempfile::tempdir().unwrap();
    let server = Server::start(Options::default());
    let line = shlex::try_join(engine("seed=3").iter().map(String::as_str)).unwrap();
    let entry = |name: &str, games: u32| {
        std::fs::write(base.path().join(format!("{name}.pw")), "secret").unwrap();
        format!(
            "[[engine]]\nuser = {name:?}\npassword-file = \"{name}.pw\"\ncommand = {line:?}\ngames = {games}\n"
        )
    };
    let file = base.path().join("engines.toml");
    std::fs::write(&file, entry("alpha", 1) + &entry("beta", 2)).unwrap();
    let options = format!("--games 5 --file {}", file.display());
    let mut ring = Client::start_plain(base.path(), server.port, "ring", &options, &[]);
    let _other = Client::start(base.path(), server.port, "zeta", "", &engine("seed=2"));
    assert_eq!(ring.wait(LIMIT), Some(0), "{}", ring.errors());
    well_played(&results(&server), 5);
    let users: Vec<String> =
        ring.table().iter().map(|row| row.split(',').nth(2).unwrap().to_owned()).collect();
    assert_eq!(users, ["alpha", "beta", "beta", "alpha", "beta"]);
}

fn aborted() {
    let base = tempfile::tempdir().unwrap();
    let server = Server::start(Options { games: 3, abort_at: Some(2), ..Options::default() });
    let slow = engine("slow=700");
    let mut one = Client::start(base.path(), server.port, "one", "--games 3", &slow);
    let mut two = Client::start(base.path(), server.port, "two", "--games 3", &slow);
    assert_eq!((one.wait(LIMIT), two.wait(LIMIT)), (Some(0), Some(0)), "{}", one.errors());
    assert_eq!(results(&server), ["Abort", "Abort", "Abort"]);
    assert!(one.table().iter().all(|row| row.contains(",none,")), "{:?}", one.table());
}

fn silent() {
    let base = tempfile::tempdir().unwrap();
    let server = Server::start(Options { ..Options::default() });
    let one = Client::start(base.path(), server.port, "one", "--silence 1", &engine(""));
    until("a second login", || one.errors().contains("silent for too long"));
    until("the connection", || server.logged_in() == 1);
    results(&server);
}
