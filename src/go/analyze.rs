//! Analysis in the forms of Leela Zero (`lz-`) and KataGo (`kata-`).

use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use go_engine::{Color, Game, Point};

use super::engine::{Candidate, Filter, Findings, Question};
use super::moves::{self, Purpose, variation};
use super::words::{self, join};
use super::{Go, judge};
use crate::gtp::{Args, Call, Commands, Failure, Reply, read_color};

pub(super) fn register(commands: &mut Commands<Go>) {
    commands
        .add("lz-analyze", |go, call| analyze(go, call, Style::Leela))
        .add("kata-analyze", |go, call| analyze(go, call, Style::Kata))
        .add("lz-genmove_analyze", |go, call| genmove_analyze(go, call, Style::Leela))
        .add("kata-genmove_analyze", |go, call| genmove_analyze(go, call, Style::Kata));
}

/// Whose form the lines have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Leela Zero's: whole numbers only, ten-thousandths.
    Leela,
    /// KataGo's: fractions, score leads, ownership.
    Kata,
}

/// What an analysis was asked for.
#[derive(Debug, Clone, PartialEq)]
struct Options {
    color: Color,
    interval: Duration,
    least_moves: usize,
    most_moves: usize,
    filter: Filter,
    ownership: bool,
    visits_of_variation: bool,
    root: bool,
}

/// How often lines come when no interval is given.
const DEFAULT_INTERVAL: Duration = Duration::from_millis(500);

impl Options {
    /// Reads colour, interval and options: colour and interval in any order, either may be absent.
    fn parse(args: &mut Args<'_>, game: &Game) -> Result<Options, Failure> {
        let mut options = Options {
            color: game.to_play(),
            interval: DEFAULT_INTERVAL,
            least_moves: 0,
            most_moves: usize::MAX,
            filter: Filter::default(),
            ownership: false,
            visits_of_variation: false,
            root: false,
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
                "ownership" => options.ownership = args.boolean()?,
                "pvvisits" => options.visits_of_variation = args.boolean()?,
                "rootinfo" => options.root = args.boolean()?,
                "avoid" => options.restrict(args, game, true)?,
                "allow" => options.restrict(args, game, false)?,
                _ => return Err(Failure::syntax()),
            }
        }
        Ok(options)
    }

    /// `avoid COLOR MOVES DEPTH`, where moves have commas between them. Only the move that is to be
    /// made now can be restricted, so a restriction of the other player says nothing.
    fn restrict(&mut self, args: &mut Args<'_>, game: &Game, avoid: bool) -> Result<(), Failure> {
        let color = args.color().map_err(|_| Failure::syntax())?;
        let moves: Option<Vec<_>> =
            args.word()?.split(',').map(|word| words::read_move(word, game)).collect();
        let moves = moves.ok_or_else(words::bad_coordinate)?;
        let depth: u32 = args.parse()?;
        if depth > 0 && color == self.color {
            if avoid {
                self.filter.avoid.extend(moves);
            } else {
                self.filter.allow.extend(moves);
            }
        }
        Ok(())
    }
}

/// An interval of so many hundredths of a second; none is shorter than one.
fn interval(hundredths: u32) -> Duration {
    Duration::from_millis(10 * u64::from(hundredths.max(1)))
}

/// Runs until anything comes in.
fn analyze(go: &mut Go, call: &mut Call, style: Style) -> Reply {
    let options = Options::parse(&mut call.args, &go.game)?;
    let end = call.new_input();
    let output_closed = AtomicBool::new(false);
    // Says at once that the command is understood, before anything is found.
    call.stream("")?;
    let stop = || end.is_raised() || output_closed.load(Ordering::Relaxed);
    let question = Question {
        game: &go.game,
        color: options.color,
        playouts: None,
        budget: None,
        filter: &options.filter,
        stop: &stop,
        fresh: false,
        cleanup: false,
        interval: Some(options.interval),
    };
    let game = &go.game;
    let early = Early::of(game, go.settings.judged_playouts);
    go.engine.analyze(&question, &mut |findings| {
        let findings = early.temper(findings, options.color);
        if call.stream(&line(style, &options, game, &findings)).is_err() {
            output_closed.store(true, Ordering::Relaxed);
        }
    });
    // The engine may have nothing more to find out; the analysis still lasts until it is ended.
    if !output_closed.load(Ordering::Relaxed) {
        end.wait(Duration::MAX);
    }
    go.awaiting_answer = false;
    Ok(String::new())
}

