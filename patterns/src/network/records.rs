//! Positions of records, with what a teacher says of them.

use super::sample::{Origin, Sample};
use super::self_play::{any_move, start};
use super::teacher::Teacher;
use super::{chance, draw_komi, draw_rules, one_of};
use crate::game::Game;
use go_engine::board::Site;
use go_network::Symmetry;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

/// Share of the positions after which a stray move is made, and that position is taken too.
const STRAY: f64 = 0.15;

/// Asks about so many turns of a game, drawn by a seed, under rules and komi drawn too. Setup stones are left out: games
/// that have them give nothing.
///
/// # Panics
/// When the layout has no board of the game's side.
pub fn samples<const N: usize, const W: usize>(
    teacher: &mut Teacher<'_, N, W>,
    game: &Game,
    count: usize,
    seed: u64,
) -> Vec<Sample> {
    if !game.setup.is_empty() {
        return Vec::new();
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let turns: Vec<usize> = (0..count).map(|_| one_of(game.moves.len(), &mut random)).collect();
    let mut position = start::<N, W>(game.side, draw_rules(&mut random), draw_komi(&mut random));
    let mut samples = Vec::new();
    for (turn, &(color, point)) in game.moves.iter().enumerate() {
        let site = point.and_then(|point| position.board().site(point)).unwrap_or(Site::PASS);
        if turns.contains(&turn) {
            position.set_to_play(color);
            let mut said = teacher.ask(&position, Symmetry::new(random.next_u64()));
            said.origin = Origin::Record;
            said.turn = turn as u16;
            said.played = Some(teacher.index(site));
            said.result = game.winner.map(|winner| if winner == color { 1 } else { -1 });
            samples.push(said);
            if chance(&mut random) < STRAY {
                let mut branch = position.clone();
                let site = any_move(&branch, &mut random);
                branch.play(color, site);
                let symmetry = Symmetry::new(random.next_u64());
                let mut said = teacher.ask(&branch, symmetry);
                said.origin = Origin::Stray;
                said.turn = turn as u16 + 1;
                samples.push(said);
            }
        }
        position.play(color, site);
    }
    samples
}
