//! What turns lost of the chance of winning: the arithmetic of a review of games without points.

use serde_json::{Value, json};

use crate::gtp::{Color, Step};
use crate::session::analysis::best_other;
use crate::session::position_words;

/// A loss of the chance of winning with which a turn counts half for the accuracy.
const HALF_ACCURACY: f64 = 0.1;

/// What was found of a position, as Black sees it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Visits of the position.
    pub visits: u64,
    /// Black's chance of winning, 0 to 1.
    pub winrate: f64,
    /// The best turns, the best first.
    pub turns: Vec<FoundTurn>,
}

/// What was found of a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundTurn {
    /// How often it was tried.
    pub visits: u32,
    /// Black's chance of winning with it.
    pub winrate: f64,
    /// It, and what is expected then, turn by turn.
    pub line: Vec<Vec<Step>>,
}

/// A turn that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedTurn {
    /// Whose.
    pub color: Color,
    /// All of it.
    pub steps: Vec<Step>,
    /// Its steps may be made in any order.
    pub any_order: bool,
}

/// What a turn was worth to who played it.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    /// The chance of winning with the best turn, and after the one that was played.
    pub winrate: [f64; 2],
    /// The better one, where there is one.
    pub better: Option<FoundTurn>,
}

impl PlayedTurn {
    fn is(&self, steps: &[Step]) -> bool {
        let sorted = |steps: &[Step]| {
            let mut words = position_words(steps);
            words.sort();
            words
        };
        self.steps == steps || self.any_order && sorted(&self.steps) == sorted(steps)
    }

    /// What it lost: the chance with the best other turn less the chance after it. The latter comes from the search of the
    /// position after it, which looked at nothing else; where that is better the turn lost nothing.
    pub fn assess(&self, before: &Found, after: &Found) -> Assessment {
        let chance = |black: f64| if self.color == Color::Black { black } else { 1.0 - black };
        let is_played = |found: &FoundTurn| found.line.first().is_some_and(|first| self.is(first));
        let other = best_other(&before.turns, before.visits, is_played, |found| found.visits);
        let made = chance(after.winrate);
        let better = other.filter(|other| chance(other.winrate) > made);
        let best = better.map_or(made, |better| chance(better.winrate));
        Assessment { winrate: [best, made], better: better.cloned() }
    }
}

impl Assessment {
    /// What was lost of the chance of winning, 0 to 1.
    pub fn loss(&self) -> f64 {
        self.winrate[0] - self.winrate[1]
    }

    /// How accurate that is, 0 to 100: half for each tenth.
    pub fn accuracy(&self) -> f64 {
        100.0 * 0.5f64.powf(self.loss() / HALF_ACCURACY)
    }
}

/// A review as the page has it: `black` is Black's chance after each turn, losses are hundredths.
pub fn document(names: &[String; 2], turns: &[PlayedTurn], found: &[Option<Found>]) -> Value {
    let winrate = |found: &Found| json!({"winrate": round(found.winrate)});
    let black = |at: usize| found.get(at).and_then(Option::as_ref).map(winrate);
    let assessments = assess_all(turns, found);
    let mut moves = Vec::new();
    for (at, (turn, assessment)) in turns.iter().zip(&assessments).enumerate() {
        let told = assessment.as_ref().map(|assessment| {
            let winrate = assessment.winrate.map(round);
            json!({"winrate": winrate, "loss": round(100.0 * assessment.loss())})
        });
        let better = assessment.iter().filter_map(|assessment| assessment.better.as_ref());
        let line = |better: &FoundTurn| {
            better.line.iter().map(|steps| position_words(steps)).collect::<Vec<_>>()
        };
        moves.push(json!({
            "number": at + 1,
            "color": turn.color.letter(),
            "steps": position_words(&turn.steps),
            "black": black(at + 1),
            "assessment": told,
            "candidates": better.map(|better| json!({"turns": line(better)})).collect::<Vec<_>>(),
        }));
    }
    let players = [Color::Black, Color::White].map(|color| {
        let own: Vec<&Assessment> = turns
            .iter()
            .zip(&assessments)
            .filter_map(|(turn, assessment)| assessment.as_ref().filter(|_| turn.color == color))
            .collect();
        let mean = |of: fn(&Assessment) -> f64| {
            own.iter().map(|assessment| of(assessment)).sum::<f64>() / own.len().max(1) as f64
        };
        let all = json!({
            "moves": own.len(),
            "accuracy": round(mean(Assessment::accuracy)),
            "mean_loss": round(100.0 * mean(Assessment::loss)),
        });
        json!({"color": color.letter(), "name": names[color.index()], "summary": {"all": all}})
    });
    json!({"measure": "chance", "start": black(0), "moves": moves, "players": players})
}

