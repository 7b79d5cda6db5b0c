//! Game records: loading and saving SGF.

use std::io;

use game_record::{Games, Header, Placement, Player, Record, RecordError, SgfWriter, Size, Step};
use go_engine::game::{Illegal, Played, SetupError};
use go_engine::{Color, Game, Move, Point, Rules};
use thiserror::Error;

/// Why a record is no game that can be gone on with.
#[derive(Debug, Error)]
pub enum LoadError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] io::Error),
    /// The file is no SGF.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The file has no game in it.
    #[error("there is no game in the file")]
    Empty,
    /// The record is one of another game.
    #[error("GM[{0}] is not Go")]
    OtherGame(u32),
    /// The board is smaller than 2 or larger than 25.
    #[error("a board of {0} is not played on here")]
    Size(Size),
    /// Stones that cannot stand so.
    #[error("after move {0}: {1}")]
    Setup(usize, SetupError),
    /// A move that cannot be made.
    #[error("move {0}: {1}")]
    Move(usize, Illegal),
}

/// Komi where a record has none: of an even game, or of one with a handicap.
pub fn usual_komi(header: &Header) -> f64 {
    if is_handicap(header) { 0.5 } else { 7.5 }
}

fn is_handicap(header: &Header) -> bool {
    header.handicap.is_some_and(|stones| stones >= 2)
}

/// The first game in the bytes of a file, as [`replay`] has it.
///
/// # Errors
/// What is wrong with the file, the game or one of its moves.
pub fn load(bytes: &[u8], moves: Option<usize>, like: &Game) -> Result<Game, LoadError> {
    let game = Games::new(bytes).next().ok_or(LoadError::Empty)??;
    replay(&Record::read(&game)?, moves, like)
}

/// The game of a record after so many of its moves, or after all. Moves are made as they were
/// made, also where the rules named in the record forbid it. Komi and rules that the record does
/// not name are those of `like`; but with a handicap the komi is the usual one.
///
/// # Errors
/// When the record is one of another game or size, or its stones cannot stand as they are put.
pub fn replay(record: &Record, moves: Option<usize>, like: &Game) -> Result<Game, LoadError> {
    walk(record, moves, like, &mut |_, _| {})
}

/// The same, and `before` is told of every move with the game before it.
///
/// # Errors
/// As [`replay`].
pub fn walk(
    record: &Record,
    moves: Option<usize>,
    like: &Game,
    before: &mut dyn FnMut(&Game, Played),
) -> Result<Game, LoadError> {
    let header = &record.header;
    if header.game != 1 {
        return Err(LoadError::OtherGame(header.game));
    }
    let sides = 2..=25;
    let mut game = Game::new(record.size.columns, record.size.rows)
        .filter(|_| sides.contains(&record.size.columns) && sides.contains(&record.size.rows))
        .ok_or(LoadError::Size(record.size))?;
    let komi = if is_handicap(header) { usual_komi(header) } else { like.komi() };
    game.set_komi(header.komi.unwrap_or(komi));
    let rules = header.rules.as_deref().and_then(|name| name.parse::<Rules>().ok());
    game.set_rules(rules.unwrap_or(*like.rules()));
    let height = record.size.rows;
    let mut made = 0;
    set_up(&mut game, &record.setup, made, height)?;
    game.begin_with_handicap(header.handicap.unwrap_or(0));
    let first = record.moves().next().map(|played| played.color);
    let handicap = (game.start().handicap > 0).then_some(Color::White);
    let to_play = header.to_play.or(first).or(handicap);
    game.set_first_player(to_play.unwrap_or(Color::Black));

    let (mut pending, mut next): (Vec<Placement>, Option<Color>) = (Vec::new(), None);
    for step in &record.steps {
        match step {
            Step::Setup(placement) => pending.push(*placement),
            Step::ToPlay(color) => next = Some(*color),
            Step::Play(_) if moves == Some(made) => break,
            Step::Play(played) => {
                set_up(&mut game, &std::mem::take(&mut pending), made, height)?;
                if let Some(color) = next.take() {
                    game.set_first_player(color);
                }
                made += 1;
                let mv = played.point.map_or(Move::Pass, |p| Move::Play(engine_point(p, height)));
                before(&game, Played { color: played.color, mv });
                game.replay(played.color, mv).map_err(|why| LoadError::Move(made, why))?;
            }
        }
    }
    set_up(&mut game, &pending, made, height)?;
    if let Some(color) = next {
        game.set_first_player(color);
    }
    Ok(game)
}

fn set_up(
    game: &mut Game,
    placements: &[Placement],
    made: usize,
    height: u8,
) -> Result<(), LoadError> {
    if placements.is_empty() {
        return Ok(());
    }
    let stones = placements.iter().map(|placed| (engine_point(placed.point, height), placed.stone));
    game.set_up(stones).map_err(|why| LoadError::Setup(made, why))
}

/// Records count rows from the top, the engine from the bottom.
fn engine_point(point: game_record::Point, height: u8) -> Point {
    Point::new(point.column, height - 1 - point.row)
}

