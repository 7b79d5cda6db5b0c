//! The course of a game as a drawing: lead and chance of winning after every move.
//!
//! Nothing is told by colour alone: Black's lead is hatched and White's is not, mistakes are stones of who made them.

use super::words;
use crate::go::review::document::{Document, Value};
use crate::go::review::loss::{Grade, Phase};
use crate::page;
use crate::svg::{Place, Shape, Svg};

/// A page's form, and what is different with it.
#[derive(Clone, Copy)]
pub struct Form {
    page: page::Form,
    /// Mistakes that are numbered.
    numbered: usize,
}

/// On a desk.
pub const WIDE: Form = Form { page: page::Form { width: 1080.0, ..page::DESK }, numbered: 10 };
/// On a phone.
pub const NARROW: Form = Form { page: page::PHONE, numbered: 4 };

const LEFT: f64 = 46.0;
const RIGHT: f64 = 8.0;
const TOP: f64 = 16.0;
const LEAD_HIGH: f64 = 190.0;
const GAP: f64 = 30.0;
const CHANCE_HIGH: f64 = 110.0;
/// The lead that the drawing reaches at least, and at most.
const MIN_LEAD: f64 = 10.0;
const MAX_LEAD: f64 = 60.0;

/// Where things are.
struct Scale {
    form: Form,
    moves: usize,
    /// The lead at the upper edge.
    max: f64,
}

impl Scale {
    fn x(&self, number: usize) -> f64 {
        let wide = self.form.page.width - LEFT - RIGHT;
        LEFT + wide * number as f64 / self.moves.max(1) as f64
    }

    fn lead(&self, lead: f64) -> f64 {
        TOP + LEAD_HIGH / 2.0 * (1.0 - (lead / self.max).clamp(-1.0, 1.0))
    }

    fn chance(&self, chance: f64) -> f64 {
        TOP + LEAD_HIGH + GAP + CHANCE_HIGH * (1.0 - chance)
    }
}

/// The drawing; nothing where too little is known.
pub fn curve(document: &Document, form: Form) -> String {
    let start = document.start.map(|value| (0, value));
    let after = document.moves.iter().filter_map(|entry| Some((entry.number, entry.black?)));
    let values: Vec<(usize, Value)> = start.into_iter().chain(after).collect();
    if values.len() < 2 {
        return String::new();
    }
    let largest = values.iter().map(|(_, value)| value.lead.abs()).fold(MIN_LEAD, f64::max);
    let scale = Scale { form, moves: document.moves.len(), max: largest.min(MAX_LEAD) * 1.05 };
    let height = TOP + LEAD_HIGH + GAP + CHANCE_HIGH + 24.0;
    let mut svg = form.page.drawing(height);
    svg.title("Lead and chance of winning after each move");
    let hatch = format!("hatch-{}", form.page.width);
    svg.definitions(&format!(
        "<pattern id=\"{hatch}\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" \
         patternTransform=\"rotate(45)\"><line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"5\" stroke=\"var(--ink)\" \
         stroke-opacity=\"0.45\" stroke-width=\"2\"/></pattern>"
    ));
    frame(&mut svg, &scale, document);
    // Black's part of the curve lies above the middle.
    for (is_black, fill) in [(true, format!("url(#{hatch})")), (false, "var(--band)".to_owned())] {
        let part = |lead: f64| if is_black { lead.max(0.0) } else { lead.min(0.0) };
        let edge = values.iter().map(|(n, value)| (scale.x(*n), scale.lead(part(value.lead))));
        let first = (scale.x(values[0].0), scale.lead(0.0));
        let last = (scale.x(values[values.len() - 1].0), scale.lead(0.0));
        let corners = std::iter::once(first).chain(edge).chain([last]);
        svg.add(Shape::polygon(corners).fill(&fill));
    }
    let lead = values.iter().map(|(n, value)| (scale.x(*n), scale.lead(value.lead)));
    svg.add(Shape::polyline(lead).stroke("var(--ink)", 1.6));
    let chance = values.iter().map(|(n, value)| (scale.x(*n), scale.chance(value.winrate)));
    svg.add(Shape::polyline(chance).stroke("var(--accent)", 1.8));
    mistakes(&mut svg, &scale, document);
    svg.finish()
}

