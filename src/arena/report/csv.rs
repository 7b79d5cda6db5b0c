//! The games as a table for spreadsheets.

use super::super::results::Results;
use super::super::stats::repeats::repeats;
use crate::csv;

/// What the games came to and nothing that depends on when and where they were played, in the order of the schedule: the same
/// however the match was shared out, where the players repeat their games.
pub fn outcomes(results: &Results) -> String {
    let mut table = csv::row(&[
        "number", "black", "white", "winner", "result", "how", "turns", "moves", "seed", "opening",
    ]);
    let mut games: Vec<_> = results.games.iter().collect();
    games.sort_by_key(|game| game.number);
    for game in games {
        table += &csv::row(&[
            game.number.to_string().as_str(),
            &game.black,
            &game.white,
            game.winner.as_deref().unwrap_or_default(),
            &game.result,
            game.reason.words(),
            &game.turns.to_string(),
            &game.moves,
            &game.seed.to_string(),
            &game.opening,
        ]);
    }
    table
}

/// One row a game, in the order they ended.
pub fn games(results: &Results) -> String {
    let mut table = String::from(
        "number,player_a,player_b,game,black,white,winner,result,how,turns,seconds,black_seconds,white_seconds,\
         runner_ms,seed,started,opening,black_says,white_says,faults,sgf,repeats\n",
    );
    let repeats = repeats(&results.games);
    for game in &results.games {
        let faults: Vec<String> = game
            .faults
            .iter()
            .map(|fault| {
                format!(
                    "{} {}: {}",
                    fault.player.as_deref().unwrap_or("-"),
                    fault.kind,
                    fault.detail
                )
            })
            .collect();
        let row = [
            game.number.to_string(),
            game.game.a.clone(),
            game.game.b.clone(),
            game.game.n.to_string(),
            game.black.clone(),
            game.white.clone(),
            game.winner.clone().unwrap_or_default(),
            game.result.clone(),
            game.reason.words().to_string(),
            game.turns.to_string(),
            game.seconds.to_string(),
            game.black_seconds.to_string(),
            game.white_seconds.to_string(),
            game.runner_ms.to_string(),
            game.seed.to_string(),
            game.started.clone(),
            game.opening.clone(),
            game.black_says.clone(),
            game.white_says.clone(),
            faults.join("; "),
            game.sgf.clone(),
            repeats.get(&game.number).map(u32::to_string).unwrap_or_default(),
        ];
        table += &csv::row(&row);
    }
    table
}
