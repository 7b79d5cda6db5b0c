//! `tesuji-connect6 solve`: whether the side to move wins by threats.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use clap::{Args, value_parser};
use connect6_engine::tss::{Options, Report, Solver, ThreatResult, Turns};
use connect6_engine::{Color, Game, Outcome, Point, Rules};
use serde_json::{Value, json};

use super::notation::{read_record_points, record_turn};
use super::record;
use crate::options::{default_memory, is_to_be_had, seconds};
use crate::output::say;
use crate::session::game::sgf::without_bom;

/// Options of `solve`.
#[derive(Args, Debug)]
pub struct SolveArgs {
    /// A record: Little Golem's SGF, the platform's `move JKKJ` rows, or positions as moves, `j10 j9l11 ...`,
    /// one a row; or a tab-separated table with the column `moves_before`, of which a summary is told
    file: PathBuf,

    /// Stones of the record to play first [default: all]
    #[arg(long, value_name = "N")]
    stones: Option<usize>,

    /// Seconds for each position
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    time: f64,

    /// Nodes for each position
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,

    /// Only turns that leave the defender no free stone
    #[arg(long)]
    doubles: bool,

    /// Memory of the transposition table, in MiB
    #[arg(long, value_name = "MIB", default_value_t = default_memory(256), value_parser = value_parser!(u64).range(1..=1 << 16))]
    max_memory: u64,

    /// Answers in JSON, an object for each position
    #[arg(long)]
    json: bool,
}

