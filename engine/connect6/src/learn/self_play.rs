//! Games that the engine plays against itself, to learn from.

use super::Lesson;
use crate::eval::Net;
use crate::game::{Game, Outcome};
use crate::point::Point;
use crate::rules::Rules;
use crate::search::{Control, Limits, Searcher};

/// Turns drawn from the move weights alone at the start, so that no two games are the same.
const DRAWN_TURNS: usize = 3;
/// A game of more stones counts as a draw.
const MOST_STONES: usize = 200;

/// Plays one game: first turns drawn from the move weights, then by the search with so many visits a turn.
/// The seed decides the game when the searcher has one thread.
pub fn play(rules: Rules, searcher: &mut Searcher, visits: u64, seed: u64) -> Lesson {
    searcher.clear();
    let mut game = opening(rules, &searcher.knowledge().net, DRAWN_TURNS, seed);
    let limits = Limits { visits: Some(visits), ..Limits::default() };
    while game.outcome() == Outcome::Open && game.board().count() < MOST_STONES {
        let progress = searcher.search(&game, &limits, &mut |_| Control::Continue);
        let Some(choice) = progress.choices.first() else { break };
        if game.play_turn(game.to_move().colour, choice.turn).is_err() {
            break;
        }
    }
    Lesson { stones: game.stones().map(|s| s.1).collect(), outcome: game.outcome() }
}

/// A game of so many turns drawn stone by stone from the move weights, which the seed decides.
pub fn opening(rules: Rules, net: &Net, turns: usize, seed: u64) -> Game {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut game = Game::new(rules);
    let mut left = turns;
    while left > 0 && game.outcome() == Outcome::Open {
        let side = game.to_move().colour;
        let points = net.view(game.board(), side).best(0, 30);
        let Some(drawn) = random.draw(&points) else { break };
        if game.play(side, drawn).is_err() {
            break;
        }
        left -= usize::from(game.to_move().colour != side);
    }
    game
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

    fn draw(&mut self, points: &[(Point, f32)]) -> Option<Point> {
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
