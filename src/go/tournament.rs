//! Commands of servers and match programs: CGOS, KGS and gomill's ringmaster.

use super::{Go, NAME, VERSION};
use crate::gtp::{Call, Commands, Reply};

pub(super) fn register(commands: &mut Commands<Go>) {
    commands
        .add("cgos-opponent_name", opponent_name)
        .add("cgos-opponent_rating", |_, _| Ok(String::new()))
        .add("cgos-gameover", game_over)
        .add("kgs-game_over", game_over)
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

fn describe(go: &Go) -> String {
    let how = match go.settings.playouts {
        Some(playouts) => format!("{playouts} playouts a move"),
        None => "as many playouts as time allows".to_owned(),
    };
    format!("{NAME} {VERSION}, a Monte-Carlo tree search in Rust\n{how}, {} rules", go.game.rules())
}
