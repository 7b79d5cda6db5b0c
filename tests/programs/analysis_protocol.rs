//! `tesuji analysis` over real pipes: its transcripts (`gtp-tests/analysis`), and what no transcript can tell.
//!
//! `$ ARGUMENTS` starts the program, `> LINE` is sent, and each `< OBJECT` has to fit one line that comes back, in any order,
//! with none left over; `{network}` is the path of a small network. In an object that is expected fields may be missing; `null` is a field that must not be there, a string
//! after `~` a pattern, a number in the place of a list its length, and `"..."` in a list stands for any number of items.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

use regex::Regex;
use serde_json::{Value, json};

use crate::common::{PATIENCE, Program, files, run, spawn_with_output};

#[test]
fn conversations_go_as_written() {
    let folder = tempfile::tempdir().unwrap();
    let network = folder.path().join("sample.bin.gz");
    std::fs::write(&network, go_network::sample::network(15, 1).write_gzip()).unwrap();
    for file in files("gtp-tests/analysis", "txt") {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).unwrap();
        check(&name, &text.replace("{network}", network.to_str().unwrap()));
    }
}

fn check(name: &str, text: &str) {
    let mut args = vec!["analysis"];
    let (mut input, mut expected) = (String::new(), Vec::new());
    for line in text.lines() {
        if let Some(more) = line.strip_prefix("$ ") {
            args.extend(more.split_whitespace());
        } else if let Some(sent) = line.strip_prefix('>') {
            input += sent;
            input.push('\n');
        } else if let Some(wanted) = line.strip_prefix("< ") {
            expected.push(
                wanted.parse::<Value>().unwrap_or_else(|why| panic!("{name}: {wanted}: {why}")),
            );
        } else {
            assert!(line.is_empty() || line.starts_with('#'), "{name}: what is {line:?}?");
        }
    }
    let (output, code) = run(&args, input.as_bytes());
    assert_eq!(code, Some(0), "{name}: exit code");
    let mut got: Vec<Value> = output.lines().map(|line| line.parse().unwrap()).collect();
    for wanted in &expected {
        let at = got.iter().position(|object| fits(wanted, object));
        let at = at.unwrap_or_else(|| panic!("{name}: nothing fits {wanted} in {got:?}"));
        got.remove(at);
    }
    assert!(got.is_empty(), "{name}: more output than expected: {got:?}");
}

fn fits(wanted: &Value, got: &Value) -> bool {
    match (wanted, got) {
        (Value::Object(wanted), Value::Object(got)) => {
            wanted.iter().all(|(name, value)| match (value, got.get(name)) {
                (Value::Null, found) => found.is_none(),
                (value, Some(found)) => fits(value, found),
                (_, None) => false,
            })
        }
        (Value::Array(wanted), Value::Array(got)) => {
            match wanted.iter().position(|item| item == "...") {
                Some(at) => {
                    let (before, after) = (&wanted[..at], &wanted[at + 1..]);
                    before.len() <= got.len()
                        && before.iter().zip(got).all(|(wanted, got)| fits(wanted, got))
                        && after.iter().all(|wanted| got.iter().any(|got| fits(wanted, got)))
                }
                None => {
                    wanted.len() == got.len()
                        && wanted.iter().zip(got).all(|(wanted, got)| fits(wanted, got))
                }
            }
        }
        (Value::Number(length), Value::Array(got)) => length.as_u64() == Some(got.len() as u64),
        (Value::String(wanted), got) if wanted.starts_with('~') => {
            let text = got.as_str().map_or_else(|| got.to_string(), str::to_owned);
            Regex::new(&format!("^(?:{})$", &wanted[1..])).unwrap().is_match(&text)
        }
        _ => wanted == got,
    }
}

/// A query about an empty 9x9 board.
fn query(id: &str, visits: u64, more: Value) -> String {
    let mut object = json!({
        "id": id, "moves": [], "rules": "chinese", "boardXSize": 9, "boardYSize": 9, "maxVisits": visits,
    });
    for (name, value) in more.as_object().unwrap() {
        object[name] = value.clone();
    }
    format!("{object}\n")
}

