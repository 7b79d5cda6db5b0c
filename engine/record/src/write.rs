//! Writing SGF: the same calls give the same bytes.

use crate::record::IN_HUNDREDTHS;
use crate::{Color, Header, Placement, Point, Record, Size, Step};
use std::collections::HashSet;
use std::fmt::Write;

/// A property's name: one or more capital letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ident(&'static str);

impl Ident {
    /// A comment.
    pub const COMMENT: Ident = Ident("C");
    /// A node's name.
    pub const NODE_NAME: Ident = Ident("N");
    /// Application that wrote the file.
    pub const APPLICATION: Ident = Ident("AP");
    /// Black stones placed.
    pub const ADD_BLACK: Ident = Ident("AB");
    /// White stones placed.
    pub const ADD_WHITE: Ident = Ident("AW");
    /// Points emptied.
    pub const ADD_EMPTY: Ident = Ident("AE");
    /// Points marked with a circle.
    pub const CIRCLE: Ident = Ident("CR");
    /// Points marked with a triangle.
    pub const TRIANGLE: Ident = Ident("TR");
    /// Points marked with a cross.
    pub const MARK: Ident = Ident("MA");

    /// A name of one's own, or `None` unless it is capital letters only.
    pub fn new(name: &'static str) -> Option<Self> {
        (!name.is_empty() && name.bytes().all(|letter| letter.is_ascii_uppercase()))
            .then_some(Ident(name))
    }
}

