//! Whole sessions over GTP: those of the three programs as they are shipped.

use amazons_engine::eval::Weights;
use connect6_engine::search::Knowledge;
use connect6_engine::{Rules, weights};
use go_engine::Game;
use go_patterns::knowledge::{Library, Patterns};
use std::sync::{Arc, OnceLock};
use tesuji::amazons::{self, Amazons};
use tesuji::connect6::{self, Connect6};
use tesuji::go::engine::{EngineConfig, GoEngine};
use tesuji::go::{self, Go};
use tesuji::gtp;
use tesuji::gtp::params::Params;
use tesuji::session::{Game as _, SessionConfig};
use tunables::{Kind, Tunable};

/// A session of Go with all that it has learned over any bytes: nothing panics, and every request has one answer.
pub fn gtp_line(data: &[u8]) {
    converse(&go::commands(), &mut go_session(), data);
}

fn go_session() -> Go {
    static LIBRARY: OnceLock<Arc<Library>> = OnceLock::new();
    let read = || Arc::new(Library::built_in().expect("what was learned"));
    let library = Arc::clone(LIBRARY.get_or_init(read));
    let config = EngineConfig { threads: 1, seed: 1, memory_mib: 16, level: None };
    let engine = GoEngine::new(config, Patterns::Full, library);
    Go::new(Game::new(5, 5).expect("a board"), engine, quick())
}

/// A session of Amazons over any bytes, as [`gtp_line`]; and whatever can be read as a record of it can be written and
/// read again.
pub fn amazons(data: &[u8]) {
    if let Ok(game) = amazons::record::load(data, None) {
        let written = game.sgf("a ] \\ b", "");
        let again = amazons::record::load(written.as_bytes(), None).expect("our own record");
        assert_eq!((again.start(), again.position()), (game.start(), game.position()));
    }
    converse(&amazons::commands(), &mut amazons_session(), data);
}

fn amazons_session() -> Amazons {
    let engine = amazons::engine::AmazonsEngine::new(Weights::shipped(), 1, 16);
    let start = amazons_engine::Position::start_on(4).expect("a start");
    Amazons::new(amazons_engine::Game::new(start), engine, quick())
}

/// A session of Connect6 over any bytes, as [`gtp_line`]; and whatever can be read as a record of it, in any of its
/// forms, can be written and read again.
pub fn connect6(data: &[u8]) {
    let rules = connect6_engine::Rules::CONNECT6;
    if let Ok(game) = connect6::record::load(data, rules, None) {
        let written = game.sgf("a ] \\ b", "");
        let again =
            connect6::record::load(written.as_bytes(), rules, None).expect("our own record");
        assert_eq!((again.rules(), again.key()), (game.rules(), game.key()));
        assert!(again.stones().eq(game.stones()));
    }
    converse(&connect6::commands(), &mut connect6_session(), data);
}

fn connect6_session() -> Connect6 {
    let engine = connect6::engine::Connect6Engine::new(weights::shipped(), 1, 16);
    Connect6::new(connect6_engine::Game::new(Rules::CONNECT6), engine, quick())
}

/// The parameters of a program, which the first byte picks: each three bytes set one or ask for it, or have a move
/// chosen. Whatever can be set, the program goes on.
pub fn params(data: &[u8]) {
    let Some((which, rest)) = data.split_first() else { return };
    match which % 3 {
        0 => set_params(&go::commands(), &mut go_session(), rest),
        1 => set_params(&amazons::commands(), &mut amazons_session(), rest),
        _ => set_params(&connect6::commands(), &mut connect6_session(), rest),
    }
}

fn set_params<S: Params + gtp::Idle + 'static>(
    commands: &gtp::Commands<S>,
    session: &mut S,
    data: &[u8],
) {
    const ODD: [&str; 12] = [
        "nan",
        "-0",
        "inf",
        "1e-45",
        "1e39",
        "-1",
        "0.5",
        "9223372036854775808",
        "on",
        "help",
        "\u{e9}",
        "1 2",
    ];
    let params = session.params();
    let mut input = String::new();
    for bytes in data.as_chunks::<3>().0.iter().take(24) {
        let [index, what, extra] = *bytes;
        let Tunable { name, kind, .. } = params[usize::from(index) % params.len()].tunable;
        let command = ["tesuji-param", "tesuji-internals", "kata-set-param"];
        let command = command[usize::from(what / 16 % 3)];
        let share = f64::from(extra) / 255.0;
        let value = match (what % 8, kind) {
            (0, Kind::Integer(min, _)) => min.to_string(),
            (0, Kind::Real(min, _)) => min.to_string(),
            (1, Kind::Integer(_, max)) => max.to_string(),
            (1, Kind::Real(_, max)) => max.to_string(),
            (2, Kind::Integer(min, max)) => {
                min.saturating_add(i64::from(extra)).min(max).to_string()
            }
            (2 | 3, Kind::Real(min, max)) => (min + share * (max - min)).to_string(),
            (3, Kind::Integer(min, max)) => {
                (min as f64 + share * (max as f64 - min as f64)).floor().to_string()
            }
            (..=3, _) => (extra % 4).to_string(),
            (4, _) => ODD[usize::from(extra) % ODD.len()].to_owned(),
            (5, _) => {
                input += &format!("kata-get-param {name}\ntesuji-param {name}\n");
                continue;
            }
            _ => {
                let commands = [
                    "genmove b",
                    "genmove w",
                    "lz-analyze 1",
                    "final_score",
                    "reg_genmove b",
                    "clear_board",
                ];
                input += BOUNDS;
                input += &format!("{}\n", commands[usize::from(extra) % commands.len()]);
                continue;
            }
        };
        input += &format!("{command} {name} {value}\n");
    }
    input += BOUNDS;
    input += "genmove b\nquit\n";
    answered(commands, session, input.into_bytes());
}

