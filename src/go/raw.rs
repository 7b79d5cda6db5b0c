//! What is said of a position without search, in KataGo's and Leela Zero's forms. What nobody says is `NAN`, or -1 where
//! KataGo has that for what a network does not know.

use std::fmt::Write;

use go_engine::{Color, Game, Move, Point};
use go_network::Symmetry;

use super::Go;
use super::engine::GoEngine;
use super::static_evaluation::{StaticEvaluation, predicted};
use crate::gtp::{Args, Call, Commands, Failure, Reply};
use crate::session::Game as _;
use crate::session::game::board;

pub(super) fn register(commands: &mut Commands<Go>) {
    commands
        .add("kata-get-models", |go, _| Ok(models(&go.engine, &go.game).to_string()))
        .add("kata-raw-nn", raw)
        .add("heatmap", heatmap);
}

/// What has learned the moves, as KataGo tells of its networks; nothing where nothing learned is in use.
pub(super) fn models(engine: &GoEngine, game: &Game) -> serde_json::Value {
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
    let models = match engine.network(game) {
        Some(network) => vec![model(network.name(), network.name(), network.version())],
        None if predicted(engine, game).is_empty() => Vec::new(),
        None => {
            let name = engine.patterns().name();
            vec![model(name, &format!("tesuji-patterns-{name}"), 1)]
        }
    };
    serde_json::Value::Array(models)
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
            _ => Err(Failure::new("a number from 0 to 7, all or average is expected")),
        },
    }
}

/// The one of KataGo's number: there the first bit turns rows over and the second one columns.
fn symmetry(number: u8) -> Symmetry {
    let number = u64::from(number);
    Symmetry::new(number & 4 | (number & 1) << 1 | (number & 2) >> 1)
}

/// What is said of the position, in the mean over some ways of turning it.
fn said(go: &Go, group: &Group) -> Result<StaticEvaluation, Failure> {
    let Some(network) = go.engine.network(&go.game) else {
        let estimated = StaticEvaluation::estimated(&go.engine, &go.game);
        return estimated.ok_or_else(|| Failure::new("the built-in model is damaged"));
    };
    let of = |&number: &u8| {
        StaticEvaluation::of_network(network, &go.game, symmetry(number))
            .ok_or_else(|| Failure::new("boards that are not square have symmetries 0 to 3"))
    };
    let mut all = group.numbers.iter().map(of).collect::<Result<Vec<_>, Failure>>()?;
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

fn told(go: &Go, said: &StaticEvaluation) -> String {
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
