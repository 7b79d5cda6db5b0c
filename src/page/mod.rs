//! Pages with everything in them, to be opened from the disk.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::svg::Svg;

/// What all that is shown in a browser has in common.
pub const BASE: &str = include_str!("base.css");

/// Which of its two forms a drawing has: one for a desk and one for a phone, where that would be too small to be read.
/// Pages have both, and show one of them.
#[derive(Clone, Copy)]
pub struct Form {
    /// By which the page shows it or not.
    pub class: &'static str,
    /// In the drawing's units.
    pub width: f64,
}

/// On a desk.
pub const DESK: Form = Form { class: "chart wide-only", width: 720.0 };
/// On a phone.
pub const PHONE: Form = Form { class: "chart narrow-only", width: 360.0 };

impl Form {
    /// An empty drawing, with its letters as large as the page's others.
    pub fn drawing(self, height: f64) -> Svg {
        let svg = Svg::new(self.width, height).set("class", self.class).set("width", self.width);
        svg.set("role", "img")
    }

    /// Whether there is little room.
    pub fn is_narrow(self) -> bool {
        self.width < 500.0
    }
}

/// A link to a file beside the page, by its name: what means something else in an address is written as a number.
pub fn link(name: &str) -> String {
    let character = |letter: char| match letter {
        '%' | '#' | '?' | ':' => format!("%{:02X}", u32::from(letter)),
        other => other.to_string(),
    };
    name.chars().map(character).collect()
}

/// What pages look like that are files.
const STYLE: &str = "
body { max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin: 0 0 .2rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
p.state { color: var(--soft); margin: 0 0 1rem; }
th, td { padding: .25rem .7rem; }
table.facts th { white-space: normal; }
td.note { white-space: normal; color: var(--soft); text-align: left; min-width: 14rem; }
a { text-decoration: none; }
a:hover { text-decoration: underline; }
dl { display: grid; grid-template-columns: fit-content(40%) minmax(0, 1fr); gap: .1rem 1rem; }
dt { color: var(--soft); overflow-wrap: anywhere; }
dd { margin: 0; overflow-wrap: anywhere; }
svg { max-width: 100%; height: auto; }
.narrow-only { display: none; }
@media (max-width: 640px) {
  .wide-only { display: none; }
  .narrow-only { display: block; width: 100%; }
}
svg.chart text { fill: var(--soft); font: 12px system-ui, sans-serif; }
code { font: 13px ui-monospace, monospace; }
";

/// A whole page; `style` is what its own parts look like, beside what all pages have. Drawings of the class `chart` are
/// lettered as the page is.
pub fn page(title: &str, style: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(BASE)) (PreEscaped(STYLE)) (PreEscaped(style)) }
            }
            body { (body) }
        }
    };
    page.into_string()
}

#[cfg(test)]
mod tests {
    #[test]
    fn links_lead_to_files_of_any_name() {
        assert_eq!(super::link("a#1 50%/b?.html"), "a%231 50%25/b%3F.html");
        assert_eq!(super::link("10:30 é.sgf"), "10%3A30 é.sgf");
    }
}
