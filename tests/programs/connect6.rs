//! `tesuji-connect6` over real pipes: sessions, files, and the tools beside the session.

use std::io::Write;
use std::process::{Command, Stdio};

/// Runs the program on some input and gives its output and exit code.
fn run(args: &[&str], input: &str) -> (String, Option<i32>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji-connect6"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

/// The answers of a session, without their empty lines.
fn session(input: &str) -> Vec<String> {
    let (output, code) = run(&["--visits", "20", "--threads", "1", "--max-memory", "32"], input);
    assert_eq!(code, Some(0), "{output}");
    output.split("\n\n").filter(|a| !a.is_empty()).map(str::to_owned).collect()
}

#[test]
fn stones_and_turns_are_taken_and_given() {
    let answers = session(
        "play b K10\ngogui-rules_side_to_move\nplay w K11 L11\nplay b J10,J9\nplay w H8H9\nplay b K10\nplay b I5\n\
         play b M5 M5\nundo\nundo\ngg-undo 9\nplay b J10,J9\nprintsgf\ngenmove w\nboardsize 15\nboardsize 20\nplay b T1\nquit\n",
    );
    assert_eq!(answers[1], "= white");
    for i in [0, 2, 3, 4, 8, 9] {
        assert_eq!(answers[i], "= ", "answer {i}");
    }
    assert_eq!(answers[5], "? illegal move");
    assert_eq!(answers[6], "? invalid color or coordinate");
    assert_eq!(answers[7], "? illegal move");
    assert_eq!(answers[10], "? cannot undo");
    assert_eq!(answers[11], "= ");
    assert_eq!(
        answers[12],
        "= (;FF[4]CA[UTF-8]RU[connect 19 19 6 2 1]SZ[19]\n;B[j10];W[j11k11];B[i10i9])"
    );
    // The last move was a whole turn, and so is the answer.
    assert_eq!(answers[13].trim_start_matches("= ").split(' ').count(), 2, "{}", answers[13]);
    assert_eq!(answers[14..], ["= ", "? unacceptable size", "? illegal move", "= "]);
}

#[test]
fn undo_takes_back_what_one_command_did() {
    let after = |commands: &str| {
        let answers = session(&format!("{commands}\nprintsgf\ngogui-rules_side_to_move\nquit\n"));
        let [.., sgf, side, _] = &answers[..] else { panic!("{answers:?}") };
        let moves = sgf.split_once('\n').map_or("", |(_, moves)| moves.trim_end_matches(')'));
        format!("{moves} {}", side.trim_start_matches("= "))
    };
    assert_eq!(after("play b K10\nplay w J9 L9\nundo"), ";B[j10] white");
    assert_eq!(after("play b K10\nplay w J9\nplay w L9\nundo"), ";B[j10];W[i9] white");
    assert_eq!(after("play b K10\ngenmove w\ngenmove w\ngg-undo 2"), ";B[j10] white");
    assert_eq!(after("play b K10\nplay w J9 L9\nplay b J8\ngenmove b\ngg-undo 3"), ";B[j10] white");
    let sequence = "gogui-play_sequence b K10 w J9L9 b J8";
    assert_eq!(after(&format!("{sequence}\nundo")), ";B[j10];W[i9k9] black");
    assert_eq!(after(&format!("{sequence}\ngg-undo 2")), ";B[j10] white");
    // The passes of a game that is over are commands like others.
    let won = "play b K10\nplay w A1 B1\nplay b K11 K12\nplay w A3 B3\nplay b K13 K14\nplay w A5 B5\nplay b K15";
    let before = ";B[j10];W[a1b1];B[j11j12];W[a3b3];B[j13j14];W[a5b5]";
    assert_eq!(
        after(&format!("{won}\ngenmove w\nplay b pass\ngg-undo 3")),
        format!("{before} black")
    );
}

#[test]
fn a_game_can_be_refereed() {
    let row: String = (1..=6).map(|i| format!("play b A{i}\n")).collect();
    let answers = session(&format!(
        "gogui-rules_game_id\ngogui-rules_board_size\n{row}gogui-rules_legal_moves\ngogui-rules_final_result\n\
         final_score\ngenmove w\nplay w pass\nplay w B1\nconnect6-winning_line\nconnect6-rules 15 15 5 1 1\n\
         gogui-rules_game_id\ngenmove b\n"
    ));
    assert_eq!(answers[..2], ["= Connect6", "= 19"]);
    assert_eq!(answers[8..14], ["= ", "= Black wins", "= B+1", "= pass", "= ", "? illegal move"]);
    assert!(answers[14].contains("Black has won"));
    assert_eq!(answers[16], "= Gomoku");
    assert_eq!(answers[17].split(' ').count(), 2);
}

#[test]
fn analysis_speaks_the_clients_language() {
    let answers = session(
        "play b K10\nlz-genmove_analyze w 10\nkata-genmove_analyze w 10\nlz-analyze b 5\nname\n",
    );
    assert!(answers[1].starts_with("= \ninfo move "), "{}", answers[1]);
    assert!(answers[1].contains("\nplay "));
    assert!(answers[2].contains("play "));
    assert_eq!(answers.last().unwrap(), "= Tesuji Connect6");
}

#[test]
fn regression_moves_repeat() {
    let input = "play b K10\nreg_genmove w\nplay w K11\nreg_genmove w\n";
    assert_eq!(session(input), session(input));
}

#[test]
fn noise_is_survived() {
    let answers = session(
        "\u{1}\nplay\nplay b\nplay x y\nfoo\ntime_left b x\nconnect6-rules 1 2\nloadsgf /none\nundo\ngenmove\n7 name\n",
    );
    let errors = answers.iter().filter(|a| a.starts_with('?')).count();
    assert_eq!(errors, answers.len() - 1, "{answers:?}");
    assert_eq!(answers.last().unwrap(), "=7 Tesuji Connect6");
}

#[test]
fn solve_answers_in_words_and_json() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("position");
    let row = "j10 j9k11 k8l11 m9l10 n8l9 m10m8 m7m12 o9n10 m11o11 o10p10 q10n9";
    std::fs::write(&file, row).unwrap();
    let (text, code) = run(&["solve", file.to_str().unwrap()], "");
    assert_eq!(code, Some(0));
    assert!(text.starts_with("White wins by threats"), "{text}");
    std::fs::write(&file, format!("{row}\nj10\nj99\n")).unwrap();
    let (text, code) = run(&["solve", "--json", file.to_str().unwrap()], "");
    assert_eq!(code, Some(1));
    let rows: Vec<serde_json::Value> =
        text.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    assert_eq!(rows[0]["verdict"], "win");
    assert_eq!((&rows[1]["verdict"], &rows[1]["tried"]), (&"no win".into(), &"threats".into()));
    assert!(rows[2]["error"].as_str().unwrap().contains("position 3"));
    assert_eq!(run(&["solve", "/none"], "").1, Some(1));
    std::fs::write(&file, "j10").unwrap();
    let (text, _) = run(&["solve", file.to_str().unwrap()], "");
    assert!(text.starts_with("White has no win by the turns tried, which make threats"), "{text}");
    let (text, _) = run(&["solve", "--doubles", file.to_str().unwrap()], "");
    assert!(text.starts_with("White has no win by the turns tried, which leave no free"), "{text}");
}

