//! Games that were counted at the end, and whose each point then was: the ground truth for
//! estimating positions without search.
//!
//! A record says who won and by how much, not which stones were dead. Playouts from the last
//! position tell that; a game is used only if the score that follows is the record's.

use game_record::{Margin, Outcome, Record};
use go_engine::playout::ownership::ownership;
use go_engine::rng::Rng;
use go_engine::{Color, Game, Move};
use rayon::prelude::*;

use crate::game::Game as Moves;
use crate::progress::Progress;

/// Playouts from the last position.
const PLAYOUTS: u32 = 64;
/// How sure playouts may have to be of a point's owner, from 0 to 1.
const SURE: [f32; 5] = [0.3, 0.45, 0.6, 0.75, 0.9];
/// A computed score may differ so much from the record's, in points: some records count by area
/// and some by territory, and a last neutral point may not have been filled.
const TOLERANCE: f64 = 1.0;

/// A game that was counted.
pub struct Counted {
    /// Its moves.
    pub moves: Moves,
    /// Points that White got.
    pub komi: f64,
    /// Black's points less White's by the record, komi included.
    pub margin: f64,
    /// Row by row from A1: 1 Black's at the end, -1 White's, 0 nobody's.
    pub owners: Vec<i8>,
}

impl Counted {
    /// A game with what its record says of the end. Whose the points are is not known before
    /// [`count`].
    ///
    /// # Errors
    /// When the game was not counted, in words.
    pub fn of_record(record: &Record, moves: Moves) -> Result<Counted, String> {
        let komi = record.header.komi.unwrap_or(0.0);
        Ok(Counted { moves, komi, margin: margin(record)?, owners: Vec::new() })
    }

    /// Black's area less White's at the end, without komi.
    pub fn area(&self) -> f64 {
        self.owners.iter().map(|&owner| f64::from(owner)).sum()
    }

    /// The game after so many moves; `None` when it was shorter.
    pub fn after(&self, moves: usize) -> Option<Game> {
        (moves <= self.moves.moves.len()).then(|| replay(&self.moves, self.komi, moves)).flatten()
    }
}

/// Finds whose each point was at the end of each game. Games whose score could not be found again
/// are left out, and all that were not looked at yet when the work is broken off.
pub fn count(games: &mut Vec<Counted>, progress: &dyn Progress) {
    progress.begin("counting games", games.len() as u64);
    games.par_iter_mut().for_each(|game| {
        if !progress.stopped() {
            game.owners = finish(game).unwrap_or_default();
        }
        progress.advance(1);
    });
    progress.end();
    games.retain(|game| !game.owners.is_empty());
}

/// By how much Black won, if the game was counted.
fn margin(record: &Record) -> Result<f64, String> {
    match &record.header.result {
        Some(Outcome::Draw) => Ok(0.0),
        Some(Outcome::Win(color, Margin::Points(points))) => Ok(match color {
            game_record::Color::Black => *points,
            game_record::Color::White => -points,
        }),
        _ => Err("it was not counted at the end".to_owned()),
    }
}

fn replay(moves: &Moves, komi: f64, count: usize) -> Option<Game> {
    let mut game = Game::new(moves.side, moves.side)?;
    game.set_komi(komi);
    game.set_up(moves.setup.iter().map(|&(color, point)| (point, Some(color)))).ok()?;
    for &(color, point) in moves.moves.iter().take(count) {
        game.replay(color, point.map_or(Move::Pass, Move::Play)).ok()?;
    }
    if let Some(&(color, _)) = moves.moves.get(count) {
        game.set_to_play(color);
    }
    Some(game)
}

/// Whose each point is at the end of a game; `None` when the score that follows is not the
/// record's.
///
/// Records end when both players know the rest: neutral points are open, and so may be gaps in the
/// borders. So a point's owner is told from the playouts, not from the stones about it. How sure
/// they have to be is not known beforehand; of some thresholds the one counts whose score comes
/// nearest to the record's.
fn finish(counted: &Counted) -> Option<Vec<i8>> {
    let game = replay(&counted.moves, counted.komi, usize::MAX)?;
    let ownership = ownership(game.board(), PLAYOUTS, &mut Rng::new(game.board().key()));
    let told = SURE.map(|sure| {
        let owner = |&owned: &f32| if owned.abs() < sure { 0 } else { owned.signum() as i8 };
        let owners: Vec<i8> = ownership.iter().map(owner).collect();
        let [area, territory] = scores(&game, &owners).map(|score| (score - counted.margin).abs());
        (area.min(territory), owners)
    });
    let (off, owners) = told.into_iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
    (off <= TOLERANCE).then_some(owners)
}

/// Black's area and Black's territory with prisoners, less White's and the komi.
fn scores(game: &Game, owners: &[i8]) -> [f64; 2] {
    let captured = |color| f64::from(game.captured(color));
    let (mut area, mut territory) =
        (-game.komi(), captured(Color::White) - captured(Color::Black) - game.komi());
    for (point, &owner) in game.board().points().zip(owners) {
        area += f64::from(owner);
        territory += match game.board().stone(point) {
            None => f64::from(owner),
            // A dead stone is a point and a prisoner.
            Some(Color::Black) if owner < 0 => -2.0,
            Some(Color::White) if owner > 0 => 2.0,
            Some(_) => 0.0,
        };
    }
    [area, territory]
}
