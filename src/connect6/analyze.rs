//! Analysis in the forms of Leela Zero (`lz-`) and KataGo (`kata-`).
//!
//! A line tells one stone after `move`, since that is what controllers can show: the stone of a turn that
//! genmove would play first. The whole turn and what is expected after it follow as `pv`, stone by stone.

use std::fmt::Write;
use std::time::Duration;

use connect6_engine::search::{Control, Fate, Limits, Progress, RootChoice};
use connect6_engine::{Colour, Point};

use super::Connect6;
use super::moves::{self, Purpose};
use super::words::{self, vertex, vertices};
use crate::gtp::{Args, Call, Commands, Failure, Reply};

pub(super) fn register(commands: &mut Commands<Connect6>) {
    commands
        .add("lz-analyze", |session, call| analyze(session, call, Style::Leela))
        .add("kata-analyze", |session, call| analyze(session, call, Style::Kata))
        .add("lz-genmove_analyze", |session, call| genmove_analyze(session, call, Style::Leela))
        .add("kata-genmove_analyze", |session, call| genmove_analyze(session, call, Style::Kata));
}

/// Whose form the lines have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Whole numbers only, ten-thousandths.
    Leela,
    /// Fractions.
    Kata,
}

/// What an analysis was asked for.
#[derive(Debug, Clone, PartialEq)]
struct Options {
    colour: Colour,
    interval: Duration,
    least_moves: usize,
    most_moves: usize,
    avoid: Vec<Point>,
    allow: Vec<Point>,
    root: bool,
}

/// How often lines come when no interval is given.
const DEFAULT_INTERVAL: Duration = Duration::from_millis(500);

impl Options {
    /// Reads colour, interval and options: colour and interval in any order, either may be absent.
    fn parse(args: &mut Args<'_>, to_move: Colour) -> Result<Options, Failure> {
        let mut options = Options {
            colour: to_move,
            interval: DEFAULT_INTERVAL,
            least_moves: 0,
            most_moves: usize::MAX,
            avoid: Vec::new(),
            allow: Vec::new(),
            root: false,
        };
        while let Some(word) = args.next() {
            if let Ok(color) = word.parse() {
                options.colour = words::colour(color);
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
                // Stones are never captured: there is no owner to tell. Visits are told by `visits`.
                "ownership" | "pvvisits" => {
                    args.boolean()?;
                }
                "rootinfo" => options.root = args.boolean()?,
                "avoid" => options.restrict(args, true)?,
                "allow" => options.restrict(args, false)?,
                _ => return Err(Failure::syntax()),
            }
        }
        Ok(options)
    }

    /// `avoid COLOUR VERTICES DEPTH`: what is told about the next stone; other stones are not restricted.
    fn restrict(&mut self, args: &mut Args<'_>, avoid: bool) -> Result<(), Failure> {
        let colour = words::take_colour(args).map_err(|_| Failure::syntax())?;
        let points = words::read_vertices(args.word()?)?;
        let depth: u32 = args.parse()?;
        if depth > 0 && colour == self.colour {
            if avoid { self.avoid.extend(points) } else { self.allow.extend(points) }
        }
        Ok(())
    }

    fn accepts(&self, choice: &RootChoice) -> bool {
        choice.turn.stones().all(|p| !self.avoid.contains(&p))
            && (self.allow.is_empty() || choice.turn.stones().any(|p| self.allow.contains(&p)))
    }
}

/// An interval of so many hundredths of a second; none is shorter than one.
fn interval(hundredths: u32) -> Duration {
    Duration::from_millis(10 * u64::from(hundredths.max(1)))
}

/// Runs until anything comes in.
fn analyze(session: &mut Connect6, call: &mut Call, style: Style) -> Reply {
    let options = Options::parse(&mut call.args, session.game.to_move().colour)?;
    let end = call.new_input();
    // Says at once that the command is understood, before anything is found.
    call.stream("")?;
    let mut game = session.game.clone();
    game.set_to_move(options.colour);
    let mut closed = false;
    let mut next = std::time::Instant::now() + options.interval;
    let progress = session.searcher.search(&game, &Limits::default(), &mut |look| {
        if std::time::Instant::now() >= next {
            closed |= call.stream(&line(style, &options, &look())).is_err();
            next = std::time::Instant::now() + options.interval;
        }
        if end.is_raised() || closed { Control::Stop } else { Control::Continue }
    });
    if !closed {
        call.stream(&line(style, &options, &progress))?;
        // The search may have nothing more to find out; the analysis still lasts until it is ended.
        end.wait(Duration::from_secs(u64::from(u32::MAX)));
    }
    session.found = Some((options.colour, progress));
    session.awaiting_answer = false;
    Ok(String::new())
}

