//! Starting positions, and positions as diagrams.

use std::fmt;
use std::str::FromStr;

use crate::Color;
use crate::position::Position;
use crate::square::{Size, Square};

/// The starts that are known by size: the game's own, and the small ones that have been solved.
const STARTS: [(u8, &str); 3] = [
    (
        10,
        "...O..O...|..........|..........|O........O|..........|..........|X........X|..........|..........|...X..X...",
    ),
    (5, ".O.O.|O...O|.....|X...X|.X.X."),
    (4, ".OO.|O..O|X..X|.XX."),
];

/// Why a diagram is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiagramError {
    /// The rows are not 3 to 10, or not all of one length of 3 to 10.
    #[error("{rows} rows of {columns} are no board from 3x3 to 10x10")]
    Size {
        /// How many rows there are.
        rows: usize,
        /// How long the first row that does not fit is.
        columns: usize,
    },
    /// A character that stands for nothing.
    #[error("{0:?} is none of X, O, #, * and .")]
    Character(char),
}

impl Position {
    /// The start of the game on 10x10: White a4 d1 g1 j4, Black a7 d10 g10 j7, White to move.
    pub fn start() -> Position {
        // The table's first diagram; the test below holds it.
        Position::start_on(10).unwrap_or(Position::empty(Size::FULL))
    }

    /// The start on a square board of this side, where one is known: 10, 5 and 4.
    pub fn start_on(side: u8) -> Option<Position> {
        let (_, diagram) = STARTS.iter().find(|(known, _)| *known == side)?;
        diagram.parse().ok()
    }
}

impl FromStr for Position {
    type Err = DiagramError;

    /// Reads rows from the top, divided by `|` or line ends: `X` a white queen, `O` a black one, `#` or `*` an arrow, `.` a
    /// free square. White is to move.
    fn from_str(diagram: &str) -> Result<Position, DiagramError> {
        let rows: Vec<&str> =
            diagram.split(['|', '\n']).map(str::trim).filter(|row| !row.is_empty()).collect();
        let columns = rows.first().map_or(0, |row| row.chars().count());
        let odd = rows.iter().map(|row| row.chars().count()).find(|&length| length != columns);
        let too_many = rows.len() > 10 || columns > 10 || odd.is_some();
        let size = if too_many { None } else { Size::new(columns as u8, rows.len() as u8) };
        let size =
            size.ok_or(DiagramError::Size { rows: rows.len(), columns: odd.unwrap_or(columns) })?;
        let mut position = Position::empty(size);
        for (y, row) in rows.iter().rev().enumerate() {
            for (x, character) in row.chars().enumerate() {
                let Some(square) = Square::new(x as u8, y as u8) else { continue };
                match character {
                    'X' => position.put_queen(Color::White, square),
                    'O' => position.put_queen(Color::Black, square),
                    '#' | '*' => position.put_arrow(square),
                    '.' => true,
                    other => return Err(DiagramError::Character(other)),
                };
            }
        }
        Ok(position)
    }
}

impl fmt::Display for Position {
    /// The diagram, a row a line from the top.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.size();
        for row in (0..size.rows()).rev() {
            for square in (0..size.columns()).filter_map(|column| Square::new(column, row)) {
                f.write_str(match self.queen_at(square) {
                    Some(Color::White) => "X",
                    Some(Color::Black) => "O",
                    None if self.arrows_shot().contains(square) => "#",
                    None => ".",
                })?;
            }
            if row > 0 {
                f.write_str("\n")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::GameSquare;

    #[test]
    fn the_start_is_the_games_own() {
        let start = Position::start();
        let names = |color| {
            let mut names: Vec<String> =
                start.queens(color).iter().map(|s| GameSquare(s).to_string()).collect();
            names.sort();
            names.join(" ")
        };
        assert_eq!(names(Color::White), "a4 d1 g1 j4");
        assert_eq!(names(Color::Black), "a7 d10 g10 j7");
        assert_eq!(start.to_move(), Color::White);
        assert_eq!(start.free().len(), 92);
    }

    #[test]
    fn diagrams_are_read_back() {
        for diagram in ["X.#\n.O.\n...", "....\n.X#O\n...."] {
            assert_eq!(diagram.parse::<Position>().expect("a position").to_string(), diagram);
        }
        assert_eq!("X.|..".parse::<Position>(), Err(DiagramError::Size { rows: 2, columns: 2 }));
        assert_eq!(
            "...|....|...".parse::<Position>(),
            Err(DiagramError::Size { rows: 3, columns: 4 })
        );
        assert_eq!("...|.?.|...".parse::<Position>(), Err(DiagramError::Character('?')));
        assert!("".parse::<Position>().is_err());
        assert!(Position::start_on(7).is_none());
    }
}
