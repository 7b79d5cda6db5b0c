//! What a search tells of a position, in the same form for all games.

use crate::Proven;

/// What a search has found about a position; `M` is a move: a whole turn of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M> {
    /// The moves, the one to make first.
    pub moves: Vec<MoveReport<M>>,
    /// Visits of the position, those kept from earlier searches too.
    pub visits: u64,
    /// Chance of winning for the side that was thought for, 0 to 1.
    pub winrate: f32,
    /// What is proven for that side.
    pub proven: Proven,
    /// By how many points that side leads, in games that count points.
    pub lead: Option<f32>,
    /// By how many points one playout's lead is off that, as a standard deviation; none where it was not counted.
    pub lead_stdev: Option<f32>,
    /// The score that the game is expected to end with, which players who are ahead let come nearer to zero than the lead;
    /// none where nobody says.
    pub final_score: Option<f32>,
    /// In games about territory, for each point row by row from A1, from -1, White's, to 1, Black's; else empty.
    pub ownership: Vec<f32>,
    /// The standard deviation of each of those over the playouts, 0 to 1; empty where it was not counted.
    pub ownership_stdev: Vec<f32>,
    /// Visits of this search, without what was kept of earlier ones: in Go playouts, over which lead and ownership were counted.
    pub counted: u64,
    /// Nodes of the tree.
    pub nodes: usize,
    /// Positions that solvers looked at beside it.
    pub solver_nodes: u64,
    /// Nothing was searched: it is what an opening book says.
    pub from_book: bool,
}

/// What a search has found about a move.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveReport<M> {
    /// The move.
    pub mv: M,
    /// How often it was tried.
    pub visits: u32,
    /// Chance of winning for the side that makes it, 0 to 1.
    pub winrate: f32,
    /// A bound below which that chance hardly lies, given how often the move was tried.
    pub lower_bound: f32,
    /// How good the move looked before the search, 0 to 1.
    pub prior: f32,
    /// What is proven for the side that makes it.
    pub proven: Proven,
    /// By how many points that side leads after it, in games that count points.
    pub lead: Option<f32>,
    /// By how many points one playout's lead is off that, as a standard deviation; none where it was not counted.
    pub lead_stdev: Option<f32>,
    /// The score that the game is expected to end with after it, as [`Report::final_score`].
    pub final_score: Option<f32>,
    /// Whose the points become after it, as [`Report::ownership`]; empty where it was not counted for each move.
    pub ownership: Vec<f32>,
    /// How far playouts differ about that, as [`Report::ownership_stdev`].
    pub ownership_stdev: Vec<f32>,
    /// The moves expected, this one first.
    pub line: Vec<M>,
    /// The visits of each of them; empty when they are not told.
    pub line_visits: Vec<u32>,
}

impl<M> Default for Report<M> {
    /// That of a search that has found nothing.
    fn default() -> Report<M> {
        Report {
            moves: Vec::new(),
            visits: 0,
            winrate: 0.5,
            proven: Proven::Unknown,
            lead: None,
            lead_stdev: None,
            final_score: None,
            ownership: Vec::new(),
            ownership_stdev: Vec::new(),
            counted: 0,
            nodes: 0,
            solver_nodes: 0,
            from_book: false,
        }
    }
}

impl<M> Report<M> {
    /// The move to make; none when there was nothing to choose from.
    pub fn best(&self) -> Option<&MoveReport<M>> {
        self.moves.first()
    }
}

impl<M> MoveReport<M> {
    /// Whether anything was found out about it.
    pub fn is_searched(&self) -> bool {
        self.visits > 0 || self.proven.is_known()
    }
}

/// A chance less one standard error of a coin thrown as often as there were visits, as [`MoveReport::lower_bound`];
/// what is proven is certain.
///
/// ```
/// use game_core::{Proven, lower_bound};
/// assert_eq!(lower_bound(0.5, 25, Proven::Unknown), 0.4);
/// assert_eq!(lower_bound(1.0, 0, Proven::Win), 1.0);
/// ```
pub fn lower_bound(winrate: f32, visits: u32, proven: Proven) -> f32 {
    if proven.is_known() {
        return winrate;
    }
    (winrate - (winrate * (1.0 - winrate) / visits.max(1) as f32).sqrt()).max(0.0)
}
