//! The tables as text.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::super::arbiter::Game;
use super::super::fault::FaultPolicy;
use super::super::results::Results;
use super::super::settings::{Scoring, Settings, SprtBounds};
use super::super::stats::ratings::{Ratings, Record, ratings};
use super::super::stats::repeats::repeats;
use super::super::stats::sprt::{Decision, Sprt};
use super::super::stats::{Tally, elo};

/// What follows from a fault, in words.
pub fn policy_words(policy: FaultPolicy) -> &'static str {
    match policy {
        FaultPolicy::Forfeit => "game forfeited",
        FaultPolicy::Replay => "to be played again",
        FaultPolicy::Void => "no result",
        FaultPolicy::Ignore => "noted",
    }
}

/// A player's games against everybody.
pub fn against_all(player: &str, settings: &Settings, results: &Results) -> Tally {
    let mut all = Tally::default();
    for opponent in settings.players.iter().filter(|other| other.name != player) {
        all.add(&Tally::between(player, &opponent.name, &results.games));
    }
    all
}

/// The ratings of the players in the order of the settings.
pub fn rate(settings: &Settings, results: &Results) -> Ratings {
    let index: BTreeMap<&str, usize> =
        settings.players.iter().enumerate().map(|(i, player)| (player.name.as_str(), i)).collect();
    let mut sums: BTreeMap<(usize, usize), (f64, f64)> = BTreeMap::new();
    for game in &results.games {
        let (Some(score), Some(&a), Some(&b)) =
            (game.score_of_a(), index.get(game.game.a.as_str()), index.get(game.game.b.as_str()))
        else {
            continue;
        };
        let (first, second, points) =
            if game.a_moved_first() { (a, b, score) } else { (b, a, 1.0 - score) };
        let sum = sums.entry((first, second)).or_default();
        sum.0 += points;
        sum.1 += 1.0;
    }
    let records: Vec<Record> = sums
        .into_iter()
        .map(|((first, second), (points, games))| Record { first, second, points, games })
        .collect();
    ratings(settings.players.len(), &records)
}

/// The players' numbers from the strongest to the weakest, those without a rating last.
pub fn order(ratings: &Ratings) -> Vec<usize> {
    let mut order: Vec<usize> = (0..ratings.elo.len()).collect();
    let is_rated = |player: usize| ratings.error[player].is_finite();
    order.sort_by(|&a, &b| {
        is_rated(b).cmp(&is_rated(a)).then(ratings.elo[b].total_cmp(&ratings.elo[a]))
    });
    order
}

/// What the test says, in a sentence.
pub fn sprt_words(settings: &Settings, results: &Results) -> Option<String> {
    let bounds = settings.sprt.as_ref()?;
    let [first, second] = settings.players.as_slice() else { return None };
    let tally = Tally::between(&first.name, &second.name, &results.games);
    Some(test_words(bounds, &first.name, &tally))
}

/// What a test with these bounds says of the first player's games.
pub fn test_words(bounds: &SprtBounds, first: &str, tally: &Tally) -> String {
    let test = Sprt::new(bounds, &tally.pairs);
    let state = match test.decision() {
        Some(Decision::Elo1) => format!("accepted: {first} leads by {} Elo or more", bounds.elo1),
        Some(Decision::Elo0) => format!("rejected: {first} leads by {} Elo or less", bounds.elo0),
        None => "not decided".to_string(),
    };
    format!(
        "SPRT of {} against {} Elo, alpha {}, beta {}: log-likelihood ratio {:.2} between {:.2} and {:.2}: {state}",
        bounds.elo0, bounds.elo1, bounds.alpha, bounds.beta, test.llr, test.lower, test.upper
    )
}

