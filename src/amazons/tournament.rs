//! Commands of servers and match programs.

use super::{Amazons, NAME, VERSION};
use crate::gtp::{Call, Commands, Reply};

pub(super) fn register(commands: &mut Commands<Amazons>) {
    commands
        .add("cgos-opponent_name", opponent_name)
        .add("cgos-gameover", game_over)
        .add("kgs-game_over", game_over)
        .add("gomill-describe_engine", |session, _| Ok(describe(session)));
}

fn opponent_name(session: &mut Amazons, call: &mut Call) -> Reply {
    session.opponent = call.args.rest().to_owned();
    tracing::info!("the opponent is {:?}", session.opponent);
    Ok(String::new())
}

fn game_over(session: &mut Amazons, call: &mut Call) -> Reply {
    tracing::info!("the game is over: {:?}", call.args.rest());
    session.awaiting_answer = false;
    Ok(String::new())
}

fn describe(session: &Amazons) -> String {
    let how = match session.settings.visits {
        Some(visits) => format!("{visits} visits a turn"),
        None => "as many visits as time allows".to_owned(),
    };
    format!(
        "{NAME} {VERSION}, tree search over queen moves and arrows in Rust\n{how}, {} threads",
        session.searcher.threads()
    )
}
