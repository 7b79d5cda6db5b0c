//! The page of a folder of games: each game with its players, and the players over all games.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::{page, words};
use crate::go::review::document::Document;
use crate::page as any_page;

/// The page. `broken` is what could not be reviewed, in words.
pub fn index(games: &[(String, Document)], broken: &[String]) -> String {
    let body = html! {
        h1 { "Reviewed games" }
        p.state { (words::games(games.len())) " · " a href="moves.csv" { "every move as CSV" } }
        @if !broken.is_empty() {
            h2 { "Not reviewed" }
            ul { @for why in broken { li { (why) } } }
        }
        (list(games))
        (players(games))
    };
    any_page::page("Reviewed games", page::STYLE, &body)
}

fn list(games: &[(String, Document)]) -> Markup {
    html! {
        h2 { "Games" }
        p.soft { "Accuracy, and points lost a move; the first stone is Black's." }
        div.wide {
            table {
                tr {
                    th.l { "Game" } th.l { "Players" } th.l { "Result" } th { "Moves" }
                    th { (stone("black")) "Accuracy" } th { (stone("white")) "Accuracy" }
                    th { (stone("black")) "Lost" } th { (stone("white")) "Lost" } th.l { "Largest loss" }
                }
                @for (name, document) in games {
                    @let all = document.players.each_ref().map(|player| &player.summary.all);
                    tr {
                        td.l { a href=(any_page::link(&format!("{name}.html"))) { (name) } }
                        td.l.names { (page::title(document)) }
                        td.l { (document.result) }
                        td { (document.moves.len()) }
                        @for tally in all { td { (format!("{:.1}%", tally.accuracy)) } }
                        @for tally in all { td { (format!("{:.2}", tally.mean_loss)) } }
                        td.l {
                            @if let Some((entry, assessment)) = document.largest().first() {
                                @let file = any_page::link(&format!("{name}.html"));
                                a href=(format!("{file}#move-{}", entry.number)) {
                                    "move " (entry.number) ", " (words::color(&entry.color)) ", "
                                    (format!("{:.1}", assessment.loss))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A stone, so that a column is whose it is.
fn stone(color: &str) -> Markup {
    html! { span class=(format!("stone {color}")) {} }
}

/// What a player's moves come to over all games.
#[derive(Default)]
struct Total {
    games: usize,
    moves: usize,
    /// Sums over moves.
    accuracy: f64,
    loss: f64,
    mistakes: [usize; 3],
}

fn players(games: &[(String, Document)]) -> Markup {
    let mut totals: BTreeMap<&str, Total> = BTreeMap::new();
    let sides = games.iter().flat_map(|(_, document)| {
        let [black, white] = &document.players;
        // Who plays both sides has played one game.
        [(black, 1), (white, usize::from(black.name != white.name))]
    });
    for (player, games) in sides.filter(|(player, _)| !player.name.is_empty()) {
        let (total, all) = (totals.entry(&player.name).or_default(), &player.summary.all);
        total.games += games;
        total.moves += all.moves;
        total.accuracy += all.accuracy * all.moves as f64;
        total.loss += all.loss;
        total.mistakes.iter_mut().zip(all.mistakes).for_each(|(sum, count)| *sum += count);
    }
    if totals.is_empty() {
        return Markup::default();
    }
    html! {
        h2 { "Players" }
        div.wide {
            table {
                tr {
                    th.l { "Player" } th { "Games" } th { "Moves" } th { "Accuracy" } th { "Lost a move" }
                    th { "Doubtful" } th { "Bad" } th { "Blunders" }
                }
                @for (name, total) in &totals {
                    @let moves = total.moves.max(1) as f64;
                    tr {
                        td.l { (name) }
                        td { (total.games) }
                        td { (total.moves) }
                        td { (format!("{:.1}%", total.accuracy / moves)) }
                        td { (format!("{:.2}", total.loss / moves)) }
                        @for count in total.mistakes { td { (count) } }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::review::document::Made;
    use crate::go::review::game::{Assumed, ReviewGame};
    use crate::go::review::loss;
    use game_record::Games;

    #[test]
    fn who_plays_both_sides_has_played_one_game() {
        let review = |sgf: &str| {
            let text = Games::new(sgf.as_bytes()).next().unwrap().unwrap();
            let game = ReviewGame::read(&text, &Assumed::default()).unwrap();
            let found = [None, None];
            let moves = loss::review(&game.moves, &found, 81, 9);
            let made = Made { key: "", finished: true, file: "", playouts: None, network: None };
            ("a".to_owned(), Document::new(&made, &game, &found, &moves))
        };
        let games = ["(;SZ[9]PB[x]PW[x];B[aa])", "(;SZ[9]PB[y]PW[x];B[aa])"].map(review);
        let page = players(&games).into_string();
        for (name, count) in [("x", 2), ("y", 1)] {
            let row = format!("<td class=\"l\">{name}</td><td>{count}</td>");
            assert!(page.contains(&row), "{page}");
        }
    }
}