/// What work without end is asked for with.
const BOUNDS: &str = "\
kata-set-param visits 1
kata-set-param threads 1
kata-set-param max_memory 16
kata-set-param level 0
kata-set-param ponder 0
";

/// A move of an engine of Amazons in a session.
pub(super) fn amazons_genmove(engine: amazons::engine::AmazonsEngine) {
    let mut session = amazons_session();
    session.engine = engine;
    answered(&amazons::commands(), &mut session, b"amazons-evaluate\ngenmove w\n".to_vec());
}

/// A move of an engine of Connect6 in a session.
pub(super) fn connect6_genmove(knowledge: Arc<Knowledge>) {
    let mut session = connect6_session();
    session.engine = connect6::engine::Connect6Engine::new(knowledge, 1, 16);
    let input = b"genmove b\ngenmove w\nundo\nlz-analyze 1\n".to_vec();
    answered(&connect6::commands(), &mut session, input);
}

/// A session whose moves take no time.
fn quick<F: Default>() -> SessionConfig<F> {
    SessionConfig { visits: Some(1), ..SessionConfig::default() }
}

/// Sends a session the lines of some bytes and checks that every request has one answer.
fn converse<S: gtp::Idle + 'static>(commands: &gtp::Commands<S>, session: &mut S, data: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut input = Vec::new();
    for line in data.split(|&byte| byte == b'\n') {
        let text = String::from_utf8_lossy(line).replace(|c: char| c.is_control(), "");
        let has = |words: &[&str]| words.iter().any(|&word| text.contains(word));
        if has(&["sgf", "save"]) {
            // Nothing is written but in a folder of its own, and what was written can be loaded.
            let command =
                text.split_whitespace().find(|word| has_letters(word)).unwrap_or_default();
            let file = folder.path().join("file");
            input.extend(format!("{command} {}", file.display()).bytes());
        } else if !has(&["solve"]) {
            // Solvers have a body of their own, in which they do not take ten seconds.
            input.extend(line);
        }
        input.push(b'\n');
        if has(&["param", "internals", "setoption"]) {
            input.extend(BOUNDS.bytes());
        }
    }
    answered(commands, session, input);
}

fn has_letters(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_alphabetic())
}

/// Sends a session its input and checks that every request has one answer.
fn answered<S: gtp::Idle + 'static>(commands: &gtp::Commands<S>, session: &mut S, input: Vec<u8>) {
    let expected = answers_to(&input);
    let mut output = Vec::new();
    gtp::run_with_idle(commands, session, std::io::Cursor::new(input), &mut output)
        .expect("a reader thread");
    check_answers(&output, expected);
}

/// How many answers an input has to get: one for each line, up to `quit`, in which anything is left
/// when comments and control characters are taken out.
pub fn answers_to(input: &[u8]) -> usize {
    let mut count = 0;
    for line in input.split(|&b| b == b'\n') {
        let line = line.split(|&b| b == b'#').next().unwrap_or_default();
        let text: Vec<u8> =
            line.iter().copied().filter(|&b| b == b'\t' || b >= 32 && b != 127).collect();
        let text = String::from_utf8_lossy(&text).replace('\t', " ");
        let mut words = text.split(' ').filter(|word| !word.is_empty());
        let Some(first) = words.next() else { continue };
        count += 1;
        let id = first.bytes().all(|b| b.is_ascii_digit());
        let valid = first.parse::<u32>().is_ok_and(|id| id <= i32::MAX as u32);
        let command = if id { words.next().filter(|_| valid) } else { Some(first) };
        if command == Some("quit") {
            break;
        }
    }
    count
}

/// Checks the form of a whole output: so many answers, each with its sign and its one empty line.
pub fn check_answers(output: &[u8], expected: usize) {
    let text = String::from_utf8_lossy(output);
    let mut answers = 0;
    let mut inside = false;
    for line in text.split_terminator('\n') {
        if inside {
            inside = !line.is_empty();
        } else {
            assert!(line.starts_with(['=', '?']), "no answer begins with {line:?}");
            assert!(line.contains(' '), "no space after the sign and id: {line:?}");
            answers += 1;
            inside = true;
        }
    }
    assert!(!inside, "the last answer has no empty line");
    assert_eq!(answers, expected, "answers in {text}");
}
