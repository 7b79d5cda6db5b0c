//! ScoreEstimate over GTP: an early score, and what GoGui draws.

use std::fmt::Write;

use go_engine::score::result;
use go_engine::{Color, Game, Point};
use go_influence::{Dragon, Model, ScoreEstimate};
use go_patterns::influence::{EstimateError, Estimator, TerritoryEstimate};

use super::super::Go;
use super::balance::Balance;
use super::models;
use super::text;
use crate::gtp::{Args, Call, Commands, Failure, Reply, join};

pub(in crate::go) fn register(commands: &mut Commands<Go>) {
    commands
        .add("estimate_score", estimate_score)
        .alias("tesuji-judge", "tesuji-estimate")
        .add("tesuji-estimate", |go, call| Ok(words(&go.game, &estimated(go, call)?)))
        .add("tesuji-influence", |go, call| Ok(influence(&estimated(go, call)?)))
        .add("tesuji-territory", territory)
        .add("tesuji-groups", |go, call| Ok(groups(&go.game, &estimated(go, call)?)));
}

/// What the next word names, the best one when there is none.
fn estimator(go: &Go, args: &mut Args<'_>) -> Result<Estimator, Failure> {
    let failure = |error: anyhow::Error| Failure::new(error.to_string());
    match args.next() {
        Some(name) => models::by_name(&name.to_ascii_lowercase(), false, None).map_err(failure),
        None => go.engine.estimator(&go.game).map_err(|error| failure(error.into())),
    }
}

fn estimated(go: &Go, call: &mut Call) -> Result<ScoreEstimate, Failure> {
    let estimator = estimator(go, &mut call.args)?;
    estimator.estimate(&go.game).map_err(|error| Failure::new(error.to_string()))
}

/// A position as the tuned model, or a network, estimates it.
pub(in crate::go) struct Estimate {
    /// Black's lead, komi included.
    pub lead: f64,
    /// The lead's mean error.
    pub error: f64,
    /// Whose each point is expected to be, row by row from A1: 1 Black's, -1 White's.
    pub ownership: Vec<f32>,
}

impl Estimate {
    /// The present position of a game.
    ///
    /// # Errors
    /// For a network on boards that it does not know.
    pub fn by(estimator: &Estimator, game: &Game) -> Result<Estimate, EstimateError> {
        let TerritoryEstimate { ownership, area_lead, .. } = estimator.opinion(game)?;
        let (lead, error) = (area_lead - game.area_compensation(), estimator.mean_error(game));
        Ok(Estimate { lead, error, ownership })
    }
}

/// The present position of a game by the tuned model; nothing from a damaged program.
pub(in crate::go) fn estimate(game: &Game) -> Option<Estimate> {
    let tuned = Estimator::Influence(Model::Tuned(Estimator::tuned().ok()?));
    Estimate::by(&tuned, game).ok()
}

/// `estimate_score`: as GNU Go answers it, the bounds a mean error away.
fn estimate_score(go: &mut Go, _: &mut Call) -> Reply {
    let estimator = go.engine.estimator(&go.game);
    let estimate = estimator.and_then(|estimator| Estimate::by(&estimator, &go.game));
    let Estimate { lead, error, .. } = estimate.map_err(|error| Failure::new(error.to_string()))?;
    let tenths = |number: f64| (number * 10.0).round() / 10.0;
    Ok(format!(
        "{} (upper bound: {}, lower: {})",
        result(tenths(lead)),
        tenths(lead + error),
        tenths(lead - error)
    ))
}

/// The estimate in words. An answer has no empty line.
fn words(game: &Game, estimate: &ScoreEstimate) -> String {
    let text = text::text(&format!("move {}", game.moves().len()), game, estimate);
    text.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Every point's number on Chen's scale, as a share: rows from the top.
fn influence(estimate: &ScoreEstimate) -> String {
    let field = &estimate.influence;
    let row = |row: u8| {
        let value = |col| f64::from(field.normalised(Point::new(col, row))) / 64.0;
        (0..field.width()).map(|col| format!("{:.2}", value(col))).collect::<Vec<_>>().join(" ")
    };
    (0..field.height()).rev().map(row).collect::<Vec<_>>().join("\n")
}

/// `tesuji-territory COLOR [MODEL]`: the points without a living stone that are a colour's.
fn territory(go: &mut Go, call: &mut Call) -> Reply {
    let color = call.args.color()?;
    let estimate = estimated(go, call)?;
    let board = go.game.board();
    let held = board
        .points()
        .filter(|&point| estimate.owner(point) == Some(color) && board.stone(point) != Some(color));
    Ok(join(held))
}

/// The groups: stones and territory in the colour of their safety, which stands on their first
/// stones; moves that defend are marked with a circle, those that attack with a triangle.
fn groups(game: &Game, estimate: &ScoreEstimate) -> String {
    let mut text = String::new();
    let (mut defend, mut attack) = (Vec::new(), Vec::new());
    for (dragon, [saving, taking]) in estimate.groups() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "COLOR {} {}", colour(dragon), join(&dragon.stones));
        let _ = writeln!(text, "LABEL {} {}", dragon.origin(), dragon.safety);
        defend.extend(saving.first().map(|urgent| urgent.point));
        attack.extend(taking.first().map(|urgent| urgent.point));
    }
    for (what, points) in [("CIRCLE", defend), ("TRIANGLE", attack)] {
        if !points.is_empty() {
            let _ = writeln!(text, "{what} {}", join(points));
        }
    }
    for color in Color::BOTH {
        let held = estimate.influence.points().filter(|&p| estimate.owner(p) == Some(color));
        let held: Vec<Point> = held.filter(|&p| estimate.dragons.at(p).is_none()).collect();
        if !held.is_empty() {
            let _ = writeln!(text, "{} {}", color.to_string().to_uppercase(), join(held));
        }
    }
    let balance = Balance::of(game, estimate);
    text + &format!("TEXT {} {balance}", balance.verdict())
}

/// Red for dead, green for alive, between them in between.
fn colour(dragon: &Dragon) -> String {
    let share = f32::from(dragon.safety.min(64)) / 64.0;
    format!("#{:02x}{:02x}40", (230.0 * (1.0 - share)) as u8, (60.0 + 140.0 * share) as u8)
}
