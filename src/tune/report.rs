//! What people are told of a tuning: a page with the course of each parameter, tables, the line while it is played.

use std::path::Path;

use anyhow::Result;
use maud::{PreEscaped, html};

use super::parameter::{Parameter, Scale, six_digits};
use super::settings::{MethodName, TuneSettings};
use crate::arena::report::text;
use crate::arena::results::{Results, write_whole};
use crate::arena::settings::Settings;
use crate::arena::stats::{Tally, elo};
use crate::csv;
use crate::page;
use crate::svg::Shape;

/// The folder of the match at the end, below the tuning's.
pub const FINAL: &str = "final";
/// More points of a course than this are not drawn: nobody could tell them apart.
const MAX_POINTS: usize = 400;

/// The values at coordinates in a line.
pub fn values_words(settings: &TuneSettings, coordinates: &[f64]) -> String {
    let all = settings.parameters.iter().zip(coordinates);
    let words: Vec<String> =
        all.map(|(one, &at)| format!("{} {}", one.name, one.rounded(one.to_value(at)))).collect();
    words.join(", ")
}

/// Writes page and tables into the folder.
///
/// # Errors
/// When a file cannot be written.
pub fn write_all(
    settings: &TuneSettings,
    games: &Settings,
    course: &[Vec<f64>],
    results: &Results,
    path: &Path,
) -> Result<()> {
    write_whole(&path.join("course.csv"), &course_csv(settings, course))?;
    write_whole(&path.join("table.txt"), &summary(settings, course, path)?)?;
    write_whole(&path.join("games.csv"), &crate::arena::report::csv::games(results))?;
    write_whole(&path.join("index.html"), &page(settings, games, course, results, path)?)
}

/// The coordinates to go on with: the last that are known.
pub fn best(settings: &TuneSettings, course: &[Vec<f64>]) -> Vec<f64> {
    course.last().cloned().unwrap_or_else(|| settings.start())
}

fn course_csv(settings: &TuneSettings, course: &[Vec<f64>]) -> String {
    let names = settings.parameters.iter().map(|parameter| parameter.name.clone());
    let mut text = csv::row(&[vec!["pair".to_owned()], names.collect()].concat());
    for (pair, coordinates) in course.iter().enumerate() {
        let values = settings.parameters.iter().zip(coordinates);
        let values = values.map(|(one, &at)| six_digits(one.to_value(at)).to_string());
        text += &csv::row(&[vec![(pair + 1).to_string()], values.collect()].concat());
    }
    text
}

/// How a parameter stands, as the tables have it.
struct Row {
    name: String,
    start: String,
    now: String,
    steps: String,
    range: String,
}

fn rows(settings: &TuneSettings, course: &[Vec<f64>]) -> Vec<Row> {
    let (start, best) = (settings.start(), best(settings, course));
    let all = settings.parameters.iter().zip(start.iter().zip(&best));
    all.map(|(parameter, (&start, &now))| Row {
        name: parameter.name.clone(),
        start: parameter.rounded(parameter.start),
        now: parameter.rounded(parameter.to_value(now)),
        steps: format!("{:+.2}", now - start),
        range: format!("{} to {}", parameter.min, parameter.max),
    })
    .collect()
}

/// What is printed at the end: the values, the commands that set them, the match.
///
/// # Errors
/// When the results of the match at the end cannot be read.
pub fn summary(settings: &TuneSettings, course: &[Vec<f64>], path: &Path) -> Result<String> {
    let mut text = format!("{} of {} pairs are counted\n\n", course.len(), settings.pairs);
    let heads = ["parameter", "start", "now", "steps", "range"].map(str::to_owned);
    let mut table = vec![heads];
    for Row { name, start, now, steps, range } in rows(settings, course) {
        table.push([name, start, now, steps, range]);
    }
    let width =
        |column: usize| table.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..5).map(width).collect();
    for row in &table {
        let [name, numbers @ ..] = row;
        let mut line = format!("{name:0$}", widths[0]);
        for (cell, width) in numbers.iter().zip(&widths[1..]) {
            line += &format!("  {cell:>width$}");
        }
        text += line.trim_end();
        text.push('\n');
    }
    text += "\nto use them:\n";
    for command in settings.commands(&best(settings, course), |_| 0.5) {
        text += &format!("    {command}\n");
    }
    if let Some(words) = final_words(settings, path)? {
        text += &format!("\n{words}\n");
    }
    Ok(text)
}

/// How the match at the end stands, and what its test says, in lines.
fn final_words(settings: &TuneSettings, path: &Path) -> Result<Option<String>> {
    let results = Results::read(&path.join(FINAL))?;
    if results.games.is_empty() {
        return Ok(None);
    }
    let tally = Tally::between("tuned", "start", &results.games);
    let (value, low, high) = tally.elo();
    let test = settings.final_match.sprt.as_ref();
    let test = test.map(|bounds| format!("\n{}", text::test_words(bounds, "tuned", &tally)));
    Ok(Some(format!(
        "tuned against the start: {} won, {} lost, {} drawn{}; Elo {}, 95% interval {} to {}{}",
        tally.wins,
        tally.losses,
        tally.draws,
        void_words(&tally),
        elo::show(value),
        elo::show(low),
        elo::show(high),
        test.unwrap_or_default()
    )))
}

/// Games that count for nobody, if there are any.
fn void_words(tally: &Tally) -> String {
    match tally.void {
        0 => String::new(),
        void => format!(", {void} without a result"),
    }
}

