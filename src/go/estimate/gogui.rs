//! ScoreEstimate over GTP: an early score, and what GoGui draws.

use std::fmt::Write;

use go_engine::score::result;
use go_engine::{Color, Game, Point};
use go_influence::{Dragon, Model, ScoreEstimate};

use super::super::Go;
use super::balance::Balance;
use super::models::{self, Estimator};
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

/// What the next word names, the tuned model when there is none.
fn model(args: &mut Args<'_>) -> Result<Estimator, Failure> {
    let name = args.next().unwrap_or(models::NAMES[0]).to_ascii_lowercase();
    models::by_name(&name, false, None).map_err(|error| Failure::new(error.to_string()))
}

fn estimated(go: &Go, call: &mut Call) -> Result<ScoreEstimate, Failure> {
    let estimator = model(&mut call.args)?;
    estimator.estimate(&go.game).map_err(|error| Failure::new(error.to_string()))
}

/// A position as the tuned model estimates it.
pub(in crate::go) struct Estimate {
    /// Black's lead, komi included.
    pub lead: f64,
    /// The lead's mean error.
    pub error: f64,
    /// Whose each point is expected to be, row by row from A1: 1 Black's, -1 White's.
    pub ownership: Vec<f32>,
}

/// The present position of a game; nothing from a damaged program.
pub(in crate::go) fn estimate(game: &Game) -> Option<Estimate> {
    let model = Model::Tuned(models::built_in().ok()?);
    let influence = model.spread(&go_influence::Stones::of_game(game.board()), game.to_play());
    let lead = f64::from(influence.area_lead()) - game.area_compensation();
    Some(Estimate { lead, error: mean_error(game), ownership: influence.ownerships() })
}

/// The mean error of the tuned model's lead on 19x19, in points, by how full the board is
/// (`docs/influence.md`); on smaller boards in proportion to the side, as the points at stake are.
fn mean_error(game: &Game) -> f64 {
    const MEASURED: [(f64, f64); 5] =
        [(20.0, 7.2), (60.0, 8.6), (100.0, 9.0), (150.0, 9.3), (200.0, 8.7)];
    let board = game.board();
    let area = board.area() as f64;
    let stones = board.stones().count() as f64 * 361.0 / area;
    let above = MEASURED.iter().position(|&(moves, _)| moves >= stones);
    let error = match above {
        Some(0) => MEASURED[0].1,
        Some(at) => {
            let ((from, a), (to, b)) = (MEASURED[at - 1], MEASURED[at]);
            a + (b - a) * (stones - from) / (to - from)
        }
        None => MEASURED[MEASURED.len() - 1].1,
    };
    error * area.sqrt() / 19.0
}

/// `estimate_score`: as GNU Go answers it, the bounds a mean error away.
fn estimate_score(go: &mut Go, _: &mut Call) -> Reply {
    let Estimate { lead, error, .. } =
        estimate(&go.game).ok_or_else(|| Failure::new("the built-in model is damaged"))?;
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
