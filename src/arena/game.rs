//! One game from the first move to the result.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::arbiter::{Arbiter, Color, GameOver, GameResult, Step, Vertex, parse_steps};
use super::clock::Clock;
use super::engine::{Engine, NewGame};
use super::fault::{Fault, FaultKind};
use super::live_record::LiveRecord;
use super::referee::RefereeProgram;
use super::settings::{Scoring, Settings};
use super::transcript::Transcript;
use super::turn::Turn;

/// An engine that is late by more than this after its time is up is not waited for: it is killed.
const WAIT_AFTER_TIME: Duration = Duration::from_secs(5);

/// How a game came to its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    /// Counted after both passed.
    Score,
    /// By the rules, with nothing to count: six in a row, no move left.
    Rules,
    /// A player resigned.
    Resign,
    /// A player used up its time.
    Time,
    /// Counted where the move limit stopped it.
    MoveLimit,
    /// Both players saw it decided.
    Agreed,
    /// Lost by a fault.
    Forfeit,
    /// No result.
    Void,
}

impl EndReason {
    /// A word or two for tables.
    pub fn words(self) -> &'static str {
        match self {
            EndReason::Score => "counted",
            EndReason::Rules => "by the rules",
            EndReason::Resign => "resigned",
            EndReason::Time => "on time",
            EndReason::MoveLimit => "move limit",
            EndReason::Agreed => "agreed",
            EndReason::Forfeit => "forfeited",
            EndReason::Void => "no result",
        }
    }
}

/// What stopped a game.
#[derive(Clone, Debug)]
pub enum Termination {
    /// It has a result.
    Result(GameResult, EndReason),
    /// A player's fault; `None` when it is nobody's in particular.
    Fault(Option<Color>, Fault),
}

/// A game that was played, or played in part.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// The handicap stones it began with.
    pub handicap: Vec<Vertex>,
    /// The turns, those of the opening first.
    pub turns: Vec<Turn>,
    /// How it ended.
    pub end: Termination,
    /// What each player said the result was, by colour; empty when it said nothing.
    pub claims: [String; 2],
    /// Thinking time by colour.
    pub thinking: [Duration; 2],
    /// From the first command to the end.
    pub elapsed: Duration,
}

impl PlayedGame {
    /// A game that a fault prevented.
    pub fn not_begun(blamed: Option<Color>, fault: Fault) -> PlayedGame {
        PlayedGame {
            handicap: Vec::new(),
            turns: Vec::new(),
            end: Termination::Fault(blamed, fault),
            claims: Default::default(),
            thinking: Default::default(),
            elapsed: Duration::ZERO,
        }
    }
}

/// Everything a game needs besides its players.
pub struct GameContext<'a> {
    /// The match's settings.
    pub settings: &'a Settings,
    /// The opening, as single steps.
    pub opening: &'a [Step],
    /// The game's seed.
    pub seed: u64,
    /// GTP commands of this game alone, by colour.
    pub commands: [&'a [String]; 2],
    /// Who counts, if it is a program.
    pub referee: Option<&'a mut RefereeProgram>,
    /// Where engines' stderr goes.
    pub logs: &'a Path,
    /// Where the traffic goes.
    pub transcript: Transcript,
    /// Where the game can be watched while it is played.
    pub live: LiveRecord,
    /// Set when the run is to stop.
    pub stop: Arc<AtomicBool>,
}

/// Plays a game between two engines, given by colour (Black first).
pub fn play(context: &mut GameContext, mut players: [&mut Engine; 2]) -> PlayedGame {
    let start = Instant::now();
    let arbiter = match context.settings.rules().arbiter() {
        Ok(arbiter) => arbiter,
        Err(why) => return PlayedGame::not_begun(None, Fault::new(FaultKind::Referee, why)),
    };
    let mut game = InPlay {
        arbiter,
        clock: context.settings.time.and_then(Clock::new),
        handicap: Vec::new(),
        turns: Vec::new(),
        thinking: [Duration::ZERO; 2],
        clear_leads: [ClearLead::default(); 2],
        claims: Default::default(),
    };
    let end = match game.run(context, &mut players) {
        Ok((result, reason)) => Termination::Result(result, reason),
        Err((color, fault)) => Termination::Fault(color, fault),
    };
    PlayedGame {
        handicap: game.handicap,
        turns: game.turns,
        end,
        claims: game.claims,
        thinking: game.thinking,
        elapsed: start.elapsed(),
    }
}