fn page(
    settings: &TuneSettings,
    games: &Settings,
    course: &[Vec<f64>],
    results: &Results,
    path: &Path,
) -> Result<String> {
    let method = match settings.method {
        MethodName::Spsa => "SPSA",
        MethodName::Clop => "CLOP",
    };
    let last = final_words(settings, path)?;
    let [first, second] = settings.sides();
    let tally = Tally::between(first, second, &results.games);
    let facts = [
        ("Method", format!("{method}, {} pairs, seed {}", settings.pairs, games.seed)),
        ("Engine", settings.engine.command.clone()),
        ("Game", format!("{0}x{0}{1}", games.size, text::rules_words(games))),
        ("Openings", text::opening_words(games)),
        (
            "Games",
            format!(
                "{first} against {second}: {} to {}, {} drawn{}",
                tally.wins,
                tally.losses,
                tally.draws,
                void_words(&tally)
            ),
        ),
    ];
    let body = html! {
        h1 { (settings.title) }
        p.state { (course.len()) " of " (settings.pairs) " pairs of games are counted" }
        @for words in last.iter().flat_map(|words| words.lines()) {
            p { a href=(format!("{FINAL}/index.html")) { (words) } }
        }
        h2 { "Values" }
        div.wide {
            table {
                tr { th.l { "Parameter" } th { "Start" } th { "Now" } th { "Steps" } th { "Range" } }
                @for Row { name, start, now, steps, range } in rows(settings, course) {
                    tr { td.l { (name) } td { (start) } td { b { (now) } } td { (steps) } td { (range) } }
                }
            }
        }
        pre { @for command in settings.commands(&best(settings, course), |_| 0.5) { (command) "\n" } }
        @for (at, parameter) in settings.parameters.iter().enumerate() {
            h2 { (parameter.name) }
            @for form in [page::DESK, page::PHONE] {
                (PreEscaped(course_of(parameter, at, course, settings.pairs as usize, form)))
            }
        }
        h2 { "How" }
        dl { @for (name, words) in facts { dt { (name) } dd { (words) } } }
        @for line in text::how_games_ended(results).lines() { p { (line) } }
        p {
            a href="course.csv" { "course.csv" } " · " a href="results.jsonl" { "results.jsonl" } " · "
            a href="games.csv" { "games.csv" } " · " a href="match.toml" { "match.toml" } " · " a href="logs/" { "logs" }
        }
    };
    Ok(page::page(&settings.title, "", &body))
}

/// The way of a parameter's value over the pairs.
fn course_of(
    parameter: &Parameter,
    at: usize,
    course: &[Vec<f64>],
    pairs: usize,
    form: page::Form,
) -> String {
    const HEIGHT: f64 = 140.0;
    const LABEL_HEIGHT: f64 = 12.0;
    let (left, right, top, bottom) = (64.0, form.width - 8.0, 10.0, 22.0);
    let start = parameter.to_coordinate(parameter.start);
    let seen = course.iter().map(|coordinates| coordinates[at]).chain([start]);
    // At least two steps to both sides, so that small moves look small.
    let low = seen.clone().fold(start - 2.0, f64::min);
    let high = seen.fold(start + 2.0, f64::max);
    let x = |pair: usize| left + (right - left) * pair as f64 / pairs.max(1) as f64;
    let y = |coordinate: f64| top + (HEIGHT - top - bottom) * (high - coordinate) / (high - low);
    let mut svg = form.drawing(HEIGHT);
    svg.title(&format!(
        "{} from {} to {} over {} pairs",
        parameter.name,
        parameter.start,
        parameter.rounded(parameter.to_value(course.last().map_or(start, |all| all[at]))),
        course.len()
    ));
    let mut labels: Vec<f64> = Vec::new();
    for coordinate in [start, low, high] {
        let line = Shape::line((left, y(coordinate)), (right, y(coordinate)));
        let line = line.set("stroke", "var(--line)");
        svg.add(if coordinate == start { line } else { line.set("stroke-dasharray", "2 4") });
        // Beyond its limits a value does not go, though the picture may.
        let value = match parameter.scale {
            Scale::Linear => coordinate * parameter.step,
            Scale::Log => parameter.to_value(coordinate),
        };
        let word = if value < parameter.min || value > parameter.max {
            String::new()
        } else {
            parameter.rounded(value)
        };
        // Labels nearer than their own height could not be read.
        if labels.iter().all(|&other| (other - y(coordinate)).abs() >= LABEL_HEIGHT) {
            labels.push(y(coordinate));
            svg.add(Shape::text((left - 6.0, y(coordinate) + 4.0), word).anchor("end"));
        }
    }
    let every = course.len().div_ceil(MAX_POINTS).max(1);
    let drawn =
        course.iter().enumerate().filter(|(pair, _)| pair % every == 0 || pair + 1 == course.len());
    let points = drawn.map(|(pair, all)| (x(pair + 1), y(all[at])));
    svg.add(
        Shape::polyline([(x(0), y(start))].into_iter().chain(points)).stroke("var(--accent)", 2.0),
    );
    svg.add(Shape::text((left, HEIGHT - 4.0), 0));
    svg.add(Shape::text((right, HEIGHT - 4.0), format!("{pairs} pairs")).anchor("end"));
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_without_a_result_are_named() {
        assert_eq!(void_words(&Tally::default()), "");
        let tally = Tally { void: 1, ..Tally::default() };
        assert_eq!(void_words(&tally), ", 1 without a result");
    }
}
