//! What follows from a game that was played, wholly or in part: its result, its record, its line.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::arbiter::{Color, GameResult, Spelling, spell_steps};
use super::connection::UnexpectedOutput;
use super::fault::{FaultKind, FaultPolicy};
use super::game::{EndReason, PlayedGame, Termination};
use super::results::{FaultLine, FaultNote, GameLine, Line, now, write_whole};
use super::schedule::{Task, fingerprint};
use super::settings::Settings;
use super::sgf;
use super::turn::Turn;

/// A game about to be played, and what is to be known of it besides its moves.
pub struct GameAttempt<'a> {
    /// The match's settings.
    pub settings: &'a Settings,
    /// The match's folder.
    pub folder: &'a Path,
    /// Which game.
    pub task: &'a Task,
    /// The players' numbers, Black's first.
    pub players: [usize; 2],
    /// How often it was broken off before.
    pub attempts: u32,
    /// Its seed.
    pub seed: u64,
    /// When it began, in UTC.
    pub started: String,
    /// What the programs call themselves, with their versions, Black's first.
    pub programs: [String; 2],
    /// What they sent that they should not have, Black's first.
    pub unexpected: [UnexpectedOutput; 2],
    /// Time spent waiting on them and the referee.
    pub waiting: Duration,
}

impl GameAttempt<'_> {
    fn name(&self, color: Color) -> String {
        self.settings.players[self.players[color.index()]].name.clone()
    }

    /// The file that its traffic goes to, where that is kept.
    pub fn gtp_log(&self) -> PathBuf {
        self.folder.join(format!("gtp/{:06}.log", self.task.number))
    }

    /// The names of the files of this attempt, if it is broken off.
    fn broken_off(&self) -> String {
        format!("{:06}-broken-off-{}", self.task.number, self.attempts + 1)
    }
}

/// Writes the record of a game and makes its line. `policy` is what follows from the fault that ended it, if one did.
pub fn conclude(attempt: &GameAttempt, played: &PlayedGame, policy: Option<FaultPolicy>) -> Line {
    let mut faults = notes(attempt, played);
    let (winner, margin, reason) = match &played.end {
        Termination::Result(ended, reason) => (ended.winner, ended.margin, *reason),
        Termination::Fault(Some(color), _) if policy == Some(FaultPolicy::Forfeit) => {
            (Some(color.other()), None, EndReason::Forfeit)
        }
        Termination::Fault(..) => (None, None, EndReason::Void),
    };
    let result = sgf::result_word(winner, margin, reason);
    let fault = match &played.end {
        Termination::Fault(blamed, fault) => Some(FaultNote {
            player: blamed.map(|color| attempt.name(color)),
            kind: fault.kind,
            detail: fault.detail.clone(),
            policy: policy.unwrap_or(FaultPolicy::Void),
        }),
        Termination::Result(..) => None,
    };
    faults.extend(fault.clone());
    if let (Some(FaultPolicy::Replay), Some(fault)) = (policy, fault) {
        let stem = attempt.broken_off();
        if attempt.settings.gtp_log {
            // The next attempt has the log's name again; without this one nothing but its traffic is lost.
            let _ =
                std::fs::rename(attempt.gtp_log(), attempt.folder.join(format!("gtp/{stem}.log")));
        }
        let sgf = write_record(attempt, played, &format!("games/{stem}.sgf"), &result, &faults);
        return Line::Fault(FaultLine { game: attempt.task.id.clone(), at: now(), fault, sgf });
    }
    let file = format!("games/{:06}.sgf", attempt.task.number);
    let sgf = write_record(attempt, played, &file, &result, &faults);
    let spelled = |turn: &Turn| spell_steps(&turn.steps, Spelling::Turns);
    let opening = played.turns.iter().filter(|turn| turn.time.is_none());
    let opening: Vec<String> = opening.map(spelled).collect();
    let moves: Vec<String> = played.turns.iter().map(spelled).collect();
    Line::Game(Box::new(GameLine {
        game: attempt.task.id.clone(),
        number: attempt.task.number,
        black: attempt.name(Color::Black),
        white: attempt.name(Color::White),
        first: attempt.settings.players[attempt.task.first].name.clone(),
        winner: winner.map(|color| attempt.name(color)),
        result,
        reason,
        turns: played.turns.len() as u32,
        moves: format!("{:016x}", fingerprint(&moves.join(" "))),
        opening: opening.join(", "),
        seed: attempt.seed,
        started: attempt.started.clone(),
        seconds: rounded(played.elapsed.as_secs_f64()),
        black_seconds: rounded(played.thinking[0].as_secs_f64()),
        white_seconds: rounded(played.thinking[1].as_secs_f64()),
        runner_ms: rounded(1e3 * played.elapsed.saturating_sub(attempt.waiting).as_secs_f64()),
        black_says: played.claims[0].clone(),
        white_says: played.claims[1].clone(),
        faults,
        sgf,
    }))
}

/// To a millionth: these figures mean nothing beyond it.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// Faults that did not end the game: unexpected output, and a result that a player sees otherwise.
fn notes(attempt: &GameAttempt, played: &PlayedGame) -> Vec<FaultNote> {
    let mut notes = Vec::new();
    for color in [Color::Black, Color::White] {
        let mut note = |kind, detail| {
            notes.push(FaultNote {
                player: Some(attempt.name(color)),
                kind,
                detail,
                policy: FaultPolicy::Ignore,
            });
        };
        let unexpected = &attempt.unexpected[color.index()];
        if unexpected.lines > 0 {
            let detail = format!(
                "{} lines outside of answers, the first: {}",
                unexpected.lines, unexpected.first
            );
            note(FaultKind::UnexpectedOutput, detail);
        }
        let claim = &played.claims[color.index()];
        if let (Termination::Result(ended, _), Some(claimed)) =
            (&played.end, GameResult::parse(claim))
            && claimed.winner != ended.winner
        {
            note(FaultKind::Disagreement, format!("it says {claim} where the result is {ended}"));
        }
    }
    notes
}

/// Writes the record, and returns where; nothing when it cannot be written, which must not cost the game its result.
fn write_record(
    attempt: &GameAttempt,
    played: &PlayedGame,
    file: &str,
    result: &str,
    faults: &[FaultNote],
) -> String {
    let mut remarks = vec![format!("Seed: {}", attempt.seed)];
    for (color, claim) in ["Black", "White"].iter().zip(&played.claims) {
        if !claim.is_empty() {
            remarks.push(format!("{color} says: {claim}"));
        }
    }
    for fault in faults {
        let who = fault.player.as_deref().unwrap_or("nobody");
        remarks.push(format!("Fault of {who}: {} ({})", fault.kind, fault.detail));
    }
    let heading = sgf::Heading {
        settings: attempt.settings,
        names: [&attempt.name(Color::Black), &attempt.name(Color::White)],
        programs: attempt.programs.clone(),
        result,
        started: &attempt.started,
        title: format!("{} {}", attempt.settings.title, attempt.task.number).trim().to_string(),
        remarks,
    };
    match write_whole(
        &attempt.folder.join(file),
        &sgf::write(&heading, &played.handicap, &played.turns),
    ) {
        Ok(()) => file.to_string(),
        Err(e) => {
            tracing::error!("{e:#}");
            String::new()
        }
    }
}
