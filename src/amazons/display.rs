//! What GoGui can draw on its board: the last search, whose squares are whose, and what the solver says.

use std::fmt::Write;
use std::time::{Duration, Instant};

use amazons_engine::eval::{chance, flood::distances};
use amazons_engine::game::Stage;
use amazons_engine::notation::GameMove;
use amazons_engine::region::{Closed, Filler, regions};
use amazons_engine::solve::Limits;
use amazons_engine::{Color, Squares};
use game_core::Proven;

use super::Amazons;
use super::notation::vertex;
use crate::gtp::{Call, Commands, Failure, Reply, join};
use crate::session::interruptible;

pub(super) fn register(commands: &mut Commands<Amazons>) {
    commands
        .add("amazons-territory", |session, _| Ok(territory(session)))
        .add("amazons-regions", |session, _| Ok(show_regions(session)))
        .add("amazons-evaluate", |session, _| Ok(evaluate(session)))
        .add("amazons-solve", solve);
}

/// Whose each free square is by queen distance: light for White, dark for Black, half where both are as near.
fn territory(session: &Amazons) -> String {
    let position = session.game.position();
    let [black, white] =
        distances(Color::BOTH.map(|color| position.queens(color)), position.free());
    let mut sets = [Squares::EMPTY; 3];
    for (i, &near_white) in white.queen.iter().enumerate() {
        for (j, &near_black) in black.queen.iter().enumerate() {
            let both = near_white & near_black;
            match i.cmp(&j) {
                std::cmp::Ordering::Less => sets[0] = sets[0] | both,
                std::cmp::Ordering::Greater => sets[1] = sets[1] | both,
                std::cmp::Ordering::Equal if i + 1 < white.queen.len() => sets[2] = sets[2] | both,
                std::cmp::Ordering::Equal => {}
            }
        }
    }
    let mut text = String::new();
    for (paint, squares) in ["#e0e0ff", "#606080", "#a0a0b0"].iter().zip(sets) {
        if !squares.is_empty() {
            let _ = writeln!(text, "COLOR {paint} {}", join(squares.into_iter().map(vertex)));
        }
    }
    let [white, black, both] = sets.map(Squares::len);
    text + &format!("TEXT White {white}, Black {black}, as near to both {both}")
}

/// Regions that are one side's, with how many moves are in them.
fn show_regions(session: &Amazons) -> String {
    let position = session.game.position();
    let mut filler = Filler::new(1000);
    let mut text = String::new();
    for region in regions(position) {
        let paint = match region.owner() {
            Some(Color::White) => "#e0e0ff",
            Some(Color::Black) => "#606080",
            None => "#c08040",
        };
        let _ = writeln!(text, "COLOR {paint} {}", join(region.squares.into_iter().map(vertex)));
    }
    let closed = Closed::count(position, &mut filler);
    let moves = [Color::White, Color::Black].map(|color| {
        let bounds = closed.moves[color.index()];
        let number = match bounds.exact() {
            Some(exact) => exact.to_string(),
            None => format!("{} to {}", bounds.min, bounds.max),
        };
        format!("{} has {number} moves of its own", color.title())
    });
    text + &format!("TEXT {}; {} squares are fought for", moves.join(", "), closed.contested.len())
}

/// The evaluation without search.
fn evaluate(session: &Amazons) -> String {
    let position = session.game.position();
    let logit = session.engine.searcher.weights().evaluate(position);
    format!("{} wins {:.1}% (logit {logit:+.3})", position.to_move().title(), 100.0 * chance(logit))
}

/// How long `amazons-solve` looks.
const PATIENCE: Duration = Duration::from_secs(10);

/// Whether the side to move wins, with a move that does.
fn solve(session: &mut Amazons, call: &mut Call) -> Reply {
    let position = *session.game.position();
    if session.game.winner().is_some() {
        return Err(Failure::new("the game is over"));
    }
    if session.game.stage() != Stage::From {
        return Err(Failure::new("a turn is in progress: finish it, or take it back"));
    }
    let begun = Instant::now();
    let solver = session.engine.searcher.solver();
    let (report, is_stopped) = interruptible(call, PATIENCE, |stop| {
        solver.solve(&position, &Limits { stop, ..Limits::default() })
    });
    let verdict = match report.proven {
        Proven::Win => format!("{} wins", position.to_move().title()),
        Proven::Loss => format!("{} loses", position.to_move().title()),
        Proven::Unknown if is_stopped => "not decided before it was stopped".to_owned(),
        Proven::Unknown => "not decided in the time".to_owned(),
    };
    let text = format!("{verdict}, {} nodes, {:.3} s", report.nodes, begun.elapsed().as_secs_f64());
    Ok(match report.best.filter(|_| report.proven == Proven::Win) {
        Some(mv) => format!("{text}\n{}", GameMove(mv)),
        None => text,
    })
}
