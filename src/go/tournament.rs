//! Commands of servers and match programs: CGOS, KGS and gomill's ringmaster.

use super::{Go, NAME, VERSION};
use crate::gtp::params::{self, Params};
use crate::gtp::{Args, Call, Commands, Failure, Reply};

pub(super) fn register(commands: &mut Commands<Go>) {
    commands
        .add("cgos-opponent_name", opponent_name)
        .add("cgos-opponent_rating", |_, _| Ok(String::new()))
        .add("cgos-gameover", game_over)
        .add("kgs-game_over", game_over)
        .add("set_random_seed", set_random_seed)
        .add("get_random_seed", |go, _| Ok(random_seed(go)))
        .add("kgs-chat", |go, _| Ok(describe(go)))
        .add("gomill-describe_engine", |go, _| Ok(describe(go)));
}

fn opponent_name(go: &mut Go, call: &mut Call) -> Reply {
    go.opponent = call.args.rest().to_owned();
    tracing::info!("the opponent is {:?}", go.opponent);
    Ok(String::new())
}

fn game_over(go: &mut Go, call: &mut Call) -> Reply {
    tracing::info!("the game is over: {:?}", call.args.rest());
    go.awaiting_answer = false;
    Ok(String::new())
}

/// The parameter `seed` under the name that match programs know, as GNU Go has it.
const SEED: &str = "seed";

fn set_random_seed(go: &mut Go, call: &mut Call) -> Reply {
    if call.args.is_empty() {
        return Err(Failure::new("set_random_seed takes a whole number"));
    }
    params::answer(go, &mut Args::new(&format!("{SEED} {}", call.args.rest())))
}

fn random_seed(go: &Go) -> String {
    let seed = go.params().into_iter().find(|param| param.tunable.name == SEED);
    seed.map(|param| param.value).unwrap_or_default()
}

fn describe(go: &Go) -> String {
    let how = match go.settings.playouts {
        Some(playouts) => format!("{playouts} playouts a move"),
        None => "as many playouts as time allows".to_owned(),
    };
    format!("{NAME} {VERSION}, a Monte-Carlo tree search in Rust\n{how}, {} rules", go.game.rules())
}