type Blamed = (Option<Color>, Fault);

/// Blames a fault on a player.
fn by(color: Color) -> impl Fn(Fault) -> Blamed {
    move |fault| (Some(color), fault)
}

/// How often in a row a player saw the same side win clearly.
#[derive(Clone, Copy, Debug, Default)]
struct ClearLead {
    winner: Option<Color>,
    times: u32,
}

struct InPlay {
    arbiter: Box<dyn Arbiter>,
    clock: Option<Clock>,
    handicap: Vec<Vertex>,
    turns: Vec<Turn>,
    thinking: [Duration; 2],
    clear_leads: [ClearLead; 2],
    claims: [String; 2],
}

impl InPlay {
    fn run(
        &mut self,
        context: &mut GameContext,
        players: &mut [&mut Engine; 2],
    ) -> Result<(GameResult, EndReason), Blamed> {
        let settings = context.settings;
        if settings.handicap > 0 {
            self.handicap = self
                .arbiter
                .handicap(settings.handicap)
                .map_err(|e| (None, Fault::new(FaultKind::Referee, e.to_string())))?;
        }
        let new_game = NewGame { settings, seed: context.seed, handicap: &self.handicap };
        for color in [Color::Black, Color::White] {
            let player = &mut players[color.index()];
            player.new_game(&new_game).map_err(by(color))?;
            for command in context.commands[color.index()] {
                player.demand(command).map_err(Fault::before_play).map_err(by(color))?;
            }
        }
        self.play_opening(context.opening, players)?;
        loop {
            if context.stop.load(Ordering::Relaxed) {
                return Err((None, Fault::new(FaultKind::Stopped, "the run is being stopped")));
            }
            match self.arbiter.game_over() {
                Some(GameOver::Decided(result)) => return Ok((result, EndReason::Rules)),
                Some(GameOver::ToCount) => return self.count(context, players, EndReason::Score),
                None if self.turns.len() >= settings.move_limit as usize => {
                    return self.count(context, players, EndReason::MoveLimit);
                }
                None => {}
            }
            context.live.show(settings, &self.handicap, &self.turns);
            let color = self.arbiter.to_move();
            if let Some(ended) = self.turn(color, settings, players)? {
                return Ok(ended);
            }
            if let Some(result) = self.agreed(color, settings, players)? {
                return Ok((result, EndReason::Agreed));
            }
        }
    }

    fn play_opening(
        &mut self,
        opening: &[Step],
        players: &mut [&mut Engine; 2],
    ) -> Result<(), Blamed> {
        let mut steps = Vec::new();
        for &step in opening {
            let color = self.arbiter.to_move();
            let completes = self.arbiter.steps_left() == 1;
            // Openings are checked when they are read; what no longer fits is left out.
            if self.arbiter.play(step).is_err() {
                break;
            }
            for side in [Color::Black, Color::White] {
                players[side.index()].tell(color, step, completes).map_err(by(side))?;
            }
            steps.push(step);
            if completes {
                let steps = std::mem::take(&mut steps);
                self.turns.push(Turn {
                    color,
                    steps,
                    time: None,
                    clock: None,
                    comment: String::new(),
                });
            }
        }
        Ok(())
    }