/// Text as the value of a property: with a backslash before what would end it.
///
/// ```
/// assert_eq!(game_record::escape_text(r"a[1] \ b"), r"a[1\] \\ b");
/// ```
pub fn escape_text(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// Writes games as SGF text.
///
/// ```
/// use game_record::{Color, Ident, Point, SgfWriter, Size};
/// let mut sgf = SgfWriter::new();
/// sgf.begin_game(1, Size::square(9)).end_line();
/// sgf.node().play(Color::Black, Some(Point::new(4, 4))).text(Ident::COMMENT, "centre [tengen]");
/// sgf.begin_variation().node().play(Color::White, Some(Point::new(2, 2))).end_variation();
/// sgf.begin_variation().node().play(Color::White, None).label(Point::new(2, 2), "1").end_variation();
/// sgf.end_game();
/// assert_eq!(sgf.finish(), "(;GM[1]FF[4]CA[UTF-8]SZ[9]\n;B[ee]C[centre [tengen\\]](;W[cc])(;W[]LB[cc:1]))\n");
/// ```
#[derive(Debug, Default)]
pub struct SgfWriter {
    out: String,
    depth: usize,
}

impl SgfWriter {
    /// A writer with nothing written.
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins a game and its root node with `GM`, `FF`, `CA` and `SZ`.
    pub fn begin_game(&mut self, game: u32, size: Size) -> &mut Self {
        self.begin(&format!("GM[{game}]"), size)
    }

    /// Begins a game that has no number, such as Connect6, and its root node with `FF`, `CA` and `SZ`.
    pub fn begin_unnumbered_game(&mut self, size: Size) -> &mut Self {
        self.begin("", size)
    }

    fn begin(&mut self, number: &str, size: Size) -> &mut Self {
        self.end_game();
        self.depth = 1;
        let _ = write!(self.out, "(;{number}FF[4]CA[UTF-8]SZ[");
        let _ = match size.side() {
            Some(side) => write!(self.out, "{side}]"),
            None => write!(self.out, "{}:{}]", size.columns, size.rows),
        };
        self
    }

    /// Writes what a header tells, in a fixed order; `GM` is left to [`SgfWriter::begin_game`].
    pub fn header(&mut self, header: &Header) -> &mut Self {
        let words = [
            (Ident("PB"), Some(&header.black.name)),
            (Ident("BR"), Some(&header.black.rank)),
            (Ident("PW"), Some(&header.white.name)),
            (Ident("WR"), Some(&header.white.rank)),
            (Ident("DT"), header.date.as_ref()),
            (Ident("EV"), header.event.as_ref()),
            (Ident("GN"), header.name.as_ref()),
            (Ident("RU"), header.rules.as_ref()),
        ];
        for (ident, word) in words {
            if let Some(word) = word.filter(|word| !word.is_empty()) {
                self.text(ident, word);
            }
        }
        if let Some(komi) = header.komi {
            // With a fraction where a whole number would be read as hundredths.
            let in_hundredths = IN_HUNDREDTHS.contains(&komi);
            let text = if in_hundredths { format!("{komi:?}") } else { komi.to_string() };
            self.text(Ident("KM"), &text);
        }
        if let Some(handicap) = header.handicap {
            self.text(Ident("HA"), &handicap.to_string());
        }
        if let Some(result) = &header.result {
            self.text(Ident("RE"), &result.to_string());
        }
        if let Some(color) = header.to_play {
            self.text(Ident("PL"), color.initial());
        }
        self
    }

    /// Begins a node.
    pub fn node(&mut self) -> &mut Self {
        self.out.push(';');
        self
    }

    /// Opens a variation; a [`SgfWriter::node`] has to follow.
    pub fn begin_variation(&mut self) -> &mut Self {
        self.depth += 1;
        self.out.push('(');
        self
    }

    /// Closes the variation opened last.
    pub fn end_variation(&mut self) -> &mut Self {
        if self.depth > 1 {
            self.depth -= 1;
            self.out.push(')');
        }
        self
    }

    /// A line break, which means nothing to a reader.
    pub fn end_line(&mut self) -> &mut Self {
        self.out.push('\n');
        self
    }

    /// A move, or a pass for `None`.
    pub fn play(&mut self, color: Color, point: Option<Point>) -> &mut Self {
        let point = point.and_then(Point::to_sgf).unwrap_or_default();
        let _ = write!(self.out, "{}[{point}]", color.initial());
        self
    }

    /// A property whose value is text; it is escaped here.
    pub fn text(&mut self, ident: Ident, text: &str) -> &mut Self {
        self.out.push_str(ident.0);
        self.out.push('[');
        self.escaped(text, false);
        self.out.push(']');
        self
    }

    /// A property whose values are points; nothing when there is none.
    pub fn points(&mut self, ident: Ident, points: impl IntoIterator<Item = Point>) -> &mut Self {
        let mut points = points.into_iter().filter_map(Point::to_sgf).peekable();
        if points.peek().is_some() {
            self.out.push_str(ident.0);
        }
        for point in points {
            let _ = write!(self.out, "[{point}]");
        }
        self
    }

    /// A label on a point. SGF allows `LB` once a node: use [`SgfWriter::labels`] for more.
    pub fn label(&mut self, point: Point, text: &str) -> &mut Self {
        self.labels([(point, text)])
    }

    /// Labels on points; nothing when there is none.
    pub fn labels<'a>(&mut self, labels: impl IntoIterator<Item = (Point, &'a str)>) -> &mut Self {
        let mut first = true;
        for (point, text) in labels {
            let Some(point) = point.to_sgf() else {
                continue;
            };
            if std::mem::take(&mut first) {
                self.out.push_str("LB");
            }
            let _ = write!(self.out, "[{point}:");
            self.escaped(text, true);
            self.out.push(']');
        }
        self
    }

    /// Closes the game and whatever is still open in it.
    pub fn end_game(&mut self) -> &mut Self {
        if self.depth > 0 {
            self.out.extend(std::iter::repeat_n(')', self.depth));
            self.out.push('\n');
            self.depth = 0;
        }
        self
    }

    /// A whole record: header, setup and main line, ten moves a line. Of a setup that goes over a point twice the last word is
    /// written.
    pub fn record(&mut self, record: &Record) -> &mut Self {
        self.begin_game(record.header.game, record.size).header(&record.header);
        // A node names a point once, and its properties have no order: what stands there in the end.
        let mut named = HashSet::new();
        let mut setup: Vec<&Placement> =
            record.setup.iter().rev().filter(|placed| named.insert(placed.point)).collect();
        setup.reverse();
        for (ident, stone) in [
            (Ident::ADD_BLACK, Some(Color::Black)),
            (Ident::ADD_WHITE, Some(Color::White)),
            (Ident::ADD_EMPTY, None),
        ] {
            self.points(
                ident,
                setup.iter().filter(|placed| placed.stone == stone).map(|placed| placed.point),
            );
        }
        for (index, step) in record.steps.iter().enumerate() {
            if index % 10 == 0 {
                self.end_line();
            }
            self.node();
            match step {
                Step::Play(play) => self.play(play.color, play.point),
                Step::Setup(placed) => {
                    let ident = match placed.stone {
                        Some(Color::Black) => Ident::ADD_BLACK,
                        Some(Color::White) => Ident::ADD_WHITE,
                        None => Ident::ADD_EMPTY,
                    };
                    self.points(ident, [placed.point])
                }
                Step::ToPlay(color) => self.text(Ident("PL"), color.initial()),
            };
        }
        self.end_game()
    }

    /// The text; whatever is open is closed first.
    pub fn finish(mut self) -> String {
        self.end_game();
        self.out
    }

    fn escaped(&mut self, text: &str, composed: bool) {
        let text = escape_text(text);
        // A colon parts the two halves of a composed value.
        self.out.push_str(&if composed { text.replace(':', "\\:") } else { text });
    }
}
