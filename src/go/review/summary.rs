//! What a review says about each player: means over moves, by phase.

use go_engine::Color;
use serde::{Deserialize, Serialize};

use super::loss::{Grade, MoveReview, Phase, accuracy};
use super::position_analysis::round;

/// What a player's moves come to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayerSummary {
    /// All of them.
    pub all: Tally,
    /// Those of the opening, the middle game and the endgame.
    pub phases: [Tally; 3],
}

/// What some moves come to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// How many moves are assessed.
    pub moves: usize,
    /// The mean accuracy of a move, 0 to 100.
    pub accuracy: f64,
    /// Points lost in all.
    pub loss: f64,
    /// Points that a move lost in the mean.
    pub mean_loss: f64,
    /// How many were the best ones.
    pub best: usize,
    /// How many moves experts are asked about, and of how many theirs was first, or within five.
    pub expected: [usize; 3],
    /// How many were doubtful, bad, blunders.
    pub mistakes: [usize; 3],
}

impl PlayerSummary {
    /// Of a player's moves on a board of this side.
    pub fn of(moves: &[MoveReview], color: Color, side: u8) -> PlayerSummary {
        let own = || moves.iter().filter(|one| one.played.color == color);
        let phase = |phase| Tally::of(own().filter(|one| one.phase == phase), side);
        PlayerSummary { all: Tally::of(own(), side), phases: Phase::ALL.map(phase) }
    }
}

impl Tally {
    fn of<'m>(moves: impl Iterator<Item = &'m MoveReview>, side: u8) -> Tally {
        let mut tally = Tally::default();
        for one in moves {
            if let Some(expected) = &one.expected {
                let within = |most| usize::from((1..=most).contains(&expected.rank));
                let counts = [1, within(1), within(5)];
                tally.expected.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            }
            let Some(assessment) = &one.assessment else { continue };
            tally.moves += 1;
            tally.accuracy += accuracy(assessment.loss, side);
            tally.loss += assessment.loss;
            tally.best += usize::from(assessment.is_best);
            match assessment.grade {
                Grade::Good => {}
                Grade::Doubtful => tally.mistakes[0] += 1,
                Grade::Bad => tally.mistakes[1] += 1,
                Grade::Blunder => tally.mistakes[2] += 1,
            }
        }
        let moves = tally.moves.max(1) as f64;
        tally.mean_loss = round(tally.loss / moves, 2);
        tally.accuracy = round(tally.accuracy / moves, 1);
        tally.loss = round(tally.loss, 1);
        tally
    }
}

/// A count as a share in percent, or a dash where there is nothing to share.
pub fn percent(count: usize, of: usize) -> String {
    match of {
        0 => "–".to_owned(),
        of => format!("{:.0}%", 100.0 * count as f64 / of as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::review::loss::Assessment;
    use crate::go::review::position_analysis::Expected;
    use go_engine::Move;
    use go_engine::game::Played;

    fn move_review(number: usize, color: Color, loss: Option<f64>, rank: usize) -> MoveReview {
        MoveReview {
            number,
            played: Played { color, mv: Move::Pass },
            phase: Phase::of(number, 361),
            assessment: loss.map(|loss| Assessment {
                winrate: [0.5; 2],
                lead: [loss, 0.0],
                loss,
                winrate_loss: 0.0,
                grade: Grade::of(loss, 19),
                is_best: loss == 0.0,
                is_tesuji: false,
                better: None,
            }),
            expected: (rank > 0).then_some(Expected {
                rank,
                probability: 0.1,
                first: Move::Pass,
                first_probability: 0.2,
            }),
        }
    }

    #[test]
    fn a_player_s_moves_are_counted_in_all_and_by_phase() {
        let moves = [
            move_review(1, Color::Black, Some(0.0), 1),
            move_review(2, Color::White, Some(20.0), 1),
            move_review(3, Color::Black, Some(4.0), 5),
            move_review(61, Color::Black, Some(8.0), 6),
            move_review(200, Color::Black, None, 0),
        ];
        let black = PlayerSummary::of(&moves, Color::Black, 19);
        assert_eq!((black.all.moves, black.all.loss, black.all.mean_loss), (3, 12.0, 4.0));
        // 100, 50 and 25.
        assert_eq!(black.all.accuracy, 58.3);
        assert_eq!((black.all.best, black.all.expected), (1, [3, 1, 2]));
        assert_eq!(black.all.mistakes, [1, 1, 0]);
        let by_phase = black.phases.each_ref().map(|tally| (tally.moves, tally.mean_loss));
        assert_eq!(by_phase, [(2, 2.0), (1, 8.0), (0, 0.0)]);
        let white = PlayerSummary::of(&moves, Color::White, 19);
        assert_eq!((white.all.accuracy, white.all.mistakes), (3.1, [0, 0, 1]));
        assert_eq!((percent(1, 3).as_str(), percent(0, 0).as_str()), ("33%", "–"));
    }
}
