//! What is counted over the playouts or evaluations of a position, beside what its tree keeps.

use crate::board::Site;

/// Whose the sites became in playouts.
#[derive(Clone, Debug, Default)]
pub struct Owned {
    /// Sum of each site's ownership.
    pub sums: Vec<f64>,
    /// In how many playouts each site ended as nobody's.
    pub unowned: Vec<f64>,
    /// Playouts that were counted.
    pub playouts: u64,
}

/// What is counted over the playouts of a position, beside what the tree keeps.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// Whose the sites became, by the root's move that the playouts went through: none, or one more than its place.
    pub owned: Vec<Owned>,
    /// Sum of the squares of each site's ownership over all evaluations, where an evaluation shares a site between the sides;
    /// empty where each playout gives it to one.
    pub squares: Vec<f64>,
    /// Longest way down the tree.
    pub max_depth: usize,
}

impl Totals {
    /// The ownership over all playouts.
    pub fn all(&self) -> Owned {
        let mut all = Owned::default();
        for owned in &self.owned {
            all.add(&owned.sums, &owned.unowned, owned.playouts);
        }
        all
    }

    /// How far evaluations differ about whose a site is: the standard deviation of its ownership.
    pub fn stdev(&self, all: &Owned, s: Site) -> f32 {
        let mean = all.of(s);
        let square = match self.squares.get(usize::from(s.0)) {
            Some(&sum) => (sum / all.playouts.max(1) as f64) as f32,
            // Wholly one side's in each playout, but for a seki's points.
            None => 1.0,
        };
        (square - mean * mean).max(0.0).sqrt()
    }
}

impl Owned {
    /// Adds so many playouts with these sums.
    pub fn add<T: Copy + Into<f64>>(&mut self, sums: &[T], unowned: &[T], playouts: u64) {
        for (all, more) in [(&mut self.sums, sums), (&mut self.unowned, unowned)] {
            all.resize(all.len().max(more.len()), 0.0);
            for (sum, &more) in all.iter_mut().zip(more) {
                *sum += more.into();
            }
        }
        self.playouts += playouts;
    }

    /// Whose a site is, from -1, White's, to 1, Black's; 0 before the first playout.
    pub fn of(&self, s: Site) -> f32 {
        self.mean(&self.sums, s)
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
