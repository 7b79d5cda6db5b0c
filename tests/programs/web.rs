//! The boards in the browser: the real programs over real HTTP and WebSocket, hostile requests, and a real browser.

use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::Message;

use super::page::{Page, Server, people};

#[test]
fn a_game_of_go_is_played_scored_and_survives_its_page() {
    let server = Server::go();
    let mut page = server.page();
    let games = page.hear();
    assert_eq!((&games["type"], &games["title"]), (&json!("games"), &json!("Go")));
    let mut setup = people(5);
    setup["komi"] = json!(0.5);
    setup["rules"] = json!("japanese");
    let (game, snapshot) = page.begin(setup);
    assert_eq!(snapshot["position"]["komi"], 0.5);
    for (number, name) in ["C3", "C4", "C2", "D3", "D2", "B3", "B2", "B4"].iter().enumerate() {
        let node = page.play(&[name]).unwrap()["node"].clone();
        assert_eq!(node, number as u64 + 1);
    }
    // The reason is told, and nothing has changed.
    assert!(page.play(&["C4"]).unwrap_err().contains("stone"), "occupied");
    assert!(
        page.play(&["Z9"]).is_err() && page.play(&["B1", "A1"]).is_err() && page.play(&[]).is_err()
    );
    let stale = page.try_ask(json!({"do": "play", "steps": ["E1"], "node": 7}));
    assert!(stale.unwrap_err().contains("moved on"), "it would be the other side's turn");
    let two = page.play(&["pass"]).and_then(|_| page.play(&["pass"]));
    assert!(two.is_ok(), "{two:?}");
    let state = page.snapshot();
    assert_eq!(state["position"]["outcome"], "counted");
    let found = state["score"]["result"].clone();
    assert_eq!(state["result"], found);
    let changed = page.ask(json!({"do": "score", "dead": ["C3"]}));
    for bad in ["no such", "D4\nquit", "pass", "T19"] {
        assert!(page.try_ask(json!({"do": "score", "dead": [bad]})).is_err(), "{bad}");
    }
    let dead = changed["dead"].as_array().unwrap();
    assert!(
        dead.contains(&json!("C3")) && dead.contains(&json!("C2")),
        "a chain dies whole: {dead:?}"
    );
    drop(page);
    let mut again = server.page();
    let snapshot = again.ask(json!({"do": "open", "game": game}));
    assert_eq!(snapshot["tree"].as_array().unwrap().len(), 11);
    assert_eq!(snapshot["result"], changed["result"]);
    // A variation, a comment, and the record of all of it.
    again.ask(json!({"do": "go", "node": 2}));
    again.play(&["B2"]).unwrap();
    again.ask(json!({"do": "comment", "node": 2, "text": "one ] two"}));
    let sgf = server.get(&format!("/games/{game}.sgf"), &server.host, "");
    assert!(sgf.contains("C[one \\] two]") && sgf.contains("\n(;B[bd])"), "{sgf}");
    let loaded = server.post("/games", sgf.split_once("\r\n\r\n").unwrap().1);
    assert!(loaded.contains("{\"game\":"), "{loaded}");
}

#[test]
fn the_engine_answers_analyses_and_can_be_interrupted() {
    let server = Server::go();
    let mut page = server.page();
    let engine = json!([{}, {"engine": true, "level": 1}]);
    page.begin(json!({"size": 9, "players": engine, "time": "byoyomi 60 10 3"}));
    page.play(&["E5"]).unwrap();
    let answered =
        page.until_state(|state| state["thinking"] == false && state["position"]["toMove"] == "b");
    assert_eq!(answered["clock"]["running"], "b");
    assert_eq!(answered["position"]["rows"].to_string().matches('w').count(), 1);
    page.ask(json!({"do": "undo"}));
    let state = page.snapshot();
    assert_eq!(state["tree"].as_array().unwrap().len(), 1, "both turns are taken back");
    // A search that would take minutes is left for something else at once.
    let slow = json!([{}, {"engine": true, "visits": 100_000_000}]);
    page.ask(json!({"do": "set", "players": slow}));
    page.play(&["E5"]).unwrap();
    page.until_state(|state| state["thinking"] == true);
    let began = Instant::now();
    page.ask(json!({"do": "undo"}));
    assert!(began.elapsed() < Duration::from_secs(10));
    assert_eq!(page.snapshot()["position"]["rows"].to_string().matches(['b', 'w']).count(), 0);
    page.play(&["D4"]).unwrap();
    page.ask(json!({"do": "move-now"}));
    page.until_state(|state| state["position"]["toMove"] == "b");
    page.ask(json!({"do": "analyse", "on": true}));
    let told = page.until(|message| message["type"] == "analysis");
    assert!(told["data"]["moves"][0]["steps"].is_array() && told["data"]["owners"].is_array());
    page.ask(json!({"do": "analyse", "on": false}));
    let shown = page.ask(json!({"do": "show", "what": "tesuji-influence tuned"}));
    assert_eq!(shown["kind"], "dboard");
    for bad in ["quit", "savesgf /tmp/x", "tesuji-influence", "loadsgf /etc/passwd"] {
        assert!(page.try_ask(json!({"do": "show", "what": bad})).is_err(), "{bad}");
    }
}

