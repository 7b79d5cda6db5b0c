//! The network of our own, and what it is taught by: positions with what a teacher, or a game, says of them.
//!
//! * [`own`]: the network that ships inside the program.
//! * [`sample`]: such a position, and the files that the training program (`training/go`) reads.
//! * [`teacher`]: a network that is asked, and what the predictor of moves expects beside it.
//! * [`self_play`]: games drawn from the teacher's policy, or played by playouts; [`records`]: positions of records.
//! * `deeper`: what a search with the teacher, or by playouts, finds.

mod deeper;
pub mod own;
pub mod records;
pub mod sample;
pub mod self_play;
pub mod teacher;

use crate::game::Game;
use crate::knowledge::Library;
use go_engine::Rules;
use go_network::Network;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng as _;
use sample::Sample;
use self_play::SelfPlay;
use std::sync::Arc;
use teacher::Teacher;

/// A teacher for boards of whatever side.
pub struct AnyTeacher<'a> {
    side: u8,
    sized: Sized<'a>,
}

enum Sized<'a> {
    Up9(Teacher<'a, 128, 2>),
    Up13(Teacher<'a, 256, 3>),
    Up19(Teacher<'a, 512, 6>),
}

impl<'a> AnyTeacher<'a> {
    /// One for boards of this side.
    ///
    /// # Panics
    /// When networks do not know boards of this side: it is below 2 or above 19; or what was learned cannot be read.
    pub fn new(network: Option<&'a Arc<Network>>, library: &'a Arc<Library>, side: u8) -> Self {
        let sized = match side {
            ..=9 => Sized::Up9(Teacher::new(network, library, side)),
            10..=13 => Sized::Up13(Teacher::new(network, library, side)),
            _ => Sized::Up19(Teacher::new(network, library, side)),
        };
        AnyTeacher { side, sized }
    }

    /// What is kept of the game of a seed.
    pub fn play(&mut self, how: &SelfPlay, seed: u64) -> Vec<Sample> {
        match &mut self.sized {
            Sized::Up9(teacher) => how.play(teacher, self.side, seed),
            Sized::Up13(teacher) => how.play(teacher, self.side, seed),
            Sized::Up19(teacher) => how.play(teacher, self.side, seed),
        }
    }

    /// So many positions of a game, drawn by a seed.
    pub fn of_record(&mut self, game: &Game, count: usize, seed: u64) -> Vec<Sample> {
        match &mut self.sized {
            Sized::Up9(teacher) => records::samples(teacher, game, count, seed),
            Sized::Up13(teacher) => records::samples(teacher, game, count, seed),
            Sized::Up19(teacher) => records::samples(teacher, game, count, seed),
        }
    }
}

/// A number from 0 up to 1.
fn chance(random: &mut Xoshiro256PlusPlus) -> f64 {
    (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// One of so many.
fn one_of(count: usize, random: &mut Xoshiro256PlusPlus) -> usize {
    ((chance(random) * count as f64) as usize).min(count.saturating_sub(1))
}

/// Rules under which positions are evaluated, each with its share.
const RULES: [(f64, Rules); 5] = [
    (0.45, Rules::CHINESE),
    (0.25, Rules::JAPANESE),
    (0.14, Rules::TROMP_TAYLOR),
    (0.08, Rules::AGA),
    (0.08, Rules::NEW_ZEALAND),
];

fn draw_rules(random: &mut Xoshiro256PlusPlus) -> Rules {
    let mut at = chance(random);
    for (share, rules) in RULES {
        if at < share {
            return rules;
        }
        at -= share;
    }
    Rules::CHINESE
}

/// Points for White: mostly those that people play with, else any about as many, so that the network learns what points
/// are worth.
fn draw_komi(random: &mut Xoshiro256PlusPlus) -> f64 {
    const USUAL: [f64; 4] = [7.5, 7.5, 6.5, 7.0];
    if chance(random) < 0.6 {
        return USUAL[one_of(USUAL.len(), random)];
    }
    let normal: f64 = (0..12).map(|_| chance(random)).sum::<f64>() - 6.0;
    let half = if chance(random) < 0.8 { 0.5 } else { 0.0 };
    (7.0 + 7.0 * normal).round() + half
}
