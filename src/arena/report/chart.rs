//! Drawings for the page, as SVG.

use super::super::results::GameLine;
use super::super::settings::Settings;
use super::super::stats::ratings::Ratings;
use super::super::stats::wilson;
use crate::svg::{Shape, Svg};

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
    let mut svg = image(top + height + 26.0);
    svg.title(&format!("Score of {first} after each game, with its 95% interval"));
    for percent in [0, 25, 50, 75, 100] {
        let at = y(f64::from(percent) / 100.0);
        let line = Shape::line((left, at), (WIDTH - 8.0, at)).set("stroke", "var(--line)");
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
    svg.add(Shape::text((WIDTH - 8.0, below), games).anchor("end"));
    svg.finish()
}

/// An empty drawing of the page's width.
fn image(height: f64) -> Svg {
    Svg::new(WIDTH, height).set("class", "chart").set("width", WIDTH).set("role", "img")
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
    let mut svg = image(height);
    svg.title("Ratings with 95% intervals");
    let zero = Shape::line((x(0.0), 0.0), (x(0.0), height - 22.0));
    svg.add(zero.set("stroke", "var(--line)"));
    svg.add(Shape::text((x(0.0), height - 6.0), 0).anchor("middle"));
    for (place, &player) in order.iter().enumerate().filter(|(_, player)| finite(player)) {
        let (middle, value, error) =
            (row * (place as f64 + 0.5), rated.elo[player], rated.error[player]);
        let name: String = settings.players[player].name.chars().take(24).collect();
        svg.add(Shape::text((left - 10.0, middle + 4.0), name).anchor("end"));
        let bar = Shape::line((x(value - error), middle), (x(value + error), middle));
        svg.add(bar.stroke("var(--accent)", 2.0));
        svg.add(Shape::circle((x(value), middle), 5.0).fill("var(--accent)"));
    }
    svg.finish()
}