/// Chooses and makes a move; `play VERTEX` follows the lines.
fn genmove_analyze(go: &mut Go, call: &mut Call, style: Style) -> Reply {
    let options = Options::parse(&mut call.args, &go.game)?;
    call.stream("")?;
    // Lines are written while the game is with the engine.
    let game = go.game.clone();
    let early = Early::of(&game, go.settings.judged_playouts);
    let write =
        |findings: &Findings| line(style, &options, &game, &early.temper(findings, options.color));
    let interval = Some(options.interval);
    let chosen =
        moves::choose(go, call, options.color, Purpose::Play, &options.filter, interval, write)?;
    Ok(format!("play {chosen}"))
}

/// What is said of a position without search: it counts for some playouts beside those that a search
/// has made, so that a young search's lead and ownership do not jump about.
struct Early {
    /// Black's lead, komi included.
    lead: f64,
    ownership: Vec<f32>,
    /// Playouts that it counts for.
    playouts: f64,
}

impl Early {
    fn of(game: &Game, playouts: u64) -> Early {
        match judge::gogui::estimate(game) {
            Some(estimate) if playouts > 0 => Early {
                lead: estimate.lead,
                ownership: estimate.ownership,
                playouts: playouts as f64,
            },
            _ => Early { lead: 0.0, ownership: Vec::new(), playouts: 0.0 },
        }
    }

    /// The findings of `color`'s search with this beside them.
    fn temper(&self, findings: &Findings, color: Color) -> Findings {
        let mut findings = findings.clone();
        if self.playouts == 0.0 {
            return findings;
        }
        let share = self.playouts / (self.playouts + findings.counted as f64);
        let lead = if color == Color::Black { self.lead } else { -self.lead };
        findings.lead += share * (lead - findings.lead);
        for candidate in &mut findings.candidates {
            candidate.lead += share * (lead - candidate.lead);
        }
        if findings.counted == 0 || findings.ownership.len() != self.ownership.len() {
            findings.ownership.clone_from(&self.ownership);
        } else {
            for (owned, early) in findings.ownership.iter_mut().zip(&self.ownership) {
                *owned += share as f32 * (early - *owned);
            }
        }
        findings
    }
}

/// One line about all moves.
fn line(style: Style, options: &Options, game: &Game, findings: &Findings) -> String {
    let shown = shown(options, findings);
    // Clients look for a move first; on a busy machine the time for a line can come before any is found.
    if shown.is_empty() {
        return String::new();
    }
    let infos = shown.iter().enumerate().map(|(order, candidate)| match style {
        Style::Leela => leela(order, candidate),
        Style::Kata => kata(order, candidate),
    });
    let mut text = String::new();
    for (info, candidate) in infos.zip(&shown) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{info} pv {} ", join(variation(candidate)));
        if options.visits_of_variation {
            let visits = candidate.variation.iter().map(|&(_, visits)| visits);
            let _ = write!(text, "pvVisits {} ", join(visits));
        }
    }
    if options.root {
        let _ = write!(
            text,
            "rootInfo visits {} winrate {:.6} scoreLead {:.3} ",
            findings.visits, findings.winrate, findings.lead
        );
    }
    if options.ownership && !findings.ownership.is_empty() {
        let _ = write!(text, "ownership {}", join(ownership(options.color, game, findings)));
    }
    text.truncate(text.trim_end().len());
    text
}

/// The candidates to show: those with visits, and as many without as were asked for.
fn shown<'f>(options: &Options, findings: &'f Findings) -> Vec<&'f Candidate> {
    let least = options.least_moves;
    findings
        .candidates
        .iter()
        .enumerate()
        .filter(|(index, candidate)| candidate.visits > 0 || *index < least)
        .map(|(_, candidate)| candidate)
        .take(options.most_moves)
        .collect()
}

fn leela(order: usize, candidate: &Candidate) -> String {
    let whole = |share: f64| (share * 10_000.0).round().clamp(0.0, 10_000.0) as u32;
    format!(
        "info move {} visits {} winrate {} prior {} lcb {} order {order}",
        candidate.mv,
        candidate.visits,
        whole(candidate.winrate),
        whole(candidate.prior),
        whole(candidate.lcb),
    )
}

