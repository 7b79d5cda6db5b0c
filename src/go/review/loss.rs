//! What each move lost: the arithmetic of a review.

use go_engine::game::Played;
use go_engine::{Color, Move};
use serde::{Deserialize, Serialize};

use super::position_analysis::{Expected, MoveAnalysis, PositionAnalysis, round};
use crate::session::analysis::best_other;

/// Which part of a game a move is in, by the share of the board's points that was played on: on 19x19 the opening
/// is the first 50 moves, the endgame all from 151 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// The beginning.
    Opening,
    /// What comes between.
    Middle,
    /// The end.
    Endgame,
}

/// How bad a move is, by what it loses. The borders are those of 19x19; on smaller boards they are lower, as the side is
/// shorter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// Nothing to speak of.
    Good,
    /// Three points or more.
    Doubtful,
    /// Eight points or more.
    Bad,
    /// Fifteen points or more.
    Blunder,
}

/// What a review says about a move.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveReview {
    /// The number of the move, from 1.
    pub number: usize,
    /// Who made it, and what.
    pub played: Played,
    /// Which part of the game it is in.
    pub phase: Phase,
    /// What was found; nothing where both of its positions were not looked at yet.
    pub assessment: Option<Assessment>,
    /// How an expert would have expected it; nothing where nobody says.
    pub expected: Option<Expected>,
}

/// What was found about a move. Chances and leads are those of the player who made it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assessment {
    /// The chance of winning with the best move, and after the one that was made, 0 to 1.
    pub winrate: [f64; 2],
    /// The lead with the best move, and after the one that was made, in points.
    pub lead: [f64; 2],
    /// Points that were lost, 0 or more.
    pub loss: f64,
    /// What was lost of the chance of winning, 0 to 1.
    pub winrate_loss: f64,
    /// How bad that is.
    pub grade: Grade,
    /// The move was the search's own choice, or one that is as good.
    #[serde(rename = "best")]
    pub is_best: bool,
    /// A good move that a search finds and experts hardly expect.
    #[serde(rename = "tesuji")]
    pub is_tesuji: bool,
    /// The best other move, as Black sees it.
    pub better: Option<MoveAnalysis>,
}

/// The loss from which a move is doubtful, bad, a blunder, in points on 19x19.
const DOUBTFUL: f64 = 3.0;
const BAD: f64 = 8.0;
const BLUNDER: f64 = 15.0;
/// Shares of the board's points that are played on when the opening and when the middle game is over.
const OPENING: f64 = 50.0 / 361.0;
const MIDDLE: f64 = 150.0 / 361.0;
/// Points on 19x19 with which a move counts half for the accuracy.
const HALF_ACCURACY: f64 = 4.0;
/// A tesuji has this rank among the moves that are expected, at least, and gains so many points over the best other move, on
/// 19x19.
const TESUJI_RANK: usize = 6;
const TESUJI_GAIN: f64 = 2.0;

impl Phase {
    /// That of a move by its number.
    pub fn of(number: usize, area: usize) -> Phase {
        let share = number as f64 / area as f64;
        match share {
            _ if share <= OPENING => Phase::Opening,
            _ if share <= MIDDLE => Phase::Middle,
            _ => Phase::Endgame,
        }
    }

    /// All of them.
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middle, Phase::Endgame];

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::Middle => "middle game",
            Phase::Endgame => "endgame",
        }
    }
}

impl Grade {
    /// That of a loss on a board of this side.
    pub fn of(loss: f64, side: u8) -> Grade {
        match loss / scale(side) {
            loss if loss >= BLUNDER => Grade::Blunder,
            loss if loss >= BAD => Grade::Bad,
            loss if loss >= DOUBTFUL => Grade::Doubtful,
            _ => Grade::Good,
        }
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Grade::Good => "",
            Grade::Doubtful => "doubtful",
            Grade::Bad => "bad",
            Grade::Blunder => "blunder",
        }
    }
}

/// What a point is worth on a board of this side.
fn scale(side: u8) -> f64 {
    f64::from(side) / 19.0
}

/// How accurate a move is that loses so much, 0 to 100: half for each four points on 19x19.
pub fn accuracy(loss: f64, side: u8) -> f64 {
    100.0 * 0.5f64.powf(loss / (HALF_ACCURACY * scale(side)))
}

