//! A review as it is written for programs: what everything else that is written of a game is made from.

use game_record::Outcome;
use go_engine::game::Played;
use go_engine::{Color, Move};
use serde::{Deserialize, Serialize};

use super::game::{Outline, ReviewGame};
use super::loss::{Assessment, MoveReview, Phase};
use super::position_analysis::{Expected, MoveAnalysis, words};
use super::summary::PlayerSummary;

/// The form of these documents; another number is another form.
pub const FORMAT: u32 = 1;

/// A review of a game. Chances are from 0 to 1, leads in points with the komi counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// [`FORMAT`].
    pub format: u32,
    /// What wrote it.
    pub program: String,
    /// Stands for the game and everything that it was reviewed with.
    pub key: String,
    /// Whether the review came to its end.
    pub finished: bool,
    /// The record: its file, and which game in it.
    pub file: String,
    /// From 1.
    pub game: usize,
    /// Who played.
    pub players: [Player; 2],
    /// As the record has them; empty where it has none.
    pub event: String,
    /// The same.
    pub date: String,
    /// The same.
    pub result: String,
    /// By their name.
    pub rules: String,
    /// Points that White gets.
    pub komi: f64,
    /// Stones, or 0.
    pub handicap: u32,
    /// Columns and rows of the board.
    pub size: [u8; 2],
    /// Playouts of a position in the second pass; none before it.
    pub playouts: Option<u64>,
    /// The network that was used; none where it was none.
    pub network: Option<String>,
    /// What was assumed about the game, in words.
    pub notes: Vec<String>,
    /// Black's chance and lead before the first move; none where they are not known.
    pub start: Option<Value>,
    /// The moves.
    pub moves: Vec<MoveEntry>,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Player {
    /// `black` or `white`.
    pub color: String,
    /// As the record has it; empty where it has none.
    pub name: String,
    /// The same.
    pub rank: String,
    /// What the moves come to.
    pub summary: PlayerSummary,
}

/// Black's chance of winning and lead.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// The chance, 0 to 1.
    pub winrate: f64,
    /// Points.
    pub lead: f64,
}

/// A move of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveEntry {
    /// From 1.
    pub number: usize,
    /// `black` or `white`.
    pub color: String,
    /// What was played.
    #[serde(rename = "move", with = "words")]
    pub mv: Move,
    /// Which part of the game it is in.
    pub phase: Phase,
    /// Black's chance and lead after it; none where they are not known.
    pub black: Option<Value>,
    /// What was found; none where it was not assessed.
    pub assessment: Option<Assessment>,
    /// How far an expert would have expected it; none where nobody says.
    pub expected: Option<Expected>,
    /// The best moves in its place, as Black sees them.
    pub candidates: Vec<MoveAnalysis>,
}

/// What a review was made with.
pub struct Made<'a> {
    /// See [`Document::key`].
    pub key: &'a str,
    /// Whether it came to its end.
    pub finished: bool,
    /// The record's file.
    pub file: &'a str,
    /// Playouts of a position.
    pub playouts: Option<u64>,
    /// The network's name.
    pub network: Option<&'a str>,
}

impl Document {
    /// The review of a game, of whose positions so much was found.
    pub fn new(
        made: &Made<'_>,
        game: &ReviewGame,
        found: &[Option<super::position_analysis::PositionAnalysis>],
        reviewed: &[MoveReview],
    ) -> Document {
        let header = &game.header;
        let side = game.side();
        let first = game.first();
        let value = |at: usize| {
            let found = found.get(at)?.as_ref()?;
            Some(Value { winrate: found.winrate, lead: found.lead })
        };
        let player = |color: Color, player: &game_record::Player| Player {
            color: color.to_string(),
            name: player.name.clone(),
            rank: player.rank.clone(),
            summary: PlayerSummary::of(reviewed, color, side),
        };
        let moves = reviewed.iter().zip(found).map(|(one, before)| MoveEntry {
            number: one.number,
            color: one.played.color.to_string(),
            mv: one.played.mv,
            phase: one.phase,
            black: value(one.number),
            assessment: one.assessment.clone(),
            expected: one.expected.clone(),
            candidates: before.as_ref().map_or_else(Vec::new, |before| before.moves.clone()),
        });
        Document {
            format: FORMAT,
            program: format!("Tesuji {}", crate::session::VERSION),
            key: made.key.to_owned(),
            finished: made.finished,
            file: made.file.to_owned(),
            game: game.text.number,
            players: [player(Color::Black, &header.black), player(Color::White, &header.white)],
            event: header.event.clone().unwrap_or_default(),
            date: header.date.clone().unwrap_or_default(),
            result: header.result.as_ref().map_or_else(String::new, Outcome::to_string),
            rules: first.rules().to_string(),
            komi: first.komi(),
            handicap: header.handicap.unwrap_or(0),
            size: [first.board().width(), first.board().height()],
            playouts: made.playouts,
            network: made.network.map(str::to_owned),
            notes: game.notes.clone(),
            start: value(0),
            moves: moves.collect(),
        }
    }

