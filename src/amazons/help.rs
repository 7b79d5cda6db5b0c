//! Help for a person at a terminal.

use super::Amazons;
use crate::gtp::Commands;

pub(super) fn register(commands: &mut Commands<Amazons>) {
    commands.add("help", |_, _| Ok(HELP.to_owned()));
}

/// The commands that a person needs first.
const HELP: &str = "A game against the program, typed by hand; White moves first:
play w D1 D7 G7      the queen on D1 goes to D7 and shoots to G7; in the game's own
                     notation: play w d1-d7/g7 (GTP leaves out the column I, it does not)
play w D1            one step at a time: from, to, arrow
genmove b            lets the program move for Black, in the form of the last move
showboard            the board as it stands
undo                 takes the last move back
final_score          who has won
boardsize 5          another board: 10, 5 or 4
amazons-position     the position as a diagram; with a diagram sets it up
time_settings M B S  M seconds, then B for every S moves
loadsgf FILE         goes on with a recorded game; savesgf FILE records this one
lz-analyze b 50      shows what it thinks every half second, until the next line
amazons-solve        whether the side to move wins, where that can be told
tesuji-param         what can be set; tesuji-param help explains it
list_commands        everything else
quit                 leaves";