#[test]
fn games_against_itself_go_on_where_they_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let play = |name: &str, games: &str| {
        let output = folder.path().join(name);
        let out = output.to_str().unwrap();
        let args = ["selfplay", "--output", out, "--games", games, "--visits", "8"];
        let (text, code) = run(&[&args[..], &["--threads", "1"]].concat(), "");
        assert_eq!(code, Some(0), "{text}");
        std::fs::read_to_string(output).unwrap()
    };
    let whole = play("whole.tsv", "4");
    assert_eq!(whole.lines().count(), 5);
    play("part.tsv", "2");
    // The row that was being written when it stopped is cut short.
    let part = folder.path().join("part.tsv");
    let text = std::fs::read_to_string(&part).unwrap();
    std::fs::write(&part, &text[..text.len() - 5]).unwrap();
    assert_eq!(play("part.tsv", "4"), whole);

    std::fs::write(&part, "something else\n").unwrap();
    let (text, code) = run(&["selfplay", "--output", part.to_str().unwrap()], "");
    assert_ne!(code, Some(0), "{text}");
    assert_eq!(std::fs::read_to_string(&part).unwrap(), "something else\n");
    std::fs::write(&part, "notes without an end").unwrap();
    let (text, code) = run(&["selfplay", "--output", part.to_str().unwrap()], "");
    assert_ne!(code, Some(0), "{text}");
    assert_eq!(std::fs::read_to_string(&part).unwrap(), "notes without an end");
}

