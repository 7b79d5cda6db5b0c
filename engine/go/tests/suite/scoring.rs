//! Games that were scored elsewhere score the same here.

use game_record::{Games, Margin, Outcome, Record};
use go_engine::score::Statuses;
use go_engine::{Color, Game, Move, Point, Rules};

/// Replays a record by the rules.
fn replay(record: &Record) -> Game {
    let mut game = Game::new(record.size.columns, record.size.rows).unwrap();
    game.set_rules(Rules::TROMP_TAYLOR);
    game.set_komi(record.header.komi.unwrap_or(0.0));
    for (number, played) in record.moves().enumerate() {
        let color = match played.color {
            game_record::Color::Black => Color::Black,
            game_record::Color::White => Color::White,
        };
        let mv = played.point.map_or(Move::Pass, |point| {
            Move::Play(Point::new(point.column, record.size.rows - 1 - point.row))
        });
        game.play(color, mv).unwrap_or_else(|error| panic!("move {}: {error}", number + 1));
    }
    game
}

#[test]
fn games_played_to_the_end_score_exactly() {
    let Some(file) = test_support::shared("data/go-scoring/cgos9-area-scored.sgf") else { return };
    let bytes = std::fs::read(file).unwrap();
    let mut games = 0;
    for text in Games::new(&bytes) {
        let record = Record::read(&text.unwrap()).unwrap();
        let score = replay(&record).score(&Statuses::all_alive());
        let expected = match record.header.result.as_ref().unwrap() {
            Outcome::Win(game_record::Color::Black, Margin::Points(points)) => *points,
            Outcome::Win(game_record::Color::White, Margin::Points(points)) => -points,
            Outcome::Draw => 0.0,
            other => panic!("no score: {other}"),
        };
        games += 1;
        assert_eq!(score, expected, "game {games}");
    }
    assert_eq!(games, 1_389);
}
