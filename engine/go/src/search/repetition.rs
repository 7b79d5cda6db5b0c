//! Positions that must not come back while the tree is searched.

use crate::board::WHITE_TO_MOVE;
use crate::rules::Ko;
use crate::{Color, Game};
use ahash::AHashSet;

/// The positions of a game so far, as the rules' ko compares them.
pub(super) struct Repetition {
    ko: Ko,
    history: AHashSet<u64>,
}

/// What the rules say of a move that brings a position back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Repeated {
    /// It does not.
    No,
    /// It is forbidden.
    Forbidden,
    /// It is allowed, and the game has no result if both go on so.
    NoResult,
}

impl Repetition {
    /// Those of a game in which `color` is to move, whosever turn it is.
    pub fn of(game: &Game, color: Color) -> Repetition {
        let mut repetition = Repetition { ko: game.rules().ko, history: AHashSet::new() };
        // Who was to move in a position, and who moved although it was not their turn: as `Game::check` has it.
        let mut turn = game.start().to_play;
        for (index, &key) in game.keys().iter().enumerate() {
            let moved = game.moves().get(index);
            let turns = [Some(turn), moved.map(|played| played.color)];
            let keys = turns.into_iter().flatten().map(|turn| repetition.key(key, turn));
            let keys: Vec<u64> = keys.collect();
            repetition.history.extend(keys);
            turn = moved.map_or(turn, |played| played.color.other());
        }
        let present = repetition.key(game.board().key(), color);
        repetition.history.insert(present);
        repetition
    }

    /// What a position is compared by, from its board's key and who is to move.
    #[inline]
    pub fn key(&self, board: u64, to_move: Color) -> u64 {
        match self.ko {
            Ko::Situational if to_move == Color::White => board ^ WHITE_TO_MOVE,
            _ => board,
        }
    }

    /// What the position of this key is compared by after a pass, where who is to move makes another one of it.
    #[inline]
    pub fn key_after_pass(&self, board: u64, to_move: Color) -> Option<u64> {
        (self.ko == Ko::Situational).then(|| self.key(board, to_move))
    }

    /// What the rules say of a move to the position of this key, with those of the `path` between the game and it.
    #[inline]
    pub fn check(&self, key: u64, path: &[u64]) -> Repeated {
        if !self.history.contains(&key) && !path.contains(&key) {
            Repeated::No
        } else if self.ko == Ko::Simple {
            Repeated::NoResult
        } else {
            Repeated::Forbidden
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Move, Rules, rng::Rng};

    /// A ko on a small board that Black has just taken, and where White would take it back.
    fn ko(rules: Rules) -> (Game, Move) {
        let mut game = Game::new(5, 3).unwrap();
        game.set_rules(rules);
        let at = |name: &str| Move::Play(name.parse().unwrap());
        for (color, name) in [
            (Color::Black, "B3"),
            (Color::White, "C3"),
            (Color::Black, "A2"),
            (Color::White, "D2"),
            (Color::Black, "B1"),
            (Color::White, "C1"),
            (Color::Black, "E1"),
            (Color::White, "B2"),
            (Color::Black, "C2"),
        ] {
            game.play(color, at(name)).unwrap();
        }
        assert_eq!(game.captured(Color::White), 1);
        (game, at("B2"))
    }

    /// What is said of a move in a position, and what the game itself says.
    fn said(game: &Game, color: Color, mv: Move) -> (Repeated, bool) {
        let Move::Play(point) = mv else { panic!("a stone") };
        let repetition = Repetition::of(game, color);
        let key = repetition.key(game.board().key_after(point, color), color.other());
        (repetition.check(key, &[]), game.check(color, mv).is_ok())
    }

    #[test]
    fn each_kind_of_ko_is_the_games() {
        for (rules, expected) in [
            (Rules::TROMP_TAYLOR, Repeated::Forbidden),
            (Rules::AGA, Repeated::Forbidden),
            (Rules::JAPANESE, Repeated::NoResult),
        ] {
            let (game, back) = ko(rules);
            assert_eq!(said(&game, Color::White, back), (expected, false), "{rules}");
        }
    }

    #[test]
    fn random_games_on_a_tiny_board_are_judged_as_the_game_judges_them() {
        let (mut forbidden, mut allowed_though_seen) = ([0; 2], 0);
        for seed in 0..400 {
            for (kind, rules) in [Rules::TROMP_TAYLOR, Rules::NEW_ZEALAND].into_iter().enumerate() {
                let (mut rng, mut game) = (Rng::new(seed), Game::new(3, 2).unwrap());
                game.set_rules(rules);
                for _ in 0..30 {
                    let color = game.to_play();
                    let empty = |p: &crate::Point| game.board().is_empty(*p);
                    let points: Vec<_> = game.board().points().filter(empty).collect();
                    for &point in &points {
                        let (found, allowed) = said(&game, color, Move::Play(point));
                        assert_eq!(found == Repeated::No, allowed, "{rules}: {}", game.board());
                        forbidden[kind] += u32::from(!allowed);
                        let key = game.board().key_after(point, color);
                        allowed_though_seen += u32::from(allowed && game.keys().contains(&key));
                    }
                    let point = points[rng.below(points.len() as u32) as usize];
                    let mv = if rng.chance(32) { Move::Pass } else { Move::Play(point) };
                    let _ = game.play(color, mv);
                }
            }
        }
        assert!(forbidden.iter().all(|&n| n > 100), "{forbidden:?}");
        assert!(allowed_though_seen > 100, "who is to move matters: {allowed_though_seen}");
    }
}