    /// Has one turn played. Returns the result when it ends the game at once.
    fn turn(
        &mut self,
        color: Color,
        settings: &Settings,
        players: &mut [&mut Engine; 2],
    ) -> Result<Option<(GameResult, EndReason)>, Blamed> {
        let lost =
            |reason| Ok(Some((GameResult { winner: Some(color.other()), margin: None }, reason)));
        let mut turn = Turn {
            color,
            steps: Vec::new(),
            time: Some(Duration::ZERO),
            clock: None,
            comment: String::new(),
        };
        loop {
            let text = match self.ask(color, &mut turn, settings, players)? {
                Ok(text) => text,
                Err(reason) => return lost(reason),
            };
            if self.take(color, &text, &mut turn, settings, players)? {
                break;
            }
        }
        if let Some(clock) = &mut self.clock {
            let is_in_time = clock.spend(color, turn.time.unwrap_or_default(), settings.lag.0);
            debug_assert!(is_in_time, "each answer was in time");
            turn.clock = Some(clock.left(color));
        }
        if settings.comments {
            turn.comment = players[color.index()].comment().map_err(by(color))?;
        }
        self.turns.push(turn);
        Ok(None)
    }

    /// Asks for a move, or for what is left of one: the answer, or why the game is lost by it. The steps of one turn are one
    /// move to the clock.
    fn ask(
        &mut self,
        color: Color,
        turn: &mut Turn,
        settings: &Settings,
        players: &mut [&mut Engine; 2],
    ) -> Result<Result<String, EndReason>, Blamed> {
        let used = turn.time.unwrap_or_default();
        let limit = match &self.clock {
            Some(clock) => {
                clock.limit(color).saturating_sub(used) + settings.lag.0 + WAIT_AFTER_TIME
            }
            None => settings.move_timeout.0,
        };
        let asked = Instant::now();
        let clock = self.clock.as_ref().map(|clock| (clock, used));
        let answer = match players[color.index()].genmove(color, clock, limit) {
            Ok(answer) => answer,
            Err(fault) if fault.kind == FaultKind::Hang && self.clock.is_some() => {
                self.thinking[color.index()] += asked.elapsed();
                return Ok(Err(EndReason::Time));
            }
            Err(fault) => return Err((Some(color), fault)),
        };
        self.thinking[color.index()] += answer.time;
        turn.time = turn.time.map(|time| time + answer.time);
        let text = answer.text.lines().next().unwrap_or_default().trim();
        if let Some(clock) = &self.clock
            && turn.time > Some(clock.limit(color) + settings.lag.0)
        {
            let spelling = players[color.index()].spelling();
            let steps = parse_steps(text, settings.game, settings.size, spelling);
            self.keep_late_turn(turn, steps.unwrap_or_default());
            return Ok(Err(EndReason::Time));
        }
        Ok(match text.eq_ignore_ascii_case("resign") {
            true => Err(EndReason::Resign),
            false => Ok(text.to_owned()),
        })
    }

    /// Plays the steps of an answer, and tells the opponent of them; whether the turn is over.
    fn take(
        &mut self,
        color: Color,
        text: &str,
        turn: &mut Turn,
        settings: &Settings,
        players: &mut [&mut Engine; 2],
    ) -> Result<bool, Blamed> {
        let blame = |kind, detail: String| (Some(color), Fault::new(kind, detail));
        let needed = self.arbiter.steps_left();
        let engine = &mut players[color.index()];
        let steps = parse_steps(text, settings.game, settings.size, engine.spelling());
        let steps = steps.ok_or_else(|| {
            let shown: String = text.chars().take(80).collect();
            let detail = format!("genmove was answered {shown:?}, which is no move here");
            blame(FaultKind::Garbage, detail)
        })?;
        engine.learn_spelling(steps.len(), needed);
        if steps.len() > needed {
            let detail = format!("{text}: {} steps where the turn has {needed} left", steps.len());
            return Err(blame(FaultKind::Illegal, detail));
        }
        let mut is_complete = false;
        for step in steps {
            is_complete = self.arbiter.steps_left() == 1;
            self.arbiter.play(step).map_err(|why| {
                let number = self.turns.len() + 1;
                blame(FaultKind::Illegal, format!("{color}'s {text} at turn {number}: {why}"))
            })?;
            turn.steps.push(step);
            // A game that the step decided, perhaps in the middle of a turn, needs no further word: the opponent can only
            // answer wrongly now.
            if matches!(self.arbiter.game_over(), Some(GameOver::Decided(_))) {
                return Ok(true);
            }
            let other = color.other();
            players[other.index()].tell(color, step, is_complete).map_err(by(other))?;
        }
        Ok(is_complete)
    }

