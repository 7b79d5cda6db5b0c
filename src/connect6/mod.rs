//! Connect6 over GTP, and the tools around its engine.
//!
//! A [`Connect6`] session is the one of all games ([`crate::session`]) with this game's rules and words ([`game`]), its
//! engine ([`engine`]) and commands of its own. [`cli`] is the program's command line, with the tools beside the session.

pub mod bench;
pub mod cli;
mod display;
pub mod duel;
pub mod engine;
pub mod game;
pub mod notation;
pub mod record;
mod samples;
pub mod selfplay;
mod simple_turn;
pub mod solve;
pub mod train;

use connect6_engine::{Game, Rules};

use crate::gtp::{Call, Commands, Failure, Reply};
use crate::session::{self, Session, gogui, record::save};

pub use game::Form;

/// A session: one game after another over one connection.
pub type Connect6 = Session<Game>;

/// Everything that a session answers to.
pub fn commands() -> Commands<Connect6> {
    let mut commands = session::commands();
    gogui::add_rules(&mut commands);
    session::add_plain_seed(&mut commands);
    display::register(&mut commands);
    commands
        .add("connect6-play_turn", session::play)
        .add("connect6-rules", rules)
        .add("connect6-print_platform", |session, _| Ok(record::platform(&session.game)))
        .add("connect6-save_platform", |session, call| {
            save(call, &record::platform(&session.game))
        });
    commands
}

/// `connect6-rules` tells m, n, k, p and q; with five numbers it sets them and empties the board.
fn rules(session: &mut Connect6, call: &mut Call) -> Reply {
    if call.args.is_empty() {
        let r = session.game.rules();
        return Ok(format!("{} {} {} {} {}", r.width(), r.height(), r.k(), r.p(), r.q()));
    }
    let mut number = || call.args.parse::<usize>();
    let (m, n, k, p, q) = (number()?, number()?, number()?, number()?, number()?);
    call.args.end()?;
    let rules = Rules::new(m, n, k, p, q).map_err(|why| Failure::new(why.to_string()))?;
    session.replace(Game::new(rules));
    Ok(String::new())
}
