//! Pages with everything in them, to be opened from the disk.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// What all pages look like, in light and in dark.
const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1d1d1b; --paper: #fbfaf7; --line: #d9d5cb; --soft: #6b675e; --accent: #2f6f8f; --band: #2f6f8f33; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e5dd; --paper: #1b1a18; --line: #3b3833; --soft: #a39d90; --accent: #7db8d4; --band: #7db8d433; }
}
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin: 0 0 .2rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
p.state { color: var(--soft); margin: 0 0 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th { font-weight: 600; color: var(--soft); }
.l { text-align: left; }
td.note { white-space: normal; color: var(--soft); text-align: left; min-width: 14rem; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
svg { max-width: 100%; height: auto; }
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
                style { (PreEscaped(STYLE)) (PreEscaped(style)) }
            }
            body { (body) }
        }
    };
    page.into_string()
}
