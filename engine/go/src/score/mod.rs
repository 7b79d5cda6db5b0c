//! Scoring a finished game by its rules, once it is known which stones are dead.
//!
//! ```
//! use go_engine::{Color, Game, Move, score::Statuses};
//! let mut game = Game::new(5, 5).unwrap();
//! game.set_komi(0.5);
//! game.play(Color::Black, Move::Play("C3".parse()?))?;
//! let score = game.score(&Statuses::all_alive());
//! assert_eq!(score, 24.5);
//! assert_eq!(go_engine::score::result(score), "B+24.5");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::game::AnyBoard;
use crate::rules::Scoring;
use crate::{Color, Game, Point};

/// What became of the stones at the end of a game. Stones in neither list are alive.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statuses {
    /// Stones that will be taken off.
    pub dead: Vec<Point>,
    /// Stones that live in seki; their eyes are no territory.
    pub seki: Vec<Point>,
}

impl Statuses {
    /// Every stone is alive.
    pub fn all_alive() -> Statuses {
        Statuses::default()
    }
}

/// Whose each point is at the end, row by row from A1: the stone's colour after dead ones are taken
/// off, the colour that alone surrounds an empty point, or nobody's.
pub fn owners(board: &AnyBoard, statuses: &Statuses) -> Vec<Option<Color>> {
    let width = usize::from(board.width());
    let index = |point: Point| usize::from(point.row()) * width + usize::from(point.col());
    let mut stones: Vec<Option<Color>> = board.points().map(|point| board.stone(point)).collect();
    for &point in statuses.dead.iter().filter(|&&point| board.contains(point)) {
        stones[index(point)] = None;
    }
    let mut owners = stones.clone();
    let mut seen = vec![false; stones.len()];
    for first in board.points() {
        if seen[index(first)] || stones[index(first)].is_some() {
            continue;
        }
        seen[index(first)] = true;
        let mut region = vec![first];
        let mut touched = [false; 2];
        let mut at = 0;
        while at < region.len() {
            for point in board.neighbours(region[at]) {
                match stones[index(point)] {
                    Some(color) => touched[color.index()] = true,
                    None if !seen[index(point)] => {
                        seen[index(point)] = true;
                        region.push(point);
                    }
                    None => {}
                }
            }
            at += 1;
        }
        let owner = match touched {
            [true, false] => Some(Color::Black),
            [false, true] => Some(Color::White),
            _ => None,
        };
        for point in region {
            owners[index(point)] = owner;
        }
    }
    owners
}

impl Game {
    /// Black's points less White's, komi and handicap included, by the rules in force. Under rules without agreement about
    /// the dead the statuses are ignored.
    pub fn score(&self, statuses: &Statuses) -> f64 {
        match self.rules().friendly_pass_ok {
            true => self.count(statuses),
            false => self.count(&Statuses::all_alive()),
        }
    }

    /// The same with the dead taken off, whatever the rules say of agreement.
    ///
    /// Area: stones and surrounded points. Territory: surrounded points outside seki, and
    /// prisoners, dead stones among them.
    pub fn count(&self, statuses: &Statuses) -> f64 {
        // A board without dead stones knows its area.
        if self.rules().scoring == Scoring::Area && statuses.dead.is_empty() {
            return f64::from(self.board().area_score()) - self.compensation();
        }
        self.count_owned(statuses, &owners(self.board(), statuses))
    }

    /// The same with the points that are each side's given, row by row from A1, where they are not those that [`owners`]
    /// tells.
    pub fn count_owned(&self, statuses: &Statuses, owners: &[Option<Color>]) -> f64 {
        let points = match self.rules().scoring {
            Scoring::Area => owners.iter().copied().flatten().map(sign).sum(),
            Scoring::Territory => territory(self, statuses, owners),
        };
        f64::from(points) - self.compensation()
    }
}

fn sign(color: Color) -> i32 {
    match color {
        Color::Black => 1,
        Color::White => -1,
    }
}

