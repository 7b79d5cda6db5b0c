//! Analysis in the forms of Leela Zero (`lz-`) and KataGo (`kata-`): what was asked for, and how a line tells what was
//! found.
//!
//! A line tells one step of a turn after `move`, since that is what controllers can show; the rest of the turn and what
//! is expected after it follow as `pv`, step by step.

use std::fmt::Write;
use std::time::Duration;

use game_core::{MoveReport, Report};

use super::game::board;
use super::game::engine::Filter;
use super::game::{Game, read_steps};
use crate::gtp::{Args, Color, Failure, Step, join, read_color};

/// Whose form the lines have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Leela Zero's: whole numbers only, ten-thousandths.
    Leela,
    /// KataGo's: fractions, leads, ownership.
    Kata,
}

/// What an analysis was asked for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Options {
    /// For whom.
    pub color: Color,
    /// How often lines come.
    pub interval: Duration,
    /// What is left out.
    pub filter: Filter,
    /// Moves to tell at least, also such as were not searched.
    min_moves: usize,
    /// Moves to tell at most.
    max_moves: usize,
    ownership: bool,
    pv_visits: bool,
    /// Whether to tell of the position as a whole.
    root: bool,
}

/// How often lines come when no interval is given.
const DEFAULT_INTERVAL: Duration = Duration::from_millis(500);

impl Options {
    /// Reads colour, interval and options: colour and interval in any order, either may be absent. Options that are
    /// not known are skipped with their values.
    ///
    /// # Errors
    /// A word that is none of this, an option without a value or with a wrong one, or a point that is not on the board.
    pub fn parse<G: Game>(args: &mut Args<'_>, game: &G) -> Result<Options, Failure> {
        let mut options = Options {
            color: game.to_move(),
            interval: DEFAULT_INTERVAL,
            filter: Filter::default(),
            min_moves: 0,
            max_moves: usize::MAX,
            ownership: false,
            pv_visits: false,
            root: false,
        };
        while let Some(word) = args.next() {
            if let Ok(color) = read_color(word) {
                options.color = color;
                continue;
            }
            if let Some(read) = interval(word) {
                options.interval = read;
                continue;
            }
            match word.to_ascii_lowercase().as_str() {
                "interval" => {
                    options.interval = interval(args.word()?).ok_or_else(Failure::syntax)?;
                }
                "minmoves" => options.min_moves = args.parse()?,
                "maxmoves" => options.max_moves = args.parse()?,
                "ownership" => options.ownership = args.boolean()?,
                "pvvisits" => options.pv_visits = args.boolean()?,
                "rootinfo" => options.root = args.boolean()?,
                "avoid" => options.restrict(args, game, true)?,
                "allow" => options.restrict(args, game, false)?,
                // Clients ask KataGo for more than there is here (`movesOwnership true`), and live without it.
                other if other.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                    let value = args.word()?;
                    tracing::debug!("the analysis does not know {other} {value}");
                }
                _ => return Err(Failure::syntax()),
            }
        }
        Ok(options)
    }

    /// `avoid COLOUR VERTICES DEPTH`, where vertices have commas between them. Only the turn that is to be made now can
    /// be restricted, so a restriction of the other player says nothing.
    fn restrict<G: Game>(
        &mut self,
        args: &mut Args<'_>,
        game: &G,
        avoid: bool,
    ) -> Result<(), Failure> {
        let color = args.color().map_err(|_| Failure::syntax())?;
        let mut steps = Vec::new();
        for word in args.word()?.split(',') {
            steps.extend(read_steps(game, word)?);
        }
        let depth: u32 = args.parse()?;
        if depth > 0 && color == self.color {
            let list = if avoid { &mut self.filter.avoid } else { &mut self.filter.allow };
            list.extend(steps);
        }
        Ok(())
    }
}

