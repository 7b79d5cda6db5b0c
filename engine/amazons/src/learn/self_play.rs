//! Games of the engine against itself, each wholly given by its seed.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

use crate::Color;
use crate::game::Game;
use crate::moves::Move;
use crate::net::resnet::ResNet;
use crate::position::Position;
use crate::search::{Control, Params, Proven, Search, SearchLimits, Searcher};
use crate::square::Square;
use crate::{eval::Weights, search::Report};
use std::sync::Arc;

/// How games are played.
#[derive(Clone, Debug, PartialEq)]
pub struct SelfPlay {
    /// The start.
    pub start: Position,
    /// Visits for each turn.
    pub visits: u64,
    /// At most so many turns at the start are drawn at random; how many is drawn too.
    pub random_turns: u32,
    /// So many turns after these are drawn by their visits; the others are the best.
    pub drawn_turns: u32,
    /// The tunables of the search; by default it plays without the network, which is learned from such games.
    pub params: Params,
    /// The network that the search asks where the tunables say so.
    pub network: Arc<ResNet>,
}

impl Default for SelfPlay {
    fn default() -> SelfPlay {
        SelfPlay {
            start: Position::start(),
            visits: 200,
            random_turns: 6,
            drawn_turns: 10,
            params: Params { network_visits: 0, ..Params::default() },
            network: ResNet::shipped(),
        }
    }
}

/// A turn as it was searched and played.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The turn.
    pub mv: Move,
    /// The chance that the side to move wins, by the search; none for turns drawn at random.
    pub chance: Option<f32>,
    /// The visits of each queen's move.
    pub queens: Vec<(Square, Square, u32)>,
    /// The visits of each arrow behind the queen's move that was played.
    pub arrows: Vec<(Square, u32)>,
}

/// A game.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The seed that it follows from.
    pub seed: u64,
    /// The turns, up to where the end was certain.
    pub turns: Vec<Played>,
    /// Who won.
    pub winner: Color,
}

/// Shares of moves drawn at random that come from the evaluation rather than from all moves alike.
const SENSIBLE: u64 = 3;

impl SelfPlay {
    /// Plays the game of a seed.
    pub fn play(&self, weights: &Arc<Weights>, seed: u64) -> Record {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut searcher = Searcher::new(weights.clone(), 1, 64);
        searcher.params = self.params.clone();
        searcher.set_network(self.network.clone());
        let mut game = Game::new(self.start);
        let mut turns = Vec::new();
        let random_turns = random.next_u64() % u64::from(self.random_turns + 1);
        let winner = loop {
            let side = game.position().to_move();
            if let Some(winner) = game.winner() {
                break winner;
            }
            let number = turns.len() as u64;
            if number < random_turns {
                let mv = if random.next_u64().is_multiple_of(SENSIBLE + 1) {
                    let moves = game.position().moves();
                    moves[(random.next_u64() % moves.len() as u64) as usize]
                } else {
                    searcher.clear();
                    let found = self.search(&mut searcher, &game, 12);
                    draw(&found, random.next_u64())
                };
                turns.push(Played { mv, chance: None, queens: Vec::new(), arrows: Vec::new() });
                self.make(&mut game, mv);
                continue;
            }
            let found = self.search(&mut searcher, &game, self.visits);
            match found.proven {
                Proven::Win => break side,
                Proven::Loss => break side.other(),
                Proven::Unknown => {}
            }
            let best = found.moves[0].mv;
            let drawn = number < random_turns + u64::from(self.drawn_turns);
            let mv = if drawn { draw(&found, random.next_u64()) } else { best };
            turns.push(played(mv, &found));
            self.make(&mut game, mv);
        };
        Record { seed, turns, winner }
    }

    fn search(&self, searcher: &mut Searcher, game: &Game, visits: u64) -> Report<Move> {
        let limits = SearchLimits { visits: Some(visits), ..SearchLimits::default() };
        searcher.search(game, &limits, &mut |_| Control::Continue)
    }

    fn make(&self, game: &mut Game, mv: Move) {
        // The search gives legal moves only; a game that cannot go on is over.
        if game.play(mv).is_err() {
            debug_assert!(false, "an illegal move was chosen");
        }
    }
}

/// One of the moves, each as likely as it has visits.
fn draw(found: &Report<Move>, random: u64) -> Move {
    let total: u64 = found.moves.iter().map(|c| u64::from(c.visits)).sum();
    let mut at = if total == 0 { 0 } else { random % total };
    for choice in &found.moves {
        let visits = u64::from(choice.visits);
        if at < visits {
            return choice.mv;
        }
        at -= visits;
    }
    found.moves[0].mv
}

fn played(mv: Move, found: &Report<Move>) -> Played {
    let mut queens: Vec<(Square, Square, u32)> = Vec::new();
    let mut arrows = Vec::new();
    for choice in found.moves.iter().filter(|c| c.visits > 0) {
        let Move { from, to, arrow } = choice.mv;
        match queens.iter_mut().find(|q| (q.0, q.1) == (from, to)) {
            Some(entry) => entry.2 += choice.visits,
            None => queens.push((from, to, choice.visits)),
        }
        if (from, to) == (mv.from, mv.to) {
            arrows.push((arrow, choice.visits));
        }
    }
    Played { mv, chance: Some(found.winrate), queens, arrows }
}

impl Record {
    /// The positions of the game, each with the turn that was made in it.
    pub fn positions(&self, start: Position) -> impl Iterator<Item = (Position, &Played)> {
        let mut position = start;
        self.turns.iter().map(move |turn| {
            let here = position;
            position.make(turn.mv);
            (here, turn)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_one_game() {
        let settings = SelfPlay {
            start: Position::start_on(5).expect("a start"),
            visits: 30,
            ..SelfPlay::default()
        };
        let weights = Weights::shipped();
        let first = settings.play(&weights, 1);
        assert_eq!(first, settings.play(&weights, 1));
        assert_ne!(first.turns, settings.play(&weights, 2).turns);
        for (position, turn) in first.positions(settings.start) {
            assert!(position.check(turn.mv).is_ok());
        }
    }
}
