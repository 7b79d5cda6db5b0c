//! Eight boards flooded side by side by AVX-512, with its bit counts and its shifts across two words: a board in one lane
//! of two vectors.

use std::arch::x86_64::*;

use super::{Board, MAX_BATCH};
use crate::eval::features::{FEATURES, KING, MOBILITY, PADDED, TEMPO};
use crate::eval::flood::{KING_CLASSES, QUEEN_CLASSES};
use crate::eval::mobility::{LIMITS, MOBILITY_CLASSES};
use crate::eval::weights::{ROWS, Weights};
use crate::rays::DIRECTIONS;

/// A set of squares in each of eight lanes: the lower and the upper 64 bits.
#[derive(Clone, Copy)]
struct Sets {
    low: __m512i,
    high: __m512i,
}

// What the third number of a ternary operation stands for: its bits are the outcomes for a, b, c = 111 down to 000.
const A_OR_B_AND_C: i32 = 0b1111_1000;
const A_AND_B_AND_NOT_C: i32 = 0b0100_0000;
const A_OR_B_OR_C: i32 = 0b1111_1110;
const XOR: i32 = 0b1001_0110;
const MAJORITY: i32 = 0b1110_1000;
const A_AND_NOT_B: i32 = 0b0011_0000;

/// `a op b op c` on both words.
macro_rules! ternary {
    ($op:expr, $a:expr, $b:expr, $c:expr) => {{
        let (a, b, c): (Sets, Sets, Sets) = ($a, $b, $c);
        Sets {
            low: _mm512_ternarylogic_epi64::<{ $op }>(a.low, b.low, c.low),
            high: _mm512_ternarylogic_epi64::<{ $op }>(a.high, b.high, c.high),
        }
    }};
}

/// The squares before which 2 and 4 in a row are free, by direction: upwards, then downwards.
struct Lines {
    free: Sets,
    up: [(Sets, Sets); 4],
    down: [(Sets, Sets); 4],
}

const D: [u32; 4] = DIRECTIONS;

/// A set moved up by a number of bits, which is known when this is compiled.
#[inline]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512vpopcntdq,avx512vbmi2")]
fn up(set: Sets, by: u32) -> Sets {
    let by = _mm512_set1_epi64(i64::from(by));
    Sets { low: _mm512_sllv_epi64(set.low, by), high: _mm512_shldv_epi64(set.high, set.low, by) }
}

/// A set moved down.
#[inline]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512vpopcntdq,avx512vbmi2")]
fn down(set: Sets, by: u32) -> Sets {
    let by = _mm512_set1_epi64(i64::from(by));
    Sets { low: _mm512_shrdv_epi64(set.low, set.high, by), high: _mm512_srlv_epi64(set.high, by) }
}

#[inline]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512vpopcntdq,avx512vbmi2")]
fn none() -> Sets {
    Sets { low: _mm512_setzero_si512(), high: _mm512_setzero_si512() }
}

#[inline]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512vpopcntdq,avx512vbmi2")]
fn and(a: Sets, b: Sets) -> Sets {
    Sets { low: _mm512_and_si512(a.low, b.low), high: _mm512_and_si512(a.high, b.high) }
}

#[inline]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512vpopcntdq,avx512vbmi2")]
fn or(a: Sets, b: Sets) -> Sets {
    Sets { low: _mm512_or_si512(a.low, b.low), high: _mm512_or_si512(a.high, b.high) }
}

#[inline]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512vpopcntdq,avx512vbmi2")]
fn without(a: Sets, b: Sets) -> Sets {
    ternary!(A_AND_NOT_B, a, b, b)
}

/// Whether no lane has anything.
#[inline]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512vpopcntdq,avx512vbmi2")]
fn is_empty(a: Sets) -> bool {
    let any = _mm512_or_si512(a.low, a.high);
    _mm512_test_epi64_mask(any, any) == 0
}

/// How many squares each lane has.
#[inline]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512vpopcntdq,avx512vbmi2")]
fn count(a: Sets) -> __m512i {
    _mm512_add_epi64(_mm512_popcnt_epi64(a.low), _mm512_popcnt_epi64(a.high))
}

