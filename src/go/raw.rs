//! What is said of a position without search, in KataGo's and Leela Zero's forms: by the network where one is in use, else
//! moves by the learned predictor, score and owners by the estimate of influence. What nobody says is `NAN`, or -1 where
//! KataGo has that for what a network does not know.

use std::fmt::Write;

use go_engine::{Color, Move, Point};
use go_network::{GameEvaluation, Network, Symmetry, evaluate_game};

use super::Go;
use super::estimate::gogui::estimate;
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
    let model = |name: &str, internal: &str, version: u32| {
        serde_json::json!({
            "name": name,
            "internalName": internal,
            "maxBatchSize": 1,
            "usesHumanSLProfile": false,
            "version": version,
            "usingFP16": "false",
        })
    };
    let models = match go.engine.network(&go.game) {
        Some(network) => vec![model(network.name(), network.name(), network.version())],
        None if predicted(go).is_empty() => Vec::new(),
        None => {
            let name = go.engine.patterns().name();
            vec![model(name, &format!("tesuji-patterns-{name}"), 1)]
        }
    };
    serde_json::Value::Array(models).to_string()
}

/// How likely each legal move of the player to move is, by the predictor.
fn predicted(go: &Go) -> Vec<(Move, f32)> {
    let color = go.game.to_play();
    let likely = go.engine.policy(&go.game, color);
    likely.into_iter().filter(|&(mv, _)| go.game.check(color, mv).is_ok()).collect()
}

/// What is said of a position; White's everywhere.
struct Said {
    /// The chances to win, to lose, and of neither.
    outcome: [f64; 3],
    lead: f64,
    /// The expected score, and the mean of its square.
    score: Option<[f64; 2]>,
    /// The variance of the time left, and short-term errors of value and score.
    unrest: [Option<f64>; 3],
    /// Moves, the pass where one is ever expected.
    policy: Vec<(Move, f32)>,
    /// Row by row from A1.
    ownership: Vec<f32>,
}

impl Said {
    /// What is learned and estimated without a network.
    fn estimated(go: &Go) -> Result<Said, Failure> {
        let estimate =
            estimate(&go.game).ok_or_else(|| Failure::new("the built-in model is damaged"))?;
        let lead = -estimate.lead;
        let wins = white_wins(lead, estimate.error);
        Ok(Said {
            outcome: [wins, 1.0 - wins, 0.0],
            lead,
            score: None,
            unrest: [None; 3],
            policy: predicted(go),
            ownership: estimate.ownership.iter().map(|owned| -owned).collect(),
        })
    }

    /// What a network says of a board that is turned.
    fn of_network(go: &Go, network: &Network, symmetry: Symmetry) -> Result<Said, Failure> {
        let said = evaluate_game(network, &go.game, 0.0, symmetry)
            .ok_or_else(|| Failure::new("boards that are not square have symmetries 0 to 3"))?;
        let GameEvaluation { to_play, evaluation: e, policy, owners } = said;
        let (sign, [win, loss]) = match to_play {
            Color::White => (1.0, [e.win, e.loss]),
            Color::Black => (-1.0, [e.loss, e.win]),
        };
        let wide = |number: f32| f64::from(number);
        Ok(Said {
            outcome: [win, loss, e.no_result].map(wide),
            lead: sign * wide(e.lead),
            score: Some([sign * wide(e.score_mean), wide(e.score_square)]),
            unrest: [Some(e.time_variance), e.value_error, e.score_error]
                .map(|number| number.map(wide)),
            policy,
            ownership: owners.into_iter().map(|(_, owner)| -owner).collect(),
        })
    }

    /// Lets another opinion of the same position count for a share, 0 to 1.
    fn mix(&mut self, other: &Said, share: f64) {
        let towards = |one: &mut f64, other: f64| *one += share * (other - *one);
        let pairs = self.outcome.iter_mut().zip(other.outcome);
        pairs.for_each(|(one, other)| towards(one, other));
        towards(&mut self.lead, other.lead);
        if let (Some(one), Some(other)) = (&mut self.score, other.score) {
            one.iter_mut().zip(other).for_each(|(one, other)| towards(one, other));
        }
        for (one, other) in self.unrest.iter_mut().zip(other.unrest) {
            if let (Some(one), Some(other)) = (one, other) {
                towards(one, other);
            }
        }
        let share = share as f32;
        for (mv, chance) in &mut self.policy {
            *chance += share * (other.chance(*mv).unwrap_or(0.0) - *chance);
        }
        for (one, other) in self.ownership.iter_mut().zip(&other.ownership) {
            *one += share * (other - *one);
        }
    }

    fn chance(&self, mv: Move) -> Option<f32> {
        self.policy.iter().find(|found| found.0 == mv).map(|found| found.1)
    }
}

