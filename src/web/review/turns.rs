//! The review of any game that a session plays: every position of the main line is searched in its turn, and the chance of
//! winning before and after each turn compared.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use game_core::{Outcome, Report};

use super::chance::{self, Assessment, Found, FoundTurn, PlayedTurn};
use super::{Review, Reviewer, Wanted};
use crate::gtp::Color;
use crate::session::{Engine, Filter, Game, Purpose, Query, Session};
use crate::web::record::{self, Loaded};
use crate::web::tree::Tree;

/// Visits of a position where nobody says how many.
const VISITS: u64 = 2000;
/// The minimum time between two tellings of what was found.
const TELLING: Duration = Duration::from_millis(300);
/// Turns of a better line that are kept, and turns that are kept of a position.
const MAX_LINE: usize = 8;
const MAX_TURNS: usize = 8;
/// What a turn has to lose of the chance of winning for the annotated game to say so.
const MIN_LOSS: f64 = 0.05;

/// What makes the sessions of a game.
pub type NewSession<G> = Arc<dyn Fn() -> Result<Session<G>> + Send + Sync>;

/// Reviews games by their sessions' searches.
pub struct TurnReviewer<G: Game> {
    session: NewSession<G>,
}

impl<G: Game> TurnReviewer<G> {
    /// One that makes itself a session for each review.
    pub fn new(session: NewSession<G>) -> TurnReviewer<G> {
        TurnReviewer { session }
    }
}

impl<G: Game> Reviewer for TurnReviewer<G> {
    fn review(&self, wanted: &Wanted) -> Result<Review> {
        let mut session = (self.session)()?;
        let loaded = record::read(&session.game, wanted.sgf.as_bytes())?;
        let line = loaded.tree.main_line();
        let turns: Vec<PlayedTurn> = line
            .iter()
            .filter_map(|&id| loaded.tree.get(id))
            .map(|node| PlayedTurn {
                color: node.color,
                steps: node.steps.clone(),
                any_order: G::ANY_ORDER,
            })
            .collect();
        if turns.is_empty() {
            bail!("there is no turn to review");
        }
        let visits = wanted.visits.unwrap_or(VISITS);
        let mut found: Vec<Option<Found>> = vec![None; turns.len() + 1];
        let mut game = loaded.root.clone();
        let mut told = Instant::now();
        for at in 0..found.len() {
            if let Some(turn) = at.checked_sub(1).and_then(|before| turns.get(before)) {
                game = game
                    .after(turn.color, &turn.steps)
                    .map_err(|why| anyhow::anyhow!("move {at}: {why}"))?;
            }
            if let Some(next) = turns.get(at) {
                game.set_to_move(next.color);
            }
            found[at] = look(&mut session.engine, &game, visits, wanted);
            if wanted.stop.load(Ordering::Relaxed) {
                found[at] = None;
                break;
            }
            if told.elapsed() > TELLING {
                let document = chance::document(&loaded.names, &turns, &found);
                wanted.tell(document, (at + 1) as f64 / (turns.len() + 1) as f64);
                told = Instant::now();
            }
        }
        let document = chance::document(&loaded.names, &turns, &found);
        let sgf = annotated(loaded, &turns, &chance::assess_all(&turns, &found))?;
        Ok(Review { document, sgf })
    }
}

/// What a search finds of a position; nothing where the game has no search.
fn look<G: Game>(engine: &mut G::Engine, game: &G, visits: u64, wanted: &Wanted) -> Option<Found> {
    let end = |winrate| Some(Found { winrate, ..Found::default() });
    match game.outcome() {
        Outcome::Win(Color::Black) => return end(1.0),
        Outcome::Win(Color::White) => return end(0.0),
        Outcome::Draw => return end(0.5),
        Outcome::Open => {}
    }
    let color = game.to_move();
    let query = Query {
        game,
        color,
        purpose: Purpose::Analysis,
        visits: Some(visits),
        deadlines: None,
        filter: &Filter::NONE,
        stop: &|| wanted.stop.load(Ordering::Relaxed),
        resign_below: 0.0,
        pace: None,
    };
    let report = engine.search(&query, &mut |_| {});
    report.best()?;
    Some(as_black(game, color, &report))
}

fn as_black<G: Game>(game: &G, color: Color, report: &Report<G::Move>) -> Found {
    let black = |chance: f32| match color {
        Color::Black => f64::from(chance),
        Color::White => 1.0 - f64::from(chance),
    };
    let searched = report.moves.iter().filter(|found| found.is_searched()).take(MAX_TURNS);
    let turns = searched.map(|found| FoundTurn {
        visits: found.visits,
        winrate: black(found.winrate),
        line: std::iter::once(game.steps_left(&found.mv))
            .chain(found.line.iter().skip(1).map(G::steps))
            .take(MAX_LINE)
            .collect(),
    });
    Found { visits: report.visits, winrate: black(report.winrate), turns: turns.collect() }
}

/// The game with the better lines as variations, and in words what was lost.
fn annotated<G: Game>(
    loaded: Loaded<G>,
    turns: &[PlayedTurn],
    assessments: &[Option<Assessment>],
) -> Result<String> {
    let Loaded { root, mut tree, names, result, .. } = loaded;
    let line = tree.main_line();
    for (at, (turn, assessment)) in turns.iter().zip(assessments).enumerate() {
        let Some(assessment) = assessment.as_ref().filter(|found| found.loss() >= MIN_LOSS) else {
            continue;
        };
        let Some(better) = &assessment.better else { continue };
        let mut last = at.checked_sub(1).map_or(Tree::ROOT, |before| line[before]);
        let mut color = turn.color;
        for steps in &better.line {
            last = tree.add(last, color, steps).map_err(anyhow::Error::new)?.0;
            color = !color;
        }
        let [best, made] = assessment.winrate.map(|chance| (100.0 * chance).round());
        let better = better.line.first().map(|steps| root.record_word(steps)).unwrap_or_default();
        let said = format!(
            "{} loses {:.0}% of the chance of winning: {best}% with {better}, {made}% after this.",
            turn.color.title(),
            100.0 * assessment.loss()
        );
        if let Some(node) = tree.get_mut(line[at]) {
            let before = std::mem::take(&mut node.comment);
            node.comment = if before.is_empty() { said } else { format!("{before}\n\n{said}") };
        }
    }
    Ok(record::write(&root, &tree, &names, &result))
}
