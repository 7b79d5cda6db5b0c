//! One step of minorisation-maximisation: new strengths of the features of one slot, those of all others being as
//! they are.

use super::competitions::Competitions;
use super::slots::Slot;
use rayon::prelude::*;

/// The strengths of one kind of features, tactical ones or shapes.
pub(super) struct Strengths {
    /// By row.
    strengths: Vec<f64>,
    /// How often each has won: on a team that did.
    wins: Vec<f64>,
}

impl Strengths {
    /// All alike, with what they have won in these slots, those of all features of the kind.
    pub fn even<'s>(
        features: usize,
        slots: impl Iterator<Item = Slot<'s>>,
        competitions: &[Competitions],
    ) -> Strengths {
        let mut wins = vec![0.0; features];
        for slot in slots {
            let of_slot = summed(features, slot, competitions, Competitions::add_wins);
            wins.iter_mut().zip(of_slot).for_each(|(wins, more)| *wins += more);
        }
        Strengths { strengths: vec![1.0; features], wins }
    }

    /// The logarithm of each.
    pub fn logarithms(&self) -> Vec<f32> {
        self.strengths.iter().map(|strength| strength.ln() as f32).collect()
    }

    /// Gives the features of a slot the strengths that make what happened likeliest by a lower bound that is exact for
    /// the present ones, so that the likelihood never falls:
    ///
    /// ```text
    /// gamma' = W / sum over competitions of C / E
    /// ```
    ///
    /// with W wins of the feature, C the strength of its team-mates and E that of all teams. As in the paper each
    /// feature has won once and lost once against a strength of 1 beside, so that none becomes 0 or infinite. Where a
    /// team can have several features of the slot, n at most, the bound is that of their n-th powers.
    pub fn adjust(&mut self, slot: Slot<'_>, competitions: &mut [Competitions]) {
        let expected = summed(self.strengths.len(), slot, competitions, Competitions::add_expected);
        let max = competitions.iter().map(|piece| piece.max(slot)).max().unwrap_or(1).max(1);
        let mut factors = vec![1.0; self.strengths.len()];
        for (row, factor) in factors.iter_mut().enumerate() {
            // Not of this slot, or met nowhere.
            if expected[row] == 0.0 {
                continue;
            }
            let strength = &mut self.strengths[row];
            let adjusted =
                (self.wins[row] + 1.0) / (expected[row] / *strength + 2.0 / (*strength + 1.0));
            *factor = (adjusted / *strength).powf(1.0 / f64::from(max));
            *strength *= *factor;
        }
        competitions.par_iter_mut().for_each(|piece| piece.scale(slot, &factors));
    }
}

/// Sums by feature over all pieces, piece by piece and then in order: the same on any number of threads.
fn summed(
    features: usize,
    slot: Slot<'_>,
    competitions: &[Competitions],
    add: fn(&Competitions, Slot<'_>, &mut [f64]),
) -> Vec<f64> {
    let parts: Vec<Vec<f64>> = competitions
        .par_iter()
        .map(|piece| {
            let mut sums = vec![0.0; features];
            add(piece, slot, &mut sums);
            sums
        })
        .collect();
    let sum = |row: usize| parts.iter().map(|part| part[row]).sum();
    (0..features).into_par_iter().map(sum).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::features::Features;
    use super::super::super::groups::{Group, TACTICAL};
    use super::super::super::sampling::Drawn;
    use super::super::super::shape::Family;
    use super::super::slots::{Chains, NONE, ShapeLevels, tactical_slots};
    use super::*;
    use go_engine::Site;

    /// The tactical features and shapes of a team.
    type Team<'t> = (&'t [u16], &'t [u32]);

    /// Adds a competition, the winner first.
    fn compete(into: &mut Competitions, teams: &[Team<'_>]) {
        let mut features = Features::default();
        for (tactical, shapes) in teams {
            features.candidates.push(Site::PASS);
            features.tactical.extend(*tactical);
            features.shapes.extend(*shapes);
            features.ends.push((features.tactical.len() as u32, features.shapes.len() as u32));
        }
        into.add(&features, &Drawn::all(teams.len()), &[Family::Plain; 3], |_, _| {});
    }

    #[test]
    fn strengths_are_those_that_the_results_come_from() {
        // Eyes of one kind beat those of another three times in four, and a third kind seven times in eight.
        let [a, b, c] = [1, 2, 3].map(|value| Group::Eye.row(value) as u16);
        let mut competitions = Competitions::new();
        for (winner, loser, times) in [(a, b, 3000), (b, a, 1000), (a, c, 3500), (c, a, 500)] {
            for _ in 0..times {
                compete(&mut competitions, &[(&[winner], &[]), (&[loser], &[])]);
            }
        }
        let mut competitions = [competitions];
        let mut strengths = Strengths::even(TACTICAL, tactical_slots(), &competitions);
        let mut before = f64::MIN;
        for _ in 0..60 {
            let now = competitions[0].normalise();
            assert!(now >= before - 1e-3, "{now} {before}");
            before = now;
            tactical_slots().for_each(|slot| strengths.adjust(slot, &mut competitions));
        }
        let of = |row: u16| strengths.strengths[usize::from(row)];
        assert!((of(a) / of(b) - 3.0).abs() < 0.02, "{}", of(a) / of(b));
        assert!((of(a) / of(c) - 7.0).abs() < 0.1, "{}", of(a) / of(c));
    }

    #[test]
    fn several_features_of_a_group_and_nested_shapes_do_not_overshoot() {
        // A team may touch two chains of one kind; and shape 1 contains shape 0.
        let row = Group::Answer.row(0) as u16;
        let mut competitions = Competitions::new();
        for number in 0..4000 {
            let winner: Team<'_> = match number % 4 {
                0 => (&[], &[0]),
                1 => (&[row], &[0, 1]),
                _ => (&[row, row], &[0, 1]),
            };
            let loser: Team<'_> = if number % 3 == 0 { (&[row], &[0]) } else { (&[], &[2]) };
            let upset = number % 5 == 0;
            compete(&mut competitions, &if upset { [loser, winner] } else { [winner, loser] });
        }
        let chains = Chains::new(&[Family::Plain; 3], vec![NONE, 0, NONE]);
        let of_chains = chains.slots(ShapeLevels::All);
        assert_eq!(of_chains.len(), 2);
        let slots = || of_chains.iter().map(|(family, rows)| Slot::Shapes(*family, rows));
        let mut competitions = [competitions];
        let mut tactical = Strengths::even(TACTICAL, tactical_slots(), &competitions);
        let mut shapes = Strengths::even(3, slots(), &competitions);
        let mut before = f64::MIN;
        for _ in 0..300 {
            let now = competitions[0].normalise();
            assert!(now >= before - 1e-2, "{now} {before}");
            before = now;
            tactical_slots().for_each(|slot| tactical.adjust(slot, &mut competitions));
            slots().for_each(|slot| shapes.adjust(slot, &mut competitions));
        }
        // Each feature wins as often as it is expected to, but for the game won and the game lost beside.
        let slot = Slot::Tactical(Group::Answer as usize);
        let expected = summed(TACTICAL, slot, &competitions, Competitions::add_expected);
        let (wins, expected) = (tactical.wins[usize::from(row)], expected[usize::from(row)]);
        assert!((wins - expected).abs() < 3.0, "{wins} {expected}");
        let [small, large, other] = [0, 1, 2].map(|row| shapes.wins[row]);
        assert!(small + other == 4000.0 && large < small && other > 100.0, "{:?}", shapes.wins);
    }
}
