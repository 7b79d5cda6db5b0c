//! Analysis in the forms of Leela Zero (`lz-`) and KataGo (`kata-`), for games whose moves are rows of points: what was
//! asked for, and how a line tells what was found.
//!
//! A line tells one point after `move`, since that is what controllers can show; the whole turn and what is expected
//! after it follow as `pv`, point by point.

use std::fmt::Write;
use std::time::Duration;

use super::Color;
use super::answer::Failure;
use super::words::{Args, read_color};

/// Whose form the lines have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Whole numbers only, ten-thousandths.
    Leela,
    /// Fractions.
    Kata,
}

/// What an analysis was asked for; `P` is a point.
#[derive(Debug, Clone, PartialEq)]
pub struct Options<P> {
    /// For whom.
    pub color: Color,
    /// How often lines come.
    pub interval: Duration,
    /// Moves to tell at least, also such as were not searched.
    pub least_moves: usize,
    /// Moves to tell at most.
    pub most_moves: usize,
    /// Whether to tell of the position as a whole.
    pub root: bool,
    avoid: Vec<P>,
    allow: Vec<P>,
}

/// How often lines come when no interval is given.
const DEFAULT_INTERVAL: Duration = Duration::from_millis(500);

impl<P: PartialEq> Options<P> {
    /// Reads colour, interval and options: colour and interval in any order, either may be absent. `read` makes points of
    /// a word.
    ///
    /// # Errors
    /// A word that is none of this, or a point that `read` refuses.
    pub fn parse(
        args: &mut Args<'_>,
        to_move: Color,
        read: impl Fn(&str) -> Result<Vec<P>, Failure>,
    ) -> Result<Options<P>, Failure> {
        let mut options = Options {
            color: to_move,
            interval: DEFAULT_INTERVAL,
            least_moves: 0,
            most_moves: usize::MAX,
            root: false,
            avoid: Vec::new(),
            allow: Vec::new(),
        };
        while let Some(word) = args.next() {
            if let Ok(color) = read_color(word) {
                options.color = color;
                continue;
            }
            if let Ok(hundredths) = word.parse::<u32>() {
                options.interval = interval(hundredths);
                continue;
            }
            match word.to_ascii_lowercase().as_str() {
                "interval" => options.interval = interval(args.parse()?),
                "minmoves" => options.least_moves = args.parse()?,
                "maxmoves" => options.most_moves = args.parse()?,
                // Points have no owner in these games. Visits are told by `visits`.
                "ownership" | "pvvisits" => {
                    args.boolean()?;
                }
                "rootinfo" => options.root = args.boolean()?,
                "avoid" => options.restrict(args, true, &read)?,
                "allow" => options.restrict(args, false, &read)?,
                _ => return Err(Failure::syntax()),
            }
        }
        Ok(options)
    }

    /// `avoid COLOUR VERTICES DEPTH`: what is told about the next turn; other turns are not restricted.
    fn restrict(
        &mut self,
        args: &mut Args<'_>,
        avoid: bool,
        read: impl Fn(&str) -> Result<Vec<P>, Failure>,
    ) -> Result<(), Failure> {
        let color = args.color().map_err(|_| Failure::syntax())?;
        let points = read(args.word()?)?;
        let depth: u32 = args.parse()?;
        if depth > 0 && color == self.color {
            if avoid { self.avoid.extend(points) } else { self.allow.extend(points) }
        }
        Ok(())
    }

    /// Whether a turn of these points may be told.
    pub fn accepts(&self, points: &[P]) -> bool {
        points.iter().all(|p| !self.avoid.contains(p))
            && (self.allow.is_empty() || points.iter().any(|p| self.allow.contains(p)))
    }
}

/// An interval of so many hundredths of a second; none is shorter than one.
fn interval(hundredths: u32) -> Duration {
    Duration::from_millis(10 * u64::from(hundredths.max(1)))
}

/// One turn as a search found it; chances are from 0 to 1 for the side to move.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding<P> {
    /// The points of the turn that are still to be played.
    pub points: Vec<P>,
    /// Whether any of them can be played next; else only the first.
    pub any_order: bool,
    /// Points expected after them.
    pub after: Vec<P>,
    /// Visits.
    pub visits: u32,
    /// Whether it was searched, or its end is known.
    pub searched: bool,
    /// Whether the chance is a proof.
    pub certain: bool,
    /// Chance of winning.
    pub chance: f32,
    /// Prior chance.
    pub prior: f32,
}

/// The position as a whole: visits and chance.
pub type Root = (u64, f32);

