//! Which games are to be played, in which order, with which seeds.

use std::collections::{HashMap, HashSet};

use game_core::{GOLDEN_GAMMA, mix64};
use serde::{Deserialize, Serialize};

/// Names one game of a match: the two players in the order of the settings, and the game's number between them from 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GameId {
    /// The player named first in the settings.
    pub a: String,
    /// The other.
    pub b: String,
    /// Games `2k` and `2k + 1` are a pair: one opening, colours changed.
    pub n: u32,
}

use super::settings::{Format, Settings};

/// A game to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Which game.
    pub id: GameId,
    /// Its number, from 1: its place in the whole schedule, or one behind where another game has that ([`number_apart`]).
    pub number: u32,
    /// Index in the settings of the player that moves first, or has the handicap stones.
    pub first: usize,
    /// Index of the other player.
    pub second: usize,
    /// GTP commands of this game alone, by player in the order of its name ([`GameId::a`] first), sent after those that
    /// the settings have for every game.
    pub commands: [Vec<String>; 2],
}

/// Who meets whom, by index in the settings.
pub(super) fn pairings(settings: &Settings) -> Vec<(usize, usize)> {
    let count = settings.players.len();
    match settings.format {
        Format::RoundRobin => {
            (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))).collect()
        }
        Format::Gauntlet => (1..count).map(|b| (0, b)).collect(),
    }
}

/// The whole schedule in the order of play: each pairing's first pair of games, then each one's second, and so on.
pub fn tasks(settings: &Settings) -> Vec<Task> {
    let pairings = pairings(settings);
    let mut tasks = Vec::new();
    for pair in 0..settings.games.div_ceil(2) {
        for &(a, b) in &pairings {
            for n in [2 * pair, 2 * pair + 1] {
                if n >= settings.games {
                    continue;
                }
                let changed = settings.alternate && n % 2 == 1;
                let (first, second) = if changed { (b, a) } else { (a, b) };
                let id = GameId {
                    a: settings.players[a].name.clone(),
                    b: settings.players[b].name.clone(),
                    n,
                };
                let number = tasks.len() as u32 + 1;
                tasks.push(Task { id, number, first, second, commands: Default::default() });
            }
        }
    }
    tasks
}

/// Gives the games that are still to be played numbers that no other game has, since their records are named by them. Those
/// that were `played`, each with its number, may have been played under another schedule, with fewer players or in
/// another format. However many of them are known, and in which part of a match, the numbers of the others are the same.
pub fn number_apart(tasks: &mut [Task], played: &HashMap<GameId, u32>) {
    let taken: HashSet<u32> = played.values().copied().collect();
    let mut behind = (tasks.len() as u32 + 1..).filter(|number| !taken.contains(number));
    for task in tasks.iter_mut().filter(|task| !played.contains_key(&task.id)) {
        if taken.contains(&task.number)
            && let Some(number) = behind.next()
        {
            task.number = number;
        }
    }
}

impl Task {
    /// The number of the pair of games that this one belongs to; both start from the same opening.
    pub fn pair(&self) -> u32 {
        self.id.n / 2
    }

    /// The commands of the player of this index in the settings.
    pub fn commands_of(&self, player: usize, settings: &Settings) -> &[String] {
        let is_a = settings.players[player].name == self.id.a;
        &self.commands[usize::from(!is_a)]
    }

    /// The game's own seed, below 2^31 as GTP's integers are: it depends on the match's seed and the game alone.
    pub fn seed(&self, settings: &Settings) -> u64 {
        let first = settings.players[self.first].name.as_str();
        let second = settings.players[self.second].name.as_str();
        let mut hash = mix(settings.seed ^ 0x5eed_0000_0000_0000);
        for byte in [first, "\0", second].iter().flat_map(|s| s.bytes()) {
            hash = mix(hash ^ u64::from(byte));
        }
        mix(hash ^ u64::from(self.id.n)) >> 33
    }
}

/// A hash that is the same on every machine and in every version.
pub fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0, |hash, byte| mix(hash ^ u64::from(byte)))
}

/// The output of SplitMix64 that follows a state: a bijection that spreads every bit.
pub fn mix(state: u64) -> u64 {
    mix64(state.wrapping_add(GOLDEN_GAMMA))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::arena::settings::Player;

    fn settings(players: usize, games: u32, format: Format) -> Settings {
        let players = (0..players)
            .map(|i| Player { name: format!("p{i}"), command: "x".into(), ..Player::default() })
            .collect();
        Settings { players, games, format, size: 9, ..Settings::default() }
    }

    #[test]
    fn everybody_meets_everybody_with_both_colors() {
        let settings = settings(4, 6, Format::RoundRobin);
        let tasks = tasks(&settings);
        assert_eq!(tasks.len(), 6 * 6);
        for player in 0..4 {
            assert_eq!(tasks.iter().filter(|t| t.first == player).count(), 9);
            assert_eq!(tasks.iter().filter(|t| t.second == player).count(), 9);
        }
        let ids: HashSet<_> = tasks.iter().map(|t| t.id.clone()).collect();
        assert_eq!(ids.len(), tasks.len());
        let seeds: HashSet<_> = tasks.iter().map(|t| t.seed(&settings)).collect();
        assert_eq!(seeds.len(), tasks.len());
    }

    #[test]
    fn games_of_an_earlier_schedule_keep_their_numbers_to_themselves() {
        let mut played: HashMap<GameId, u32> = tasks(&settings(2, 4, Format::RoundRobin))
            .into_iter()
            .map(|task| (task.id, task.number))
            .collect();
        let numbered = |played: &HashMap<GameId, u32>| {
            let mut tasks = tasks(&settings(3, 4, Format::RoundRobin));
            number_apart(&mut tasks, played);
            tasks.retain(|task| !played.contains_key(&task.id));
            tasks.into_iter().map(|task| (task.id, task.number)).collect::<Vec<_>>()
        };
        let left = numbered(&played);
        let numbers: HashSet<u32> = left.iter().map(|(_, number)| *number).collect();
        assert_eq!((numbers.len(), left.len()), (8, 8));
        assert!(played.values().all(|number| !numbers.contains(number)), "{left:?}");
        // What is played of them, in any order, changes nothing for the others.
        for at in [1, 0, 5] {
            played.insert(left[at].0.clone(), left[at].1);
        }
        let others: Vec<_> = left.iter().filter(|game| !played.contains_key(&game.0)).collect();
        assert_eq!(numbered(&played).iter().collect::<Vec<_>>(), others);
    }

    #[test]
    fn a_gauntlet_is_run_by_the_first() {
        let tasks = tasks(&settings(4, 3, Format::Gauntlet));
        assert_eq!(tasks.len(), 9);
        assert!(tasks.iter().all(|t| t.first == 0 || t.second == 0));
    }
}
