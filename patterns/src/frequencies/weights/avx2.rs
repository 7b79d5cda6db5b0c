//! All points about a stone at once, by AVX2: the same weights as one by one.

use super::super::compact_map::Probe;
use super::{KEPT, Ring, SIEVE_BITS, Weights};
use go_engine::playout::shapes::Neighbours8;
use go_engine::{Board, Color};
use std::arch::x86_64::*;

/// Eight entries of a table at these numbers: the four bytes at each multiple of `$bytes`, masked.
macro_rules! gather {
    ($table:expr, $at:expr, $bytes:literal, $mask:literal) => {{
        let (table, at) = (&$table, $at);
        // SAFETY: the caller says why every number is one of the table's; tables of less than four
        // bytes an entry are longer by what is read beyond the last.
        let read = unsafe { _mm256_i32gather_epi32::<$bytes>(table.as_ptr().cast(), at) };
        _mm256_and_si256(read, _mm256_set1_epi32($mask))
    }};
}

#[inline]
#[target_feature(enable = "avx2")]
fn all(value: i32) -> __m256i {
    _mm256_set1_epi32(value)
}

#[inline]
#[target_feature(enable = "avx2")]
fn masked(a: __m256i, mask: i32) -> __m256i {
    _mm256_and_si256(a, all(mask))
}

#[inline]
#[target_feature(enable = "avx2")]
fn or<const K: usize>(parts: [__m256i; K]) -> __m256i {
    parts.into_iter().fold(all(0), |a, b| _mm256_or_si256(a, b))
}

/// See [`super::turned`].
#[inline]
#[target_feature(enable = "avx2")]
fn turned(points: __m256i, way: __m256i) -> __m256i {
    let changed = or([
        masked(points, 0x33_3333),
        _mm256_slli_epi32::<4>(masked(points, 0x0c_0c0c)),
        masked(_mm256_srli_epi32::<4>(points), 0x0c_0c0c),
    ]);
    let bytes = _mm256_setr_epi8(
        0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15, //
        0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15,
    );
    let changed = _mm256_shuffle_epi8(changed, bytes);
    let is_mirrored = _mm256_srai_epi32::<31>(_mm256_slli_epi32::<31>(way));
    let points = _mm256_blendv_epi8(points, changed, is_mirrored);
    let [a, b, c, d] = KEPT.map(|kept| kept as i32);
    let kept = _mm256_setr_epi32(a, a, b, b, c, c, d, d);
    let kept = _mm256_permutevar8x32_epi32(kept, way);
    let up = masked(way, 6);
    let down = _mm256_sub_epi32(all(8), up);
    let stays = _mm256_and_si256(_mm256_sllv_epi32(points, up), kept);
    let rest = _mm256_andnot_si256(kept, _mm256_srlv_epi32(points, down));
    _mm256_or_si256(stays, rest)
}

/// Numbers of a lane each, to be read one by one.
#[inline]
#[target_feature(enable = "avx2")]
fn lanes(a: __m256i) -> [u32; 8] {
    // SAFETY: both are 32 bytes in which every bit means something.
    unsafe { std::mem::transmute(a) }
}