/// What a review says about all moves of a game, of whose positions so much was found.
pub fn review(
    moves: &[Played],
    found: &[Option<PositionAnalysis>],
    area: usize,
    side: u8,
) -> Vec<MoveReview> {
    let of = |(at, &played): (usize, &Played)| {
        let [before, after] = [at, at + 1].map(|at| found.get(at).and_then(Option::as_ref));
        let expected = before.and_then(|before| before.expected.clone());
        MoveReview {
            number: at + 1,
            played,
            phase: Phase::of(at + 1, area),
            assessment: before.zip(after).map(|(before, after)| {
                let rank = expected.as_ref().map_or(0, |expected| expected.rank);
                assess(played, before, after, rank, side)
            }),
            expected,
        }
    };
    moves.iter().enumerate().map(of).collect()
}

/// What a move lost, by what was found before and after it: the lead with the best other move less the lead after this one.
///
/// The lead after the move comes from the search of the position after it, which looked at nothing else. Where that is better
/// than what every other move promises, the move lost nothing: its own value in the search before it does not count, since that
/// looked at it less.
fn assess(
    played: Played,
    before: &PositionAnalysis,
    after: &PositionAnalysis,
    rank: usize,
    side: u8,
) -> Assessment {
    let is_black = played.color == Color::Black;
    let points = |lead: f64| if is_black { lead } else { -lead };
    let chance = |winrate: f64| if is_black { winrate } else { 1.0 - winrate };
    let is_played = |found: &MoveAnalysis| found.mv == played.mv;
    let is_first = before.moves.first().is_none_or(is_played);
    let better = best_other(&before.moves, before.visits, is_played, |found| found.visits);
    let (lead, winrate) = (points(after.lead), chance(after.winrate));
    let loss = better.map_or(0.0, |better| (points(better.lead) - lead).max(0.0));
    let winrate_loss = better.map_or(0.0, |better| (chance(better.winrate) - winrate).max(0.0));
    let gain = better.map_or(0.0, |better| lead - points(better.lead));
    let grade = Grade::of(loss, side);
    Assessment {
        winrate: [round(winrate + winrate_loss, 4), round(winrate, 4)],
        lead: [round(lead + loss, 2), round(lead, 2)],
        loss: round(loss, 2),
        winrate_loss: round(winrate_loss, 4),
        grade,
        is_best: loss == 0.0 || is_first && grade == Grade::Good,
        is_tesuji: is_first
            && rank >= TESUJI_RANK
            && gain >= TESUJI_GAIN * scale(side)
            && played.mv != Move::Pass,
        better: better.cloned(),
    }
}

impl MoveReview {
    /// Points that were lost, 0 where nothing is known.
    pub fn loss(&self) -> f64 {
        self.assessment.as_ref().map_or(0.0, |assessment| assessment.loss)
    }
}

