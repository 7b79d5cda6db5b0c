//! Games that the engine plays against itself, to learn from.

use super::random::Random;
use super::{Sample, Searched};
use crate::eval::Net;
use crate::game::{Game, Outcome};
use crate::point::Turn;
use crate::rules::Rules;
use crate::search::{Control, Proven, Report, Search, SearchLimits, Searcher};

/// A game of more stones counts as a draw.
const MAX_STONES: usize = 200;

/// How games against itself are played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelfPlay {
    /// Visits of each search.
    pub visits: u64,
    /// A game begins with one turn to so many drawn from the move weights alone, so that no two are the same.
    pub drawn_turns: usize,
    /// The next turns are drawn by the visits of their search; after them the best is played.
    pub varied_turns: usize,
}

impl Default for SelfPlay {
    fn default() -> SelfPlay {
        SelfPlay { visits: 100, drawn_turns: 5, varied_turns: 4 }
    }
}

impl SelfPlay {
    /// Plays one game. It ends when the side to move has a proved win or loss: the proof is the result. The
    /// seed decides the game when the searcher has one thread.
    pub fn play(&self, rules: Rules, searcher: &mut Searcher, seed: u64) -> Sample {
        searcher.clear();
        let mut random = Random::of(seed);
        let drawn = 1 + (random.unit() * self.drawn_turns as f32) as usize;
        let drawn = drawn.min(self.drawn_turns);
        let (mut game, drawn) = begin(rules, &searcher.knowledge().net, drawn, &mut random);
        let mut sample =
            Sample { stones: Vec::new(), outcome: Outcome::Open, searched: vec![None; drawn] };
        let limits = SearchLimits { visits: Some(self.visits), ..SearchLimits::default() };
        let mut varied = self.varied_turns;
        while game.outcome() == Outcome::Open && game.board().count() < MAX_STONES {
            let side = game.to_move().color;
            let progress = searcher.search(&game, &limits, &mut |_| Control::Continue);
            let Some(best) = progress.moves.first() else { break };
            let winner = match progress.proven {
                Proven::Win => Some(side),
                Proven::Loss => Some(!side),
                Proven::Unknown => None,
            };
            if let Some(winner) = winner {
                sample.outcome = Outcome::Win(winner);
                break;
            }
            let turn = if varied > 0 { random.by_visits(&progress) } else { Some(best.mv) };
            varied = varied.saturating_sub(1);
            let turn = turn.unwrap_or(best.mv);
            let visits = progress.moves.iter().filter(|c| c.proven != Proven::Loss && c.visits > 0);
            sample.searched.push(Some(Searched {
                chance: progress.winrate,
                visits: visits.map(|c| (c.mv, c.visits)).collect(),
            }));
            if game.play_turn(side, turn).is_err() {
                break;
            }
        }
        sample.stones = game.stones().map(|s| s.1).collect();
        if sample.outcome == Outcome::Open {
            sample.outcome = game.outcome();
        }
        sample
    }
}

/// A game of so many turns drawn stone by stone from the move weights, which the seed decides.
pub fn opening(rules: Rules, net: &Net, turns: usize, seed: u64) -> Game {
    begin(rules, net, turns, &mut Random::of(seed)).0
}

/// The game, and how many turns it has.
fn begin(rules: Rules, net: &Net, turns: usize, random: &mut Random) -> (Game, usize) {
    let mut game = Game::new(rules);
    let mut done = 0;
    while done < turns && game.outcome() == Outcome::Open {
        let side = game.to_move().color;
        let points = net.view(game.board(), side).best(0, 30);
        let Some(drawn) = random.pick(&points) else { break };
        if game.play(side, drawn).is_err() {
            break;
        }
        done += usize::from(game.to_move().color != side);
    }
    (game, done)
}

impl Random {
    fn by_visits(&mut self, progress: &Report<Turn>) -> Option<Turn> {
        let open = progress.moves.iter().filter(|c| c.proven == Proven::Unknown);
        let turns: Vec<(Turn, f32)> = open.map(|c| (c.mv, c.visits as f32)).collect();
        self.pick(&turns)
    }

    fn pick<T: Copy>(&mut self, weighted: &[(T, f32)]) -> Option<T> {
        let total: f32 = weighted.iter().map(|p| p.1).sum();
        let mut left = self.unit() * total;
        for (item, weight) in weighted {
            left -= weight;
            if left <= 0.0 {
                return Some(*item);
            }
        }
        weighted.last().map(|p| p.0)
    }
}