/// See [`Weights::weigh`].
#[target_feature(enable = "avx2")]
pub(super) fn weigh<const N: usize, const W: usize>(
    tables: &Weights,
    board: &Board<N, W>,
    neighbours: Neighbours8,
    mover: Color,
    weights: &mut [u16; 8],
) {
    let [a, b, c, d, e, f, g, h] = Board::<N, W>::NEIGHBOURS.map(|step| step as i32);
    let steps = _mm256_setr_epi32(a, b, c, d, e, f, g, h);
    let sites = _mm256_add_epi32(all(neighbours.stone.0.into()), steps);
    let places = _mm256_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14);
    let empty = masked(_mm256_srlv_epi32(all(neighbours.empties.into()), places), 1);
    let empty = _mm256_cmpeq_epi32(empty, all(1));

    // See `Square5::without_corners`.
    let own = board.pattern3x3_each(sites);
    let [n, e, s, w] = Board::<N, W>::ORTHO
        .map(|step| board.pattern3x3_each(_mm256_add_epi32(sites, all(step as i32))));
    let off_board = masked(_mm256_and_si256(own, _mm256_srli_epi32::<1>(own)), 0x55);
    let beyond = _mm256_or_si256(off_board, _mm256_slli_epi32::<1>(off_board));
    let ahead_right = or([
        masked(n, 0x0303),
        masked(e, 0x0c0c),
        masked(s, 0x3030),
        masked(w, 0xc0c0),
        beyond,
        _mm256_slli_epi32::<8>(beyond),
    ]);
    let left = or([masked(n, 0xc000), masked(e, 0x0300), masked(s, 0x0c00), masked(w, 0x3000)]);
    let left =
        or([masked(_mm256_srli_epi32::<6>(left), 0xfc), _mm256_srli_epi32::<14>(left), beyond]);
    let points = _mm256_or_si256(ahead_right, _mm256_slli_epi32::<16>(left));
    let white = all(-i32::from(mover == Color::White));
    let [own, points] = [own, points].map(|code| {
        let down = masked(_mm256_srli_epi32::<1>(code), 0x5555_5555);
        let up = _mm256_slli_epi32::<1>(masked(code, 0x5555_5555));
        _mm256_blendv_epi8(code, _mm256_or_si256(down, up), white)
    });

    // See `Weights::look`. Of the numbers that are looked up a 3x3 has 16 bits, a small's row is one of
    // the crosses' and has 256 columns, and a level is a byte.
    let small = gather!(tables.small, own, 2, 0xffff);
    let way = masked(small, 7);
    let row = masked(_mm256_srli_epi32::<3>(small), 0xfff);
    let has_larger = _mm256_srai_epi32::<31>(_mm256_slli_epi32::<16>(small));
    let points = turned(points, way);
    let column = masked(_mm256_and_si256(points, has_larger), 0xff);
    let level = or([_mm256_slli_epi32::<8>(row), column]);
    let level = gather!(tables.crosses, level, 1, 0xff);

    // See `Ring::sieved`; a word has 32 of its bits.
    let [spread_row, spread] = Ring::SPREAD.map(|factor| all(factor as i32));
    let mixed = _mm256_xor_si256(points, _mm256_mullo_epi32(row, spread_row));
    let mixed = _mm256_mullo_epi32(mixed, spread);
    let mixed = _mm256_srli_epi32::<{ 32 - SIEVE_BITS as i32 }>(mixed);
    let word = gather!(tables.sieve, _mm256_srli_epi32::<5>(mixed), 4, -1);
    let sieved = _mm256_srlv_epi32(word, masked(mixed, 31));
    let open = _mm256_and_si256(_mm256_slli_epi32::<31>(sieved), _mm256_slli_epi32::<24>(level));
    let open = _mm256_castsi256_ps(_mm256_and_si256(open, empty));
    let mut open = _mm256_movemask_ps(open) as u32;

    let worth = _mm256_and_si256(gather!(tables.worth, level, 2, 0xffff), empty);
    let worth = _mm256_permute4x64_epi64::<0b1000>(_mm256_packus_epi32(worth, worth));
    // SAFETY: it is 16 bytes long, and may lie anywhere.
    unsafe {
        _mm_storeu_si128(weights.as_mut_ptr().cast(), _mm256_castsi256_si128(worth));
    }
    if open == 0 {
        return;
    }
    // No look at the memory waits for another's.
    let (points, row, way) = (lanes(points), lanes(row), lanes(way));
    let mut probe = [Probe::default(); 8];
    let mut rest = open;
    while rest != 0 {
        let place = rest.trailing_zeros() as usize & 7;
        rest &= rest - 1;
        probe[place] = tables.rings.probe(Ring { row: row[place], points: points[place] }.key());
    }
    while open != 0 {
        let place = open.trailing_zeros() as usize & 7;
        open &= open - 1;
        let (probe, way) = (probe[place], way[place] as usize);
        if let Some(level) = tables.match_outer(board, neighbours, place, mover, probe, way) {
            weights[place] = tables.worth[usize::from(level.0)];
        }
    }
}
