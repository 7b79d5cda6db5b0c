//! What can go wrong with an engine, and what is done about it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The kinds of fault that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// The program could not be started, or failed before it was ready to play.
    Start,
    /// The program ended, or closed its output, in the middle of a game.
    Crash,
    /// No answer within the time allowed where no game clock decides.
    Hang,
    /// A move that the rules forbid.
    Illegal,
    /// An answer that is no answer: not a vertex where one was due, a wrong id, a line without end.
    Garbage,
    /// Text on stdout outside of any answer.
    #[serde(rename = "stray")]
    UnexpectedOutput,
    /// An error answer to a command that the game needs, such as a legal move refused.
    Refused,
    /// The players do not agree on who won.
    Disagreement,
    /// The referee program failed to say who won.
    Referee,
    /// The run is being stopped: no fault of the engine's, and never recorded.
    Stopped,
}

impl FaultKind {
    /// The kind's name as it stands in the results file and in settings.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Start => "start",
            FaultKind::Crash => "crash",
            FaultKind::Hang => "hang",
            FaultKind::Illegal => "illegal",
            FaultKind::Garbage => "garbage",
            FaultKind::UnexpectedOutput => "stray",
            FaultKind::Refused => "refused",
            FaultKind::Disagreement => "disagreement",
            FaultKind::Referee => "referee",
            FaultKind::Stopped => "stopped",
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A fault with the words that explain it to a person.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}: {detail}")]
pub struct Fault {
    /// Which kind of fault.
    pub kind: FaultKind,
    /// What happened, naming the command and the answer.
    pub detail: String,
}

impl Fault {
    /// A fault of `kind` explained by `detail`.
    pub fn new(kind: FaultKind, detail: impl Into<String>) -> Fault {
        Fault { kind, detail: detail.into() }
    }

    /// The same fault seen while the engine was being started: whatever went wrong then is a failed start.
    pub fn at_start(self) -> Fault {
        Fault { kind: FaultKind::Start, detail: self.detail }
    }

    /// The same fault seen before a game's first move: who refuses a command then cannot play such a game.
    pub fn before_play(self) -> Fault {
        if self.kind == FaultKind::Refused { self.at_start() } else { self }
    }
}

/// What follows from a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultPolicy {
    /// The player at fault loses the game.
    Forfeit,
    /// The game is played again, at most `max_replays` times; then the player at fault loses it.
    Replay,
    /// The game is recorded without a result and counts for nobody.
    Void,
    /// The game goes on; the fault is only noted.
    Ignore,
}

/// What follows from each kind of fault, and how often a game is tried again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct FaultPolicies {
    /// The program could not be started or set up.
    pub start: FaultPolicy,
    /// The program ended during a game.
    pub crash: FaultPolicy,
    /// No answer in time where no game clock decides.
    pub hang: FaultPolicy,
    /// A move against the rules.
    pub illegal: FaultPolicy,
    /// An answer that cannot be read.
    pub garbage: FaultPolicy,
    /// Text on stdout outside of any answer.
    pub stray: FaultPolicy,
    /// An error answer to a command that the game needs.
    pub refused: FaultPolicy,
    /// The players name different winners and nobody else decides.
    pub disagreement: FaultPolicy,
    /// How often one game is played again before the fault is final.
    pub max_replays: u32,
    /// After so many failed starts in a row, each to be replayed, a player's remaining games are left unplayed; 0 never
    /// gives up.
    pub give_up_after: u32,
}

impl Default for FaultPolicies {
    fn default() -> Self {
        FaultPolicies {
            start: FaultPolicy::Replay,
            crash: FaultPolicy::Forfeit,
            hang: FaultPolicy::Forfeit,
            illegal: FaultPolicy::Forfeit,
            garbage: FaultPolicy::Forfeit,
            stray: FaultPolicy::Ignore,
            refused: FaultPolicy::Forfeit,
            disagreement: FaultPolicy::Void,
            max_replays: 2,
            give_up_after: 3,
        }
    }
}

impl FaultPolicies {
    /// The policy for one kind of fault.
    pub fn policy(&self, kind: FaultKind) -> FaultPolicy {
        match kind {
            FaultKind::Start => self.start,
            FaultKind::Crash => self.crash,
            FaultKind::Hang => self.hang,
            FaultKind::Illegal => self.illegal,
            FaultKind::Garbage => self.garbage,
            FaultKind::UnexpectedOutput => self.stray,
            FaultKind::Refused => self.refused,
            FaultKind::Disagreement => self.disagreement,
            // Nobody who plays is to blame, so nobody can forfeit.
            FaultKind::Referee | FaultKind::Stopped => FaultPolicy::Void,
        }
    }

    /// Checks that every policy makes sense for its fault.
    ///
    /// # Errors
    /// Names the setting that cannot be.
    pub fn check(&self) -> Result<(), String> {
        let never_ignored = [
            ("start", self.start),
            ("crash", self.crash),
            ("hang", self.hang),
            ("illegal", self.illegal),
            ("garbage", self.garbage),
            ("refused", self.refused),
        ];
        for (name, policy) in never_ignored {
            if policy == FaultPolicy::Ignore {
                return Err(format!(
                    "faults.{name}: a game cannot go on after this fault, so \"ignore\" is not possible"
                ));
            }
        }
        if matches!(self.disagreement, FaultPolicy::Forfeit | FaultPolicy::Ignore) {
            return Err(
                "faults.disagreement: either player may be right; use \"void\" or \"replay\""
                    .to_string(),
            );
        }
        Ok(())
    }
}
