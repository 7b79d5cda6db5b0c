//! Games that repeat an earlier one. Two programs that leave nothing to chance play the same game again, which says
//! nothing new, while every interval and test takes games for independent.

use std::collections::{BTreeMap, HashMap};

use super::super::game::EndReason;
use super::super::results::GameLine;

/// The number of each game that repeats an earlier one, with that one's number: the same players with the same colours
/// made the same moves, those of the opening included. Games without a result, and those of which the moves' fingerprint
/// was not kept, repeat nothing.
pub fn repeats(games: &[GameLine]) -> BTreeMap<u32, u32> {
    let mut games: Vec<&GameLine> = games
        .iter()
        .filter(|game| game.reason != EndReason::Void && !game.moves.is_empty())
        .collect();
    games.sort_by_key(|game| game.number);
    let mut first: HashMap<(&str, &str, &str), u32> = HashMap::new();
    let mut repeats = BTreeMap::new();
    for game in games {
        let earlier = *first.entry((&game.black, &game.white, &game.moves)).or_insert(game.number);
        if earlier != game.number {
            repeats.insert(game.number, earlier);
        }
    }
    repeats
}
