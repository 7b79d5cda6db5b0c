//! What a search found of one position, as a book keeps it.

use go_engine::Point;

/// A search's result. Chances are rounded to a ten-thousandth and leads to a tenth of a point, as in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// Chance of winning of the player to move, 0 to 1.
    pub winrate: f32,
    /// By how many points the player to move leads.
    pub lead: f32,
    /// Visits of the search.
    pub visits: u32,
    /// The moves that it looked at most, the best first, at most [`Evaluation::MAX_MOVES`].
    pub moves: Vec<MoveEvaluation>,
}

/// What a search found of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveEvaluation {
    /// Where it is played, in the canonical form of the position.
    pub place: Point,
    /// How often it was tried.
    pub visits: u32,
    /// Chance of winning of the player who makes it, 0 to 1.
    pub winrate: f32,
    /// By how many points that player leads after it.
    pub lead: f32,
}

/// The steps in which chances and leads are kept.
pub(super) const WINRATE_STEPS: f32 = 10_000.0;
pub(super) const LEAD_STEPS: f32 = 10.0;
/// No lead is larger, on any board.
pub(super) const MAX_LEAD: f32 = 1_000.0;

impl Evaluation {
    /// Moves that are kept.
    pub const MAX_MOVES: usize = 8;
    /// Moves with a smaller share of the visits are not kept: nearly all of them are those that every search looks at once.
    const MIN_SHARE: f32 = 0.01;

    /// What is kept of a search. Moves of one place are one, with the visits of all.
    ///
    /// ```
    /// use go_engine::Point;
    /// use go_patterns::opening::{Evaluation, MoveEvaluation};
    /// let at = |col, visits| MoveEvaluation { place: Point::new(col, 3), visits, winrate: 0.51239, lead: 0.24 };
    /// let kept = Evaluation::new(0.5, 0.0, 100, [at(2, 60), at(3, 20), at(2, 15), at(4, 0)]);
    /// assert_eq!(kept.moves, [MoveEvaluation { winrate: 0.5124, lead: 0.2, ..at(2, 75) }, MoveEvaluation { winrate: 0.5124, lead: 0.2, ..at(3, 20) }]);
    /// ```
    pub fn new(
        winrate: f32,
        lead: f32,
        visits: u32,
        found: impl IntoIterator<Item = MoveEvaluation>,
    ) -> Evaluation {
        let mut moves: Vec<MoveEvaluation> = Vec::new();
        for mv in found {
            match moves.iter_mut().find(|other| other.place == mv.place) {
                Some(twin) => twin.visits = twin.visits.saturating_add(mv.visits),
                None => moves.push(mv),
            }
        }
        let min_visits = (Self::MIN_SHARE * visits as f32).max(1.0);
        moves.retain(|mv| mv.visits as f32 >= min_visits);
        moves.truncate(Self::MAX_MOVES);
        for mv in &mut moves {
            (mv.winrate, mv.lead) = (rounded_winrate(mv.winrate), rounded_lead(mv.lead));
        }
        Evaluation { winrate: rounded_winrate(winrate), lead: rounded_lead(lead), visits, moves }
    }
}

fn rounded_winrate(winrate: f32) -> f32 {
    (winrate.clamp(0.0, 1.0) * WINRATE_STEPS).round() / WINRATE_STEPS
}

fn rounded_lead(lead: f32) -> f32 {
    (lead.clamp(-MAX_LEAD, MAX_LEAD) * LEAD_STEPS).round() / LEAD_STEPS
}
