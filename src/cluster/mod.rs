//! One search over several processes, on one machine or many: each searches the same position in a tree of its own, and they
//! share what they find in the upper part of it ([`tree_search::upper`]).
//!
//! * [`Transport`]: messages between ranks, by MPI (feature `mpi`) or within a process ([`local`]).
//! * [`message`]: what is told, in bytes.
//! * [`hub`]: rank 0, which a controller talks to. All others talk to it alone; it adds up and tells each what the others found.
//! * [`follower`]: the other ranks, which search what they are told to. `examples/cluster_cost.rs` works out what sharing costs with
//!   more of them than there are here.
//!
//! Nothing here knows a game: what is searched is bytes ([`crate::go::cluster`] has Go's). A rank that falls silent is not waited
//! for any more, and comes back when it is heard again; a message that is lost is made up for by the next one (but for what the network said of positions, which is told once: a rank
//! that did not hear it asks for itself).

pub mod follower;
pub mod hub;
pub mod local;
pub mod message;
#[cfg(feature = "mpi")]
mod mpi;
mod params;
#[cfg(test)]
mod tests;
mod transport;

pub use follower::{Follower, follow};
pub use hub::Hub;
pub use params::ClusterParams;
pub use transport::{Transport, connect};
