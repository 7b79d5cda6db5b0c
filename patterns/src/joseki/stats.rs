//! The figures that the paper gives of its code, for any code.

use super::sequence::{Cut, Sequences};
use super::stones::Stones;
use crate::game::Game;
use crate::progress::Progress;
use go_engine::with_layout;
use rayon::prelude::*;
use std::collections::HashMap;
use std::hash::Hash;

/// The corner positions of games, one after every corner move: what is encoded.
pub struct Encoding {
    /// The positions in the order of the games and their moves.
    pub positions: Vec<Stones>,
}

/// How a code tells positions apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Figures {
    /// Positions that differ in more than corner, flip and colours.
    pub positions: usize,
    /// Codes that were made.
    pub encodings: usize,
    /// Different ones among them.
    pub codes: usize,
    /// Codes that several different positions share.
    pub shared: usize,
    /// Positions that share a code with another.
    pub confused: usize,
    /// Positions with several codes: those of its forms differ. A code that does what it is for has
    /// none.
    pub split: usize,
}

/// Takes the corner positions out of games of one board size; `None` when it was told to stop.
pub fn encode(games: &[Game], cut: Cut, progress: &dyn Progress) -> Option<Encoding> {
    progress.begin("cutting corners", games.len() as u64);
    let positions: Vec<Vec<Stones>> = games
        .par_iter()
        .map(|game| {
            let mut positions = Vec::new();
            if !progress.stopped() {
                with_layout!(game.side, add_positions(game, cut, &mut positions));
            }
            progress.advance(1);
            positions
        })
        .collect();
    (!progress.stopped()).then(|| Encoding { positions: positions.concat() })
}

fn add_positions<const N: usize, const W: usize>(
    game: &Game,
    cut: Cut,
    positions: &mut Vec<Stones>,
) {
    Sequences::walk::<N, W>(cut, game, |event, corners, board, _| {
        if let Some(place) = event.place {
            let seen = corners.seen(board, event.corner, event.mover).played(place);
            // Seen by the other player now: which stones are Black's says nothing.
            positions.push(Stones { black: seen.own, white: seen.other });
        }
    });
}

impl Encoding {
    /// Compares a code with the positions themselves.
    pub fn figures<C: Hash + Eq + Copy>(&self, code: impl Fn(Stones) -> C) -> Figures {
        // By code the first position that had it, by position the first code.
        let mut by_code: HashMap<C, (Stones, Vec<Stones>)> = HashMap::new();
        let mut by_position: HashMap<Stones, (C, bool)> = HashMap::new();
        for &stones in &self.positions {
            let (canonical, code) = (stones.canonical_form(), code(stones));
            let (first, others) = by_code.entry(code).or_insert((canonical, Vec::new()));
            if *first != canonical && !others.contains(&canonical) {
                others.push(canonical);
            }
            let (first, split) = by_position.entry(canonical).or_insert((code, false));
            *split |= *first != code;
        }
        let shared = || by_code.values().map(|(_, others)| others.len()).filter(|&n| n > 0);
        Figures {
            positions: by_position.len(),
            encodings: self.positions.len(),
            codes: by_code.len(),
            shared: shared().count(),
            confused: shared().map(|others| others + 1).sum(),
            split: by_position.values().filter(|(_, split)| *split).count(),
        }
    }
}
