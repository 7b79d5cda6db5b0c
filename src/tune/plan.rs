//! Games for the match runner, as a method asks for them.

use std::collections::HashMap;
use std::path::Path;

use anyhow::Result;
use game_core::mix64;

use super::report;
use super::settings::TuneSettings;
use super::{Method, PairScore};
use crate::arena::report::live::LiveLine;
use crate::arena::results::{GameLine, Line, Results};
use crate::arena::runner::{Finish, Plan};
use crate::arena::schedule::{GameId, Task, mix};
use crate::arena::settings::Settings;

/// A tuning while it is played. All that it knows follows from the results in the order of the pairs, so a run that was
/// stopped comes to the same values.
pub struct TunePlan<'a> {
    settings: &'a TuneSettings,
    games: &'a Settings,
    path: &'a Path,
    method: Box<dyn Method>,
    /// Finished games by their number; none without a result.
    scores: HashMap<u32, Option<f64>>,
    /// How many of the results are in there.
    read: usize,
    proposed: u32,
    taken: u32,
    /// The best coordinates after each pair that was taken in.
    course: Vec<Vec<f64>>,
    live: LiveLine,
}

impl<'a> TunePlan<'a> {
    /// A tuning by these games, of which so many are played.
    pub fn new(
        settings: &'a TuneSettings,
        games: &'a Settings,
        path: &'a Path,
        played: usize,
    ) -> TunePlan<'a> {
        TunePlan {
            settings,
            games,
            path,
            method: settings.method(),
            scores: HashMap::new(),
            read: 0,
            proposed: 0,
            taken: 0,
            course: Vec::new(),
            live: LiveLine::new(games.concurrency, games.games as usize, played),
        }
    }

    /// The best coordinates after each pair.
    pub fn course(&self) -> &[Vec<f64>] {
        &self.course
    }

    /// Takes the live line away.
    pub fn end(&self) {
        self.live.finish();
    }

    /// The score of a pair; nothing while it is played.
    fn pair_score(&self, pair: u32) -> Option<PairScore> {
        let games = [self.scores.get(&(2 * pair))?, self.scores.get(&(2 * pair + 1))?];
        let with_result = games.into_iter().flatten();
        Some(with_result.clone().next().map(|_| with_result.map(|score| 2.0 * score - 1.0).sum()))
    }

    /// Takes in the next pair's score. False while it is played.
    fn take(&mut self) -> bool {
        let Some(score) = self.pair_score(self.taken) else { return false };
        self.method.take(score);
        self.taken += 1;
        self.course.push(self.method.best());
        true
    }

    /// The games of the next pair that are not played yet.
    fn propose(&mut self) -> Vec<Task> {
        let pair = self.proposed;
        self.proposed += 1;
        let sides = self.method.propose();
        // Both sides round alike, or one would be ahead by the rounding alone.
        let draw = |at: usize| {
            let seed = mix(self.games.seed ^ mix64(u64::from(pair))) ^ at as u64;
            (mix(seed) >> 11) as f64 / (1u64 << 53) as f64
        };
        let commands = sides.each_ref().map(|side| self.settings.commands(side, draw));
        let [a, b] = self.settings.sides().map(str::to_owned);
        let numbers = [2 * pair, 2 * pair + 1].into_iter();
        let left = numbers.filter(|n| !self.scores.contains_key(n));
        left.map(|n| Task {
            id: GameId { a: a.clone(), b: b.clone(), n },
            number: n + 1,
            first: (n % 2) as usize,
            second: ((n + 1) % 2) as usize,
            commands: commands.clone(),
        })
        .collect()
    }
}

