//! The Game of the Amazons over GTP, and the tools around its engine.
//!
//! An [`Amazons`] session is the one of all games ([`crate::session`]) with this game's rules and words ([`game`]), its
//! engine ([`engine`]) and commands of its own. [`cli`] is the program's command line, with the tools beside the session.

pub mod bench;
pub mod cli;
mod display;
pub mod engine;
pub mod eval;
mod files;
pub mod game;
pub mod notation;
pub mod perft;
mod policy;
pub mod record;
pub mod samples;
pub mod selfplay;
pub mod solve;
pub mod train_weights;

use amazons_engine::{Game, Position, Squares};

use crate::gtp::{Call, Commands, Failure, Reply, join, read_vertices};
use crate::session::{self, Session, gogui};
use notation::{square, vertex};

pub use game::Form;

/// A session: one game after another over one connection.
pub type Amazons = Session<Game>;

/// Everything that a session answers to.
pub fn commands() -> Commands<Amazons> {
    let mut commands = session::commands();
    gogui::add_rules(&mut commands);
    session::add_plain_seed(&mut commands);
    display::register(&mut commands);
    commands
        .add("gogui-rules_board_gfx", |session, _| Ok(burnt(&session.game)))
        .add("amazons-position", position)
        .add("amazons-burn", burn);
    commands
}

/// `amazons-position` tells the position as a diagram; `amazons-position DIAGRAM [COLOUR]` sets it up. An arrow is `*`
/// here, since `#` begins a comment in GTP.
fn position(session: &mut Amazons, call: &mut Call) -> Reply {
    let Some(diagram) = call.args.next() else {
        let position = session.game.position();
        let rows = position.to_string().replace('\n', "|").replace('#', "*");
        return Ok(format!("{rows} {}", position.to_move().letter()));
    };
    let mut position: Position = diagram
        .parse()
        .map_err(|why: amazons_engine::setup::DiagramError| Failure::new(why.to_string()))?;
    if !call.args.is_empty() {
        position.set_to_move(call.args.color()?);
    }
    call.args.end()?;
    session.replace(Game::new(position));
    Ok(String::new())
}

/// The squares that arrows have closed, and of a turn in progress the queen that moves.
fn burnt(game: &Game) -> String {
    use amazons_engine::game::Stage;
    let arrows = game.position().arrows_shot();
    let mut text = String::new();
    if !arrows.is_empty() {
        text = format!("COLOR #303030 {}\n", join(arrows.into_iter().map(vertex)));
    }
    match game.stage() {
        Stage::From => {}
        Stage::To(from) => text += &format!("MARK {}", vertex(from)),
        Stage::Arrow(from, to) => {
            text += &format!("CIRCLE {}\nMARK {}", vertex(from), vertex(to));
        }
    }
    text
}

/// `amazons-burn VERTEX ...`: arrows of a position.
fn burn(session: &mut Amazons, call: &mut Call) -> Reply {
    let squares: Option<Squares> =
        read_vertices(call.args.rest())?.into_iter().map(square).collect();
    let mut position = *session.game.position();
    for square in squares.ok_or_else(Failure::illegal_move)? {
        if !position.put_arrow(square) {
            return Err(Failure::illegal_move());
        }
    }
    session.replace(Game::new(position));
    Ok(String::new())
}
