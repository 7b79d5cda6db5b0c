//! Game records: Little Golem's SGF and the tournament platform's words, read and written.
//!
//! Little Golem's records have no GM; a node holds a whole turn, `;B[j10];W[j9l11]`, letters a to s with i,
//! rows counted from the bottom. The platform's words are `black JJ`, `white KKJL` or `move JKKJ`.
//! A third form, `j10 j9l11 ...` in one row, is that of game lists.
//!
//! Little Golem knows one game; `RU[connect M N K P Q]` in the root, which is this program's own, says which of the family
//! a record is of. `AB` and `AW` are stones that stood there before the first turn, and `PL` says whose that is.

use anyhow::{Context, Result, anyhow, bail, ensure};
use connect6_engine::{Color, Game, Outcome, PlayError, Point, Rules};
use game_record::Tree;

use super::notation::{platform_name, read_platform_points, read_record_points};
use crate::session::game::sgf::{is_sgf, read_first, size, without_bom, words};

/// The stones of one side, played one after another.
type Part = (Color, Vec<Point>);

const EMPTY: &str = "there is no game in the file";

fn bad(number: usize, word: &str) -> String {
    format!("move {number}: {word:?} is no move")
}

fn too_many(number: usize, word: &str) -> String {
    format!("move {number}: {word:?} has more stones than the turn")
}

/// Whether the side to move may play so many stones, up to `stones` in all. Who plays is not said where it is the side to
/// move.
fn is_one_turn(game: &Game, points: &[Point], stones: Option<usize>) -> bool {
    is_full(game, stones)
        || game.outcome() != Outcome::Open
        || points.len() <= usize::from(game.to_move().stones)
}

/// Whether the game has all the stones that are wanted.
fn is_full(game: &Game, stones: Option<usize>) -> bool {
    stones.is_some_and(|max_stones| game.stones().len() >= max_stones)
}

/// The first game in the bytes of a file, in any of the three forms, up to so many stones, by these rules where it does not
/// say.
///
/// # Errors
/// What is wrong with the file or one of its moves.
pub fn load(bytes: &[u8], rules: Rules, stones: Option<usize>) -> Result<Game> {
    let bytes = without_bom(bytes);
    if is_sgf(bytes) {
        return read_first(bytes, |tree| from_sgf(tree, rules, stones));
    }
    let text = String::from_utf8_lossy(bytes);
    let row = text.lines().map(str::trim).find(|row| !row.is_empty()).context(EMPTY)?;
    if row.split_whitespace().all(|word| read_record_points(word).is_some()) {
        from_moves(row, rules, stones)
    } else {
        from_platform(&text, rules, stones)
    }
}

/// A game from moves in one row, `j10 j9l11 ...`.
///
/// # Errors
/// The first word that is no move or cannot be made.
pub fn from_moves(row: &str, rules: Rules, stones: Option<usize>) -> Result<Game> {
    let mut game = Game::new(rules);
    for (number, word) in row.split_whitespace().enumerate() {
        let points = read_record_points(word).with_context(|| bad(number + 1, word))?;
        ensure!(is_one_turn(&game, &points, stones), too_many(number + 1, word));
        let color = game.to_move().color;
        put(&mut game, (color, points), number + 1, stones)?;
    }
    Ok(game)
}

/// A game from the platform's words: `black`, `white` or `move` and letters. Other rows are passed over.
fn from_platform(text: &str, rules: Rules, stones: Option<usize>) -> Result<Game> {
    let mut game = Game::new(rules);
    let mut number = 0;
    for row in text.lines() {
        let mut words = row.split_whitespace();
        let (color, is_due) = match words.next() {
            Some("move") => (game.to_move().color, true),
            Some("black") => (Color::Black, false),
            Some("white") => (Color::White, false),
            _ => continue,
        };
        let Some(word) = words.next() else { continue };
        number += 1;
        let points = read_platform_points(word).with_context(|| bad(number, word))?;
        ensure!(!is_due || is_one_turn(&game, &points, stones), too_many(number, word));
        put(&mut game, (color, points), number, stones)?;
    }
    if number == 0 { bail!(EMPTY) } else { Ok(game) }
}

