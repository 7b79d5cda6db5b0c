//! A score estimate for programs.

use go_engine::{Color, Game, Point};
use go_influence::{ScoreEstimate, Urgent};
use serde::Serialize;

use super::balance::Balance;
use super::groups::{Group, groups};

/// The whole of it, as one object.
#[derive(Serialize)]
struct Report<'a> {
    file: &'a str,
    moves: usize,
    model: &'a str,
    width: u8,
    height: u8,
    to_play: String,
    komi: f64,
    /// What White gets for a handicap.
    handicap_bonus: f64,
    /// Under territory scoring, Black's stones beyond White's.
    extra_stones: f64,
    /// Positive for Black: what is expected of Black less what is expected of White, komi, bonus and extra stones.
    lead: f64,
    black: Side,
    white: Side,
    /// Rows from the top, each from the left: 1 Black's, -1 White's.
    ownership: Vec<Vec<f32>>,
    /// The model's own numbers, in the same order.
    influence: Vec<Vec<i32>>,
    groups: Vec<GroupReport>,
}

#[derive(Serialize)]
struct Side {
    stones: usize,
    empty: usize,
    dead: usize,
    area: usize,
    expected: f64,
}

#[derive(Serialize)]
struct GroupReport {
    /// The letter that it has in the picture, where it is in danger.
    letter: Option<String>,
    color: String,
    stones: Vec<String>,
    liberties: Vec<String>,
    territory: Vec<String>,
    freedom: usize,
    safety: u8,
    defend: Vec<Answer>,
    attack: Vec<Answer>,
}

/// A move and the group's safety after it.
#[derive(Serialize)]
struct Answer {
    point: String,
    safety: u8,
}

/// One line of JSON, of the position after so many moves.
pub fn text(file: &str, moves: usize, game: &Game, estimate: &ScoreEstimate) -> String {
    let (width, height) = (game.board().width(), game.board().height());
    let balance = Balance::of(game, estimate);
    let side = |color| {
        let held = estimate.holdings(game, color);
        Side {
            stones: held.stones,
            empty: held.empty,
            dead: held.dead,
            area: held.area(),
            expected: balance.expected(color),
        }
    };
    let names = |points: &[Point]| points.iter().map(Point::to_string).collect();
    let answers = |moves: &[Urgent]| {
        let answer =
            |urgent: &Urgent| Answer { point: urgent.point.to_string(), safety: urgent.safety };
        moves.iter().map(answer).collect()
    };
    let rows = || (0..height).rev();
    let report = Report {
        file,
        moves,
        model: estimate.model,
        width,
        height,
        to_play: estimate.to_play.to_string(),
        komi: game.komi(),
        handicap_bonus: balance.bonus,
        extra_stones: balance.extra_stones,
        lead: balance.lead(),
        black: side(Color::Black),
        white: side(Color::White),
        ownership: rows()
            .map(|row| {
                let start = usize::from(row) * usize::from(width);
                estimate.ownership[start..start + usize::from(width)].to_vec()
            })
            .collect(),
        influence: rows()
            .map(|row| (0..width).map(|col| estimate.influence.at(Point::new(col, row))).collect())
            .collect(),
        groups: groups(estimate)
            .into_iter()
            .map(|Group { letter, dragon, defend, attack }| GroupReport {
                letter,
                color: dragon.color.to_string(),
                stones: names(&dragon.stones),
                liberties: names(&dragon.liberties),
                territory: names(&dragon.territory),
                freedom: dragon.freedom,
                safety: dragon.safety,
                defend: answers(defend),
                attack: answers(attack),
            })
            .collect(),
    };
    // Numbers and strings can always be written.
    serde_json::to_string(&report).unwrap_or_default()
}
