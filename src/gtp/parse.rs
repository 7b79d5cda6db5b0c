//! The protocol's own words: colours, vertices, and the arguments of a command.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::Failure;
use game_core::{Color, column_letter, column_of};

/// The largest board that vertices can name: columns A to Z without I.
pub const MAX_SIZE: u8 = 25;

/// Reads a colour: `b` or `black`, `w` or `white`, in any case.
///
/// # Errors
/// Any other word.
pub fn read_color(word: &str) -> Result<Color, Failure> {
    let is = |name: &str| word.eq_ignore_ascii_case(name);
    if is("b") || is("black") {
        Ok(Color::Black)
    } else if is("w") || is("white") {
        Ok(Color::White)
    } else {
        Err(Failure::bad_coordinate())
    }
}

/// A point of a board as the protocol names it: `A1` is column 0, row 0, at the lower left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Vertex {
    /// Columns from the left, 0 to 24.
    pub column: u8,
    /// Rows from the bottom, 0 to 24.
    pub row: u8,
}

impl FromStr for Vertex {
    type Err = Failure;

    /// Reads `D4` in any case. Whether the point lies on the board is for the game to say.
    fn from_str(word: &str) -> Result<Vertex, Failure> {
        let bad = Failure::bad_coordinate;
        let column = word.bytes().next().and_then(column_of).ok_or_else(bad)?;
        let digits = &word[1..];
        if digits.is_empty() || digits.len() > 2 || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(bad());
        }
        match digits.parse::<u8>() {
            Ok(row @ 1..=MAX_SIZE) => Ok(Vertex { column, row: row - 1 }),
            _ => Err(bad()),
        }
    }
}

impl fmt::Display for Vertex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", column_letter(self.column), self.row + 1)
    }
}

/// One step of a turn: a stone put down, a queen taken up or set down, an arrow shot; or a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// A pass, where the game knows one.
    Pass,
    /// That point of the board.
    At(Vertex),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Pass => f.write_str("pass"),
            Step::At(vertex) => vertex.fmt(f),
        }
    }
}

impl From<Vertex> for Step {
    fn from(vertex: Vertex) -> Step {
        Step::At(vertex)
    }
}

/// Words with spaces between them.
pub fn join<T: fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(" ")
}

/// The vertices in a text that stand apart, have commas between them or none: `K10 K11`, `K10,K11`, `K10K11`.
///
/// # Errors
/// A word that is no vertex, or no word at all.
pub fn read_vertices(text: &str) -> Result<Vec<Vertex>, Failure> {
    let bad = Failure::bad_coordinate;
    let mut vertices = Vec::new();
    for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
        if !word.is_ascii() {
            return Err(bad());
        }
        let mut rest = word;
        while !rest.is_empty() {
            let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
            let (one, after) = rest.split_at(1 + digits);
            vertices.push(one.parse()?);
            rest = after;
        }
    }
    if vertices.is_empty() { Err(bad()) } else { Ok(vertices) }
}

/// The arguments of a command, taken from the front one word at a time.
///
/// A word that is missing or has the wrong form is the failure `syntax error`, or for colours and
/// vertices `invalid color or coordinate`; a command with another text for it maps the error.
#[derive(Debug, Clone)]
pub struct Args<'a> {
    text: &'a str,
}

impl<'a> Args<'a> {
    /// Arguments from the text behind the command's name.
    pub fn new(text: &'a str) -> Args<'a> {
        Args { text: text.trim_matches(' ') }
    }

    /// Whether no word is left.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Checks that no word is left.
    ///
    /// # Errors
    /// A word too many is a syntax error.
    pub fn end(&self) -> Result<(), Failure> {
        if self.is_empty() { Ok(()) } else { Err(Failure::syntax()) }
    }

    /// All that is left, as one text: for file names and titles, which may hold spaces.
    pub fn rest(&mut self) -> &'a str {
        std::mem::take(&mut self.text)
    }

    /// The next word without taking it.
    pub fn peek(&self) -> Option<&'a str> {
        self.text.split(' ').next().filter(|word| !word.is_empty())
    }

    /// The next word.
    pub fn word(&mut self) -> Result<&'a str, Failure> {
        self.next().ok_or_else(Failure::syntax)
    }

    /// The next word, read as any type that can be read from text.
    pub fn parse<T: FromStr>(&mut self) -> Result<T, Failure> {
        self.word()?.parse().map_err(|_| Failure::syntax())
    }

    /// The next word as a whole number within `range`.
    pub fn integer(&mut self, range: RangeInclusive<i64>) -> Result<i64, Failure> {
        let number = self.parse()?;
        if range.contains(&number) { Ok(number) } else { Err(Failure::syntax()) }
    }

    /// The next word as a finite number.
    pub fn real(&mut self) -> Result<f64, Failure> {
        let number: f64 = self.parse()?;
        if number.is_finite() { Ok(number) } else { Err(Failure::syntax()) }
    }

    /// The next word as `true` or `false`, in any case; `1`, `0`, `yes`, `no`, `on`, `off` too.
    pub fn boolean(&mut self) -> Result<bool, Failure> {
        match self.word()?.to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" | "on" => Ok(true),
            "false" | "0" | "no" | "off" => Ok(false),
            _ => Err(Failure::syntax()),
        }
    }

    /// The next word as a colour.
    pub fn color(&mut self) -> Result<Color, Failure> {
        read_color(self.next().ok_or_else(Failure::bad_coordinate)?)
    }

    /// The next word as a vertex.
    pub fn vertex(&mut self) -> Result<Vertex, Failure> {
        self.next().ok_or_else(Failure::bad_coordinate)?.parse()
    }
}

/// The words one after another.
impl<'a> Iterator for Args<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let word = self.peek()?;
        self.text = self.text[word.len()..].trim_start_matches(' ');
        Some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_are_read_and_written() {
        for column in 0..MAX_SIZE {
            for row in 0..MAX_SIZE {
                let vertex = Vertex { column, row };
                assert_eq!(vertex.to_string().parse(), Ok(vertex));
                assert_eq!(vertex.to_string().to_lowercase().parse(), Ok(vertex));
            }
        }
        for bad in ["", "A", "I5", "A0", "A26", "A100", "AA1", "A+1", "5A", "é5", "A1é", "pass"] {
            assert!(bad.parse::<Vertex>().is_err(), "{bad}");
        }
    }

    #[test]
    fn words_are_typed() {
        let mut args = Args::new("  White  d4 7 -2.5 true a file name ");
        assert_eq!(args.color(), Ok(Color::White));
        assert_eq!(args.vertex().unwrap().to_string(), "D4");
        assert_eq!(args.integer(0..=7), Ok(7));
        assert_eq!(args.real(), Ok(-2.5));
        assert_eq!(args.boolean(), Ok(true));
        assert_eq!(args.rest(), "a file name");
        assert_eq!((args.is_empty(), args.end()), (true, Ok(())));
        assert_eq!(Args::new(" x").end(), Err(Failure::syntax()));
        assert_eq!(args.word(), Err(Failure::syntax()));
        assert_eq!(args.color(), Err(Failure::bad_coordinate()));
        assert!(Args::new("nan").real().is_err());
        assert!(Args::new("1e999").real().is_err());
        assert!(Args::new("8").integer(0..=7).is_err());
    }
}