/// A move as records have it: a pass is no point.
pub fn sgf_point(mv: Move, height: u8) -> Option<game_record::Point> {
    match mv {
        Move::Play(p) => Some(game_record::Point::new(p.col(), height - 1 - p.row())),
        Move::Pass => None,
    }
}

fn placements(stones: impl Iterator<Item = (Point, Color)>, height: u8) -> Vec<Placement> {
    stones
        .map(|(point, stone)| Placement {
            point: game_record::Point::new(point.col(), height - 1 - point.row()),
            stone: Some(stone),
        })
        .collect()
}

fn size(game: &Game) -> Size {
    Size { columns: game.board().width(), rows: game.board().height() }
}

/// Writes the root of a record that begins with the present position of a game, `to_play` first.
pub(super) fn begin_position(writer: &mut SgfWriter, game: &Game, to_play: Color) {
    let header = Header {
        komi: Some(game.komi()),
        rules: Some(game.rules().in_records()),
        to_play: Some(to_play),
        ..Header::default()
    };
    writer.begin_game(1, size(game)).header(&header);
    let height = game.board().height();
    let stones = placements(game.board().stones(), height);
    for (ident, wanted) in [
        (game_record::Ident::ADD_BLACK, game_record::Color::Black),
        (game_record::Ident::ADD_WHITE, game_record::Color::White),
    ] {
        let of_color = stones.iter().filter(|placed| placed.stone == Some(wanted));
        writer.points(ident, of_color.map(|placed| placed.point));
    }
}

/// The game as a record.
pub fn write(game: &Game, black: &str, white: &str) -> String {
    let height = game.board().height();
    let player = |name: &str| Player { name: name.to_owned(), ..Player::default() };
    let start = game.start();
    // With stones that were placed HA is their number, or who reads it takes them for a setup.
    let handicap = if start.handicap > 0 { start.handicap } else { game.handicap() };
    // Without stones and moves Black is to play unless it is said otherwise.
    let is_said =
        !start.stones.is_empty() || game.moves().is_empty() && start.to_play == Color::White;
    let header = Header {
        game: 1,
        komi: Some(game.komi()),
        handicap: (handicap > 0).then_some(handicap),
        rules: Some(game.rules().in_records()),
        black: player(black),
        white: player(white),
        to_play: is_said.then_some(start.to_play),
        ..Header::default()
    };
    let steps = game.moves().iter().map(|played| {
        let color = played.color;
        Step::Play(game_record::Move { color, point: sgf_point(played.mv, height) })
    });
    let record = Record {
        size: size(game),
        header,
        setup: placements(start.stones.iter().copied(), height),
        steps: steps.collect(),
    };
    let mut writer = SgfWriter::new();
    writer.record(&record);
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_brings_its_handicap() {
        let like = Game::new(9, 9).unwrap();
        let read = |text: &str| load(text.as_bytes(), None, &like).unwrap();
        let game = read("(;SZ[9]KM[0.5]RU[chinese]HA[2]AB[cc][gg];W[ee];B[ec])");
        assert_eq!((game.handicap(), game.compensation()), (2, 2.5));
        let again = read(&write(&game, "a", "b"));
        assert_eq!(
            (again.handicap(), again.score(&Default::default())),
            (2, game.score(&Default::default()))
        );
        // After the placed ones Black has moved alone, which makes one more.
        let mut game = Game::new(9, 9).unwrap();
        game.place_fixed_handicap(2).unwrap();
        game.play(Color::Black, Move::Play("E5".parse().unwrap())).unwrap();
        assert_eq!((game.handicap(), read(&write(&game, "a", "b")).handicap()), (3, 3));
        // The komi of an even game is none of one with a handicap.
        let komi = |text: &str| read(text).komi();
        assert_eq!(komi("(;SZ[9]HA[2]AB[cc][gg];W[ee])"), 0.5);
        assert_eq!(komi("(;SZ[9]HA[0];B[ee])"), like.komi());
        // Stones that are no handicap, whatever the record says.
        for text in [
            "(;SZ[9]HA[2]AB[cc];W[ee])",
            "(;SZ[9]HA[2]AB[cc]AW[gg];W[ee])",
            "(;SZ[9]AB[cc][gg];W[ee])",
        ] {
            assert_eq!(read(text).handicap(), 0, "{text}");
        }
    }

    #[test]
    fn who_moves_next_is_as_the_record_says() {
        let like = Game::new(9, 9).unwrap();
        let read = |text: &str, moves| load(text.as_bytes(), moves, &like).unwrap();
        for (text, moves, color) in [
            ("(;SZ[9];AB[aa]AW[bb]PL[W])", None, Color::White),
            ("(;SZ[9];B[ee];AW[bb]PL[B])", None, Color::Black),
            ("(;SZ[9];B[ee];AW[bb]PL[B];B[cc])", Some(1), Color::Black),
            ("(;SZ[9];B[ee];PL[B])", None, Color::Black),
            ("(;SZ[9]PL[W])", None, Color::White),
        ] {
            let game = read(text, moves);
            assert_eq!(game.to_play(), color, "{text}");
            // Stones that stand there without having been played have their word in the record that is written.
            if game.moves().is_empty() {
                assert_eq!(read(&write(&game, "", ""), None).to_play(), color, "{text}");
            }
        }
    }
}
