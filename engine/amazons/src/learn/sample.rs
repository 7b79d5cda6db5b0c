//! What networks are taught and measured with: the stages of a searched turn, each with what the search made of it.

use super::self_play::Record;
use super::symmetry::{turn_position, turn_square};
use crate::Symmetry;
use crate::position::{IllegalMove, Position};
use crate::square::Square;

/// The part of all games that one belongs to. Games, not positions, are split, 7:2:1 as in CN 111330255 B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Seven in ten, to learn from.
    Train,
    /// Two in ten, to watch over learning.
    Validation,
    /// One in ten, to measure with in the end.
    Test,
}

impl Part {
    /// The part of a game, by its seed.
    pub fn of(seed: u64) -> Part {
        match seed % 10 {
            0..7 => Part::Train,
            7..9 => Part::Validation,
            _ => Part::Test,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Part::Train => "train",
            Part::Validation => "validation",
            Part::Test => "test",
        }
    }
}

/// A stage of a turn: the choice of a queen's move, or of an arrow behind the move that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The position before the stage.
    pub position: Position,
    /// The queen that is to shoot; none where a queen is to move.
    pub shooter: Option<Square>,
    /// What was played: the queen's square, and where it moved or shot to.
    pub played: (Square, Square),
    /// The search's visits of each choice that had any; at least one.
    pub visits: Vec<(Square, Square, u32)>,
    /// Whether the side to move won.
    pub won: bool,
    /// The search's chance that it wins.
    pub chance: f32,
}

impl Sample {
    /// What the search preferred: the first with most visits.
    pub fn preferred(&self) -> (Square, Square) {
        let best = self.visits.iter().rev().max_by_key(|choice| choice.2);
        best.map_or(self.played, |&(from, to, _)| (from, to))
    }

    /// The sample on the board turned.
    pub fn turned(&self, symmetry: Symmetry) -> Sample {
        let turn = |square| turn_square(symmetry, square);
        Sample {
            position: turn_position(symmetry, &self.position),
            shooter: self.shooter.map(turn),
            played: (turn(self.played.0), turn(self.played.1)),
            visits: self.visits.iter().map(|&(a, b, n)| (turn(a), turn(b), n)).collect(),
            won: self.won,
            chance: self.chance,
        }
    }
}

impl Record {
    /// The samples of a game's turns that were searched, two of each turn.
    ///
    /// # Errors
    /// The number, from 1, of the first turn that the rules forbid, and why.
    pub fn samples(&self, start: Position) -> Result<Vec<Sample>, (usize, IllegalMove)> {
        let mut position = start;
        let mut samples = Vec::with_capacity(2 * self.turns.len());
        for (number, turn) in self.turns.iter().enumerate() {
            let mv = turn.mv;
            position.check(mv).map_err(|why| (number + 1, why))?;
            if let Some(chance) = turn.chance {
                let won = self.winner == position.to_move();
                // Visits are read from a file, so only those that the rules allow are believed.
                let queens = turn.queens.iter().copied().filter(|&(from, to, _)| {
                    let own = position.queens(position.to_move());
                    own.contains(from) && position.destinations(from).contains(to)
                });
                let reach = position.arrows(mv.from, mv.to);
                let arrows = turn.arrows.iter().filter(|arrow| reach.contains(arrow.0));
                let arrows = arrows.map(|&(arrow, visits)| (mv.to, arrow, visits));
                let mut add = |position, shooter, played, visits: Vec<_>| {
                    if !visits.is_empty() {
                        samples.push(Sample { position, shooter, played, visits, won, chance });
                    }
                };
                add(position, None, (mv.from, mv.to), queens.collect());
                let between = position.after_queen(mv.from, mv.to);
                add(between, Some(mv.to), (mv.to, mv.arrow), arrows.collect());
            }
            position.make(mv);
        }
        Ok(samples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searched_turns_give_two_samples() {
        let line =
            "7\tW\td1-d7/g7 - q a\ta7-b7/b8 0.5340 q a7b7:12 d10d9:30 d10d1:3 a b8:9 a8:3 j1:5";
        let record = Record::from_line(line).expect("a game");
        let samples = record.samples(Position::start()).expect("legal turns");
        assert_eq!(samples.len(), 2);
        // A queen of the other side's is not believed, nor an arrow that cannot fly there.
        assert_eq!(samples[0].visits.len(), 2);
        assert_eq!(samples[1].visits.len(), 2);
        assert_ne!(samples[0].preferred(), samples[0].played);
        assert_eq!(samples[1].preferred(), samples[1].played);
        assert!(!samples[0].won && samples[1].shooter == Some(samples[0].played.1));
        for symmetry in Symmetry::all() {
            for sample in &samples {
                let turned = sample.turned(symmetry);
                assert!(turned.position.destinations(turned.played.0).contains(turned.played.1));
            }
        }
        let bad = Record::from_line("7\tW\td1-d7/g7 - q a\td1-d7/g7 - q a").expect("a game");
        assert_eq!(bad.samples(Position::start()).expect_err("an illegal turn").0, 2);
    }

    #[test]
    fn games_are_split_seven_two_one() {
        let count = |part| (0..1000).filter(|&seed| Part::of(seed) == part).count();
        assert_eq!([Part::Train, Part::Validation, Part::Test].map(count), [700, 200, 100]);
    }
}
