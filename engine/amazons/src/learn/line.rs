//! A game of self-play as a line of text.
//!
//! Fields are divided by tabs: the seed, the winner (`W` or `B`), and each turn as words: the move, the chance that the
//! side to move wins (`-` for turns drawn at random), the visits of each queen's move after `q`, those of each arrow
//! behind the move after `a`: `d1-d7/g7 0.534 q d1d7:120 d1d6:30 a g7:80 h7:40`.

use std::fmt::Write;

use super::self_play::{Played, Record};
use crate::Color;
use crate::notation::{GameMove, GameSquare};
use crate::square::Square;

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The seed or the winner.
    #[error("the line does not begin with a seed and a winner")]
    Head,
    /// A turn, by number from 1.
    #[error("turn {0} is not written as a turn is")]
    Turn(usize),
}

impl Record {
    /// The game as a line, without its end.
    pub fn to_line(&self) -> String {
        let winner = if self.winner == Color::White { 'W' } else { 'B' };
        let mut line = format!("{}\t{winner}", self.seed);
        for turn in &self.turns {
            let chance = turn.chance.map_or("-".to_owned(), |chance| format!("{chance:.4}"));
            // Writing to a string cannot fail.
            let _ = write!(line, "\t{} {chance} q", GameMove(turn.mv));
            for &(from, to, visits) in &turn.queens {
                let _ = write!(line, " {}{}:{visits}", GameSquare(from), GameSquare(to));
            }
            line += " a";
            for &(arrow, visits) in &turn.arrows {
                let _ = write!(line, " {}:{visits}", GameSquare(arrow));
            }
        }
        line
    }

    /// Reads what [`Record::to_line`] writes. The moves are not checked against the rules.
    ///
    /// # Errors
    /// What is wrong with the line.
    pub fn from_line(line: &str) -> Result<Record, LineError> {
        let mut fields = line.split('\t');
        let seed = fields.next().and_then(|seed| seed.parse().ok()).ok_or(LineError::Head)?;
        let winner = match fields.next() {
            Some("W") => Color::White,
            Some("B") => Color::Black,
            _ => return Err(LineError::Head),
        };
        let turns = fields
            .enumerate()
            .map(|(number, field)| turn(field).ok_or(LineError::Turn(number + 1)))
            .collect::<Result<_, _>>()?;
        Ok(Record { seed, turns, winner })
    }
}

fn turn(field: &str) -> Option<Played> {
    let mut words = field.split(' ');
    let GameMove(mv) = words.next()?.parse().ok()?;
    let chance = match words.next()? {
        "-" => None,
        number => Some(number.parse().ok().filter(|chance| (0.0..=1.0).contains(chance))?),
    };
    if words.next()? != "q" {
        return None;
    }
    let (mut queens, mut arrows) = (Vec::new(), Vec::new());
    let mut in_queens = true;
    for word in words {
        if word == "a" {
            in_queens = false;
            continue;
        }
        let (squares, visits) = word.split_once(':')?;
        let visits = visits.parse().ok()?;
        if in_queens {
            let second = squares.char_indices().skip(1).find(|(_, c)| c.is_ascii_alphabetic())?.0;
            queens.push((square(&squares[..second])?, square(&squares[second..])?, visits));
        } else {
            arrows.push((square(squares)?, visits));
        }
    }
    (!in_queens).then_some(Played { mv, chance, queens, arrows })
}

fn square(text: &str) -> Option<Square> {
    text.parse::<GameSquare>().ok().map(|square| square.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_back() {
        let line = "7\tW\td1-d7/g7 - q a\ta7-b7/b8 0.5340 q a7b7:12 d10d2:3 a b8:9 a10:3\tj4-j5/j4 0.1000 q a";
        let record = Record::from_line(line).expect("a game");
        assert_eq!(record.turns.len(), 3);
        assert_eq!(record.turns[1].queens.len(), 2);
        assert_eq!(record.to_line(), line);
        for bad in [
            "",
            "7",
            "7\tX",
            "x\tW",
            "7\tW\td1",
            "7\tW\td1-d7/g7 2 q a",
            "7\tW\td1-d7/g7 - q",
            "7\tW\td1-d7/g7 - q d1:3 a",
            "7\tW\td1-d7/g7 - q d1d:3 a",
            "7\tW\té1-d7/g7 - q a",
        ] {
            assert!(Record::from_line(bad).is_err(), "{bad}");
        }
    }
}
