//! Amazons, by the rules of the Amazons engine's own game.

use amazons_engine::game::Stage;
use amazons_engine::{Game, Position, Square};

use super::{Arbiter, Color, GameOver, GameResult, IllegalStep, Rules, Step, Vertex};

/// A game of Amazons in progress.
pub struct AmazonsArbiter(Game);

impl AmazonsArbiter {
    /// The start on a board of this size; none where none is known.
    pub fn new(rules: &Rules) -> Option<AmazonsArbiter> {
        Position::start_on(rules.size).map(|start| AmazonsArbiter(Game::new(start)))
    }
}

impl Arbiter for AmazonsArbiter {
    fn to_move(&self) -> Color {
        self.0.position().to_move()
    }

    fn steps_left(&self) -> usize {
        match self.0.stage() {
            Stage::From => 3,
            Stage::To(_) => 2,
            Stage::Arrow(..) => 1,
        }
    }

    fn play(&mut self, step: Step) -> Result<(), IllegalStep> {
        let Step::At(at) = step else { return Err(IllegalStep("nobody passes in Amazons".into())) };
        let square = Square::new(at.column, at.row);
        let square = square.ok_or_else(|| IllegalStep(format!("{at} is not on the board")))?;
        self.0.step(square).map_err(|why| IllegalStep(why.to_string()))
    }

    fn legal(&self) -> Vec<Step> {
        let vertex = |square: Square| Vertex { column: square.column(), row: square.row() };
        self.0.steps().iter().map(|square| Step::At(vertex(square))).collect()
    }

    fn game_over(&self) -> Option<GameOver> {
        let winner = self.0.winner()?;
        Some(GameOver::Decided(GameResult { winner: Some(winner), margin: None }))
    }

    /// A game that is not over is nobody's.
    fn count(&self) -> GameResult {
        GameResult { winner: None, margin: None }
    }

    fn handicap(&mut self, _: usize) -> Result<Vec<Vertex>, IllegalStep> {
        Err(IllegalStep("Amazons has no handicap".into()))
    }
}