#[test]
fn what_is_asked_while_the_engine_thinks_is_the_persons() {
    let server = Server::go();
    let mut page = server.page();
    let quick = json!([{}, {"engine": true, "seconds": 1}]);
    let (game, _) = page.begin(json!({"size": 9, "players": quick}));
    page.play(&["B1"]).unwrap();
    // Its time does not begin anew.
    let has_answered = (0..24).any(|_| {
        page.ask(json!({"do": "analyse", "on": false}));
        page.ask(json!({"do": "review", "stop": true}));
        std::thread::sleep(Duration::from_millis(250));
        page.snapshot()["position"]["toMove"] == "b"
    });
    assert!(has_answered);
    let slow = json!([{}, {"engine": true, "visits": 100_000_000}]);
    page.ask(json!({"do": "set", "players": slow}));
    page.play(&["H1"]).unwrap();
    page.until_state(|state| state["thinking"] == true);
    // What is saved has the engine's move.
    let path = format!("/games/{game}.sgf");
    let saved = std::thread::scope(|scope| {
        let saved = scope.spawn(|| server.get(&path, &server.host, ""));
        std::thread::sleep(Duration::from_millis(200));
        page.ask(json!({"do": "move-now"}));
        saved.join().unwrap()
    });
    assert!(saved.contains(";B[hi];W["), "{saved}");
    page.play(&["B9"]).unwrap();
    page.until_state(|state| state["thinking"] == true);
    page.ask(json!({"do": "resign"}));
    let state = page.snapshot();
    assert_eq!((&state["result"], &state["thinking"]), (&json!("W+R"), &json!(false)));
}

#[test]
fn a_game_lost_on_time_goes_on_without_clocks_once_a_turn_is_taken_back() {
    let server = Server::go();
    let mut page = server.page();
    let mut setup = people(5);
    setup["time"] = json!("absolute 2");
    page.begin(setup);
    page.play(&["C3"]).unwrap();
    let lost = page.until_state(|state| state["result"] != "");
    assert_eq!((&lost["result"], &lost["live"]), (&json!("B+T"), &json!(false)));
    page.ask(json!({"do": "undo"}));
    page.play(&["B2"]).unwrap();
    std::thread::sleep(Duration::from_millis(100));
    let state = page.snapshot();
    assert_eq!((&state["result"], &state["live"]), (&json!(""), &json!(true)), "{state}");
    assert_eq!(state["clock"], Value::Null);
}

#[test]
fn a_page_hears_that_another_one_has_closed_its_game() {
    let server = Server::go();
    let (mut one, mut other) = (server.page(), server.page());
    let (game, _) = one.begin(people(9));
    other.ask(json!({"do": "open", "game": game}));
    one.ask(json!({"do": "open", "game": null}));
    one.ask(json!({"do": "close", "game": game}));
    let told = other.until(|message| message["type"] == "closed");
    assert_eq!(told["game"], json!(game));
}

#[test]
fn the_other_games_are_played_whole_turns_at_a_time() {
    let server = Server::start(env!("CARGO_BIN_EXE_tesuji-connect6"), &[]);
    let mut page = server.page();
    page.begin(people(19));
    page.play(&["K10"]).unwrap();
    assert_eq!(page.ask(json!({"do": "legal", "steps": ["L10"]}))["due"], 1);
    assert!(page.try_ask(json!({"do": "legal", "steps": ["K10"]})).is_err());
    // As the board names it, not as records do.
    assert_eq!(page.play(&["K10", "L10"]).unwrap_err(), "K10 is occupied");
    page.play(&["A1", "C1"]).unwrap();
    page.play(&["L10", "M10"]).unwrap();
    page.play(&["E1", "G1"]).unwrap();
    page.play(&["N10", "O10"]).unwrap();
    page.play(&["J1", "L1"]).unwrap();
    // The first stone wins: the turn is whole.
    assert_eq!(page.ask(json!({"do": "legal", "steps": ["P10"]}))["due"], 0);
    page.play(&["P10"]).unwrap();
    let state = page.snapshot();
    assert_eq!((&state["result"], &state["position"]["row"][0]), (&json!("B+"), &json!("K10")));

    let server = Server::start(env!("CARGO_BIN_EXE_tesuji-amazons"), &[]);
    let mut page = server.page();
    page.begin(json!({"size": 10, "players": [{"engine": true, "visits": 20}, {}]}));
    let legal = page.ask(json!({"do": "legal", "steps": ["D1", "D7"]}));
    assert!(legal["legal"].as_array().unwrap().contains(&json!("G7")), "{legal}");
    assert!(page.play(&["D1", "D7"]).is_err(), "half a turn");
    page.play(&["D1", "D7", "G7"]).unwrap();
    page.until_state(|state| state["position"]["toMove"] == "w" && state["thinking"] == false);
    assert_eq!(page.snapshot()["tree"][2]["steps"].as_array().unwrap().len(), 3);
    let loaded = server.post("/games", "d1-d7/g7 d10-d8/c8");
    assert!(loaded.contains("{\"game\":"), "{loaded}");
    let refused = server.post("/games", "d1-d7/g7 junk");
    assert!(refused.contains("422") && refused.contains("move 2"), "{refused}");
}