/// An interval told in hundredths of a second, which KataGo's clients may give as a fraction; none is shorter than
/// one hundredth.
fn interval(word: &str) -> Option<Duration> {
    let hundredths: f64 = word.parse().ok()?;
    let seconds =
        (0.0..=f64::from(u32::MAX)).contains(&hundredths).then_some(hundredths / 100.0)?;
    Some(Duration::from_secs_f64(seconds.max(0.01)))
}

/// One line about all moves, best first. A step is named once, for the best turn it is part of.
pub(super) fn line<G: Game>(
    style: Style,
    options: &Options,
    game: &G,
    report: &Report<G::Move>,
) -> String {
    let mut named: Vec<Step> = Vec::new();
    let mut text = String::new();
    for found in &report.moves {
        let mut turn = game.steps_left(&found.mv);
        let nexts = if G::ANY_ORDER { turn.len() } else { 1 };
        let next = turn.iter().take(nexts).position(|step| !named.contains(step));
        let Some(next) = next.filter(|_| options.filter.accepts(&turn)) else { continue };
        if named.len() >= options.max_moves {
            break;
        }
        if !found.is_searched() && named.len() >= options.min_moves {
            continue;
        }
        let step = turn.remove(next);
        info(&mut text, style, step, named.len(), found);
        let after = found.line.iter().skip(1).flat_map(G::steps);
        let pv = std::iter::once(step).chain(turn).chain(after);
        // Writing to a string cannot fail.
        let _ = write!(text, "pv {} ", join(pv));
        if options.pv_visits && !found.line_visits.is_empty() {
            let _ = write!(text, "pvVisits {} ", join(&found.line_visits));
        }
        named.push(step);
    }
    // Clients look for a move first: without one there is no line.
    if text.is_empty() {
        return text;
    }
    if options.root {
        let _ = write!(text, "rootInfo visits {} winrate {:.6} ", report.visits, report.winrate);
        if let Some(lead) = report.lead {
            let _ = write!(text, "scoreLead {lead:.3} ");
        }
    }
    if options.ownership && !report.ownership.is_empty() {
        let _ = write!(text, "ownership {}", join(ownership(options.color, game, report)));
    }
    text.truncate(text.trim_end().len());
    text
}

/// What is told of one move before its variation.
fn info<M>(text: &mut String, style: Style, step: Step, order: usize, found: &MoveReport<M>) {
    let MoveReport { winrate, prior, lower_bound, .. } = *found;
    let visits = found.visits.max(u32::from(found.is_searched()));
    // Writing to a string cannot fail.
    let _ = match style {
        Style::Leela => write!(
            text,
            "info move {step} visits {visits} winrate {} prior {} lcb {} order {order} ",
            whole(winrate),
            whole(prior),
            whole(lower_bound),
        ),
        Style::Kata => {
            let lead = found.lead.map_or_else(|| "0".to_owned(), |lead| format!("{lead:.3}"));
            write!(
                text,
                "info move {step} visits {visits} winrate {winrate:.6} scoreMean {lead} scoreLead {lead} \
                 prior {prior:.6} lcb {lower_bound:.6} order {order} ",
            )
        }
    };
}

fn whole(share: f32) -> u32 {
    (share * 10_000.0).round().clamp(0.0, 10_000.0) as u32
}

