//! A line of an analysis.

use std::fmt::Write;

use game_core::{MoveReport, Report};

use super::Style;
use super::numbers::{self, Number};
use super::object;
use super::options::{Extras, Options};
use crate::gtp::{Color, Step, join};
use crate::session::game::Game;
use crate::session::game::board;

/// One line about all moves, best first. A step is named once, for the best turn it is part of.
pub(in crate::session) fn line<G: Game>(
    style: Style,
    options: &Options,
    game: &G,
    report: &Report<G::Move>,
) -> String {
    if style == Style::Object {
        return object::object(options, game, report).to_string();
    }
    let mut named: Vec<Step> = Vec::new();
    let mut text = String::new();
    for found in &report.moves {
        let mut turn = game.steps_left(&found.mv);
        let nexts = if G::ANY_ORDER { turn.len() } else { 1 };
        let accepts = |steps: &[Step]| options.filter.accepts_rest(game, options.color, steps);
        // Of steps in any order one is named that may be made by itself.
        let is_named = |step: &Step| named.contains(step) || nexts > 1 && !accepts(&[*step]);
        let next = turn.iter().take(nexts).position(|step| !is_named(step));
        let Some(next) = next.filter(|_| accepts(&turn)) else { continue };
        if named.len() >= options.max_moves {
            break;
        }
        if !found.is_searched() && named.len() >= options.min_moves {
            continue;
        }
        let step = turn.remove(next);
        info(&mut text, style, options.extras, step, named.len(), found);
        let after = found.line.iter().skip(1).flat_map(G::steps);
        let pv = std::iter::once(step).chain(turn).chain(after);
        // Writing to a string cannot fail.
        let _ = write!(text, "pv {} ", join(pv));
        behind_variation(&mut text, options, game, found);
        named.push(step);
    }
    // Clients look for a move first: without one there is no line.
    if text.is_empty() {
        return text;
    }
    if options.extras.root {
        text.push_str("rootInfo ");
        tell(&mut text, numbers::of_root(report));
    }
    if options.extras.ownership && !report.ownership.is_empty() {
        let _ = write!(text, "ownership {} ", owners(options.color, game, &report.ownership));
    }
    if options.extras.ownership_stdev && !report.ownership_stdev.is_empty() {
        let _ = write!(text, "ownershipStdev {} ", points(game, &report.ownership_stdev, 1.0));
    }
    text.truncate(text.trim_end().len());
    text
}

/// What is told of one move before its variation.
fn info<M: Clone>(
    text: &mut String,
    style: Style,
    extras: Extras,
    step: Step,
    order: usize,
    found: &MoveReport<M>,
) {
    // Writing to a string cannot fail.
    let _ = write!(text, "info move {step} ");
    match style {
        Style::Leela => {
            let MoveReport { winrate, prior, lower_bound, .. } = *found;
            let visits = found.visits.max(u32::from(found.is_searched()));
            let [winrate, prior, lcb] = [winrate, prior, lower_bound].map(whole);
            let _ = write!(text, "visits {visits} winrate {winrate} prior {prior} lcb {lcb} ");
        }
        // Clients expect a score of every move, also in games that have none.
        Style::Kata if found.lead.is_none() => {
            let found = MoveReport { lead: Some(0.0), ..found.clone() };
            tell(text, numbers::of_move(&found));
        }
        Style::Kata | Style::Object => tell(text, numbers::of_move(found)),
    }
    if extras.no_result {
        // Neither a search nor a playout ever ends without a result.
        text.push_str("noResultValue 0 ");
    }
    let _ = write!(text, "order {order} ");
}

fn tell(text: &mut String, numbers: Vec<Number>) {
    for Number { name, value } in numbers {
        let _ = write!(text, "{name} {value} ");
    }
}

/// What is told of one move after its variation.
fn behind_variation<G: Game>(
    text: &mut String,
    options: &Options,
    game: &G,
    found: &MoveReport<G::Move>,
) {
    let extras = options.extras;
    for (name, wanted) in [("pvVisits", extras.pv_visits), ("pvEdgeVisits", extras.pv_edge_visits)]
    {
        if wanted && !found.line_visits.is_empty() {
            let _ = write!(text, "{name} {} ", join(&found.line_visits));
        }
    }
    if extras.moves_ownership && !found.ownership.is_empty() {
        let _ = write!(text, "movesOwnership {} ", owners(options.color, game, &found.ownership));
    }
    if extras.moves_ownership_stdev && !found.ownership_stdev.is_empty() {
        let stdevs = points(game, &found.ownership_stdev, 1.0);
        let _ = write!(text, "movesOwnershipStdev {stdevs} ");
    }
}

fn whole(share: f32) -> u32 {
    (share * 10_000.0).round().clamp(0.0, 10_000.0) as u32
}

/// Owners of the points row by row from the top, 1 for `color`.
fn owners<G: Game>(color: Color, game: &G, ownership: &[f32]) -> String {
    points(game, ownership, if color == Color::Black { 1.0 } else { -1.0 })
}

