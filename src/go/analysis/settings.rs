//! What can be set for all queries by the command line and a file, and for one query by its `overrideSettings`.

use std::time::Duration;

use clap::ValueEnum;
use game_core::Color;
use go_network::NetworkParams;
use tunables::Table as _;

use crate::go::engine::GoEngine;

/// Whose chances and leads are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum View {
    /// Black's.
    Black,
    /// White's.
    White,
    /// Those of the side to move.
    #[value(alias = "sidetomove")]
    SideToMove,
}

impl View {
    /// Whether what the side to move sees is to be turned.
    pub fn turns(self, to_move: Color) -> bool {
        match self {
            View::Black => to_move == Color::White,
            View::White => to_move == Color::Black,
            View::SideToMove => false,
        }
    }
}

/// What a query does not say itself.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Settings {
    pub view: View,
    /// Visits of a position.
    pub visits: u64,
    /// How long a position is searched at most.
    pub time: Option<Duration>,
    /// Moves of a variation beyond its first.
    pub pv_len: usize,
    /// The tunables of the search with a network; none where there is no network.
    pub network: Option<Box<NetworkParams>>,
}

/// What KataGo calls what our search with a network has too.
const NETWORK_PARAMS: [(&str, &str); 2] = [
    ("rootPolicyTemperature", "network_root_policy_temperature"),
    ("rootFpuReductionMax", "network_root_fpu_reduction"),
];

/// The most visits that can be asked for.
pub(super) const MAX_VISITS: i64 = 1 << 50;
/// The longest time that can be asked for, in seconds.
pub(super) const MAX_TIME: f64 = 1e9;
/// The longest variation that can be asked for.
pub(super) const MAX_PV: i64 = 1000;
/// Moves of a variation beyond its first unless it is said, as KataGo has it.
pub(super) const DEFAULT_PV: usize = 15;

/// What came of setting something.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Set {
    /// It is as it was said.
    Done,
    /// It means nothing here.
    Ignored,
    /// It cannot be that.
    Bad(String),
}

impl Settings {
    /// What holds unless it is said otherwise, for an engine.
    pub fn new(visits: u64, engine: &GoEngine) -> Settings {
        let network = engine.any_network().map(|_| Box::new(engine.network_params().clone()));
        Settings { view: View::Black, visits, time: None, pv_len: DEFAULT_PV, network }
    }

    /// Sets what KataGo calls so.
    pub fn set(&mut self, name: &str, value: &str) -> Set {
        let value = value.trim();
        match name {
            "reportAnalysisWinratesAs" => match View::from_str(value, true) {
                Ok(view) => self.view = view,
                Err(_) => return Set::Bad(format!("{name} is BLACK, WHITE or SIDETOMOVE")),
            },
            "maxVisits" | "maxPlayouts" => match whole(value, 1..=MAX_VISITS) {
                Some(visits) => self.visits = visits as u64,
                None => {
                    return Set::Bad(format!("{name} is a whole number from 1 to {MAX_VISITS}"));
                }
            },
            "maxTime" => match value.parse::<f64>() {
                // None, as good as.
                Ok(seconds) if seconds > MAX_TIME => self.time = None,
                Ok(seconds) if seconds >= 0.0 => self.time = Some(Duration::from_secs_f64(seconds)),
                _ => return Set::Bad(format!("{name} is a number of seconds")),
            },
            "analysisPVLen" => match whole(value, 1..=MAX_PV) {
                Some(moves) => self.pv_len = moves as usize,
                None => return Set::Bad(format!("{name} is a whole number from 1 to {MAX_PV}")),
            },
            _ => return self.set_network_param(name, value),
        }
        Set::Done
    }

    /// Sets what the search with a network has and KataGo calls so.
    fn set_network_param(&mut self, name: &str, value: &str) -> Set {
        let ours = NETWORK_PARAMS.iter().find(|(theirs, _)| *theirs == name);
        let (Some((_, ours)), Some(params)) = (ours, &mut self.network) else {
            return Set::Ignored;
        };
        match params.set(ours, value) {
            Ok(()) => Set::Done,
            Err(why) => Set::Bad(why.to_string().replace(ours, name)),
        }
    }
}

/// A whole number, which may have a fraction of zero.
fn whole(text: &str, range: std::ops::RangeInclusive<i64>) -> Option<i64> {
    let number = text.parse::<f64>().ok().filter(|number| number.fract() == 0.0)?;
    Some(number as i64).filter(|number| range.contains(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    pub fn settings() -> Settings {
        Settings {
            view: View::Black,
            visits: 100,
            time: None,
            pv_len: DEFAULT_PV,
            network: Some(Box::default()),
        }
    }

    #[test]
    fn katagos_names_are_understood() {
        let mut set = settings();
        for (name, value) in [
            ("reportAnalysisWinratesAs", "SIDETOMOVE"),
            ("maxVisits", "25"),
            ("maxTime", "8.0"),
            ("analysisPVLen", "7"),
        ] {
            assert_eq!(set.set(name, value), Set::Done, "{name}");
        }
        let time = Some(Duration::from_secs(8));
        let changed =
            Settings { view: View::SideToMove, visits: 25, time, pv_len: 7, ..settings() };
        assert_eq!(set, changed);
        assert_eq!(set.set("maxTime", "1e20"), Set::Done);
        assert_eq!((set.time, set.set("wideRootNoise", "0.04")), (None, Set::Ignored));
        let mut without = Settings { network: None, ..settings() };
        for name in ["rootPolicyTemperature", "rootFpuReductionMax"] {
            assert_eq!(
                (set.set(name, "1.25"), without.set(name, "1.25")),
                (Set::Done, Set::Ignored)
            );
        }
        let network = set.network.as_ref().unwrap();
        assert_eq!(network.network_root_policy_temperature, 1.25);
        assert_eq!(network.network_root_fpu_reduction, 1.25);
        let Set::Bad(why) = set.set("rootPolicyTemperature", "0") else { panic!() };
        assert!(why.starts_with("rootPolicyTemperature takes"), "{why}");
        for (name, value) in [
            ("reportAnalysisWinratesAs", "RED"),
            ("maxVisits", "0"),
            ("maxVisits", "1e40"),
            ("maxTime", "-1"),
            ("maxTime", "nan"),
            ("analysisPVLen", "many"),
        ] {
            assert!(matches!(set.set(name, value), Set::Bad(_)), "{name} {value}");
        }
    }

    #[test]
    fn what_is_seen_depends_on_who_is_to_move() {
        let turns = |view: View| Color::BOTH.map(|color| view.turns(color));
        assert_eq!(turns(View::Black), [false, true]);
        assert_eq!(turns(View::White), [true, false]);
        assert_eq!(turns(View::SideToMove), [false, false]);
    }
}