impl Plan for TunePlan<'_> {
    fn next(&mut self, results: &Results) -> Vec<Task> {
        let new = &results.games[self.read..];
        self.scores.extend(new.iter().map(|game| (game.game.n, GameLine::score_of_a(game))));
        self.read = results.games.len();
        let mut tasks = Vec::new();
        // A score is taken in when its turn comes and not when the game is over: the order must not depend on how long
        // games last.
        while self.proposed < self.settings.pairs {
            if self.proposed - self.taken == self.settings.ahead && !self.take() {
                return tasks;
            }
            tasks.extend(self.propose());
        }
        while self.taken < self.proposed && self.take() {}
        tasks
    }

    fn is_exhausted(&self) -> bool {
        self.proposed == self.settings.pairs
    }

    fn finish(&self, _: &Results) -> Option<Finish> {
        None
    }

    fn say(&mut self, line: &Line) {
        self.live.say(line);
    }

    fn draw(&mut self, results: &Results) {
        let (settings, best) = (self.settings, self.method.best());
        self.live.draw(results.games.len(), || report::values_words(settings, &best));
    }

    fn report(&self, results: &Results) -> Result<()> {
        report::write_all(self.settings, self.games, &self.course, results, self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::game::EndReason;

    const FILE: &str = "pairs = 6\nahead = 2\n[match]\nsize = 9\n[engine]\ncommand = \"x\"\n[[parameter]]\nname = \"a\"\n\
                        start = 10\nmin = 0\nmax = 99\nstep = 5\nkind = \"integer\"\n";

    fn game(n: u32, winner: Option<&str>) -> GameLine {
        GameLine {
            game: GameId { a: "plus".into(), b: "minus".into(), n },
            number: n + 1,
            black: "plus".into(),
            white: "minus".into(),
            first: "plus".into(),
            winner: winner.map(str::to_owned),
            result: String::new(),
            reason: if winner.is_some() { EndReason::Resign } else { EndReason::Void },
            turns: 1,
            moves: String::new(),
            opening: String::new(),
            seed: 1,
            started: String::new(),
            seconds: 1.0,
            black_seconds: 0.5,
            white_seconds: 0.5,
            runner_ms: 0.0,
            black_says: String::new(),
            white_says: String::new(),
            faults: Vec::new(),
            sgf: String::new(),
        }
    }

    /// A game's number, and the commands of its players.
    type Commands = (u32, [Vec<String>; 2]);

    /// Plays all, the games that wait in an order of one's own; what came of it, and the commands of each game.
    fn played(pick: impl Fn(usize) -> usize) -> (Vec<Vec<f64>>, Vec<Commands>) {
        let settings = TuneSettings::parse(FILE, Path::new("a.toml")).unwrap();
        let games = settings.tuning_games(0).unwrap();
        let mut plan = TunePlan::new(&settings, &games, Path::new(""), 0);
        let (mut results, mut waiting) = (Results::default(), plan.next(&Results::default()));
        let mut all = Vec::new();
        assert_eq!(waiting.len(), 4, "two pairs ahead");
        while !waiting.is_empty() {
            let task = waiting.remove(pick(waiting.len()));
            let winner = [Some("plus"), Some("minus"), None][task.id.n as usize % 5 % 3];
            results.games.push(game(task.id.n, winner));
            all.push((task.id.n, task.commands));
            waiting.extend(plan.next(&results));
        }
        assert!(plan.is_exhausted());
        all.sort();
        (plan.course().to_vec(), all)
    }

    #[test]
    fn the_order_in_which_games_end_changes_nothing() {
        let (course, commands) = played(|_| 0);
        assert_eq!((course.len(), commands.len()), (6, 12));
        assert_eq!(played(|waiting| waiting - 1), (course.clone(), commands.clone()));
        assert_ne!(course[0], course[5]);
        for (_, [plus, minus]) in &commands {
            let value =
                |side: &[String]| side[0].rsplit(' ').next().unwrap().parse::<i32>().unwrap();
            assert!((value(plus) - value(minus)).abs() >= 10, "{plus:?} {minus:?}");
        }
    }

    #[test]
    fn what_was_stopped_goes_on_with_the_same_values() {
        let settings = TuneSettings::parse(FILE, Path::new("a.toml")).unwrap();
        let games = settings.tuning_games(0).unwrap();
        let (course, _) = played(|_| 0);
        let winner = |n: u32| [Some("plus"), Some("minus"), None][n as usize % 5 % 3];
        let games_of = |numbers: &[u32]| Results {
            games: numbers.iter().map(|&n| game(n, winner(n))).collect(),
            ..Results::default()
        };
        let mut plan = TunePlan::new(&settings, &games, Path::new(""), 0);
        // The third of the first two pairs' games is missing.
        let left = plan.next(&games_of(&[0, 1, 3]));
        assert_eq!(left.iter().map(|task| task.id.n).collect::<Vec<_>>(), [2, 4, 5]);
        assert_eq!(plan.course(), &course[..1]);
        let mut plan = TunePlan::new(&settings, &games, Path::new(""), 0);
        assert!(plan.next(&games_of(&(0..12).collect::<Vec<_>>())).is_empty());
        assert_eq!((plan.course(), plan.is_exhausted()), (&course[..], true));
    }
}
