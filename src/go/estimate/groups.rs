//! The groups of an estimate, those in danger with a letter.

use go_influence::{Dragon, ScoreEstimate, Urgent, is_in_danger};

/// A group with what can be done for and against it.
pub struct Group<'e> {
    /// The letter that it has in the picture, the text and the JSON, if it is in danger.
    pub letter: Option<String>,
    /// Its stones, liberties and territory.
    pub dragon: &'e Dragon,
    /// The moves that defend it, the best first.
    pub defend: &'e [Urgent],
    /// The moves that attack it, the best first.
    pub attack: &'e [Urgent],
}

/// All groups, the largest first.
pub fn groups(estimate: &ScoreEstimate) -> Vec<Group<'_>> {
    let mut letters = (0..).map(letter);
    let all = estimate.groups().into_iter();
    all.map(|(dragon, [defend, attack])| Group {
        letter: is_in_danger(dragon).then(|| letters.next()).flatten(),
        dragon,
        defend,
        attack,
    })
    .collect()
}

/// A, B ... Z, AA, AB ...
fn letter(number: usize) -> String {
    let last = char::from(b'A' + (number % 26) as u8);
    match number / 26 {
        0 => last.to_string(),
        more => letter(more - 1) + &last.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_go_on() {
        let told = [0, 1, 25, 26, 27, 51, 52, 702].map(letter);
        assert_eq!(told, ["A", "B", "Z", "AA", "AB", "AZ", "BA", "AAA"]);
    }
}