    /// Whether this is a review of the game, also of less or more of it.
    pub fn is_of(&self, game: &Outline) -> bool {
        let names = [&game.header.black.name, &game.header.white.name];
        let is_same = |(entry, played): (&MoveEntry, &Played)| {
            entry.mv == played.mv && entry.color == played.color.to_string()
        };
        self.size == game.size
            && self.players.iter().map(|player| &player.name).eq(names)
            && self.moves.iter().zip(&game.moves).all(is_same)
    }

    /// The document as JSON, with a line for each move.
    pub fn json(&self) -> serde_json::Result<String> {
        let head = serde_json::to_string(&Document { moves: Vec::new(), ..self.clone() })?;
        let moves: Result<Vec<String>, _> = self.moves.iter().map(serde_json::to_string).collect();
        let head = head.strip_suffix("[]}").unwrap_or(&head);
        Ok(format!("{head}[\n{}\n]}}\n", moves?.join(",\n")))
    }

    /// The moves that lost something, the largest losses first.
    pub fn largest(&self) -> Vec<(&MoveEntry, &Assessment)> {
        let assessment = self.moves.iter().filter_map(|one| Some((one, one.assessment.as_ref()?)));
        let mut lost: Vec<_> = assessment.filter(|(_, assessment)| assessment.loss > 0.0).collect();
        lost.sort_by(|(a, one), (b, other)| {
            other.loss.total_cmp(&one.loss).then(a.number.cmp(&b.number))
        });
        lost
    }

    /// The players' names, or their colours where they have none.
    pub fn names(&self) -> [String; 2] {
        self.players.each_ref().map(|player| match player.name.as_str() {
            "" => if player.color == "black" { "Black" } else { "White" }.to_owned(),
            name => name.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::review::game::Assumed;
    use game_record::Games;

    #[test]
    fn a_document_is_read_as_it_was_written() {
        let text = Games::new(b"(;SZ[9]PB[a \"b\"];B[aa];W[])").next().unwrap().unwrap();
        let game = ReviewGame::read(&text, &Assumed::default()).unwrap();
        let found = [None, None, None];
        let reviewed = super::super::loss::review(&game.moves, &found, 81, 9);
        let made = Made { key: "k", finished: true, file: "f", playouts: Some(3), network: None };
        let document = Document::new(&made, &game, &found, &reviewed);
        let json = document.json().unwrap();
        assert_eq!(json.lines().count(), 4);
        assert_eq!(serde_json::from_str::<Document>(&json).unwrap(), document);
        assert_eq!(document.names(), ["a \"b\"", "White"]);
    }

    #[test]
    fn a_document_knows_its_game_with_moves_added_or_taken_off() {
        let outline = |record: &str| {
            let text = Games::new(record.as_bytes()).next().unwrap().unwrap();
            let game = ReviewGame::read(&text, &Assumed::default()).unwrap();
            (ReviewGame::check(&text, &Assumed::default()).unwrap(), game)
        };
        let (own, game) = outline("(;SZ[9]PB[a];B[aa];W[bb])");
        let found = [None, None, None];
        let reviewed = super::super::loss::review(&game.moves, &found, 81, 9);
        let made = Made { key: "k", finished: true, file: "f", playouts: None, network: None };
        let document = Document::new(&made, &game, &found, &reviewed);
        assert!(document.is_of(&own));
        for same in ["(;SZ[9]PB[a];B[aa])", "(;SZ[9]PB[a]C[new];B[aa];W[bb];B[cc])"] {
            assert!(document.is_of(&outline(same).0), "{same}");
        }
        for other in [
            "(;SZ[9]PB[b];B[aa];W[bb])",
            "(;SZ[13]PB[a];B[aa];W[bb])",
            "(;SZ[9]PB[a];B[aa];W[cc])",
            "(;SZ[9]PB[a];B[aa];B[bb])",
        ] {
            assert!(!document.is_of(&outline(other).0), "{other}");
        }
    }
}
