//! What estimates positions without search: a model of influence, or the network inside the program.

use super::measure::sign;
use crate::knowledge::Library;
use crate::learned;
use crate::network::own::OwnFile;
use go_engine::game::AnyBoard;
use go_engine::{Color, Game};
use go_influence::{Influence, InfluenceModel, Model, ScoreEstimate, Stones, Tuned};
use go_network::{GameEvaluation, Network, Symmetry, evaluate_board, evaluate_game};
use std::sync::{Arc, LazyLock};

static TUNED: LazyLock<Option<Arc<Tuned>>> =
    LazyLock::new(|| learned::influence().ok().map(Arc::new));

/// Why there is no estimate.
#[derive(Debug, thiserror::Error)]
pub enum EstimateError {
    /// What was learned cannot be read.
    #[error("the built-in model is damaged")]
    Damaged,
    /// The network knows no boards of this size.
    #[error("the network knows boards of 9x9 to 19x19")]
    UnknownBoard,
}

/// What estimates positions.
pub enum Estimator {
    /// A model of influence.
    Influence(Model),
    /// A network.
    Network(Arc<Network>),
}

/// Whose a board is expected to be, row by row from A1, positive for Black.
#[derive(Clone, Debug, PartialEq)]
pub struct TerritoryEstimate {
    /// From -1 to 1.
    pub ownership: Vec<f32>,
    /// To whom each point leans: 1, -1, or 0 for neither.
    pub leanings: Vec<i8>,
    /// Black's lead in area, without komi and whatever else is not on the board.
    pub area_lead: f64,
}

impl TerritoryEstimate {
    /// That of someone who says no more than whose each point is.
    pub fn of_owners(ownership: Vec<f32>) -> TerritoryEstimate {
        let leanings = ownership.iter().map(|&owned| sign(f64::from(owned))).collect();
        let area_lead = ownership.iter().map(|&owned| f64::from(owned)).sum();
        TerritoryEstimate { ownership, leanings, area_lead }
    }

    /// That of a model of influence, whose points may lean to a side more finely than its expectations tell.
    pub fn of_influence(influence: &Influence) -> TerritoryEstimate {
        let leanings = influence.leanings();
        TerritoryEstimate { leanings, ..TerritoryEstimate::of_owners(influence.ownerships()) }
    }
}

impl Estimator {
    /// The tuned model that ships inside the program.
    ///
    /// # Errors
    /// Never with an undamaged program.
    pub fn tuned() -> Result<Arc<Tuned>, EstimateError> {
        TUNED.clone().ok_or(EstimateError::Damaged)
    }

    /// The network that ships inside the program.
    ///
    /// # Errors
    /// Never with an undamaged program.
    pub fn network() -> Result<Estimator, EstimateError> {
        let library = Library::built_in().map_err(|_| EstimateError::Damaged)?;
        let file = OwnFile::built_in().map_err(|_| EstimateError::Damaged)?;
        Ok(Estimator::Network(Arc::new(file.network(None, &Arc::new(library)))))
    }

    /// Whether it has something to say of positions on the board of this game.
    pub fn knows(&self, game: &Game) -> bool {
        match self {
            Estimator::Influence(_) => true,
            Estimator::Network(network) => network.knows(game),
        }
    }

    /// The whole estimate of a game's present position.
    ///
    /// # Errors
    /// For the network on boards that it does not know.
    pub fn estimate(&self, game: &Game) -> Result<ScoreEstimate, EstimateError> {
        let network = match self {
            Estimator::Influence(model) => return Ok(ScoreEstimate::of(game, model)),
            Estimator::Network(network) => network,
        };
        let opinion = self.opinion(game)?;
        let influence = Influence::of_owners(game.board(), &opinion.ownership);
        let estimate = ScoreEstimate::of_influence(game, &OfGame { network, game }, influence);
        let TerritoryEstimate { ownership, area_lead, .. } = opinion;
        Ok(ScoreEstimate { ownership, area_lead, ..estimate })
    }

    /// By how many points its leads are wrong in the mean, on boards as full as this game's: what was measured for the
    /// tuned model, and for the network inside the program.
    pub fn mean_error(&self, game: &Game) -> f64 {
        let measured = match self {
            Estimator::Influence(_) => &TUNED_ERRORS,
            Estimator::Network(_) => &NETWORK_ERRORS,
        };
        measured.on(game.board())
    }

    /// Whose the board is expected to be.
    ///
    /// # Errors
    /// As [`estimate`](Estimator::estimate).
    pub fn opinion(&self, game: &Game) -> Result<TerritoryEstimate, EstimateError> {
        match self {
            Estimator::Influence(model) => {
                let stones = Stones::of_game(game.board());
                Ok(TerritoryEstimate::of_influence(&model.spread(&stones, game.to_play())))
            }
            Estimator::Network(network) => {
                let said = ask(network, game)?;
                let sign = if said.to_play == Color::Black { 1.0 } else { -1.0 };
                let lead = sign * f64::from(said.evaluation.lead) + game.area_compensation();
                let owners = said.owners.into_iter().map(|(_, owner)| owner).collect();
                Ok(TerritoryEstimate { area_lead: lead, ..TerritoryEstimate::of_owners(owners) })
            }
        }
    }
}

