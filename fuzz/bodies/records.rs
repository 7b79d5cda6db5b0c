//! Records and sequences of moves, and the solvers that positions from records go to.

use game_record::{Games, Record, SgfWriter};
use go_engine::rules::Rules;
use go_engine::score::Statuses;
use go_engine::{Color, Game, Move, Point};
use tesuji::go::record;

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

/// A record or rows of moves for `solve` of Connect6, or a record or diagram for that of Amazons: what the solvers say
/// of the position holds on the board, and they end where they are told to.
pub fn solve(data: &[u8]) {
    for game in tesuji::connect6::solve::games(data, None).into_iter().flatten().take(4) {
        connect6_solve(&game);
    }
    let text = String::from_utf8_lossy(data);
    let drawn = tesuji::amazons::perft::position(text.trim()).ok();
    let recorded = tesuji::amazons::record::load(data, None).ok();
    for position in drawn.into_iter().chain(recorded.map(|game| *game.position())) {
        amazons_solve(&position);
    }
}

fn connect6_solve(game: &connect6_engine::Game) {
    use connect6_engine::tss::{Options, Solver, ThreatResult, Turns};
    if game.outcome() != connect6_engine::Outcome::Open {
        return;
    }
    let to_move = game.to_move();
    for turns in [Turns::Doubles, Turns::Singles] {
        let options = Options { stones: usize::from(to_move.stones), turns, nodes: 200 };
        let mut solver = Solver::new(1);
        let mut board = game.board().clone();
        let report = solver.solve(&mut board, to_move.color, &options);
        assert_eq!(board.key(), game.board().key(), "the board is left as it was");
        if report.result == ThreatResult::Win {
            let turn = report.turn.expect("a turn that wins");
            let mut after = game.clone();
            turn.stones().for_each(|stone| after.play(to_move.color, stone).expect("a move"));
            let _ = solver.plan(&mut board, to_move.color, &options, &report);
            assert_eq!(board.key(), game.board().key(), "the board is left as it was");
        }
    }
}

fn amazons_solve(position: &amazons_engine::Position) {
    use amazons_engine::solve::{Limits, Solver};
    let mut solver = Solver::new(1);
    let limits = Limits { nodes: Some(100), ..Limits::default() };
    let report = solver.solve(position, &limits);
    if let Some(best) = report.best {
        let mut game = amazons_engine::Game::new(*position);
        game.play(best).expect("a move");
    }
}
