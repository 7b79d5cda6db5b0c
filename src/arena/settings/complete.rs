//! What was left open is filled in, and the whole is checked.

use anyhow::{Context, Result, bail, ensure};

use super::super::arbiter::Game;
use super::super::schedule::pairings;
use super::player::words;
use super::{Scoring, Settings};

/// More games than any match has; the whole schedule is kept in memory.
const MAX_GAMES: u64 = 1_000_000;
/// Beyond this lead in Elo a test would reckon with scores that are no more than rounding tells from 0 and 1.
const MAX_LEAD: f64 = 3000.0;

impl Settings {
    /// Fills in what was left open and checks that the whole makes sense.
    ///
    /// # Errors
    /// Names the setting that cannot be, and why.
    pub fn complete(mut self) -> Result<Settings> {
        if self.size == 0 {
            self.size = self.game.side;
        }
        if self.game != Game::GO {
            self.komi = 0.0;
            ensure!(self.handicap == 0, "handicap: only Go has it");
        }
        self.rules().check().map_err(anyhow::Error::msg)?;
        if self.handicap > 0 {
            let mut arbiter = self.rules().arbiter().map_err(anyhow::Error::msg)?;
            arbiter
                .handicap(self.handicap)
                .with_context(|| format!("handicap {} on size {}", self.handicap, self.size))?;
        }
        if self.move_limit == 0 {
            // A game with passes that goes on for three times the board's points will not end by itself.
            let times = if self.game.has_pass { 3 } else { 1 };
            self.move_limit = times * u32::from(self.size) * u32::from(self.size);
        }
        self.check()?;
        Ok(self)
    }

    fn check(&self) -> Result<()> {
        ensure!(
            self.players.len() >= 2,
            "a match needs at least two players, {} given; name each with -e COMMAND, or in a file",
            self.players.len()
        );
        for (i, player) in self.players.iter().enumerate() {
            ensure!(!player.name.trim().is_empty(), "player {}: it has no name", i + 1);
            ensure!(
                !player.name.contains(['/', '\\', '\n', '\r', '\0'])
                    && !player.name.starts_with('.'),
                "player {:?}: a name cannot hold slashes or line ends, nor begin with a dot",
                player.name
            );
            if let Some(twin) = self.players[..i].iter().find(|p| p.name == player.name) {
                bail!("two players are called {:?}", twin.name);
            }
            player.check()?;
        }
        ensure!(self.games > 0, "games: none to play");
        let games = u64::from(self.games) * pairings(self).len() as u64;
        ensure!(games <= MAX_GAMES, "games: {games} in all, and a match has {MAX_GAMES} at most");
        ensure!(self.concurrency > 0, "concurrency: at least 1");
        self.faults.check().map_err(anyhow::Error::msg)?;
        match &self.referee {
            Some(referee) => drop(words(&referee.command).context("referee")?),
            None => ensure!(self.scoring != Scoring::Referee, "scoring: no referee is given"),
        }
        ensure!(
            self.openings.sgf.is_empty() || self.openings.random == 0,
            "openings: either from sgf or drawn at random, not both"
        );
        if let Some(sprt) = self.sprt {
            ensure!(
                self.players.len() == 2,
                "sprt: it decides between two players, {} given",
                self.players.len()
            );
            ensure!(
                -MAX_LEAD <= sprt.elo0 && sprt.elo0 < sprt.elo1 && sprt.elo1 <= MAX_LEAD,
                "sprt: elo0 must be below elo1, and both from -{MAX_LEAD} to {MAX_LEAD}"
            );
            let chance = |p: f64| p > 0.0 && p < 0.5;
            ensure!(
                chance(sprt.alpha) && chance(sprt.beta),
                "sprt: alpha and beta must lie between 0 and 0.5"
            );
            ensure!(self.alternate, "sprt: it needs games in pairs with colors changed");
        }
        let adjudication = &self.adjudication;
        if !adjudication.command.is_empty() {
            ensure!(
                adjudication.margin > 0.0 || adjudication.hopeless > 0.0,
                "adjudication: give a margin of points, a hopeless chance, or both"
            );
            ensure!(
                (0.0..0.5).contains(&adjudication.hopeless),
                "adjudication: hopeless must lie between 0 and 0.5"
            );
        }
        Ok(())
    }
}