#[inline]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512vpopcntdq,avx512vbmi2")]
fn load(boards: &[Board], set: fn(&Board) -> u128) -> Sets {
    let (mut low, mut high) = ([0u64; MAX_BATCH], [0u64; MAX_BATCH]);
    for ((low, high), board) in low.iter_mut().zip(&mut high).zip(boards) {
        let set = set(board);
        (*low, *high) = (set as u64, (set >> 64) as u64);
    }
    // SAFETY: these are eight words each.
    unsafe {
        Sets {
            low: _mm512_loadu_si512(low.as_ptr().cast()),
            high: _mm512_loadu_si512(high.as_ptr().cast()),
        }
    }
}

#[inline]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512vpopcntdq,avx512vbmi2")]
fn before_up(free: Sets, k: u32) -> (Sets, Sets) {
    let two = and(free, up(free, k));
    (two, and(two, up(two, 2 * k)))
}

#[inline]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512vpopcntdq,avx512vbmi2")]
fn before_down(free: Sets, k: u32) -> (Sets, Sets) {
    let two = and(free, down(free, k));
    (two, and(two, down(two, 2 * k)))
}

#[inline]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512vpopcntdq,avx512vbmi2")]
fn lines(free: Sets) -> Lines {
    Lines {
        free,
        up: [
            before_up(free, D[0]),
            before_up(free, D[1]),
            before_up(free, D[2]),
            before_up(free, D[3]),
        ],
        down: [
            before_down(free, D[0]),
            before_down(free, D[1]),
            before_down(free, D[2]),
            before_down(free, D[3]),
        ],
    }
}

#[inline]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512vpopcntdq,avx512vbmi2")]
fn slide_up(from: Sets, free: Sets, before: (Sets, Sets), k: u32) -> Sets {
    let (two, four) = before;
    let set = ternary!(A_OR_B_AND_C, from, free, up(from, k));
    let set = ternary!(A_OR_B_AND_C, set, two, up(set, 2 * k));
    let set = ternary!(A_OR_B_AND_C, set, four, up(set, 4 * k));
    ternary!(A_OR_B_AND_C, set, two, up(set, 2 * k))
}

#[inline]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512vpopcntdq,avx512vbmi2")]
fn slide_down(from: Sets, free: Sets, before: (Sets, Sets), k: u32) -> Sets {
    let (two, four) = before;
    let set = ternary!(A_OR_B_AND_C, from, free, down(from, k));
    let set = ternary!(A_OR_B_AND_C, set, two, down(set, 2 * k));
    let set = ternary!(A_OR_B_AND_C, set, four, down(set, 4 * k));
    ternary!(A_OR_B_AND_C, set, two, down(set, 2 * k))
}

/// The free squares that queens on these squares reach in one move, and the squares themselves.
#[inline]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512vpopcntdq,avx512vbmi2")]
fn queen_moves(lines: &Lines, from: Sets) -> Sets {
    let free = lines.free;
    let a = slide_up(from, free, lines.up[0], D[0]);
    let b = slide_up(from, free, lines.up[1], D[1]);
    let c = slide_up(from, free, lines.up[2], D[2]);
    let d = slide_up(from, free, lines.up[3], D[3]);
    let e = slide_down(from, free, lines.down[0], D[0]);
    let f = slide_down(from, free, lines.down[1], D[1]);
    let g = slide_down(from, free, lines.down[2], D[2]);
    let h = slide_down(from, free, lines.down[3], D[3]);
    let abc = ternary!(A_OR_B_OR_C, a, b, c);
    let def = ternary!(A_OR_B_OR_C, d, e, f);
    ternary!(A_OR_B_OR_C, abc, def, or(g, h))
}

/// Sets with all their neighbours, which may hang over the board's edges.
#[inline]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512vpopcntdq,avx512vbmi2")]
fn dilate(set: Sets) -> Sets {
    let row = ternary!(A_OR_B_OR_C, set, up(set, D[0]), down(set, D[0]));
    ternary!(A_OR_B_OR_C, row, up(row, D[2]), down(row, D[2]))
}