    /// Keeps the turn that lost on time for the record, if its last steps are there and the rules allow them.
    fn keep_late_turn(&mut self, turn: &mut Turn, last: Vec<Step>) {
        let is_whole = last.len() == self.arbiter.steps_left();
        if is_whole && last.iter().all(|&step| self.arbiter.play(step).is_ok()) {
            turn.steps.extend(last);
            self.turns.push(turn.clone());
        }
    }

    /// Asks the player who moved what it thinks, and ends the game when both have thought the same for long enough.
    fn agreed(
        &mut self,
        color: Color,
        settings: &Settings,
        players: &mut [&mut Engine; 2],
    ) -> Result<Option<GameResult>, Blamed> {
        let rule = &settings.adjudication;
        if rule.command.is_empty() || self.turns.len() < rule.from_move as usize {
            return Ok(None);
        }
        let answer = players[color.index()].ask(&rule.command).map_err(by(color))?;
        let word = answer.text.split_whitespace().next().unwrap_or_default();
        let chance = word.parse::<f64>().ok().filter(|chance| (0.0..=1.0).contains(chance));
        let winner = match (chance, GameResult::parse(&answer.text)) {
            (Some(chance), _) if rule.hopeless > 0.0 && chance <= rule.hopeless => {
                Some(Color::White)
            }
            (Some(chance), _) if rule.hopeless > 0.0 && chance >= 1.0 - rule.hopeless => {
                Some(Color::Black)
            }
            (_, Some(GameResult { winner, margin: Some(margin) }))
                if rule.margin > 0.0 && margin >= rule.margin =>
            {
                winner
            }
            _ => None,
        };
        let clear_lead = &mut self.clear_leads[color.index()];
        let times = if clear_lead.winner == winner { clear_lead.times + 1 } else { 1 };
        *clear_lead = ClearLead { winner, times };
        let [black, white] = &self.clear_leads;
        let long_enough = black.times.min(white.times) >= rule.times.max(1);
        Ok(match (black.winner, white.winner) {
            (Some(one), Some(other)) if one == other && long_enough => {
                Some(GameResult { winner: Some(one), margin: None })
            }
            _ => None,
        })
    }

    /// Finds the result of a game that has to be counted.
    fn count(
        &mut self,
        context: &mut GameContext,
        players: &mut [&mut Engine; 2],
        reason: EndReason,
    ) -> Result<(GameResult, EndReason), Blamed> {
        let settings = context.settings;
        let mut claimed = [None; 2];
        for color in [Color::Black, Color::White] {
            let said = players[color.index()].final_score();
            if let Some((text, result)) = said.map_err(by(color))? {
                self.claims[color.index()] = text.chars().take(80).collect();
                claimed[color.index()] = Some(result);
            }
        }
        let result = match settings.scoring() {
            Scoring::Runner | Scoring::Auto => self.arbiter.count(),
            Scoring::Referee => {
                let game = NewGame { settings, seed: context.seed, handicap: &self.handicap };
                let Some(referee) = context.referee.as_deref_mut() else {
                    return Err((None, Fault::new(FaultKind::Referee, "there is no referee")));
                };
                referee
                    .count(&game, &self.turns, context.logs, &context.transcript, &context.stop)
                    .map_err(|fault| (None, fault))?
            }
            Scoring::Players => match claimed {
                [Some(black), Some(white)] if black.winner == white.winner => black,
                [Some(only), None] | [None, Some(only)] => only,
                [None, None] => self.arbiter.count(),
                [Some(_), Some(_)] => {
                    let detail =
                        format!("Black says {}, White says {}", self.claims[0], self.claims[1]);
                    return Err((None, Fault::new(FaultKind::Disagreement, detail)));
                }
            },
        };
        Ok((result, reason))
    }
}
