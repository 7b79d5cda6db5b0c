//! Ranks within one process, each in a thread of its own: sharing without MPI.

use std::sync::mpsc::{Receiver, Sender, channel};

use super::Transport;

/// One such rank's side.
pub struct Local {
    rank: usize,
    to: Vec<Sender<(usize, Vec<u8>)>>,
    from: Receiver<(usize, Vec<u8>)>,
}

/// So many ranks.
pub fn ranks(count: usize) -> Vec<Local> {
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..count).map(|_| channel()).unzip();
    let local = |(rank, from)| Local { rank, to: senders.clone(), from };
    receivers.into_iter().enumerate().map(local).collect()
}

impl Transport for Local {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.to.len()
    }

    fn send(&mut self, to: usize, message: Vec<u8>) {
        // A rank that has ended takes no messages.
        let _ = self.to[to].send((self.rank, message));
    }

    fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        self.from.try_recv().ok()
    }

    fn is_open(&self) -> bool {
        true
    }
}
