//! A game's header, setup and main line, checked.

use crate::{Color, ErrorKind, GameText, Node, Outcome, Point, RecordError, Size, Tree};

/// Who played.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Player {
    /// The name, `PB` or `PW`; empty where the record has none.
    pub name: String,
    /// The rank, `BR` or `WR`; empty where the record has none.
    pub rank: String,
}

/// Stones that a game may put on the board or take off it outside play: a few letters name a whole board.
const MAX_PLACED: usize = 1_000_000;

/// What the root of a record tells about the game, whatever the game is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Header {
    /// `GM`: 1 is Go, which is also taken where it is left out.
    pub game: u32,
    /// `KM` in points, also where it is written with a comma or, as the Fox server does, in hundredths; `None` where it is left
    /// out or no finite number.
    pub komi: Option<f64>,
    /// `HA`, number of stones; `None` where it is left out or no number.
    pub handicap: Option<u32>,
    /// `RU` as written.
    pub rules: Option<String>,
    /// Black.
    pub black: Player,
    /// White.
    pub white: Player,
    /// `DT` as written.
    pub date: Option<String>,
    /// `EV` as written.
    pub event: Option<String>,
    /// `GN` as written.
    pub name: Option<String>,
    /// `RE`.
    pub result: Option<Outcome>,
    /// `PL`, who moves first after the setup, of the root or of a node before the first move; `None` where it is left out.
    pub to_play: Option<Color>,
}

/// A stone put on a point or taken off it, outside play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placement {
    /// Where.
    pub point: Point,
    /// The stone, or `None` for an empty point (`AE`).
    pub stone: Option<Color>,
}

/// A move of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// Whose move.
    pub color: Color,
    /// Where, or `None` for a pass.
    pub point: Option<Point>,
}

/// What happens in the main line, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A move.
    Play(Move),
    /// A stone placed or removed after the first move.
    Setup(Placement),
    /// Who moves next (`PL`), where that is said after the first move.
    ToPlay(Color),
}

/// A record of a game on a board of points (Go, and others that share its notation): header, setup and main line.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The board's size: `SZ`, else 19.
    pub size: Size,
    /// What the root tells.
    pub header: Header,
    /// Stones placed before the first move (`AB`, `AW`, `AE`), in the order written.
    pub setup: Vec<Placement>,
    /// The main line after that.
    pub steps: Vec<Step>,
}

impl Header {
    /// Reads the header of a game's root.
    ///
    /// # Errors
    /// When `GM` is no number or `PL` no colour. Other fields are free text in practice and refuse nothing.
    pub fn read(root: Node<'_, '_>) -> Result<Self, RecordError> {
        let text = |ident| root.text(ident).map(|text| text.trim().to_owned());
        let game = match text("GM") {
            Some(value) => value.parse().map_err(|_| root.error(ErrorKind::BadGame(value)))?,
            None => 1,
        };
        let to_play = match text("PL") {
            Some(value) => {
                Some(color(&value).ok_or_else(|| root.error(ErrorKind::BadPlayer(value)))?)
            }
            None => None,
        };
        Ok(Header {
            game,
            komi: text("KM").and_then(|value| komi(&value)),
            handicap: text("HA").and_then(|value| value.parse().ok()),
            rules: text("RU"),
            black: Player {
                name: text("PB").unwrap_or_default(),
                rank: text("BR").unwrap_or_default(),
            },
            white: Player {
                name: text("PW").unwrap_or_default(),
                rank: text("WR").unwrap_or_default(),
            },
            date: text("DT"),
            event: text("EV"),
            name: text("GN"),
            result: text("RE").map(|value| Outcome::from_sgf(&value)),
            to_play,
        })
    }
}

impl Record {
    /// Reads a game's header, setup and main line.
    ///
    /// # Errors
    /// What [`Tree::parse`] refuses; a size that is none; a point that is not on the board; more setup than any game has. Moves
    /// are not played out: that a point is free is for whoever knows the rules to say.
    pub fn read(game: &GameText<'_>) -> Result<Self, RecordError> {
        Self::from_tree(&Tree::parse(game)?)
    }

    /// Reads the main line of a tree; see [`Record::read`].
    ///
    /// # Errors
    /// As [`Record::read`].
    pub fn from_tree(tree: &Tree<'_>) -> Result<Self, RecordError> {
        let root = tree.node(Tree::ROOT);
        let size = match root.value("SZ") {
            Some(value) => Size::from_sgf(value)
                .ok_or_else(|| root.error(ErrorKind::BadSize(value.to_owned())))?,
            None => Size::square(19),
        };
        let mut record = Record {
            size,
            header: Header::read(root)?,
            setup: Vec::new(),
            steps: Vec::with_capacity(tree.len()),
        };
        let mut room = MAX_PLACED;
        for node in tree.main_line() {
            record.add(node, &mut room)?;
        }
        Ok(record)
    }

