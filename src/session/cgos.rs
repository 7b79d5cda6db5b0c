//! `cgos-genmove_analyze`: a move with what CGOS shows of it on its board, one line of JSON.

use game_core::Report;
use serde_json::{Map, Value, json};

use super::Session;
use super::game::engine::Engine as _;
use super::game::{Game, board};
use super::genmove::{self, Manner, Streamed, summary};
use crate::gtp::{Call, Color, Commands, Reply, join};

pub(super) fn register<G: Game>(commands: &mut Commands<Session<G>>) {
    commands.add("cgos-genmove_analyze", genmove_analyze);
}

/// Moves that are told of, and how far each variation goes: the whole line has to stay well below 64 KiB.
const MAX_MOVES: usize = 15;
const MAX_VARIATION: usize = 12;

/// `cgos-genmove_analyze COLOR`: the line, then `play VERTEX`.
fn genmove_analyze<G: Game>(session: &mut Session<G>, call: &mut Call) -> Reply {
    let color = call.args.color()?;
    let mut game = session.game.clone();
    game.set_to_move(color);
    let showing = session.engine.showing(&game, game.to_move());
    let streamed = Streamed { is_told_at_end: true, ..Streamed::default() };
    let chosen = genmove::choose(session, call, color, Manner::GENMOVE, &streamed, |report| {
        analysis(&game, &showing(report)).to_string()
    })?;
    // Also where there was nothing to be thought about.
    call.stream("")?;
    Ok(format!("play {chosen}"))
}

/// What the server keeps of a position before a move, from the view of the player to move.
fn analysis<G: Game>(game: &G, report: &Report<G::Move>) -> Value {
    let moves = report.moves.iter().filter(|found| found.is_searched()).take(MAX_MOVES);
    let moves = moves.map(|found| {
        let after = found.line.iter().skip(1).take(MAX_VARIATION).map(G::word);
        let mut told = Map::new();
        told.insert("move".to_owned(), json!(G::word(&found.mv)));
        told.insert("winrate".to_owned(), rounded(found.winrate));
        told.insert("prior".to_owned(), rounded(found.prior));
        told.insert("visits".to_owned(), json!(found.visits));
        told.insert("pv".to_owned(), json!(join(after)));
        if let Some(lead) = found.lead {
            told.insert("score".to_owned(), rounded(lead));
        }
        Value::Object(told)
    });
    let mut told = Map::new();
    told.insert("winrate".to_owned(), rounded(report.winrate));
    told.insert("visits".to_owned(), json!(report.visits));
    told.insert("moves".to_owned(), moves.collect());
    told.insert("comment".to_owned(), json!(summary::<G>(report)));
    if let Some(lead) = report.lead {
        told.insert("score".to_owned(), rounded(lead));
    }
    if !report.ownership.is_empty() {
        told.insert("ownership".to_owned(), json!(letters(game, &report.ownership)));
    }
    Value::Object(told)
}

/// A number with four digits behind the point. What is no number, which JSON has not, is 0.
fn rounded(number: f32) -> Value {
    let number = if number.is_finite() { f64::from(number) } else { 0.0 };
    json!((number * 1e4).round() / 1e4)
}

/// The owners of the points as a letter each, rows from the top: from `A`, the opponent's, to `+`, the mover's.
fn letters<G: Game>(game: &G, ownership: &[f32]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let sign = if game.to_move() == Color::Black { 1.0 } else { -1.0 };
    let letter = |at: board::Place| {
        let owned = sign * ownership.get(at.index).copied().unwrap_or(0.0);
        let number = ((owned.clamp(-1.0, 1.0) + 1.0) / 2.0 * 62.0).round() as usize;
        char::from(LETTERS[number.min(62)])
    };
    board::rows(game.size()).flatten().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_are_letters_of_the_movers_view() {
        let mut game = go_engine::Game::new(2, 2).unwrap();
        // A1 is Black's, B1 nobody's, A2 White's, B2 three quarters Black's.
        let owned = [1.0, 0.0, -1.0, 0.5];
        assert_eq!(letters(&game, &owned), "Av+f");
        game.set_to_move(Color::White);
        assert_eq!(letters(&game, &owned), "+QAf");
    }
}
