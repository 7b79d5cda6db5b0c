//! Curves of numbers over the steps of a training, in panels: one picture of how it goes.

use crate::svg::{Shape, Svg};

/// A number over the steps.
pub struct Curve {
    /// What stands below the panel.
    pub name: String,
    /// Its colour, as SVG has it.
    pub colour: String,
    /// Steps and values; what is not finite is left out.
    pub points: Vec<(f64, f64)>,
}

/// Some curves on one scale.
pub struct Panel {
    /// What stands above.
    pub title: String,
    /// The curves.
    pub curves: Vec<Curve>,
}

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 200.0;
const MARGIN: f64 = 45.0;
/// The height of a curve's name.
const LINE: f64 = 14.0;

/// A picture of the panels, so many in a row, each from step 0 to the last one of all.
///
/// ```
/// use tesuji::curves::{Curve, Panel, svg};
///
/// let curve = Curve { name: "loss".into(), colour: "#1f78b4".into(), points: vec![(0.0, 2.0), (100.0, 1.0)] };
/// let picture = svg(&[Panel { title: "policy".into(), curves: vec![curve] }], 3);
/// assert!(picture.contains("100 steps"));
/// ```
pub fn svg(panels: &[Panel], in_a_row: usize) -> String {
    let in_a_row = in_a_row.clamp(1, panels.len().max(1));
    let names = panels.iter().map(|panel| panel.curves.len()).max().unwrap_or(0);
    let (across, down) = (WIDTH + MARGIN, HEIGHT + MARGIN + LINE * (names + 1) as f64);
    let rows = panels.len().div_ceil(in_a_row);
    let (width, height) = (in_a_row as f64 * across + MARGIN, rows as f64 * down + MARGIN);
    let mut svg = Svg::file(width, height).set("font-family", "sans-serif").set("font-size", 11);
    svg.add(Shape::rect((0.0, 0.0), (width, height)).fill("white"));
    let points = panels.iter().flat_map(|panel| &panel.curves).flat_map(|curve| &curve.points);
    let last = points.map(|&(step, _)| step).fold(1.0, f64::max);
    for (at, panel) in panels.iter().enumerate() {
        let left = MARGIN + (at % in_a_row) as f64 * across;
        let top = MARGIN + (at / in_a_row) as f64 * down;
        draw(&mut svg, panel, (left, top), last);
    }
    svg.finish()
}

fn draw(svg: &mut Svg, panel: &Panel, (left, top): (f64, f64), last: f64) {
    let finite = |curve: &Curve| -> Vec<(f64, f64)> {
        let points = curve.points.iter().copied();
        points.filter(|(step, value)| step.is_finite() && value.is_finite()).collect()
    };
    let values = panel.curves.iter().flat_map(finite).map(|(_, value)| value);
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    let (low, high) = if low <= high { (low, high.max(low + 1e-3)) } else { (0.0, 1.0) };
    svg.add(Shape::text((left, top - 8.0), &panel.title));
    svg.add(Shape::rect((left, top), (WIDTH, HEIGHT)).fill("none").set("stroke", "#888"));
    for (value, y) in [(high, top + 10.0), (low, top + HEIGHT - 3.0)] {
        svg.add(Shape::text((left - 4.0, y), format_args!("{value:.3}")).anchor("end"));
    }
    let corner = (left + WIDTH, top + HEIGHT + LINE);
    svg.add(Shape::text(corner, format_args!("{last} steps")).anchor("end"));
    for (number, curve) in panel.curves.iter().enumerate() {
        let place = |(x, y)| (left + WIDTH * x / last, top + HEIGHT * (high - y) / (high - low));
        let line = Shape::polyline(finite(curve).into_iter().map(place));
        svg.add(line.stroke(&curve.colour, 1.5));
        let below = (left, top + HEIGHT + LINE * (number + 1) as f64);
        svg.add(Shape::text(below, &curve.name).fill(&curve.colour));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(values: &[f64]) -> Panel {
        let points = values.iter().enumerate().map(|(at, &value)| (10.0 * at as f64, value));
        let curve = Curve { name: "a & b".into(), colour: "red".into(), points: points.collect() };
        Panel { title: "loss".into(), curves: vec![curve] }
    }

    #[test]
    fn a_picture_has_every_curve_and_no_wild_number() {
        let panels: Vec<Panel> = (0..5).map(|_| panel(&[2.0, 1.0, 1.5])).collect();
        let picture = svg(&panels, 3);
        assert_eq!(picture.matches("<polyline").count(), 5);
        assert!(picture.contains("20 steps") && picture.contains("a &amp; b"));
        let odd = [panel(&[]), panel(&[1.0]), panel(&[f64::NAN, f64::INFINITY, 3.0])];
        for picture in [svg(&[], 3), svg(&odd, 0)] {
            assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
        }
    }
}
