//! Connect6, by the rules of the Connect6 engine's own game.

use connect6_engine::{Game, Outcome, Point};

use super::{Arbiter, Color, GameOver, GameResult, IllegalStep, Rules, Step, Vertex};

/// A game of Connect6 in progress.
pub struct Connect6Arbiter(Game);

impl Connect6Arbiter {
    /// An empty board; none when the size is impossible.
    pub fn new(rules: &Rules) -> Option<Connect6Arbiter> {
        let side = usize::from(rules.size);
        let rules = connect6_engine::Rules::new(side, side, 6, 2, 1).ok()?;
        Some(Connect6Arbiter(Game::new(rules)))
    }
}

impl Arbiter for Connect6Arbiter {
    fn to_move(&self) -> Color {
        self.0.to_move().color
    }

    fn steps_left(&self) -> usize {
        // The last free point of the board ends the turn, too.
        let rules = self.0.rules();
        let free = rules.width() * rules.height() - self.0.board().count();
        usize::from(self.0.to_move().stones).min(free.max(1))
    }

    fn play(&mut self, step: Step) -> Result<(), IllegalStep> {
        let Step::At(at) = step else {
            return Err(IllegalStep("nobody passes in Connect6".into()));
        };
        let point = Point::new(usize::from(at.column), usize::from(at.row));
        let point = point.ok_or_else(|| IllegalStep(format!("{at} is not on the board")))?;
        self.0.play(self.0.to_move().color, point).map_err(|why| IllegalStep(why.to_string()))
    }

    fn legal(&self) -> Vec<Step> {
        if self.0.outcome() != Outcome::Open {
            return Vec::new();
        }
        let free = self.0.rules().points().filter(|&point| self.0.board().get(point).is_none());
        free.map(|point| Step::At(Vertex { column: point.col() as u8, row: point.row() as u8 }))
            .collect()
    }

    fn game_over(&self) -> Option<GameOver> {
        let winner = match self.0.outcome() {
            Outcome::Open => return None,
            Outcome::Win(color) => Some(color),
            Outcome::Draw => None,
        };
        Some(GameOver::Decided(GameResult { winner, margin: None }))
    }

    /// A game without six in a row is nobody's.
    fn count(&self) -> GameResult {
        GameResult { winner: None, margin: None }
    }

    fn handicap(&mut self, _: usize) -> Result<Vec<Vertex>, IllegalStep> {
        Err(IllegalStep("Connect6 has no handicap".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Game, RuleSet};
    use super::*;

    fn play(text: &str) -> Connect6Arbiter {
        let rules =
            Rules { game: Game::Connect6, size: 19, komi: 0.0, rule_set: RuleSet::default() };
        let mut arbiter = Connect6Arbiter::new(&rules).expect("a board");
        for word in text.split(' ') {
            arbiter.play(Step::At(word.parse().expect("a vertex"))).expect("a legal step");
        }
        arbiter
    }

    #[test]
    fn turns_are_one_stone_and_then_two() {
        let rules =
            Rules { game: Game::Connect6, size: 19, komi: 0.0, rule_set: RuleSet::default() };
        let mut arbiter = Connect6Arbiter::new(&rules).expect("a board");
        let mut seen = Vec::new();
        for column in 0..7 {
            seen.push((arbiter.to_move(), arbiter.steps_left()));
            arbiter.play(Step::At(Vertex { column, row: 2 * column })).expect("a legal step");
        }
        use Color::{Black, White};
        assert_eq!(
            seen,
            [(Black, 1), (White, 2), (White, 1), (Black, 2), (Black, 1), (White, 2), (White, 1)]
        );
    }

    #[test]
    fn six_in_a_row_win_in_every_direction_and_five_do_not() {
        // White's stones lie apart, Black's in a line with one missing.
        let games = [
            ("A1 T1 T3 B1 C1 T5 T7 D1 E1 T9 T11", "F1"),
            ("A1 T1 T3 A2 A3 T5 T7 A4 A5 T9 T11", "A6"),
            ("A1 T1 T3 B2 C3 T5 T7 D4 E5 T9 T11", "F6"),
            ("A9 T1 T3 B8 C7 T5 T7 D6 E5 T9 T11", "F4"),
        ];
        for (moves, last) in games {
            let mut arbiter = play(moves);
            assert_eq!(arbiter.game_over(), None, "{moves}");
            arbiter.play(Step::At(last.parse().expect("a vertex"))).expect("a legal step");
            let won = GameResult { winner: Some(Color::Black), margin: None };
            assert_eq!(arbiter.game_over(), Some(GameOver::Decided(won)), "{moves}");
            assert!(
                arbiter.legal().is_empty()
                    && arbiter.play(Step::At(Vertex { column: 10, row: 10 })).is_err()
            );
        }
        assert!(play("A1").play(Step::At(Vertex { column: 0, row: 0 })).is_err());
    }
}
