//! The curves of a run, as a table and as a picture.

use std::fmt::Write;

use amazons_training::{COLUMNS, Row};

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
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
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
        let _ = writeln!(
            text,
            "<text x=\"{left}\" y=\"{}\">{title}</text>\n<rect x=\"{left}\" y=\"{MARGIN}\" width=\"{WIDTH}\" \
             height=\"{HEIGHT}\" fill=\"none\" stroke=\"#888\"/>",
            MARGIN - 8.0
        );
        for (value, y) in [(high, MARGIN + 10.0), (low, MARGIN + HEIGHT - 3.0)] {
            let _ = writeln!(text, "<text x=\"{}\" y=\"{y}\">{value:.3}</text>", left + 3.0);
        }
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{last} steps</text>",
            left + WIDTH,
            MARGIN + HEIGHT + 14.0
        );
        for (number, (name, colour)) in columns.iter().enumerate() {
            let line: Vec<String> = points(name)
                .into_iter()
                .map(|(x, y)| {
                    let y = MARGIN + HEIGHT * (high - y) / (high - low);
                    format!("{:.1},{y:.1}", left + WIDTH * x)
                })
                .collect();
            let _ = writeln!(
                text,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>\n\
                 <text x=\"{left}\" y=\"{}\" fill=\"{colour}\">{name}</text>",
                line.join(" "),
                MARGIN + HEIGHT + 14.0 * (number + 1) as f64
            );
        }
    }
    text + "</svg>\n"
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