/// Lines and their names.
fn frame(svg: &mut Svg, scale: &Scale, document: &Document) {
    let right = scale.form.page.width - RIGHT;
    let mut level = |y: f64, name: String, is_middle: bool| {
        let line = Shape::line((LEFT, y), (right, y)).set("stroke", "var(--line)");
        svg.add(if is_middle { line } else { line.set("stroke-dasharray", "2 4") });
        svg.add(Shape::text((LEFT - 6.0, y + 4.0), name).anchor("end"));
    };
    let step = [5.0, 10.0, 20.0].into_iter().find(|step| scale.max / step < 3.0).unwrap_or(40.0);
    let mut points = step;
    level(scale.lead(0.0), "even".to_owned(), true);
    while points < scale.max {
        level(scale.lead(points), format!("B+{points}"), false);
        level(scale.lead(-points), format!("W+{points}"), false);
        points += step;
    }
    for (chance, name) in [(1.0, "100%"), (0.5, "50%"), (0.0, "0%")] {
        level(scale.chance(chance), name.to_owned(), chance == 0.5);
    }
    let below = scale.chance(0.0) + 18.0;
    let is_narrow = scale.form.page.is_narrow();
    let step = match (is_narrow, scale.moves) {
        (_, 0..20) => 5,
        (false, 20..80) | (true, 20..40) => 10,
        (false, _) | (true, 40..120) => 25,
        (true, _) => 50,
    };
    for number in (0..=scale.moves).step_by(step) {
        let label = Shape::text((scale.x(number), below), number);
        svg.add(label.anchor(if number == 0 { "start" } else { "middle" }));
    }
    svg.add(Shape::text((LEFT, TOP - 5.0), "Lead in points"));
    svg.add(Shape::text((LEFT, scale.chance(1.0) - 6.0), "Black's chance of winning"));
    for pair in document.moves.windows(2) {
        if pair[0].phase == pair[1].phase {
            continue;
        }
        let x = scale.x(pair[0].number);
        let line = Shape::line((x, TOP), (x, scale.chance(0.0))).set("stroke", "var(--line)");
        svg.add(line);
        if pair[1].phase != Phase::Opening {
            svg.add(Shape::text((x + 4.0, TOP + 10.0), words::phase(pair[1].phase)));
        }
    }
}

/// A mistake on the curve.
struct Mark {
    at: Place,
    radius: f64,
    is_black: bool,
    number: usize,
}

/// The moves that are not good, on the curve of the lead; the worst with their numbers.
fn mistakes(svg: &mut Svg, scale: &Scale, document: &Document) {
    let largest = document.largest();
    let marked = largest.iter().filter(|(_, assessment)| assessment.grade > Grade::Good);
    let marks = marked.filter_map(|(entry, assessment)| {
        let at = (scale.x(entry.number), scale.lead(entry.black?.lead));
        let radius = match assessment.grade {
            Grade::Blunder => 5.5,
            Grade::Bad => 4.5,
            _ => 3.0,
        };
        Some(Mark { at, radius, is_black: words::is_black(&entry.color), number: entry.number })
    });
    let marks: Vec<Mark> = marks.collect();
    for mark in &marks {
        let fill = if mark.is_black { "#111111" } else { "#ffffff" };
        svg.add(Shape::circle(mark.at, mark.radius).fill(fill).stroke("var(--ink)", 1.4));
    }
    let mut written: Vec<Place> = Vec::new();
    for mark in marks.iter().take(scale.form.numbered) {
        let Some(at) = label_place(mark, &marks, &written, scale.form.page.width) else { continue };
        let number = Shape::text(at, mark.number).anchor("middle");
        svg.add(number.set("class", "number"));
        written.push(at);
    }
}

/// Where a mistake's number can be read: above where White lost, below where Black did, away from the curve. None where other
/// numbers or mistakes are in the way.
fn label_place(mark: &Mark, marks: &[Mark], written: &[Place], width: f64) -> Option<Place> {
    let x = mark.at.0.clamp(LEFT + 10.0, width - 14.0);
    let y = if mark.is_black { mark.at.1 + 19.0 } else { mark.at.1 - 10.0 };
    let is_apart = |from: Place, x_distance: f64, y: f64, y_distance: f64| {
        (from.0 - x).abs() > x_distance || (from.1 - y).abs() > y_distance
    };
    // A text stands on its line, its middle is above.
    let is_free = written.iter().all(|&other| is_apart(other, 26.0, y, 13.0))
        && marks
            .iter()
            .all(|other| is_apart(other.at, 11.0 + other.radius, y - 4.0, 5.0 + other.radius));
    is_free.then_some((x, y))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(at: Place, is_black: bool) -> Mark {
        Mark { at, radius: 4.5, is_black, number: 100 }
    }

    #[test]
    fn numbers_of_mistakes_are_apart_from_each_other_and_from_mistakes() {
        let place =
            |marks: &[Mark], written: &[Place]| label_place(&marks[0], marks, written, 360.0);
        let alone = mark((100.0, 100.0), false);
        assert_eq!(place(&[alone], &[]), Some((100.0, 90.0)));
        assert_eq!(place(&[mark((100.0, 100.0), true)], &[]), Some((100.0, 119.0)));
        // Another mistake, or the number of one, is there.
        let both = [mark((100.0, 100.0), false), mark((104.0, 88.0), true)];
        assert_eq!(place(&both, &[]), None);
        let alone = [mark((100.0, 100.0), false)];
        assert_eq!(place(&alone, &[(110.0, 95.0)]), None);
        assert_eq!(place(&alone, &[(130.0, 95.0)]), Some((100.0, 90.0)));
    }
}
