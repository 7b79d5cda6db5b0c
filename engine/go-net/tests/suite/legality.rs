//! What a network and its search take for legal, against the game itself.

use crate::common::random_network;
use go_engine::rng::Rng;
use go_engine::search::Limits;
use go_engine::{Color, Game, Move, Rules};
use go_network::{NetworkOptions, NetworkParams, NetworkSearch, Symmetry, evaluate_game};
use std::collections::HashSet;

/// A game of random moves of either player, some of them out of turn, and of passes.
fn random_game(size: (u8, u8), rules: Rules, rng: &mut Rng) -> Game {
    let mut game = Game::new(size.0, size.1).unwrap();
    game.set_rules(rules);
    for _ in 0..rng.below(40) {
        if rng.below(8) == 0 {
            game.set_to_play(game.to_play().other());
        }
        let color = game.to_play();
        let legal: Vec<Move> = game.legal_points(color).map(Move::Play).collect();
        let mv = match rng.below(8) {
            0 => Move::Pass,
            _ if legal.is_empty() => Move::Pass,
            _ => legal[rng.below(legal.len() as u32) as usize],
        };
        game.play(color, mv).unwrap();
    }
    game
}

#[test]
fn moves_are_those_of_the_game_whoever_is_to_move() {
    let network = random_network();
    let rules =
        [Rules::TROMP_TAYLOR, Rules::CHINESE, Rules::JAPANESE, Rules::AGA, Rules::NEW_ZEALAND];
    let mut rng = Rng::new(5);
    let mut searched = NetworkSearch::new(
        network.clone(),
        NetworkOptions {
            threads: 1,
            max_memory: 4 << 20,
            seed: 1,
            params: NetworkParams::default(),
        },
    );
    for number in 0..600 {
        let size = [(3, 3), (4, 3), (2, 4), (2, 2), (5, 2)][number % 5];
        let mut game = random_game(size, rules[number / 5 % 5], &mut rng);
        for color in Color::BOTH {
            game.set_to_play(color);
            // A lone stone that takes itself off changes nothing: networks know no such move.
            let changes = |&mv: &Move| {
                let mut after = game.clone();
                after.play(color, mv).unwrap();
                after.board().key() != game.board().key()
            };
            let plays = game.legal_points(color).map(Move::Play).filter(changes);
            let legal: HashSet<Move> = plays.chain([Move::Pass]).collect();
            let said = evaluate_game(&network, &game, 0.0, Symmetry::NONE).unwrap();
            let told: HashSet<Move> = said.policy.iter().map(|&(mv, _)| mv).collect();
            let what = || format!("{number}: {color:?}\n{}{:?}", game.board(), game.moves());
            assert_eq!(told, legal, "{}", what());
            let found = searched.search(&game, color, &Limits::playouts(20), None);
            for found in &found.moves {
                assert!(legal.contains(&found.mv), "{}: {}", found.mv, what());
                let mut after = game.clone();
                for (at, &mv) in found.variation.iter().enumerate() {
                    let by = if at % 2 == 0 { color } else { color.other() };
                    after.play(by, mv).unwrap_or_else(|why| panic!("{mv} {why}: {}", what()));
                }
            }
        }
    }
}