/// Everything a person wants to know of a match, for the terminal.
pub fn summary(settings: &Settings, results: &Results) -> String {
    let mut text = String::new();
    if let [first, second] = settings.players.as_slice() {
        text.push_str(&two_players(&first.name, &second.name, results));
    } else {
        text.push_str(&standings(settings, results));
    }
    for line in rating_notes(settings, &rate(settings, results)) {
        let _ = writeln!(text, "{line}");
    }
    if let Some(words) = sprt_words(settings, results) {
        let _ = writeln!(text, "{words}");
    }
    if let Some(words) = repeat_words(results) {
        let _ = writeln!(text, "{words}");
    }
    text.push_str(&how_games_ended(results));
    text
}

/// What has to be said of games that repeat an earlier one.
pub fn repeat_words(results: &Results) -> Option<String> {
    let repeats = repeats(&results.games);
    let (game, earlier) = repeats.first_key_value()?;
    let example = format!("game {game} repeats game {earlier}");
    Some(match repeats.len() {
        1 => format!("{example} move by move; intervals count both"),
        count => format!(
            "{count} games repeat an earlier one move by move ({example}); intervals count all"
        ),
    })
}

fn two_players(first: &str, second: &str, results: &Results) -> String {
    let tally = Tally::between(first, second, &results.games);
    let mut text = String::new();
    let (low, high) = tally.wilson();
    let (value, elo_low, elo_high) = tally.elo();
    let _ = writeln!(
        text,
        "{first} against {second}: {} won, {} lost, {} drawn of {}",
        tally.wins,
        tally.losses,
        tally.draws,
        tally.games()
    );
    if tally.void > 0 {
        let _ = writeln!(text, "{} games without a result are not counted", tally.void);
    }
    let _ = writeln!(
        text,
        "score {:.1}%, 95% interval {:.1}% to {:.1}% (Wilson)",
        100.0 * tally.score(),
        100.0 * low,
        100.0 * high
    );
    let _ = writeln!(
        text,
        "Elo {}, 95% interval {} to {}",
        elo::show(value),
        elo::show(elo_low),
        elo::show(elo_high)
    );
    let _ = writeln!(text, "pairs of games by score 0, 1/2, 1, 3/2, 2: {:?}", tally.pairs);
    let with = |word, of: &dyn Fn(&&super::super::results::GameLine) -> bool| {
        let mut part = Tally::default();
        part.add(&Tally::between(first, second, results.games.iter().filter(|game| of(game))));
        format!("{first} {word}: {} of {}", part.points(), part.games())
    };
    let _ = writeln!(
        text,
        "{}; {}",
        with("as Black", &|game| game.black == first),
        with("as White", &|game| game.white == first)
    );
    text
}

/// The table of a tournament: ratings and the score of each against each.
fn standings(settings: &Settings, results: &Results) -> String {
    let rated = rate(settings, results);
    let order = order(&rated);
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut head: Vec<String> =
        ["", "player", "Elo", "+-", "games", "score"].map(String::from).to_vec();
    head.extend((1..=order.len()).map(|place| place.to_string()));
    rows.push(head);
    for (place, &player) in order.iter().enumerate() {
        let name = &settings.players[player].name;
        let tally = against_all(name, settings, results);
        let mut row = vec![
            (place + 1).to_string(),
            name.clone(),
            elo::show(rated.elo[player]),
            error_words(rated.error[player]),
            tally.games().to_string(),
            format!("{:.1}%", 100.0 * tally.score()),
        ];
        row.extend(order.iter().map(|&other| {
            match Tally::between(name, &settings.players[other].name, &results.games) {
                _ if other == player => "-".to_string(),
                tally if tally.games() == 0 => String::new(),
                tally => format!("{}/{}", tally.points(), tally.games()),
            }
        }));
        rows.push(row);
    }
    columns(&rows)
}

/// Half the width of an interval, where there is one.
pub fn error_words(error: f64) -> String {
    if error.is_finite() { format!("{error:.0}") } else { "?".to_string() }
}

