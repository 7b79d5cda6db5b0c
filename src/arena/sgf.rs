//! The record of a game as SGF.

use game_core::time::{TimeControl, TimeLeft};
use game_record::{Header, Ident, Outcome, Player, Point, SgfWriter, Size};

use super::arbiter::{Color, Game, Step, Vertex, algebraic};
use super::game::EndReason;
use super::settings::Settings;
use super::turn::Turn;

/// What stands in a record's root besides the moves.
#[derive(Clone, Debug)]
pub struct Heading<'a> {
    /// The match's settings.
    pub settings: &'a Settings,
    /// Names by colour.
    pub names: [&'a str; 2],
    /// What each program calls itself, with its version, by colour.
    pub programs: [String; 2],
    /// The result as SGF has it; empty while there is none.
    pub result: &'a str,
    /// When the game began, in UTC.
    pub started: &'a str,
    /// The title of the game.
    pub title: String,
    /// Remarks on the game: seed, faults, claims.
    pub remarks: Vec<String>,
}

/// Writes the record.
pub fn write(heading: &Heading, handicap: &[Vertex], turns: &[Turn]) -> String {
    let settings = heading.settings;
    let is_go = settings.game == Game::GO;
    let named = |name: &str| Player { name: name.to_string(), rank: String::new() };
    let stones = handicap.len() as u32;
    let header = Header {
        komi: is_go.then_some(settings.komi),
        handicap: (stones > 0).then_some(stones),
        rules: is_go.then(|| settings.rules.to_string()),
        black: named(heading.names[0]),
        white: named(heading.names[1]),
        date: Some(heading.started.chars().take(10).collect()),
        name: Some(heading.title.clone()),
        result: (!heading.result.is_empty()).then(|| Outcome::from_sgf(heading.result)),
        ..Header::default()
    };
    let mut sgf = SgfWriter::new();
    let size = Size::square(settings.size);
    match settings.game.sgf_number {
        Some(number) => sgf.begin_game(number, size),
        None => sgf.begin_unnumbered_game(size),
    };
    sgf.header(&header);
    sgf.text(Ident::APPLICATION, concat!("Tesuji:", env!("CARGO_PKG_VERSION")));
    if let Some(time) = settings.time {
        text(&mut sgf, "TM", &time.main().as_secs_f64().to_string());
        if let Some(overtime) = overtime(&time) {
            text(&mut sgf, "OT", &overtime);
        }
    }
    let mut remarks = vec![];
    for (color, program, player) in [
        ("Black", &heading.programs[0], heading.names[0]),
        ("White", &heading.programs[1], heading.names[1]),
    ] {
        let command = settings.players.iter().find(|p| p.name == player).map_or("", |p| &p.command);
        remarks.push(format!("{color}: {program}\n{color} command: {command}"));
    }
    remarks.extend(heading.remarks.iter().cloned());
    sgf.text(Ident::COMMENT, &remarks.join("\n"));
    sgf.points(Ident::ADD_BLACK, handicap.iter().map(|&at| point(at, settings.size)));
    for turn in turns {
        write_turn(sgf.end_line().node(), turn, settings);
    }
    sgf.finish()
}

/// What follows the main time, in the words that servers and editors write and read in `OT`.
fn overtime(control: &TimeControl) -> Option<String> {
    match control {
        TimeControl::Unlimited | TimeControl::Absolute { .. } => None,
        TimeControl::ByoYomi { period, periods, .. } => {
            Some(format!("{periods}x{} byo-yomi", period.as_secs_f64()))
        }
        TimeControl::Canadian { period, stones, .. } => {
            Some(format!("{stones}/{} Canadian", period.as_secs_f64()))
        }
        TimeControl::Fischer { increment, .. } => {
            Some(format!("{} fischer", increment.as_secs_f64()))
        }
    }
}

/// A time control in words for people: `300 s + 3x30 byo-yomi`.
pub fn time_words(control: &TimeControl) -> String {
    let main = format!("{} s", control.main().as_secs_f64());
    overtime(control).map_or(main.clone(), |overtime| format!("{main} + {overtime}"))
}

fn write_turn(sgf: &mut SgfWriter, turn: &Turn, settings: &Settings) {
    let black = turn.color == Color::Black;
    let squares: Vec<Vertex> = turn
        .steps
        .iter()
        .filter_map(|step| if let Step::At(square) = step { Some(*square) } else { None })
        .collect();
    match squares.as_slice() {
        squares if settings.game == Game::GO => {
            let color = if black { game_record::Color::Black } else { game_record::Color::White };
            sgf.play(color, squares.first().map(|&at| point(at, settings.size)));
        }
        &[from, to, arrow] => {
            let turn = format!("{}-{}/{}", algebraic(from), algebraic(to), algebraic(arrow));
            text(sgf, if black { "B" } else { "W" }, &turn);
        }
        squares => {
            let turn: String = squares.iter().map(|&square| algebraic(square)).collect();
            text(sgf, if black { "B" } else { "W" }, &turn);
        }
    }
    if let Some(left) = turn.clock {
        let (time, number) = match left {
            TimeLeft::Main(time) => (time, None),
            TimeLeft::Stones(time, number) | TimeLeft::Periods(time, number) => {
                (time, Some(number))
            }
        };
        text(sgf, if black { "BL" } else { "WL" }, &format!("{:.3}", time.as_secs_f64()));
        if let Some(number) = number {
            text(sgf, if black { "OB" } else { "OW" }, &number.to_string());
        }
    }
    let mut comment = turn.comment.trim().to_string();
    if let Some(time) = turn.time {
        let line = format!("{:.3} s", time.as_secs_f64());
        comment = if comment.is_empty() { line } else { format!("{line}\n{comment}") };
    }
    if !comment.is_empty() {
        sgf.text(Ident::COMMENT, &comment);
    }
}

fn text(sgf: &mut SgfWriter, ident: &'static str, value: &str) {
    if let Some(ident) = Ident::new(ident) {
        sgf.text(ident, value);
    }
}

/// A point of Go in SGF, whose rows are counted from the top.
fn point(at: Vertex, size: u8) -> Point {
    Point::new(at.column, size - 1 - at.row)
}

/// The result as SGF writes it, from the winner and the way it came about.
pub fn result_word(winner: Option<Color>, margin: Option<f64>, reason: EndReason) -> String {
    let Some(color) = winner else {
        return if reason == EndReason::Void { "Void".into() } else { "0".into() };
    };
    let suffix = match (reason, margin) {
        (EndReason::Resign, _) => "R".to_string(),
        (EndReason::Time, _) => "T".to_string(),
        (EndReason::Forfeit, _) => "F".to_string(),
        (_, Some(points)) => points.to_string(),
        (_, None) => String::new(),
    };
    format!("{}+{suffix}", color.initial())
}
