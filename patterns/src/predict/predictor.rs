//! The predictor as it plays: weights in small whole numbers, shapes in one flat table.

use super::features::{Dictionary, Extractor, Features, Position};
use super::groups::TACTICAL;
use super::net::{Net, UNITS};
use super::ops::{Ops, PackedRow, Units};
use super::shape_dict::ShapeDict;
use crate::file::{FileError, Reader, Writer};
use go_engine::Site;
use std::ops::RangeInclusive;

const KIND: &[u8; 8] = b"TSJ-MOVE";
const VERSION: u32 = 1;

/// Steps of a shape's weight to one.
const SHAPE_SCALE: f32 = 40.0;

/// No weight that is learned comes near it.
const MAX_WEIGHT: f32 = 1e6;
/// Steps of hidden rows to one.
const ROW_SCALES: RangeInclusive<f32> = 1e-4..=200.0;

/// A learned predictor of moves.
#[derive(Clone)]
pub struct Predictor {
    /// The side of the boards that it was learned on.
    pub side: u8,
    /// How many games were learned from.
    pub games: u64,
    tactical: Vec<f32>,
    shapes: ShapeTable,
    /// Hidden rows of the tactical features, then of the shapes that have one.
    rows: Vec<PackedRow>,
    bias: Units,
    out: [f32; UNITS],
    /// Steps of hidden rows to one.
    row_scale: f32,
    /// Whether the hidden units add nothing: none were learned.
    is_linear: bool,
}

/// Shapes by the upper half of their names: a false match is one in four thousand.
#[derive(Clone)]
struct ShapeTable {
    slots: Vec<Slot>,
    shift: u32,
    len: usize,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    key: u32,
    weight: i16,
    /// Number of the hidden row, counted from one; 0 for none.
    row: u16,
}

impl ShapeTable {
    fn with_capacity(shapes: usize) -> ShapeTable {
        let bits = (shapes * 3 / 2 + 16).next_power_of_two().trailing_zeros();
        ShapeTable { slots: vec![Slot::default(); 1 << bits], shift: 32 - bits, len: 0 }
    }

    fn insert(&mut self, slot: Slot) {
        let mask = self.slots.len() - 1;
        let mut at = (slot.key >> self.shift) as usize & mask;
        while self.slots[at].key != 0 && self.slots[at].key != slot.key {
            at = (at + 1) & mask;
        }
        self.len += usize::from(self.slots[at].key == 0);
        self.slots[at] = slot;
    }
}

/// The key of a name; never 0, which marks a free slot.
#[inline(always)]
fn key_of(name: u64) -> u32 {
    ((name >> 32) as u32).max(1)
}

impl ShapeTable {
    /// The weight (upper half) and hidden row (lower half) of a shape.
    #[inline(always)]
    fn find(&self, name: u64) -> Option<u32> {
        let key = key_of(name);
        let mask = self.slots.len() - 1;
        let mut at = (key >> self.shift) as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot.key == key {
                return Some(u32::from(slot.weight as u16) << 16 | u32::from(slot.row));
            }
            if slot.key == 0 {
                return None;
            }
            at = (at + 1) & mask;
        }
    }
}

/// Asks for the memory of a value before it is needed.
#[inline(always)]
fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint; and the place is that of a live value.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

impl Dictionary for Predictor {
    #[inline(always)]
    fn find(&self, name: u64) -> Option<u32> {
        let found = self.shapes.find(name);
        if let Some(packed) = found
            && let Some(row) = self.rows.get(TACTICAL - 1 + (packed as usize & 0xffff))
        {
            prefetch(row);
        }
        found
    }

    #[inline(always)]
    fn prefetch(&self, name: u64) {
        let at = (key_of(name) >> self.shapes.shift) as usize & (self.shapes.slots.len() - 1);
        prefetch(&self.shapes.slots[at]);
    }
}

/// Space for predicting, kept from position to position.
#[derive(Default)]
pub struct Scratch {
    extractor: Extractor,
    features: Features,
    scores: Vec<f32>,
}

impl Scratch {
    /// The legal moves of the position predicted last.
    pub fn moves(&self) -> &[Site] {
        &self.features.candidates
    }

    /// The probability of each of these moves; they sum to 1.
    pub fn probabilities(&self) -> &[f32] {
        &self.scores
    }
}

