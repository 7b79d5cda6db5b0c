//! Which features are adjusted together: those of which a team has one at most, or a few of one kind.

use super::super::groups::Group;
use super::super::shape::{FAMILIES, Family};

/// No feature.
pub(super) const NONE: u32 = u32::MAX;

/// Features that are adjusted in one step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slot<'a> {
    /// A group of tactical features.
    Tactical(usize),
    /// Shapes of one family: by the row of a candidate's largest shape, the row that counts, or [`NONE`].
    Shapes(Family, &'a [u32]),
}

/// Which shapes of a chain, from small to large, have a strength in a team.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShapeLevels {
    /// All that are known: a larger one tells what it adds to the smaller ones.
    All,
    /// The largest that is known, as in Coulom's paper.
    Largest,
}

/// The chains of known shapes: what the next smaller shape of each is.
pub(super) struct Chains {
    /// By row; [`NONE`] for the smallest of a chain.
    parents: Vec<u32>,
    families: Vec<Family>,
    /// How many smaller shapes each has.
    depths: Vec<u8>,
}

impl Chains {
    /// The chains of shapes of these families with these next smaller shapes.
    pub fn new(families: &[Family], parents: Vec<u32>) -> Chains {
        let depth = |row: usize| {
            let up = |&row: &u32| Some(parents[row as usize]).filter(|&parent| parent != NONE);
            std::iter::successors(Some(row as u32), up).count() as u8 - 1
        };
        let depths = (0..parents.len()).map(depth).collect();
        Chains { parents, families: families.to_vec(), depths }
    }

    /// The next smaller shape of each.
    pub fn parents(&self) -> &[u32] {
        &self.parents
    }

    /// By slot of a family, the row that counts for each largest shape.
    pub fn slots(&self, levels: ShapeLevels) -> Vec<(Family, Vec<u32>)> {
        let families = [Family::Plain, Family::Liberties, Family::Last, Family::LastTwo];
        let mut slots = Vec::with_capacity(FAMILIES);
        for family in families {
            let of_family = |row: &usize| self.families[*row] == family;
            match levels {
                ShapeLevels::Largest => {
                    let rows = (0..self.parents.len())
                        .map(|row| if of_family(&row) { row as u32 } else { NONE });
                    slots.push((family, rows.collect()));
                }
                ShapeLevels::All => {
                    let deepest = (0..self.parents.len()).filter(of_family);
                    let deepest = deepest.map(|row| self.depths[row]).max();
                    for depth in 0..deepest.map_or(0, |deepest| deepest + 1) {
                        let rows = (0..self.parents.len()).map(|row| {
                            if of_family(&row) { self.ancestor(row, depth) } else { NONE }
                        });
                        slots.push((family, rows.collect()));
                    }
                }
            }
        }
        slots
    }

    /// The shape of this depth that a shape has inside it, or is.
    fn ancestor(&self, row: usize, depth: u8) -> u32 {
        let Some(steps) = self.depths[row].checked_sub(depth) else { return NONE };
        (0..steps).fold(row as u32, |row, _| self.parents[row as usize])
    }
}

/// The groups of tactical features.
pub(super) fn tactical_slots<'a>() -> impl Iterator<Item = Slot<'a>> {
    (0..Group::COUNT).map(Slot::Tactical)
}
