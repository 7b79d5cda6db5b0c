//! A score estimate in words, with the board in letters.

use std::fmt::Write;

use go_engine::{Color, Game, Point};
use go_influence::{ScoreEstimate, Urgent};

use super::balance::Balance;
use super::groups::{Group, groups};

/// What stands in the first line: the record's name and the move, say.
pub fn text(title: &str, game: &Game, estimate: &ScoreEstimate) -> String {
    // Writing to a string cannot fail.
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{title}: {} to play, komi {}, estimated by {}",
        estimate.to_play,
        game.komi(),
        estimate.model
    );
    text += &board(game, estimate);
    let balance = Balance::of(game, estimate);
    let _ = writeln!(text, "{} {balance}", balance.verdict());
    let _ = writeln!(
        text,
        "\n{:6} {:>6} {:>6} {:>6} {:>6} {:>9}",
        "", "stones", "empty", "dead", "held", "expected"
    );
    for color in Color::BOTH {
        let held = estimate.holdings(game, color);
        let _ = writeln!(
            text,
            "{color:6} {:>6} {:>6} {:>6} {:>6} {:>9.1}",
            held.stones,
            held.empty,
            held.dead,
            held.area(),
            balance.expected(color)
        );
    }
    text += "held: points that are somebody's for sure enough; expected: every point by how likely it becomes whose\n";
    let _ = writeln!(
        text,
        "\ngroups, safety from 0 (dead) to 64 (alive); those in danger have letters\n{:14} {:>6} {:>9} {:>9} {:>6}",
        "", "stones", "liberties", "territory", "safety"
    );
    for Group { letter, dragon, defend, attack } in groups(estimate) {
        let name = format!("{:2} {} {}", letter.unwrap_or_default(), dragon.color, dragon.origin());
        let _ = write!(
            text,
            "{name:14} {:>6} {:>9} {:>9} {:>6}",
            dragon.stones.len(),
            dragon.liberties.len(),
            dragon.territory.len(),
            dragon.safety
        );
        for (what, moves) in [("defend", defend), ("attack", attack)] {
            if !moves.is_empty() {
                let _ = write!(text, "  {what} {}", named(moves));
            }
        }
        text.push('\n');
    }
    text
}

/// Moves with the safety that each leads to.
pub fn named(moves: &[Urgent]) -> String {
    let names: Vec<String> =
        moves.iter().map(|urgent| format!("{} ({})", urgent.point, urgent.safety)).collect();
    names.join(", ")
}

/// The board: `X` Black, `O` White, `x` and `o` stones that are given up, `+` Black's points,
/// `-` White's, `.` nobody's yet.
fn board(game: &Game, estimate: &ScoreEstimate) -> String {
    let (width, height) = (game.board().width(), game.board().height());
    let letters: String = (0..width)
        .map(|col| Point::new(col, 0).to_string().chars().next().unwrap_or(' '))
        .flat_map(|letter| [' ', letter])
        .collect();
    let mut text = format!("  {letters}\n");
    for row in (0..height).rev() {
        let _ = write!(text, "{:2}", row + 1);
        for col in 0..width {
            let point = Point::new(col, row);
            let owner = estimate.owner(point);
            let sign = match (game.board().stone(point), owner) {
                (Some(Color::Black), Some(Color::White)) => 'x',
                (Some(Color::White), Some(Color::Black)) => 'o',
                (Some(Color::Black), _) => 'X',
                (Some(Color::White), _) => 'O',
                (None, Some(Color::Black)) => '+',
                (None, Some(Color::White)) => '-',
                (None, None) => '.',
            };
            text.push(' ');
            text.push(sign);
        }
        let _ = writeln!(text, " {}", row + 1);
    }
    text + "  " + &letters + "\n"
}
