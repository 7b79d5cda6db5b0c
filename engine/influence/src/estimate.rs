//! A whole estimate of a position: who leads, whose each point is, and the groups.

use super::dragons::{Dragon, Dragons};
use super::urgent::{Urgent, is_in_danger, urgent};
use super::{Influence, InfluenceModel};
use go_engine::{Color, Game, Point};

/// What a model says of a position.
#[derive(Clone)]
pub struct ScoreEstimate {
    /// The model's name.
    pub model: &'static str,
    /// Whose turn it is.
    pub to_play: Color,
    /// What the model makes of every point.
    pub influence: Influence,
    /// Whose each point is expected to be, row by row from A1: 1 Black's, -1 White's; dragons that
    /// are given up for dead are their opponent's.
    pub ownership: Vec<f32>,
    /// Worms, cavities, links and dragons.
    pub dragons: Dragons,
    /// For each dragon, the moves that defend it and those that attack it; none for one that is safe
    /// or lost.
    pub moves: Vec<[Vec<Urgent>; 2]>,
    /// By how many points Black's area is expected to be larger than White's.
    pub area_lead: f64,
    /// What the lead in area is less by under the rules in force: [`Game::area_compensation`].
    pub compensation: f64,
}

/// A point counts as somebody's from this expectation on.
const OWNED: f32 = 0.5;

impl ScoreEstimate {
    /// Estimates the present position of a game.
    ///
    /// ```
    /// use go_engine::{Color, Game, Move};
    /// use go_influence::{Model, ScoreEstimate};
    /// let mut game = Game::new(9, 9).unwrap();
    /// game.set_komi(6.5);
    /// for name in ["E2", "E3", "E4", "E5", "E6", "E7", "E8"] {
    ///     game.play(Color::Black, Move::Play(name.parse()?))?;
    /// }
    /// let chen = Model::all().into_iter().find(|model| model.name() == "chen").unwrap();
    /// let estimate = ScoreEstimate::of(&game, &chen);
    /// assert_eq!(estimate.dragons.dragons.len(), 1);
    /// assert!(estimate.lead() > 10.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(game: &Game, model: &dyn InfluenceModel) -> ScoreEstimate {
        let influence = model.influence(game.board(), game.to_play());
        ScoreEstimate::of_influence(game, model, influence)
    }

    /// The same where it is known what the model makes of the position, from its history, say.
    pub fn of_influence(
        game: &Game,
        model: &dyn InfluenceModel,
        influence: Influence,
    ) -> ScoreEstimate {
        let board = game.board();
        let to_play = game.to_play();
        let dragons = Dragons::of(board, model, &influence);
        let mut ownership = influence.ownerships();
        if !model.is_learned() {
            let index =
                |p: Point| usize::from(p.row()) * usize::from(board.width()) + usize::from(p.col());
            for dragon in dragons.dragons.iter().filter(|dragon| dragon.safety == 0) {
                let owner = f32::from(super::stones::sign(dragon.color.other()));
                for &point in dragon.stones.iter().chain(&dragon.territory) {
                    ownership[index(point)] = owner;
                }
            }
        }
        let moves = dragons.dragons.iter().map(|dragon| {
            if is_in_danger(dragon) {
                [dragon.color, dragon.color.other()]
                    .map(|color| urgent(board, model, dragon, color))
            } else {
                [Vec::new(), Vec::new()]
            }
        });
        let moves = moves.collect();
        let area_lead = ownership.iter().map(|&owned| f64::from(owned)).sum();
        let compensation = game.area_compensation();
        ScoreEstimate {
            model: model.name(),
            to_play,
            influence,
            ownership,
            dragons,
            moves,
            area_lead,
            compensation,
        }
    }

    /// By how many points Black leads under the rules in force, compensation included.
    pub fn lead(&self) -> f64 {
        self.area_lead - self.compensation
    }

    /// Whose a point is, if anybody's.
    pub fn owner(&self, point: Point) -> Option<Color> {
        let width = usize::from(self.influence.width());
        let index = usize::from(point.row()) * width + usize::from(point.col());
        match self.ownership.get(index) {
            Some(&owned) if owned >= OWNED => Some(Color::Black),
            Some(&owned) if owned <= -OWNED => Some(Color::White),
            _ => None,
        }
    }

    /// The points that a colour holds: living stones, and empty points and dead stones.
    pub fn holdings(&self, game: &Game, color: Color) -> Holdings {
        let mut holdings = Holdings::default();
        for point in game.board().points().filter(|&point| self.owner(point) == Some(color)) {
            match game.board().stone(point) {
                None => holdings.empty += 1,
                Some(stone) if stone == color => holdings.stones += 1,
                Some(_) => holdings.dead += 1,
            }
        }
        holdings
    }

    /// The dragons, each with the moves that defend and that attack it, the largest first.
    pub fn groups(&self) -> Vec<(&Dragon, &[Vec<Urgent>; 2])> {
        let mut groups: Vec<_> = self.dragons.dragons.iter().zip(&self.moves).collect();
        groups.sort_by_key(|(dragon, _)| (std::cmp::Reverse(dragon.stones.len()), dragon.origin()));
        groups
    }
}

/// What a colour holds, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holdings {
    /// Its own stones.
    pub stones: usize,
    /// Empty points.
    pub empty: usize,
    /// Points with stones of the opponent's that are dead.
    pub dead: usize,
}

impl Holdings {
    /// All of it: its area.
    pub fn area(&self) -> usize {
        self.stones + self.empty + self.dead
    }
}