fn start(args: &[&str]) -> Program {
    Program::start(&[&["analysis", "--network", "none"], args].concat())
}

fn object(program: &mut Program) -> Value {
    program.line().parse().unwrap()
}

/// The most visits that can be asked for: a search that has to be ended.
const ENDLESS: u64 = 1 << 50;

#[test]
fn urgent_positions_come_first_then_those_that_came_first() {
    let mut program = start(&["--positions", "1"]);
    program.write(query("long", ENDLESS, json!({"reportDuringSearchEvery": 0.01})));
    assert_eq!(object(&mut program)["isDuringSearch"], true);
    for (id, priority) in [("a", 0), ("b", -1), ("c", 7), ("d", 0)] {
        program.write(query(id, 5, json!({"priority": priority})));
    }
    program.write(query(
        "e",
        5,
        json!({"analyzeTurns": [0, 1, 2], "priorities": [8, -5, 9],
        "moves": [["B", "C3"], ["W", "G7"]]}),
    ));
    program.write("{\"id\": \"end\", \"action\": \"terminate\", \"terminateId\": \"long\"}\n");
    let mut order = Vec::new();
    while order.len() < 8 {
        let object = object(&mut program);
        if object["isDuringSearch"] == false {
            order.push(format!("{}{}", object["id"].as_str().unwrap(), object["turnNumber"]));
        }
    }
    assert_eq!(order, ["long0", "e2", "e0", "c0", "a0", "d0", "b0", "e1"]);
    program.close();
    assert_eq!(program.wait(), Some(0));
}

#[test]
fn what_is_terminated_gives_what_there_is() {
    let mut program = start(&["--positions", "1"]);
    let moves = json!({"moves": [["B", "C3"], ["W", "G7"]], "analyzeTurns": [0, 1, 2], "reportDuringSearchEvery": 0.02});
    program.write(query("game", ENDLESS, moves));
    let partial = object(&mut program);
    assert_eq!((&partial["turnNumber"], &partial["isDuringSearch"]), (&json!(0), &json!(true)));
    program.write("{\"id\": \"t\", \"action\": \"terminate\", \"terminateId\": \"game\", \"turnNumbers\": [0, 2]}\n");
    let mut seen = BTreeSet::new();
    let mut visits = partial["rootInfo"]["visits"].as_u64().unwrap();
    // The next one begins when the first has ended.
    loop {
        let object = object(&mut program);
        if object["action"] == "terminate" {
            seen.insert("echo");
        } else if object["noResults"] == true {
            assert_eq!(
                object,
                json!({"id": "game", "turnNumber": 2, "isDuringSearch": false, "noResults": true})
            );
            seen.insert("nothing");
        } else if object["turnNumber"] == 1 {
            break;
        } else {
            let more = object["rootInfo"]["visits"].as_u64().unwrap();
            assert!(more >= visits, "{more} visits after {visits}");
            visits = more;
            if object["isDuringSearch"] == false {
                seen.insert("partial");
            }
        }
    }
    assert_eq!(seen, BTreeSet::from(["echo", "nothing", "partial"]));
    program.write("{\"id\": \"t\", \"action\": \"terminate_all\"}\n");
    while object(&mut program)["isDuringSearch"] != false {}
    program.close();
    assert_eq!(program.wait(), Some(0));
}

#[test]
fn the_end_of_the_input_finishes_what_is_open_or_ends_it() {
    let many: String = (0..30).map(|number| query(&number.to_string(), 200, json!({}))).collect();
    let (output, code) = run(&["analysis", "--network", "none"], many.as_bytes());
    assert_eq!((output.lines().count(), code), (30, Some(0)));
    let endless = query("endless", ENDLESS, json!({}));
    let began = Instant::now();
    let (output, code) = run(
        &["analysis", "--network", "none", "-quit-without-waiting"],
        format!("{endless}{many}").as_bytes(),
    );
    assert!(output.lines().count() < 31 && code == Some(0), "{output}");
    assert!(began.elapsed() < PATIENCE);
    // Time ends a search too.
    let timed = query("timed", ENDLESS, json!({"overrideSettings": {"maxTime": 0.05}}));
    assert_eq!(run(&["analysis", "--network", "none"], timed.as_bytes()).0.lines().count(), 1);
}

