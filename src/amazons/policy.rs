//! Playing without search (`--policy-only`): the patent's bare arg-max, and two movers to compare it with.

use amazons_engine::eval::Weights;
use amazons_engine::game::Stage;
use amazons_engine::net::policy::{Policy, Scratch};
use amazons_engine::search::{Progress, Proven, RootChoice};
use amazons_engine::{Game, Move};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Who chooses in the search's place.
pub enum Player {
    /// The likeliest turn by an opinion.
    Policy(Policy),
    /// Any turn, all alike.
    Random(Box<Xoshiro256PlusPlus>),
}

impl Player {
    /// One who plays any turn; a seed gives its choices.
    pub fn random(seed: u64) -> Player {
        Player::Random(Box::new(Xoshiro256PlusPlus::seed_from_u64(seed)))
    }

    /// The turn, or the rest of the one in progress, as a search would tell it; none when there is none.
    pub fn choose(&mut self, weights: &Weights, game: &Game) -> Option<Progress> {
        let position = game.position();
        let (mv, chance, prior) = match self {
            Player::Policy(policy) => {
                policy.turn(weights, position, game.stage(), &mut Scratch::default())?
            }
            Player::Random(random) => {
                let mut moves = position.moves();
                moves.retain(|mv| begins(game.stage(), mv));
                let count = moves.len() as u64;
                let drawn = random.next_u64().checked_rem(count)?;
                (moves[drawn as usize], 0.5, 1.0 / count as f32)
            }
        };
        let choice =
            RootChoice { mv, visits: 1, chance, prior, fate: Proven::Unknown, line: vec![mv] };
        Some(Progress {
            choices: vec![choice],
            visits: 1,
            chance,
            fate: Proven::Unknown,
            tree_nodes: 0,
            solver_nodes: 0,
        })
    }
}

/// Whether a turn goes on what has been made of it.
fn begins(stage: Stage, mv: &Move) -> bool {
    match stage {
        Stage::From => true,
        Stage::To(from) => mv.from == from,
        Stage::Arrow(from, to) => (mv.from, mv.to) == (from, to),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_games_are_played_and_begun_turns_finished() {
        let weights = Weights::shipped();
        for mut player in [Player::Policy(Policy::Evaluation), Player::random(3)] {
            let mut game = Game::new(amazons_engine::Position::start());
            while let Some(progress) = player.choose(&weights, &game) {
                let Move { from, to, arrow } = progress.choices[0].mv;
                game.step(from).expect("a queen");
                let next = player.choose(&weights, &game).expect("a turn").choices[0].mv;
                assert_eq!(next.from, from);
                game.step(to).expect("a square");
                let next = player.choose(&weights, &game).expect("a turn").choices[0].mv;
                assert_eq!((next.from, next.to), (from, to));
                game.step(arrow).expect("an arrow");
            }
            assert!(game.winner().is_some());
        }
    }
}
