//! What is said of a position without search, in KataGo's and Leela Zero's forms: moves by the learned predictor, score
//! and owners by the estimate of influence. What neither says is `NAN`, or -1 where KataGo has that for what a network
//! does not know.

use std::fmt::Write;

use go_engine::{Move, Point};

use super::Go;
use super::estimate::gogui::{Estimate, estimate};
use crate::gtp::{Args, Call, Commands, Failure, Reply};
use crate::session::Game as _;
use crate::session::game::board;

pub(super) fn register(commands: &mut Commands<Go>) {
    commands
        .add("kata-get-models", |go, _| Ok(models(go)))
        .add("kata-raw-nn", raw)
        .add("heatmap", heatmap);
}

/// What has learned the moves, as KataGo tells of its networks; nothing where nothing learned is in use.
fn models(go: &Go) -> String {
    let name = go.engine.patterns().name();
    let has_predictor = !predicted(go).is_empty();
    let model = || {
        serde_json::json!({
            "name": name,
            "internalName": format!("tesuji-patterns-{name}"),
            "maxBatchSize": 1,
            "usesHumanSLProfile": false,
            "version": 1,
            "usingFP16": "false",
        })
    };
    let models: Vec<_> = has_predictor.then(model).into_iter().collect();
    serde_json::Value::Array(models).to_string()
}

/// How likely each legal move of the player to move is.
fn predicted(go: &Go) -> Vec<(Point, f32)> {
    let color = go.game.to_play();
    let points = go.engine.policy(&go.game, color).into_iter().filter_map(|(mv, p)| match mv {
        Move::Play(point) => Some((point, p)),
        Move::Pass => None,
    });
    points.filter(|&(point, _)| go.game.check(color, Move::Play(point)).is_ok()).collect()
}

/// Which of the eight ways of laying the board were asked for; all give the same here.
fn symmetries(args: &mut Args<'_>) -> Result<Vec<u8>, Failure> {
    match args.next().map(str::to_ascii_lowercase).as_deref() {
        None | Some("average" | "avg") => Ok(vec![0]),
        Some("all") => Ok((0..8).collect()),
        Some(number) => match number.parse() {
            Ok(number @ 0..=7) => Ok(vec![number]),
            _ => Err(Failure::new("a number from 0 to 7 or all is expected")),
        },
    }
}

/// `kata-raw-nn SYMMETRY`: one value or board of values a row, all as White sees them.
fn raw(go: &mut Go, call: &mut Call) -> Reply {
    let symmetries = symmetries(&mut call.args)?;
    let estimate =
        estimate(&go.game).ok_or_else(|| Failure::new("the built-in model is damaged"))?;
    let predicted = predicted(go);
    let rest = told(go, &estimate, &predicted);
    let texts = symmetries.iter().map(|symmetry| format!("symmetry {symmetry}\n{rest}"));
    Ok(texts.collect::<Vec<_>>().join("\n"))
}

fn told(go: &Go, estimate: &Estimate, predicted: &[(Point, f32)]) -> String {
    let white_lead = -estimate.lead;
    let wins = white_wins(white_lead, estimate.error);
    let mut text = format!(
        "whiteWin {wins:.6}\nwhiteLoss {:.6}\nnoResult 0.000000\nwhiteLead {white_lead:.3}\n\
         whiteScoreSelfplay NAN\nwhiteScoreSelfplaySq NAN\nvarTimeLeft -1.000\n\
         shorttermWinlossError -1.000\nshorttermScoreError -1.000\npolicy\n",
        1.0 - wins
    );
    rows(&mut text, go, |at| {
        let point = Point::new(at.vertex.column, at.vertex.row);
        match predicted.iter().find(|found| found.0 == point) {
            Some((_, p)) => format!("{p:8.6} "),
            None => "    NAN ".to_owned(),
        }
    });
    // The predictor shares one out among the points: it never expects a pass.
    text.push_str(if predicted.is_empty() { "policyPass NAN\n" } else { "policyPass 0.000000\n" });
    text.push_str("whiteOwnership\n");
    rows(&mut text, go, |at| {
        let owned = estimate.ownership.get(at.index).copied().unwrap_or(0.0);
        format!("{:9.7} ", -owned)
    });
    text
}

/// The chance that White wins with this lead, when leads are wrong by so much in the mean: by a normal distribution,
/// whose mean error is sqrt(2 / pi) of its standard deviation, and whose integral is a logistic curve to within 0.01
/// (Bowling et al. 2009).
fn white_wins(lead: f64, mean_error: f64) -> f64 {
    let deviation = mean_error * (std::f64::consts::PI / 2.0).sqrt();
    1.0 / (1.0 + (-1.702 * lead / deviation).exp())
}

fn rows(text: &mut String, go: &Go, cell: impl Fn(board::Place) -> String) {
    for row in board::rows(go.game.size()) {
        text.extend(row.map(&cell));
        text.push('\n');
    }
}

/// `heatmap [SYMMETRY]`: how likely each point is the next move, in thousandths, and how likely the player to move wins.
fn heatmap(go: &mut Go, call: &mut Call) -> Reply {
    let symmetries = symmetries(&mut call.args)?;
    let predicted = predicted(go);
    if predicted.is_empty() {
        return Err(Failure::new("nothing that was learned is in use: see --patterns"));
    }
    let estimate =
        estimate(&go.game).ok_or_else(|| Failure::new("the built-in model is damaged"))?;
    let wins = white_wins(-estimate.lead, estimate.error);
    let wins = if go.game.to_play() == go_engine::Color::White { wins } else { 1.0 - wins };
    let mut text = String::new();
    rows(&mut text, go, |at| {
        let point = Point::new(at.vertex.column, at.vertex.row);
        let found = predicted.iter().find(|found| found.0 == point);
        format!("{:3} ", found.map_or(0, |found| (1000.0 * found.1) as u32))
    });
    // Writing to a string cannot fail.
    let _ = write!(text, "pass: 0\nwinrate: {wins:.6}");
    for _ in symmetries {
        // Every row of the map on a row of its own, for clients that look for them.
        call.stream(&text)?;
    }
    Ok(String::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_wins_more_often_the_surer_it_is() {
        assert_eq!(white_wins(0.0, 8.0), 0.5);
        let wins =
            [(3.0, 8.0), (10.0, 8.0), (10.0, 4.0)].map(|(lead, error)| white_wins(lead, error));
        assert!(wins.is_sorted() && wins[0] > 0.6 && wins[2] < 1.0, "{wins:?}");
        // One standard deviation is 84%.
        let deviation = white_wins(8.0 * (std::f64::consts::PI / 2.0).sqrt(), 8.0);
        assert!((deviation - 0.841).abs() < 0.01, "{deviation}");
    }
}
