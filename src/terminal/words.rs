//! What a player can type.

/// What a line asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Word {
    /// To put a stone down, or make a step: the text is for the session to read.
    Play(String),
    /// To pass.
    Pass,
    /// To take back the last move and the answer to it.
    Undo,
    /// To be told a good move.
    Hint,
    /// To hear how the game stands.
    Score,
    /// To give up.
    Resign,
    /// To begin again.
    New,
    /// To begin again on a board of this size.
    Size(String),
    /// To play a colour, both, or none; the program plays the others.
    Side(Side),
    /// To let the program make the next move, whoever's it is.
    Go,
    /// To keep the game in a file.
    Save(String),
    /// To go on with a game from a file.
    Load(String),
    /// To be told what can be typed.
    Help,
    /// To leave.
    Quit,
    /// A command of the protocol, as it is.
    Command(String),
    /// Nothing.
    Empty,
    /// What is not understood, with the nearest right word.
    Unknown(String, Option<&'static str>),
}

/// Who is played by the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Black.
    Black,
    /// White.
    White,
    /// Both.
    Both,
    /// Nobody: the program plays against itself.
    Nobody,
}

/// The words, with other forms of each.
const WORDS: [(&str, &[&str]); 17] = [
    ("pass", &[]),
    ("undo", &["back", "takeback", "u"]),
    ("hint", &["h", "suggest"]),
    ("score", &["count", "status"]),
    ("resign", &[]),
    ("new", &["restart"]),
    ("size", &["board"]),
    ("black", &[]),
    ("white", &[]),
    ("both", &[]),
    ("watch", &["nobody"]),
    ("go", &["move"]),
    ("save", &[]),
    ("load", &["open"]),
    ("help", &["?", "commands"]),
    ("quit", &["exit", "bye", "q"]),
    ("play", &[]),
];

/// What can be typed, for a person to read.
pub const HELP: &str = "d4            a stone there; arrow keys and Enter do the same
pass          no stone          resign   gives up
undo          takes back your move and the answer
hint          a good move       score    how the game stands
black, white  your colour       both     you play both    watch   nobody
new, size 9   begins again      go       the program moves now
save FILE, load FILE            quit     leaves (Ctrl-C too)
Commands of the protocol work as well: `list_commands` shows them.";

impl Word {
    /// Reads a line; `is_command` says which words are commands of the protocol.
    pub fn read(line: &str, is_command: impl Fn(&str) -> bool) -> Word {
        let line = line.trim();
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (first, rest) = (first.to_lowercase(), rest.trim());
        if first.is_empty() {
            return Word::Empty;
        }
        // `play b D4` is the protocol's, `play D4` a person's.
        let has_color = rest.split_whitespace().count() > 1
            && rest.split(' ').next().is_some_and(|word| crate::gtp::read_color(word).is_ok());
        if first == "play" && !has_color && !rest.is_empty() {
            return if rest.eq_ignore_ascii_case("pass") {
                Word::Pass
            } else {
                Word::Play(rest.into())
            };
        }
        let known =
            WORDS.iter().find(|(word, others)| *word == first || others.contains(&first.as_str()));
        match known.map(|(word, _)| *word) {
            Some("pass") => Word::Pass,
            Some("undo") => Word::Undo,
            Some("hint") => Word::Hint,
            Some("score") => Word::Score,
            Some("resign") => Word::Resign,
            Some("new") => Word::New,
            Some("size") if !rest.is_empty() => {
                Word::Size(rest.split(['x', ' ']).next().unwrap_or(rest).into())
            }
            Some("black") => Word::Side(Side::Black),
            Some("white") => Word::Side(Side::White),
            Some("both") => Word::Side(Side::Both),
            Some("watch") => Word::Side(Side::Nobody),
            Some("go") => Word::Go,
            Some("save") if !rest.is_empty() => Word::Save(rest.into()),
            Some("load") if !rest.is_empty() => Word::Load(rest.into()),
            Some("help") => Word::Help,
            Some("quit") => Word::Quit,
            Some(needs @ ("size" | "save" | "load" | "play")) if !has_color => {
                Word::Unknown(format!("{needs} what?"), example(needs))
            }
            _ if is_command(&first) => Word::Command(line.into()),
            _ if looks_like_points(line) => Word::Play(line.into()),
            _ => Word::Unknown(format!("{first:?} is no word here"), nearest(&first)),
        }
    }
}

fn example(word: &str) -> Option<&'static str> {
    match word {
        "size" => Some("size 9"),
        "save" => Some("save game.sgf"),
        "load" => Some("load game.sgf"),
        _ => Some("play d4"),
    }
}

/// `d4`, `k10 k11`, `d1-d7/g7`: points, with whatever stands between them.
fn looks_like_points(line: &str) -> bool {
    line.split([' ', ',', '-', '/', '(', ')']).filter(|word| !word.is_empty()).all(|word| {
        let letters = word.chars().take_while(char::is_ascii_alphabetic).count();
        let digits = word.len() - letters;
        letters == 1 && (1..=2).contains(&digits) && word[1..].bytes().all(|b| b.is_ascii_digit())
            || word.parse::<crate::gtp::Vertex>().is_ok()
            || crate::gtp::read_vertices(word).is_ok_and(|points| !points.is_empty())
    })
}

/// The word that was meant, if one is near enough.
fn nearest(wrong: &str) -> Option<&'static str> {
    let all = WORDS.iter().flat_map(|(word, others)| std::iter::once(word).chain(others.iter()));
    let near = all
        .filter(|word| word.len() > 1)
        .map(|&word| (strsim::damerau_levenshtein(wrong, word), word));
    let (distance, word) = near.min_by_key(|(distance, _)| *distance)?;
    (distance <= 1 + word.len() / 4).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Word {
        Word::read(line, |word| ["showboard", "genmove", "play", "undo"].contains(&word))
    }

    #[test]
    fn people_and_the_protocol_are_understood() {
        for (line, word) in [
            ("d4", Word::Play("d4".into())),
            (" K10 k11 ", Word::Play("K10 k11".into())),
            ("d1-d7/g7", Word::Play("d1-d7/g7".into())),
            ("play d4", Word::Play("d4".into())),
            ("play pass", Word::Pass),
            ("play b d4", Word::Command("play b d4".into())),
            ("PASS", Word::Pass),
            ("back", Word::Undo),
            ("size 9", Word::Size("9".into())),
            ("size 13x13", Word::Size("13".into())),
            ("white", Word::Side(Side::White)),
            ("save my game.sgf", Word::Save("my game.sgf".into())),
            ("showboard", Word::Command("showboard".into())),
            ("genmove b", Word::Command("genmove b".into())),
            ("", Word::Empty),
        ] {
            assert_eq!(read(line), word, "{line:?}");
        }
    }

    #[test]
    fn a_wrong_word_gets_the_nearest_right_one() {
        for (wrong, right) in [
            ("unod", Some("undo")),
            ("hnit", Some("hint")),
            ("scroe", Some("score")),
            ("quti", Some("quit")),
            ("resing", Some("resign")),
            ("zzzzzz", None),
        ] {
            assert_eq!(read(wrong), Word::Unknown(format!("{wrong:?} is no word here"), right));
        }
        assert_eq!(read("size"), Word::Unknown("size what?".into(), Some("size 9")));
    }
}