/// The free squares by their classes of distance, and all that are reached.
#[inline]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512vpopcntdq,avx512vbmi2")]
fn measure(queens: Sets, lines: &Lines) -> ([Sets; QUEEN_CLASSES], [Sets; KING_CLASSES], Sets) {
    let free = lines.free;
    let mut king = [none(); KING_CLASSES];
    let mut near = queens;
    for class in &mut king[..KING_CLASSES - 2] {
        *class = ternary!(A_AND_B_AND_NOT_C, dilate(near), free, near);
        near = or(near, *class);
    }
    let mut queen = [none(); QUEEN_CLASSES];
    let mut seen = queens;
    for class in &mut queen[..QUEEN_CLASSES - 2] {
        *class = without(queen_moves(lines, seen), seen);
        if is_empty(*class) {
            break;
        }
        seen = or(seen, *class);
    }
    let few = seen;
    while !is_empty(ternary!(A_AND_B_AND_NOT_C, dilate(seen), free, seen)) {
        seen = queen_moves(lines, seen);
    }
    let reach = and(seen, free);
    queen[QUEEN_CLASSES - 2] = without(reach, few);
    queen[QUEEN_CLASSES - 1] = without(free, reach);
    king[KING_CLASSES - 2] = without(reach, near);
    king[KING_CLASSES - 1] = without(free, reach);
    (queen, king, reach)
}

/// Free squares by how many free neighbours they have, in binary: a plane for each digit of 0 to 8.
#[inline]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512vpopcntdq,avx512vbmi2")]
fn neighbours(free: Sets) -> [Sets; 4] {
    let (a, b) = (up(free, D[0]), down(free, D[0]));
    let (c, d) = (up(free, D[1]), down(free, D[1]));
    let (e, f) = (up(free, D[2]), down(free, D[2]));
    let (g, h) = (up(free, D[3]), down(free, D[3]));
    let (s1, c1) = (ternary!(XOR, a, b, c), ternary!(MAJORITY, a, b, c));
    let (s2, c2) = (ternary!(XOR, d, e, f), ternary!(MAJORITY, d, e, f));
    let (s3, c3) = (ternary!(XOR, g, h, s1), ternary!(MAJORITY, g, h, s1));
    let zero = none();
    let (ones, c4) = (ternary!(XOR, s2, s3, zero), and(s2, s3));
    let (t1, f1) = (ternary!(XOR, c1, c2, c3), ternary!(MAJORITY, c1, c2, c3));
    let (twos, f2) = (ternary!(XOR, t1, c4, zero), and(t1, c4));
    let (fours, eights) = (ternary!(XOR, f1, f2, zero), and(f1, f2));
    [and(ones, free), and(twos, free), and(fours, free), and(eights, free)]
}

/// How many queens of each class of freedom there are, as in `mobility`.
#[inline]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512vpopcntdq,avx512vbmi2")]
fn mobility(mut queens: Sets, lines: &Lines, planes: &[Sets; 4]) -> [__m512i; MOBILITY_CLASSES] {
    let one = _mm512_set1_epi64(1);
    // Queens of this class or a freer one.
    let mut cumulative = [_mm512_setzero_si512(); MOBILITY_CLASSES];
    while !is_empty(queens) {
        // The lowest queen of each lane, which is in the upper word only where the lower is empty.
        let zero = _mm512_setzero_si512();
        let upper = _mm512_testn_epi64_mask(queens.low, queens.low);
        let queen = Sets {
            low: _mm512_and_si512(queens.low, _mm512_sub_epi64(zero, queens.low)),
            high: _mm512_maskz_and_epi64(upper, queens.high, _mm512_sub_epi64(zero, queens.high)),
        };
        queens = without(queens, queen);
        let both = _mm512_or_si512(queen.low, queen.high);
        let there = _mm512_test_epi64_mask(both, both);
        let reach = and(queen_moves(lines, queen), lines.free);
        let around = and(dilate(queen), lines.free);
        let mut freedom = count(reach);
        freedom = _mm512_add_epi64(freedom, count(and(around, planes[0])));
        freedom = _mm512_add_epi64(freedom, _mm512_slli_epi64::<1>(count(and(around, planes[1]))));
        freedom = _mm512_add_epi64(freedom, _mm512_slli_epi64::<2>(count(and(around, planes[2]))));
        freedom = _mm512_add_epi64(freedom, _mm512_slli_epi64::<3>(count(and(around, planes[3]))));
        cumulative[0] = _mm512_mask_add_epi64(cumulative[0], there, cumulative[0], one);
        for (class, limit) in cumulative[1..].iter_mut().zip(LIMITS) {
            let limit = _mm512_set1_epi64(i64::from(limit));
            let freer = _mm512_mask_cmpge_epu64_mask(there, freedom, limit);
            *class = _mm512_mask_add_epi64(*class, freer, *class, one);
        }
    }
    let mut counts = cumulative;
    for class in 0..MOBILITY_CLASSES - 1 {
        counts[class] = _mm512_sub_epi64(cumulative[class], cumulative[class + 1]);
    }
    counts
}

