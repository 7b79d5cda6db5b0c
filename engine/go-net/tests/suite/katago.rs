//! Networks of KataGo's against KataGo's own raw outputs.

use crate::common::networks;
use flate2::read::GzDecoder;
use go_engine::{Board, Color, Point, Site, with_layout};
use go_network::rules::{Bonus, Ko, NetworkRules, Scoring, Tax};
use go_network::{
    Evaluation, FeatureWriter, Features, Kernels, Network, NetworkFile, Numbers, Outputs, Position,
    reference,
};
use serde::Deserialize;
use simd::Level;
use std::io::Read;
use std::path::Path;

#[derive(Deserialize)]
struct Line {
    width: u8,
    height: u8,
    komi: f64,
    rules_in_force: RulesInForce,
    moves: Vec<(String, String)>,
    to_move: String,
    out: Expected,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RulesInForce {
    friendly_pass_ok: bool,
    has_button: bool,
    ko: String,
    scoring: String,
    suicide: bool,
    tax: String,
    white_handicap_bonus: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Expected {
    white_win: f32,
    white_loss: f32,
    no_result: f32,
    white_lead: f32,
    white_score_selfplay: f32,
    white_score_selfplay_sq: f32,
    var_time_left: f32,
    shortterm_winloss_error: f32,
    shortterm_score_error: f32,
    policy: Vec<Option<f32>>,
    #[serde(rename = "policyPass")]
    policy_pass: f32,
    white_ownership: Vec<f32>,
}

impl RulesInForce {
    fn rules(&self) -> NetworkRules {
        NetworkRules {
            ko: match self.ko.as_str() {
                "SIMPLE" => Ko::Simple,
                "POSITIONAL" => Ko::Positional,
                "SITUATIONAL" => Ko::Situational,
                other => panic!("ko {other}"),
            },
            scoring: match self.scoring.as_str() {
                "AREA" => Scoring::Area,
                _ => Scoring::Territory,
            },
            tax: match self.tax.as_str() {
                "NONE" => Tax::None,
                "SEKI" => Tax::Seki,
                _ => Tax::All,
            },
            suicide: self.suicide,
            button: self.has_button,
            bonus: match self.white_handicap_bonus.as_str() {
                "N" => Bonus::Stones,
                "N-1" => Bonus::StonesLessOne,
                _ => Bonus::None,
            },
            friendly_pass_ok: self.friendly_pass_ok,
        }
    }
}

fn color(word: &str) -> Color {
    if word == "b" { Color::Black } else { Color::White }
}

/// A position, ready for a network, and which moves are legal in it.
struct Prepared {
    features: Features,
    legal: Vec<bool>,
    rules: NetworkRules,
    to_play: Color,
}

fn asked<const N: usize, const W: usize>(line: &Line, strict: bool) -> Prepared {
    let rules = line.rules_in_force.rules();
    let board = Board::<N, W>::new(line.width, line.height).unwrap();
    let mut position = Position::new(board, Color::Black, rules, line.komi, [0; 2]);
    for (by, at) in &line.moves {
        let site = match at.as_str() {
            "pass" => Site::PASS,
            point => position.board().site(point.parse::<Point>().unwrap()).unwrap(),
        };
        position.play(color(by), site);
    }
    let to_play = color(&line.to_move);
    position.set_to_play(to_play);
    let mut legal = Vec::new();
    for row in (0..line.height).rev() {
        for col in 0..line.width {
            let site = position.board().site(Point::new(col, row)).unwrap();
            legal.push(position.is_legal(site));
        }
    }
    legal.push(true);
    Prepared { features: FeatureWriter::new(strict).write(&position), legal, rules, to_play }
}

fn lines(path: &Path) -> Vec<Line> {
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Largest differences so far: chances, points, owners.
#[derive(Debug, Default)]
struct Differences {
    chance: f32,
    points: f32,
    owner: f32,
}

fn compare(
    line: &Line,
    asked: &Prepared,
    outputs: &Outputs,
    network: &NetworkFile,
    worst: &mut Differences,
) {
    let expected = &line.out;
    let found: Evaluation = outputs.evaluation(network.version, &network.multipliers, &asked.rules);
    let white = asked.to_play == Color::White;
    let sign = if white { 1.0 } else { -1.0 };
    let (win, loss) = if white { (found.win, found.loss) } else { (found.loss, found.win) };
    let mut chance = |a: f32, b: f32| worst.chance = worst.chance.max((a - b).abs());
    chance(win, expected.white_win);
    chance(loss, expected.white_loss);
    chance(found.no_result, expected.no_result);
    // KataGo prints policies with the optimism that its root has.
    let policy = outputs.policy(0.2, |index| asked.legal[index]);
    let (&pass, points) = policy.split_last().unwrap();
    chance(pass, expected.policy_pass);
    for (index, (&found, &expected)) in points.iter().zip(&expected.policy).enumerate() {
        assert_eq!(asked.legal[index], expected.is_some(), "legality of point {index}");
        chance(found, expected.unwrap_or(0.0));
    }
    let mut points = |a: f32, b: f32| worst.points = worst.points.max((a - b).abs());
    points(sign * found.lead, expected.white_lead);
    points(sign * found.score_mean, expected.white_score_selfplay);
    points(found.score_square.sqrt(), expected.white_score_selfplay_sq.sqrt());
    if network.version > 8 {
        points(found.time_variance, expected.var_time_left);
        points(found.value_error.unwrap(), expected.shortterm_winloss_error);
        points(found.score_error.unwrap(), expected.shortterm_score_error);
    }
    for (found, expected) in outputs.owners().iter().zip(&expected.white_ownership) {
        worst.owner = worst.owner.max((sign * found - expected).abs());
    }
}

/// The networks beside the checkout, each with what is to be compared.
fn networks_with_lines() -> Vec<(NetworkFile, Vec<Line>)> {
    let Some(folder) = networks() else { return Vec::new() };
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with(".bin.gz"))
        .collect();
    files.sort();
    let each = files.iter().map(|path| {
        let outputs = path.with_extension("").with_extension("outputs.jsonl.gz");
        (NetworkFile::open(path).unwrap(), lines(&outputs))
    });
    each.collect()
}

/// Compares all outputs of a network with KataGo's.
fn check(
    network: &NetworkFile,
    lines: &[&Line],
    words: &str,
    limits: (f32, f32),
    mut evaluate: impl FnMut(&Features) -> Outputs,
) {
    let mut worst = Differences::default();
    for line in lines {
        let side = line.width.max(line.height);
        let asked = with_layout!(side, asked(line, network.strict_pass_alive));
        let outputs = evaluate(&asked.features);
        compare(line, &asked, &outputs, network, &mut worst);
    }
    eprintln!("{} {words}: {} positions, {worst:?}", network.name, lines.len());
    let (chance, points) = limits;
    let owner = if chance > 2e-3 { 5.0 * chance } else { chance };
    assert!(worst.chance < chance && worst.points < points && worst.owner < owner, "{worst:?}");
}

#[test]
fn outputs_are_katagos_own() {
    for (network, lines) in networks_with_lines() {
        assert!(lines.len() > 40);
        let lines: Vec<&Line> = lines.iter().collect();
        check(&network, &lines, "reference", (1e-3, 1e-2), |features| {
            reference::evaluate(&network, features)
        });
    }
}

#[test]
fn fast_outputs_are_katagos_own() {
    for (file, lines) in networks_with_lines() {
        for level in Level::available() {
            for numbers in [Numbers::Float, Numbers::Int16] {
                let network = Network::new(&file, Kernels { level, numbers });
                let limits = match numbers {
                    Numbers::Float => (1e-3, 1e-2),
                    // Whole numbers have some ten bits.
                    Numbers::Int16 => (1e-2, 0.3),
                };
                // Plain code takes long.
                let some = if level == Level::SCALAR { 9 } else { 1 };
                let lines: Vec<&Line> = lines.iter().step_by(some).collect();
                check(&file, &lines, &format!("{level:?} {numbers:?}"), limits, |features| {
                    let mut outputs = [Outputs::default()];
                    let mut worker = network.worker(features.size, 1);
                    network.evaluate(&mut worker, std::slice::from_ref(features), &mut outputs);
                    let [outputs] = outputs;
                    outputs
                });
            }
        }
    }
}
