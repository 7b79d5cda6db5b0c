//! The page of a game: the course of the game, the players, the largest losses with the board at each, and all moves.

use go_engine::Move;
use maud::{Markup, PreEscaped, html};

use super::{board, curve, words};
use crate::go::review::document::{Document, MoveEntry};
use crate::go::review::game::ReviewGame;
use crate::go::review::loss::{Assessment, Grade, Phase};
use crate::go::review::position_analysis::line_words;
use crate::go::review::summary::{Tally, percent};
use crate::page;

/// What only these pages have.
pub const STYLE: &str = "
svg.chart { width: 100%; }
svg.chart text.number { fill: var(--ink); font-weight: 700; }
@media (max-width: 640px) {
  body { margin: 1rem auto; padding: 0 .7rem; }
  th, td { padding: .25rem .45rem; }
  .fit { font-size: 14px; }
  .fit th, .fit td { white-space: normal; padding: .25rem .3rem; }
}
.pair { display: flex; flex-wrap: wrap; column-gap: 4rem; }
.pair > div { max-width: 100%; }
.boards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)); gap: 1.5rem; }
figure { margin: 0; }
figure svg { width: 100%; max-width: 36rem; font-family: Helvetica, Arial, 'DejaVu Sans', sans-serif; }
figcaption b { font-size: 1.05rem; }
.soft { color: var(--soft); }
.stone { display: inline-block; width: .8em; height: .8em; border-radius: 50%; border: 1px solid var(--ink); margin-right: .4em; vertical-align: -.05em; background: #fff; }
.stone.black { background: #111; }
tr.blunder td:first-child, tr.bad td:first-child { font-weight: 700; }
td.names { white-space: normal; min-width: 12rem; }
details { margin: 2rem 0; }
summary { cursor: pointer; font-weight: 600; }
";

/// Rows of the table of losses, and how many of them have a board.
const LOSSES: usize = 20;
const BOARDS: usize = 8;
/// Points from which a loss is in the table.
const MIN_LOSS: f64 = 0.1;

/// The page.
pub fn page(name: &str, document: &Document, game: &ReviewGame) -> String {
    let title = title(document);
    let largest = document.largest();
    let shown: Vec<_> = largest
        .iter()
        .filter(|(_, assessment)| assessment.correction().is_some())
        .take(BOARDS)
        .copied()
        .collect();
    let body = html! {
        h1 { (title) }
        p.state { (about(document)) }
        @if !document.finished {
            p { b { "This review is not finished." } " The same command goes on with it." }
        }
        @for note in &document.notes { p.soft { "Note: " (note) "." } }
        @let file = page::link(name);
        p { a href=(format!("{file}.sgf")) { "SGF with the variations" } " · "
            a href=(format!("{file}.csv")) { "CSV" } " · "
            a href=(format!("{file}.json")) { "JSON" } }
        h2 { "Course of the game" }
        (PreEscaped(curve::curve(document, curve::WIDE)))
        (PreEscaped(curve::curve(document, curve::NARROW)))
        p.soft {
            "Black's lead is hatched above the line. Stones are moves that lost points, of the colour of who made them: the \
             larger the worse."
        }
        div.pair { div { (players(document)) } div { (phases(document)) } }
        (losses(&largest, &shown))
        (boards(&shown, game))
        (all_moves(document))
    };
    page::page(&title, STYLE, &body)
}

/// Who played whom.
pub fn title(document: &Document) -> String {
    let named = |at: usize, name: &String| match document.players[at].rank.as_str() {
        "" => name.clone(),
        rank => format!("{name} {rank}"),
    };
    let [black, white] = document.names();
    format!("{} – {}", named(0, &black), named(1, &white))
}

/// What is known of a game, in a line.
fn about(document: &Document) -> String {
    let [columns, rows] = document.size;
    let mut parts: Vec<String> = vec![document.event.clone(), document.date.clone()];
    parts.push(format!("{columns}x{rows}, {} rules, komi {}", document.rules, document.komi));
    if document.handicap > 1 {
        parts.push(format!("{} handicap stones", document.handicap));
    }
    parts.push(format!("{} moves", document.moves.len()));
    if !document.result.is_empty() {
        parts.push(format!("result {}", document.result));
    }
    if let Some(playouts) = document.playouts {
        let network = document.network.as_ref();
        let what = network.map_or("playouts".to_owned(), |name| format!("evaluations by {name}"));
        parts.push(format!("{playouts} {what} a position"));
    }
    parts.push(document.program.clone());
    parts.retain(|part| !part.is_empty());
    parts.join(" · ")
}

/// A stone of a colour and its name, for a table.
fn stone(color: &str) -> Markup {
    html! { span class=(format!("stone {color}")) {} (words::color(color)) }
}

fn players(document: &Document) -> Markup {
    let tallies = document.players.each_ref().map(|player| &player.summary.all);
    let names = document.names();
    type Cell = fn(&Tally) -> String;
    let rows: [(&str, Cell); 9] = [
        ("Accuracy", |all| format!("{:.1}%", all.accuracy)),
        ("Points lost a move", |all| format!("{:.2}", all.mean_loss)),
        ("Best moves", |all| percent(all.best, all.moves)),
        ("Experts' first choice", |all| percent(all.expected[1], all.expected[0])),
        ("Among experts' first five", |all| percent(all.expected[2], all.expected[0])),
        ("Doubtful moves", |all| all.mistakes[0].to_string()),
        ("Bad moves", |all| all.mistakes[1].to_string()),
        ("Blunders", |all| all.mistakes[2].to_string()),
        ("Moves assessed", |all| all.moves.to_string()),
    ];
    html! {
        h2 { "Players" }
        div.wide {
            table.fit {
                tr {
                    th {}
                    @for (player, name) in document.players.iter().zip(&names) {
                        th { (stone(&player.color)) @if *name != words::color(&player.color) { br; (name) } }
                    }
                }
                @for (what, cell) in rows {
                    tr { td.l { (what) } @for tally in tallies { td { (cell(tally)) } } }
                }
            }
        }
    }
}

fn phases(document: &Document) -> Markup {
    let tallies = |at: usize| document.players.each_ref().map(|player| &player.summary.phases[at]);
    html! {
        h2 { "By phase" }
        div.wide {
            table.fit {
                tr {
                    th.l {}
                    @for what in ["Lost", "Accuracy"] {
                        @for player in &document.players {
                            th { span class=(format!("stone {}", player.color)) {} (what) }
                        }
                    }
                }
                @for (at, phase) in Phase::ALL.into_iter().enumerate() {
                    @let both = tallies(at);
                    @if both.iter().any(|tally| tally.moves > 0) {
                        tr {
                            td.l { (words::phase(phase)) }
                            @for tally in both {
                                td { (format!("{:.1} ({:.2})", tally.loss, tally.mean_loss)) }
                            }
                            @for tally in both { td { (format!("{:.1}%", tally.accuracy)) } }
                        }
                    }
                }
            }
        }
        p.soft { "Points lost in all and, in brackets, by a move; the first stone is Black's." }
    }
}

/// A move and what was found about it.
type Lost<'a> = (&'a MoveEntry, &'a Assessment);

fn losses(largest: &[Lost<'_>], shown: &[Lost<'_>]) -> Markup {
    if largest.is_empty() {
        return html! { h2 { "Largest losses" } p { "No move lost anything." } };
    }
    html! {
        h2 { "Largest losses" }
        div.wide {
            table {
                tr {
                    th { "Move" } th.l {} th.l { "Played" } th { "Points" } th { "Chance" } th.l {}
                    th.l { "Better" } th.l { "Phase" } th.l { "Expected" }
                }
                @let told = largest.iter().filter(|(_, assessment)| assessment.loss >= MIN_LOSS);
                @for (entry, assessment) in told.take(LOSSES) {
                    tr class=(assessment.grade.words()) {
                        td {
                            @if shown.iter().any(|(other, _)| other.number == entry.number) {
                                a href=(format!("#move-{}", entry.number)) { (entry.number) }
                            } @else { (entry.number) }
                        }
                        td.l { (stone(&entry.color)) }
                        td.l { (entry.mv) }
                        td { (format!("{:.1}", assessment.loss)) }
                        td { (words::percent(assessment.winrate_loss)) }
                        td.l { (assessment.grade.words()) }
                        td.l { @if let Some(better) = &assessment.better { (better.mv) } }
                        td.l { (words::phase(entry.phase)) }
                        td.l { @if let Some(said) = &entry.expected { (words::expected(said)) } }
                    }
                }
            }
        }
    }
}

fn boards(shown: &[Lost<'_>], game: &ReviewGame) -> Markup {
    let mut shown = shown.to_vec();
    shown.sort_by_key(|(entry, _)| entry.number);
    if shown.is_empty() {
        return Markup::default();
    }
    html! {
        h2 { "What would have been better" }
        p.soft { "The crossed square is the move that was made, the numbers are the better line, the ring is the move before." }
        div.boards {
            @for (entry, assessment) in shown {
                @if let Some(better) = assessment.correction() {
                    @let position = &game.positions[entry.number - 1];
                    @let drawing = board::board(position, entry, &better.line);
                    figure id=(format!("move-{}", entry.number)) {
                        (PreEscaped(drawing.svg))
                        figcaption {
                            b { "Move " (entry.number) ": " (words::color(&entry.color)) " " (played(entry.mv)) }
                            " " (words::loss(assessment)) ". "
                            "Better " (line_words(&better.line))
                            @if !drawing.notes.is_empty() { " (" (drawing.notes.join(", ")) ")" }
                            ": " (words::promise(better)) "; after the move that was made "
                            @if let Some(value) = entry.black {
                                (words::percent(value.winrate)) ", " (words::lead(value.lead)) "."
                            }
                            @if let Some(said) = &entry.expected {
                                " Among the moves that experts play: " (words::expected(said)) "."
                            }
                        }
                    }
                }
            }
        }
    }
}

fn played(mv: Move) -> String {
    match mv {
        Move::Pass => "passes and".to_owned(),
        mv => mv.to_string(),
    }
}

fn all_moves(document: &Document) -> Markup {
    html! {
        details {
            summary { "All moves" }
            div.wide {
                table {
                    tr {
                        th { "Move" } th.l {} th.l { "Played" } th.l { "Lead after it" } th { "Black wins" }
                        th { "Lost" } th.l {} th.l { "Better" } th.l { "Expected" }
                    }
                    @for entry in &document.moves {
                        tr {
                            td { (entry.number) }
                            td.l { (stone(&entry.color)) }
                            td.l { (entry.mv) }
                            @if let Some(value) = entry.black {
                                td.l { (words::lead(value.lead)) }
                                td { (words::percent(value.winrate)) }
                            } @else { td {} td {} }
                            @if let Some(assessment) = &entry.assessment {
                                td { (format!("{:.1}", assessment.loss)) }
                                td.l {
                                    @if assessment.is_tesuji { "tesuji" }
                                    @else if assessment.grade > Grade::Good { (assessment.grade.words()) }
                                    @else if assessment.is_best { "best" }
                                }
                                td.l { @if let Some(better) = assessment.correction() { (better.mv) } }
                            } @else { td {} td {} td {} }
                            td.l { @if let Some(said) = &entry.expected { (words::expected(said)) } }
                        }
                    }
                }
            }
        }
    }
}
