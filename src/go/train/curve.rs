//! The table of a training of the network as a picture: a panel for each thing that is measured, a curve for each kind of
//! positions that it is measured on.

use crate::curves::{Curve, Panel, svg};

/// Colours of the curves of a panel, used again where there are more.
const COLOURS: [&str; 8] =
    ["#1f78b4", "#ff7f00", "#33a02c", "#6a3d9a", "#e31a1c", "#b15928", "#17becf", "#7f7f7f"];
/// Columns that tell something else.
const OTHERS: [&str; 4] = ["step", "seconds", "predictor", "predictor_experts"];
const IN_A_ROW: usize = 4;

/// The picture of `curve.csv`. Its head names a column `KIND_MEASURE`; a cell that is no number is left out.
pub fn picture(table: &str) -> String {
    let mut lines = table.lines().map(|line| line.split(',').map(str::trim).collect());
    let head: Vec<&str> = lines.next().unwrap_or_default();
    let rows: Vec<Vec<&str>> = lines.collect();
    let number = |row: &[&str], at: usize| row.get(at).and_then(|cell| cell.parse::<f64>().ok());
    let step = head.iter().position(|&name| name == "step");
    let mut panels: Vec<Panel> = Vec::new();
    for (at, name) in head.iter().enumerate().filter(|(_, name)| !OTHERS.contains(name)) {
        let Some((kind, measure)) = name.split_once('_') else { continue };
        let title = measure.replace('_', " ");
        let panel = match panels.iter().position(|panel| panel.title == title) {
            Some(known) => &mut panels[known],
            None => {
                panels.push(Panel { title, curves: Vec::new() });
                let last = panels.len() - 1;
                &mut panels[last]
            }
        };
        let points = rows.iter().filter_map(|row| Some((number(row, step?)?, number(row, at)?)));
        panel.curves.push(Curve {
            name: kind.to_owned(),
            colour: COLOURS[panel.curves.len() % COLOURS.len()].to_owned(),
            points: points.collect(),
        });
    }
    svg(&panels, IN_A_ROW)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_measure_has_a_panel_with_a_curve_for_each_kind() {
        let table = "step,seconds,predictor,train19_policy,train9_policy,records19_first,games9_value_error\n\
            100,9,0.5,3.1,2.9,,0.2\n200,18,0.5,2.8,2.7,0.31,0.1\n";
        let picture = picture(table);
        assert_eq!(picture.matches("<polyline").count(), 4);
        for word in ["policy", "train19", "train9", "first", "value error", "games9", "200 steps"] {
            assert!(picture.contains(word), "{word}");
        }
        assert!(!picture.contains("seconds"));
    }

    #[test]
    fn whatever_the_table_is_there_is_a_picture() {
        for table in ["", "step", "a,b_c\n1\n,,\n", "step,b_c\nx,y\n1,NaN\n"] {
            let picture = picture(table);
            assert!(picture.ends_with("</svg>\n") || picture.ends_with("</svg>"), "{picture}");
            assert!(!picture.contains("NaN"), "{picture}");
        }
    }
}