/// Owners of the points row by row from the top, 1 for `color`.
fn ownership<G: Game>(color: Color, game: &G, report: &Report<G::Move>) -> Vec<String> {
    let sign = if color == Color::Black { 1.0 } else { -1.0 };
    let value = |at| report.ownership.get(at).copied().unwrap_or(0.0);
    board::rows(game.size()).flatten().map(|at| format!("{:.3}", sign * value(at.index))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use connect6_engine::{Game, Point, Rules, Turn};
    use game_core::Proven;

    fn options(text: &str) -> Result<Options, Failure> {
        Options::parse(&mut Args::new(text), &Game::new(Rules::CONNECT6))
    }

    #[test]
    fn colour_and_interval_come_in_any_order() {
        for text in ["w 20", "20 w", "W interval 20", "interval 20 white", "20 interval 20 w"] {
            let options = options(text).unwrap();
            assert_eq!(options.color, Color::White, "{text}");
            assert_eq!(options.interval, Duration::from_millis(200), "{text}");
        }
        let bare = options("").unwrap();
        assert_eq!((bare.color, bare.interval), (Color::Black, DEFAULT_INTERVAL));
        assert_eq!(options("100000").unwrap().interval, Duration::from_secs(1000));
        assert_eq!(options("0").unwrap().interval, Duration::from_millis(10));
        assert_eq!(options("b 12.5").unwrap().interval, Duration::from_millis(125));
        assert_eq!(options("interval 0.5 w").unwrap().interval, Duration::from_millis(10));
    }

    #[test]
    fn options_are_read_and_bad_ones_refused() {
        let text = "b ownership true pvVisits true rootInfo true minmoves 3 maxmoves 5";
        let all = options(text).unwrap();
        assert!(all.ownership && all.pv_visits && all.root);
        assert_eq!((all.min_moves, all.max_moves), (3, 5));
        let filter = options("b avoid b D4,pass 10 allow w C3 10").unwrap().filter;
        assert_eq!(filter.avoid, [Step::At("D4".parse().unwrap()), Step::Pass]);
        assert!(filter.allow.is_empty());
        let more = options("movesOwnership true b pvEdgeVisits true 20 rootInfo true").unwrap();
        assert!(more.root && more.interval == Duration::from_millis(200));
        let bad = [
            "x",
            "interval",
            "interval x",
            "interval nan",
            "interval 1e99",
            "ownership",
            "ownership 3",
        ];
        for bad in bad.into_iter().chain(["avoid b", "avoid b Z99 1", "-5", "movesOwnership"]) {
            assert!(options(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn lines_have_the_forms_that_clients_read() {
        let [a, b, c] = [(9, 9), (9, 10), (0, 0)].map(|(x, y)| Point::new(x, y).unwrap());
        let found = |mv: Turn, line: Vec<Turn>| MoveReport {
            mv,
            visits: 10,
            winrate: 0.5,
            lower_bound: game_core::lower_bound(0.5, 10, Proven::Unknown),
            prior: 0.25,
            proven: Proven::Unknown,
            lead: None,
            lead_stdev: None,
            ownership: Vec::new(),
            line_visits: Vec::new(),
            line,
        };
        let (pair, last) = (Turn::pair(a, b), Turn::single(c));
        // The second turn on K10 is not named again.
        let moves = vec![found(pair, vec![pair, last]), found(Turn::single(a), Vec::new())];
        let mut report = Report { moves, visits: 12, ..Report::default() };
        let mut game = Game::new(Rules::CONNECT6);
        let told = |style, text: &str, report: &Report<Turn>, game: &Game| {
            line(style, &options(text).unwrap(), game, report)
        };
        let leela =
            "info move K10 visits 10 winrate 5000 prior 2500 lcb 3419 order 0 pv K10 K11 A1";
        assert_eq!(told(Style::Leela, "b", &report, &game), leela);
        game.set_to_move(Color::White);
        report.lead = Some(1.25);
        report.moves[0].line_visits = vec![10, 4];
        report.ownership = vec![1.0; 361];
        let all = "w pvVisits true rootInfo true ownership true maxmoves 1";
        let kata = told(Style::Kata, all, &report, &game);
        assert!(
            kata.starts_with("info move K10 visits 10 winrate 0.500000 scoreMean 0 "),
            "{kata}"
        );
        let root =
            "pvVisits 10 4 rootInfo visits 12 winrate 0.500000 scoreLead 1.250 ownership -1.000 ";
        assert!(kata.contains(root), "{kata}");
        assert_eq!(kata.matches("-1.000").count(), 361);
        let kept = told(Style::Leela, "w avoid w K11 1 allow w K10 1", &report, &game);
        assert!(!kept.contains("pv K10 K11"), "{kept}");
        let none = Report::default();
        assert_eq!(told(Style::Kata, all, &none, &game), "", "no move, no line");
    }
}
