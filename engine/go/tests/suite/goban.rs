//! Random games move by move beside the independent crate `goban`: the same moves are legal, the
//! same stones stand, as many are captured.
//!
//! Superko is worked out from `goban`'s boards here, since `goban` itself looks for repetition only
//! where a move captures, and a position can come back without that.

use std::collections::HashSet;

use go_engine::rng::Rng;
use go_engine::{Color, Game, Move, Point, Rules};
use goban::pieces::stones::Color as Theirs;
use goban::rules::game::Game as TheirGame;
use goban::rules::{GobanSizes, IllegalRules, JAPANESE, Move as TheirMove, Rule};

fn compare(side: u8, rules: Rules, turns: usize, rng: &mut Rng) {
    let mut game = Game::new(side, side).unwrap();
    game.set_rules(rules);
    let superko = rules == Rules::CHINESE;
    let flag_illegal = if superko { IllegalRules::SUICIDE } else { JAPANESE.flag_illegal };
    let size = GobanSizes::Custom(usize::from(side), usize::from(side));
    let mut other = TheirGame::new(size, Rule { flag_illegal, ..JAPANESE });
    let mut seen = HashSet::from([other.goban().to_vec()]);
    let mut color = Color::Black;
    for turn in 0..turns {
        let legal: Vec<Point> = game.legal_points(color).collect();
        let mut expected: Vec<Point> = other
            .legals()
            .filter(|&(row, col)| {
                let after = || {
                    let mut next = other.clone();
                    next.play(TheirMove::Play(row, col));
                    next.goban().to_vec()
                };
                !superko || !seen.contains(&after())
            })
            .map(|(row, col)| Point::new(col, row))
            .collect();
        expected.sort();
        assert_eq!(legal, expected, "{side}x{side}, {rules}, move {turn}{:?}", game.board());
        let Some(&point) = legal.get(rng.below(legal.len().max(1) as u32) as usize) else { break };
        game.play(color, Move::Play(point)).unwrap();
        other.play(TheirMove::Play(point.row(), point.col()));
        seen.insert(other.goban().to_vec());
        for point in game.board().points() {
            let stone = other.goban().get_color((point.row(), point.col()));
            let stone = stone.map(|s| if s == Theirs::Black { Color::Black } else { Color::White });
            assert_eq!(game.board().stone(point), stone, "{point} after move {turn}");
        }
        let (by_black, by_white) = other.prisoners();
        assert_eq!(game.captured(Color::White), by_black);
        assert_eq!(game.captured(Color::Black), by_white);
        color = color.other();
    }
}

#[test]
fn random_games_agree_with_goban() {
    let mut rng = Rng::new(1);
    for (side, games, turns) in [(3, 60, 80), (4, 40, 120), (5, 40, 150), (9, 6, 300), (13, 2, 300)]
    {
        for _ in 0..games {
            compare(side, Rules::JAPANESE, turns, &mut rng);
            compare(side, Rules::CHINESE, turns, &mut rng);
        }
    }
    for _ in 0..3 {
        compare(19, Rules::JAPANESE, 700, &mut rng);
    }
}
