//! Ladders against the words of their definition, read out on copies of boards, and on drawn positions.

use crate::common::{draw, drawn};
use go_engine::board::{Board9, SiteSet};
use go_engine::playout::heavy::Heavy;
use go_engine::rng::Rng;
use go_engine::{Board, Color, Site};
use go_network::{LadderReader, Ladders};

/// The definition as it stands in `8a-katago-network-files.md`, B4, word by word, without shortcuts or limits.
mod literal {
    use super::*;

    pub fn read<const N: usize, const W: usize>(board: &Board<N, W>) -> Ladders<W> {
        let mut ladders = Ladders::default();
        for site in board.sites().filter(|&site| board.chain(site) == site) {
            let Some(color) = board.color(site) else { continue };
            let caught = match board.liberties(site) {
                1 => defender_loses(&lifted(board), site, color),
                2 => {
                    let mut any = false;
                    for at in liberties(board, site) {
                        if board.is_legal(at, color.other()) {
                            let mut after = board.clone();
                            after.play(at, color.other());
                            if defender_loses(&lifted(&after), site, color) {
                                ladders.working_moves[color.index()].insert(Board::<N, W>::bit(at));
                                any = true;
                            }
                        }
                    }
                    any
                }
                _ => false,
            };
            if caught {
                for stone in board.chain_stones(site) {
                    ladders.caught.insert(Board::<N, W>::bit(stone));
                }
            }
        }
        ladders
    }

    fn lifted<const N: usize, const W: usize>(board: &Board<N, W>) -> Board<N, W> {
        let mut board = board.clone();
        board.lift_ko();
        board
    }

    fn liberties<const N: usize, const W: usize>(board: &Board<N, W>, site: Site) -> Vec<Site> {
        board.liberty_sites(site).collect()
    }

    fn defender_loses<const N: usize, const W: usize>(
        board: &Board<N, W>,
        prey: Site,
        color: Color,
    ) -> bool {
        if !board.ko().is_pass() || board.liberties(prey) >= 2 {
            return false;
        }
        let mut moves = in_atari_beside(board, prey, color.other());
        moves.push(liberties(board, prey)[0]);
        !moves.into_iter().filter(|&at| board.is_legal(at, color)).any(|at| {
            let mut after = board.clone();
            after.play(at, color);
            !attacker_wins(&after, prey, color)
        })
    }

    /// The liberties of the chains in atari that touch a chain.
    fn in_atari_beside<const N: usize, const W: usize>(
        board: &Board<N, W>,
        prey: Site,
        color: Color,
    ) -> Vec<Site> {
        let mut moves = Vec::new();
        for stone in board.chain_stones(prey) {
            for step in Board::<N, W>::ORTHO {
                let beside = stone.offset(step);
                if board.color(beside) == Some(color) && board.liberties(beside) == 1 {
                    moves.push(board.any_liberty(beside));
                }
            }
        }
        moves
    }

    fn attacker_wins<const N: usize, const W: usize>(
        board: &Board<N, W>,
        prey: Site,
        color: Color,
    ) -> bool {
        match board.liberties(prey) {
            0 | 1 => return true,
            2 => {}
            _ => return false,
        }
        let both = liberties(board, prey);
        let is_mouth = |at: Site| {
            let beside = Board::<N, W>::ORTHO.map(|step| at.offset(step));
            let own: Vec<Site> =
                beside.into_iter().filter(|&s| board.color(s) == Some(color)).collect();
            let closed = beside.iter().all(|&s| !board.is_on_board(s) || own.contains(&s));
            let in_atari: Vec<&Site> = own.iter().filter(|&&s| board.liberties(s) == 1).collect();
            let connects_to = || {
                if board.is_suicide(at, color) {
                    return 0;
                }
                let mut after = board.clone();
                after.lift_ko();
                after.play(at, color);
                after.liberties(at)
            };
            closed
                && in_atari.len() == 1
                && board.chain_len(*in_atari[0]) == 1
                && connects_to() <= 2
        };
        if both.iter().all(|&at| is_mouth(at))
            && in_atari_beside(board, prey, color.other()).is_empty()
        {
            return true;
        }
        both.into_iter().filter(|&at| board.is_legal(at, color.other())).any(|at| {
            let mut after = board.clone();
            after.play(at, color.other());
            defender_loses(&after, prey, color)
        })
    }
}

#[test]
fn ladders_are_what_their_definition_says() {
    let mut rng = Rng::new(7);
    let heavy = Heavy::new(&go_engine::params::Params::default());
    let mut compared = 0;
    let mut caught = 0;
    for game in 0..150 {
        let side = [4, 5, 6, 7, 9][game % 5];
        let board = Board9::new(side, side).unwrap();
        let mut moves = Vec::new();
        if game % 3 == 0 {
            heavy.play_out(&mut board.clone(), Color::Black, [Site::PASS; 2], &mut rng, &mut moves);
        }
        let mut board = board;
        let mut reader = LadderReader::<128, 2>::default();
        let mut color = Color::Black;
        for number in 0..60 {
            let site = match moves.get(number) {
                Some(&site) => site,
                // Any legal move: fights of all kinds, with suicides left out.
                None => {
                    let all: Vec<Site> =
                        board.sites().filter(|&s| board.is_legal(s, color)).collect();
                    match all.len() {
                        0 => Site::PASS,
                        count => all[rng.below(count as u32) as usize],
                    }
                }
            };
            match site {
                Site::PASS => board.pass(),
                site => _ = board.play(site, color),
            }
            color = color.other();
            let (found, expected) = (reader.read(&board), literal::read(&board));
            assert_eq!(found, expected, "{board:?}");
            compared += 1;
            caught += expected.caught.len();
        }
    }
    assert!(compared == 9000 && caught > 2000, "{compared} {caught}");
}

/// The letters of the board's points where a set is.
fn marked<const W: usize>(board: &go_engine::board::Board19, set: &SiteSet<W>) -> Vec<String> {
    let mut all: Vec<String> = set
        .iter()
        .map(|bit| board.point(go_engine::board::Board19::site_of_bit(bit)).to_string())
        .collect();
    all.sort();
    all
}

#[test]
fn a_ladder_runs_over_the_board_until_a_stone_breaks_it() {
    for (sign, works) in [('.', true), ('O', false), ('X', true)] {
        let mut rows = vec![".".repeat(19); 19];
        // On the way, at N13.
        rows[6].replace_range(12..13, &sign.to_string());
        rows[14].replace_range(2..3, "X");
        rows[15].replace_range(2..4, "XO");
        rows[16].replace_range(3..5, "XX");
        let board = drawn::<512, 6>(&rows);
        let ladders = LadderReader::<512, 6>::default().read(&board);
        let expected = |name: &str| if works { vec![name.to_owned()] } else { Vec::new() };
        assert_eq!(marked(&board, &ladders.caught), expected("D4"), "{sign}");
        let both = if works { vec!["D5".to_owned(), "E4".to_owned()] } else { Vec::new() };
        assert_eq!(marked(&board, &ladders.working_moves[1]), both, "{sign}");
        assert!(ladders.working_moves[0].is_empty());
    }
}

#[test]
fn a_net_is_no_ladder_and_a_corner_is_one() {
    let board = draw::<512, 6>(19, &["O.X", "X.."], |_| ());
    let ladders = LadderReader::<512, 6>::default().read(&board);
    assert!(marked(&board, &ladders.caught).contains(&"A2".to_owned()));
}
