//! Help for a person at a terminal.

use super::Connect6;
use crate::gtp::Commands;

pub(super) fn register(commands: &mut Commands<Connect6>) {
    commands.add("help", |_, _| Ok(HELP.to_owned()));
}

/// The commands that a person needs first.
const HELP: &str = "A game against the program, typed by hand:
play b K10           a black stone on K10; a whole turn: play w K11 L12
genmove w            lets the program move for White
                     (one stone, or a whole turn if the last move was one)
showboard            the board as it stands
undo                 takes back what the last play or genmove played
final_score          who has won
boardsize 15         a new board: 1 to 19
connect6-rules 15 15 5 1 1   another game of the family: width, height, how many
                     in a row, stones a turn, stones of the first turn
time_settings M B S  M seconds, then B for every S moves
loadsgf FILE         goes on with a recorded game; savesgf FILE records this one
lz-analyze b 50      shows what it thinks every half second, until the next line
connect6-solve       whether the side to move wins by threats
tesuji-param         what can be set; tesuji-param help explains it
list_commands        everything else
quit                 leaves";
