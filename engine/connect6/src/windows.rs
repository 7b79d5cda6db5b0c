//! Windows of k points on a line, counted all at once in the bits of machine words.
//!
//! A window is free for a colour when no stone of the other colour stands in it. Who fills a free
//! window has won, so everything about threats follows from how many stones the free windows hold.

/// The free windows of one colour on one line, by the stones still missing from a threat; bit i is the
/// window that begins at bit i of the line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Free {
    /// `levels[0]`: windows that one turn of p stones can fill (k - p stones or more: a threat).
    /// `levels[j]`: windows with exactly k - p - j stones, so j stones away from a threat, at least one.
    pub levels: [u32; LEVELS],
}

/// How many levels of free windows are kept: threats and up to three stones away from one.
pub const LEVELS: usize = 4;

/// Both colours' masks of one line: Black's in the low half, White's in the high half.
///
/// Lines are shorter than half a word, so what a shift moves from the high half into the low one lands
/// where no window begins.
pub type Pair = u64;

/// The same mask for both colours.
#[inline(always)]
pub(crate) fn both(mask: u32) -> Pair {
    u64::from(mask) | u64::from(mask) << 32
}

/// The windows of several lines at once, of both colours: `stones` are those on the lines, `valid` the bits
/// on the board.
#[inline(always)]
pub(crate) fn count_pairs<const N: usize>(
    k: usize,
    p: usize,
    stones: &[Pair; N],
    valid: &[Pair; N],
) -> [[Pair; N]; LEVELS] {
    if k == 6 && p == 2 { count_connect6(stones, valid) } else { count_any(k, p, stones, valid) }
}

/// Six in a row and two stones a turn, by two full adders for the ones and one for the twos.
#[inline(always)]
fn count_connect6<const N: usize>(stones: &[Pair; N], valid: &[Pair; N]) -> [[Pair; N]; LEVELS] {
    let mut out = [[0; N]; LEVELS];
    for i in 0..N {
        let o = stones[i];
        let f = valid[i] & !o.rotate_left(32);
        let f = f & f >> 1;
        let f = f & f >> 2 & f >> 4;
        let (s1, s2, s3, s4, s5) = (o >> 1, o >> 2, o >> 3, o >> 4, o >> 5);
        let a = o ^ s1 ^ s2;
        let ca = o & s1 | s2 & (o ^ s1);
        let b = s3 ^ s4 ^ s5;
        let cb = s3 & s4 | s5 & (s3 ^ s4);
        let ones = a ^ b;
        let c = a & b;
        let twos = ca ^ cb ^ c;
        let fours = ca & cb | c & (ca ^ cb);
        let low = f & !fours;
        out[0][i] = f & fours;
        out[1][i] = low & twos & ones;
        out[2][i] = low & twos & !ones;
        out[3][i] = low & !twos & ones;
    }
    out
}

/// Any k up to 15 and any p, by a ripple counter of four bits.
fn count_any<const N: usize>(
    k: usize,
    p: usize,
    stones: &[Pair; N],
    valid: &[Pair; N],
) -> [[Pair; N]; LEVELS] {
    let mut out = [[0; N]; LEVELS];
    for i in 0..N {
        let mut free = Pair::MAX;
        let mut planes = [0; 4];
        for shift in 0..k {
            free &= (valid[i] & !stones[i].rotate_left(32)) >> shift;
            let mut carry = stones[i] >> shift;
            for plane in &mut planes {
                let next = *plane & carry;
                *plane ^= carry;
                carry = next;
            }
        }
        let equal = |n: usize| {
            planes
                .iter()
                .enumerate()
                .fold(free, |m, (b, plane)| m & if n >> b & 1 == 1 { *plane } else { !*plane })
        };
        out[0][i] = (k - p..=k).fold(0, |m, n| m | equal(n));
        for (level, line) in out.iter_mut().enumerate().skip(1) {
            // Windows without a stone are on no level.
            if let Some(n) = (k - p).checked_sub(level).filter(|n| *n > 0) {
                line[i] = equal(n);
            }
        }
    }
    out
}

/// The free windows of one line.
///
/// `own` and `other` are the stones of the two colours, `valid` the bits of the line on the board.
///
/// ```
/// use connect6_engine::windows::free_windows;
/// // Four in a row in the middle of nine free points: three windows of six hold all four.
/// let free = free_windows(6, 2, 0b000_1111_00, 0, 0b1_1111_1111);
/// assert_eq!(free.levels[0].count_ones(), 3);
/// ```
#[inline]
pub fn free_windows(k: usize, p: usize, own: u32, other: u32, valid: u32) -> Free {
    let stones = u64::from(own) | u64::from(other) << 32;
    let [a, b, c, d] = count_pairs::<1>(k, p, &[stones], &[both(valid)]);
    Free { levels: [a[0] as u32, b[0] as u32, c[0] as u32, d[0] as u32] }
}
