//! What a match leaves for people and programs to read.

use super::support::Match;

pub const TESTS: &[(&str, fn())] = &[
    ("report::the_test_stops_the_match", sprt),
    ("report::the_runner_costs_little", overhead),
    ("report::the_page_and_its_links_open_from_the_disk", page),
    ("report::traffic_is_logged_on_request", gtp_log),
    ("report::games_that_repeat_are_told", repeats),
];

fn sprt() {
    // One engine resigns every game, so that the test has an easy time.
    let played = Match::new("games = 2000\n[sprt]\nelo0 = 0\nelo1 = 100")
        .player("a", "good")
        .player("b", "resign");
    let finished = played.run();
    assert!(finished.output.status.success(), "{}", finished.stderr);
    assert!(finished.games().len() < 100, "{} games", finished.games().len());
    assert!(
        finished.stdout.contains("accepted: a leads by 100 Elo or more"),
        "{}",
        finished.stdout
    );
    // Once decided it stays so.
    let games = finished.games().len();
    played.run().succeeded(games);
}

fn overhead() {
    let finished = Match::new("games = 20")
        .player("a", "good turns=40")
        .player("b", "good turns=40")
        .run()
        .succeeded(20);
    let turns: u32 = finished.games().iter().map(|game| game.turns).sum();
    let runner: f64 = finished.games().iter().map(|game| game.runner_ms).sum();
    let whole: f64 = finished.games().iter().map(|game| game.seconds * 1000.0).sum();
    let (runner, whole) = (runner / f64::from(turns), whole / f64::from(turns));
    println!(
        "{turns} moves: {runner:.4} ms a move in the runner, {whole:.4} ms with engines and pipes"
    );
    assert!(runner < 1.0, "{runner} ms a move");
}

fn gtp_log() {
    let settings = "size = 9\ngames = 1\ngtp-log = true\nhandicap = 2\nkomi = 0.5\nscoring = \"runner\"\n\
                    [time]\nmain = 60\nperiod = 5\nstones = 3";
    let played = Match::new(settings).player("a", "good").player("b", "good");
    let game = played.run().succeeded(1).results.games.remove(0);
    let log = std::fs::read_to_string(played.folder().join("gtp/000001.log")).expect("a log");
    // What each engine was sent, ids left out.
    let sent: Vec<&str> = log
        .lines()
        .filter_map(|line| line.split_once(" > "))
        .filter(|(head, _)| head.ends_with(" b"))
        .map(|(_, command)| command)
        .collect();
    let seed = format!("set_random_seed {}", game.seed);
    let expected = [
        "name",
        "version",
        "list_commands",
        "boardsize 9",
        "clear_board",
        "komi 0.5",
        &seed,
        "time_settings 60 5 3",
        "play b G7",
        "play b C3",
        "time_left b 60 0",
        "time_left w 60 0",
        "genmove w",
    ];
    assert_eq!(sent[..expected.len()], expected, "{log}");
    assert_eq!(sent[expected.len()].split(' ').take(2).collect::<Vec<_>>(), ["play", "b"]);
    assert!(log.contains("b < =1 Scripted good") && log.contains("a > final_score"), "{log}");
    let sgf = std::fs::read_to_string(played.folder().join(&game.sgf)).expect("a record");
    for part in [
        "HA[2]",
        "AB[gc][cg]",
        "KM[0.5]",
        "RU[chinese]",
        "TM[60]",
        "OT[3/5 Canadian]",
        ";W[",
        "WL[",
        "PB[a]",
    ] {
        assert!(sgf.contains(part), "{part} is missing in {sgf}");
    }
    assert!(
        sgf.contains(&format!("Seed: {}", game.seed)) && sgf.contains("Black: Scripted good 1.0"),
        "{sgf}"
    );
}

fn page() {
    let settings = "title = \"Three & <more>\"\ngames = 2\ngtp-log = true\nformat = \"gauntlet\"\n[openings]\nrandom = 2";
    let played = Match::new(settings)
        .player("first <b>", "good")
        .player("crash", "crash")
        .player("other", "good seed=3");
    let finished = played.run().succeeded(4);
    let page = std::fs::read_to_string(played.folder().join("index.html")).expect("a page");
    assert!(page.contains("<h1>Three &amp; &lt;more&gt;</h1>") && page.contains("first &lt;b&gt;"));
    assert!(!page.contains("first <b>") && !page.contains("http"));
    for form in ["chart wide-only", "chart narrow-only"] {
        assert_eq!(page.matches(&format!("class=\"{form}\"")).count(), 1, "{form}");
    }
    let links: Vec<&str> =
        page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(links.len() >= 4 + 2 * 4, "{links:?}");
    for link in links {
        assert!(played.folder().join(link).exists(), "{link} leads nowhere");
    }
    // Both games of a pair start alike, and what the table says is in the CSV too.
    let openings: Vec<&str> = finished.games().iter().map(|game| game.opening.as_str()).collect();
    assert!(
        openings.iter().all(|opening| *opening == openings[0] && opening.contains(", ")),
        "{openings:?}"
    );
    let csv = std::fs::read_to_string(played.folder().join("games.csv")).expect("CSV");
    assert_eq!(csv.lines().count(), 5);
    assert!(
        finished.stdout.contains("first <b>") && finished.stdout.contains("2/2"),
        "{}",
        finished.stdout
    );
    // The reports can be made again from the results alone.
    std::fs::remove_file(played.folder().join("index.html")).expect("removed");
    let report = std::process::Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(["match", "report"])
        .arg(played.folder())
        .output()
        .expect("the binary runs");
    assert_eq!(String::from_utf8_lossy(&report.stdout), finished.stdout);
    assert_eq!(std::fs::read_to_string(played.folder().join("index.html")).expect("a page"), page);
}

fn repeats() {
    let settings = "games = 5\nconcurrency = 1";
    let same = "game-setup = [\"set_random_seed 5\"]";
    let played = Match::new(settings).player_with("a", "good", same).player_with("b", "good", same);
    let finished = played.run().succeeded(5);
    // Each of them has both colours once before it plays the same again.
    let words = "3 games repeat an earlier one move by move (game 3 repeats game 1)";
    assert!(finished.stdout.contains(words), "{}", finished.stdout);
    let csv = std::fs::read_to_string(played.folder().join("games.csv")).expect("CSV");
    let last: Vec<&str> = csv.lines().filter_map(|row| row.rsplit(',').next()).collect();
    assert_eq!(last, ["repeats", "", "", "1", "2", "1"]);
    let page = std::fs::read_to_string(played.folder().join("index.html")).expect("a page");
    assert!(page.contains(words) && page.matches(", as game 1<").count() == 2, "{page}");

    let other = Match::new(settings).player("a", "good").player("b", "good");
    let finished = other.run().succeeded(5);
    assert!(!finished.stdout.contains("repeat"), "{}", finished.stdout);
}
