//! A player at the board: a connection with what is known of the program behind it.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use game_core::time::TimeControl;

use super::arbiter::{Color, Game, GameResult, Spelling, Step, Vertex, spell_steps};
use super::clock::{Clock, TimeDialect, time_commands};
use super::connection::{Answer, Connection, UnexpectedOutput};
use super::fault::{Fault, FaultKind, FaultPolicy};
use super::settings::{Player, Settings};
use super::transcript::Transcript;

/// A running engine that is ready to play.
#[derive(Debug)]
pub struct Engine {
    connection: Connection,
    player: Player,
    /// What it calls itself.
    pub program: String,
    /// Its version, as it says.
    pub version: String,
    commands: HashSet<String>,
    spelling: Spelling,
    /// What `time_left` means to it.
    time_dialect: TimeDialect,
    /// Steps of the opponent's turn that it has not been told yet.
    untold: Vec<Step>,
    timeout: Duration,
    /// Whether unexpected output is a fault that stops the game.
    strict: bool,
    usable: bool,
}

/// What an engine is told at the beginning of a game.
#[derive(Clone, Debug)]
pub struct NewGame<'a> {
    /// The match's settings.
    pub settings: &'a Settings,
    /// The game's seed.
    pub seed: u64,
    /// Handicap stones on the board.
    pub handicap: &'a [Vertex],
}

impl Engine {
    /// Starts the program, asks who it is and sends its set-up commands.
    ///
    /// # Errors
    /// [`FaultKind::Start`], whatever went wrong; [`FaultKind::Stopped`] when the run is being stopped.
    pub fn start(
        player: &Player,
        settings: &Settings,
        seed: u64,
        logs: &Path,
        transcript: Transcript,
        stop: Arc<AtomicBool>,
    ) -> Result<Engine, Fault> {
        let log = logs.join(format!("{}.log", player.name));
        let link =
            player.start(&log).map_err(|e| Fault::new(FaultKind::Start, format!("{e:#}")))?;
        let mut connection = Connection::new(link, &player.name, stop);
        connection.log_to(transcript);
        let mut engine = Engine {
            connection,
            player: player.clone(),
            program: String::new(),
            version: String::new(),
            commands: HashSet::new(),
            spelling: if settings.game.max_steps == 1 { Spelling::Points } else { player.spelling },
            time_dialect: TimeDialect::default(),
            untold: Vec::new(),
            timeout: settings.move_timeout.0,
            strict: settings.faults.stray != FaultPolicy::Ignore,
            usable: true,
        };
        engine.introduce(settings.start_timeout.0, seed).map_err(|fault| match fault.kind {
            FaultKind::Stopped => fault,
            _ => fault.at_start(),
        })?;
        Ok(engine)
    }

    fn introduce(&mut self, limit: Duration, seed: u64) -> Result<(), Fault> {
        let deadline = Instant::now() + limit;
        let left = || deadline.saturating_duration_since(Instant::now());
        let mut name = self.connection.ask("name", left())?;
        if !name.ok {
            // Some small programs take an id for the command.
            self.connection.without_ids();
            name = self.connection.ask("name", left())?;
        }
        self.program = name.text;
        self.version = match self.connection.ask("version", left())? {
            Answer { ok: true, text, .. } => text,
            _ => String::new(),
        };
        let commands = self.connection.ask("list_commands", left())?;
        if commands.ok {
            self.commands = commands.text.split_whitespace().map(str::to_string).collect();
        }
        for command in self.player.setup.clone() {
            let command = command.replace("{seed}", &seed.to_string());
            let answer = self.connection.ask(&command, left())?;
            if !answer.ok {
                return Err(Fault::new(
                    FaultKind::Start,
                    format!("the set-up command `{command}` was answered `? {}`", answer.text),
                ));
            }
        }
        Ok(())
    }

    /// The player this engine is.
    pub fn player(&self) -> &Player {
        &self.player
    }

