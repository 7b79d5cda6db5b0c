//! Small boards against published solutions: the side that can reach its value does, against an opponent who hopes for two
//! points more, and by a komi of that value nobody loses. Area scoring; van der Werf, van den Herik, Uiterwijk 2003,
//! "Solving Go on small boards", and for openings that are not the best Drange 1998, "Mini-Go".

use crate::common::Program;

/// Black's points at the end of a game from `first` on, by each player's own komi.
fn result(size: &str, first: &str, komi: [f64; 2]) -> f64 {
    let args = ["--playouts", "1000", "--threads", "1", "--seed", "1", "--resign", "0"];
    let mut players = komi.map(|komi| {
        let mut program = Program::start(&[&args[..], &["--rules", "tromp-taylor"]].concat());
        program.ok(&format!("boardsize {size}"));
        program.ok(&format!("komi {komi}"));
        program
    });
    let mut moves: Vec<String> = first.split_whitespace().map(String::from).collect();
    for (turn, mv) in moves.iter().enumerate() {
        for player in &mut players {
            player.ok(&format!("play {} {mv}", ["b", "w"][turn % 2]));
        }
    }
    while moves.len() < 100 && !moves.ends_with(&["pass".into(), "pass".into()]) {
        let (own, color) = (moves.len() % 2, ["b", "w"][moves.len() % 2]);
        let mv = players[own].ok(&format!("genmove {color}")).to_lowercase();
        players[1 - own].ok(&format!("play {color} {mv}"));
        moves.push(mv);
    }
    players[0].ok("komi 0");
    let score = players[0].ok("final_score");
    match score.split_at(1) {
        ("B", points) => points[1..].parse().unwrap(),
        ("W", points) => -points[1..].parse::<f64>().unwrap(),
        _ => 0.0,
    }
}

/// Plays two games, in each of which one side has to reach the board's value to win.
fn check(size: &str, first: &str, value: f64) {
    let reached = result(size, first, [value - 0.5, value - 2.5]);
    assert!(reached >= value, "{size} after {first:?}: Black got {reached}, not {value}");
    let reached = result(size, first, [value + 2.5, value + 0.5]);
    assert!(reached <= value, "{size} after {first:?}: White left {reached}, not {value}");
}

#[test]
fn neither_side_gives_away_a_draw() {
    for (size, first, value) in
        [("2 2", "", 1.0), ("3 2", "", 0.0), ("4 2", "", 8.0), ("3 3", "B1", 3.0), ("4 3", "", 4.0)]
    {
        assert_eq!(result(size, first, [value, value]), value, "{size} after {first:?}");
    }
}

#[test]
fn small_boards_are_played_as_published() {
    for (size, first, value) in [
        ("2 2", "", 1.0),
        ("3 2", "", 0.0),
        ("4 2", "", 8.0),
        ("5 2", "", 10.0),
        ("3 3", "", 9.0),
        ("3 3", "B1", 3.0),
        ("3 3", "A1", -9.0),
        ("4 3", "", 4.0),
        ("5 3", "", 15.0),
    ] {
        check(size, first, value);
    }
}

#[test]
fn four_by_four_is_played_as_published() {
    check("4 4", "", 2.0);
}

#[test]
fn the_middle_wins_all_of_five_by_four_and_five_by_five() {
    check("5 4", "", 20.0);
    check("5 5", "C3", 25.0);
}