#[test]
fn a_game_in_another_page_is_not_disturbed_by_hostile_requests() {
    let server = Server::go();
    let host = server.host.clone();
    let mut page = server.page();
    let (_, _) = page.begin(people(9));
    page.play(&["E5"]).unwrap();
    let answer = server.get("/", &host, "");
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.contains("content-security-policy"),
        "{answer}"
    );
    for round in 0..100 {
        // Another name, another origin, none.
        for bad in ["evil.example", "evil.example:80", "127.0.0.1", "localhost:1"] {
            assert!(server.get("/", bad, "").starts_with("HTTP/1.1 403"), "{bad}");
        }
        assert!(
            server.get("/", &host, "Origin: http://evil.example\r\n").starts_with("HTTP/1.1 403")
        );
        for origin in ["http://evil.example", "null", ""] {
            assert!(server.try_page(origin).is_err(), "{origin}");
        }
        // Bodies that are too large, and requests that are none.
        let request = format!(
            "POST /games HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Length: 99999999999\r\nConnection: close\r\n\r\n"
        );
        assert!(server.raw(&request).starts_with("HTTP/1.1 413"));
        assert!(!server.raw("nonsense\r\n\r\n").starts_with("HTTP/1.1 200"));
        assert!(server.get("/../../etc/passwd", &host, "").starts_with("HTTP/1.1 404"));
        if round % 10 == 0 {
            let mut other = server.page();
            for text in [
                "{",
                "[]",
                "17",
                r#"{"id":1}"#,
                r#"{"do":"play"}"#,
                r#"{"do":"open","game":"../x"}"#,
                r#"{"id":-1,"do":"close","game":""}"#,
                "\u{0}",
            ] {
                other.socket.send(Message::Text(text.into())).unwrap();
            }
            for _ in 0..8 {
                other.until(|message| message["type"] == "error");
            }
            let deep = "[".repeat(60_000);
            other.socket.send(Message::Text(deep.into())).unwrap();
            other.until(|message| message["type"] == "error");
            // One that is too large ends its own connection alone.
            let _ = other.socket.send(Message::Text("x".repeat(1 << 20).into()));
            while other.socket.read().is_ok() {}
        }
    }
    // 500 connections at once that say nothing, and one of pages more than there can be.
    let silent: Vec<TcpStream> = (0..500).filter_map(|_| TcpStream::connect(&host).ok()).collect();
    let answered = Instant::now();
    page.play(&["C3"]).unwrap();
    assert!(answered.elapsed() < Duration::from_secs(5), "the game goes on beside them");
    drop(silent);
    std::thread::sleep(Duration::from_millis(300));
    let origin = format!("http://{host}");
    let pages: Vec<Page> = (0..80).filter_map(|_| server.try_page(&origin).ok()).collect();
    assert!((32..=63).contains(&pages.len()), "{} pages", pages.len());
    drop(pages);
    // More games than there can be.
    let refused =
        (0..40).filter(|_| page.try_ask(json!({"do": "new", "setup": people(9)})).is_err()).count();
    assert!(refused > 0, "games are counted");
    for setup in [
        json!({"size": 200}),
        json!({"size": 9, "rules": "none\nquit"}),
        json!({"time": "x"}),
        json!({"handicap": 99}),
    ] {
        assert!(page.try_ask(json!({"do": "new", "setup": setup})).is_err(), "{setup}");
    }
    let state = page.snapshot();
    assert_eq!(state["tree"].as_array().unwrap().len(), 3);
    page.play(&["G7"]).unwrap();
    // A page that floods is cut off.
    let mut flood = server.page();
    for _ in 0..2000 {
        if flood.socket.send(Message::Text(r#"{"do":"snapshot"}"#.into())).is_err() {
            break;
        }
    }
    while flood.socket.read().is_ok() {}
    page.play(&["G3"]).unwrap();
}

