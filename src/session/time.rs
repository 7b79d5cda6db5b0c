//! Commands about time.

use super::Session;
use super::clock::{TimeControl, TimeError};
use super::game::Game;
use crate::gtp::{Call, Commands, Failure, Reply};

pub(super) fn register<G: Game>(commands: &mut Commands<Session<G>>) {
    commands
        .add("time_settings", time_settings)
        .add("kgs-time_settings", named_time_settings)
        .add("kata-time_settings", named_time_settings)
        .add("kata-list_time_settings", |_, _| Ok(TimeControl::NAMES.join(" ")))
        .add("time_left", time_left);
}

fn failure(error: TimeError) -> Failure {
    Failure::new(match error {
        TimeError::Kind(_) => {
            format!("{error}; known are {}", TimeControl::NAMES.join(", "))
        }
        TimeError::Limit => error.to_string(),
        TimeError::Time | TimeError::Syntax => "syntax error".to_owned(),
    })
}

fn time_settings<G: Game>(session: &mut Session<G>, call: &mut Call) -> Reply {
    let (main, byo_yomi) = (call.args.real()?, call.args.real()?);
    let stones = call.args.integer(0..=1_000_000)? as u32;
    set(session, TimeControl::gtp(main, byo_yomi, stones))
}

fn named_time_settings<G: Game>(session: &mut Session<G>, call: &mut Call) -> Reply {
    set(session, TimeControl::named(call.args.rest()))
}

fn set<G: Game>(session: &mut Session<G>, control: Result<TimeControl, TimeError>) -> Reply {
    session.clock.reset(control.map_err(failure)?);
    session.warm_up();
    Ok(String::new())
}

fn time_left<G: Game>(session: &mut Session<G>, call: &mut Call) -> Reply {
    let color = call.args.color()?;
    let seconds = call.args.real()?;
    let stones = call.args.integer(0..=1_000_000)? as u32;
    session.clock.set_left(color, seconds, stones).map_err(failure)?;
    Ok(String::new())
}
