//! Games that the evaluation plays against itself, to learn from.

use super::Lesson;
use crate::eval::chance;
use crate::game::{Game, Outcome};
use crate::policy::candidates;
use crate::rules::Rules;
use crate::search::turns::{Expander, Fate};
use crate::search::{Knowledge, Tuning};
use crate::tss::Solver;

/// Turns drawn from the policy alone at the start, so that no two games are the same.
const DRAWN_TURNS: usize = 3;
/// Turns compared by the value of the position after them.
const COMPARED: usize = 8;
/// A game of more stones counts as a draw.
const MOST_STONES: usize = 200;

/// Plays one game: first turns drawn from the policy, then the turn after which the other side's chance is
/// least, with threat search on both sides. The seed decides the game.
pub fn play(
    rules: Rules,
    knowledge: &Knowledge,
    tuning: &Tuning,
    seed: u64,
    solver: &mut Solver,
) -> Lesson {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut game = Game::new(rules);
    let expander =
        Expander { policy: &knowledge.policy, net: &knowledge.net, book: &knowledge.book, tuning };
    let mut number = 0;
    while game.outcome() == Outcome::Open && game.board().count() < MOST_STONES {
        let to_move = game.to_move();
        let side = to_move.colour;
        let mut board = game.board().clone();
        if board.count() == 0 || number < DRAWN_TURNS {
            let points = knowledge.policy.best(&board, side, 0, &candidates(&board), 30);
            let Some(drawn) = random.draw(&points) else { break };
            if game.play(side, drawn).is_err() {
                break;
            }
            number += usize::from(game.to_move().colour != side);
            continue;
        }
        let expansion = expander.expand(
            &mut board,
            side,
            usize::from(to_move.stones),
            solver,
            expander.width(),
        );
        let turn = if expansion.fate == Fate::Open {
            let after = |choice: &crate::search::turns::Choice| {
                let mut board = board.clone();
                choice.turn.stones().for_each(|p| board.place(side, p));
                // The prior breaks near ties.
                chance(&board, !side, Some(&knowledge.net)) - 0.02 * choice.prior.max(0.01).ln()
            };
            expansion
                .turns
                .iter()
                .take(COMPARED)
                .map(|c| (after(c), c.turn))
                .min_by(|a, b| a.0.total_cmp(&b.0))
                .map(|c| c.1)
        } else {
            expansion.turns.first().map(|c| c.turn)
        };
        let Some(turn) = turn else { break };
        if game.play_turn(side, turn).is_err() {
            break;
        }
        number += 1;
    }
    Lesson { stones: game.stones().map(|s| s.1).collect(), outcome: game.outcome() }
}

/// A small generator (xorshift64, Marsaglia 2003): the stream is part of what a seed means.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }

    fn draw(&mut self, points: &[(crate::Point, f32)]) -> Option<crate::Point> {
        let total: f32 = points.iter().map(|p| p.1).sum();
        let mut left = self.unit() * total;
        for (point, chance) in points {
            left -= chance;
            if left <= 0.0 {
                return Some(*point);
            }
        }
        points.last().map(|p| p.0)
    }
}