#[test]
fn results_are_the_same_whatever_else_is_asked() {
    let asked: String = (0..12)
        .map(|number| {
            let moves = json!({"moves": [["B", "C3"]], "analyzeTurns": [number % 2]});
            query(&number.to_string(), 50 + number % 3, moves)
        })
        .collect();
    let of = |args: &[&str]| {
        let (output, _) =
            run(&[&["analysis", "--network", "none"], args].concat(), asked.as_bytes());
        output.lines().map(str::to_owned).collect::<BTreeSet<_>>()
    };
    let one = of(&["--positions", "1"]);
    assert_eq!(one.len(), 12);
    assert_eq!(one, of(&["--positions", "3"]));
    assert_ne!(one, of(&["--positions", "1", "--seed", "2"]));
}

#[test]
fn both_protocols_tell_the_same_numbers() {
    let mut program = start(&["--seed", "1", "--positions", "1"]);
    program.write(query("a", 60, json!({"moves": [["B", "C3"]], "includeMovesOwnership": true, "includeMovesOwnershipStdev": true,
        "includeOwnership": true, "overrideSettings": {"reportAnalysisWinratesAs": "SIDETOMOVE"}, "komi": 7})));
    let best = object(&mut program)["moveInfos"][0].clone();
    let args = [
        "--seed",
        "1",
        "--threads",
        "1",
        "--boardsize",
        "9",
        "--komi",
        "7",
        "--playouts",
        "60",
        "--network",
        "none",
    ];
    let mut gtp = Program::start(&args);
    gtp.ok("play b C3");
    gtp.write("kata-search_analyze w 100000 movesOwnership true movesOwnershipStdev true\n");
    gtp.line();
    let line = gtp.line();
    let words: Vec<&str> = line.split(' ').collect();
    // A move to be played is searched with other aims; but what is told is told under the same names.
    for name in [
        "visits",
        "edgeVisits",
        "utility",
        "winrate",
        "scoreMean",
        "scoreStdev",
        "scoreLead",
        "scoreSelfplay",
        "prior",
        "lcb",
        "utilityLcb",
        "weight",
        "edgeWeight",
        "order",
        "pv",
    ] {
        assert!(words.contains(&name) && !best[name].is_null(), "{name}: {line} {best}");
    }
    let number = |name: &str| words[words.iter().position(|word| *word == name).unwrap() + 1];
    assert_eq!(number("prior").parse::<f64>().unwrap(), best["prior"].as_f64().unwrap());
    assert_eq!(best["ownership"].as_array().unwrap().len(), 81);
    let stdevs = best["ownershipStdev"].as_array().unwrap();
    assert!(stdevs.len() == 81 && stdevs.iter().any(|stdev| stdev.as_f64().unwrap() > 0.1));
    assert!(words.contains(&"movesOwnershipStdev"), "{line}");
}

#[test]
fn sides_and_points_are_told_as_they_are_asked_for() {
    let mut program = start(&["--positions", "1"]);
    let mut told = |view: &str| {
        let stones = json!({"initialStones": [["B", "A9"], ["B", "B9"], ["B", "A8"], ["W", "J1"]], "initialPlayer": "W",
            "includeOwnership": true, "overrideSettings": {"reportAnalysisWinratesAs": view}});
        program.write(query(view, 300, stones));
        object(&mut program)
    };
    let [black, white, mover] = ["BLACK", "WHITE", "SIDETOMOVE"].map(&mut told);
    let root = |object: &Value, name: &str| object["rootInfo"][name].as_f64().unwrap();
    let sum = root(&black, "winrate") + root(&white, "winrate");
    assert!((sum - 1.0).abs() < 1e-5, "{sum}");
    for name in ["winrate", "scoreLead", "rawWinrate", "rawLead", "utility"] {
        assert_eq!(root(&white, name), root(&mover, name), "White is to move");
    }
    assert_eq!(root(&black, "scoreLead"), -root(&white, "scoreLead"));
    assert_eq!(root(&black, "rawLead"), -root(&white, "rawLead"));
    // Rows come from the top.
    let owner = |object: &Value, at: usize| object["ownership"][at].as_f64().unwrap();
    assert!(owner(&black, 0) > owner(&black, 80), "{}", black["ownership"]);
    assert_eq!(owner(&black, 0), -owner(&white, 0));
    let info = |object: &Value, name: &str| object["moveInfos"][0][name].as_f64().unwrap();
    assert!((info(&black, "winrate") + info(&white, "winrate") - 1.0).abs() < 1e-5);
    assert!(
        info(&white, "lcb") <= info(&white, "winrate")
            && info(&black, "lcb") >= info(&black, "winrate")
    );
}