fn territory(game: &Game, statuses: &Statuses, owners: &[Option<Color>]) -> i32 {
    let board = game.board();
    let dead = |point: Point| statuses.dead.contains(&point);
    let in_seki = seki_eyes(board, statuses);
    let mut points = 0;
    for (point, owner) in board.points().zip(owners) {
        let stone = board.stone(point);
        let Some(owner) = *owner else {
            // A prisoner from a point that is nobody's.
            if let Some(stone) = stone.filter(|_| dead(point)) {
                points -= sign(stone);
            }
            continue;
        };
        match stone {
            None if !in_seki.contains(&point) => points += sign(owner),
            // The point and the prisoner on it.
            Some(_) if dead(point) && !in_seki.contains(&point) => points += 2 * sign(owner),
            Some(stone) if dead(point) => points -= sign(stone),
            _ => {}
        }
    }
    let captured = |color: Color| game.captured(color) as i32;
    points + captured(Color::White) - captured(Color::Black)
}

/// Empty points, and points of dead stones, that are surrounded by stones in seki: no territory under territory scoring.
pub fn seki_eyes(board: &AnyBoard, statuses: &Statuses) -> Vec<Point> {
    let is_open = |point: Point| board.stone(point).is_none() || statuses.dead.contains(&point);
    let mut eyes: Vec<Point> = Vec::new();
    for &stone in &statuses.seki {
        let mut stack: Vec<Point> = board.neighbours(stone).filter(|&p| is_open(p)).collect();
        while let Some(point) = stack.pop() {
            if !eyes.contains(&point) {
                eyes.push(point);
                stack.extend(board.neighbours(point).filter(|&p| is_open(p)));
            }
        }
    }
    eyes
}

/// A score as protocols and records write it: `B+3.5`, `W+0.5`, `0`. Rounded to a thousandth, so
/// that a komi like 6.3 leaves no trace of binary fractions.
pub fn result(score: f64) -> String {
    let score = (score * 1000.0).round() / 1000.0;
    if score > 0.0 {
        format!("B+{score}")
    } else if score < 0.0 {
        format!("W+{}", -score)
    } else {
        "0".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    /// A game set up from rows, the top one first: `X` Black, `O` White.
    fn game(rows: &[&str]) -> Game {
        let (width, height) = (rows[0].len() as u8, rows.len() as u8);
        let mut game = Game::new(width, height).unwrap();
        let mut stones = Vec::new();
        for (row, line) in (0..height).rev().zip(rows) {
            for (col, letter) in (0..width).zip(line.chars()) {
                let stone = match letter {
                    'X' => Some(Color::Black),
                    'O' => Some(Color::White),
                    _ => None,
                };
                stones.push((Point::new(col, row), stone));
            }
        }
        game.set_up(stones).unwrap();
        game
    }

    fn points(names: &str) -> Vec<Point> {
        names.split_whitespace().map(|name| name.parse().unwrap()).collect()
    }

    #[test]
    fn area_and_territory_count_dead_stones() {
        let rows = [".XO..", ".XO.X", "XXOOO", ".XO..", ".XO.."];
        let mut game = game(&rows);
        let statuses = Statuses { dead: points("E4"), seki: vec![] };
        // Black: 6 stones, 4 points. White: 7 stones, 8 points with E4.
        assert_eq!(game.score(&statuses), 10.0 - 15.0);
        assert_eq!(game.score(&Statuses::all_alive()), 11.0 - 11.0);
        game.set_rules(Rules::TROMP_TAYLOR);
        assert_eq!(game.score(&statuses), 11.0 - 11.0, "what is dead has to be captured");
        game.set_rules(Rules::JAPANESE);
        // Black 4 points; White 7 empty points, and 2 for the point of the dead stone.
        assert_eq!(game.score(&statuses), 4.0 - 9.0);
        game.set_komi(6.5);
        assert_eq!(game.score(&statuses), -11.5);
        assert_eq!(result(game.score(&statuses)), "W+11.5");
    }

    #[test]
    fn eyes_in_seki_are_territory_for_no_one() {
        let rows = ["X.XO.", "XXXOO", "..XO.", "XXXOO", ".X.O."];
        let mut game = game(&rows);
        game.set_rules(Rules::JAPANESE);
        let all = Statuses::all_alive();
        let with_seki = Statuses { dead: vec![], seki: points("D5 D4 E4 D3") };
        let difference = game.score(&with_seki) - game.score(&all);
        assert_eq!(difference, 2.0, "White's two eyes do not count");
    }

    #[test]
    fn results_are_written_as_the_protocol_asks() {
        assert_eq!(result(3.5), "B+3.5");
        assert_eq!(result(-0.5), "W+0.5");
        assert_eq!(result(12.0), "B+12");
        assert_eq!(result(0.0), "0");
        assert_eq!(result(-0.0), "0");
        assert_eq!(result(9.0 - 6.3), "B+2.7");
    }
}
