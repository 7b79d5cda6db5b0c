//! Go, by the rules of the Go engine's own game.

use go_engine::game::fixed_handicap;
use go_engine::score::Statuses;
use go_engine::{Game, Move, Point};

use super::{Arbiter, Color, GameOver, GameResult, IllegalStep, Rules, Step, Vertex};

/// A game of Go in progress.
pub struct GoArbiter(Game);

impl GoArbiter {
    /// An empty board; none when the size is impossible.
    pub fn new(rules: &Rules) -> Option<GoArbiter> {
        let mut game = Game::new(rules.size, rules.size)?;
        game.set_rules(rules.rule_set.0);
        game.set_komi(rules.komi);
        Some(GoArbiter(game))
    }
}

fn vertex(point: Point) -> Vertex {
    Vertex { column: point.col(), row: point.row() }
}

impl Arbiter for GoArbiter {
    fn to_move(&self) -> Color {
        self.0.to_play()
    }

    fn steps_left(&self) -> usize {
        1
    }

    fn play(&mut self, step: Step) -> Result<(), IllegalStep> {
        let mv = match step {
            Step::Pass => Move::Pass,
            Step::At(at) => Move::Play(Point::new(at.column, at.row)),
        };
        self.0.play(self.0.to_play(), mv).map_err(|why| IllegalStep(why.to_string()))
    }

    fn legal(&self) -> Vec<Step> {
        self.0.legal_points(self.0.to_play()).map(|point| Step::At(vertex(point))).collect()
    }

    fn game_over(&self) -> Option<GameOver> {
        (self.0.passes() >= 2).then_some(GameOver::ToCount)
    }

    fn count(&self) -> GameResult {
        GameResult::from_lead(self.0.score(&Statuses::all_alive()))
    }

    fn handicap(&mut self, stones: usize) -> Result<Vec<Vertex>, IllegalStep> {
        let (width, height) = (self.0.board().width(), self.0.board().height());
        let points = fixed_handicap(width, height, stones);
        let points = points.ok_or_else(|| {
            IllegalStep(format!("a board of size {width} has no fixed handicap of {stones} stones"))
        })?;
        self.0.place_handicap(&points).map_err(|why| IllegalStep(why.to_string()))?;
        Ok(points.into_iter().map(vertex).collect())
    }
}
