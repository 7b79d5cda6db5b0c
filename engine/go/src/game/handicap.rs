//! Handicap stones: where they go, and how many a game has.

use super::{Game, Start};
use crate::{Color, Move, Point};

/// Why handicap stones cannot be placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HandicapError {
    /// There are stones already.
    #[error("the board is not empty")]
    BoardNotEmpty,
    /// Too few or too many for this board.
    #[error("{0} is no possible number of handicap stones on this board")]
    Number(usize),
    /// A point outside the board.
    #[error("{0} is not on the board")]
    OffBoard(Point),
    /// A point named twice.
    #[error("{0} is named twice")]
    Repeated(Point),
}

/// The most stones that have fixed places on a board: 9 on odd sizes from 9, 4 on even ones from 8
/// and on 7x7, none below and on boards that are not square (GTP version 2 draft 2, section 4.1.1).
pub fn max_fixed_handicap(width: u8, height: u8) -> usize {
    match width {
        _ if width != height => 0,
        0..=6 => 0,
        7 => 4,
        side if side % 2 == 0 => 4,
        _ => 9,
    }
}

/// The fixed places of `number` stones, row by row from the top.
///
/// ```
/// use go_engine::game::fixed_handicap;
/// let places: Vec<String> = fixed_handicap(19, 19, 3).unwrap().iter().map(|p| p.to_string()).collect();
/// assert_eq!(places, ["D16", "Q16", "D4"]);
/// ```
pub fn fixed_handicap(width: u8, height: u8, number: usize) -> Option<Vec<Point>> {
    if !(2..=max_fixed_handicap(width, height)).contains(&number) {
        return None;
    }
    let low = if width < 13 { 2 } else { 3 };
    let (high, middle) = (width - 1 - low, width / 2);
    let (corner, left_right, up_down, centre) = (
        [(low, low), (high, high), (low, high), (high, low)],
        [(low, middle), (high, middle)],
        [(middle, low), (middle, high)],
        [(middle, middle)],
    );
    let mut places: Vec<(u8, u8)> = corner[..number.min(4)].to_vec();
    if number >= 6 {
        places.extend(left_right);
    }
    if number >= 8 {
        places.extend(up_down);
    }
    if number % 2 == 1 && number >= 5 {
        places.extend(centre);
    }
    let mut points: Vec<Point> = places.iter().map(|&(col, row)| Point::new(col, row)).collect();
    points.sort_by_key(|point| (std::cmp::Reverse(point.row()), point.col()));
    Some(points)
}

/// Good places for `number` stones on any board: the fixed ones while there are any, then one
/// after another where the other stones are farthest, not on the edge while anything else is free.
fn free_handicap(width: u8, height: u8, number: usize) -> Vec<Point> {
    let max = max_fixed_handicap(width, height);
    let mut points = if max >= 2 {
        fixed_handicap(width, height, number.min(max)).unwrap_or_default()
    } else {
        Vec::new()
    };
    let edge = |point: Point| {
        let (col, row) = (point.col(), point.row());
        i32::from(col.min(width - 1 - col).min(row.min(height - 1 - row)))
    };
    let all: Vec<Point> =
        (0..height).flat_map(|row| (0..width).map(move |col| Point::new(col, row))).collect();
    while points.len() < number {
        let best = all.iter().filter(|point| !points.contains(point)).max_by_key(|&&point| {
            let distance = |other: &Point| {
                let cols = i32::from(point.col()) - i32::from(other.col());
                let rows = i32::from(point.row()) - i32::from(other.row());
                cols * cols + rows * rows
            };
            let room = points.iter().map(distance).min().unwrap_or(0);
            // The third and fourth lines are as good as any, those below are worse.
            (edge(point).min(2), room, std::cmp::Reverse(point))
        });
        match best {
            Some(&point) => points.push(point),
            None => break,
        }
    }
    points
}

impl Game {
    /// The number of handicap stones: those placed, and Black's stones when Black made the first
    /// moves of the game alone, which is how some controllers send a handicap.
    pub fn handicap(&self) -> u32 {
        if !self.start.stones.is_empty() && self.start.handicap == 0 {
            return 0;
        }
        let is_stone = |mv: Move| matches!(mv, Move::Play(_));
        let alone =
            self.moves.iter().take_while(|m| m.color == Color::Black && is_stone(m.mv)).count();
        let stones = self.start.handicap + alone as u32;
        if stones >= 2 { stones } else { 0 }
    }

    /// Takes the stones that the game began with for its handicap, if they are so many of Black's alone, as records tell a
    /// handicap.
    pub fn begin_with_handicap(&mut self, number: u32) {
        let stones = &self.start.stones;
        let is_handicap = number >= 2
            && stones.len() == number as usize
            && stones.iter().all(|&(_, color)| color == Color::Black);
        if is_handicap {
            self.start.handicap = number;
        }
    }

