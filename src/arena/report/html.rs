//! A page with everything in it, to be opened from the disk.

use std::path::PathBuf;

use maud::{Markup, PreEscaped, html};

use super::super::fault::FaultPolicy;
use super::super::results::{GameLine, Results};
use super::super::settings::Settings;
use super::super::sgf;
use super::super::stats::repeats::repeats;
use super::super::stats::{Tally, elo};
use super::{chart, text};
use crate::page;

/// The page; `files` are those of the results.
pub fn page(settings: &Settings, results: &Results, files: &[PathBuf]) -> String {
    let title = &settings.title;
    let (played, scheduled) = super::progress(settings, results);
    let last = results.games.last().map(|game| &game.started);
    let sprt = text::sprt_words(settings, results);
    let notes = text::rating_notes(settings, &text::rate(settings, results));
    let body = html! {
        h1 { (title) }
        p.state {
            (played) " of " (scheduled) " games played"
            @if let Some(last) = last { "; the last one began " (last) }
        }
        @if let [first, second] = settings.players.as_slice() {
            (two_players(&first.name, &second.name, results))
        } @else {
            (standings(settings, results))
        }
        @for words in sprt.iter().chain(&notes).chain(&text::repeat_words(results)) {
            p { (words) }
        }
        (setting_list(settings, files))
        (faults(results))
        (games(settings, results))
    };
    page::page(title, "", &body)
}

fn two_players(first: &str, second: &str, results: &Results) -> Markup {
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
    html! {
        h2 { (first) " against " (second) }
        div.wide {
            table.facts {
                @for (name, value) in rows {
                    tr { th.l { (name) } td.l { (value) } }
                }
            }
        }
        (PreEscaped(chart::score_over_games(first, second, &results.games)))
    }
}

fn standings(settings: &Settings, results: &Results) -> Markup {
    let rated = text::rate(settings, results);
    let order = text::order(&rated);
    let name = |player: usize| settings.players[player].name.as_str();
    html! {
        h2 { "Table" }
        div.wide {
            table {
                tr {
                    th {} th.l { "Player" } th { "Elo" } th { "±" } th { "Games" } th { "Score" }
                    th { "95% interval" }
                    @for place in 1..=order.len() { th { (place) } }
                }
                @for (place, &player) in order.iter().enumerate() {
                    @let tally = text::against_all(name(player), settings, results);
                    @let (low, high) = tally.wilson();
                    tr {
                        td { (place + 1) }
                        td.l { (name(player)) }
                        td { (elo::show(rated.elo[player])) }
                        td { (text::error_words(rated.error[player])) }
                        td { (tally.games()) }
                        td { (format!("{:.1}%", 100.0 * tally.score())) }
                        td { (format!("{:.1}% to {:.1}%", 100.0 * low, 100.0 * high)) }
                        @for &other in &order {
                            @let tally = Tally::between(name(player), name(other), &results.games);
                            @if other == player || tally.games() == 0 {
                                td { "–" }
                            } @else {
                                td { (tally.points()) "/" (tally.games()) }
                            }
                        }
                    }
                }
            }
        }
        (PreEscaped(chart::ratings(&order, settings, &rated)))
    }
}

fn setting_list(settings: &Settings, files: &[PathBuf]) -> Markup {
    let rules = text::rules_words(settings);
    let clock = settings
        .time
        .map_or(format!("none, at most {} a move", settings.move_timeout), |t| sgf::time_words(&t));
    let mut rows = vec![
        ("Game", format!("{}, {2}x{2}{1}", settings.game.title, rules, settings.size)),
        ("Clock", clock),
        ("Counted by", text::scoring_words(settings)),
        ("Openings", text::opening_words(settings)),
        ("Seed", settings.seed.to_string()),
    ];
    for player in &settings.players {
        let commands = player.setup.iter().chain(&player.game_setup);
        let words = commands.fold(player.command.clone(), |words, more| words + "; " + more);
        rows.push((&player.name, words));
    }
    html! {
        h2 { "Settings" }
        dl {
            @for (name, value) in rows { dt { (name) } dd { (value) } }
        }
        p {
            (link("match.toml", "match.toml")) " · "
            @for file in files.iter().filter_map(|file| file.file_name()?.to_str()) {
                (link(file, file)) " · "
            }
            (link("games.csv", "games.csv")) " · " (link("logs/", "logs"))
        }
    }
}

fn faults(results: &Results) -> Markup {
    let of_games = results
        .games
        .iter()
        .flat_map(|game| game.faults.iter().map(move |fault| (&game.sgf, &game.game, fault)));
    let broken_off = results.faults.iter().map(|line| (&line.sgf, &line.game, &line.fault));
    let mut counted = of_games.chain(broken_off).peekable();
    if counted.peek().is_none() {
        return Markup::default();
    }
    html! {
        h2 { "Faults" }
        div.wide {
            table {
                tr {
                    th.l { "Game" } th.l { "Player" } th.l { "Fault" } th.l { "What followed" }
                    th.l { "What happened" }
                }
                @for (sgf, game, fault) in counted {
                    tr {
                        td.l { (link(sgf, &format!("{} – {}, {}", game.a, game.b, game.n + 1))) }
                        td.l { (fault.player.as_deref().unwrap_or("–")) }
                        td.l { (fault.kind) }
                        td.l {
                            @if fault.policy == FaultPolicy::Replay {
                                "played again"
                            } @else {
                                (text::policy_words(fault.policy))
                            }
                        }
                        td.note { (fault.detail) }
                    }
                }
            }
        }
    }
}

fn games(settings: &Settings, results: &Results) -> Markup {
    let mut games: Vec<&GameLine> = results.games.iter().collect();
    games.sort_by_key(|game| game.number);
    let repeats = repeats(&results.games);
    html! {
        h2 { "Games" }
        div.wide {
            table {
                tr {
                    th { "Game" } th.l { "Black" } th.l { "White" } th.l { "Result" } th.l {}
                    th { "Turns" } th { "Black's time" } th { "White's time" } th.l { "Began" }
                    @if settings.gtp_log { th {} }
                }
                @for game in games {
                    tr {
                        td { (link(&game.sgf, &game.number.to_string())) }
                        @for name in [&game.black, &game.white] {
                            td.l {
                                @if game.winner.as_ref() == Some(name) { b { (name) } }
                                @else { (name) }
                            }
                        }
                        td.l { (game.result) }
                        td.l {
                            (game.reason.words())
                            @if let Some(earlier) = repeats.get(&game.number) {
                                ", as game " (earlier)
                            }
                        }
                        td { (game.turns) }
                        td { (format!("{:.1} s", game.black_seconds)) }
                        td { (format!("{:.1} s", game.white_seconds)) }
                        td.l { (game.started) }
                        @if settings.gtp_log {
                            td { (link(&format!("gtp/{:06}.log", game.number), "GTP")) }
                        }
                    }
                }
            }
        }
    }
}

/// A link to a file of the match's folder; the bare text where there is no file.
fn link(file: &str, words: &str) -> Markup {
    html! {
        @if file.is_empty() { (words) } @else { a href=(file) { (words) } }
    }
}
