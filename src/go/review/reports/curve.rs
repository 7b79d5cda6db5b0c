//! The course of a game as a drawing: lead and chance of winning after every move.
//!
//! Nothing is told by colour alone: Black's lead is hatched and White's is not, mistakes are stones of who made them.

use super::words;
use crate::go::review::document::{Document, Value};
use crate::go::review::loss::{Grade, Phase};
use crate::svg::{Place, Shape, Svg};

/// Width and what is different with it: on a desk and on a phone.
#[derive(Clone, Copy)]
pub struct Form {
    /// The class by which the page shows one of them.
    pub class: &'static str,
    width: f64,
    /// Mistakes that are numbered.
    numbered: usize,
}

/// On a desk.
pub const WIDE: Form = Form { class: "chart wide-only", width: 1080.0, numbered: 10 };
/// On a phone.
pub const NARROW: Form = Form { class: "chart narrow-only", width: 360.0, numbered: 4 };

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
        let wide = self.form.width - LEFT - RIGHT;
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
    let mut svg = Svg::new(form.width, height).set("class", form.class).set("role", "img");
    svg.title("Lead and chance of winning after each move");
    let hatch = format!("hatch-{}", form.width);
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
    let right = scale.form.width - RIGHT;
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
    let is_narrow = scale.form.width < 500.0;
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

/// The moves that are not good, on the curve of the lead; the worst with their numbers.
fn mistakes(svg: &mut Svg, scale: &Scale, document: &Document) {
    let largest = document.largest();
    let marked = largest.iter().filter(|(_, assessment)| assessment.grade > Grade::Good);
    let mut written: Vec<Place> = Vec::new();
    for (place, (entry, assessment)) in marked.enumerate() {
        let Some(value) = entry.black else { continue };
        let at = (scale.x(entry.number), scale.lead(value.lead));
        let radius = match assessment.grade {
            Grade::Blunder => 5.5,
            Grade::Bad => 4.5,
            _ => 3.0,
        };
        let is_black = words::is_black(&entry.color);
        let fill = if is_black { "#111111" } else { "#ffffff" };
        svg.add(Shape::circle(at, radius).fill(fill).stroke("var(--ink)", 1.4));
        // Above where White lost, below where Black did: away from the curve.
        let at = (at.0, if is_black { at.1 + 19.0 } else { at.1 - 10.0 });
        let at = (at.0.clamp(LEFT + 10.0, scale.form.width - 14.0), at.1);
        let is_free =
            |other: &Place| (other.0 - at.0).abs() > 26.0 || (other.1 - at.1).abs() > 13.0;
        if place < scale.form.numbered && written.iter().all(is_free) {
            let number = Shape::text(at, entry.number).anchor("middle");
            svg.add(number.set("class", "number"));
            written.push(at);
        }
    }
}