fn put(game: &mut Game, part: Part, number: usize, stones: Option<usize>) -> Result<()> {
    for point in part.1 {
        if is_full(game, stones) {
            return Ok(());
        }
        match game.play(part.0, point) {
            // Some records go on with the second stone of the turn that won.
            Err(PlayError::Over) if game.outcome() != Outcome::Draw => return Ok(()),
            played => played.with_context(|| format!("move {number}"))?,
        }
    }
    Ok(())
}

fn from_sgf(tree: &Tree, like: Rules, stones: Option<usize>) -> Result<Game> {
    let root = tree.node(Tree::ROOT);
    if let Some(game) = root.value("GM") {
        bail!("GM[{game}] is not Connect6, whose records have no GM");
    }
    let rules = match root.value("RU").and_then(read_rules) {
        Some(rules) => rules?,
        None => {
            let (columns, rows) = size(tree, Rules::CONNECT6.width() as u8)?;
            Rules::new(columns.into(), rows.into(), like.k(), like.p(), like.q())?
        }
    };
    let (columns, rows) = size(tree, rules.width() as u8)?;
    let is_same = root.value("SZ").is_none()
        || (usize::from(columns), usize::from(rows)) == (rules.width(), rules.height());
    ensure!(is_same, "SZ and RU name boards of different sizes");
    let words = words(tree);
    let (setup, moves) = words.split_at(words.iter().take_while(|word| word.is_setup).count());
    let mut placed = Vec::new();
    for word in setup {
        let points = read_record_points(word.text).with_context(|| bad(0, word.text))?;
        placed.extend(points.into_iter().map(|point| (word.color, point)));
    }
    let first = match root.value("PL").map(str::trim) {
        Some("B" | "b" | "black") => Color::Black,
        Some("W" | "w" | "white") => Color::White,
        _ if placed.is_empty() => Color::Black,
        _ => moves.first().map_or_else(|| side_due(&placed), |word| word.color),
    };
    let mut game = Game::with_setup(rules, placed, first).context("setup")?;
    let mut number = 0;
    for word in moves {
        number += usize::from(!word.is_setup);
        let points = read_record_points(word.text).with_context(|| bad(number, word.text))?;
        put(&mut game, (word.color, points), number, stones)?;
    }
    Ok(game)
}

/// Rules in the words of `RU`; none where they are no such words.
fn read_rules(text: &str) -> Option<Result<Rules>> {
    let mut words = text.split_whitespace();
    words.next().filter(|word| word.eq_ignore_ascii_case("connect"))?;
    let numbers: Option<Vec<usize>> = words.map(|word| word.parse().ok()).collect();
    Some(match numbers.as_deref() {
        Some(&[m, n, k, p, q]) => Rules::new(m, n, k, p, q).map_err(anyhow::Error::from),
        _ => Err(anyhow!("RU[{text:.40}]: after `connect` come five numbers")),
    })
}

/// The rules as the root of a record has them.
pub fn rules(rules: Rules) -> String {
    let (m, n, k, p, q) = (rules.width(), rules.height(), rules.k(), rules.p(), rules.q());
    format!("RU[connect {m} {n} {k} {p} {q}]")
}

/// A start other than the usual one, as the root of a record has it.
pub fn setup(game: &Game) -> String {
    let stones = |color: Color| -> String {
        let own = game.setup().iter().filter(|stone| stone.0 == color);
        let points: String = own.map(|stone| format!("[{}]", stone.1.record_name())).collect();
        if points.is_empty() { points } else { format!("A{}{points}", color.initial()) }
    };
    if game.setup().is_empty() && game.first_player() == Color::Black {
        return String::new();
    }
    let [black, white] = [Color::Black, Color::White].map(stones);
    format!("{black}{white}PL[{}]", game.first_player().initial())
}