/// Chooses and makes a move; `play VERTEX` follows the lines.
fn genmove_analyze(session: &mut Connect6, call: &mut Call, style: Style) -> Reply {
    let options = Options::parse(&mut call.args, session.game.to_move().colour)?;
    call.stream("")?;
    let write = |progress: &Progress| line(style, &options, progress);
    let chosen =
        moves::choose(session, call, options.colour, Purpose::Play, Some(options.interval), write)?;
    Ok(format!("play {chosen}"))
}

/// One line about all turns.
fn line(style: Style, options: &Options, progress: &Progress) -> String {
    let mut named: Vec<Point> = Vec::new();
    let mut text = String::new();
    for choice in progress.choices.iter().filter(|c| options.accepts(c)) {
        if named.len() >= options.most_moves {
            break;
        }
        let searched = choice.visits > 0 || choice.fate != Fate::Open;
        // A point is named once, for the best turn it is part of.
        let Some(point) = choice.turn.stones().find(|p| !named.contains(p)) else { continue };
        if !searched && named.len() >= options.least_moves {
            continue;
        }
        let order = named.len();
        named.push(point);
        let move_ = vertex(point);
        let mut pv: Vec<Point> = vec![point];
        pv.extend(choice.turn.stones().filter(|p| *p != point));
        pv.extend(choice.line.iter().skip(1).flat_map(|t| t.stones()));
        let visits = choice.visits.max(u32::from(searched));
        // Writing to a string cannot fail.
        let _ = match style {
            Style::Leela => write!(
                text,
                "info move {move_} visits {visits} winrate {} prior {} lcb {} order {order} pv {} ",
                whole(choice.chance),
                whole(choice.prior),
                whole(bound(choice)),
                vertices(pv),
            ),
            Style::Kata => write!(
                text,
                "info move {move_} visits {visits} winrate {:.6} scoreMean 0 scoreLead 0 prior {:.6} lcb {:.6} order {order} pv {} ",
                choice.chance,
                choice.prior,
                bound(choice),
                vertices(pv),
            ),
        };
    }
    if options.root {
        let _ = write!(text, "rootInfo visits {} winrate {:.6} ", progress.visits, progress.chance);
    }
    text.truncate(text.trim_end().len());
    text
}

fn whole(share: f32) -> u32 {
    (share * 10_000.0).round().clamp(0.0, 10_000.0) as u32
}

/// A lower bound of the chance: one standard error of a coin thrown so often below the mean.
fn bound(choice: &RootChoice) -> f32 {
    match choice.fate {
        Fate::Open => {
            let error =
                (choice.chance * (1.0 - choice.chance) / choice.visits.max(1) as f32).sqrt();
            (choice.chance - error).max(0.0)
        }
        Fate::Won => 1.0,
        Fate::Lost => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use connect6_engine::Turn;

    fn options(text: &str) -> Result<Options, Failure> {
        Options::parse(&mut Args::new(text), Colour::Black)
    }

    #[test]
    fn colour_and_interval_come_in_any_order() {
        for text in ["w 20", "20 w", "W interval 20", "interval 20 white"] {
            let options = options(text).unwrap();
            assert_eq!(options.colour, Colour::White, "{text}");
            assert_eq!(options.interval, Duration::from_millis(200), "{text}");
        }
        for bad in ["x", "interval", "ownership", "avoid b", "avoid b Z99 1", "-5"] {
            assert!(options(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn lines_have_the_forms_that_clients_read() {
        let (a, b) = (Point::new(9, 9).unwrap(), Point::new(9, 10).unwrap());
        let choice = RootChoice {
            turn: Turn::pair(a, b),
            visits: 10,
            chance: 0.5,
            prior: 0.25,
            fate: Fate::Open,
            line: vec![Turn::pair(a, b), Turn::single(Point::new(0, 0).unwrap())],
        };
        let progress = Progress {
            choices: vec![choice.clone(), RootChoice { turn: Turn::single(a), ..choice }],
            visits: 12,
            chance: 0.5,
            fate: Fate::Open,
            threat_nodes: 0,
            tree_nodes: 3,
        };
        let leela = line(Style::Leela, &options("b").unwrap(), &progress);
        // The single stone on K10 is named already.
        assert_eq!(
            leela,
            "info move K10 visits 10 winrate 5000 prior 2500 lcb 3419 order 0 pv K10 K11 A1"
        );
        let kata = line(Style::Kata, &options("b rootInfo true").unwrap(), &progress);
        assert!(kata.starts_with("info move K10 visits 10 winrate 0.500000 "), "{kata}");
        assert!(kata.ends_with("rootInfo visits 12 winrate 0.500000"), "{kata}");
        assert_eq!(
            line(Style::Leela, &options("b avoid b K11 1 allow b K10 1").unwrap(), &progress)
                .matches("K11")
                .count(),
            0
        );
    }
}