impl Predictor {
    /// Rounds what was learned to what is played with.
    pub fn new(dict: &ShapeDict, net: &Net, side: u8, games: u64) -> Predictor {
        let largest = net.vectors.iter().flatten().fold(0.01f32, |max, v| max.max(v.abs()));
        let row_scale = (127.0 / largest).min(*ROW_SCALES.end());
        let pack = |v: f32| (v * row_scale).round().clamp(-127.0, 127.0) as i8;
        let mut rows: Vec<PackedRow> =
            net.vectors[..TACTICAL].iter().map(|row| row.map(pack)).collect();
        let mut entries: Vec<(u32, usize)> =
            dict.entries.iter().zip(0..).map(|(&(name, _), row)| (key_of(name), row)).collect();
        // Of two with one key the more frequent stays.
        entries.sort_unstable();
        entries.dedup_by_key(|&mut (key, _)| key);
        let mut shapes = ShapeTable::with_capacity(entries.len());
        for (key, row) in entries {
            let weight = (net.shapes[row] * SHAPE_SCALE).round().clamp(-127.0, 127.0) as i16;
            let mut slot = Slot { key, weight, row: 0 };
            if let Some(vector) = net.vectors.get(TACTICAL + row) {
                rows.push(vector.map(pack));
                slot.row = (rows.len() - TACTICAL) as u16;
            }
            shapes.insert(slot);
        }
        let bias = net.bias.map(|b| (b * row_scale).round().clamp(-3e4, 3e4) as i16);
        let (tactical, out) = (net.tactical.clone(), net.out);
        let is_linear = out == [0.0; UNITS];
        Predictor { side, games, tactical, shapes, rows, bias, out, row_scale, is_linear }
    }

    /// How many shapes it knows.
    pub fn shapes(&self) -> usize {
        self.shapes.len
    }