#[test]
fn training_resumes_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let games = path("games.tsv");
    let row = "W\tj10 j9k11 k8l11 m9l10 n8l9 m10m8 m7m12 o9n10 m11o11 o10p10 q10n9 k10i6\n";
    std::fs::write(&games, format!("result\tmoves\n{}", row.repeat(20))).unwrap();
    let played = path("played.tsv");
    let (text, code) = run(&["selfplay", "--output", &played, "--games", "3", "--visits", "8"], "");
    assert_eq!(code, Some(0), "{text}");
    let train = |name: &str, more: &[&str]| {
        let out = path(name);
        let args = [&["train", "--games", &games, "--output", &out][..], more].concat();
        let (text, code) = run(&args, "");
        assert_eq!(code, Some(0), "{text}");
        std::fs::read(out).unwrap()
    };
    let records = train("records.bin", &[]);
    let with_self_play = ["--self-play", &played];
    let first = train("one.bin", &with_self_play);
    assert_ne!(first, records);
    assert_eq!(first, train("two.bin", &with_self_play));
    // The second run of the same command finds everything done; one with games against itself too goes on from
    // the records.
    assert_eq!(first, train("one.bin", &with_self_play));
    assert_eq!(first, train("records.bin", &with_self_play));
    // Other games are not gone on with, although they are as many.
    let train = |games: &str, more: &[&str]| {
        let args = ["train", "--games", games, "--output", &path("one.bin")];
        run(&[&args[..], more].concat(), "")
    };
    let others = path("others.tsv");
    std::fs::write(&others, format!("result\tmoves\n{}", row.replace('W', "B").repeat(20)))
        .unwrap();
    let (text, code) = train(&others, &with_self_play);
    assert_eq!(code, Some(1), "{text}");
    // Without anything to learn from what is there stays.
    std::fs::write(&others, "result\tmoves\n").unwrap();
    for (games, more) in [(&others, &["--fresh"][..]), (&games, &["--fresh", "--epochs", "0"])] {
        let (text, code) = train(games, more);
        assert_ne!(code, Some(0), "{text}");
        assert_eq!(std::fs::read(path("one.bin")).unwrap(), first);
    }
}

#[test]
fn numbers_that_cannot_be_are_refused() {
    for args in [
        &["duel", "--games", "3"][..],
        &["duel", "--first", "ms=nan", "--games", "2"],
        &["duel", "--first", "visits=inf", "--games", "2"],
    ] {
        let (text, code) = run(args, "");
        assert!(matches!(code, Some(1 | 2)), "{args:?}: {code:?} {text}");
    }
    let args = ["duel", "--games", "2", "--first", "visits=1", "--second", "visits=1"];
    let (text, code) = run(&args, "");
    assert!(code == Some(0) && text.contains("% to "), "{text}");
}
