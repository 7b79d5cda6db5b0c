//! Another program that counts finished games.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::arbiter::{GameResult, Step};
use super::engine::{Engine, NewGame};
use super::fault::{Fault, FaultKind};
use super::settings::{Player, Settings};
use super::transcript::Transcript;
use super::turn::Turn;

/// A referee, started when first needed and again whenever it failed.
#[derive(Debug)]
pub struct RefereeProgram {
    player: Player,
    engine: Option<Engine>,
}

impl RefereeProgram {
    /// The referee of these settings, if they have one.
    pub fn new(settings: &Settings) -> Option<RefereeProgram> {
        settings
            .referee
            .as_ref()
            .map(|referee| RefereeProgram { player: referee.as_player(), engine: None })
    }

    /// Has a game counted. A referee that fails is started again and asked once more.
    ///
    /// # Errors
    /// [`FaultKind::Referee`] when it fails twice, [`FaultKind::Stopped`] when the run is being stopped.
    pub fn count(
        &mut self,
        game: &NewGame,
        turns: &[Turn],
        logs: &Path,
        transcript: &Transcript,
        stop: &Arc<AtomicBool>,
    ) -> Result<GameResult, Fault> {
        let mut fault = None;
        for _ in 0..2 {
            match self.try_count(game, turns, logs, transcript, stop) {
                Ok(result) => return Ok(result),
                Err(stopped) if stopped.kind == FaultKind::Stopped => return Err(stopped),
                Err(failed) => {
                    self.engine = None;
                    fault = Some(failed);
                }
            }
        }
        let reason = fault.map(|fault| fault.to_string()).unwrap_or_default();
        Err(Fault::new(
            FaultKind::Referee,
            format!("the referee could not count the game: {reason}"),
        ))
    }

    fn try_count(
        &mut self,
        game: &NewGame,
        turns: &[Turn],
        logs: &Path,
        transcript: &Transcript,
        stop: &Arc<AtomicBool>,
    ) -> Result<GameResult, Fault> {
        let engine = match &mut self.engine {
            Some(engine) => {
                engine.log_to(transcript.clone());
                engine
            }
            none => {
                let engine = Engine::start(
                    &self.player,
                    game.settings,
                    game.seed,
                    logs,
                    transcript.clone(),
                    stop.clone(),
                )?;
                none.insert(engine)
            }
        };
        engine.new_game(game)?;
        for turn in turns {
            for (i, &step) in turn.steps.iter().enumerate() {
                // A pass changes nothing that is counted, and some programs end the game for good at two of them.
                if step != Step::Pass {
                    engine.tell(turn.color, step, i + 1 == turn.steps.len())?;
                }
            }
        }
        match engine.final_score()? {
            Some((_, result)) => Ok(result),
            None => Err(Fault::new(FaultKind::Referee, "its final_score is no result")),
        }
    }

    /// Time spent waiting on the referee since this was last asked.
    pub fn take_waiting(&mut self) -> Duration {
        self.engine.as_mut().map_or(Duration::ZERO, Engine::take_waiting)
    }

    /// Ends the program.
    pub fn quit(self, settings: &Settings) {
        if let Some(engine) = self.engine {
            engine.quit(settings.quit_timeout.0);
        }
    }
}
