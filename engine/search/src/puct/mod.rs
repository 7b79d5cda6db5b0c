//! A best-first tree over packed moves, shared by threads without a lock.
//!
//! A [`Node`] is a position, an [`Edge`] a move from it: its edges lie side by side, twelve bytes each, and the node behind
//! an edge is made when it is first visited, since most never are. A visit walks down by [`Tree::select`], counting itself
//! as a loss on its way ([`Node::add_virtual_loss`]), expands or evaluates a leaf, and ends with [`Tree::backup`].

mod edge;
mod node;
mod prune;
mod report;
#[cfg(test)]
mod tests;
mod tree;
mod upper;

pub use edge::{Choice, Edge, Estimate, TreeMove};
pub use node::{Node, NodeExtra, NodeState, Stats};
pub use tree::{Step, Tree};
