//! The curves of a run, as a table and as a picture.

use std::fmt::Write;

use amazons_training::{COLUMNS, Row};

use tesuji::svg::{Shape, Svg};

/// A table with a head.
pub fn csv(rows: &[Row]) -> String {
    let mut text = format!("step,{}\n", COLUMNS.join(","));
    for row in rows {
        // Writing to a string cannot fail.
        let _ = write!(text, "{}", row.step);
        for number in row.numbers {
            let _ = write!(text, ",{number:.5}");
        }
        text.push('\n');
    }
    text
}

/// One of the picture's panels: its title, and the columns that it shows with their colours.
const PANELS: [(&str, &[(&str, &str)]); 3] = [
    (
        "policy, loss",
        &[
            ("train_queen_loss", "#a6cee3"),
            ("queen_loss", "#1f78b4"),
            ("train_arrow_loss", "#fdbf6f"),
            ("arrow_loss", "#ff7f00"),
        ],
    ),
    ("as the search preferred", &[("queen_preferred", "#1f78b4"), ("arrow_preferred", "#ff7f00")]),
    ("value", &[("value_loss", "#33a02c"), ("value_called", "#6a3d9a")]),
];

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 200.0;
const MARGIN: f64 = 45.0;

/// A picture of three panels.
pub fn svg(rows: &[Row]) -> String {
    let width = PANELS.len() as f64 * (WIDTH + MARGIN) + MARGIN;
    let height = HEIGHT + 2.0 * MARGIN + 40.0;
    let mut svg = Svg::file(width, height).set("font-family", "sans-serif").set("font-size", 11);
    svg.add(Shape::rect((0.0, 0.0), (width, height)).fill("white"));
    let last = rows.last().map_or(1, |row| row.step.max(1)) as f64;
    for (at, (title, columns)) in PANELS.iter().enumerate() {
        let left = MARGIN + at as f64 * (WIDTH + MARGIN);
        // The first point has no training behind it, so no training loss.
        let points = |name: &str| -> Vec<(f64, f64)> {
            let column = COLUMNS.iter().position(|&column| column == name).unwrap_or(0);
            let rows = rows.iter().filter(|row| row.step > 0 || !name.starts_with("train"));
            rows.map(|row| (row.step as f64 / last, row.numbers[column])).collect()
        };
        let all: Vec<f64> =
            columns.iter().flat_map(|(name, _)| points(name)).map(|point| point.1).collect();
        let low = all.iter().copied().fold(f64::INFINITY, f64::min).min(1e9);
        let high = all.iter().copied().fold(low + 1e-3, f64::max);
        svg.add(Shape::text((left, MARGIN - 8.0), title));
        let frame = Shape::rect((left, MARGIN), (WIDTH, HEIGHT));
        svg.add(frame.fill("none").set("stroke", "#888"));
        for (value, y) in [(high, MARGIN + 10.0), (low, MARGIN + HEIGHT - 3.0)] {
            svg.add(Shape::text((left + 3.0, y), format_args!("{value:.3}")));
        }
        let corner = (left + WIDTH, MARGIN + HEIGHT + 14.0);
        svg.add(Shape::text(corner, format_args!("{last} steps")).anchor("end"));
        for (number, (name, colour)) in columns.iter().enumerate() {
            let place = |(x, y)| (left + WIDTH * x, MARGIN + HEIGHT * (high - y) / (high - low));
            let line = Shape::polyline(points(name).into_iter().map(place));
            svg.add(line.stroke(colour, 1.5));
            let below = (left, MARGIN + HEIGHT + 14.0 * (number + 1) as f64);
            svg.add(Shape::text(below, name).fill(colour));
        }
    }
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_is_in_both() {
        let row = |step| Row { step, numbers: [0.5 + step as f64; COLUMNS.len()] };
        let rows = [row(0), row(10), row(20)];
        let table = csv(&rows);
        assert_eq!(table.lines().count(), 4);
        assert!(table.lines().all(|line| line.split(',').count() == COLUMNS.len() + 1));
        let picture = svg(&rows);
        assert_eq!(picture.matches("<polyline").count(), 8);
        assert!(!picture.contains("NaN") && !picture.contains("inf"));
        assert!(!svg(&[]).contains("NaN") && !svg(&rows[..1]).contains("NaN"));
    }
}
