//! What a search found, and what every searcher can do.

use crate::TurnFilter;
use game_core::{Control, MoveReport, Proven, Report, SearchLimits, lower_bound};
use std::cmp::Reverse;
use tunables::Table;

/// What was found about the first move of a line; none when that is empty.
pub fn move_report<M>(
    line: Vec<M>,
    visits: u32,
    winrate: f32,
    prior: f32,
    proven: Proven,
) -> Option<MoveReport<M>>
where
    M: Copy,
{
    Some(MoveReport {
        mv: *line.first()?,
        visits,
        winrate,
        lower_bound: lower_bound(winrate, visits, proven),
        prior,
        proven,
        lead: None,
        lead_stdev: None,
        final_score: None,
        ownership: Vec::new(),
        ownership_stdev: Vec::new(),
        line,
        line_visits: Vec::new(),
    })
}

/// That of a search without a tree, which took so many visits to choose one move.
pub fn single<M: Copy>(mv: M, visits: u64, winrate: f32, proven: Proven) -> Report<M> {
    let few = visits.min(u64::from(u32::MAX)) as u32;
    let moves = move_report(vec![mv], few, winrate, 1.0, proven).into_iter().collect();
    Report { moves, visits, winrate, proven, ..Report::default() }
}

/// That of a move whose end is known without a search, after a solver looked at so many positions.
pub fn decided<M: Copy>(mv: M, proven: Proven, solver_nodes: u64) -> Report<M> {
    let winrate = if proven == Proven::Win { 1.0 } else { 0.0 };
    Report { solver_nodes, ..single(mv, 1, winrate, proven) }
}

/// How good a choice is: proven ones by what they are, the others by visits, then by prior.
pub fn rank(proven: Proven, visits: u32, prior: f32) -> (u8, u32, u32) {
    let class = match proven {
        Proven::Win => 2,
        Proven::Unknown => 1,
        Proven::Loss => 0,
    };
    (class, visits, (prior * 1e6) as u32)
}

/// What to sort moves by, the best first.
pub fn order<M>(found: &MoveReport<M>) -> Reverse<(u8, u32, u32)> {
    Reverse(rank(found.proven, found.visits, found.prior))
}

/// Asked every few milliseconds of a search, with what tells where it stands: whether to go on.
pub type Look<'a, M> = &'a mut dyn FnMut(&dyn Fn() -> Report<M>) -> Control;

/// What every searcher can do: it keeps its tree between searches, and what is of use of it when the game goes on.
pub trait Search {
    /// A game, or a position with what led to it.
    type Game;
    /// A whole turn.
    type Move;

    /// Searches the next turn until a limit, or until `look` says stop. A game that is over gives no choices.
    fn search(
        &mut self,
        game: &Self::Game,
        limits: &SearchLimits,
        look: Look<'_, Self::Move>,
    ) -> Report<Self::Move> {
        self.search_among(game, limits, TurnFilter::all(), look)
    }

    /// The same where turns may be left out: then nothing is used of what earlier searches found, and nothing is kept.
    /// Without a turn that is accepted there are no choices.
    fn search_among(
        &mut self,
        game: &Self::Game,
        limits: &SearchLimits,
        filter: TurnFilter<'_, Self::Move>,
        look: Look<'_, Self::Move>,
    ) -> Report<Self::Move>;

    /// Forgets everything: the next search is as if it were the first.
    fn clear(&mut self);

    /// How many threads it uses.
    fn threads(&self) -> usize;

    /// The memory that it may take, in MiB.
    fn memory_mib(&self) -> usize;

    /// Its tunables.
    fn params(&self) -> &dyn Table;

    /// Its tunables, to be set. What was searched under other settings shows through until [`Search::clear`].
    fn params_mut(&mut self) -> &mut dyn Table;
}