/// Solves the positions of a file.
///
/// # Errors
/// When the file cannot be read or holds no game; a bad position among several is told in its place.
pub fn run(args: &SolveArgs) -> Result<ExitCode> {
    let place = || args.file.display().to_string();
    let bytes = crate::files::read_record(&args.file).with_context(place)?;
    is_to_be_had(args.max_memory as usize).map_err(|why| anyhow!(why))?;
    let mut solver = Solver::new(args.max_memory as usize);
    let bytes = without_bom(&bytes);
    if let Some(rows) = table(bytes) {
        return summary(args, &mut solver, &rows);
    }
    let games = games(bytes, args.stones);
    let single = games.len() == 1;
    let mut failed = false;
    for (number, game) in games.into_iter().enumerate() {
        match game {
            Ok(game) => say(&answer(args, &mut solver, &game))?,
            Err(why) if single => return Err(why).with_context(place),
            Err(why) => {
                failed = true;
                let why = format!("{}: position {}: {why:#}", place(), number + 1);
                say(&if args.json { json!({ "error": why }).to_string() } else { why })?;
            }
        }
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The positions of a table with the column `moves_before`.
fn table(bytes: &[u8]) -> Option<Vec<String>> {
    let text = String::from_utf8_lossy(bytes);
    let mut rows = text.lines();
    let column = rows.next()?.split('\t').position(|name| name == "moves_before")?;
    Some(rows.filter_map(|row| row.split('\t').nth(column)).map(str::to_owned).collect())
}

/// Solves all positions of a table and tells how many are won and how long each took.
fn summary(args: &SolveArgs, solver: &mut Solver, rows: &[String]) -> Result<ExitCode> {
    let (mut times, mut won, mut nodes) = (Vec::new(), 0, 0);
    for (number, row) in rows.iter().enumerate() {
        let game = record::from_moves(row, Rules::CONNECT6, args.stones)
            .with_context(|| format!("row {}", number + 2))?;
        let begun = Instant::now();
        let report = search(args, solver, &game);
        times.push(begun.elapsed().as_secs_f64());
        nodes += report.nodes;
        match report.result {
            ThreatResult::Win => won += 1,
            ThreatResult::NoWin | ThreatResult::Unknown => {
                say(&format!("not won, row {}: {row}", number + 2))?;
            }
        }
    }
    times.sort_by(f64::total_cmp);
    let part =
        |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or_default();
    let value = json!({
        "positions": rows.len(), "won": won, "nodes": nodes,
        "median_s": part(0.5), "p99_s": part(0.99), "slowest_s": times.last(),
    });
    say(&value.to_string())?;
    Ok(ExitCode::SUCCESS)
}

fn search(args: &SolveArgs, solver: &mut Solver, game: &Game) -> Report {
    let to_move = game.to_move();
    solver.set_deadline(Some(Instant::now() + Duration::from_secs_f64(args.time)));
    solver.solve(&mut game.board().clone(), to_move.color, &options(args, game))
}

fn options(args: &SolveArgs, game: &Game) -> Options {
    let turns = if args.doubles { Turns::Doubles } else { Turns::Singles };
    Options { stones: usize::from(game.to_move().stones), turns, nodes: args.nodes }
}

/// The positions of a file without a byte order mark: one, or one in each row of moves, after so many stones or all.
pub fn games(bytes: &[u8], stones: Option<usize>) -> Vec<Result<Game>> {
    let text = String::from_utf8_lossy(bytes);
    let rows: Vec<&str> = text.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
    let is_moves =
        |row: &&str| row.split_whitespace().next().is_some_and(|w| read_record_points(w).is_some());
    if rows.len() > 1 && rows.first().is_some_and(is_moves) {
        rows.iter().map(|row| record::from_moves(row, Rules::CONNECT6, stones)).collect()
    } else {
        let game = record::load(bytes, Rules::CONNECT6, stones).and_then(|game| {
            let stones = game.rules().p().max(game.to_move().stones.into());
            ensure!(stones <= 2, "there is no threat search for turns of {stones} stones");
            Ok(game)
        });
        vec![game]
    }
}

fn answer(args: &SolveArgs, solver: &mut Solver, game: &Game) -> String {
    let begun = Instant::now();
    let to_move = game.to_move();
    let side = to_move.color.title();
    if game.outcome() != Outcome::Open {
        let text = match game.outcome() {
            Outcome::Win(color) => format!("{} has won already", color.title()),
            Outcome::Draw | Outcome::Open => "the game is drawn already".to_owned(),
        };
        return if args.json {
            json!({ "verdict": "over", "text": text }).to_string()
        } else {
            text
        };
    }
    let report = search(args, solver, game);
    let mut board = game.board().clone();
    let seconds = begun.elapsed().as_secs_f64();
    let plan = (report.result == ThreatResult::Win).then(|| {
        solver.set_deadline(Some(Instant::now() + Duration::from_secs_f64(args.time)));
        solver.plan(&mut board, to_move.color, &options(args, game), &report)
    });
    let plan = plan.flatten();
    let line: Vec<Vec<Point>> = match (&plan, report.turn) {
        (Some(plan), _) => plan.line(),
        (None, Some(turn)) => vec![turn.stones().collect()],
        (None, None) => Vec::new(),
    };
    let words: Vec<String> = line.iter().map(|turn| record_turn(turn)).collect();
    let verdict = match report.result {
        ThreatResult::Win => "win",
        ThreatResult::NoWin => "no win",
        ThreatResult::Unknown => "unknown",
    };
    let tried = match options(args, game).turns {
        Turns::Doubles => "double threats",
        Turns::Singles => "threats",
    };
    if args.json {
        let value: Value = json!({
            "side": side.to_ascii_lowercase(),
            "verdict": verdict,
            "tried": tried,
            "line": words,
            "turns": plan.as_ref().map(|p| p.depth()),
            "tree": plan.as_ref().map(|p| p.size()),
            "nodes": report.nodes,
            "seconds": seconds,
        });
        return value.to_string();
    }
    let told = in_words(report.result, to_move.color, options(args, game).turns);
    let mut text = format!("{told}; {} nodes, {seconds:.6} s", report.nodes);
    if !words.is_empty() {
        text += &format!("\n{}", words.join(" "));
    }
    text
}

/// What an answer says. That there is no win is said of the turns that are tried alone: they make threats, and of those
/// with one threat, or with a free second stone, not all are.
pub(super) fn in_words(verdict: ThreatResult, color: Color, turns: Turns) -> String {
    let side = color.title();
    match (verdict, turns) {
        (ThreatResult::Win, _) => format!("{side} wins by threats"),
        (ThreatResult::NoWin, Turns::Doubles) => {
            format!("{side} has no win by the turns tried, which leave no free stone")
        }
        (ThreatResult::NoWin, Turns::Singles) => {
            format!("{side} has no win by the turns tried, which make threats")
        }
        (ThreatResult::Unknown, _) => {
            format!("unknown: no win by threats of {side} was found within the limits")
        }
    }
}
