//! What the commands ask of whatever plays: one narrow interface between words and search.

use std::time::Duration;

use go_engine::score::Statuses;
use go_engine::{Color, Game, Move};

use crate::clock::Budget;
use crate::gtp::params::Params;

/// A position to think about, and how long.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The game so far.
    pub game: &'a Game,
    /// Whose move is wanted. Not always the player whose turn it is.
    pub color: Color,
    /// Playouts after which to stop, if there is such a limit.
    pub playouts: Option<u64>,
    /// Time after which to stop, if time is limited.
    pub budget: Option<Budget>,
    /// Moves left out of consideration.
    pub filter: &'a Filter,
    /// Ends the thinking when it says true. Asked often, from several threads.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Forgets what earlier searches found and begins at the seed, so that the answer repeats.
    pub fresh: bool,
    /// Takes what is dead off the board before passing, instead of leaving it to agreement.
    pub cleanup: bool,
    /// How often to report.
    pub interval: Option<Duration>,
}

/// Moves that an analysis is told to leave out, or to keep to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Moves that are not considered.
    pub avoid: Vec<Move>,
    /// If not empty, no other moves are considered.
    pub allow: Vec<Move>,
}

impl Filter {
    /// Whether the move may be considered.
    pub fn accepts(&self, mv: Move) -> bool {
        !self.avoid.contains(&mv) && (self.allow.is_empty() || self.allow.contains(&mv))
    }
}

/// What a search has found out about a position.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    /// Playouts that went through the position.
    pub visits: u64,
    /// How likely the player asked about wins, 0 to 1.
    pub winrate: f64,
    /// By how many points that player leads, komi included.
    pub lead: f64,
    /// Moves, the best first.
    pub candidates: Vec<Candidate>,
    /// For each point row by row from A1, from -1, White's, to 1, Black's; empty if not known.
    pub ownership: Vec<f32>,
    /// Playouts over which lead and ownership were counted.
    pub counted: u64,
}

/// What a search has found out about a move.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// Playouts that began with it.
    pub visits: u64,
    /// How likely it wins for the player who makes it, 0 to 1.
    pub winrate: f64,
    /// A lower bound of that, given how often the move was tried.
    pub lcb: f64,
    /// By how many points its player leads after it.
    pub lead: f64,
    /// How good the move looked before any playout, 0 to 1.
    pub prior: f64,
    /// What is expected to follow, the move first, with the visits of each.
    pub variation: Vec<(Move, u64)>,
}

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// A stone or a pass.
    Move(Move),
    /// The game is lost.
    Resign,
}

/// A node of the search tree, for showing it.
#[derive(Debug, Clone, PartialEq)]
pub struct Branch {
    /// 1 for a move at the root, 2 for its answer.
    pub depth: usize,
    /// The move that leads here.
    pub mv: Move,
    /// Playouts that went through it.
    pub visits: u64,
    /// How likely the move wins for the player who makes it.
    pub winrate: f64,
}

/// Whatever plays.
pub trait Engine: Params {
    /// Chooses a move. `report` is called with what is known, at the interval asked for.
    fn choose(&mut self, question: &Question, report: &mut dyn FnMut(&Findings)) -> Decision;

    /// Thinks about a position until told to stop, reporting at the interval asked for.
    fn analyze(&mut self, question: &Question, report: &mut dyn FnMut(&Findings));

    /// Thinks while the opponent does, until told to stop.
    fn ponder(&mut self, game: &Game, stop: &(dyn Fn() -> bool + Sync));

    /// What became of the stones, if the game ended now.
    fn statuses(&mut self, game: &Game) -> Statuses;

    /// How likely each move is thought to be an expert's before any search, the likeliest first;
    /// empty when nothing learned says.
    fn expect(&self, game: &Game, color: Color) -> Vec<(Move, f32)>;

    /// What the last search found, with the player it thought for.
    fn findings(&self) -> Option<(Color, &Findings)>;

    /// The tree of the last search, if there was one: the game it was about, the player it thought
    /// for, and the nodes that were visited at least `least` times, depth first.
    fn tree(&self, least: u64) -> Option<(&Game, Color, Vec<Branch>)>;

    /// Forgets everything about the game so far.
    fn new_game(&mut self);

    /// Playouts for a move when neither time nor the user sets a limit.
    fn default_playouts(&self) -> u64;
}
