//! A game played through with the codes of its positions kept up to date.

use super::codes::Codes;
use crate::game::{Game, Replay};
use go_engine::{Color, Site};

/// A game being played through with the codes of its position.
pub struct IncrementalCodes<'g, const N: usize, const W: usize> {
    pub(super) replay: Replay<'g, N, W>,
    pub(super) codes: Codes,
    /// Points whose stones changed with the last move, and the colours that came or went.
    changes: Vec<(usize, Color)>,
}

impl<'g, const N: usize, const W: usize> IncrementalCodes<'g, N, W> {
    /// The game from its beginning; `None` when the board does not fit the layout.
    pub fn new(game: &'g Game) -> Option<Self> {
        let replay = game.replay::<N, W>()?;
        let codes = Codes::of_board(&replay.board);
        Some(IncrementalCodes { replay, codes, changes: Vec::new() })
    }

    /// The game and the position before its next move.
    pub fn replay(&self) -> &Replay<'g, N, W> {
        &self.replay
    }

    /// The codes of that position.
    pub fn codes(&self) -> &Codes {
        &self.codes
    }

    /// The next move, as [`Replay::upcoming`] has it.
    pub fn upcoming(&self) -> Option<(Color, Site)> {
        self.replay.upcoming()
    }

    /// Plays the next move.
    pub fn advance(&mut self) {
        self.advance_with(|_, _| {});
    }

    /// Plays the next move. `before` is called with the changes before the codes follow them.
    pub(super) fn advance_with(&mut self, before: impl FnOnce(&Codes, &[(usize, Color)])) {
        let Some((color, site)) = self.replay.upcoming() else { return };
        self.changes.clear();
        if site.is_pass() {
            self.replay.advance();
            return;
        }
        let captured = self.replay.board.captured(color.other());
        let stones: Vec<Site> = if captures(&self.replay, site, color) {
            self.replay.board.sites().filter(|&s| self.replay.board.color(s).is_some()).collect()
        } else {
            Vec::new()
        };
        self.replay.advance();
        let board = &self.replay.board;
        self.changes.push((self.codes.cell(board, site), color));
        if board.captured(color.other()) != captured {
            let gone = stones.into_iter().filter(|&stone| board.is_empty(stone));
            self.changes.extend(gone.map(|stone| (self.codes.cell(board, stone), color.other())));
        }
        before(&self.codes, &self.changes);
        for &(cell, color) in &self.changes {
            self.codes.toggle(cell, color);
        }
    }
}

/// Whether a move captures anything.
fn captures<const N: usize, const W: usize>(
    replay: &Replay<'_, N, W>,
    site: Site,
    color: Color,
) -> bool {
    replay.board.touches_atari(site, color.other())
}