/// Numbers of stones on 19x19 at which leads were measured; as many to a point on smaller boards.
const MEASURED_AT: [f64; 5] = [20.0, 60.0, 100.0, 150.0, 200.0];

/// The mean error of a lead in points, at each of [`MEASURED_AT`] (`docs/experiments/influence.md`).
struct MeanErrors {
    on_9x9: [f64; 5],
    on_19x19: [f64; 5],
}

const TUNED_ERRORS: MeanErrors =
    MeanErrors { on_9x9: [11.8, 11.5, 10.4, 10.1, 8.9], on_19x19: [7.2, 8.6, 9.0, 9.3, 8.7] };
const NETWORK_ERRORS: MeanErrors =
    MeanErrors { on_9x9: [9.5, 8.9, 8.2, 8.4, 6.0], on_19x19: [6.0, 6.7, 7.2, 6.9, 5.6] };

impl MeanErrors {
    /// The error on a board as full as this one, between those that were measured.
    fn on(&self, board: &AnyBoard) -> f64 {
        let area = board.area() as f64;
        let stones = board.stones().count() as f64 * 361.0 / area;
        let towards_19 = ((area.sqrt() - 9.0) / 10.0).clamp(0.0, 1.0);
        let mix = |share: f64, from: f64, to: f64| from + share * (to - from);
        let at = |place: usize| mix(towards_19, self.on_9x9[place], self.on_19x19[place]);
        match MEASURED_AT.iter().position(|&count| count >= stones) {
            Some(0) => at(0),
            Some(to) => {
                let [before, after] = [MEASURED_AT[to - 1], MEASURED_AT[to]];
                mix((stones - before) / (after - before), at(to - 1), at(to))
            }
            None => at(MEASURED_AT.len() - 1),
        }
    }
}

/// A network as a model of influence, for boards that follow from a game's.
struct OfGame<'a> {
    network: &'a Network,
    game: &'a Game,
}

impl InfluenceModel for OfGame<'_> {
    fn name(&self) -> &'static str {
        "network"
    }

    fn influence(&self, board: &AnyBoard, to_play: Color) -> Influence {
        let said = evaluate_board(self.network, board, to_play, self.game);
        let owners = said.map(|said| said.owners).unwrap_or_default();
        let owners: Vec<f32> = owners.into_iter().map(|(_, owner)| owner).collect();
        Influence::of_owners(board, &owners)
    }

    fn is_learned(&self) -> bool {
        true
    }
}

fn ask(network: &Network, game: &Game) -> Result<GameEvaluation, EstimateError> {
    let said =
        if network.knows(game) { evaluate_game(network, game, 0.0, Symmetry::NONE) } else { None };
    said.ok_or(EstimateError::UnknownBoard)
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_engine::{Move, Point};

    /// A game with so many stones on a board of this side.
    fn game(side: u8, stones: usize) -> Game {
        let points = (0..side).flat_map(|row| (0..side).map(move |col| Point::new(col, row)));
        // Every fourth point is open: there are liberties enough.
        let held = points.filter(|point| point.row() % 2 == 0 || point.col() % 2 == 0);
        let mut game = Game::new(side, side).unwrap();
        game.set_up(held.take(stones).map(|point| (point, Some(Color::Black)))).unwrap();
        game
    }

    #[test]
    fn errors_are_those_that_were_measured_and_between_them() {
        let [network, tuned] = [&NETWORK_ERRORS, &TUNED_ERRORS];
        let error = |errors: &MeanErrors, side, stones| {
            (errors.on(game(side, stones).board()) * 100.0).round() / 100.0
        };
        assert_eq!(error(tuned, 19, 100), 9.0);
        assert_eq!(error(network, 19, 80), 6.95);
        assert_eq!([error(network, 19, 0), error(network, 19, 220)], [6.0, 5.6]);
        assert_eq!([error(network, 9, 0), error(tuned, 5, 0)], [9.5, 11.8]);
        assert_eq!(error(network, 13, 0), 8.1);
    }

    #[test]
    fn a_network_is_asked_about_boards_that_it_knows() {
        let network = Estimator::network().unwrap();
        let small = game(5, 3);
        assert!(!network.knows(&small));
        assert_eq!(
            network.opinion(&small).unwrap_err().to_string(),
            "the network knows boards of 9x9 to 19x19"
        );
        let mut won = game(9, 0);
        for col in 0..9 {
            won.play(Color::Black, Move::Play(Point::new(col, 3))).unwrap();
            won.play(Color::White, Move::Play(Point::new(col, 5))).unwrap();
        }
        let estimate = network.estimate(&won).unwrap();
        assert_eq!(estimate.model, "network");
        // Black has four rows, White four.
        assert!(estimate.area_lead.abs() < 8.0, "{}", estimate.area_lead);
        let at = |row: u8| estimate.owner(Point::new(4, row));
        assert_eq!([at(0), at(8)], [Some(Color::Black), Some(Color::White)]);
    }
}
