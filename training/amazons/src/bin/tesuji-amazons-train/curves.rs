//! The curves of a run, as a table and as a picture.

use std::fmt::Write;

use amazons_training::{COLUMNS, Row};

use tesuji::curves::{self, Curve, Panel};

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

/// A picture of three panels.
pub fn svg(rows: &[Row]) -> String {
    let panels = PANELS.map(|(title, columns)| {
        let curves = columns.iter().map(|&(name, colour)| {
            let column = COLUMNS.iter().position(|&column| column == name).unwrap_or(0);
            // The first point has no training behind it, so no training loss.
            let rows = rows.iter().filter(|row| row.step > 0 || !name.starts_with("train"));
            let points = rows.map(|row| (row.step as f64, row.numbers[column]));
            Curve { name: name.to_owned(), colour: colour.to_owned(), points: points.collect() }
        });
        Panel { title: title.to_owned(), curves: curves.collect() }
    });
    curves::svg(&panels, PANELS.len())
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