    /// The moves of the main line.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.steps.iter().filter_map(|step| match step {
            Step::Play(play) => Some(*play),
            Step::Setup(_) | Step::ToPlay(_) => None,
        })
    }

    /// Whether stones are placed or removed after the first move.
    pub fn has_late_setup(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Setup(_)))
    }

    /// Adds a node; `room` is how many stones may still be set up.
    fn add(&mut self, node: Node<'_, '_>, room: &mut usize) -> Result<(), RecordError> {
        // Setup and moves may not share a node; where they do, the stones are there before the move.
        for (ident, stone) in [("AB", Some(Color::Black)), ("AW", Some(Color::White)), ("AE", None)]
        {
            for property in node.properties().filter(|property| property.is(ident)) {
                // Some programs write a list that they have no points for.
                for value in property.values.iter().filter(|value| !value.trim().is_empty()) {
                    let corners = corners(value, self.size)
                        .ok_or_else(|| self.bad_point(node, ident, value))?;
                    for (column, row) in corners {
                        *room = room
                            .checked_sub(1)
                            .ok_or_else(|| node.error(ErrorKind::TooManyStones(MAX_PLACED)))?;
                        let placement = Placement { point: Point::new(column, row), stone };
                        if self.steps.is_empty() {
                            self.setup.push(placement);
                        } else {
                            self.steps.push(Step::Setup(placement));
                        }
                    }
                }
            }
        }
        // The root's was read with the header; beside a move it means nothing.
        if node.parent().is_some()
            && let Some(color) = node.text("PL").and_then(|value| color(value.trim()))
            && !node.properties().any(|property| property.is("B") || property.is("W"))
        {
            match self.steps.is_empty() {
                true => self.header.to_play = Some(color),
                false => self.steps.push(Step::ToPlay(color)),
            }
        }
        for property in node.properties() {
            let color = if property.is("B") {
                Color::Black
            } else if property.is("W") {
                Color::White
            } else {
                continue;
            };
            let value = property.values.first().copied().unwrap_or_default();
            let point = play(value, self.size)
                .ok_or_else(|| self.bad_point(node, color.initial(), value))?;
            self.steps.push(Step::Play(Move { color, point }));
        }
        Ok(())
    }

    fn bad_point(&self, node: Node<'_, '_>, property: &str, value: &str) -> RecordError {
        let shown: String = value.chars().take(20).collect();
        node.error(ErrorKind::BadPoint {
            property: property.to_owned(),
            value: shown,
            size: self.size.to_string(),
        })
    }
}

fn color(text: &str) -> Option<Color> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" | "1" => Some(Color::Black),
        "w" | "white" | "2" => Some(Color::White),
        _ => None,
    }
}

/// Komi in points. The Fox server writes hundredths, of points or, under Chinese rules, of stones, which are two points each: 650
/// is 6.5, and 375 is 7.5.
///
/// No board has a komi of so many whole points; one that is meant so is written with a fraction, as [`SgfWriter`](crate::SgfWriter)
/// does.
fn komi(text: &str) -> Option<f64> {
    let komi: f64 = text.replace(',', ".").parse().ok().filter(|komi: &f64| komi.is_finite())?;
    if !IN_HUNDREDTHS.contains(&komi) || text.contains(['.', ',', 'e', 'E']) {
        return Some(komi);
    }
    let komi = komi / 100.0;
    let is_half_points = (2.0 * komi).fract() == 0.0;
    Some(if is_half_points { komi } else { 2.0 * komi })
}

/// Whole numbers that are komi in hundredths.
pub(crate) const IN_HUNDREDTHS: std::ops::RangeInclusive<f64> = 200.0..=1000.0;

/// A move's value: nothing is a pass, and so is `tt` up to 19x19, as FF\[3\] had it.
fn play(value: &str, size: Size) -> Option<Option<Point>> {
    let value = if value.len() == 2 { value } else { value.trim() };
    if value.is_empty() || (value == "tt" && size.columns <= 19 && size.rows <= 19) {
        return Some(None);
    }
    Point::from_sgf(value).filter(|&point| size.contains(point)).map(Some)
}

/// A point, or the points of a rectangle written as two corners.
fn corners(value: &str, size: Size) -> Option<impl Iterator<Item = (u8, u8)> + use<>> {
    let (first, last) = value.trim().split_once(':').unwrap_or((value.trim(), value.trim()));
    let (first, last) = (Point::from_sgf(first.trim())?, Point::from_sgf(last.trim())?);
    if !size.contains(first)
        || !size.contains(last)
        || first.column > last.column
        || first.row > last.row
    {
        return None;
    }
    Some(
        (first.row..=last.row)
            .flat_map(move |row| (first.column..=last.column).map(move |column| (column, row))),
    )
}
