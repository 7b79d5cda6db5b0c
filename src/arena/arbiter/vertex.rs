//! How moves are spelt: the vertices of GTP, and a whole turn in one word or several.

use serde::{Deserialize, Serialize};

use super::{Game, Step, Vertex};

/// How an engine spells a turn of several steps. In Go all of them are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Spelling {
    /// Found out from the engine's own answers.
    #[default]
    Auto,
    /// One vertex for each `play` and `genmove`: `K10`, then `K11`.
    Points,
    /// A turn as vertices side by side: `K10 K11`, `D1 D7 G7`.
    Turns,
    /// A turn of Amazons in the game's own notation, whose columns do not skip the I: `d1-d7/g7`.
    Algebraic,
}

/// A square in notations that have a column i.
pub fn algebraic(square: Vertex) -> String {
    format!("{}{}", char::from(b'a' + square.column), square.row + 1)
}

/// Spells the steps of one turn, or a part of it, for an engine.
pub fn spell_steps(steps: &[Step], spelling: Spelling) -> String {
    if let (Spelling::Algebraic, [Step::At(from), Step::At(to), Step::At(arrow)]) =
        (spelling, steps)
    {
        return format!("{}-{}/{}", algebraic(*from), algebraic(*to), algebraic(*arrow));
    }
    crate::gtp::join(steps)
}

/// Reads the steps of a turn, or a part of it, as an engine spells them: `pass`, one vertex, or vertices side by side
/// (`K10 K11`, `K10,K11`, `K10K11`). With [`Spelling::Algebraic`] a square's column is read as having an i.
///
/// `None` when it is nothing of the kind, or off a board with sides of `size`.
pub fn parse_steps(text: &str, game: Game, size: u8, spelling: Spelling) -> Option<Vec<Step>> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("pass") {
        return game.has_pass.then(|| vec![Step::Pass]);
    }
    let mut rest = text.as_bytes();
    let mut steps = Vec::new();
    while let Some((&letter, after)) = rest.split_first() {
        let digits = after.iter().take_while(|c| c.is_ascii_digit()).count();
        if !letter.is_ascii_alphabetic()
            || digits == 0
            || digits > 2
            || steps.len() == game.max_steps
        {
            return None;
        }
        let word = std::str::from_utf8(&rest[..=digits]).ok()?;
        let square = match spelling {
            Spelling::Algebraic => Vertex {
                column: letter.to_ascii_lowercase() - b'a',
                row: word[1..].parse::<u8>().ok()?.checked_sub(1)?,
            },
            _ => word.parse().ok()?,
        };
        if square.row >= size || square.column >= size {
            return None;
        }
        steps.push(Step::At(square));
        rest = &after[digits..];
        // Between two squares: spaces and commas, and in Amazons what its own notation has there.
        let marks: &[u8] = if spelling == Spelling::Algebraic { b" ,-/()" } else { b" ," };
        rest = &rest[rest.iter().take_while(|c| marks.contains(c)).count()..];
    }
    (!steps.is_empty()).then_some(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(column: u8, row: u8) -> Step {
        Step::At(Vertex { column, row })
    }

    fn game(name: &str) -> Game {
        name.parse().expect("a game")
    }

    #[test]
    fn vertices_skip_the_i() {
        let read = |text| parse_steps(text, Game::GO, 19, Spelling::Auto);
        assert_eq!(read("a1"), Some(vec![at(0, 0)]));
        assert_eq!(read("H8"), Some(vec![at(7, 7)]));
        assert_eq!(read("J9"), Some(vec![at(8, 8)]));
        assert_eq!(read("T19"), Some(vec![at(18, 18)]));
        assert_eq!(read("PASS"), Some(vec![Step::Pass]));
        for wrong in
            ["I5", "U1", "A0", "A20", "A", "5", "", "D4 D5", "D4x", "D-4", "D400", "resign"]
        {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn whole_turns_are_read_in_every_spelling() {
        for text in ["K10 K11", "K10,K11", "k10k11", "K10, K11"] {
            assert_eq!(
                parse_steps(text, game("connect6"), 19, Spelling::Turns),
                Some(vec![at(9, 9), at(9, 10)]),
                "{text}"
            );
        }
        let turn = vec![at(3, 0), at(3, 6), at(8, 6)];
        for text in ["d1-d7/i7", "D1-D7/I7", "d1-d7(i7)", "d1 d7 i7"] {
            assert_eq!(
                parse_steps(text, game("amazons"), 10, Spelling::Algebraic),
                Some(turn.clone()),
                "{text}"
            );
        }
        assert_eq!(
            parse_steps("D1 D7 J7", game("amazons"), 10, Spelling::Turns),
            Some(turn.clone())
        );
        assert_eq!(parse_steps("D1-D7/J7", game("amazons"), 10, Spelling::Turns), None);
        assert_eq!(spell_steps(&turn, Spelling::Algebraic), "d1-d7/i7");
        assert_eq!(spell_steps(&turn, Spelling::Turns), "D1 D7 J7");
    }

    proptest::proptest! {
        #[test]
        fn no_text_is_too_strange(text in ".{0,20}") {
            for game in Game::all() {
                for spelling in [Spelling::Turns, Spelling::Algebraic] {
                    if let Some(steps) = parse_steps(&text, game, 10, spelling) {
                        let again = spell_steps(&steps, Spelling::Turns);
                        proptest::prop_assert_eq!(parse_steps(&again, game, 10, Spelling::Turns), Some(steps));
                    }
                }
            }
        }

        #[test]
        fn steps_are_read_as_they_are_spelt(squares in proptest::collection::vec((0u8..10, 0u8..10), 3)) {
            let steps: Vec<Step> = squares.iter().map(|&(column, row)| at(column, row)).collect();
            for spelling in [Spelling::Turns, Spelling::Algebraic] {
                let text = spell_steps(&steps, spelling);
                proptest::prop_assert_eq!(parse_steps(&text, game("amazons"), 10, spelling), Some(steps.clone()));
            }
        }
    }
}
