//! How a game would end: which stones are dead, told by searches of its position that leave no trace.

use std::time::Instant;

use go_engine::endgame::{self, Ending};
use go_engine::game::{Played, Start};
use go_engine::score::Statuses;
use go_engine::search::{self, Avoided, Limits, Options};
use go_engine::{Color, Game, Move, Rules};

use game_core::{Control, SearchLimits};

use super::{GoEngine, options};
use crate::go::small_board;
use crate::session::Engine as _;

/// Playouts for telling which stones are dead.
pub(super) const ESTIMATE_PLAYOUTS: u64 = 2_000;
/// Memory for telling which stones are dead, in bytes.
const ESTIMATE_MEMORY: usize = 16 << 20;
/// Evaluations by a network for telling which stones are dead.
const ESTIMATE_EVALUATIONS: u64 = 200;
/// Seed for telling which stones are dead: two programs are to tell the same of one game.
const ESTIMATE_SEED: u64 = 1;
/// No playout plays a bad self-atari, as some do in a search for a move: one ends a seki, whatever comes before it.
const NEVER_SELF_ATARI: u32 = 256;
/// In a game that is over, points by which a move is worse than a pass that is not to be looked at.
const COSTLY: f32 = 3.0;

/// What the end of a game depends on. The moves tell what a position does not: passes, and who took how many stones.
#[derive(PartialEq)]
pub(super) struct Circumstances {
    size: (u8, u8),
    start: Start,
    moves: Vec<Played>,
    to_play: Color,
    rules: Rules,
    compensation: f64,
}

impl Circumstances {
    fn of(game: &Game) -> Circumstances {
        Circumstances {
            size: (game.board().width(), game.board().height()),
            start: game.start().clone(),
            moves: game.moves().to_vec(),
            to_play: game.to_play(),
            rules: *game.rules(),
            compensation: game.compensation(),
        }
    }
}

impl GoEngine {
    /// Looks at a position in a search of its own: the same stones are dead whatever was thought
    /// about before.
    pub(super) fn look(
        &self,
        game: &Game,
        color: Color,
        playouts: u64,
        deadline: Option<Instant>,
        stop: &dyn Fn() -> bool,
    ) -> search::Report {
        self.look_without(Vec::new(), game, color, playouts, deadline, stop)
    }

    /// The same without some moves.
    fn look_without(
        &self,
        avoid: Vec<Avoided>,
        game: &Game,
        color: Color,
        playouts: u64,
        deadline: Option<Instant>,
        stop: &dyn Fn() -> bool,
    ) -> search::Report {
        let search = SearchLimits { visits: Some(playouts), deadline, ..SearchLimits::default() };
        let limits = Limits { search, avoid, asks_for_owners: true, ..Limits::default() };
        let mut params = self.tunables.search.clone();
        params.playout_self_atari = NEVER_SELF_ATARI;
        let options = Options {
            max_memory: ESTIMATE_MEMORY,
            seed: ESTIMATE_SEED,
            ..options(&self.config, &params)
        };
        let mut control = |_: &dyn Fn() -> search::Report| {
            if stop() { Control::Stop } else { Control::Continue }
        };
        self.new_search(options).search_ending(game, color, &limits, &mut control)
    }

    /// Looks again at a game that is over. Where one side wins whatever happens a search does not mind losing groups: so
    /// the komi is such that the game is even by what was found first, and moves that cost more than a pass are left out.
    fn look_at_even_komi(
        &self,
        game: &Game,
        found: &search::Report,
        stop: &dyn Fn() -> bool,
    ) -> search::Report {
        let color = game.to_play();
        let for_mover = |score: f32| if color == Color::Black { score } else { -score };
        let score = |found: &search::MoveReport| found.score.map(for_mover);
        let pass = found.moves.iter().find(|found| found.mv == Move::Pass).and_then(score);
        let is_costly = |found: &&search::MoveReport| match (score(found), pass) {
            (Some(score), Some(pass)) => score < pass - COSTLY,
            _ => false,
        };
        let costly = found.moves.iter().filter(is_costly).map(|found| found.mv);
        let avoid = Avoided::at_root(color, costly);
        let lead = found.score.round();
        let mut even = game.clone();
        even.set_komi(game.komi() + f64::from(lead));
        let mut found = self.look_without(avoid, &even, color, ESTIMATE_PLAYOUTS, None, stop);
        found.score += lead;
        found
    }

    /// How the game would end from here, by what was found until `stop` says true. Under rules without agreement about the
    /// dead whatever stands is alive.
    pub fn ending(&mut self, game: &Game, stop: &dyn Fn() -> bool) -> Ending {
        let circumstances = Circumstances::of(game);
        if let Some((_, ending)) = self.ending.as_ref().filter(|known| known.0 == circumstances) {
            return ending.clone();
        }
        self.fit(game);
        let is_over = game.passes() >= 2 && game.rules().friendly_pass_ok;
        let mut found = self.look(game, game.to_play(), self.estimate_visits(game), None, stop);
        // A network minds its groups whatever the score is.
        let by_playouts = self.network(game).is_none();
        if by_playouts && is_over {
            found = self.look_at_even_komi(game, &found, stop);
        }
        let mut ending = endgame::ending(game, &found);
        if is_over && small_board::stands(game, stop) {
            ending = Ending::of_statuses(game, Statuses::all_alive());
        }
        // What was cut short is no answer for later.
        self.ending = (!stop()).then(|| (circumstances, ending.clone()));
        ending
    }

    /// Visits for telling which stones are dead.
    pub(super) fn estimate_visits(&self, game: &Game) -> u64 {
        match self.network(game) {
            Some(_) => ESTIMATE_EVALUATIONS,
            None => ESTIMATE_PLAYOUTS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_is_over_ends_otherwise_than_one_that_goes_on() {
        let game = |moves: [(Color, &str); 3]| {
            let mut game = Game::new(9, 9).unwrap();
            for (color, at) in moves {
                let mv = at.parse().map_or(Move::Pass, Move::Play);
                game.play(color, mv).unwrap();
            }
            game.set_to_play(Color::White);
            game
        };
        let over = [(Color::Black, "D4"), (Color::White, "pass"), (Color::Black, "pass")];
        let open = [(Color::Black, "pass"), (Color::White, "pass"), (Color::Black, "D4")];
        let (over, open) = (game(over), game(open));
        assert_eq!(over.board().key(), open.board().key());
        assert!(Circumstances::of(&over) != Circumstances::of(&open));
    }
}
