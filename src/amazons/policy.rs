//! Playing without search (`--policy-only`): the patent's bare arg-max, and two movers to compare it with.

use amazons_engine::eval::Weights;
use amazons_engine::game::Stage;
use amazons_engine::net::policy::{Policy, Scratch};
use amazons_engine::{Game, Move};
use game_core::{MoveReport, Proven, Report};
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
    pub fn choose(&mut self, weights: &Weights, game: &Game) -> Option<Report<Move>> {
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
        let choice = MoveReport {
            mv,
            visits: 1,
            winrate: chance,
            lower_bound: chance,
            prior,
            proven: Proven::Unknown,
            lead: None,
            lead_stdev: None,
            final_score: None,
            ownership: Vec::new(),
            ownership_stdev: Vec::new(),
            line: vec![mv],
            line_visits: Vec::new(),
        };
        Some(Report { moves: vec![choice], visits: 1, winrate: chance, ..Report::default() })
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
            while let Some(report) = player.choose(&weights, &game) {
                let Move { from, to, arrow } = report.moves[0].mv;
                game.step(from).expect("a queen");
                let next = player.choose(&weights, &game).expect("a turn").moves[0].mv;
                assert_eq!(next.from, from);
                game.step(to).expect("a square");
                let next = player.choose(&weights, &game).expect("a turn").moves[0].mv;
                assert_eq!((next.from, next.to), (from, to));
                game.step(arrow).expect("an arrow");
            }
            assert!(game.winner().is_some());
        }
    }
}
