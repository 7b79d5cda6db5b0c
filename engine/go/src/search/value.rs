//! A leaf of the tree, and what it is worth.

use crate::board::{Board, Site};
use crate::rules::Scoring as Counting;
use crate::{Color, Game, Rules, rng::Rng};
use game_core::Proven;

/// What an end of the game is worth under the rules in force.
#[derive(Clone, Copy, Debug)]
pub struct Scoring {
    /// What is counted, and whether players agree about the dead.
    pub rules: Rules,
    /// What White gets, for the handicap too.
    pub komi: f32,
    /// Points of the board.
    pub area: f32,
    /// Share of a value that tells the margin, the rest who won.
    pub score_weight: f32,
    /// Points that White gets in values alone, so that a player who is far behind or ahead for a handicap still tells
    /// good moves from bad ones; negative when Black gets them.
    pub handicap_komi: f32,
    /// Black's stones less White's that were captured before the board was set up.
    captured_before: i32,
}

impl Scoring {
    /// That of a game, without a komi for its handicap.
    pub fn of(game: &Game, score_weight: f32) -> Scoring {
        let captured = game.start().captured.map(|stones| stones as i32);
        Scoring {
            rules: *game.rules(),
            komi: game.compensation() as f32,
            area: game.board().area() as f32,
            score_weight,
            handicap_komi: 0.0,
            captured_before: captured[0] - captured[1],
        }
    }

    /// Whether the end of a game is told by what stands on the board alone. Under territory scoring it is not: what is dead
    /// stays there.
    #[inline]
    pub fn counts_area(&self) -> bool {
        self.rules.scoring == Counting::Area
    }

    /// Stones that Black has played beyond White's. By so much area exceeds territory, as both are defined: each stone
    /// played stands on a point that counts as area, or was captured, and a prisoner counts as territory.
    #[inline]
    pub fn extra_stones<const N: usize, const W: usize>(&self, board: &Board<N, W>) -> i32 {
        let played = |color| (board.stones_on_board(color) + board.captured(color)) as i32;
        played(Color::Black) - played(Color::White) + self.captured_before
    }

    /// The score, komi counted, of a position in which Black's area is larger than White's by so much.
    pub fn score_of_area<const N: usize, const W: usize>(
        &self,
        board: &Board<N, W>,
        lead: f32,
    ) -> f32 {
        let extra = if self.counts_area() { 0 } else { self.extra_stones(board) };
        lead - extra as f32 - self.komi
    }

    /// What a margin at the end of the game proves of the move of `color` that ended it. A draw is neither won nor lost; it is
    /// left open and its value counts.
    pub fn proven(&self, margin: f32, color: Color) -> Proven {
        let score = margin - self.komi;
        Proven::from_win((score != 0.0).then_some((score > 0.0) == (color == Color::Black)))
    }

    /// The value for Black, 0 to 1, of a margin on the board: who wins, and a little of by how much.
    #[inline]
    pub fn value(&self, margin: f32) -> f32 {
        let score = margin - self.komi - self.handicap_komi;
        let won = if score > 0.0 {
            1.0
        } else if score < 0.0 {
            0.0
        } else {
            0.5
        };
        let weight = self.score_weight;
        let scale = self.area.min(80.0);
        (1.0 - weight) * won + weight * (0.5 + 0.5 * (score / scale).clamp(-1.0, 1.0))
    }

    /// The chance of winning, 0 to 1, that a mean of values tells: without the share of the margin.
    pub fn winrate(&self, value: f32) -> f32 {
        let weight = self.score_weight;
        ((value - weight / 2.0) / (1.0 - weight)).clamp(0.0, 1.0)
    }
}

/// A leaf to be valued.
pub struct Leaf<'a, const N: usize, const W: usize> {
    /// The position, for the evaluator to play on.
    pub board: &'a mut Board<N, W>,
    /// Who is to move.
    pub to_move: Color,
    /// The last move and the one before, [`Site::PASS`] where there is none.
    pub last: [Site; 2],
    /// What ends of the game are worth.
    pub scoring: &'a Scoring,
    /// The thread's random numbers.
    pub rng: &'a mut Rng,
    /// The moves made to get here. What a playout adds counts for all moves as first.
    pub moves: &'a mut Vec<Site>,
}

/// What a leaf is worth.
#[derive(Clone, Debug, Default)]
pub struct LeafValue {
    /// Chance of winning for Black, 0 to 1.
    pub value: f32,
    /// Black's points less White's by the rules in force, komi not counted.
    pub margin: f32,
    /// For each site how surely it ends as Black's (1) or White's (-1).
    pub ownership: Vec<f32>,
}
