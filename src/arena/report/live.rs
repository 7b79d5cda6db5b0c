//! The line that says how far a match is while it is played.

use std::collections::HashSet;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::super::fault::{FaultKind, FaultPolicy};
use super::super::results::{Line, Results};
use super::super::settings::Settings;
use super::super::stats::Tally;
use super::super::stats::{elo, sprt::Sprt};
use super::text;
use crate::output::note;

/// Where stderr is no terminal, the state is printed this often instead of redrawn.
const PRINT_EVERY: Duration = Duration::from_secs(60);
/// A terminal's line is redrawn no more often than this.
const REDRAW_EVERY: Duration = Duration::from_millis(200);

/// The live line on stderr.
#[derive(Debug)]
pub struct LiveLine {
    bar: ProgressBar,
    start: Instant,
    printed: Instant,
    /// Games that were there when this run began.
    before: usize,
    scheduled: usize,
    terminal: bool,
    /// Players and faults that were told of and only noted: once is enough for those.
    told: HashSet<(Option<String>, FaultKind)>,
}

impl LiveLine {
    /// A line for `scheduled` games, so many at a time, of which `done` are played.
    pub fn new(concurrency: usize, scheduled: usize, done: usize) -> LiveLine {
        let terminal = std::io::stderr().is_terminal();
        let bar = if terminal { ProgressBar::new(scheduled as u64) } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{pos}/{len} {wide_msg}") {
            bar.set_style(style);
        }
        bar.set_position(done as u64);
        if done > 0 {
            note(format_args!("{done} of {scheduled} games are already played"));
        } else {
            note(format_args!("{scheduled} games, {concurrency} at a time"));
        }
        let now = Instant::now();
        LiveLine {
            bar,
            start: now,
            printed: now,
            before: done,
            scheduled,
            terminal,
            told: HashSet::new(),
        }
    }

    /// Tells of faults as they happen.
    pub fn say(&mut self, line: &Line) {
        let faults: Vec<_> = match line {
            Line::Game(game) => {
                game.faults.iter().map(|fault| (game.number.to_string(), fault)).collect()
            }
            Line::Fault(line) => vec![(
                format!("{} of {} and {}", line.game.n + 1, line.game.a, line.game.b),
                &line.fault,
            )],
            Line::Run(_) => Vec::new(),
        };
        for (game, fault) in faults {
            let noted = fault.policy == FaultPolicy::Ignore;
            if noted && !self.told.insert((fault.player.clone(), fault.kind)) {
                continue;
            }
            let who = fault.player.as_deref().unwrap_or("the players");
            let policy = text::policy_words(fault.policy);
            self.bar.suspend(|| {
                note(format_args!(
                    "game {game}: {who}: {}: {} ({policy})",
                    fault.kind, fault.detail
                ));
            });
        }
    }

    /// Brings the line up to date: so many games are played, and that is how it stands.
    pub fn draw(&mut self, done: usize, state: impl FnOnce() -> String) {
        let every = if self.terminal { REDRAW_EVERY } else { PRINT_EVERY };
        if self.printed.elapsed() < every {
            return;
        }
        self.printed = Instant::now();
        let message = format!("{}{}", state(), self.time_left(done));
        if self.terminal {
            self.bar.set_position(done as u64);
            self.bar.set_message(message);
        } else {
            note(format_args!("{done}/{} {message}", self.scheduled));
        }
    }

    fn time_left(&self, done: usize) -> String {
        let here = done.saturating_sub(self.before);
        if here == 0 {
            return String::new();
        }
        let left = self.start.elapsed().as_secs_f64() / here as f64
            * self.scheduled.saturating_sub(done) as f64;
        format!(" | {} left", clock_words(left))
    }

    /// Takes the line away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The score so far in a few words.
pub fn state(settings: &Settings, results: &Results) -> String {
    let [first, second] = settings.players.as_slice() else {
        let mut scores: Vec<(f64, u32, &str)> = settings
            .players
            .iter()
            .map(|player| {
                let tally = text::against_all(&player.name, settings, results);
                (tally.score(), tally.games(), player.name.as_str())
            })
            .collect();
        scores.sort_by(|a, b| b.0.total_cmp(&a.0));
        let words: Vec<String> = scores
            .iter()
            .take(4)
            .map(|(score, _, name)| format!("{name} {:.0}%", 100.0 * score))
            .collect();
        return words.join(", ");
    };
    let tally = Tally::between(&first.name, &second.name, &results.games);
    let (value, low, high) = tally.elo();
    let mut words = format!(
        "{} {}-{}-{} {} {:.1}% Elo {} [{} {}]",
        first.name,
        tally.wins,
        tally.losses,
        tally.draws,
        second.name,
        100.0 * tally.score(),
        elo::show(value),
        elo::show(low),
        elo::show(high),
    );
    if let Some(bounds) = &settings.sprt {
        let test = Sprt::new(bounds, &tally.pairs);
        words.push_str(&format!(" LLR {:.2} [{:.2} {:.2}]", test.llr, test.lower, test.upper));
    }
    words
}

fn clock_words(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
