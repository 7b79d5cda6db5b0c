//! Help for a person at a terminal.

use super::Go;
use crate::gtp::Commands;

pub(super) fn register(commands: &mut Commands<Go>) {
    commands.add("help", |_, _| Ok(HELP.to_owned()));
}

/// The commands that a person needs first.
const HELP: &str = "A game against the program, typed by hand:
boardsize 9          a new board: 2 to 25
komi 7               points that White gets
play b D4            a black stone on D4 (pass: play b pass)
genmove w            lets the program move for White
showboard            the board as it stands
undo                 takes the last move back
final_score          who has won, and by how much
kata-set-rules NAME  tromp-taylor, chinese, japanese, aga or new-zealand
time_settings M B S  M seconds, then B for every S moves
loadsgf FILE         goes on with a recorded game; savesgf FILE records this one
lz-analyze b 50      shows what it thinks every half second, until the next line
tesuji-param         what can be set; tesuji-param help explains it
list_commands        everything else
quit                 leaves";
