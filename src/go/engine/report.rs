//! What a search of Go found, as all games tell it.

use game_core::{MoveReport, Report};
use go_engine::search;
use go_engine::{Color, Move};

/// What the search tells, in the form of all games.
pub(super) fn report(position: &search::Report, color: Color) -> Report<Move> {
    let for_color = |score: f32| if color == Color::Black { score } else { -score };
    let moves = position.moves.iter().map(|found| MoveReport {
        mv: found.mv,
        visits: found.visits,
        winrate: found.winrate,
        lower_bound: found.lower_bound,
        prior: found.prior,
        proven: found.proven,
        // One that was not tried leads by what the position does.
        lead: Some(for_color(found.score.unwrap_or(position.score))),
        lead_stdev: found.score_stdev,
        final_score: found.final_score.map(for_color),
        ownership: found.ownership.clone(),
        ownership_stdev: found.ownership_stdev.clone(),
        line: found.variation.clone(),
        line_visits: found.variation_visits.clone(),
    });
    Report {
        moves: moves.collect(),
        visits: u64::from(position.visits),
        winrate: position.winrate,
        lead: Some(for_color(position.score)),
        lead_stdev: Some(position.score_stdev),
        final_score: Some(for_color(position.final_score)),
        ownership: position.ownership.clone(),
        ownership_stdev: position.ownership_stdev.clone(),
        counted: position.counted,
        nodes: position.nodes,
        ..Report::default()
    }
}