/// All counts, by feature.
#[inline]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512vpopcntdq,avx512vbmi2")]
fn counts(boards: &[Board], counts: &mut [__m256i; PADDED]) -> __m256i {
    let (own, other) = (load(boards, |board| board.own.0), load(boards, |board| board.other.0));
    let lines = lines(load(boards, |board| board.free.0));
    let ours = measure(own, &lines);
    let theirs = measure(other, &lines);
    for (i, &a) in ours.0.iter().enumerate() {
        for (j, &b) in theirs.0.iter().enumerate() {
            counts[i * QUEEN_CLASSES + j] = _mm512_cvtepi64_epi32(count(and(a, b)));
        }
    }
    for (i, &a) in ours.1.iter().enumerate() {
        for (j, &b) in theirs.1.iter().enumerate() {
            counts[KING + i * KING_CLASSES + j] = _mm512_cvtepi64_epi32(count(and(a, b)));
        }
    }
    let planes = neighbours(lines.free);
    for (side, queens) in [own, other].into_iter().enumerate() {
        for (class, count) in mobility(queens, &lines, &planes).into_iter().enumerate() {
            counts[MOBILITY + side * MOBILITY_CLASSES + class] = _mm512_cvtepi64_epi32(count);
        }
    }
    counts[TEMPO] = _mm256_set1_epi32(1);
    _mm512_cvtepi64_epi32(count(and(ours.2, theirs.2)))
}

/// The logits of boards, of which there must be some; only the first eight are looked at.
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512vpopcntdq,avx512vbmi2")]
pub(super) fn evaluate(weights: &Weights, boards: &[Board], logits: &mut [f32; MAX_BATCH]) {
    let mut by_feature = [_mm256_setzero_si256(); PADDED];
    let contested = counts(boards, &mut by_feature);
    let row = _mm256_min_epu32(contested, _mm256_set1_epi32(ROWS as i32 - 1));
    let mut at = _mm256_mullo_epi32(row, _mm256_set1_epi32(PADDED as i32));
    let rows = weights.rows().as_flattened();
    assert!(rows.len() == ROWS * PADDED);
    // Eight sums side by side, as one board is evaluated.
    let mut sums = [_mm256_setzero_ps(); 8];
    for part in by_feature.chunks_exact(8) {
        for (sum, &count) in sums.iter_mut().zip(part) {
            // SAFETY: each index is at most (ROWS - 1) * PADDED plus a feature's number, which is below PADDED.
            let weight = unsafe { _mm256_i32gather_ps::<4>(rows.as_ptr(), at) };
            *sum = _mm256_add_ps(*sum, _mm256_mul_ps(weight, _mm256_cvtepi32_ps(count)));
            at = _mm256_add_epi32(at, _mm256_set1_epi32(1));
        }
    }
    const { assert!(PADDED.is_multiple_of(8) && FEATURES <= PADDED) };
    let sum = sums[1..].iter().fold(sums[0], |sum, &next| _mm256_add_ps(sum, next));
    // SAFETY: there are eight.
    unsafe { _mm256_storeu_ps(logits.as_mut_ptr(), sum) };
}