/// Ways of turning the board, by KataGo's numbers, whose mean is told in one.
struct Group {
    name: String,
    numbers: Vec<u8>,
}

/// What was asked for: one of the eight ways, each of them, or their mean. Without a network all give the same.
fn groups(go: &Go, args: &mut Args<'_>) -> Result<Vec<Group>, Failure> {
    let one = |number: u8| Group { name: number.to_string(), numbers: vec![number] };
    let (width, height) = go.game.size();
    let all = 0..if width == height { 8 } else { 4 };
    match args.next().map(str::to_ascii_lowercase).as_deref() {
        None => Ok(vec![one(0)]),
        Some(name @ ("average" | "avg")) => {
            Ok(vec![Group { name: name.to_owned(), numbers: all.collect() }])
        }
        Some("all") => Ok(all.map(one).collect()),
        Some(number) => match number.parse() {
            Ok(number @ 0..=7) => Ok(vec![one(number)]),
            _ => Err(Failure::new("a number from 0 to 7 or all is expected")),
        },
    }
}

/// The one of KataGo's number: there the first bit turns rows over and the second one columns.
fn symmetry(number: u8) -> Symmetry {
    let number = u64::from(number);
    Symmetry::new(number & 4 | (number & 1) << 1 | (number & 2) >> 1)
}

/// What is said of the position, in the mean over some ways of turning it.
fn said(go: &Go, group: &Group) -> Result<Said, Failure> {
    let Some(network) = go.engine.network(&go.game) else { return Said::estimated(go) };
    let of = |&number: &u8| Said::of_network(go, network, symmetry(number));
    let mut all = group.numbers.iter().map(of).collect::<Result<Vec<Said>, Failure>>()?;
    let mut mean = all.remove(0);
    for (more, said) in all.iter().enumerate() {
        mean.mix(said, 1.0 / (more + 2) as f64);
    }
    Ok(mean)
}

/// `kata-raw-nn SYMMETRY`: one value or board of values a row, all as White sees them.
fn raw(go: &mut Go, call: &mut Call) -> Reply {
    let groups = groups(go, &mut call.args)?;
    let texts = groups.iter().map(|group| {
        let said = said(go, group)?;
        Ok(format!("symmetry {}\n{}", group.name, told(go, &said)))
    });
    Ok(texts.collect::<Result<Vec<_>, Failure>>()?.join("\n"))
}

fn told(go: &Go, said: &Said) -> String {
    let [wins, losses, neither] = said.outcome;
    let [score, square] = match said.score {
        Some(score) => score.map(|number| format!("{number:.3}")),
        None => [(); 2].map(|()| "NAN".to_owned()),
    };
    let [time, value, points] = said.unrest.map(|number| number.unwrap_or(-1.0));
    let mut text = format!(
        "whiteWin {wins:.6}\nwhiteLoss {losses:.6}\nnoResult {neither:.6}\nwhiteLead {:.3}\n\
         whiteScoreSelfplay {score}\nwhiteScoreSelfplaySq {square}\nvarTimeLeft {time:.3}\n\
         shorttermWinlossError {value:.3}\nshorttermScoreError {points:.3}\npolicy\n",
        said.lead
    );
    rows(&mut text, go, |at| {
        match said.chance(Move::Play(Point::new(at.vertex.column, at.vertex.row))) {
            Some(p) => format!("{p:8.6} "),
            None => "    NAN ".to_owned(),
        }
    });
    // The predictor shares one out among the points: it never expects a pass.
    match said.policy.is_empty() {
        true => text.push_str("policyPass NAN\n"),
        false => {
            let pass = said.chance(Move::Pass).unwrap_or(0.0);
            text.push_str(&format!("policyPass {pass:8.6}\n"));
        }
    }
    text.push_str("whiteOwnership\n");
    rows(&mut text, go, |at| {
        format!("{:9.7} ", said.ownership.get(at.index).copied().unwrap_or(0.0))
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
    for group in groups(go, &mut call.args)? {
        let said = said(go, &group)?;
        if said.policy.is_empty() {
            return Err(Failure::new("nothing that was learned is in use: see --patterns"));
        }
        let white = said.outcome[0] + said.outcome[2] / 2.0;
        let wins = if go.game.to_play() == Color::White { white } else { 1.0 - white };
        let mut text = String::new();
        let thousandths = |mv| (1000.0 * said.chance(mv).unwrap_or(0.0)) as u32;
        rows(&mut text, go, |at| {
            let point = Point::new(at.vertex.column, at.vertex.row);
            format!("{:3} ", thousandths(Move::Play(point)))
        });
        // Writing to a string cannot fail.
        let _ = write!(text, "pass: {}\nwinrate: {wins:.6}", thousandths(Move::Pass));
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
