//! What an analysis tells before there is much of a search: the estimate without search counts for some playouts.

use game_core::Report;
use go_engine::{Color, Game, Move};

use super::estimate;

/// What is said of a position without search: it counts for some playouts beside those that a search
/// has made, so that a young search's lead and ownership do not jump about.
pub struct Early {
    /// Black's lead, komi included.
    lead: f32,
    ownership: Vec<f32>,
    /// Playouts that it counts for.
    playouts: f64,
}

impl Early {
    /// What is said of this position, which counts for so many playouts.
    pub fn of(game: &Game, playouts: u64) -> Early {
        match estimate::gogui::estimate(game) {
            Some(estimate) if playouts > 0 => Early {
                lead: estimate.lead as f32,
                ownership: estimate.ownership,
                playouts: playouts as f64,
            },
            _ => Early { lead: 0.0, ownership: Vec::new(), playouts: 0.0 },
        }
    }

    /// The report of `color`'s search with this beside them.
    pub fn temper(&self, report: &Report<Move>, color: Color) -> Report<Move> {
        let mut report = report.clone();
        if self.playouts == 0.0 {
            return report;
        }
        let share = |visits: f64| (self.playouts / (self.playouts + visits)) as f32;
        let lead = if color == Color::Black { self.lead } else { -self.lead };
        let temper = |told: &mut Option<f32>, visits: f64| {
            *told = told.map(|told| told + share(visits) * (lead - told));
        };
        temper(&mut report.lead, report.visits as f64);
        for found in &mut report.moves {
            temper(&mut found.lead, f64::from(found.visits));
        }
        let share = share(report.counted as f64);
        if report.counted == 0 || report.ownership.len() != self.ownership.len() {
            report.ownership.clone_from(&self.ownership);
        } else {
            for (owned, early) in report.ownership.iter_mut().zip(&self.ownership) {
                *owned += share * (early - *owned);
            }
        }
        report
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_early_gives_way_to_what_was_counted() {
        let early = Early { lead: 10.0, ownership: vec![0.8; 81], playouts: 100.0 };
        let told = |visits, counted| {
            let lead = Some(0.0);
            let report =
                Report { visits, counted, lead, ownership: vec![0.0; 81], ..Report::default() };
            let tempered = early.temper(&report, Color::White);
            (tempered.lead, tempered.ownership[0])
        };
        assert_eq!(told(0, 0), (Some(-10.0), 0.8));
        // A tree kept from an earlier position has scores, and no owners yet.
        assert_eq!(told(300, 0), (Some(-2.5), 0.8));
        assert_eq!(told(300, 300), (Some(-2.5), 0.2));
    }
}