/// Numbers of the points, which are told row by row from A1, from the top.
fn points<G: Game>(game: &G, values: &[f32], sign: f32) -> String {
    let value = |at| values.get(at).copied().unwrap_or(0.0);
    join(board::rows(game.size()).flatten().map(|at| format!("{:.3}", sign * value(at.index))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gtp::Args;
    use connect6_engine::{Game, Point, Rules, Turn};
    use game_core::Proven;

    #[test]
    fn lines_have_the_forms_that_clients_read() {
        let [a, b, c] = [(9, 9), (9, 10), (0, 0)].map(|(x, y)| Point::new(x, y).unwrap());
        let found = |mv: Turn, line: Vec<Turn>| MoveReport {
            mv,
            visits: 10,
            winrate: 0.5,
            lower_bound: game_core::lower_bound(0.5, 10, Proven::Unknown),
            prior: 0.25,
            proven: Proven::Unknown,
            lead: None,
            lead_stdev: None,
            final_score: None,
            ownership: Vec::new(),
            ownership_stdev: Vec::new(),
            line_visits: Vec::new(),
            line,
        };
        let (pair, last) = (Turn::pair(a, b), Turn::single(c));
        // The second turn on K10 is not named again.
        let moves = vec![found(pair, vec![pair, last]), found(Turn::single(a), Vec::new())];
        let mut report = Report { moves, visits: 12, ..Report::default() };
        let mut game = Game::new(Rules::CONNECT6);
        let told = |style, text: &str, report: &Report<Turn>, game: &Game| {
            let options = Options::parse(&mut Args::new(text), game).unwrap();
            line(style, &options, game, report)
        };
        let leela =
            "info move K10 visits 10 winrate 5000 prior 2500 lcb 3419 order 0 pv K10 K11 A1";
        assert_eq!(told(Style::Leela, "b", &report, &game), leela);
        game.set_to_move(Color::White);
        report.lead = Some(1.25);
        report.lead_stdev = Some(9.5);
        report.final_score = Some(1.0);
        report.ownership = vec![1.0; 361];
        report.ownership_stdev = vec![0.25; 361];
        let best = &mut report.moves[0];
        (best.lead, best.lead_stdev) = (Some(-2.0), Some(8.0));
        best.line_visits = vec![10, 4];
        best.ownership = vec![-0.5; 361];
        best.ownership_stdev = vec![0.125; 361];
        let plain = told(Style::Kata, "w maxmoves 1", &report, &game);
        let kata = "info move K10 visits 10 edgeVisits 10 utility 0.000000 winrate 0.500000 scoreMean -2.000 \
                    scoreStdev 8.000 scoreLead -2.000 prior 0.250000 lcb 0.341886 \
                    utilityLcb -0.316228 weight 10 edgeWeight 10 order 0 pv K10 K11 A1";
        assert_eq!(plain, kata);
        let all = "w pvVisits true pvEdgeVisits true rootInfo true ownership true ownershipStdev true \
                   movesOwnership true movesOwnershipStdev true noResultValue true maxmoves 1";
        let told_all = told(Style::Kata, all, &report, &game);
        for part in [
            " noResultValue 0 order 0 pv ",
            " pv K10 K11 A1 pvVisits 10 4 pvEdgeVisits 10 4 movesOwnership 0.500 0.500 ",
            " 0.500 movesOwnershipStdev 0.125 0.125 ",
            " 0.125 rootInfo visits 12 utility 0.000000 winrate 0.500000 scoreMean 1.250 scoreStdev 9.500 ",
            " scoreLead 1.250 scoreSelfplay 1.000 weight 12 ownership -1.000 ",
            " -1.000 ownershipStdev 0.250 ",
        ] {
            assert!(told_all.contains(part), "{part:?} in {told_all}");
        }
        for number in [" -1.000", " 0.500 ", " 0.250", " 0.125"] {
            assert!(told_all.matches(number).count() >= 361 / 2, "{number} in {told_all}");
        }
        // Nothing is told that was not counted.
        report.moves[0] = found(pair, vec![pair, last]);
        report.ownership_stdev.clear();
        let bare = told(Style::Kata, all, &report, &game);
        assert!(bare.starts_with(
            "info move K10 visits 10 edgeVisits 10 utility 0.000000 winrate 0.500000 scoreMean 0.000 scoreLead 0.000 "
        ));
        for absent in ["pvVisits", "movesOwnership", "ownershipStdev"] {
            assert!(!bare.contains(absent), "{absent} in {bare}");
        }
        let kept = told(Style::Leela, "w avoid w K11 1 allow w K10 1", &report, &game);
        assert!(!kept.contains("pv K10 K11"), "{kept}");
        let none = Report::default();
        assert_eq!(told(Style::Kata, all, &none, &game), "", "no move, no line");
    }
}
