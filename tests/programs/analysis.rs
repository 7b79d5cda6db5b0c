//! Analysis as it runs: it streams, ends at any input, and leaves the program in step.

use std::time::Duration;

use crate::common::Program;

/// Starts an analysis and reads until its first line.
fn begin(program: &mut Program, command: &str) -> String {
    program.write(format!("{command}\n"));
    let head = program.line();
    assert!(head.starts_with('='), "{command}: {head}");
    program.line()
}

/// Reads the rest of an analysis that has been ended; all its lines are of its own.
fn end(program: &mut Program) {
    loop {
        let line = program.line();
        if line.is_empty() {
            return;
        }
        assert!(line.starts_with("info move "), "{line:?}");
    }
}

/// The values behind a word of a line, up to the next word.
fn after<'l>(line: &'l str, word: &str) -> Vec<&'l str> {
    let words: Vec<&str> = line.split(' ').collect();
    let at = words.iter().position(|w| *w == word).unwrap_or_else(|| panic!("{word} in {line}"));
    let is_word = |w: &&&str| w.starts_with(|c: char| c.is_ascii_lowercase()) && **w != "pass";
    words[at + 1..].iter().take_while(|w| !is_word(w)).copied().collect()
}

#[test]
fn analysis_lasts_until_any_input() {
    let mut program = Program::start(&["--threads", "2", "--boardsize", "9"]);
    for command in ["lz-analyze b 5", "kata-analyze 5", "lz-analyze", "3 kata-analyze w interval 5"]
    {
        // An empty line.
        let line = begin(&mut program, command);
        assert!(line.starts_with("info move "), "{command}: {line}");
        assert!(program.line().starts_with("info move "), "lines go on coming");
        program.write("\n");
        end(&mut program);
        assert!(
            program.line_within(Duration::from_millis(50)).is_none(),
            "an empty line is silent"
        );
        // A command, which is then answered.
        begin(&mut program, command);
        program.write("9 name\n");
        end(&mut program);
        assert_eq!(program.answer(), "=9 Tesuji");
    }
    // A comment line ends it too, and another analysis.
    begin(&mut program, "lz-analyze 5");
    program.write("# interrupt\n");
    end(&mut program);
    begin(&mut program, "lz-analyze 5");
    program.write("lz-analyze w 5\n");
    end(&mut program);
    assert_eq!(program.line(), "= ");
    program.write("name\n");
    end(&mut program);
    assert_eq!(program.answer(), "= Tesuji");
}

#[test]
fn analysis_survives_changes_of_the_position() {
    let mut program = Program::start(&["--threads", "1", "--boardsize", "9"]);
    for command in ["play b E5", "play w C3", "undo", "boardsize 13", "clear_board", "komi 5.5"] {
        begin(&mut program, "kata-analyze 5");
        program.write(format!("{command}\n"));
        end(&mut program);
        assert_eq!(program.answer(), "= ", "{command}");
    }
}

#[test]
fn leelas_lines_hold_whole_numbers_and_katas_fractions() {
    let mut program = Program::start(&["--threads", "1", "--boardsize", "9"]);
    let line = begin(&mut program, "lz-analyze b 20 minmoves 1 maxmoves 3");
    assert!(line.matches("info move").count() <= 3, "{line}");
    for word in ["visits", "winrate", "prior", "lcb"] {
        let value: u32 = after(&line, word)[0].parse().unwrap();
        assert!(word == "visits" || value <= 10_000, "{word} {value}");
    }
    program.write("\n");
    end(&mut program);
    let line = begin(&mut program, "kata-analyze w 20 ownership true pvVisits true rootInfo true");
    assert_eq!(after(&line, "ownership").len(), 81);
    let share: f64 = after(&line, "winrate")[0].parse().unwrap();
    assert!((0.0..=1.0).contains(&share));
    assert_eq!(after(&line, "pv").len(), after(&line, "pvVisits").len());
    assert!(line.contains(" rootInfo visits "));
    program.write("name\n");
    end(&mut program);
    assert_eq!(program.answer(), "= Tesuji");
}

#[test]
fn moves_can_be_left_out_or_kept_to() {
    let mut program = Program::start(&["--threads", "1", "--boardsize", "5"]);
    let line = begin(&mut program, "lz-analyze b 10 allow b C3,D4 1");
    let moves: Vec<&str> = line.split("info move ").skip(1).map(|m| &m[..2]).collect();
    assert!(moves.iter().all(|m| ["C3", "D4"].contains(m)), "{line}");
    program.write("\n");
    end(&mut program);
    let line = begin(&mut program, "lz-analyze b 10 avoid b C3,D4 1");
    assert!(!line.contains("info move C3") && !line.contains("info move D4"), "{line}");
    program.write("\n");
    end(&mut program);
    // Answers too, as deep as it is said.
    let line = begin(&mut program, "kata-analyze b 20 allow w A5,B1 4");
    let answers = line.split(" pv ").skip(1).filter_map(|pv| pv.split(' ').nth(1));
    let answers: Vec<&str> = answers.filter(|word| *word != "info").collect();
    assert!(!answers.is_empty() && answers.iter().all(|at| ["A5", "B1"].contains(at)), "{line}");
    program.write("\n");
    end(&mut program);
}

#[test]
fn a_move_with_analysis_ends_with_the_move() {
    let mut program = Program::start(&["--playouts", "300", "--threads", "1", "--boardsize", "9"]);
    for command in ["lz-genmove_analyze b 1", "kata-genmove_analyze w 1 ownership true"] {
        program.write(format!("{command}\n"));
        let rows = program.answer();
        let rows: Vec<&str> = rows.split('\n').collect();
        assert_eq!(rows[0], "= ");
        assert!(rows[rows.len() - 1].starts_with("play "), "{rows:?}");
        assert!(rows[1..rows.len() - 1].iter().all(|row| row.starts_with("info move ")));
        assert!(rows.len() >= 3);
    }
    assert!(program.ok("showboard").starts_with("Move 2, "));
}

#[test]
fn an_interrupt_ends_thinking_and_is_no_request() {
    let mut program = Program::start(&["--playouts", "1000000000", "--threads", "2"]);
    program.write("5 genmove b\n");
    assert!(program.line_within(Duration::from_millis(300)).is_none(), "it thinks");
    program.write("# interrupt\n");
    let answer = program.answer();
    assert!(answer.starts_with("=5 ") && answer.len() > 4, "{answer}");
    program.write("# interrupt\n# interrupt\n");
    assert_eq!(program.ask("6 name"), "=6 Tesuji");
    // It reaches nothing that comes after it.
    program.write("# interrupt\n7 genmove w\n");
    assert!(program.line_within(Duration::from_millis(300)).is_none(), "it thinks again");
    program.write("# interrupt\n8 name\n");
    assert!(program.answer().starts_with("=7 "));
    assert_eq!(program.answer(), "=8 Tesuji");
}
