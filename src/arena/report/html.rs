//! A page with everything in it, to be opened from the disk.

use std::fmt::Write;

use super::super::fault::FaultPolicy;
use super::super::results::{GameLine, Results};
use super::super::settings::Settings;
use super::super::sgf;
use super::super::stats::repeats::repeats;
use super::super::stats::{Tally, elo};
use super::{chart, text};

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
svg text { fill: var(--soft); font: 12px system-ui, sans-serif; }
code { font: 13px ui-monospace, monospace; }
";

/// The page. `scheduled` is the number of games that there are to be.
pub fn page(settings: &Settings, results: &Results, scheduled: usize) -> String {
    let mut page = String::new();
    let title = escape(&settings.title);
    let _ = write!(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    let played = results.games.len();
    let last = results.games.last().map_or("", |game| game.started.as_str());
    let _ = writeln!(
        page,
        "<p class=\"state\">{played} of {scheduled} games played{}{}</p>",
        if last.is_empty() { "" } else { "; the last one began " },
        escape(last)
    );
    if let [first, second] = settings.players.as_slice() {
        two_players(&mut page, &first.name, &second.name, results);
    } else {
        standings(&mut page, settings, results);
    }
    if let Some(words) = text::sprt_words(settings, results) {
        let _ = writeln!(page, "<p>{}</p>", escape(&words));
    }
    for line in text::rating_notes(&text::rate(settings, results)) {
        let _ = writeln!(page, "<p>{}</p>", escape(&line));
    }
    if let Some(words) = text::repeat_words(results) {
        let _ = writeln!(page, "<p>{}</p>", escape(&words));
    }
    setting_list(&mut page, settings);
    faults(&mut page, results);
    games(&mut page, settings, results);
    page.push_str("</body>\n</html>\n");
    page
}

fn two_players(page: &mut String, first: &str, second: &str, results: &Results) {
    let tally = Tally::between(first, second, &results.games);
    let (low, high) = tally.wilson();
    let (value, elo_low, elo_high) = tally.elo();
    let part = |of: &dyn Fn(&&GameLine) -> bool| {
        let part = Tally::between(first, second, results.games.iter().filter(|game| of(game)));
        format!("{} of {}", part.points(), part.games())
    };
    let rows = [
        ("Won, lost, drawn", format!("{}, {}, {}", tally.wins, tally.losses, tally.draws)),
        (
            "Score",
            format!("{:.1}% ({:.1}% to {:.1}%)", 100.0 * tally.score(), 100.0 * low, 100.0 * high),
        ),
        (
            "Elo",
            format!("{} ({} to {})", elo::show(value), elo::show(elo_low), elo::show(elo_high)),
        ),
        ("As Black", part(&|game| game.black == first)),
        ("As White", part(&|game| game.white == first)),
        (
            "Pairs of games by score 0, ½, 1, 1½, 2",
            tally.pairs.map(|count| count.to_string()).join(", "),
        ),
        ("Games without a result", tally.void.to_string()),
    ];
    let _ = writeln!(page, "<h2>{} against {}</h2>\n<table>", escape(first), escape(second));
    for (name, value) in rows {
        let _ = writeln!(
            page,
            "<tr><th class=\"l\">{name}</th><td class=\"l\">{}</td></tr>",
            escape(&value)
        );
    }
    page.push_str("</table>\n");
    page.push_str(&chart::score_over_games(first, second, &results.games));
}

fn standings(page: &mut String, settings: &Settings, results: &Results) {
    let rated = text::rate(settings, results);
    let order = text::order(&rated);
    page.push_str("<h2>Table</h2>\n<div class=\"wide\"><table>\n<tr><th></th><th class=\"l\">Player</th><th>Elo</th><th>±</th><th>Games</th><th>Score</th><th>95% interval</th>");
    for place in 1..=order.len() {
        let _ = write!(page, "<th>{place}</th>");
    }
    page.push_str("</tr>\n");
    for (place, &player) in order.iter().enumerate() {
        let name = &settings.players[player].name;
        let tally = text::against_all(name, settings, results);
        let (low, high) = tally.wilson();
        let _ = write!(
            page,
            "<tr><td>{}</td><td class=\"l\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.1}%</td><td>{:.1}% to {:.1}%</td>",
            place + 1,
            escape(name),
            elo::show(rated.elo[player]),
            text::error_words(rated.error[player]),
            tally.games(),
            100.0 * tally.score(),
            100.0 * low,
            100.0 * high,
        );
        for &other in &order {
            let tally = Tally::between(name, &settings.players[other].name, &results.games);
            if other == player || tally.games() == 0 {
                page.push_str("<td>–</td>");
            } else {
                let _ = write!(page, "<td>{}/{}</td>", tally.points(), tally.games());
            }
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table></div>\n");
    page.push_str(&chart::ratings(&order, settings, &rated));
}

fn setting_list(page: &mut String, settings: &Settings) {
    page.push_str("<h2>Settings</h2>\n<dl>\n");
    let mut row = |name: &str, value: String| {
        let _ = writeln!(page, "<dt>{}</dt><dd>{}</dd>", escape(name), escape(&value));
    };
    row(
        "Game",
        format!("{:?}, {2}x{2}{1}", settings.game, text::rules_words(settings), settings.size),
    );
    row(
        "Clock",
        settings.time.map_or(format!("none, at most {} a move", settings.move_timeout), |time| {
            sgf::time_words(&time)
        }),
    );
    row("Counted by", text::scoring_words(settings));
    row("Openings", text::opening_words(settings));
    row("Seed", settings.seed.to_string());
    for player in &settings.players {
        let mut words = player.command.clone();
        for command in player.setup.iter().chain(&player.game_setup) {
            words.push_str(&format!("; {command}"));
        }
        row(&player.name, words);
    }
    page.push_str("</dl>\n<p><a href=\"match.toml\">match.toml</a> · <a href=\"results.jsonl\">results.jsonl</a> · \
                   <a href=\"games.csv\">games.csv</a> · <a href=\"logs/\">logs</a></p>\n");
}

fn faults(page: &mut String, results: &Results) {
    let counted: Vec<_> = results
        .games
        .iter()
        .flat_map(|game| game.faults.iter().map(move |fault| (&game.sgf, &game.game, fault)))
        .chain(results.faults.iter().map(|line| (&line.sgf, &line.game, &line.fault)))
        .collect();
    if counted.is_empty() {
        return;
    }
    page.push_str("<h2>Faults</h2>\n<div class=\"wide\"><table>\n<tr><th class=\"l\">Game</th><th class=\"l\">Player</th>\
                   <th class=\"l\">Fault</th><th class=\"l\">What followed</th><th class=\"l\">What happened</th></tr>\n");
    for (sgf, game, fault) in counted {
        let _ = writeln!(
            page,
            "<tr><td class=\"l\">{}</td><td class=\"l\">{}</td><td class=\"l\">{}</td><td class=\"l\">{}</td><td class=\"note\">{}</td></tr>",
            link(sgf, &format!("{} – {}, {}", game.a, game.b, game.n + 1)),
            escape(fault.player.as_deref().unwrap_or("–")),
            fault.kind,
            if fault.policy == FaultPolicy::Replay {
                "played again"
            } else {
                text::policy_words(fault.policy)
            },
            escape(&fault.detail),
        );
    }
    page.push_str("</table></div>\n");
}

fn games(page: &mut String, settings: &Settings, results: &Results) {
    page.push_str("<h2>Games</h2>\n<div class=\"wide\"><table>\n<tr><th>Game</th><th class=\"l\">Black</th><th class=\"l\">White</th>\
                   <th class=\"l\">Result</th><th class=\"l\"></th><th>Turns</th><th>Black's time</th><th>White's time</th><th class=\"l\">Began</th>");
    if settings.gtp_log {
        page.push_str("<th></th>");
    }
    page.push_str("</tr>\n");
    let mut games: Vec<&GameLine> = results.games.iter().collect();
    games.sort_by_key(|game| game.number);
    let repeats = repeats(&results.games);
    for game in games {
        let repeated = repeats.get(&game.number);
        let repeated = repeated.map(|earlier| format!(", as game {earlier}")).unwrap_or_default();
        let name = |name: &String| {
            let name_html = escape(name);
            if game.winner.as_ref() == Some(name) {
                format!("<b>{name_html}</b>")
            } else {
                name_html
            }
        };
        let _ = write!(
            page,
            "<tr><td>{}</td><td class=\"l\">{}</td><td class=\"l\">{}</td><td class=\"l\">{}</td><td class=\"l\">{}{repeated}</td><td>{}</td>\
             <td>{:.1} s</td><td>{:.1} s</td><td class=\"l\">{}</td>",
            link(&game.sgf, &game.number.to_string()),
            name(&game.black),
            name(&game.white),
            escape(&game.result),
            game.reason.words(),
            game.turns,
            game.black_seconds,
            game.white_seconds,
            escape(&game.started),
        );
        if settings.gtp_log {
            let log = format!("gtp/{:06}.log", game.number);
            let _ = write!(page, "<td>{}</td>", link(&log, "GTP"));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table></div>\n");
}

/// A link to a file of the match's folder; the bare text where there is no file.
fn link(file: &str, words: &str) -> String {
    match file {
        "" => escape(words),
        file => format!("<a href=\"{}\">{}</a>", escape(file), escape(words)),
    }
}

/// Text as HTML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
