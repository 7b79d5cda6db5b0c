//! The positions that are learned from: what every candidate's features are, and how strong the teams are now.

use super::super::features::Features;
use super::super::groups::Group;
use super::super::sampling::Drawn;
use super::super::shape::{FAMILIES, Family};
use super::slots::{NONE, Slot};

/// Competitions, one for each position. The winner of each is its first candidate.
#[derive(Default)]
pub(super) struct Competitions {
    /// Where each competition's candidates end.
    ends: Vec<u32>,
    /// How strong each team is.
    strengths: Vec<f32>,
    /// The strengths of each competition's teams together.
    sums: Vec<f64>,
    tactical: Vec<Column>,
    /// The row of each candidate's largest known shape, by family; [`NONE`] where none is known.
    largest: [Vec<u32>; FAMILIES],
}

/// One group's features: candidates, going up, each with a row.
#[derive(Default)]
struct Column {
    candidates: Vec<u32>,
    rows: Vec<u16>,
    /// The most that a candidate has.
    max: u8,
}

/// Groups that all candidates have a value of, but for [`NONE_HERE`]: kept by candidate alone.
const DENSE: [Group; 9] = [
    Group::Line,
    Group::Place,
    Group::LastDistance,
    Group::SecondDistance,
    Group::Distances,
    Group::CommonFate,
    Group::Liberties,
    Group::Nearest,
    Group::Crowd,
];

const IS_DENSE: [bool; Group::COUNT] = {
    let mut dense = [false; Group::COUNT];
    let mut i = 0;
    while i < DENSE.len() {
        dense[DENSE[i] as usize] = true;
        i += 1;
    }
    dense
};

const NONE_HERE: u16 = u16::MAX;

impl Competitions {
    /// None yet.
    pub fn new() -> Competitions {
        let tactical = (0..Group::COUNT).map(|_| Column::default()).collect();
        Competitions { tactical, ..Competitions::default() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// How many candidates they have together.
    pub fn candidates(&self) -> usize {
        self.strengths.len()
    }

    /// Adds a position; the move played is its first candidate. `chain` is told of every two shapes of a chain, the
    /// smaller one first.
    pub fn add(
        &mut self,
        features: &Features,
        drawn: &Drawn,
        families: &[Family],
        mut chain: impl FnMut(u32, u32),
    ) {
        for candidate in 0..features.candidates.len() {
            let number = self.strengths.len() as u32;
            self.strengths.push(drawn.log_weight(candidate).exp());
            let (tactical, shapes) = features.of(candidate);
            let mut counts = [0; Group::COUNT];
            for &row in tactical {
                let group = Group::index_of_row(row);
                let column = &mut self.tactical[group];
                counts[group] += 1;
                column.max = column.max.max(counts[group]);
                column.rows.push(row);
                if !IS_DENSE[group] {
                    column.candidates.push(number);
                }
            }
            for group in DENSE {
                self.tactical[group as usize].rows.resize(self.strengths.len(), NONE_HERE);
            }
            let mut largest = [NONE; FAMILIES];
            for &row in shapes {
                let largest = &mut largest[families[row as usize] as usize];
                if *largest != NONE {
                    chain(*largest, row);
                }
                *largest = row;
            }
            for (all, largest) in self.largest.iter_mut().zip(largest) {
                all.push(largest);
            }
        }
        self.ends.push(self.strengths.len() as u32);
        self.sums.push(0.0);
    }

    /// The most features of a slot that a team has.
    pub fn max(&self, slot: Slot<'_>) -> u8 {
        match slot {
            Slot::Tactical(group) => self.tactical[group].max,
            Slot::Shapes(..) => 1,
        }
    }

    /// Scales every competition's strengths so that they sum to one. Gives the sum of the logarithms of the winners'
    /// chances.
    pub fn normalise(&mut self) -> f64 {
        let mut start = 0;
        let mut log_likelihood = 0.0;
        for (&end, sum) in self.ends.iter().zip(&mut self.sums) {
            let strengths = &mut self.strengths[start..end as usize];
            let all: f64 = strengths.iter().map(|&strength| f64::from(strength)).sum();
            for strength in strengths.iter_mut() {
                *strength = (f64::from(*strength) / all) as f32;
            }
            *sum = 1.0;
            log_likelihood += f64::from(strengths[0]).max(f64::MIN_POSITIVE).ln();
            start = end as usize;
        }
        log_likelihood
    }

    /// Adds up how often each feature of a slot has won.
    pub fn add_wins(&self, slot: Slot<'_>, wins: &mut [f64]) {
        let mut winner = 0;
        self.visit(slot, |competition, candidate, row| {
            if competition > 0 {
                winner = self.ends[competition - 1] as usize;
            }
            if candidate == winner {
                wins[row as usize] += 1.0;
            }
        });
    }

    /// Adds up how often each feature of a slot would win by the strengths as they are.
    pub fn add_expected(&self, slot: Slot<'_>, expected: &mut [f64]) {
        self.visit(slot, |competition, candidate, row| {
            expected[row as usize] += f64::from(self.strengths[candidate]) / self.sums[competition];
        });
    }

    /// Multiplies the strength of every team by its features' factors.
    pub fn scale(&mut self, slot: Slot<'_>, factors: &[f64]) {
        let (mut strengths, mut sums) =
            (std::mem::take(&mut self.strengths), std::mem::take(&mut self.sums));
        self.visit(slot, |competition, candidate, row| {
            let before = strengths[candidate];
            let after = (f64::from(before) * factors[row as usize]) as f32;
            strengths[candidate] = after;
            sums[competition] += f64::from(after) - f64::from(before);
        });
        (self.strengths, self.sums) = (strengths, sums);
    }

    /// Calls `see` with every feature of a slot: competition, candidate, row.
    #[inline(always)]
    fn visit(&self, slot: Slot<'_>, mut see: impl FnMut(usize, usize, u32)) {
        match slot {
            Slot::Tactical(group) if IS_DENSE[group] => {
                let mut start = 0;
                for (competition, &end) in self.ends.iter().enumerate() {
                    let rows = &self.tactical[group].rows[start..end as usize];
                    for (candidate, &row) in rows.iter().enumerate() {
                        if row != NONE_HERE {
                            see(competition, start + candidate, u32::from(row));
                        }
                    }
                    start = end as usize;
                }
            }
            Slot::Tactical(group) => {
                let Column { candidates, rows, .. } = &self.tactical[group];
                let mut competition = 0;
                for (&candidate, &row) in candidates.iter().zip(rows) {
                    while candidate >= self.ends[competition] {
                        competition += 1;
                    }
                    see(competition, candidate as usize, u32::from(row));
                }
            }
            Slot::Shapes(family, counting) => {
                let mut start = 0;
                for (competition, &end) in self.ends.iter().enumerate() {
                    let largest = &self.largest[family as usize][start..end as usize];
                    for (candidate, &row) in largest.iter().enumerate() {
                        let row = counting.get(row as usize).copied().unwrap_or(NONE);
                        if row != NONE {
                            see(competition, start + candidate, row);
                        }
                    }
                    start = end as usize;
                }
            }
        }
    }
}