/// Whose turn it looks like when these stones stand on the board: Black's first turn has the fewest stones, so White is due
/// where Black has more.
pub fn side_due(stones: &[(Color, Point)]) -> Color {
    let count = |color| stones.iter().filter(|stone| stone.0 == color).count();
    if count(Color::Black) > count(Color::White) { Color::White } else { Color::Black }
}

/// The turns of a game: stones of one side that came one after another, as many as a turn has.
pub fn parts(game: &Game) -> Vec<Part> {
    let mut turns: Vec<Part> = Vec::new();
    for (color, point) in game.stones() {
        let first = turns.len() == 1 && turns[0].0 == Color::Black && game.setup().is_empty();
        let max_stones = if first { game.rules().q() } else { game.rules().p() };
        match turns.last_mut() {
            Some((last, points)) if *last == color && points.len() < max_stones => {
                points.push(point);
            }
            _ => turns.push((color, vec![point])),
        }
    }
    turns
}

/// The game in the platform's words, one turn a row: `move` for the side that is due, else the colour. It has none for
/// stones that were set up, which become turns.
pub fn platform(game: &Game) -> String {
    let mut so_far = Game::new(game.rules());
    let setup = game.setup().iter().map(|&(color, point)| (color, vec![point]));
    let row = |(color, points): Part| {
        let word = match color {
            due if due == so_far.to_move().color => "move",
            Color::Black => "black",
            Color::White => "white",
        };
        for &point in &points {
            // They were played like this before.
            let _ = so_far.play(color, point);
        }
        format!("{word} {}", points.iter().map(|&p| platform_name(p)).collect::<String>())
    };
    setup.chain(parts(game)).map(row).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Game as _;

    const GAME: &str =
        "(;FF[4]EV[connect6.ch.1.1.1]PB[a]PW[b]SZ[19]SO[x];B[j10];W[j9k11]\n;B[i11l9])";

    #[test]
    fn the_three_forms_are_one_game() {
        let game = load(GAME.as_bytes(), Rules::CONNECT6, None).unwrap();
        assert_eq!(game.stones().len(), 5);
        for text in [
            "j10 j9k11 i11l9",
            "move JJ\nmove JIKK\nmove IKLI\n",
            "black JJ\nwhite JIKK\nblack IKLI",
            "\u{feff}j10 j9k11 i11l9",
            "\u{feff}move JJ\nmove JIKK\nmove IKLI\n",
        ] {
            let other = load(text.as_bytes(), Rules::CONNECT6, None).unwrap();
            assert_eq!(other.key(), game.key(), "{text}");
            for stones in 0..5 {
                let part = load(text.as_bytes(), Rules::CONNECT6, Some(stones)).unwrap();
                assert!(part.stones().eq(game.stones().take(stones)), "{text}");
            }
        }
        let again = load(game.sgf("a]", "b").as_bytes(), Rules::CONNECT6, None).unwrap();
        assert_eq!(again.key(), game.key());
        assert_eq!(
            load(platform(&game).as_bytes(), Rules::CONNECT6, None).unwrap().key(),
            game.key()
        );
        assert_eq!(load(GAME.as_bytes(), Rules::CONNECT6, Some(2)).unwrap().stones().len(), 2);
    }

    #[test]
    fn what_is_no_game_is_refused() {
        for bad in [
            "",
            "(;GM[1];B[jj])",
            "(;SZ[25];B[j10])",
            "(;SZ[x])",
            "(;B[j10];W[j10k10])",
            "(;B[jj])",
            "hello",
            "move J",
            "j10 j10k10",
            "j10k10 j9",
            "j10j9l11h8h7",
            "j10 j9k9l9",
            "move JJKK\nmove AA",
            "(;B[j10]",
            "(;RU[connect 15 15 5 1])",
            "(;RU[connect 15 15 5 1 5])",
            "(;RU[connect 15 15 5 1 1]SZ[19])",
            "(;AB[j10]AW[j10])",
        ] {
            assert!(load(bad.as_bytes(), Rules::CONNECT6, None).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_record_says_by_which_rules_it_was_played() {
        let mut game = Game::new(Rules::GOMOKU);
        for (column, row) in [(7, 7), (8, 8), (7, 8)] {
            game.play(game.to_move().color, Point::new(column, row).unwrap()).unwrap();
        }
        let text = game.sgf("", "");
        assert!(text.contains("RU[connect 15 15 5 1 1]"), "{text}");
        let again = load(text.as_bytes(), Rules::CONNECT6, None).unwrap();
        assert_eq!((again.rules(), again.key()), (game.rules(), game.key()));
        // What does not say is taken for what is being played, on the record's board.
        let plain = |rules| load(b"(;SZ[13];B[c3];W[d4])", rules, None).unwrap();
        assert_eq!(plain(Rules::GOMOKU).rules(), Rules::new(13, 13, 5, 1, 1).unwrap());
        assert_eq!(plain(Rules::CONNECT6).to_move().stones, 1);
        assert_eq!(load(b"h8 g8 h9", Rules::GOMOKU, None).unwrap().rules(), Rules::GOMOKU);
        assert_eq!(load(b"move HH\nmove GH", Rules::GOMOKU, None).unwrap().to_move().stones, 1);
    }

    #[test]
    fn a_start_is_kept_with_whose_turn_it_is() {
        let text = "(;FF[4]RU[connect 19 19 6 2 1]SZ[19]AB[j10][k11]AW[c3]PL[B];B[a1b1];W[a2b2])";
        let game = load(text.as_bytes(), Rules::CONNECT6, None).unwrap();
        assert_eq!((game.setup().len(), game.stones().len()), (3, 4));
        let again = load(game.sgf("", "").as_bytes(), Rules::CONNECT6, None).unwrap();
        assert!(again.setup() == game.setup() && again.first_player() == Color::Black);
        assert_eq!(again.key(), game.key());
        let first = load(text.as_bytes(), Rules::CONNECT6, Some(1)).unwrap();
        assert_eq!((first.stones().len(), first.board().count()), (1, 4));
        let none = load(text.as_bytes(), Rules::CONNECT6, Some(0)).unwrap();
        assert_eq!((none.to_move().color, none.to_move().stones), (Color::Black, 2));
        // Without PL by who plays, or by the number of stones.
        let side =
            |text: &str| load(text.as_bytes(), Rules::CONNECT6, Some(0)).unwrap().to_move().color;
        assert_eq!(side("(;AB[j10];B[a1b1])"), Color::Black);
        assert_eq!(side("(;AB[j10])"), Color::White);
        assert_eq!(side("(;PL[W])"), Color::White);
        let white = load(b"(;PL[W])", Rules::CONNECT6, None).unwrap();
        assert!(white.sgf("", "").contains("PL[W]"));
    }

    #[test]
    fn the_platform_is_told_who_plays_out_of_turn() {
        let game = load(b"(;B[j10];W[c3];W[d4e5];B[a1b1])", Rules::CONNECT6, None).unwrap();
        let text = platform(&game);
        assert_eq!(
            load(text.as_bytes(), Rules::CONNECT6, None).unwrap().key(),
            game.key(),
            "{text}"
        );
        let white = load(b"(;W[c3d4];W[e5f6];B[j10k10])", Rules::CONNECT6, None).unwrap();
        let text = platform(&white);
        assert_eq!(text, "white CCDD\nwhite EEFF\nmove JJKJ");
        assert_eq!(load(text.as_bytes(), Rules::CONNECT6, None).unwrap().key(), white.key());
    }
}
