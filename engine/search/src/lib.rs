//! What a tree search is made of, for every game.
//!
//! * [`Arena`]: bounded memory that threads share without a lock, and that a tree lives in.
//! * [`puct`]: the best-first tree over packed moves of Connect6 and Amazons. A game says how its moves and what it expects
//!   of them are packed ([`puct::TreeMove`]), and has a [`Worker`] that walks down, evaluates a leaf and backs its value up.
//!   A turn may take one edge (Connect6) or several (Amazons: a queen's move, then an arrow).
//! * [`Driver`]: starts the threads, ends them at a limit, and has room made in a full tree, by parts that no clock and no
//!   caller has to wait for.
//! * [`Room`]: what a full tree lets go of, so that it is not full any more; a tree with one is [`Roomy`], and tells what
//!   of it is [`Prunable`].
//! * [`stop`]: when a search may end before its limits.
//! * [`TurnFilter`]: which turns a search is to leave out near its root.
//! * [`upper`], [`Exchange`]: what searches of one position in several processes tell each other.
//! * [`Search`]: what every searcher can do. What it finds is a [`Report`], in one shape for every game.
//!
//! To add a game that is searched best-first: implement [`Position`], and [`BestFirst`] searches it. A game that knows more
//! than what one visit should do and find (proofs, solvers, networks asked late) implements [`puct::TreeMove`] and
//! [`puct::Estimate`] for its moves, [`Worker`] for a thread's visit, and [`Search`] for the whole, which keeps a
//! [`puct::Tree`] from search to search and lends it to a [`Driver`].

mod arena;
mod best_first;
mod driver;
mod exchange;
mod prune;
pub mod puct;
pub mod report;
mod room;
pub mod stop;
mod turn_filter;
pub mod upper;

/// The most threads that a search uses.
pub const MAX_THREADS: usize = 256;

pub use arena::Arena;
pub use best_first::{BestFirst, BestFirstParams, Position};
pub use driver::{Bounded, Driver, Worker};
pub use exchange::{Exchange, Partners, Sharing, Turns};
pub use game_core::{Control, MoveReport, Proven, Report, SearchLimits, StopSignal};
pub use prune::Prunable;
pub use report::{Look, Search};
pub use room::{Room, Roomy};
pub use turn_filter::TurnFilter;
