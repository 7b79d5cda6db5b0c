//! What the server says, line by line.

use go_engine::{Color, Move, Point};

/// One line of the server.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// It asks which protocol is spoken.
    Protocol {
        /// Whether it takes analysis with moves.
        takes_analysis: bool,
    },
    /// It asks for the name.
    Username,
    /// It asks for the password.
    Password,
    /// Words for people; about once a minute, and the only sign of life.
    Info(String),
    /// A game begins, or goes on after a broken line.
    Setup(Setup),
    /// The opponent has moved.
    Play {
        /// Its colour.
        color: Color,
        /// Its move.
        mv: Move,
        /// Milliseconds that it has left.
        left: Option<i64>,
    },
    /// It is this engine's turn.
    Genmove {
        /// Its colour.
        color: Color,
        /// Milliseconds that it has left; below zero when it is late already.
        left: i64,
    },
    /// The game is over.
    GameOver {
        /// The date, as the server writes it.
        date: String,
        /// The result, as the server writes it.
        result: String,
        /// More words, often none.
        text: String,
    },
    /// It refuses something, and closes next.
    Refusal(String),
    /// Something else, which is passed over.
    Other,
}

/// A game as the server begins it.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// The game's number; some servers give 0 to all.
    pub id: String,
    /// The board's side.
    pub size: u8,
    /// White's compensation.
    pub komi: f64,
    /// Milliseconds for the whole game.
    pub main: i64,
    /// Who plays, by colour, Black first.
    pub players: [Rated; 2],
    /// The moves so far, Black's first, each with the milliseconds that its player had left after it.
    pub moves: Vec<(Move, i64)>,
}

/// A player's name with its rating.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rated {
    /// The name.
    pub name: String,
    /// The rating as the server writes it, `1800?` while it is provisional; empty where it tells none.
    pub rating: String,
}

impl Rated {
    /// `Name(1800)`, or a name alone.
    fn read(word: &str) -> Rated {
        match word.strip_suffix(')').and_then(|word| word.rsplit_once('(')) {
            Some((name, rating)) => Rated { name: name.to_owned(), rating: rating.to_owned() },
            None => Rated { name: word.to_owned(), rating: String::new() },
        }
    }
}

/// Texts of refusals that come without `Error:`.
const BARE_REFUSALS: [&str; 1] = ["Sorry, password doesn't match"];

impl Message {
    /// Reads a line. Unknown ones are [`Message::Other`].
    ///
    /// # Errors
    /// When it is a line of the protocol in which something cannot be understood; the words say what.
    pub fn read(line: &str) -> Result<Message, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let words: Vec<&str> = rest.split_whitespace().collect();
        Ok(match word {
            "protocol" => Message::Protocol { takes_analysis: words.contains(&"genmove_analyze") },
            "username" => Message::Username,
            "password" => Message::Password,
            "info" => Message::Info(rest.to_owned()),
            "setup" => Message::Setup(setup(&words)?),
            "play" => match words[..] {
                [color, mv, ref more @ ..] => Message::Play {
                    color: read_color(color)?,
                    mv: read_move(mv)?,
                    left: more.first().and_then(|ms| ms.parse().ok()),
                },
                _ => return Err("a colour and a move are expected".to_owned()),
            },
            "genmove" => match words[..] {
                [color, left, ..] => {
                    Message::Genmove { color: read_color(color)?, left: milliseconds(left)? }
                }
                _ => return Err("a colour and its time are expected".to_owned()),
            },
            "gameover" => {
                let word = |at: usize| words.get(at).copied().unwrap_or_default().to_owned();
                let text = words.get(2..).unwrap_or_default().join(" ");
                Message::GameOver { date: word(0), result: word(1), text }
            }
            _ if word.eq_ignore_ascii_case("error:") => Message::Refusal(rest.to_owned()),
            _ if BARE_REFUSALS.contains(&line) => Message::Refusal(line.to_owned()),
            _ => Message::Other,
        })
    }
}