    /// Whether it lists this command.
    pub fn knows(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    /// The commands that tell it of the time control, the best first. A program that does not say what it knows is
    /// told by the protocol's own.
    pub fn time_commands(&self, control: &TimeControl) -> Vec<(String, TimeDialect)> {
        let silent = self.commands.is_empty();
        time_commands(control, |word| self.knows(word) || (silent && word == "time_settings"))
    }

    /// False once something happened after which its answers cannot be trusted.
    pub fn is_usable(&self) -> bool {
        self.usable
    }

    /// Where its traffic is written from now on.
    pub fn log_to(&mut self, transcript: Transcript) {
        self.connection.log_to(transcript);
    }

    /// Unexpected output since this was last asked.
    pub fn take_unexpected_output(&mut self) -> UnexpectedOutput {
        self.connection.take_unexpected_output()
    }

    /// Time spent waiting on the engine since this was last asked.
    pub fn take_waiting(&mut self) -> Duration {
        self.connection.take_waiting()
    }

    /// Sends any command within the usual time.
    ///
    /// # Errors
    /// As [`Connection::ask`]; afterwards the engine is not usable any more.
    pub fn ask(&mut self, command: &str) -> Result<Answer, Fault> {
        self.ask_within(command, self.timeout)
    }

    fn ask_within(&mut self, command: &str, limit: Duration) -> Result<Answer, Fault> {
        let answer = self.connection.ask(command, limit).inspect_err(|_| self.usable = false)?;
        if self.strict {
            let unexpected = self.connection.take_unexpected_output();
            if unexpected.lines > 0 {
                self.usable = false;
                let detail = format!("{:?} outside of any answer", unexpected.first);
                return Err(Fault::new(FaultKind::UnexpectedOutput, detail));
            }
        }
        Ok(answer)
    }

    /// Sends a command that the game cannot do without.
    ///
    /// # Errors
    /// [`FaultKind::Refused`] when it is refused, else as [`Connection::ask`].
    pub fn demand(&mut self, command: &str) -> Result<Answer, Fault> {
        let answer = self.ask(command)?;
        if answer.ok {
            return Ok(answer);
        }
        Err(Fault::new(FaultKind::Refused, format!("`{command}` was answered `? {}`", answer.text)))
    }

    /// Makes the engine ready for a new game.
    ///
    /// # Errors
    /// [`FaultKind::Start`] when it cannot play such a game, else as [`Connection::ask`].
    pub fn new_game(&mut self, game: &NewGame) -> Result<(), Fault> {
        self.untold.clear();
        self.set_up_game(game).map_err(Fault::before_play)
    }

    fn set_up_game(&mut self, game: &NewGame) -> Result<(), Fault> {
        let settings = game.settings;
        self.demand(&format!("boardsize {}", settings.size))?;
        self.demand("clear_board")?;
        if settings.game == Game::GO {
            if self.knows("kata-set-rules") {
                self.ask(&format!("kata-set-rules {}", settings.rules))?;
            }
            self.demand(&format!("komi {}", settings.komi))?;
        }
        if self.knows("set_random_seed") {
            self.ask(&format!("set_random_seed {}", game.seed & 0x7fff_ffff))?;
        }
        for (command, dialect) in settings.time.map_or(Vec::new(), |time| self.time_commands(&time))
        {
            self.time_dialect = dialect;
            if self.ask(&command)?.ok {
                break;
            }
        }
        for command in self.player.game_setup.clone() {
            self.demand(&command.replace("{seed}", &(game.seed & 0x7fff_ffff).to_string()))?;
        }
        if !game.handicap.is_empty() {
            if self.knows("set_free_handicap") {
                let stones: Vec<String> =
                    game.handicap.iter().map(|square| square.to_string()).collect();
                self.demand(&format!("set_free_handicap {}", stones.join(" ")))?;
            } else {
                for square in game.handicap {
                    self.demand(&format!("play b {square}"))?;
                }
            }
        }
        Ok(())
    }

    /// Tells the engine a step that it did not choose itself. An engine that takes whole turns hears of them once
    /// they are complete.
    ///
    /// # Errors
    /// [`FaultKind::Refused`] when it takes the step for illegal, else as [`Connection::ask`].
    pub fn tell(&mut self, color: Color, step: Step, completes_turn: bool) -> Result<(), Fault> {
        self.untold.push(step);
        if self.spelling == Spelling::Points {
            self.untold.clear();
            return self
                .demand(&format!(
                    "play {} {}",
                    color.letter(),
                    spell_steps(&[step], Spelling::Points)
                ))
                .map(drop);
        }
        if !completes_turn {
            return Ok(());
        }
        let turn = std::mem::take(&mut self.untold);
        let whole = format!("play {} {}", color.letter(), spell_steps(&turn, self.spelling));
        if self.spelling != Spelling::Auto || turn.len() == 1 {
            return self.demand(&whole).map(drop);
        }
        if self.ask(&whole)?.ok {
            self.spelling = Spelling::Turns;
            return Ok(());
        }
        for step in turn {
            self.demand(&format!(
                "play {} {}",
                color.letter(),
                spell_steps(&[step], Spelling::Points)
            ))?;
        }
        self.spelling = Spelling::Points;
        Ok(())
    }

    /// How its moves are to be read.
    pub fn spelling(&self) -> Spelling {
        self.spelling
    }

    /// Learns the engine's spelling from an answer with `given` of the `needed` steps of a turn.
    pub fn learn_spelling(&mut self, given: usize, needed: usize) {
        if self.spelling == Spelling::Auto && needed > 1 {
            self.spelling = if given == needed { Spelling::Turns } else { Spelling::Points };
        }
    }

    /// Tells the time left and asks for a move, or a step of one. The answer is awaited for `limit`; `clock` comes
    /// with the time used for earlier steps of the same turn.
    ///
    /// # Errors
    /// As [`Connection::ask`]; [`FaultKind::Refused`] when the engine answers with an error.
    pub fn genmove(
        &mut self,
        color: Color,
        clock: Option<(&Clock, Duration)>,
        limit: Duration,
    ) -> Result<Answer, Fault> {
        if let Some((clock, used)) = clock
            && self.knows("time_left")
        {
            for side in [color.other(), color] {
                let used = if side == color { used } else { Duration::ZERO };
                let (seconds, stones) = clock.time_left(side, used, self.time_dialect);
                self.ask(&format!("time_left {} {seconds} {stones}", side.letter()))?;
            }
        }
        let command = format!("genmove {}", color.letter());
        let answer = self.ask_within(&command, limit)?;
        if !answer.ok {
            return Err(Fault::new(
                FaultKind::Refused,
                format!("`{command}` was answered `? {}`", answer.text),
            ));
        }
        Ok(answer)
    }

    /// What the engine says of its last move, where it can.
    ///
    /// # Errors
    /// As [`Connection::ask`].
    pub fn comment(&mut self) -> Result<String, Fault> {
        if !self.knows("gomill-explain_last_move") {
            return Ok(String::new());
        }
        let answer = self.ask("gomill-explain_last_move")?;
        Ok(if answer.ok { answer.text } else { String::new() })
    }

    /// The result the engine sees, where it sees one.
    ///
    /// # Errors
    /// As [`Connection::ask`].
    pub fn final_score(&mut self) -> Result<Option<(String, GameResult)>, Fault> {
        if !self.commands.is_empty() && !self.knows("final_score") {
            return Ok(None);
        }
        let answer = self.ask("final_score")?;
        Ok(GameResult::parse(&answer.text)
            .filter(|_| answer.ok)
            .map(|result| (answer.text, result)))
    }

    /// Ends the program. False when it had not gone `limit` after it was asked to, and was killed. One that owes an answer
    /// is killed without being asked.
    pub fn quit(self, limit: Duration) -> bool {
        !self.usable || self.connection.quit(limit)
    }
}
