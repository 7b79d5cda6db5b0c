//! Commands of servers and match programs: CGOS, KGS and gomill's ringmaster.

use super::game::Game;
use super::game::engine::Upkeep as _;
use super::{Session, VERSION};
use crate::gtp::params::{self, Params};
use crate::gtp::{Call, Commands, Failure, Reply};

pub(super) fn register<G: Game>(commands: &mut Commands<Session<G>>) {
    commands
        .add("cgos-opponent_name", opponent_name)
        .add("cgos-opponent_rating", |_, _| Ok(String::new()))
        .add("cgos-gameover", game_over)
        .add("kgs-game_over", game_over)
        .add("kgs-chat", |session, _| Ok(describe(session)))
        .add("gomill-describe_engine", |session, _| Ok(describe(session)));
}

fn opponent_name<G: Game>(session: &mut Session<G>, call: &mut Call) -> Reply {
    session.opponent = call.args.rest().to_owned();
    tracing::info!("the opponent is {:?}", session.opponent);
    Ok(String::new())
}

fn game_over<G: Game>(session: &mut Session<G>, call: &mut Call) -> Reply {
    tracing::info!("the game is over: {:?}", call.args.rest());
    session.awaiting_answer = false;
    Ok(String::new())
}

fn describe<G: Game>(session: &Session<G>) -> String {
    let how = match session.config.visits {
        Some(visits) => format!("{visits} {} a {}", G::VISITS, G::TURN),
        None => format!("as many {} as time allows", G::VISITS),
    };
    let threads = session.engine.threads();
    let conditions = session.game.conditions();
    format!("{} {VERSION}, {} in Rust\n{how}, {threads} threads{conditions}", G::NAME, G::METHOD)
}

/// The parameter `seed` under the name that match programs know, as GNU Go has it.
const SEED: &str = "seed";

const NO_SEED: &str = "set_random_seed takes a whole number";

/// Adds the same commands for engines without such a parameter: what was searched is forgotten, and what is drawn at
/// random, if anything, begins anew.
pub fn add_plain_seed<G: Game>(commands: &mut Commands<Session<G>>) {
    commands
        .add("set_random_seed", |session, call| {
            let seed = call.args.parse();
            session.seed = seed.map_err(|_| Failure::new(NO_SEED))?;
            session.engine.new_game();
            session.engine.reseed(session.seed);
            session.touch();
            Ok(String::new())
        })
        .add("get_random_seed", |session, _| Ok(session.seed.to_string()));
}

/// Adds the commands about the seed, for engines with a parameter of that name.
pub fn add_seed<G: Game>(commands: &mut Commands<Session<G>>) {
    commands
        .add("set_random_seed", |session, call| {
            if call.args.is_empty() {
                return Err(Failure::new(NO_SEED));
            }
            params::set(session, SEED, call.args.rest())
        })
        .add("get_random_seed", |session, _| {
            let seed = session.params().into_iter().find(|param| param.tunable.name == SEED);
            Ok(seed.map(|param| param.value).unwrap_or_default())
        });
}
