//! What a network says of a game's position, in the words of the game.

use crate::features::{FeatureWriter, MAX_SIDE};
use crate::network::{Network, NetworkQuery};
use crate::output::{Evaluation, Outputs};
use crate::position::{FromGame, Position};
use crate::rules::NetworkRules;
use game_core::Symmetry;
use go_engine::board::{Board, Site};
use go_engine::game::AnyBoard;
use go_engine::{Color, Game, Move, Point};

/// What a network says of a position.
#[derive(Clone, Debug)]
pub struct GameEvaluation {
    /// Who is to play, whom `evaluation` means.
    pub to_play: Color,
    /// Chances, scores and errors.
    pub evaluation: Evaluation,
    /// All legal moves with their chances, the most likely first.
    pub policy: Vec<(Move, f32)>,
    /// Whose each point will be, row by row from A1: 1 is Black's, -1 White's.
    pub owners: Vec<(Point, f32)>,
}

/// Asks a network for the position of a game, as it stands, under the game's rules. `optimism`, 0 to 1, is that of
/// [`Outputs::policy`]; the board is turned before, and what is said turned back. There is no answer for boards above 19x19,
/// nor for a symmetry that gives a board other sides.
pub fn evaluate_game(
    network: &Network,
    game: &Game,
    optimism: f32,
    symmetry: Symmetry,
) -> Option<GameEvaluation> {
    match game.board() {
        AnyBoard::Up9(_) => of_game::<128, 2>(network, game, optimism, symmetry),
        AnyBoard::Up13(_) => of_game::<256, 3>(network, game, optimism, symmetry),
        AnyBoard::Up19(_) => of_game::<512, 6>(network, game, optimism, symmetry),
        AnyBoard::Up25(_) => None,
    }
}

/// Asks a network for a board as if nothing had been played before, under the rules and with the komi of a game. There is no
/// answer for boards above 19x19.
pub fn evaluate_board(
    network: &Network,
    board: &AnyBoard,
    to_play: Color,
    game: &Game,
) -> Option<GameEvaluation> {
    match board {
        AnyBoard::Up9(board) => of_board(network, board, to_play, game),
        AnyBoard::Up13(board) => of_board(network, board, to_play, game),
        AnyBoard::Up19(board) => of_board(network, board, to_play, game),
        AnyBoard::Up25(_) => None,
    }
}

fn of_board<const N: usize, const W: usize>(
    network: &Network,
    board: &Board<N, W>,
    to_play: Color,
    game: &Game,
) -> Option<GameEvaluation> {
    let rules = NetworkRules::from(*game.rules());
    let captured = Color::BOTH.map(|color| game.captured(color));
    let mut position = Position::new(board.clone(), to_play, rules, game.komi(), captured);
    position.take_handicap(game);
    of_position(network, &position, 0.0, Symmetry::NONE)
}

fn of_game<const N: usize, const W: usize>(
    network: &Network,
    game: &Game,
    optimism: f32,
    symmetry: Symmetry,
) -> Option<GameEvaluation>
where
    Position<N, W>: FromGame,
{
    let rules = NetworkRules::from(*game.rules());
    let position = Position::<N, W>::from_game(game, game.to_play(), rules)?;
    of_position(network, &position, optimism, symmetry)
}

fn of_position<const N: usize, const W: usize>(
    network: &Network,
    position: &Position<N, W>,
    optimism: f32,
    symmetry: Symmetry,
) -> Option<GameEvaluation> {
    let board = position.board();
    let (width, height) = (board.width(), board.height());
    let sides = 2..=MAX_SIDE as u8;
    let keeps_sides = Symmetry::of_board((width, height)).any(|known| known == symmetry);
    if !sides.contains(&width) || !sides.contains(&height) || !keeps_sides {
        return None;
    }
    let features = FeatureWriter::<N, W>::new(network.strict_pass_alive()).write(position);
    let points: Vec<Point> =
        (0..height).rev().flat_map(|row| (0..width).map(move |col| Point::new(col, row))).collect();
    let sites: Vec<Site> = points.iter().filter_map(|&point| board.site(point)).collect();
    let (mut worker, mut outputs) = (network.worker(features.size, 1), Outputs::default());
    let asked = NetworkQuery { position, features: &features, symmetry };
    network.evaluate_position(&mut worker, asked, &sites, &mut outputs);
    let is_legal = |index: usize| {
        let point = points.get(index);
        point.is_none_or(|&point| board.site(point).is_some_and(|site| position.is_legal(site)))
    };
    let chances = outputs.policy(optimism, is_legal);
    let moves = points.iter().map(|&point| Move::Play(point)).chain([Move::Pass]);
    let mut policy: Vec<(Move, f32)> =
        moves.zip(chances).enumerate().filter(|&(at, _)| is_legal(at)).map(|(_, it)| it).collect();
    policy.sort_by(|a, b| b.1.total_cmp(&a.1));
    let to_play = position.to_play();
    let sign = if to_play == Color::Black { 1.0 } else { -1.0 };
    let mut owners: Vec<(Point, f32)> =
        points.into_iter().zip(outputs.owners().iter().map(|owner| sign * owner)).collect();
    owners.sort_by_key(|&(point, _)| point);
    let evaluation = network.evaluation(&outputs, position.rules());
    Some(GameEvaluation { to_play, evaluation, policy, owners })
}
