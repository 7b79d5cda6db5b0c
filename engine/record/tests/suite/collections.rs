//! Every record of the shared collections reads without refusal, and as sgf-parse reads it.

use game_record::{Color, Games, Point, Record, SgfWriter, Size};

#[test]
fn all_collections_read() {
    let Some(data) = test_support::shared("data") else { return };
    let expected = [
        ("go19/pro", 60_427, 19),
        ("go19/tygem-pro", 13_972, 19),
        ("go19/tom-9d", 48_296, 19),
        ("go9/cgos", 3_359, 9),
        ("go9/ogs-dan", 7_269, 9),
        ("go9/pro", 452, 9),
        ("go-scoring", 1_389, 9),
        ("go-problems", 0, 19),
    ];
    for (folder, count, side) in expected {
        let mut games = 0;
        for file in crate::common::sgf_files(&data.join(folder)) {
            let bytes = std::fs::read(&file).unwrap();
            for game in Games::new(&bytes) {
                let record = game
                    .and_then(|game| Record::read(&game))
                    .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
                assert_eq!(record.size, Size::square(side));
                games += 1;
            }
        }
        assert!(count == 0 || games == count, "{folder} holds {games} games");
    }
}

#[test]
fn main_lines_are_those_of_sgf_parse_and_survive_writing() {
    let Some(data) = test_support::shared("data") else { return };
    for folder in ["go19", "go9", "go-problems"] {
        for file in crate::common::sgf_files(&data.join(folder)) {
            let bytes = std::fs::read(&file).unwrap();
            // Every fortieth game: sgf-parse is some five times slower.
            for game in Games::new(&bytes).step_by(40) {
                let game = game.unwrap();
                let record = Record::read(&game).unwrap();
                let ours: Vec<_> = record.moves().map(|play| (play.color, play.point)).collect();
                assert_eq!(
                    ours,
                    moves_by_sgf_parse(&game.text),
                    "{} game {}",
                    file.display(),
                    game.number
                );

                let mut writer = SgfWriter::new();
                writer.record(&record);
                let written = writer.finish();
                let again = Games::new(written.as_bytes()).next().unwrap().unwrap();
                let again = Record::read(&again).unwrap();
                assert_eq!(again.steps, record.steps);
                assert_eq!(again.setup, record.setup);
                assert_eq!(again.header, record.header);
            }
        }
    }
}

fn moves_by_sgf_parse(text: &str) -> Vec<(Color, Option<Point>)> {
    use sgf_parse::go::{Move, Prop, parse};
    let point = |play: &Move| match play {
        Move::Pass => None,
        Move::Move(point) if (point.x, point.y) == (19, 19) => None,
        Move::Move(point) => Some(Point::new(point.x, point.y)),
    };
    let games = parse(text).unwrap();
    games[0]
        .main_variation()
        .filter_map(|node| match node.get_move() {
            Some(Prop::B(play)) => Some((Color::Black, point(play))),
            Some(Prop::W(play)) => Some((Color::White, point(play))),
            _ => None,
        })
        .collect()
}
