//! The attacker's turns: most are weighed without placing them, so all are placed here.

use crate::common::{Random, random_board};
use connect6_engine::defences::{Defence, defence, threats};
use connect6_engine::tss::Turns;
use connect6_engine::tss::generate::{Attack, Force, attacks};
use connect6_engine::{Board, Color, Outcome, Point, Rules, Turn};
use proptest::prelude::*;

/// What a turn forces when it is placed; nothing when it makes no threat or leaves the other side one.
fn placed(board: &mut Board, attacker: Color, turn: Turn) -> Option<Force> {
    turn.stones().for_each(|p| board.place(attacker, p));
    let force = match defence(&threats(board, attacker), board.rules().p()) {
        _ if board.has_threat(!attacker) => None,
        Defence::Free => None,
        Defence::One(..) => Some(Force::Single),
        Defence::Two(pairs) => Some(Force::Double(pairs.len() as u8)),
        Defence::None => Some(Force::Unstoppable),
    };
    turn.stones().for_each(|p| board.remove(attacker, p));
    force
}

fn found(board: &mut Board, attacker: Color, turns: Turns) -> Vec<Attack> {
    let (mut out, key) = (Vec::new(), board.key());
    attacks(board, attacker, 2, turns, u64::MAX, &mut out);
    assert_eq!(board.key(), key, "the board is left as it was");
    out
}

/// Boards of stones near each other, with threats of neither side or of Black only.
fn boards() -> impl Strategy<Value = Board> {
    let stones = proptest::collection::vec((4..15usize, 4..15usize, any::<bool>()), 6..36);
    let rules = prop_oneof![
        Just(Rules::CONNECT6),
        Just(Rules::new(15, 15, 6, 2, 1).unwrap()),
        Just(Rules::new(17, 17, 7, 2, 1).unwrap()),
        Just(Rules::new(15, 15, 5, 2, 1).unwrap()),
    ];
    (rules, stones).prop_map(|(rules, stones)| {
        let mut board = Board::new(rules);
        for (col, row, black) in stones {
            let point = Point::new(col, row).unwrap();
            let color = if black { Color::Black } else { Color::White };
            if rules.contains(point) && board.is_empty(point) {
                board.place(color, point);
                if board.has_threat(Color::White) || board.winning_row(color).is_some() {
                    board.remove(color, point);
                }
            }
        }
        board
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn turns_force_what_they_force_when_placed(board in boards()) {
        let mut board = board;
        // White attacks: Black may have threats that he has to meet.
        let attacker = Color::White;
        for turns in [Turns::Doubles, Turns::Singles] {
            for attack in found(&mut board, attacker, turns) {
                let force = placed(&mut board, attacker, attack.turn);
                match (attack.force, force) {
                    // A reply that meets one stone's threats with two stones may be left out.
                    (Force::Double(found), Some(Force::Double(all))) => {
                        prop_assert!(found <= all, "{:?}: {found} of {all}", attack.turn);
                    }
                    (found, placed) => prop_assert_eq!(Some(found), placed, "{:?}", attack.turn),
                }
                attack.turn.stones().for_each(|p| board.place(attacker, p));
                prop_assert_eq!(board.key(), attack.key);
                attack.turn.stones().for_each(|p| board.remove(attacker, p));
            }
        }
    }

    #[test]
    fn no_double_threat_is_left_out(board in boards()) {
        let mut board = board;
        let attacker = Color::White;
        let found = found(&mut board, attacker, Turns::Doubles);
        prop_assume!(found.iter().all(|a| a.force != Force::Unstoppable));
        let empties: Vec<Point> = board.empties().collect();
        let alone: Vec<bool> = empties
            .iter()
            .map(|&p| {
                board.place(attacker, p);
                let made = defence(&threats(&board, attacker), board.rules().p());
                board.remove(attacker, p);
                matches!(made, Defence::Two(_) | Defence::None)
            })
            .collect();
        for (i, &a) in empties.iter().enumerate() {
            // Beside a stone that forces alone only the best builders are tried.
            for (j, &b) in empties.iter().enumerate().take(i).filter(|(j, _)| !alone[i] && !alone[*j]) {
                let turn = Turn::pair(a, b);
                if let Some(force @ (Force::Double(_) | Force::Unstoppable)) =
                    placed(&mut board, attacker, turn)
                {
                    prop_assert!(found.iter().any(|f| f.turn == turn), "{turn:?} {force:?} {j}");
                }
            }
        }
    }
}

#[test]
fn the_last_stone_of_a_turn_may_rest_on_threats_that_are_there() {
    let mut random = Random(3);
    let mut won = 0;
    for _ in 0..3000 {
        let sizes = [Rules::new(9, 9, 6, 2, 1), Rules::new(8, 8, 5, 2, 1)];
        let rules = sizes[random.below(2)].unwrap();
        let game = random_board(&mut random, rules, 8 + rules.width() * rules.height() / 4);
        let (side, mut board) = (game.to_move().color, game.board().clone());
        let completes = threats(&board, side).iter().any(|window| window.points().len() == 1);
        if game.outcome() != Outcome::Open || completes {
            continue;
        }
        let mut found = Vec::new();
        attacks(&mut board, side, 1, Turns::Doubles, u64::MAX, &mut found);
        let wins = |board: &mut Board, at| {
            placed(board, side, Turn::single(at)) == Some(Force::Unstoppable)
        };
        let empties: Vec<Point> = board.empties().collect();
        if let Some(at) = empties.into_iter().find(|&at| wins(&mut board, at)) {
            assert!(found.iter().any(|attack| attack.force == Force::Unstoppable), "{at:?}");
            won += 1;
        }
        for attack in found {
            let force = placed(&mut board, side, attack.turn);
            assert_eq!(force, Some(attack.force), "{:?}", attack.turn);
        }
    }
    assert!(won > 100, "{won}");
}