/// What has to be said besides the ratings.
pub fn rating_notes(settings: &Settings, rated: &Ratings) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some((advantage, error)) = rated.advantage {
        // Whoever has stones on the board lets the other move first.
        let what = match settings.handicap {
            0 => "moving first is".to_string(),
            stones => format!("Black's {stones} stones are"),
        };
        notes.push(format!("{what} worth {} +- {error:.0} Elo", elo::show(advantage)));
    }
    if rated.with_prior {
        let why = "without it somebody would have no finite rating";
        notes.push(format!("one drawn game was added for each two players that met: {why}"));
    }
    notes
}

/// Komi, rules and handicap in words.
pub fn rules_words(settings: &Settings) -> String {
    if settings.game != Game::GO {
        return String::new();
    }
    let handicap = match settings.handicap {
        0 => String::new(),
        stones => format!(", handicap {stones}"),
    };
    format!(", komi {}, {} rules{handicap}", settings.komi, settings.rules)
}

/// Who counts finished games.
pub fn scoring_words(settings: &Settings) -> String {
    if settings.game != Game::GO {
        return "the rules".to_string();
    }
    match settings.scoring() {
        Scoring::Referee => {
            let command = settings.referee.as_ref().map_or("", |referee| &referee.command);
            format!("the referee, {command}")
        }
        Scoring::Players => "the players, where they agree on the winner".to_string(),
        Scoring::Auto | Scoring::Runner => "the runner, every stone on the board alive".to_string(),
    }
}

/// What games start from.
pub fn opening_words(settings: &Settings) -> String {
    let openings = &settings.openings;
    if openings.random > 0 {
        return format!("{} turns drawn at random, with both colours", openings.random);
    }
    if openings.sgf.is_empty() {
        return "none".to_string();
    }
    let files: Vec<String> = openings.sgf.iter().map(|file| file.display().to_string()).collect();
    let turns =
        if openings.turns > 0 { format!("{} turns of ", openings.turns) } else { String::new() };
    format!("{turns}{}", files.join(", "))
}

/// Rows with their columns lined up, the second one to the left and all others to the right.
fn columns(rows: &[Vec<String>]) -> String {
    let width =
        |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows.first().map_or(0, Vec::len)).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(
                |(i, (cell, &width))| {
                    if i == 1 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
                },
            )
            .collect();
        let _ = writeln!(text, "{}", cells.join("  ").trim_end());
    }
    text
}

/// How many games ended in which way, and how many faults there were.
pub fn how_games_ended(results: &Results) -> String {
    let mut ways: BTreeMap<&str, u32> = BTreeMap::new();
    let mut faults: BTreeMap<(String, &str), u32> = BTreeMap::new();
    for game in &results.games {
        *ways.entry(game.reason.words()).or_default() += 1;
    }
    for fault in results
        .games
        .iter()
        .flat_map(|game| &game.faults)
        .chain(results.faults.iter().map(|line| &line.fault))
    {
        let who = fault.player.clone().unwrap_or_else(|| "the players".to_string());
        *faults.entry((who, fault.kind.name())).or_default() += 1;
    }
    let list = |pairs: Vec<String>| pairs.join(", ");
    let mut text = String::new();
    if !ways.is_empty() {
        let _ = writeln!(
            text,
            "games ended: {}",
            list(ways.iter().map(|(way, count)| format!("{way} {count}")).collect())
        );
    }
    if !faults.is_empty() {
        let _ = writeln!(
            text,
            "faults: {}",
            list(
                faults.iter().map(|((who, kind), count)| format!("{who} {kind} {count}")).collect()
            )
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_handicap_white_moves_first() {
        let advantage = Some((120.4, 30.0));
        let rated = Ratings { elo: vec![], error: vec![], advantage, with_prior: false };
        let note = |handicap| {
            rating_notes(&Settings { handicap, ..Settings::default() }, &rated).remove(0)
        };
        assert_eq!(note(0), "moving first is worth +120 +- 30 Elo");
        assert_eq!(note(4), "Black's 4 stones are worth +120 +- 30 Elo");
    }
}