fn kata(order: usize, candidate: &Candidate) -> String {
    format!(
        "info move {} visits {} winrate {:.6} scoreMean {:.3} scoreLead {:.3} prior {:.6} \
         lcb {:.6} order {order}",
        candidate.mv,
        candidate.visits,
        candidate.winrate,
        candidate.lead,
        candidate.lead,
        candidate.prior,
        candidate.lcb,
    )
}

/// Owners of the points row by row from the top, 1 for `color`.
fn ownership(color: Color, game: &Game, findings: &Findings) -> Vec<String> {
    let (width, height) = (game.board().width(), game.board().height());
    let sign = if color == Color::Black { 1.0 } else { -1.0 };
    (0..height)
        .rev()
        .flat_map(|row| (0..width).map(move |col| Point::new(col, row)))
        .map(|point| {
            let index = usize::from(point.row()) * usize::from(width) + usize::from(point.col());
            let value = findings.ownership.get(index).copied().unwrap_or(0.0);
            format!("{:.3}", sign * value)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_engine::Move;

    fn options(text: &str) -> Result<Options, Failure> {
        Options::parse(&mut Args::new(text), &Game::new(9, 9).unwrap())
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
    }

    #[test]
    fn options_are_read_and_bad_ones_refused() {
        let text = "b ownership true pvVisits true rootInfo true minmoves 3 maxmoves 5";
        let all = options(text).unwrap();
        assert!(all.ownership && all.visits_of_variation && all.root);
        assert_eq!((all.least_moves, all.most_moves), (3, 5));
        let filter = options("b avoid b D4,pass 10 allow w C3 10").unwrap().filter;
        assert_eq!(filter.avoid, [Move::Play("D4".parse().unwrap()), Move::Pass]);
        assert!(filter.allow.is_empty());
        for bad in ["x", "interval", "interval x", "ownership", "avoid b", "avoid b Z99 1", "-5"] {
            assert!(options(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn lines_have_the_forms_that_clients_read() {
        let d4 = Move::Play("D4".parse().unwrap());
        let findings = Findings {
            visits: 12,
            winrate: 0.51234,
            lead: 1.25,
            candidates: vec![Candidate {
                mv: d4,
                visits: 10,
                winrate: 0.51234,
                lcb: 0.4,
                lead: 1.25,
                prior: 0.25,
                variation: vec![(d4, 10), (Move::Pass, 4)],
            }],
            ownership: vec![1.0; 81],
            counted: 12,
        };
        let game = Game::new(9, 9).unwrap();
        let written = |style, text: &str| line(style, &options(text).unwrap(), &game, &findings);
        assert_eq!(
            written(Style::Leela, "b"),
            "info move D4 visits 10 winrate 5123 prior 2500 lcb 4000 order 0 pv D4 pass"
        );
        let kata = written(Style::Kata, "b pvVisits true rootInfo true");
        assert!(kata.starts_with("info move D4 visits 10 winrate 0.512340 scoreMean 1.250 "));
        assert!(kata.contains("order 0 pv D4 pass pvVisits 10 4 rootInfo visits 12 "), "{kata}");
        let owned = written(Style::Kata, "w ownership true");
        assert_eq!(owned.matches("-1.000").count(), 81);
        let all = options("b ownership true rootInfo true").unwrap();
        let none = Findings { candidates: Vec::new(), ..findings };
        assert_eq!(line(Style::Kata, &all, &game, &none), "", "no move, no line");
    }

    #[test]
    fn what_is_said_early_gives_way_to_what_was_counted() {
        let early = Early { lead: 10.0, ownership: vec![0.8; 81], playouts: 100.0 };
        let told = |counted| {
            let findings =
                Findings { visits: 300, counted, ownership: vec![0.0; 81], ..Findings::default() };
            let tempered = early.temper(&findings, Color::White);
            (tempered.lead, tempered.ownership[0])
        };
        // A tree kept from an earlier position has visits, and nothing counted yet.
        assert_eq!(told(0), (-10.0, 0.8));
        assert_eq!(told(300), (-2.5, 0.2));
    }
}
