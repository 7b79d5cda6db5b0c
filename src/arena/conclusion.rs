//! What follows from a game that was played, wholly or in part: its result, its record, its line.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::connection::Stray;
use super::fault::{FaultKind, Remedy};
use super::game::{End, How, Played, Turn};
use super::judge::{Color, Spelling, Verdict, spell_steps};
use super::results::{FaultLine, FaultNote, GameLine, Line, now, write_whole};
use super::schedule::{Task, fingerprint};
use super::settings::Settings;
use super::sgf;

/// A game about to be played, and what is to be known of it besides its moves.
pub struct Sitting<'a> {
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
    pub stray: [Stray; 2],
    /// Time spent waiting on them and the referee.
    pub waiting: Duration,
}

impl Sitting<'_> {
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

/// Writes the record of a game and makes its line. `remedy` is what follows from the fault that ended it, if one did.
pub fn conclude(sitting: &Sitting, played: &Played, remedy: Option<Remedy>) -> Line {
    let mut faults = notes(sitting, played);
    let (winner, margin, how) = match &played.end {
        End::Result(verdict, how) => (verdict.winner, verdict.margin, *how),
        End::Fault(Some(color), _) if remedy == Some(Remedy::Forfeit) => {
            (Some(color.other()), None, How::Forfeit)
        }
        End::Fault(..) => (None, None, How::Void),
    };
    let result = sgf::result_word(winner, margin, how);
    let fault = match &played.end {
        End::Fault(blamed, fault) => Some(FaultNote {
            player: blamed.map(|color| sitting.name(color)),
            kind: fault.kind,
            detail: fault.detail.clone(),
            remedy: remedy.unwrap_or(Remedy::Void),
        }),
        End::Result(..) => None,
    };
    faults.extend(fault.clone());
    if let (Some(Remedy::Replay), Some(fault)) = (remedy, fault) {
        let stem = sitting.broken_off();
        if sitting.settings.gtp_log {
            // The next attempt has the log's name again; without this one nothing but its traffic is lost.
            let _ =
                std::fs::rename(sitting.gtp_log(), sitting.folder.join(format!("gtp/{stem}.log")));
        }
        let sgf = write_record(sitting, played, &format!("games/{stem}.sgf"), &result, &faults);
        return Line::Fault(FaultLine { game: sitting.task.id.clone(), at: now(), fault, sgf });
    }
    let file = format!("games/{:06}.sgf", sitting.task.number);
    let sgf = write_record(sitting, played, &file, &result, &faults);
    let spelled = |turn: &Turn| spell_steps(&turn.steps, Spelling::Turns);
    let opening = played.turns.iter().filter(|turn| turn.time.is_none());
    let opening: Vec<String> = opening.map(spelled).collect();
    let moves: Vec<String> = played.turns.iter().map(spelled).collect();
    Line::Game(Box::new(GameLine {
        game: sitting.task.id.clone(),
        number: sitting.task.number,
        black: sitting.name(Color::Black),
        white: sitting.name(Color::White),
        first: sitting.settings.players[sitting.task.first].name.clone(),
        winner: winner.map(|color| sitting.name(color)),
        result,
        how,
        turns: played.turns.len() as u32,
        moves: format!("{:016x}", fingerprint(&moves.join(" "))),
        opening: opening.join(", "),
        seed: sitting.seed,
        started: sitting.started.clone(),
        seconds: rounded(played.elapsed.as_secs_f64()),
        black_seconds: rounded(played.thinking[0].as_secs_f64()),
        white_seconds: rounded(played.thinking[1].as_secs_f64()),
        runner_ms: rounded(1e3 * played.elapsed.saturating_sub(sitting.waiting).as_secs_f64()),
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

/// Faults that did not end the game: stray output, and a result that a player sees otherwise.
fn notes(sitting: &Sitting, played: &Played) -> Vec<FaultNote> {
    let mut notes = Vec::new();
    for color in [Color::Black, Color::White] {
        let mut note = |kind, detail| {
            notes.push(FaultNote {
                player: Some(sitting.name(color)),
                kind,
                detail,
                remedy: Remedy::Ignore,
            });
        };
        let stray = &sitting.stray[color.index()];
        if stray.lines > 0 {
            let detail =
                format!("{} lines outside of answers, the first: {}", stray.lines, stray.first);
            note(FaultKind::Stray, detail);
        }
        let claim = &played.claims[color.index()];
        if let (End::Result(verdict, _), Some(claimed)) = (&played.end, Verdict::parse(claim))
            && claimed.winner != verdict.winner
        {
            note(FaultKind::Disagreement, format!("it says {claim} where the result is {verdict}"));
        }
    }
    notes
}

/// Writes the record, and returns where; nothing when it cannot be written, which must not cost the game its result.
fn write_record(
    sitting: &Sitting,
    played: &Played,
    file: &str,
    result: &str,
    faults: &[FaultNote],
) -> String {
    let mut remarks = vec![format!("Seed: {}", sitting.seed)];
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
        settings: sitting.settings,
        names: [&sitting.name(Color::Black), &sitting.name(Color::White)],
        programs: sitting.programs.clone(),
        result,
        started: &sitting.started,
        title: format!("{} {}", sitting.settings.title, sitting.task.number).trim().to_string(),
        remarks,
    };
    match write_whole(&sitting.folder.join(file), &sgf::write(&heading, played)) {
        Ok(()) => file.to_string(),
        Err(e) => {
            tracing::error!("{e:#}");
            String::new()
        }
    }
}
