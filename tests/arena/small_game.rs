//! A game of 200 lines ([`super::hex`]) has a clock, analysis, undo, records and matches like the games that ship.

use std::process::Command;

use tesuji::arena::arbiter::Game;
use tesuji::arena::cli::{self, MatchArgs};
use tesuji::arena::game::EndReason;

use clap::Parser;

use super::hex::{self, Hex};
use super::support::{Finished, Match};

pub const TESTS: &[(&str, fn())] = &[
    ("small_game::it_has_a_clock_analysis_undo_and_records", session),
    ("small_game::it_is_played_to_its_end", whole_game),
    ("small_game::matches_are_played_of_it", hex_match),
];

/// `tesuji match` with one game more.
#[derive(Parser)]
struct HexMatch {
    #[command(flatten)]
    args: MatchArgs,
}

/// The command line of this program that plays matches of Hex.
pub fn run_match(words: &[String]) {
    Game::of::<Hex>("hex").add();
    cli::run(&HexMatch::parse_from(words).args).expect("a match");
}

/// The answers of a session on 5x5, without their signs.
fn converse(input: String) -> Vec<String> {
    let mut output = Vec::new();
    hex::answer(5, std::io::Cursor::new(input), &mut output);
    let text = String::from_utf8(output).unwrap();
    text.split_terminator("\n\n").map(|answer| answer.to_owned()).collect()
}

fn session() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.sgf").display().to_string();
    let answers = converse(format!(
        "play b C3\nplay w C3\ntime_settings 2 0 0\ngenmove w\nundo\nundo\nundo\nplay b C3\nlz-genmove_analyze w 1\n\
         gomill-explain_last_move\nsavesgf {path}\nclear_board\nloadsgf {path}\nprintsgf\ngogui-rules_side_to_move\n\
         tesuji-best_moves\ntesuji-param visits 50\ntesuji-param visits\nreg_genmove b\nkata-analyze b 1 minmoves 1\n\
         gogui-setup b A1 b A2 b A3 b A4\ngogui-rules_final_result\ngenmove b\nquit\n"
    ));
    let is = |at: usize, text: &str| assert_eq!(answers[at], text, "{at} of {answers:?}");
    is(1, "? illegal move");
    assert!(answers[3].starts_with("= ") && answers[3] != "= pass", "{answers:?}");
    for at in [4, 5] {
        is(at, "= ");
    }
    is(6, "? cannot undo");
    assert!(answers[8].starts_with("= \ninfo move ") && answers[8].contains("\nplay "));
    assert!(answers[9].starts_with("= White ") && answers[9].contains(" visits"));
    assert!(answers[13].contains("SZ[5]") && answers[13].contains(";B[C3];W["), "{answers:?}");
    is(14, "= black");
    assert!(answers[15].starts_with("= COLOR #"), "{answers:?}");
    is(17, "= 50");
    assert!(answers[19].starts_with("= \ninfo move "));
    is(21, "= The game is not over");
    assert!(answers[22].starts_with("= "));
}

fn whole_game() {
    let genmoves: String = (0..13).map(|_| "genmove b\ngenmove w\n").collect();
    let answers = converse(format!("tesuji-param visits 200\n{genmoves}final_score\nshowboard\n"));
    let score = &answers[27];
    assert!(["= B+1", "= W+1"].contains(&score.as_str()), "{answers:?}");
    assert!(answers[26] == "= pass" && answers[28].contains(" has won\n"), "{answers:?}");
}

fn hex_match() {
    let program = std::env::current_exe().expect("the test program's path");
    let player = |name: &str, visits: u32| {
        format!(
            "[[player]]\nname = \"{name}\"\ncommand = \"'{}' hex-engine\"\nsetup = [\"tesuji-param visits {visits}\"]\n",
            program.display()
        )
    };
    let settings =
        "game = \"hex\"\nsize = 5\ngames = 4\n[time]\nmain = \"20s\"\n[openings]\nrandom = 1\n";
    let played = Match::new(&format!("{settings}{}{}", player("much", 400), player("little", 4)));
    let mut command = Command::new(&program);
    command.arg("hex-match").args(played.arguments());
    let finished = Finished::new(command.output().expect("it runs"), &played.folder()).succeeded(4);
    for game in finished.games() {
        assert!(game.reason == EndReason::Rules && game.faults.is_empty(), "{game:?}");
        assert!(game.winner.is_some() && game.first == game.black && game.turns >= 9, "{game:?}");
        let sgf = std::fs::read_to_string(played.folder().join(&game.sgf)).expect("a record");
        assert!(sgf.contains("GM[11]") && sgf.contains("SZ[5]") && sgf.contains("BL["), "{sgf}");
    }
    assert!(finished.stdout.contains("much"), "{}", finished.stdout);
}