/// What is known of each turn: of those whose both positions were looked at.
pub fn assess_all(turns: &[PlayedTurn], found: &[Option<Found>]) -> Vec<Option<Assessment>> {
    let of = |(at, turn): (usize, &PlayedTurn)| {
        let [before, after] = [at, at + 1].map(|at| found.get(at).and_then(Option::as_ref));
        Some(turn.assess(before?, after?))
    };
    turns.iter().enumerate().map(of).collect()
}

fn round(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(words: &[&str]) -> Vec<Step> {
        words.iter().map(|word| Step::At(word.parse().unwrap())).collect()
    }

    fn found(winrate: f64, turns: &[(&[&str], u32, f64)]) -> Found {
        let turns = turns.iter().map(|&(words, visits, winrate)| FoundTurn {
            visits,
            winrate,
            line: vec![turn(words)],
        });
        Found { visits: 1000, winrate, turns: turns.collect() }
    }

    fn played(color: Color, words: &[&str]) -> PlayedTurn {
        PlayedTurn { color, steps: turn(words), any_order: true }
    }

    #[test]
    fn a_turn_loses_what_the_best_other_one_promises_more() {
        let before = found(
            0.6,
            &[(&["A1", "B1"], 700, 0.6), (&["A2", "B2"], 200, 0.5), (&["A3", "B3"], 3, 0.9)],
        );
        let bad = played(Color::Black, &["A2", "B2"]).assess(&before, &found(0.35, &[]));
        assert!((bad.loss() - 0.25).abs() < 1e-9);
        assert_eq!(bad.better.unwrap().line[0], turn(&["A1", "B1"]));
        // Its stones may come in any order; and it is measured by the next that was looked at.
        let best = played(Color::Black, &["B1", "A1"]);
        assert_eq!(best.assess(&before, &found(0.55, &[])).loss(), 0.0);
        let refuted = best.assess(&before, &found(0.1, &[]));
        assert!((refuted.loss() - 0.4).abs() < 1e-9 && (refuted.accuracy() - 6.25).abs() < 1e-6);
        // White's chances are the other way round.
        let white = played(Color::White, &["A1", "B1"]).assess(&before, &found(0.8, &[]));
        assert!((white.loss() - 0.3).abs() < 1e-9 && (white.winrate[1] - 0.2).abs() < 1e-9);
    }

    #[test]
    fn what_was_not_looked_at_is_not_assessed() {
        let turns = [played(Color::Black, &["A1"]), played(Color::White, &["A2", "A3"])];
        let first = Some(found(0.5, &[(&["B1"], 900, 0.5)]));
        let all = [first, Some(found(0.3, &[])), None];
        let document = document(&Default::default(), &turns, &all);
        assert_eq!(document["start"]["winrate"], 0.5);
        assert_eq!(document["moves"][0]["assessment"]["loss"], 20.0);
        assert_eq!(document["moves"][0]["candidates"][0]["turns"][0][0], "B1");
        assert!(document["moves"][1]["assessment"].is_null());
        assert_eq!(document["players"][0]["summary"]["all"]["mean_loss"], 20.0);
        assert_eq!(document["players"][1]["summary"]["all"]["moves"], 0);
    }
}