impl Assessment {
    /// The better move of one that is not good.
    pub fn correction(&self) -> Option<&MoveAnalysis> {
        self.better.as_ref().filter(|_| self.grade > Grade::Good)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_engine::Point;

    fn mv(col: u8) -> Move {
        Move::Play(Point::new(col, 0))
    }

    /// A position whose moves, by their columns, have visits and leads of Black.
    fn found(moves: &[(u8, u32, f64)], lead: f64) -> PositionAnalysis {
        let moves = moves.iter().map(|&(col, visits, lead)| MoveAnalysis {
            mv: mv(col),
            visits,
            winrate: 0.5 + lead / 100.0,
            lead,
            line: vec![mv(col)],
        });
        let visits = 1000;
        let winrate = 0.5 + lead / 100.0;
        PositionAnalysis { visits, winrate, lead, moves: moves.collect(), expected: None }
    }

    fn assessment(
        color: Color,
        col: u8,
        before: &PositionAnalysis,
        after: f64,
        rank: usize,
    ) -> Assessment {
        assess(Played { color, mv: mv(col) }, before, &found(&[], after), rank, 19)
    }

    #[test]
    fn a_move_loses_what_the_best_other_one_leads_by_more() {
        let before = found(&[(0, 600, 10.0), (1, 300, 8.0), (2, 10, 3.0)], 10.0);
        let bad = assessment(Color::Black, 2, &before, 1.5, 0);
        assert_eq!((bad.loss, bad.grade, bad.is_best), (8.5, Grade::Bad, false));
        assert_eq!((bad.lead, bad.winrate), ([10.0, 1.5], [0.6, 0.515]));
        assert_eq!(bad.winrate_loss, 0.085);
        assert_eq!(bad.better.unwrap().mv, mv(0));
        // The best one is measured by the next best: it loses nothing by being worth less than it seemed.
        let best = assessment(Color::Black, 0, &before, 8.5, 0);
        assert_eq!((best.loss, best.is_best), (0.0, true));
        // Unless its refutation was seen afterwards.
        let refuted = assessment(Color::Black, 0, &before, -12.0, 0);
        assert_eq!((refuted.loss, refuted.grade, refuted.is_best), (20.0, Grade::Blunder, false));
        // A move that is better than all that was found is no loss.
        assert_eq!(assessment(Color::Black, 5, &before, 11.0, 0).loss, 0.0);
    }

    #[test]
    fn white_s_leads_and_chances_are_white_s() {
        let before = found(&[(0, 600, -4.0), (1, 300, 3.0)], -4.0);
        let bad = assessment(Color::White, 1, &before, 2.0, 0);
        assert_eq!((bad.loss, bad.lead, bad.winrate), (6.0, [4.0, -2.0], [0.54, 0.48]));
        assert_eq!(bad.grade, Grade::Doubtful);
    }

    #[test]
    fn what_was_hardly_looked_at_corrects_nothing() {
        let before = found(&[(0, 990, 10.0), (1, 9, 60.0)], 10.0);
        let only = assessment(Color::Black, 0, &before, 0.0, 0);
        assert_eq!((only.loss, only.better, only.is_best), (0.0, None, true));
        // But the search's own choice does, however few visits it had.
        let before = found(&[(0, 7, 10.0), (1, 3, 5.0)], 10.0);
        assert_eq!(assessment(Color::Black, 1, &before, 5.0, 0).loss, 5.0);
        // A game that is over.
        assert_eq!(assessment(Color::Black, 1, &found(&[], 3.0), 0.0, 0).loss, 0.0);
    }

    #[test]
    fn a_tesuji_is_the_best_by_far_and_not_expected() {
        let before = found(&[(0, 600, 10.0), (1, 300, 5.0)], 10.0);
        assert!(assessment(Color::Black, 0, &before, 9.0, 9).is_tesuji);
        assert!(!assessment(Color::Black, 0, &before, 9.0, 2).is_tesuji, "anybody plays it");
        assert!(!assessment(Color::Black, 0, &before, 6.0, 9).is_tesuji, "others do as well");
        assert!(!assessment(Color::Black, 1, &before, 9.0, 9).is_tesuji, "the search has another");
    }

    #[test]
    fn borders_follow_the_board() {
        let grades = |side| [1.4, 1.5, 3.7, 3.8, 7.0, 7.2].map(|loss| Grade::of(loss, side));
        use Grade::{Bad, Blunder, Doubtful, Good};
        assert_eq!(grades(9), [Good, Doubtful, Doubtful, Bad, Bad, Blunder]);
        assert_eq!(Grade::of(2.9, 19), Good);
        let phases = [1, 50, 51, 150, 151].map(|number| Phase::of(number, 361));
        use Phase::{Endgame, Middle, Opening};
        assert_eq!(phases, [Opening, Opening, Middle, Middle, Endgame]);
        assert_eq!((Phase::of(11, 81), Phase::of(12, 81)), (Opening, Middle));
        assert_eq!((accuracy(0.0, 19), accuracy(4.0, 19), accuracy(8.0, 19)), (100.0, 50.0, 25.0));
        assert!((accuracy(4.0 * 9.0 / 19.0, 9) - 50.0).abs() < 1e-9);
    }

    #[test]
    fn moves_are_reviewed_as_far_as_positions_were_looked_at() {
        let moves = [0, 1, 2].map(|col| Played { color: Color::Black, mv: mv(col) });
        let before = found(&[(9, 600, 10.0)], 10.0);
        let found = [Some(before.clone()), Some(found(&[], 4.0)), None, Some(before)];
        let reviewed = review(&moves, &found, 361, 19);
        let losses: Vec<Option<f64>> = reviewed
            .iter()
            .map(|one| one.assessment.as_ref().map(|assessment| assessment.loss))
            .collect();
        assert_eq!(losses, [Some(6.0), None, None]);
        let first = reviewed[0].assessment.as_ref().unwrap();
        assert_eq!(first.correction().unwrap().mv, mv(9));
    }
}
