//! Connect6: Black's first turn is one stone, all others are two; six or more in a row win.

use super::{Color, Ending, IllegalStep, Judge, Rules, Step, Verdict, Vertex};

/// A game of Connect6 in progress.
pub struct Connect6Judge {
    size: u8,
    /// Row by row from A1.
    stones: Vec<Option<Color>>,
    played: usize,
    winner: Option<Color>,
}

/// So many in a row win.
const ROW: usize = 6;

impl Connect6Judge {
    /// An empty board.
    pub fn new(rules: &Rules) -> Connect6Judge {
        let area = usize::from(rules.size) * usize::from(rules.size);
        Connect6Judge { size: rules.size, stones: vec![None; area], played: 0, winner: None }
    }

    /// What stands on a point, as an index too; none off the board.
    fn at(&self, column: i32, row: i32) -> Option<(usize, Option<Color>)> {
        let size = i32::from(self.size);
        let inside = (0..size).contains(&column) && (0..size).contains(&row);
        let index = (row * size + column) as usize;
        if inside { Some((index, self.stones[index])) } else { None }
    }

    /// How long the longest row of its own colour through a stone is.
    fn row_through(&self, at: Vertex, color: Color) -> usize {
        let run = |x: i32, y: i32| {
            (1..)
                .take_while(|n| {
                    let (column, row) = (i32::from(at.column) + n * x, i32::from(at.row) + n * y);
                    self.at(column, row).is_some_and(|(_, stone)| stone == Some(color))
                })
                .count()
        };
        let lines = [(1, 0), (0, 1), (1, 1), (1, -1)];
        lines.iter().map(|&(x, y)| 1 + run(x, y) + run(-x, -y)).max().unwrap_or(1)
    }
}

impl Judge for Connect6Judge {
    fn to_move(&self) -> Color {
        // b, w, w, b, b, w, w, ...
        if self.played.div_ceil(2).is_multiple_of(2) { Color::Black } else { Color::White }
    }

    fn steps_left(&self) -> usize {
        let free = self.stones.len() - self.played;
        // The last free point of the board ends a turn, too.
        let stones = if self.played == 0 { 1 } else { 1 + self.played % 2 };
        stones.min(free.max(1))
    }

    fn play(&mut self, step: Step) -> Result<(), IllegalStep> {
        let Step::At(at) = step else {
            return Err(IllegalStep("nobody passes in Connect6".into()));
        };
        let Some((index, stone)) = self.at(i32::from(at.column), i32::from(at.row)) else {
            return Err(IllegalStep(format!("{at} is not on the board")));
        };
        if self.winner.is_some() {
            return Err(IllegalStep("the game is over".into()));
        }
        if stone.is_some() {
            return Err(IllegalStep(format!("there is a stone on {at}")));
        }
        let color = self.to_move();
        self.stones[index] = Some(color);
        self.played += 1;
        if self.row_through(at, color) >= ROW {
            self.winner = Some(color);
        }
        Ok(())
    }

    fn legal(&self) -> Vec<Step> {
        if self.winner.is_some() {
            return Vec::new();
        }
        let points =
            (0..self.size).flat_map(|row| (0..self.size).map(move |column| Vertex { column, row }));
        points
            .zip(&self.stones)
            .filter(|(_, stone)| stone.is_none())
            .map(|(at, _)| Step::At(at))
            .collect()
    }

    fn ending(&self) -> Option<Ending> {
        let over = self.winner.is_some() || self.played == self.stones.len();
        over.then_some(Ending::Decided(Verdict { winner: self.winner, margin: None }))
    }

    /// A game without six in a row is nobody's.
    fn count(&self) -> Verdict {
        Verdict { winner: None, margin: None }
    }

    fn handicap(&mut self, _: usize) -> Result<Vec<Vertex>, IllegalStep> {
        Err(IllegalStep("Connect6 has no handicap".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Game, RuleSet};
    use super::*;

    fn play(text: &str) -> Connect6Judge {
        let rules =
            Rules { game: Game::Connect6, size: 19, komi: 0.0, rule_set: RuleSet::default() };
        let mut judge = Connect6Judge::new(&rules);
        for word in text.split(' ') {
            judge.play(Step::At(word.parse().expect("a vertex"))).expect("a legal step");
        }
        judge
    }

    #[test]
    fn turns_are_one_stone_and_then_two() {
        let rules =
            Rules { game: Game::Connect6, size: 19, komi: 0.0, rule_set: RuleSet::default() };
        let mut judge = Connect6Judge::new(&rules);
        let mut seen = Vec::new();
        for column in 0..7 {
            seen.push((judge.to_move(), judge.steps_left()));
            judge.play(Step::At(Vertex { column, row: 2 * column })).expect("a legal step");
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
            let mut judge = play(moves);
            assert_eq!(judge.ending(), None, "{moves}");
            judge.play(Step::At(last.parse().expect("a vertex"))).expect("a legal step");
            let won = Verdict { winner: Some(Color::Black), margin: None };
            assert_eq!(judge.ending(), Some(Ending::Decided(won)), "{moves}");
            assert!(
                judge.legal().is_empty()
                    && judge.play(Step::At(Vertex { column: 10, row: 10 })).is_err()
            );
        }
        assert!(play("A1").play(Step::At(Vertex { column: 0, row: 0 })).is_err());
    }
}
