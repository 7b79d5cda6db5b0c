//! Drawings for the page, as SVG.

use super::super::results::GameLine;
use super::super::settings::Settings;
use super::super::stats::ratings::Ratings;
use super::super::stats::wilson;
use crate::page::{DESK, Form, PHONE};
use crate::svg::Shape;

/// More points than this are not drawn: nobody could tell them apart.
const MAX_POINTS: usize = 360;

/// The score of the first player after each game, with Wilson's interval around it, in both forms of a page.
pub fn score_over_games(first: &str, second: &str, games: &[GameLine]) -> String {
    [DESK, PHONE].map(|form| scores(first, second, games, form)).concat()
}

fn scores(first: &str, second: &str, games: &[GameLine], form: Form) -> String {
    let scores: Vec<f64> = games
        .iter()
        .filter(|game| {
            [first, second].contains(&game.game.a.as_str())
                && [first, second].contains(&game.game.b.as_str())
        })
        .filter_map(|game| {
            game.score_of_a().map(|score| if game.game.a == first { score } else { 1.0 - score })
        })
        .collect();
    if scores.len() < 2 {
        return String::new();
    }
    let (left, right, top, height) = (44.0, form.width - 8.0, 12.0, 200.0);
    let x = |game: usize| left + (right - left) * game as f64 / (scores.len() - 1) as f64;
    let y = |share: f64| top + height * (1.0 - share);
    let (mut line, mut upper, mut lower) = (Vec::new(), Vec::new(), Vec::new());
    let mut sum = 0.0;
    let every = scores.len().div_ceil(MAX_POINTS);
    for (i, score) in scores.iter().enumerate() {
        sum += score;
        if i % every != 0 && i + 1 != scores.len() {
            continue;
        }
        let share = sum / (i + 1) as f64;
        let (low, high) = wilson(share, (i + 1) as f64);
        line.push((x(i), y(share)));
        upper.push((x(i), y(high)));
        lower.push((x(i), y(low)));
    }
    let mut svg = form.drawing(top + height + 26.0);
    svg.title(&format!("Score of {first} after each game, with its 95% interval"));
    for percent in [0, 25, 50, 75, 100] {
        let at = y(f64::from(percent) / 100.0);
        let line = Shape::line((left, at), (right, at)).set("stroke", "var(--line)");
        svg.add(if percent == 50 { line } else { line.set("stroke-dasharray", "2 4") });
        let label = Shape::text((left - 6.0, at + 4.0), format_args!("{percent}%"));
        svg.add(label.anchor("end"));
    }
    let band = upper.into_iter().chain(lower.into_iter().rev());
    svg.add(Shape::polygon(band).fill("var(--band)"));
    svg.add(Shape::polyline(line).stroke("var(--accent)", 2.0));
    let below = top + height + 18.0;
    svg.add(Shape::text((left, below), 1));
    let games = format!("{} games", scores.len());
    svg.add(Shape::text((right, below), games).anchor("end"));
    svg.finish()
}

/// The players' ratings with their error bars, from the strongest to the weakest, in both forms of a page.
pub fn ratings(order: &[usize], settings: &Settings, rated: &Ratings) -> String {
    [DESK, PHONE].map(|form| error_bars(order, settings, rated, form)).concat()
}

fn error_bars(order: &[usize], settings: &Settings, rated: &Ratings, form: Form) -> String {
    let finite = |player: &usize| rated.error[*player].is_finite();
    let ends = |sign: f64| {
        order.iter().filter(|p| finite(p)).map(move |&p| rated.elo[p] + sign * rated.error[p])
    };
    let (low, high) = (ends(-1.0).fold(-50.0, f64::min), ends(1.0).fold(50.0, f64::max));
    let row = 26.0;
    let (left, right, max_letters) = match form.is_narrow() {
        true => (112.0, 20.0, 14),
        false => (180.0, 50.0, 24),
    };
    let x = |value: f64| left + (form.width - left - right) * (value - low) / (high - low);
    let height = row * order.len() as f64 + 28.0;
    let mut svg = form.drawing(height);
    svg.title("Ratings with 95% intervals");
    let zero = Shape::line((x(0.0), 0.0), (x(0.0), height - 22.0));
    svg.add(zero.set("stroke", "var(--line)"));
    svg.add(Shape::text((x(0.0), height - 6.0), 0).anchor("middle"));
    for (place, &player) in order.iter().enumerate().filter(|(_, player)| finite(player)) {
        let (middle, value, error) =
            (row * (place as f64 + 0.5), rated.elo[player], rated.error[player]);
        let mut name: String = settings.players[player].name.clone();
        if let Some((end, _)) = name.char_indices().nth(max_letters) {
            name.replace_range(end.., "…");
        }
        svg.add(Shape::text((left - 10.0, middle + 4.0), name).anchor("end"));
        let bar = Shape::line((x(value - error), middle), (x(value + error), middle));
        svg.add(bar.stroke("var(--accent)", 2.0));
        svg.add(Shape::circle((x(value), middle), 5.0).fill("var(--accent)"));
    }
    svg.finish()
}