#[test]
fn beyond_this_machine_a_token_is_asked_for() {
    let server = Server::start(env!("CARGO_BIN_EXE_tesuji-amazons"), &["--listen", "0.0.0.0"]);
    let host = &server.host;
    assert!(server.query.starts_with("?token="), "{}", server.query);
    assert!(server.get("/", host, "").starts_with("HTTP/1.1 403"));
    assert!(server.try_page(&format!("http://{host}")).is_err());
    let admitted = server.get(&format!("/{}", server.query), host, "");
    assert!(admitted.starts_with("HTTP/1.1 303"), "{admitted}");
    let cookie = admitted.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"));
    let kept = cookie.split(';').next().unwrap();
    assert!(server.get("/", host, &format!("Cookie: {kept}\r\n")).starts_with("HTTP/1.1 200"));
}

#[test]
fn a_record_keeps_its_result_whatever_is_tried_in_it() {
    let server = Server::go();
    let mut page = server.page();
    let begun = server.post("/games", "(;SZ[9]RE[W+3.5]EV[cup];B[aa];W[bb];B[cc])");
    let begun: Value = serde_json::from_str(begun.split_once("\r\n\r\n").unwrap().1).unwrap();
    let id = begun["game"].as_str().unwrap();
    let snapshot = page.ask(json!({"do": "open", "game": id}));
    assert_eq!(snapshot["result"], "W+3.5");
    let saved = || server.get(&format!("/games/{id}.sgf"), &server.host, "");
    page.ask(json!({"do": "undo"}));
    assert_eq!(page.snapshot()["result"], "", "the game can go on");
    assert!(saved().contains("RE[W+3.5]EV[cup]") && saved().contains(";W[bb])"), "{}", saved());
    page.ask(json!({"do": "resign"}));
    assert_eq!(page.snapshot()["result"], "W+R");
    assert!(saved().contains("RE[W+3.5]"), "{}", saved());
    // Of a game that is played it is what is on the board.
    let (id, _) = page.begin(people(9));
    page.play(&["E5"]).unwrap();
    page.ask(json!({"do": "resign"}));
    let saved = server.get(&format!("/games/{id}.sgf"), &server.host, "");
    assert!(saved.contains("RE[B+R]"), "{saved}");
}

#[test]
fn a_match_is_watched() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("one against two");
    let tesuji = env!("CARGO_BIN_EXE_tesuji");
    let engine = format!("{tesuji} --network none --playouts 10 --threads 1 --seed");
    let played = Command::new(tesuji)
        .args([
            "match",
            "-s",
            "5",
            "-g",
            "2",
            "-e",
            &format!("{engine} 1"),
            "-e",
            &format!("{engine} 2"),
            "--dir",
        ])
        .arg(&dir)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(played.success());
    let server = Server::start(tesuji, &["--network", "none", "--watch", dir.to_str().unwrap()]);
    let mut page = server.page();
    assert_eq!(page.hear()["matches"], json!(["one against two"]));
    let told = page.ask(json!({"do": "match", "name": "one against two"}));
    assert_eq!((&told["played"], &told["scheduled"]), (&json!(2), &json!(2)));
    assert_eq!(told["table"].as_array().unwrap().len(), 2);
    let replay = json!({"do": "replay", "name": "one against two", "game": 1});
    let game = page.ask(replay)["game"].clone();
    let snapshot = page.ask(json!({"do": "open", "game": game}));
    assert_eq!(
        snapshot["tree"].as_array().unwrap().len() as u64 - 1,
        told["games"][1]["turns"].as_u64().unwrap()
    );
    assert!(page.try_ask(json!({"do": "match", "name": "/etc"})).is_err());
    assert!(page.try_ask(json!({"do": "replay", "name": "one against two", "game": 7})).is_err());
}

#[test]
fn the_page_works_in_a_real_browser() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/try-web");
    let programs = [
        env!("CARGO_BIN_EXE_tesuji"),
        env!("CARGO_BIN_EXE_tesuji-connect6"),
        env!("CARGO_BIN_EXE_tesuji-amazons"),
    ];
    let Ok(done) = Command::new("python3").arg(script).args(programs).output() else {
        eprintln!("skipped: there is no python3");
        return;
    };
    let told = String::from_utf8_lossy(&done.stdout);
    if done.status.code() == Some(77) {
        eprint!("{told}");
        return;
    }
    assert!(done.status.success(), "{told}{}", String::from_utf8_lossy(&done.stderr));
}