#[test]
fn bad_lines_have_one_answer_each_and_disturb_nothing() {
    let mut program = start(&["--positions", "1"]);
    let deep = 1_000_000;
    let lines: Vec<Vec<u8>> = vec![
        [vec![b'['; deep], vec![b']'; deep]].concat(),
        format!("{{\"id\": \"a\", \"moves\": {}", "{\"a\":".repeat(deep / 10)).into_bytes(),
        vec![b'x'; 10 << 20],
        format!("{{\"id\": \"{}\"}}", "y".repeat(10 << 20)).into_bytes(),
        vec![0xff, 0xfe, b'{', b'}'],
        vec![0; 1000],
        b"{\"id\": \"a\", \"moves\": [[\"B\", \"E5\"]".to_vec(),
        b"{\"id\": \"\\ud800\"}".to_vec(),
        format!("{{\"id\": \"a\", \"boardXSize\": {}}}", "9".repeat(100_000)).into_bytes(),
        br#"{"id": "a", "moves": [], "rules": "chinese", "boardXSize": 255, "boardYSize": 19}"#.to_vec(),
        br#"{"id": "a", "moves": [["B", "Q99999999999999999999"]], "rules": "chinese", "boardXSize": 19, "boardYSize": 19}"#
            .to_vec(),
        br#"{"id": "a", "moves": [], "rules": "chinese", "boardXSize": 9, "boardYSize": 9, "analyzeTurns": [-1]}"#.to_vec(),
    ];
    for (number, line) in lines.into_iter().enumerate() {
        program.write([&line[..], b"\n"].concat());
        let error = object(&mut program);
        assert!(error["error"].is_string(), "{number}: {error}");
        let text = error["error"].as_str().unwrap();
        assert!(text.len() < 1000, "{number}: {} bytes", text.len());
        program.write(query(&number.to_string(), 3, json!({})));
        let result = object(&mut program);
        assert_eq!(
            (&result["id"], &result["rootInfo"]["visits"]),
            (&json!(number.to_string()), &json!(3))
        );
    }
    program.close();
    assert_eq!(program.wait(), Some(0));
    assert!(program.line_within(Duration::from_millis(10)).is_none());
}

#[test]
fn who_writes_all_before_reading_is_answered() {
    // More than a pipe holds, both ways.
    let color = |at: usize| if at.is_multiple_of(2) { "B" } else { "W" };
    let moves = (0..40).map(|at| json!([color(at), format!("({},{})", at % 9, at / 9)]));
    let moves: Vec<Value> = moves.collect();
    let more = json!({"moves": moves, "includePolicy": true, "includeOwnership": true, "includeMovesOwnership": true});
    let (mut child, mut input, output) =
        spawn_with_output(&["analysis", "--network", "none"], Stdio::piped());
    for number in 0..300 {
        let asked = query(&number.to_string(), 20, more.clone()) + "?\n";
        input.write_all(asked.as_bytes()).unwrap();
    }
    drop(input);
    let mut text = String::new();
    output.unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(text.lines().filter(|line| line.contains("no JSON")).count(), 300);
    assert_eq!(text.lines().filter(|line| line.contains("rootInfo")).count(), 300);
}

#[test]
fn it_ends_when_nobody_reads() {
    let (mut child, mut input, output) =
        spawn_with_output(&["analysis", "--network", "none"], Stdio::piped());
    drop(output);
    let _ = input.write_all(query("a", 5, json!({})).as_bytes());
    let end = Instant::now() + PATIENCE;
    while child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < end, "it goes on though nobody reads");
        std::thread::sleep(Duration::from_millis(10));
    }
}
