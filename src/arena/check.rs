//! `tesuji match check`: starts every engine once, before a long run finds out that one of them cannot play.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result};

use super::arbiter::parse_steps;
use super::engine::{Engine, NewGame};
use super::fault::{Fault, FaultKind};
use super::settings::{Player, Settings};
use super::transcript::Transcript;

/// What was found about one engine.
#[derive(Debug)]
pub struct CheckReport {
    /// The player's name, or `referee`.
    pub name: String,
    /// What it calls itself and how long it took, or what is wrong.
    pub outcome: Result<String, Fault>,
}

/// Starts every player and the referee, sets up a game and asks the players for a first move.
///
/// # Errors
/// When no folder for their logs can be made.
pub fn check(settings: &Settings) -> Result<Vec<CheckReport>> {
    let logs = std::env::temp_dir().join(format!("tesuji-match-check-{}", std::process::id()));
    std::fs::create_dir_all(&logs)
        .with_context(|| format!("cannot make the folder {}", logs.display()))?;
    let mut reports = Vec::new();
    for player in &settings.players {
        reports.push(CheckReport {
            name: player.name.clone(),
            outcome: try_player(player, settings, &logs, true),
        });
    }
    if let Some(referee) = &settings.referee {
        reports.push(CheckReport {
            name: "referee".into(),
            outcome: try_player(&referee.as_player(), settings, &logs, false),
        });
    }
    for report in &mut reports {
        if let Err(fault) = &mut report.outcome {
            fault.detail += &last_words(&logs, &report.name);
        }
    }
    let _ = std::fs::remove_dir_all(&logs);
    Ok(reports)
}

/// The last words on stderr of a program that failed, which often say more than the exit status; nothing where there are none.
pub fn last_words(logs: &Path, name: &str) -> String {
    let log = std::fs::read(logs.join(format!("{name}.log"))).unwrap_or_default();
    let log = String::from_utf8_lossy(&log);
    let last = log.lines().rev().find(|line| !line.trim().is_empty());
    last.map(|line| format!("; it said: {}", line.trim())).unwrap_or_default()
}

fn try_player(
    player: &Player,
    settings: &Settings,
    logs: &Path,
    plays: bool,
) -> Result<String, Fault> {
    let stop = Arc::new(AtomicBool::new(false));
    let begin = std::time::Instant::now();
    let mut engine =
        Engine::start(player, settings, settings.seed, logs, Transcript::default(), stop)?;
    let mut words = format!(
        "{} {}, started in {:.2} s",
        engine.program,
        engine.version,
        begin.elapsed().as_secs_f64()
    );
    let mut arbiter =
        settings.rules().arbiter().map_err(|why| Fault::new(FaultKind::Start, why))?;
    let handicap = match settings.handicap {
        0 => Vec::new(),
        stones => {
            arbiter.handicap(stones).map_err(|e| Fault::new(FaultKind::Start, e.to_string()))?
        }
    };
    engine.new_game(&NewGame { settings, seed: settings.seed, handicap: &handicap })?;
    if plays {
        let answer = engine.genmove(arbiter.to_move(), None, settings.move_timeout.0)?;
        let steps = parse_steps(&answer.text, settings.game, settings.size, engine.spelling());
        let steps = steps.ok_or_else(|| {
            Fault::new(FaultKind::Garbage, format!("genmove was answered {:?}", answer.text))
        })?;
        for step in steps {
            arbiter
                .play(step)
                .map_err(|why| Fault::new(FaultKind::Illegal, format!("{}: {why}", answer.text)))?;
        }
        words.push_str(&format!(
            ", first move {} in {:.2} s",
            answer.text,
            answer.time.as_secs_f64()
        ));
    } else if !engine.knows("final_score") {
        return Err(Fault::new(
            FaultKind::Start,
            "it does not list final_score, so it cannot be a referee",
        ));
    }
    if let Some(time) = settings.time.filter(|_| plays) {
        let settable = !engine.time_commands(&time).is_empty();
        let unknown =
            [("time_settings", settable), ("time_left", engine.knows("time_left"))].into_iter();
        for (command, _) in unknown.filter(|(_, known)| !known) {
            words
                .push_str(&format!("; it does not list {command}, and loses on time all the same"));
        }
    }
    let unexpected = engine.take_unexpected_output();
    if unexpected.lines > 0 {
        words.push_str(&format!(
            "; {} stray lines on stdout, the first: {}",
            unexpected.lines, unexpected.first
        ));
    }
    if !engine.quit(settings.quit_timeout.0) {
        words.push_str(&format!(
            "; it had not ended {} after quit and was killed",
            settings.quit_timeout
        ));
    }
    Ok(words)
}