    /// Puts handicap stones on the empty board; White is to play.
    ///
    /// # Errors
    /// When there are stones, points are wrong or named twice, or their number is not 2 to all
    /// points but one; the game is as it was.
    pub fn place_handicap(&mut self, points: &[Point]) -> Result<(), HandicapError> {
        if self.board.stones().next().is_some() {
            return Err(HandicapError::BoardNotEmpty);
        }
        if points.len() < 2 || points.len() >= self.board.area() {
            return Err(HandicapError::Number(points.len()));
        }
        let mut sorted = points.to_vec();
        sorted.sort();
        if let Some(&point) = sorted.iter().find(|&&point| !self.board.contains(point)) {
            return Err(HandicapError::OffBoard(point));
        }
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(HandicapError::Repeated(pair[0]));
        }
        let start = Start {
            stones: sorted.into_iter().map(|point| (point, Color::Black)).collect(),
            to_play: Color::White,
            captured: [0; 2],
            handicap: points.len() as u32,
        };
        self.begin(start);
        Ok(())
    }

    /// Puts `number` handicap stones on their fixed places, which are returned.
    ///
    /// # Errors
    /// When there are stones, or the board has no places for so many; the game is as it was.
    pub fn place_fixed_handicap(&mut self, number: usize) -> Result<Vec<Point>, HandicapError> {
        let (width, height) = (self.board.width(), self.board.height());
        let points = fixed_handicap(width, height, number).ok_or(HandicapError::Number(number));
        self.place_chosen_handicap(points)
    }

    /// Puts `number` handicap stones where they are good, and returns where that is.
    ///
    /// # Errors
    /// When there are stones, or the number is not 2 to all points but one; the game is as it was.
    pub fn place_free_handicap(&mut self, number: usize) -> Result<Vec<Point>, HandicapError> {
        let (width, height) = (self.board.width(), self.board.height());
        if number < 2 || number >= self.board.area() {
            return self.place_chosen_handicap(Err(HandicapError::Number(number)));
        }
        self.place_chosen_handicap(Ok(free_handicap(width, height, number)))
    }

    fn place_chosen_handicap(
        &mut self,
        points: Result<Vec<Point>, HandicapError>,
    ) -> Result<Vec<Point>, HandicapError> {
        if self.board.stones().next().is_some() {
            return Err(HandicapError::BoardNotEmpty);
        }
        let points = points?;
        self.place_handicap(&points)?;
        Ok(points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(points: &[Point]) -> String {
        points.iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn fixed_places_are_those_of_the_protocol() {
        let places = |side, number| names(&fixed_handicap(side, side, number).unwrap());
        assert_eq!(places(19, 2), "Q16 D4");
        assert_eq!(places(19, 5), "D16 Q16 K10 D4 Q4");
        assert_eq!(places(19, 7), "D16 Q16 D10 K10 Q10 D4 Q4");
        assert_eq!(places(19, 8), "D16 K16 Q16 D10 Q10 D4 K4 Q4");
        assert_eq!(places(19, 9), "D16 K16 Q16 D10 K10 Q10 D4 K4 Q4");
        assert_eq!(places(9, 5), "C7 G7 E5 C3 G3");
        assert_eq!(places(12, 4), "C10 K10 C3 K3");
        assert_eq!(places(7, 4), "C5 E5 C3 E3");
        for (side, number) in [(6, 2), (8, 5), (7, 5), (19, 10), (19, 1), (19, 0)] {
            assert_eq!(fixed_handicap(side, side, number), None);
        }
    }

    #[test]
    fn free_places_are_enough_on_every_board() {
        for (width, height) in [(2, 2), (3, 3), (5, 5), (9, 9), (19, 19), (25, 25), (4, 7)] {
            let max = usize::from(width) * usize::from(height) - 1;
            for number in [2, 3, 9, 15, max].into_iter().filter(|&n| n <= max) {
                let mut game = Game::new(width, height).unwrap();
                assert_eq!(game.place_free_handicap(number).unwrap().len(), number);
                assert_eq!(game.handicap() as usize, number);
                assert_eq!(game.to_play(), Color::White);
                game.board().check_invariants().unwrap();
            }
        }
    }

    #[test]
    fn moves_by_black_alone_are_a_handicap() {
        let mut game = Game::new(9, 9).unwrap();
        for (number, name) in ["C3", "G7", "C7"].into_iter().enumerate() {
            game.play(Color::Black, Move::Play(name.parse().unwrap())).unwrap();
            assert_eq!(game.handicap(), [0, 2, 3][number]);
        }
        game.play(Color::White, Move::Pass).unwrap();
        game.play(Color::Black, Move::Play("E5".parse().unwrap())).unwrap();
        assert_eq!(game.handicap(), 3);
        assert_eq!(game.compensation(), 3.0);
    }
}
