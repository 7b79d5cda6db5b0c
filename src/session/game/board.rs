//! Boards as text.

use super::Game;
use crate::gtp::Vertex;

/// A point and its place row by row from A1.
pub struct Place {
    /// The point.
    pub vertex: Vertex,
    /// Its place.
    pub index: usize,
}

/// The rows of a board from the top, each from the left.
pub fn rows((columns, rows): (u8, u8)) -> impl Iterator<Item = impl Iterator<Item = Place>> {
    (0..rows).rev().map(move |row| {
        (0..columns).map(move |column| Place {
            vertex: Vertex { column, row },
            index: usize::from(row) * usize::from(columns) + usize::from(column),
        })
    })
}

/// The board for a person: what stands on each point, the last turn in brackets, and what a game says beside it.
pub fn show<G: Game>(game: &G) -> String {
    let (columns, height) = game.size();
    let letters: String = (0..columns)
        .map(|column| format!(" {}", &Vertex { column, row: 0 }.to_string()[..1]))
        .collect();
    let last = game.last_turn();
    let mut text = format!("{}\n  {letters}\n", game.headline());
    for (number, row) in rows(game.size()).enumerate() {
        let label = usize::from(height) - number;
        let mut line = format!("{label:2}");
        let mut closes = false;
        for Place { vertex, .. } in row {
            let opens = last.contains(&vertex);
            line.push(match (opens, closes) {
                (true, _) => '(',
                (false, true) => ')',
                (false, false) => ' ',
            });
            line.push(game.sign(vertex));
            closes = opens;
        }
        line.push(if closes { ')' } else { ' ' });
        text += &format!("{line}{label}{}\n", game.beside(number as u8));
    }
    text + "  " + &letters
}
