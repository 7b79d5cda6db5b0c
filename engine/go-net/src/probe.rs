//! Positions on which networks are tried out: some of each stage of a few games on three boards, always the same. They are
//! played by playouts, so that they hold fights, ladders, dead stones and territory.

use crate::features::{FeatureWriter, Features};
use crate::position::Position;
use crate::rules::NetworkRules;
use go_engine::board::{Board, Site};
use go_engine::params::Params;
use go_engine::playout::heavy::Heavy;
use go_engine::rng::Rng;
use go_engine::{Color, Rules, with_layout};

/// The chances of the playouts that made them, as they were when what networks say of them was first stored: tuning the
/// search's own must not move them.
fn playouts() -> Heavy {
    Heavy::new(&Params {
        playout_atari: 240,
        playout_two_liberties: 138,
        playout_nakade: 250,
        playout_pattern: 227,
        playout_pattern_second: 50,
        playout_ladders: false,
        playout_self_atari: 220,
        ..Params::default()
    })
}

/// `count` positions of a board with this side, 2 to 19, from the opening to the end.
///
/// ```
/// let positions = go_network::probe::positions(9, 5, false);
/// assert_eq!(positions.len(), 5);
/// assert!(positions.iter().all(|position| position.get(0, 80)));
/// ```
///
/// # Panics
/// When no network knows boards of this side.
pub fn positions(side: u8, count: usize, strict_pass_alive: bool) -> Vec<Features> {
    assert!((2..=19).contains(&side));
    with_layout!(side, of_layout(side, count, strict_pass_alive))
}

fn of_layout<const N: usize, const W: usize>(
    side: u8,
    count: usize,
    strict: bool,
) -> Vec<Features> {
    let mut writer = FeatureWriter::<N, W>::new(strict);
    games(side, count).iter().map(|position| writer.write(position)).collect()
}

/// The positions themselves, on the layout of boards that the side needs.
///
/// # Panics
/// When the layout is too small.
pub fn games<const N: usize, const W: usize>(side: u8, count: usize) -> Vec<Position<N, W>> {
    let heavy = playouts();
    let mut rng = Rng::new(u64::from(side));
    let rules = [Rules::CHINESE, Rules::JAPANESE, Rules::TROMP_TAYLOR].map(NetworkRules::from);
    let longest = usize::from(side) * usize::from(side) * 4 / 5;
    let each = (0..count).zip(rules.into_iter().cycle());
    each.map(|(number, rules)| {
        let board = Board::<N, W>::new(side, side).expect("the layout is large enough");
        let mut game = Vec::new();
        heavy.play_out(&mut board.clone(), Color::Black, [Site::PASS; 2], &mut rng, &mut game);
        let mut position = Position::new(board, Color::Black, rules, 7.0, [0; 2]);
        for &site in game.iter().take(longest * number / count) {
            let color = position.to_play();
            position.play(color, site);
        }
        position
    })
    .collect()
}
