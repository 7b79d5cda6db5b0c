//! What GoGui can draw on its board: the last search, threats, shapes, and the winning line.

use std::fmt::Write;
use std::time::{Duration, Instant};

use connect6_engine::defences::{Defence, defence, threats};
use connect6_engine::geometry::LINES;
use connect6_engine::shape::{ShapeType, shape, stretches};
use connect6_engine::tss::{Options, ThreatResult, Turns};
use connect6_engine::{Color, Outcome};
use game_core::StopSignal;

use super::Connect6;
use super::notation::{vertex, vertices};
use super::solve::in_words;
use crate::gtp::{Call, Commands, Failure, Reply};
use crate::session::interruptible;

pub(super) fn register(commands: &mut Commands<Connect6>) {
    commands
        .add("connect6-threats", |session, _| Ok(show_threats(session)))
        .add("connect6-shapes", |session, _| Ok(show_shapes(session)))
        .add("connect6-winning_line", winning_line)
        .add("connect6-solve", solve);
}

/// The threats of both sides: empty points of threat windows, and in the status line how many stones stop
/// them.
fn show_threats(session: &Connect6) -> String {
    let board = session.game.board();
    let mut text = String::new();
    let mut status = Vec::new();
    for (color, paint) in [(Color::Black, "#c04040"), (Color::White, "#4060c0")] {
        if session.game.rules().p() > 2 {
            continue;
        }
        let made = threats(board, color);
        for point in made.iter().flat_map(|w| w.points()) {
            let _ = writeln!(text, "COLOR {paint} {}", vertex(*point));
        }
        let stops = match defence(&made, session.game.rules().p()) {
            Defence::Free => "none".to_owned(),
            Defence::One(singles, _) => format!("stopped by {}", vertices(singles)),
            Defence::Two(pairs) => {
                let pairs = pairs.iter().map(|&(a, b)| format!("{}-{}", vertex(a), vertex(b)));
                format!("stopped by {}", pairs.collect::<Vec<_>>().join(" "))
            }
            Defence::None => "not to be stopped".to_owned(),
        };
        status.push(format!("{} threats: {stops}", color.title()));
    }
    text + "TEXT " + &status.join("; ")
}

/// The shapes from live twos up: their stones in a colour, how many of each type in the status line.
fn show_shapes(session: &Connect6) -> String {
    let board = session.game.board();
    if (session.game.rules().k(), session.game.rules().p()) != (6, 2) {
        return "TEXT shapes are those of Connect6".to_owned();
    }
    let mut text = String::new();
    let mut status = Vec::new();
    for color in Color::BOTH {
        let mut counts = [0; ShapeType::ALL.len()];
        for line in 0..LINES {
            let (own, other) = (board.stones(color, line), board.stones(!color, line));
            for (start, len, stones) in stretches(own, other, board.geometry().valid(line)) {
                let kind = shape(len, stones).kind;
                counts[kind as usize] += 1;
                if kind >= ShapeType::Live3 {
                    for bit in (0..len).filter(|bit| stones >> bit & 1 == 1) {
                        let point = vertex(board.geometry().cell(line, start + bit));
                        let _ = writeln!(text, "MARK {point}");
                    }
                }
            }
        }
        let told = ShapeType::ALL
            .iter()
            .rev()
            .filter(|k| **k != ShapeType::Other && counts[**k as usize] > 0);
        let told: Vec<String> =
            told.map(|k| format!("{} {}", counts[*k as usize], k.name())).collect();
        status.push(format!("{}: {}", color.title(), told.join(" ")));
    }
    text + "TEXT " + &status.join("; ")
}

/// The row that has won, or else the line of threats by which the side to move wins.
fn winning_line(session: &mut Connect6, call: &mut Call) -> Reply {
    if let Outcome::Win(color) = session.game.outcome() {
        let row = session.game.board().winning_row(color).unwrap_or_default();
        return Ok(format!("COLOR #40c040 {}\nTEXT {} has won", vertices(row), color.title()));
    }
    let (text, line) = solved(session, call)?;
    let mut color = session.game.to_move().color;
    let mut gfx = String::new();
    for stones in &line {
        for &point in stones {
            let _ = write!(gfx, " {} {}", color.letter(), vertex(point));
        }
        color = !color;
    }
    Ok(if gfx.is_empty() { format!("TEXT {text}") } else { format!("VAR{gfx}\nTEXT {text}") })
}

/// How long `connect6-solve` looks.
const PATIENCE: Duration = Duration::from_secs(10);

type Line = Vec<Vec<connect6_engine::Point>>;

fn solved(session: &mut Connect6, call: &mut Call) -> Result<(String, Line), Failure> {
    if session.game.outcome().is_over() {
        return Err(Failure::new("the game is over"));
    }
    let to_move = session.game.to_move();
    if to_move.stones > 2 || session.game.rules().p() > 2 {
        return Err(Failure::new("there is no threat search for turns of more than two stones"));
    }
    let mut board = session.game.board().clone();
    let solver = session.engine.searcher.solver();
    let begun = Instant::now();
    let options =
        Options { stones: usize::from(to_move.stones), turns: Turns::Singles, nodes: 100_000_000 };
    let ((report, plan), is_stopped) = interruptible(call, 2 * PATIENCE, |stop| {
        solver.set_stop(stop);
        solver.set_deadline(Some(begun + PATIENCE));
        let report = solver.solve(&mut board, to_move.color, &options);
        solver.set_deadline(Some(Instant::now() + PATIENCE));
        let plan = match report.result {
            ThreatResult::Win => solver.plan(&mut board, to_move.color, &options, &report),
            ThreatResult::NoWin | ThreatResult::Unknown => None,
        };
        solver.set_stop(StopSignal::default());
        (report, plan)
    });
    let mut verdict = in_words(report.result, to_move.color, options.turns);
    if is_stopped && report.result == ThreatResult::Unknown {
        verdict += ", since it was stopped";
    }
    let line = plan.map(|p| p.line()).or_else(|| report.turn.map(|t| vec![t.stones().collect()]));
    let text = format!("{verdict}, {} nodes, {:.3} s", report.nodes, begun.elapsed().as_secs_f64());
    Ok((text, line.unwrap_or_default()))
}

/// `connect6-solve`: whether the side to move wins by threats, with the line.
fn solve(session: &mut Connect6, call: &mut Call) -> Reply {
    let (text, line) = solved(session, call)?;
    let turns = line.iter().map(|stones| vertices(stones.iter().copied()).replace(' ', "-"));
    let turns = turns.collect::<Vec<_>>().join(" ");
    Ok(if turns.is_empty() { text } else { format!("{text}\n{turns}") })
}
