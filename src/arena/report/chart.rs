//! Drawings for the page, as SVG.

use std::fmt::Write;

use super::super::results::GameLine;
use super::super::settings::Settings;
use super::super::stats::ratings::Ratings;
use super::super::stats::wilson;
use super::html::escape;

const WIDTH: f64 = 720.0;
/// More points than this are not drawn: nobody could tell them apart.
const MAX_POINTS: usize = 360;

/// The score of the first player after each game, with Wilson's interval around it.
pub fn score_over_games(first: &str, second: &str, games: &[GameLine]) -> String {
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
    let (left, top, height) = (44.0, 12.0, 200.0);
    let x = |game: usize| left + (WIDTH - left - 8.0) * game as f64 / (scores.len() - 1) as f64;
    let y = |share: f64| top + height * (1.0 - share);
    let (mut line, mut upper, mut lower) = (String::new(), String::new(), Vec::new());
    let mut sum = 0.0;
    let every = scores.len().div_ceil(MAX_POINTS);
    for (i, score) in scores.iter().enumerate() {
        sum += score;
        if i % every != 0 && i + 1 != scores.len() {
            continue;
        }
        let share = sum / (i + 1) as f64;
        let (low, high) = wilson(share, (i + 1) as f64);
        let _ = write!(line, "{:.1},{:.1} ", x(i), y(share));
        let _ = write!(upper, "{:.1},{:.1} ", x(i), y(high));
        lower.push(format!("{:.1},{:.1} ", x(i), y(low)));
    }
    lower.reverse();
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {:.0}\" width=\"{WIDTH}\" role=\"img\">\n",
        top + height + 26.0
    );
    let _ = writeln!(
        svg,
        "<title>Score of {} after each game, with its 95% interval</title>",
        escape(first)
    );
    for percent in [0, 25, 50, 75, 100] {
        let at = y(f64::from(percent) / 100.0);
        let dash = if percent == 50 { "" } else { " stroke-dasharray=\"2 4\"" };
        let _ = writeln!(
            svg,
            "<line x1=\"{left}\" x2=\"{:.0}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"var(--line)\"{dash}/><text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{percent}%</text>",
            WIDTH - 8.0,
            left - 6.0,
            at + 4.0
        );
    }
    let _ = writeln!(svg, "<polygon points=\"{upper}{}\" fill=\"var(--band)\"/>", lower.concat());
    let _ = writeln!(
        svg,
        "<polyline points=\"{line}\" fill=\"none\" stroke=\"var(--accent)\" stroke-width=\"2\"/>"
    );
    let _ = writeln!(svg, "<text x=\"{left}\" y=\"{:.0}\">1</text>", top + height + 18.0);
    let _ = writeln!(
        svg,
        "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{} games</text>\n</svg>",
        WIDTH - 8.0,
        top + height + 18.0,
        scores.len()
    );
    svg
}

/// The players' ratings with their error bars, from the strongest to the weakest.
pub fn ratings(order: &[usize], settings: &Settings, rated: &Ratings) -> String {
    let finite = |player: &usize| rated.error[*player].is_finite();
    let ends = |sign: f64| {
        order.iter().filter(|p| finite(p)).map(move |&p| rated.elo[p] + sign * rated.error[p])
    };
    let (low, high) = (ends(-1.0).fold(-50.0, f64::min), ends(1.0).fold(50.0, f64::max));
    let (left, row) = (180.0, 26.0);
    let x = |value: f64| left + (WIDTH - left - 50.0) * (value - low) / (high - low);
    let height = row * order.len() as f64 + 28.0;
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {height:.0}\" width=\"{WIDTH}\" role=\"img\">\n<title>Ratings with 95% intervals</title>\n"
    );
    let _ = writeln!(
        svg,
        "<line x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"0\" y2=\"{1:.0}\" stroke=\"var(--line)\"/><text x=\"{0:.1}\" y=\"{2:.0}\" text-anchor=\"middle\">0</text>",
        x(0.0),
        height - 22.0,
        height - 6.0
    );
    for (place, &player) in order.iter().enumerate().filter(|(_, player)| finite(player)) {
        let (middle, value, error) =
            (row * (place as f64 + 0.5), rated.elo[player], rated.error[player]);
        let name: String = settings.players[player].name.chars().take(24).collect();
        let _ = writeln!(
            svg,
            "<text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{}</text><line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{middle:.1}\" y2=\"{middle:.1}\" stroke=\"var(--accent)\" stroke-width=\"2\"/>\
             <circle cx=\"{:.1}\" cy=\"{middle:.1}\" r=\"5\" fill=\"var(--accent)\"/>",
            left - 10.0,
            middle + 4.0,
            escape(&name),
            x(value - error),
            x(value + error),
            x(value),
        );
    }
    svg.push_str("</svg>\n");
    svg
}
