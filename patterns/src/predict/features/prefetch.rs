//! Looking up the shapes beyond the nearest levels: a level of all candidates after the other, so that the
//! table's memory for the next one is asked for a whole round ahead.

use super::super::ops::Ops;
use super::super::shape::{FAR_SHAPES, FarShapes, Shapes};
use super::{Dictionary, Features};

/// A candidate's larger shapes.
struct Candidate {
    shapes: FarShapes,
    /// The names to look up next; nothing when none is left.
    names: Option<[Option<u64>; 2]>,
    /// The rows found so far.
    rows: [u32; FAR_SHAPES],
    len: usize,
}

/// The larger shapes of a position's candidates; scratch space.
#[derive(Default)]
pub(super) struct PrefetchedLookup {
    candidates: Vec<Candidate>,
    merged: Vec<u32>,
}

/// The next names of a candidate, whose memory is asked for now.
#[inline(always)]
fn prefetch_next<O: Ops>(
    all: &Shapes,
    dictionary: &impl Dictionary,
    shapes: &mut FarShapes,
) -> Option<[Option<u64>; 2]> {
    let names = all.next_names::<O>(shapes)?;
    names.into_iter().flatten().for_each(|name| dictionary.prefetch(name));
    Some(names)
}

impl PrefetchedLookup {
    /// Forgets the position before.
    pub fn clear(&mut self) {
        self.candidates.clear();
    }

    /// Takes a candidate's larger shapes, candidate after candidate.
    #[inline(always)]
    pub fn add<O: Ops>(
        &mut self,
        all: &Shapes,
        dictionary: &impl Dictionary,
        mut shapes: FarShapes,
    ) {
        if let names @ Some(_) = prefetch_next::<O>(all, dictionary, &mut shapes) {
            self.candidates.push(Candidate { shapes, names, rows: [0; FAR_SHAPES], len: 0 });
        }
    }

    /// Looks all of them up and puts what is known behind each candidate's nearest shapes.
    #[inline(always)]
    pub fn look_up<O: Ops>(
        &mut self,
        all: &Shapes,
        dictionary: &impl Dictionary,
        out: &mut Features,
    ) {
        let (mut going, mut found) = (!self.candidates.is_empty(), 0);
        while going {
            going = false;
            for Candidate { shapes, names, rows, len } in &mut self.candidates {
                let Some(next) = names.take() else { continue };
                shapes.go_on(next, |_, name| {
                    let row = dictionary.find(name);
                    if let Some(row) = row {
                        rows[*len] = row;
                        *len += 1;
                        found += 1;
                    }
                    row.is_some()
                });
                *names = prefetch_next::<O>(all, dictionary, shapes);
                going |= names.is_some();
            }
        }
        if found == 0 {
            return;
        }
        self.merged.clear();
        self.merged.reserve(out.shapes.len() + found);
        let mut candidates = self.candidates.iter().peekable();
        let mut start = 0;
        for (candidate, end) in out.ends.iter_mut().enumerate() {
            self.merged.extend_from_slice(&out.shapes[start..end.1 as usize]);
            start = end.1 as usize;
            if let Some(looked_up) = candidates.next_if(|next| next.shapes.candidate == candidate) {
                self.merged.extend_from_slice(&looked_up.rows[..looked_up.len]);
            }
            end.1 = self.merged.len() as u32;
        }
        std::mem::swap(&mut out.shapes, &mut self.merged);
    }
}
