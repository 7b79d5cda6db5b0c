//! Between words and the engine's types. Two notations that look alike are two types: GTP's vertices leave
//! out the column I, so the centre is K10; records leave nothing out, so there it is j10.

use connect6_engine::Point;

use crate::gtp::{Vertex, join};

/// A point as GTP names it.
pub fn vertex(point: Point) -> Vertex {
    Vertex { column: point.col() as u8, row: point.row() as u8 }
}

/// The point that GTP names so; none beyond the largest board.
pub fn point(at: Vertex) -> Option<Point> {
    Point::new(usize::from(at.column), usize::from(at.row))
}

/// Points in GTP's words, with spaces between them.
pub fn vertices(points: impl IntoIterator<Item = Point>) -> String {
    join(points.into_iter().map(vertex))
}

/// The points in a word of a record: letters a to s with none left out, rows from 1 at the bottom, as
/// `j10` or `j9l11`. None when it is anything else.
pub fn read_record_points(word: &str) -> Option<Vec<Point>> {
    let mut points = Vec::new();
    let mut rest = word.as_bytes();
    while let Some((letter, after)) = rest.split_first() {
        let col = letter.to_ascii_lowercase().checked_sub(b'a')?;
        let digits = after.iter().take_while(|b| b.is_ascii_digit()).count();
        let number = after.get(..digits).filter(|_| (1..=2).contains(&digits))?;
        let row: usize = std::str::from_utf8(number).ok()?.parse().ok()?;
        points.push(Point::new(usize::from(col), row.checked_sub(1)?)?);
        rest = &after[digits..];
    }
    Some(points)
}

/// The points in a word of the tournament platform: two capital letters a point, column and row, A to S from
/// the lower left, as `JK` or `JKKJ`. None when it is anything else.
pub fn read_platform_points(word: &str) -> Option<Vec<Point>> {
    if !word.len().is_multiple_of(2) || word.is_empty() {
        return None;
    }
    let index = |byte: u8| byte.checked_sub(b'A').map(usize::from);
    word.as_bytes().chunks(2).map(|pair| Point::new(index(pair[0])?, index(pair[1])?)).collect()
}

/// A point in the platform's letters.
pub fn platform_name(point: Point) -> String {
    [point.col(), point.row()].iter().map(|&n| (b'A' + n as u8) as char).collect()
}

/// A turn in the words of records.
pub fn record_turn(turn: &[Point]) -> String {
    turn.iter().map(|p| p.record_name()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_centre_has_two_names() {
        let centre = Point::new(9, 9).unwrap();
        assert_eq!(vertex(centre).to_string(), "K10");
        assert_eq!(centre.record_name(), "j10");
        assert_eq!(point("k10".parse().unwrap()), Some(centre));
        assert_eq!(read_record_points("j10").unwrap(), [centre]);
        assert_eq!(read_platform_points("JJ").unwrap(), [centre]);
        assert_eq!(platform_name(centre), "JJ");
        // The column I is no GTP vertex, and is one in records.
        assert!("I9".parse::<Vertex>().is_err());
        assert_eq!(read_record_points("i9").unwrap(), [Point::new(8, 8).unwrap()]);
    }

    #[test]
    fn words_that_name_no_points_are_refused() {
        assert_eq!(read_record_points("j9l11").unwrap().len(), 2);
        for bad in ["j", "9", "t1", "a20", "a0", "j100", "j9l", "é"] {
            assert!(read_record_points(bad).is_none(), "{bad}");
        }
        assert!(read_platform_points("JKK").is_none());
        assert!(read_platform_points("jkkj").is_none());
        assert!(read_platform_points("TA").is_none());
    }
}
