//! The board: read from the session's `showboard`, and drawn in colours.

use std::fmt::Write as _;

use crate::gtp::{Color, Vertex};

/// A board as `showboard` shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    /// The first row: whose turn it is, or who has won.
    pub headline: String,
    /// Rows from the top.
    rows: Vec<Row>,
    columns: usize,
}

#[derive(Clone, Debug, PartialEq)]
struct Row {
    /// What stands on each point, and whether it belongs to the last turn.
    points: Vec<(char, bool)>,
    /// Words beside the row.
    beside: String,
}

/// Colours of the terminal's 256: wood, the cursor's ground, and an arrow's.
const WOOD: u8 = 179;
const CURSOR: u8 = 75;
const ARROW: u8 = 94;

impl Board {
    /// Reads an answer to `showboard`.
    pub fn read(text: &str) -> Option<Board> {
        let mut lines = text.lines();
        let headline = lines.next()?.to_owned();
        let columns = lines.next()?.split_whitespace().count();
        let mut rows = Vec::new();
        for line in lines {
            let line: Vec<char> = line.chars().collect();
            // Two digits, then for each point what stands before it and itself, and once more at the end.
            if line.len() < 3 + 2 * columns || !line[1].is_ascii_digit() {
                break;
            }
            let point = |at: usize| (line[3 + 2 * at], line[2 + 2 * at] == '(');
            let rest: String = line[3 + 2 * columns..].iter().collect();
            rows.push(Row {
                points: (0..columns).map(point).collect(),
                beside: rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim().to_owned(),
            });
        }
        (!rows.is_empty() && columns > 0).then_some(Board { headline, rows, columns })
    }

    /// Columns and rows.
    pub fn size(&self) -> (u8, u8) {
        (self.columns as u8, self.rows.len() as u8)
    }

    /// Whose turn it is; nobody's when the game is over.
    pub fn to_move(&self) -> Option<Color> {
        let words: Vec<String> =
            self.headline.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase).collect();
        words.windows(2).find_map(|pair| match (pair[0].as_str(), pair[1].as_str()) {
            ("black", "to") => Some(Color::Black),
            ("white", "to") => Some(Color::White),
            _ => None,
        })
    }

    /// The board, a line a row; `white` is the sign of White's pieces, and the cursor stands on a point, if on any.
    pub fn draw(&self, white: char, cursor: Option<Vertex>, colours: bool) -> Vec<String> {
        let letters: String = (0..self.columns)
            .map(|column| format!(" {}", &Vertex { column: column as u8, row: 0 }.to_string()[..1]))
            .collect();
        let mut lines = vec![format!("  {letters}")];
        for (number, row) in self.rows.iter().enumerate() {
            let label = self.rows.len() - number;
            let mut line = format!("{label:2}");
            for (column, &(sign, is_last)) in row.points.iter().enumerate() {
                let here = Vertex { column: column as u8, row: (label - 1) as u8 };
                let here = cursor == Some(here);
                if colours {
                    paint(&mut line, (sign, is_last), here, white);
                } else {
                    let before = if here {
                        '>'
                    } else if is_last {
                        '('
                    } else {
                        ' '
                    };
                    line.push(before);
                    line.push(sign);
                }
            }
            if colours {
                line += &format!("\x1b[48;5;{WOOD}m \x1b[0m");
            }
            let _ = write!(line, " {label:<2} {}", row.beside);
            lines.push(line);
        }
        lines.push(format!("  {letters}"));
        lines
    }
}

/// A point with what is before it, on wood.
fn paint(line: &mut String, (sign, is_last): (char, bool), here: bool, white: char) {
    let ground = if here { CURSOR } else { WOOD };
    let (ink, shape) = match sign {
        'X' | 'O' => (if sign == white { 231 } else { 16 }, if is_last { '◉' } else { '●' }),
        '#' => (ARROW, '▪'),
        '+' => (16, '+'),
        _ => (94, '·'),
    };
    // Writing to a string cannot fail.
    let _ = write!(line, "\x1b[48;5;{WOOD}m \x1b[48;5;{ground};38;5;{ink}m{shape}\x1b[0m");
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHOWN: &str = "Move 1, white to play, chinese rules, komi 7.5\n   A B C\n 3 . O . 3  White has captured 0\n \
                         2 .(X). 2\n 1 . . . 1\n   A B C";

    #[test]
    fn a_board_is_read_and_drawn_again() {
        let board = Board::read(SHOWN).unwrap();
        assert_eq!((board.size(), board.to_move()), ((3, 3), Some(Color::White)));
        let lines = board.draw('O', Some("A1".parse().unwrap()), false);
        assert_eq!(lines[1], " 3 . O . 3  White has captured 0");
        assert_eq!(lines[2], " 2 .(X . 2  ");
        assert_eq!(lines[3], " 1>. . . 1  ");
        let painted = board.draw('O', None, true).join("\n");
        assert!(painted.contains("38;5;231m●") && painted.contains("38;5;16m◉"), "{painted}");
        for nonsense in ["", "one line", "head\n   A B\nno rows"] {
            assert_eq!(Board::read(nonsense), None, "{nonsense:?}");
        }
    }

    #[test]
    fn whose_turn_it_is_stands_in_every_games_headline() {
        let to_move = |headline: &str| {
            Board::read(&format!("{headline}\n   A\n 1 . 1\n   A")).unwrap().to_move()
        };
        assert_eq!(to_move("1 stones, White to play, 2 stones"), Some(Color::White));
        assert_eq!(
            to_move("Turn 1, Black to shoot from A1 (B1 is free); X White"),
            Some(Color::Black)
        );
        assert_eq!(to_move("9 stones, Black has won"), None);
    }
}