fn setup(words: &[&str]) -> Result<Setup, String> {
    let &[id, size, komi, main, white, black, ref moves @ ..] = words else {
        return Err("a number, size, komi, time and two names are expected after setup".to_owned());
    };
    let size = match size.parse() {
        Ok(size @ 2..=25) => size,
        _ => return Err(format!("{size:?} is no board of 2 to 25")),
    };
    let komi = match komi.parse::<f64>() {
        Ok(komi) if komi.is_finite() => komi,
        _ => return Err(format!("{komi:?} is no komi")),
    };
    if moves.len() % 2 == 1 {
        return Err("a move without its time".to_owned());
    }
    let moves = moves.chunks_exact(2).map(|pair| Ok((read_move(pair[0])?, milliseconds(pair[1])?)));
    Ok(Setup {
        id: id.to_owned(),
        size,
        komi,
        main: milliseconds(main)?,
        players: [Rated::read(black), Rated::read(white)],
        moves: moves.collect::<Result<_, String>>()?,
    })
}

fn read_color(word: &str) -> Result<Color, String> {
    match word {
        "b" | "B" => Ok(Color::Black),
        "w" | "W" => Ok(Color::White),
        _ => Err(format!("{word:?} is no colour")),
    }
}

/// A move in any case. As the server does, anything that begins with `pa` is a pass.
fn read_move(word: &str) -> Result<Move, String> {
    if word.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("pa")) {
        return Ok(Move::Pass);
    }
    word.parse::<Point>().map(Move::Play).map_err(|error| error.to_string())
}

fn milliseconds(word: &str) -> Result<i64, String> {
    word.parse().map_err(|_| format!("{word:?} is no number of milliseconds"))
}

/// Who won by a result as servers write it: `None` for nobody, or where it does not say.
///
/// ```
/// use go_engine::Color;
/// use tesuji::cgos::message::winner;
/// assert_eq!(winner("B+3.5"), Some(Color::Black));
/// assert_eq!(winner("Black aborted"), None);
/// assert_eq!(winner("B+0.0"), None);
/// ```
pub fn winner(result: &str) -> Option<Color> {
    let (winner, margin) = result.split_once('+')?;
    if margin.parse::<f64>() == Ok(0.0) {
        return None;
    }
    read_color(winner).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(text: &str) -> Move {
        Move::Play(text.parse().unwrap())
    }

    #[test]
    fn lines_are_read_with_all_their_blanks() {
        let read = |line| Message::read(line).unwrap();
        assert_eq!(read("protocol genmove_analyze\r"), Message::Protocol { takes_analysis: true });
        assert_eq!(read(" protocol "), Message::Protocol { takes_analysis: false });
        let play = Message::Play { color: Color::White, mv: point("D4"), left: Some(1500) };
        assert_eq!(read("play  w  d4 1500 "), play);
        let pass = Message::Play { color: Color::Black, mv: Move::Pass, left: None };
        assert_eq!(read("play b PASS"), pass);
        assert_eq!(read("genmove b -20"), Message::Genmove { color: Color::Black, left: -20 });
        assert_eq!(
            read("gameover 2024-03-01 W+Time  too  late"),
            Message::GameOver {
                date: "2024-03-01".into(),
                result: "W+Time".into(),
                text: "too late".into()
            }
        );
        assert_eq!(read("Error: invalid response"), Message::Refusal("invalid response".into()));
        assert!(matches!(read("Sorry, password doesn't match"), Message::Refusal(_)));
        for other in ["", "hello world", "\u{fffd}\u{1}", "playing"] {
            assert_eq!(read(other), Message::Other, "{other:?}");
        }
    }

    #[test]
    fn a_setup_names_white_first_and_may_come_with_moves() {
        let line = "setup 7 9 7.5 300000 White(1800?)  Black D4 299000 pass  298000";
        let Ok(Message::Setup(setup)) = Message::read(line) else { panic!("{line}") };
        assert_eq!((setup.id.as_str(), setup.size, setup.main), ("7", 9, 300_000));
        assert_eq!(setup.players[0], Rated { name: "Black".into(), rating: String::new() });
        assert_eq!(setup.players[1], Rated { name: "White".into(), rating: "1800?".into() });
        assert_eq!(setup.moves, [(point("D4"), 299_000), (Move::Pass, 298_000)]);
        for broken in [
            "setup 7 9 7.5 300000 White(1800)",
            "setup 7 99 7.5 300000 W B",
            "setup 7 9 nan 300000 W B",
            "setup 7 9 7.5 soon W B",
            "setup 7 9 7.5 1 W B D4",
            "setup 7 9 7.5 1 W B I4 5",
            "play b",
            "play c D4 1",
            "genmove b",
            "genmove b soon",
        ] {
            assert!(Message::read(broken).is_err(), "{broken}");
        }
    }
}
