//! What a search found of a position, as a review keeps it: everything as Black sees it, rounded, so that what is read back
//! from a file is what was written.

use game_core::Report;
use go_engine::{Color, Move};
use serde::{Deserialize, Serialize};

/// What was found of a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PositionAnalysis {
    /// Visits of the position, those of a tree that was handed on too.
    pub visits: u64,
    /// Black's chance of winning, 0 to 1.
    pub winrate: f64,
    /// Black's lead in points, komi counted.
    pub lead: f64,
    /// The best moves, the best first, and the one that was made where it was looked at.
    pub moves: Vec<MoveAnalysis>,
    /// What experts are expected to play here; nothing where nobody says, or it was not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Expected>,
}

/// How an expert is expected to have played, by the predictor or the network, without search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Expected {
    /// The place of the move that was made among all moves, from 1; 0 where it has none.
    pub rank: usize,
    /// How likely it is, 0 to 1.
    pub probability: f64,
    /// The move that is expected most.
    #[serde(with = "words")]
    pub first: Move,
    /// How likely that is.
    pub first_probability: f64,
}

impl Expected {
    /// What is said of the move that was made by a policy, the likeliest move first.
    pub fn of(policy: &[(Move, f32)], played: Move) -> Option<Expected> {
        let &(first, probability) = policy.first()?;
        let place = policy.iter().position(|&(mv, _)| mv == played);
        let of_place = place.map_or(0.0, |at| policy[at].1);
        Some(Expected {
            rank: place.map_or(0, |at| at + 1),
            probability: round(of_place.into(), 4),
            first,
            first_probability: round(probability.into(), 4),
        })
    }
}

/// What was found of a move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveAnalysis {
    /// The move.
    #[serde(rename = "move", with = "words")]
    pub mv: Move,
    /// How often it was tried.
    pub visits: u32,
    /// Black's chance of winning after it, 0 to 1.
    pub winrate: f64,
    /// Black's lead after it in points, komi counted.
    pub lead: f64,
    /// The moves expected, this one first.
    #[serde(with = "words::list")]
    pub line: Vec<Move>,
}

/// How many of the best moves are kept.
const KEPT_MOVES: usize = 5;
/// How many moves of a line.
const KEPT_LINE: usize = 12;
/// A move of a line that was visited less says nothing.
const MIN_LINE_VISITS: u32 = 4;
/// Visits of the best move for which the mean of all moves counts beside it: a young search's best move has but few.
const MEAN_WEIGHT: f64 = 10.0;

impl PositionAnalysis {
    /// What a search for a move of `color` found; `played` is the move that was made in the game.
    pub fn of(report: &Report<Move>, color: Color, played: Option<Move>) -> PositionAnalysis {
        let is_black = color == Color::Black;
        let winrate = |chance: f32| round(if is_black { chance } else { 1.0 - chance }.into(), 4);
        let points = |lead: f32| round(if is_black { lead } else { -lead }.into(), 2);
        let mean = report.lead.unwrap_or(0.0);
        let is_kept = |at: usize, mv: Move| at < KEPT_MOVES || Some(mv) == played;
        let tried = report.moves.iter().filter(|found| found.visits > 0).enumerate();
        let moves = tried.filter(|(at, found)| is_kept(*at, found.mv)).map(|(_, found)| {
            let visits = found.line_visits.iter().copied().chain(std::iter::repeat(u32::MAX));
            let line = found.line.iter().zip(visits).enumerate();
            let line = line.take_while(|(at, (_, n))| *at == 0 || *n >= MIN_LINE_VISITS);
            MoveAnalysis {
                mv: found.mv,
                visits: found.visits,
                winrate: winrate(found.winrate),
                lead: points(found.lead.unwrap_or(mean)),
                line: line.map(|(_, (&mv, _))| mv).take(KEPT_LINE).collect(),
            }
        });
        let best = report.moves.first();
        let visits = best.map_or(0.0, |best| f64::from(best.visits));
        let best = f64::from(best.and_then(|best| best.lead).unwrap_or(mean));
        let lead = (visits * best + MEAN_WEIGHT * f64::from(mean)) / (visits + MEAN_WEIGHT);
        PositionAnalysis {
            visits: report.visits,
            winrate: winrate(report.winrate),
            lead: points(lead as f32),
            moves: moves.collect(),
            expected: None,
        }
    }
}

/// A number to so many places.
pub fn round(value: f64, places: i32) -> f64 {
    let scale = 10f64.powi(places);
    // Never -0.
    (value * scale).round() / scale + 0.0
}

/// Moves as words in files.
pub mod words {
    use go_engine::Move;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    /// Writes a move.
    pub fn serialize<S: Serializer>(mv: &Move, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(mv)
    }

    /// Reads a move.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Move, D::Error> {
        read(&String::deserialize(from)?).map_err(D::Error::custom)
    }

    fn read(word: &str) -> Result<Move, String> {
        match word {
            "pass" => Ok(Move::Pass),
            word => word.parse().map(Move::Play).map_err(|error| format!("{error}")),
        }
    }

    /// Several moves in one string.
    pub mod list {
        use super::*;

        /// Writes moves.
        pub fn serialize<S: Serializer>(moves: &[Move], to: S) -> Result<S::Ok, S::Error> {
            to.serialize_str(&super::super::line_words(moves))
        }

        /// Reads moves.
        pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Move>, D::Error> {
            let text = String::deserialize(from)?;
            text.split_whitespace().map(|word| read(word).map_err(D::Error::custom)).collect()
        }
    }
}

/// Moves one after the other, in words.
pub fn line_words(moves: &[Move]) -> String {
    moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use game_core::MoveReport;
    use game_core::Proven;
    use go_engine::Point;

    fn move_report(col: u8, visits: u32, lead: f32) -> MoveReport<Move> {
        let mv = Move::Play(Point::new(col, 0));
        MoveReport {
            mv,
            visits,
            winrate: 0.61803,
            lower_bound: 0.5,
            prior: 0.1,
            proven: Proven::Unknown,
            lead: Some(lead),
            lead_stdev: None,
            final_score: None,
            ownership: Vec::new(),
            ownership_stdev: Vec::new(),
            line: vec![mv, Move::Pass, mv],
            line_visits: vec![visits, 9, 1],
        }
    }

    #[test]
    fn what_is_kept_is_black_s_and_survives_a_file() {
        let moves = (0..9u8).map(|col| move_report(col, 100 - u32::from(col), f32::from(col)));
        let report = Report {
            moves: moves.collect(),
            visits: 864,
            winrate: 0.6,
            lead: Some(1.0),
            ..Report::default()
        };
        let played = report.moves[7].mv;
        let found = PositionAnalysis::of(&report, Color::White, Some(played));
        let kept: Vec<Move> = found.moves.iter().map(|found| found.mv).collect();
        let expected = [0, 1, 2, 3, 4, 7].map(|col| Move::Play(Point::new(col, 0)));
        assert_eq!(kept, expected);
        assert_eq!((found.moves[1].winrate, found.moves[1].lead), (0.382, -1.0));
        assert_eq!(found.moves[0].line.len(), 2, "what was visited once is left out");
        // The best move's lead of 0 with 100 visits, and the mean of 1 that counts for 10.
        assert_eq!(found.lead, -0.09);
        let text = serde_json::to_string(&found).unwrap();
        assert_eq!(serde_json::from_str::<PositionAnalysis>(&text).unwrap(), found);
    }
}