    /// Works out the probability of every legal move of a position.
    pub fn predict<'s, const N: usize, const W: usize>(
        &self,
        position: Position<'_, N, W>,
        scratch: &'s mut Scratch,
    ) -> &'s Scratch {
        let (predictor, space) = (self, &mut *scratch);
        simd::dispatch!(simd::level() => avx2 | scalar: predict(predictor, position, space));
        scratch
    }

    #[inline(always)]
    fn predict_by<O: Ops, const N: usize, const W: usize>(
        &self,
        position: Position<'_, N, W>,
        scratch: &mut Scratch,
    ) {
        let Scratch { extractor, features, scores } = scratch;
        extractor.extract_by::<O, N, W>(position, self, features);
        let mut base = self.bias;
        for &row in &features.context {
            O::add(&mut base, &self.rows[usize::from(row)]);
        }
        let out = self.out.map(|weight| weight / self.row_scale);
        scores.clear();
        for candidate in 0..features.candidates.len() {
            let (tactical, shapes) = features.of(candidate);
            scores.push(if self.is_linear {
                self.linear_score(tactical, shapes)
            } else {
                self.score::<O>(&base, &out, tactical, shapes)
            });
        }
        let best = scores.iter().copied().fold(f32::MIN, f32::max);
        let mut sum = 0.0;
        for score in scores.iter_mut() {
            *score = (*score - best).exp();
            sum += *score;
        }
        for score in scores.iter_mut() {
            *score /= sum;
        }
    }

    fn linear_score(&self, tactical: &[u16], shapes: &[u32]) -> f32 {
        let tactical: f32 = tactical.iter().map(|&row| self.tactical[usize::from(row)]).sum();
        let shapes: i32 =
            shapes.iter().map(|&packed| i32::from((packed >> 16) as u16 as i16)).sum();
        tactical + shapes as f32 / SHAPE_SCALE
    }

    #[inline(always)]
    fn score<O: Ops>(
        &self,
        base: &Units,
        out: &[f32; UNITS],
        tactical: &[u16],
        shapes: &[u32],
    ) -> f32 {
        let mut hidden = *base;
        let mut score = 0.0;
        for &row in tactical {
            let row = usize::from(row);
            score += self.tactical[row];
            O::add(&mut hidden, &self.rows[row]);
        }
        let mut shape_score = 0;
        for &packed in shapes {
            shape_score += i32::from((packed >> 16) as u16 as i16);
            let row = packed as usize & 0xffff;
            if row != 0 {
                O::add(&mut hidden, &self.rows[TACTICAL - 1 + row]);
            }
        }
        score += shape_score as f32 / SHAPE_SCALE;
        for (&h, &u) in hidden.iter().zip(out) {
            score += f32::from(h.max(0)) * u;
        }
        score
    }

    /// The file's bytes: the same predictor gives the same bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut file = Writer::new(KIND, VERSION);
        file.number(u64::from(self.side));
        file.number(self.games);
        file.number(TACTICAL as u64);
        file.float(self.row_scale);
        for &weight in &self.tactical {
            file.float(weight);
        }
        for &bias in &self.bias {
            file.float(f32::from(bias));
        }
        for &out in &self.out {
            file.float(out);
        }
        for row in &self.rows[..TACTICAL] {
            row.iter().for_each(|&v| file.byte(v as u8));
        }
        let mut slots: Vec<Slot> =
            self.shapes.slots.iter().copied().filter(|slot| slot.key != 0).collect();
        slots.sort_unstable_by_key(|slot| slot.key);
        file.number(slots.len() as u64);
        let mut before = 0;
        for slot in slots {
            // The lowest bit tells whether a hidden row follows.
            file.number(u64::from(slot.key - before) << 1 | u64::from(slot.row != 0));
            before = slot.key;
            file.byte(slot.weight as i8 as u8);
            if slot.row != 0 {
                let row = &self.rows[TACTICAL - 1 + usize::from(slot.row)];
                row.iter().for_each(|&v| file.byte(v as u8));
            }
        }
        file.finish()
    }

    /// Reads a file's bytes.
    ///
    /// # Errors
    /// When they are not a predictor, are of another version, or are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Predictor, FileError> {
        let mut file = Reader::open(bytes, KIND, VERSION)?;
        let side = u8::try_from(file.number()?).map_err(|_| FileError::Damaged)?;
        let games = file.number()?;
        if file.number()? != TACTICAL as u64 {
            return Err(FileError::Damaged);
        }
        let row_scale = file.float()?;
        if !ROW_SCALES.contains(&row_scale) {
            return Err(FileError::Damaged);
        }
        // Sums of such numbers stay finite.
        let mut weight = || {
            file.float().and_then(|weight| match weight.abs() <= MAX_WEIGHT {
                true => Ok(weight),
                false => Err(FileError::Damaged),
            })
        };
        let mut floats = |n: usize| (0..n).map(|_| weight()).collect::<Result<Vec<_>, _>>();
        let tactical = floats(TACTICAL)?;
        let (biases, outs) = (floats(UNITS)?, floats(UNITS)?);
        let bias = std::array::from_fn(|j| biases[j] as i16);
        let out = std::array::from_fn(|j| outs[j]);
        let mut rows = Vec::new();
        for _ in 0..TACTICAL {
            rows.push(read_row(&mut file)?);
        }
        let len = usize::try_from(file.number()?).map_err(|_| FileError::Damaged)?;
        // A shape takes at least two bytes: a length beyond that is damage, not a reason to
        // ask for memory.
        if len > bytes.len() / 2 {
            return Err(FileError::Damaged);
        }
        let mut shapes = ShapeTable::with_capacity(len);
        let mut key = 0u32;
        for _ in 0..len {
            let step = file.number()?;
            key = u32::try_from(step >> 1)
                .ok()
                .and_then(|step| key.checked_add(step))
                .ok_or(FileError::Damaged)?;
            let mut slot = Slot { key, weight: i16::from(file.byte()? as i8), row: 0 };
            if step & 1 != 0 {
                rows.push(read_row(&mut file)?);
                slot.row = u16::try_from(rows.len() - TACTICAL).map_err(|_| FileError::Damaged)?;
            }
            shapes.insert(slot);
        }
        file.end()?;
        let is_linear = out == [0.0; UNITS];
        Ok(Predictor { side, games, tactical, shapes, rows, bias, out, row_scale, is_linear })
    }
}

mod scalar {
    use super::super::ops::scalar::Scalar;
    use super::{Position, Predictor, Scratch};

    pub(super) fn predict<const N: usize, const W: usize>(
        predictor: &Predictor,
        position: Position<'_, N, W>,
        scratch: &mut Scratch,
    ) {
        predictor.predict_by::<Scalar, N, W>(position, scratch);
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::super::ops::avx2::Avx2;
    use super::{Position, Predictor, Scratch};

    #[target_feature(enable = "avx2")]
    pub(super) fn predict<const N: usize, const W: usize>(
        predictor: &Predictor,
        position: Position<'_, N, W>,
        scratch: &mut Scratch,
    ) {
        predictor.predict_by::<Avx2, N, W>(position, scratch);
    }
}

fn read_row(file: &mut Reader<'_>) -> Result<PackedRow, FileError> {
    let mut row = [0; UNITS];
    for v in &mut row {
        *v = file.byte()? as i8;
    }
    Ok(row)
}
