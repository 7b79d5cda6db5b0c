//! Results of one player against another, by games and by pairs of games.

use std::collections::BTreeMap;

use super::super::results::GameLine;
use super::{Z95, elo, wilson};

/// The count of results between two players, from the side of one of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Games without a result.
    pub void: u32,
    /// Complete pairs by their score: 0, a half, 1, one and a half, 2.
    pub pairs: [u32; 5],
}

impl Tally {
    /// Counts the games between `player` and `opponent`.
    pub fn between<'a>(
        player: &str,
        opponent: &str,
        games: impl IntoIterator<Item = &'a GameLine>,
    ) -> Tally {
        let mut tally = Tally::default();
        let mut half_pairs: BTreeMap<u32, f64> = BTreeMap::new();
        for game in games {
            let of_a = game.score_of_a();
            let score = match (game.game.a.as_str(), game.game.b.as_str()) {
                (a, b) if a == player && b == opponent => of_a,
                (a, b) if a == opponent && b == player => of_a.map(|score| 1.0 - score),
                _ => continue,
            };
            let Some(score) = score else {
                tally.void += 1;
                continue;
            };
            match score {
                1.0 => tally.wins += 1,
                0.0 => tally.losses += 1,
                _ => tally.draws += 1,
            }
            let pair = game.game.n / 2;
            match half_pairs.remove(&pair) {
                Some(other) => tally.pairs[(2.0 * (score + other)) as usize] += 1,
                None => drop(half_pairs.insert(pair, score)),
            }
        }
        tally
    }

    /// Adds another player's games to these.
    pub fn add(&mut self, other: &Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.void += other.void;
        for (mine, theirs) in self.pairs.iter_mut().zip(other.pairs) {
            *mine += theirs;
        }
    }

    /// Games with a result.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Points made, a draw being half of one.
    pub fn points(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// The mean score of a game; a half when none was played.
    pub fn score(&self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.points() / f64::from(self.games()) }
    }

    /// Wilson's interval for the score.
    pub fn wilson(&self) -> (f64, f64) {
        wilson(self.score(), f64::from(self.games()))
    }

    /// Elo from the score, with its 95% interval.
    ///
    /// The interval comes from the variance between pairs of games, so that what an opening or a colour gives to
    /// whoever has it is not taken for noise; with fewer than ten pairs, or pairs that are all alike, from Wilson's.
    pub fn elo(&self) -> (f64, f64, f64) {
        let score = self.score();
        let pairs: u32 = self.pairs.iter().sum();
        let n = f64::from(pairs);
        let moment = |power: i32, centre: f64| -> f64 {
            let sum: f64 = self
                .pairs
                .iter()
                .enumerate()
                .map(|(i, &count)| f64::from(count) * (i as f64 / 4.0 - centre).powi(power))
                .sum();
            sum / n
        };
        let (low, high) = if pairs >= 10
            && 2 * pairs + 1 >= self.games()
            && self.pairs.iter().filter(|&&c| c > 0).count() > 1
        {
            let variance = moment(2, moment(1, 0.0)) / (n - 1.0);
            let half = Z95 * variance.sqrt();
            ((score - half).max(0.0), (score + half).min(1.0))
        } else {
            self.wilson()
        };
        (elo::from_score(score), elo::from_score(low), elo::from_score(high))
    }
}
