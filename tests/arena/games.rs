//! The games besides Go, in every spelling of their moves.

use tesuji::arena::fault::FaultKind;
use tesuji::arena::game::EndReason;

use super::support::{Finished, Match, scripted};

pub const TESTS: &[(&str, fn())] = &[
    ("games::amazons_is_played_in_all_three_spellings", amazons),
    ("games::connect6_is_played_in_both_spellings", connect6),
    ("games::records_of_connect6_are_openings", connect6_openings),
    ("games::gnu_go_plays_counts_and_agrees", gnu_go),
    ("games::a_referee_decides_or_leaves_no_result", referee),
    ("games::an_illegal_step_of_amazons_is_named", amazons_illegal),
];

fn amazons() {
    let settings = "game = \"amazons\"\nsize = 10\ngames = 2\n[openings]\nrandom = 2";
    let player = |spelling: &str| format!("steps amazons {spelling} 7");
    let played = Match::new(settings)
        .player("points", &player("points"))
        .player("turns", &player("turns"))
        .player_with("algebraic", &player("algebraic"), "spelling = \"algebraic\"");
    let finished = played.run().succeeded(6);
    for game in finished.games() {
        assert_eq!(game.reason, EndReason::Rules, "{game:?}");
        assert!(game.faults.is_empty() && game.winner.is_some() && game.turns > 20, "{game:?}");
        assert_eq!(game.first, game.white, "White moves first");
        let sgf = std::fs::read_to_string(played.folder().join(&game.sgf)).expect("a record");
        let first = sgf
            .split(";W[")
            .nth(1)
            .and_then(|rest| rest.split(']').next())
            .expect("White's first turn");
        assert!(sgf.contains("GM[18]") && first.contains('-') && first.contains('/'), "{first}");
        assert!(sgf.find(";W[") < sgf.find(";B["));
    }
}

fn connect6() {
    let settings = "game = \"connect6\"\nsize = 7\ngames = 4\n[openings]\nrandom = 2";
    let player = |spelling: &str| format!("steps connect6 {spelling} 7");
    let played = Match::new(settings)
        .player("points", &player("points"))
        .player("turns", &player("turns"))
        .player_with("told", &player("points"), "spelling = \"points\"");
    let finished = played.run().succeeded(12);
    for game in finished.games() {
        assert!(game.reason == EndReason::Rules && game.faults.is_empty(), "{game:?}");
        assert_eq!(game.first, game.black, "Black moves first");
        // One stone, then two at a time.
        let sgf = std::fs::read_to_string(played.folder().join(&game.sgf)).expect("a record");
        let turns: Vec<&str> =
            sgf.split([';']).skip(2).filter_map(|node| node.split(['[', ']']).nth(1)).collect();
        let stones = |turn: &str| turn.chars().filter(char::is_ascii_alphabetic).count();
        assert_eq!((stones(turns[0]), stones(turns[1]), stones(turns[2])), (1, 2, 2), "{turns:?}");
        assert!(!sgf.contains("GM["), "{sgf}");
    }
}

fn connect6_openings() {
    let settings = "game = \"connect6\"\nsize = 19\ngames = 2\nmove-limit = 4\n[openings]\nsgf = [\"openings.sgf\"]\nturns = 3";
    let played = Match::new(settings)
        .player("a", "steps connect6 turns 1")
        .player("b", "steps connect6 points 2");
    std::fs::write(played.file("openings.sgf"), "(;B[j10];W[j9l11];B[k10k11];W[a1a2])")
        .expect("written");
    let finished = played.run().succeeded(2);
    for game in finished.games() {
        assert_eq!(
            (game.reason, game.winner.as_deref(), game.turns),
            (EndReason::MoveLimit, None, 4),
            "{game:?}"
        );
        assert_eq!(game.opening, "K10, K9 M11, L10 L11");
    }
}

fn amazons_illegal() {
    // An engine that plays Go is no match for the rules of Amazons.
    let finished = Match::new("game = \"amazons\"\nsize = 5\ngames = 1")
        .player("a", "steps amazons turns 1")
        .player("b", "good")
        .run()
        .succeeded(1);
    let game = &finished.games()[0];
    assert_eq!((game.reason, game.winner.as_deref()), (EndReason::Forfeit, Some("a")), "{game:?}");
}

/// GNU Go as player and referee: an independent program's rules, and its count.
fn gnu_go() {
    let Some(program) = test_support::gnugo() else { return };
    let program = program.display();
    let command = format!("{program} --mode gtp --level 0 --chinese-rules");
    let settings = format!(
        "size = 9\ngames = 2\nconcurrency = 2\n[openings]\nrandom = 3\n[referee]\ncommand = \"{command}\"\n\
         [[player]]\nname = \"one\"\ncommand = \"{command}\"\n[[player]]\nname = \"two\"\ncommand = \"{command}\""
    );
    let finished = Match::new(&settings).run().succeeded(2);
    for game in finished.games() {
        assert!(matches!(game.reason, EndReason::Score | EndReason::Resign), "{game:?}");
        assert!(game.faults.is_empty(), "{game:?}");
    }
}

fn referee() {
    let with = |referee: &str| -> Finished {
        let settings = format!(
            "size = 5\ngames = 2\nkomi = 100.5\n[referee]\ncommand = {:?}",
            scripted(referee)
        );
        Match::new(&settings).player("a", "good").player("b", "liar").run().succeeded(2)
    };
    // The referee is believed against both players.
    for game in with("liar").games() {
        assert_eq!(
            (game.winner.as_deref(), game.result.as_str()),
            (Some(game.black.as_str()), "B+1000")
        );
        assert_eq!(game.faults.len(), 1);
        assert_eq!(game.faults[0].player.as_deref(), Some("a"));
    }
    for game in with("crash-at-start").games() {
        assert_eq!((game.reason, game.winner.as_deref()), (EndReason::Void, None));
        assert!(game.faults.iter().any(|fault| fault.kind == FaultKind::Referee), "{game:?}");
    }
}