/// One line about all turns, best first; `name` writes a point. A point is named once, for the best turn it is part of.
pub fn line<P: PartialEq + Copy>(
    style: Style,
    options: &Options<P>,
    findings: impl IntoIterator<Item = Finding<P>>,
    root: Root,
    name: impl Fn(P) -> String,
) -> String {
    let mut named: Vec<P> = Vec::new();
    let mut text = String::new();
    for finding in findings.into_iter().filter(|f| options.accepts(&f.points)) {
        if named.len() >= options.most_moves {
            break;
        }
        let next = if finding.any_order { finding.points.len() } else { 1 };
        let next = finding.points.iter().take(next).position(|p| !named.contains(p));
        let Some(next) = next else { continue };
        let point = finding.points[next];
        if !finding.searched && named.len() >= options.least_moves {
            continue;
        }
        let order = named.len();
        named.push(point);
        let mut turn = finding.points.clone();
        turn.remove(next);
        let line = std::iter::once(&point).chain(&turn).chain(&finding.after);
        let pv: Vec<String> = line.map(|&p| name(p)).collect();
        let pv = pv.join(" ");
        let visits = finding.visits.max(u32::from(finding.searched));
        let (move_, bound) = (name(point), bound(&finding));
        let Finding { chance, prior, .. } = finding;
        // Writing to a string cannot fail.
        let _ = match style {
            Style::Leela => write!(
                text,
                "info move {move_} visits {visits} winrate {} prior {} lcb {} order {order} pv {pv} ",
                whole(chance),
                whole(prior),
                whole(bound),
            ),
            Style::Kata => write!(
                text,
                "info move {move_} visits {visits} winrate {chance:.6} scoreMean 0 scoreLead 0 prior {prior:.6} lcb {bound:.6} order {order} pv {pv} ",
            ),
        };
    }
    // Clients look for a move first: without one there is no line.
    if options.root && !text.is_empty() {
        let _ = write!(text, "rootInfo visits {} winrate {:.6} ", root.0, root.1);
    }
    text.truncate(text.trim_end().len());
    text
}

fn whole(share: f32) -> u32 {
    (share * 10_000.0).round().clamp(0.0, 10_000.0) as u32
}

/// A lower bound of the chance: one standard error of a coin thrown so often below the mean.
fn bound<P>(finding: &Finding<P>) -> f32 {
    if finding.certain {
        return finding.chance;
    }
    let error = (finding.chance * (1.0 - finding.chance) / finding.visits.max(1) as f32).sqrt();
    (finding.chance - error).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gtp::Vertex;

    fn options(text: &str) -> Result<Options<Vertex>, Failure> {
        let read = |word: &str| word.split(',').map(str::parse).collect();
        Options::parse(&mut Args::new(text), Color::Black, read)
    }

    fn at(text: &str) -> Vertex {
        text.parse().unwrap()
    }

    #[test]
    fn colour_and_interval_come_in_any_order() {
        for text in ["w 20", "20 w", "W interval 20", "interval 20 white"] {
            let options = options(text).unwrap();
            assert_eq!(options.color, Color::White, "{text}");
            assert_eq!(options.interval, Duration::from_millis(200), "{text}");
        }
        for bad in ["x", "interval", "ownership", "avoid b", "avoid b Z99 1", "-5"] {
            assert!(options(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn lines_have_the_forms_that_clients_read() {
        let finding = |points: &[&str], after: &[&str]| Finding {
            points: points.iter().map(|p| at(p)).collect(),
            any_order: true,
            after: after.iter().map(|p| at(p)).collect(),
            visits: 10,
            searched: true,
            certain: false,
            chance: 0.5,
            prior: 0.25,
        };
        let findings = || [finding(&["K10", "K11"], &["A1"]), finding(&["K10"], &[])];
        let told = |style, text: &str| {
            line(style, &options(text).unwrap(), findings(), (12, 0.5), |p| p.to_string())
        };
        // The single point on K10 is named already.
        let leela =
            "info move K10 visits 10 winrate 5000 prior 2500 lcb 3419 order 0 pv K10 K11 A1";
        assert_eq!(told(Style::Leela, "b"), leela);
        let kata = told(Style::Kata, "b rootInfo true");
        assert!(kata.starts_with("info move K10 visits 10 winrate 0.500000 "), "{kata}");
        assert!(kata.ends_with("rootInfo visits 12 winrate 0.500000"), "{kata}");
        assert!(!told(Style::Leela, "b avoid b K11 1 allow b K10 1").contains("K11"));
    }
}
