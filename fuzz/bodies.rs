//! What the fuzz targets do with their bytes. The seeds go through the same in `cargo test`.

use game_record::{Games, Record, SgfWriter};
use go_engine::rules::Rules;
use go_engine::score::Statuses;
use go_engine::{Color, Game, Move, Point};
use go_patterns::knowledge::{Library, Patterns};
use std::sync::Arc;
use tesuji::go::engine::{EngineConfig, GoEngine};
use tesuji::go::{self, Go, record};
use tesuji::gtp;
use tesuji::session::{Game as _, SessionConfig};

/// A session of GTP over any bytes: nothing panics, and every request has one answer.
pub fn gtp_line(data: &[u8]) {
    static LIBRARY: std::sync::OnceLock<Arc<Library>> = std::sync::OnceLock::new();
    let read = || Arc::new(Library::built_in().expect("what was learned"));
    let library = Arc::clone(LIBRARY.get_or_init(read));
    let config =
        EngineConfig { threads: 1, seed: 1, memory_mib: 16, resign_below: 0.1, level: None };
    let engine = GoEngine::new(config, Patterns::None, library);
    let game = Game::new(5, 5).expect("a board");
    let mut session = Go::new(game, engine, quick());
    converse(&go::commands(), &mut session, data);
}

/// Sends a session the lines of some bytes and checks that every request has one answer.
fn converse<S: gtp::Idle + 'static>(commands: &gtp::Commands<S>, session: &mut S, data: &[u8]) {
    // No fuzzer shall write files, or ask for work without end.
    let harmless = |line: &&[u8]| {
        let text = String::from_utf8_lossy(line).replace(|c: char| c.is_control(), "");
        !["sgf", "save", "param", "solve"].iter().any(|word| text.contains(word))
    };
    let input: Vec<u8> =
        data.split(|&b| b == b'\n').filter(harmless).collect::<Vec<_>>().join(&b'\n');
    let expected = answers_to(&input);
    let mut output = Vec::new();
    gtp::run_with_idle(commands, session, std::io::Cursor::new(input), &mut output)
        .expect("a reader thread");
    check_answers(&output, expected);
}

/// A session whose moves take no time.
fn quick<F: Default>() -> SessionConfig<F> {
    SessionConfig { visits: Some(1), ..SessionConfig::default() }
}

/// A session of Amazons over any bytes, as [`gtp_line`]; and whatever can be read as a record of it can be written and
/// read again.
pub fn amazons(data: &[u8]) {
    use amazons_engine::{Position, eval::Weights};
    use tesuji::amazons::{self, Amazons};
    if let Ok(game) = amazons::record::load(data, None) {
        let written = game.sgf("a ] \\ b", "");
        let again = amazons::record::load(written.as_bytes(), None).expect("our own record");
        assert_eq!((again.start(), again.position()), (game.start(), game.position()));
    }
    let engine = amazons::engine::AmazonsEngine::new(Weights::shipped(), 1, 16);
    let start = amazons_engine::Game::new(Position::start_on(4).expect("a start"));
    let mut session = Amazons::new(start, engine, quick());
    converse(&amazons::commands(), &mut session, data);
}

/// A session of Connect6 over any bytes, as [`gtp_line`]; and whatever can be read as a record of it, in any of its
/// forms, can be written and read again.
pub fn connect6(data: &[u8]) {
    use connect6_engine::{Rules, weights};
    use tesuji::connect6::{self, Connect6};
    if let Ok(game) = connect6::record::load(data, None) {
        let written = game.sgf("a ] \\ b", "");
        let again = connect6::record::load(written.as_bytes(), None).expect("our own record");
        assert!(again.stones().eq(game.stones()));
    }
    let engine = connect6::engine::Connect6Engine::new(weights::shipped(), 1, 16);
    let mut session = Connect6::new(connect6_engine::Game::new(Rules::CONNECT6), engine, quick());
    converse(&connect6::commands(), &mut session, data);
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

/// A file of records: whatever can be read can be replayed or is refused, and what can be replayed
/// can be written and read again.
pub fn sgf(data: &[u8]) {
    let like = Game::new(19, 19).expect("a board");
    for text in Games::new(data).take(20) {
        let Ok(record) = text.and_then(|text| Record::read(&text)) else { continue };
        let mut writer = SgfWriter::new();
        writer.record(&record);
        let Ok(game) = record::replay(&record, None, &like) else { continue };
        let written = record::write(&game, "a ] \\ b", "");
        let again = Games::new(written.as_bytes()).next().expect("a game").expect("our own record");
        let again = Record::read(&again).expect("our own record");
        let again = record::replay(&again, None, &like).expect("our own record");
        assert_eq!(again.board().key(), game.board().key());
        assert_eq!(again.moves(), game.moves());
    }
}

/// A sequence of moves: the first bytes choose size and rules, each following pair a point and what
/// to do. The board keeps its invariants, keys are foretold, and everything can be taken back.
pub fn moves(data: &[u8]) {
    let [size, rules, rest @ ..] = data else { return };
    let (width, height) = (size % 16 + 1, size / 16 % 16 + 1);
    let mut game = Game::new(width, height).expect("a board");
    let names: Vec<&str> = Rules::names().collect();
    let rules: Rules = names[usize::from(*rules) % names.len()].parse().expect("known rules");
    game.set_rules(rules);
    for pair in rest.chunks_exact(2).take(400) {
        let point = Point::new(pair[0] % 25, pair[1] % 25);
        let color = Color::BOTH[usize::from(pair[1] / 32 % 2)];
        match pair[0] / 32 {
            0 => drop(game.play(color, Move::Pass)),
            1 => drop(game.undo()),
            2 => drop(Game::set_up(&mut game, [(point, Some(color))])),
            _ => {
                let foretold = game.board().key_after(point, color);
                if game.play(color, Move::Play(point)).is_ok() {
                    assert_eq!(game.board().key(), foretold);
                }
            }
        }
        game.board().check_invariants().expect("a sound board");
        assert_eq!(game.keys().len(), game.moves().len() + 1);
        assert_eq!(game.keys().last(), Some(&game.board().key()));
    }
    let area = f64::from(width) * f64::from(height);
    let area_only = game.score(&Statuses::all_alive()) + game.compensation();
    if rules.scoring == go_engine::rules::Scoring::Area {
        assert!(area_only.abs() <= area);
    }
    while game.undo().is_ok() {}
    assert_eq!(game.board().stones().count(), game.start().stones.len());
}
