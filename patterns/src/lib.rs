//! What is learned for Go from records: pattern tables, move prediction, joseki.
//!
//! * [`frequencies`]: how often patterns are played where they can be, with Katz's back-off.
//! * [`predict`]: candidates that compete by features of shape and tactics.
//! * [`joseki`]: what is played in corners, as a finite state machine.
//! * [`influence`]: the tuned model of influence, learned from finished games.
//! * [`network`]: what the network is taught by.
//! * [`opening`]: an opening book that is made by search.
//! * [`knowledge`]: all of it, given to the search; [`learned`]: what ships inside the program.
//! * [`game`]: the games that are learned from.

pub mod eval;
pub mod file;
pub mod frequencies;
pub mod game;
pub mod influence;
pub mod joseki;
pub mod knowledge;
pub mod learned;
pub mod network;
pub mod opening;
pub mod params;
pub mod predict;
pub mod progress;

use std::hash::{BuildHasherDefault, Hasher};

use game_core::splitmix;

/// For maps whose keys are hashes already.
#[doc(hidden)]
pub type Unhashed = BuildHasherDefault<KeyIsHash>;

/// See [`Unhashed`].
#[derive(Default)]
#[doc(hidden)]
pub struct KeyIsHash(u64);

impl Hasher for KeyIsHash {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = splitmix(self.0 ^ u64::from(byte));
        }
    }
    fn write_u64(&mut self, key: u64) {
        // Table indices come from the low bits, the kind of the pattern lies there too.
        self.0 = key.rotate_left(24);
    }
}
