//! The letters of a board's columns, from left to right: A to Z without I, which looks like a row's 1 (GTP 2, section 2.11).

/// The letter of a column from 0 to 24.
///
/// ```
/// assert_eq!([0, 7, 8, 24].map(game_core::column_letter), ['A', 'H', 'J', 'Z']);
/// ```
pub fn column_letter(column: u8) -> char {
    char::from(b'A' + column + u8::from(column >= b'I' - b'A'))
}

/// The column of a letter in either case, from 0 to 24; `None` for I and whatever is no letter.
///
/// ```
/// assert_eq!([b'a', b'H', b'I', b'J', b'z'].map(game_core::column_of), [Some(0), Some(7), None, Some(8), Some(24)]);
/// assert_eq!(game_core::column_of(b'@'), None);
/// ```
pub fn column_of(letter: u8) -> Option<u8> {
    match letter.to_ascii_uppercase() {
        letter @ b'A'..=b'H' => Some(letter - b'A'),
        letter @ b'J'..=b'Z' => Some(letter - b'A' - 1),
        _ => None,
    }
}
