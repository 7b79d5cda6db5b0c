//! What is counted over the playouts or evaluations of a position, beside what its tree keeps.

use crate::board::Site;

/// Whose the sites became in playouts.
#[derive(Clone, Debug, Default)]
pub struct Owned {
    /// Sum of each site's ownership.
    pub sums: Vec<f64>,
    /// In how many playouts each site ended as nobody's.
    pub unowned: Vec<f64>,
    /// Sum of the squares of each site's ownership, where an evaluation shares a site between the sides; empty where each
    /// playout gives it to one.
    pub squares: Vec<f64>,
    /// Playouts that were counted.
    pub playouts: u64,
}

/// What is counted over the playouts of a position, beside what the tree keeps.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// Whose the sites became, by the root's move that the playouts went through: none, or one more than its place.
    pub owned: Vec<Owned>,
    /// Longest way down the tree.
    pub max_depth: usize,
}

impl Totals {
    /// The ownership over all playouts.
    pub fn all(&self) -> Owned {
        let mut all = Owned::default();
        for owned in &self.owned {
            all.add(&owned.sums, &owned.unowned, owned.playouts);
            add(&mut all.squares, &owned.squares);
        }
        all
    }

    /// The ownership over those that went through the root's move of this place; none when none did.
    pub fn of_move(&self, place: usize) -> Option<&Owned> {
        self.owned.get(place + 1).filter(|owned| owned.playouts > 0)
    }
}

fn add<T: Copy + Into<f64>>(all: &mut Vec<f64>, more: &[T]) {
    all.resize(all.len().max(more.len()), 0.0);
    for (sum, &more) in all.iter_mut().zip(more) {
        *sum += more.into();
    }
}

impl Owned {
    /// Adds so many playouts with these sums.
    pub fn add<T: Copy + Into<f64>>(&mut self, sums: &[T], unowned: &[T], playouts: u64) {
        add(&mut self.sums, sums);
        add(&mut self.unowned, unowned);
        self.playouts += playouts;
    }

    /// Adds an evaluation, which shares sites between the sides.
    pub fn add_shared(&mut self, owners: &[f32]) {
        add(&mut self.sums, owners);
        self.squares.resize(owners.len(), 0.0);
        for (sum, &owner) in self.squares.iter_mut().zip(owners) {
            *sum += f64::from(owner * owner);
        }
        self.playouts += 1;
    }

    /// Whose a site is, from -1, White's, to 1, Black's; 0 before the first playout.
    pub fn of(&self, s: Site) -> f32 {
        self.mean(&self.sums, s)
    }

    /// How far evaluations differ about whose a site is: the standard deviation of its ownership.
    pub fn stdev(&self, s: Site) -> f32 {
        let mean = self.of(s);
        // Wholly one side's in each playout, but for a seki's points.
        let square = if self.squares.is_empty() { 1.0 } else { self.mean(&self.squares, s) };
        (square - mean * mean).max(0.0).sqrt()
    }

    /// In what share of the playouts a site ended as nobody's.
    pub fn unowned(&self, s: Site) -> f32 {
        self.mean(&self.unowned, s)
    }

    fn mean(&self, sums: &[f64], s: Site) -> f32 {
        let sum = sums.get(usize::from(s.0)).copied().unwrap_or(0.0);
        (sum / self.playouts.max(1) as f64) as f32
    }
}
