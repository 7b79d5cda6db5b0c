//! What a search found, as an object.

use game_core::{MoveReport, Report};
use go_engine::{Color, Game, Move, Point};
use serde_json::{Map, Value, json};

use super::hash;
use super::query::Query;
use crate::go::static_evaluation::StaticEvaluation;
use crate::session::Game as _;
use crate::session::analysis::numbers::{self, Number};
use crate::session::game::board;

/// A position whose results are told.
pub(super) struct Position<'a> {
    query: &'a Query,
    turn: usize,
    game: &'a Game,
    /// What is said of it without search.
    raw: Option<&'a StaticEvaluation>,
    hashes: (String, String),
}

/// The result of a position that was not searched.
pub(super) fn none(id: &str, turn: usize) -> Value {
    json!({"id": id, "turnNumber": turn, "isDuringSearch": false, "noResults": true})
}

impl<'a> Position<'a> {
    /// This one.
    pub fn new(
        query: &'a Query,
        turn: usize,
        game: &'a Game,
        raw: Option<&'a StaticEvaluation>,
    ) -> Position<'a> {
        Position { query, turn, game, raw, hashes: hash::names(game) }
    }

    /// What was found of it.
    pub fn result(&self, report: &Report<Move>, is_during_search: bool) -> Value {
        let include = self.query.include;
        // Where no move is left that may be made a search passes.
        let is_wanted =
            |mv: &Move| self.query.filter.accepts(self.game.to_play(), &Game::steps(mv));
        let is_told = |found: &&MoveReport<Move>| found.is_searched() && is_wanted(&found.mv);
        let searched: Vec<&MoveReport<Move>> = report.moves.iter().filter(is_told).collect();
        let selection = numbers::selection_values(searched.iter().copied());
        let infos = searched.iter().zip(selection).enumerate();
        let infos: Vec<Value> =
            infos.map(|(order, (found, value))| self.move_info(found, order, value)).collect();
        let mut result = json!({
            "id": self.query.id,
            "turnNumber": self.turn,
            "isDuringSearch": is_during_search,
            "moveInfos": infos,
            "rootInfo": self.root_info(report),
        });
        if include.ownership && !report.ownership.is_empty() {
            result["ownership"] = self.owners(&report.ownership);
        }
        if include.ownership_stdev && !report.ownership_stdev.is_empty() {
            result["ownershipStdev"] = self.points(&report.ownership_stdev, 1.0);
        }
        if include.policy
            && let Some(policy) = self.policy()
        {
            result["policy"] = policy;
        }
        result
    }

    fn move_info(&self, found: &MoveReport<Move>, order: usize, selection: u64) -> Value {
        let include = self.query.include;
        let mut info = self.numbers(numbers::of_move(found));
        info.insert("move".to_owned(), Value::from(name(found.mv)));
        info.insert("order".to_owned(), Value::from(order));
        info.insert("playSelectionValue".to_owned(), Value::from(selection));
        let told = 1 + self.query.settings.pv_len;
        let line = found.line.iter().take(told).map(|&mv| Value::from(name(mv)));
        info.insert("pv".to_owned(), line.collect());
        let visits = || found.line_visits.iter().take(told).copied().map(Value::from).collect();
        // KataGo's `includePVVisits` asks for both.
        let edges = include.pv_visits || include.pv_edge_visits;
        for (field, wanted) in [("pvVisits", include.pv_visits), ("pvEdgeVisits", edges)] {
            if wanted && !found.line_visits.is_empty() {
                info.insert(field.to_owned(), visits());
            }
        }
        if include.no_result {
            // Neither a search nor a playout ever ends without a result.
            info.insert("noResultValue".to_owned(), Value::from(0));
        }
        if include.moves_ownership && !found.ownership.is_empty() {
            info.insert("ownership".to_owned(), self.owners(&found.ownership));
        }
        if include.moves_ownership_stdev && !found.ownership_stdev.is_empty() {
            let stdevs = self.points(&found.ownership_stdev, 1.0);
            info.insert("ownershipStdev".to_owned(), stdevs);
        }
        Value::Object(info)
    }

    fn root_info(&self, report: &Report<Move>) -> Value {
        let mut info = self.numbers(numbers::of_root(report));
        let player = self.game.to_play().letter().to_ascii_uppercase();
        info.insert("currentPlayer".to_owned(), Value::from(player.to_string()));
        info.insert("thisHash".to_owned(), Value::from(self.hashes.0.as_str()));
        info.insert("symHash".to_owned(), Value::from(self.hashes.1.as_str()));
        if let Some(raw) = self.raw {
            let white = raw.outcome[0] + raw.outcome[2] / 2.0;
            let (winrate, lead) = match self.viewer() {
                Color::White => (white, raw.lead),
                Color::Black => (1.0 - white, -raw.lead),
            };
            info.insert("rawWinrate".to_owned(), rounded(winrate, 6));
            info.insert("rawLead".to_owned(), rounded(lead, 3));
        }
        Value::Object(info)
    }

    /// Whose chances and leads are told.
    fn viewer(&self) -> Color {
        let color = self.game.to_play();
        if self.query.settings.view.turns(color) { color.other() } else { color }
    }

    fn numbers(&self, numbers: Vec<Number>) -> Map<String, Value> {
        let turns = self.query.settings.view.turns(self.game.to_play());
        let told = numbers.into_iter().map(|Number { name, value }| {
            let value = if turns { value.turned() } else { value };
            let number = match value {
                numbers::Value::Count(count) => Value::from(count),
                numbers::Value::Share(value)
                | numbers::Value::Chance(value)
                | numbers::Value::Utility(value) => rounded(f64::from(value), 6),
                numbers::Value::Points(value) | numbers::Value::Spread(value) => {
                    rounded(f64::from(value), 3)
                }
            };
            (name.to_owned(), number)
        });
        told.collect()
    }

    /// Owners of the points, 1 for who looks.
    fn owners(&self, ownership: &[f32]) -> Value {
        self.points(ownership, if self.viewer() == Color::Black { 1.0 } else { -1.0 })
    }

    /// Numbers of the points, which are told row by row from A1, from the top.
    fn points(&self, values: &[f32], sign: f32) -> Value {
        let value = |at| values.get(at).copied().unwrap_or(0.0);
        let rows = board::rows(self.game.size()).flatten();
        rows.map(|at| rounded(f64::from(sign * value(at.index)), 3)).collect()
    }

    /// How likely each move is thought to be without search: the points from the top, then the pass; -1 where a move is not
    /// legal. Nothing when nobody says.
    fn policy(&self) -> Option<Value> {
        let raw = self.raw.filter(|raw| !raw.policy.is_empty())?;
        let color = self.game.to_play();
        let moves = board::rows(self.game.size()).flatten();
        let moves = moves.map(|at| Move::Play(Point::new(at.vertex.column, at.vertex.row)));
        let told = moves.chain([Move::Pass]).map(|mv| {
            match (raw.chance(mv), self.game.check(color, mv)) {
                (_, Err(_)) => Value::from(-1),
                (chance, Ok(())) => rounded(f64::from(chance.unwrap_or(0.0)), 6),
            }
        });
        Some(told.collect())
    }
}

fn name(mv: Move) -> String {
    match mv {
        Move::Pass => "pass".to_owned(),
        Move::Play(point) => point.to_string(),
    }
}

/// A number with so many decimals. What is no number is not told as one.
fn rounded(number: f64, decimals: i32) -> Value {
    let scale = 10f64.powi(decimals);
    let rounded = (number * scale).round() / scale;
    // Without a sign where it is zero.
    Value::from(rounded + 0.0)
}
