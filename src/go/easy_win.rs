//! Thinks less about moves of a game that is won already.

use go_engine::{Color, Game};

use super::estimate::gogui::Estimate;
use super::params::Params;
use crate::session::clock::Deadlines;

/// The time for a move: a share of what the clock allows when the game is won already, by the
/// player's last search (its chance of winning, none if it made none) and by the estimate without
/// search. A lost game is fought on with all the time there is.
pub(super) fn deadlines(
    deadlines: Deadlines,
    game: &Game,
    color: Color,
    last_winrate: Option<f64>,
    estimate: impl FnOnce() -> Option<Estimate>,
    params: &Params,
) -> Deadlines {
    let share = f64::from(params.easy_win_time);
    let is_won = || {
        last_winrate.is_some_and(|winrate| winrate >= f64::from(params.easy_win_winrate))
            && estimate().is_some_and(|estimate| {
                is_won(&estimate, game.area_compensation(), color, params.easy_win_sure)
            })
    };
    if share >= 1.0 || !is_won() {
        return deadlines;
    }
    deadlines.part(share)
}

/// Whether a player is ahead by points that are surely his, all others given to the opponent.
fn is_won(estimate: &Estimate, compensation: f64, color: Color, sure: f32) -> bool {
    let (sign, compensation) = match color {
        Color::Black => (1.0, compensation),
        Color::White => (-1.0, -compensation),
    };
    let held = estimate.ownership.iter().filter(|&&owned| sign * owned >= sure).count() as f64;
    held - (estimate.ownership.len() as f64 - held) > compensation
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::estimate::gogui::estimate;
    use crate::session::clock::Budget;
    use go_engine::Move;
    use std::time::{Duration, Instant};

    /// A 9x9 game in which Black has a wall along a column and White nothing but the last move.
    fn game(column: char) -> Game {
        let mut game = Game::new(9, 9).unwrap();
        game.set_komi(7.5);
        for row in 1..=9 {
            let point = format!("{column}{row}").parse().unwrap();
            game.play(Color::Black, Move::Play(point)).unwrap();
        }
        game
    }

    fn share(game: &Game, color: Color, winrate: Option<f64>) -> f64 {
        let full = Budget { soft: Duration::from_secs(1), hard: Duration::from_secs(2) };
        let full = Deadlines::new(Instant::now(), full);
        let estimated = || estimate(game);
        let given = deadlines(full, game, color, winrate, estimated, &Params::default());
        let length = |end: Instant| end.duration_since(full.began).as_secs_f64();
        assert!((length(given.hard) - 2.0 * length(given.soft)).abs() < 1e-6);
        length(given.soft)
    }

    #[test]
    fn less_time_for_a_game_that_is_won() {
        let won = game('E');
        assert!(share(&won, Color::Black, Some(0.99)) < 0.5);
        // Not for the loser, not against the search, not at the first move.
        assert_eq!(share(&won, Color::White, Some(0.99)), 1.0);
        assert_eq!(share(&won, Color::Black, Some(0.9)), 1.0);
        assert_eq!(share(&won, Color::Black, None), 1.0);
        assert_eq!(share(&Game::new(9, 9).unwrap(), Color::Black, Some(0.99)), 1.0);
    }

    #[test]
    fn open_points_count_for_the_opponent() {
        let estimate = |sure: usize| Estimate {
            lead: 0.0,
            error: 0.0,
            ownership: (0..81).map(|at| if at < sure { 0.8 } else { 0.6 }).collect(),
        };
        assert!(is_won(&estimate(45), 7.5, Color::Black, 0.7));
        assert!(!is_won(&estimate(44), 7.5, Color::Black, 0.7));
        assert!(!is_won(&estimate(81), 7.5, Color::White, 0.7));
    }
}
