//! The transforms of Winograd's convolutions for 3x3 kernels (Lavin and Gray 2015, "Fast algorithms for convolutional neural
//! networks"): outputs of 2 to 4 points in a row from one point more on each side, by the values of polynomials at 4 to 6
//! points.
//!
//! The points are 0, 1/√2, -1/√2, infinity, √2 and -√2, of which a tile of n outputs takes the first n + 2. So tiles of
//! all lengths share the same weights, and a board of any size is parted into tiles that cover it exactly. With these
//! points errors of rounding grow half as much as with the usual 0, ±1, ±2, in floats as in whole numbers.

use simd::vector::Vector;

/// Points of the longest tile.
pub(crate) const POINTS: usize = 6;

const A: f32 = std::f32::consts::FRAC_1_SQRT_2;
const B: f32 = std::f32::consts::SQRT_2;

/// The kernel's values at a point, as sums of its three numbers. What a tile of four divides by is in here.
pub(crate) const KERNEL: [[f64; 3]; POINTS] = {
    const A: f64 = std::f64::consts::FRAC_1_SQRT_2;
    const B: f64 = std::f64::consts::SQRT_2;
    [
        [1.0, 0.0, 0.0],
        [1.0 / -1.5, A / -1.5, 0.5 / -1.5],
        [1.0 / -1.5, -A / -1.5, 0.5 / -1.5],
        [0.0, 0.0, 1.0],
        [1.0 / 6.0, B / 6.0, 2.0 / 6.0],
        [1.0 / 6.0, -B / 6.0, 2.0 / 6.0],
    ]
};

/// What the inputs' values at each point are multiplied with for a tile that reads so many numbers: shorter tiles divide
/// by other numbers than the longest.
pub(crate) const fn factors(reads: usize) -> [f32; POINTS] {
    match reads {
        4 => [-2.0, -1.5, -1.5, 1.0, 0.0, 0.0],
        5 => [2.0 / B, -1.5 / (A - B), 1.5 / (A + B), 1.0, 4.0 / B, 0.0],
        _ => [1.0; POINTS],
    }
}

/// How much larger than the largest of what a tile reads the values at each point may be, in rows or columns alone, when
/// none of that is negative: above 0 and below. The largest for tiles of any length, with [`factors`].
const GAINS: [(f32, f32); POINTS] =
    [(2.415, 2.708), (2.122, 3.622), (2.415, 2.708), (2.0, 2.5), (2.829, 1.415), (1.708, 1.915)];

/// The same for the point of these numbers.
pub(crate) fn gain(row: usize, column: usize) -> f32 {
    let ((up, down), (right, left)) = (GAINS[row], GAINS[column]);
    (up * right + down * left).max(up * left + down * right)
}

/// A number in every lane, beside vectors that are there.
#[inline(always)]
fn constant<V: Vector>(number: f32) -> V {
    // SAFETY: only called where there are vectors, so the processor has the level.
    unsafe { V::splat(number) }
}

/// The values at the points of what a tile reads in one row or column, short of [`factors`].
#[inline(always)]
pub(super) fn to_points<V: Vector, const N: usize>(d: [V; N]) -> [V; N] {
    let mut v = d;
    let (half, a, b) = (constant::<V>(0.5), constant::<V>(A), constant::<V>(B));
    match N {
        4 => {
            v[0] = half.neg_mul_add(d[0], d[2]);
            v[1] = a.mul_add(d[1], d[2]);
            v[2] = a.neg_mul_add(d[1], d[2]);
            v[3] = half.neg_mul_add(d[1], d[3]);
        }
        5 => {
            let far = half.neg_mul_add(d[1], d[3]);
            let (even, odd) =
                (b.neg_mul_add(d[2], d[3]), a.mul_add(d[2], constant::<V>(0.0) - d[1]));
            v[0] = a.mul_add(d[0], b.neg_mul_add(d[2], far));
            v[1] = even + odd;
            v[2] = even - odd;
            v[3] = a.mul_add(d[1], half.neg_mul_add(d[2], b.neg_mul_add(d[3], d[4])));
            v[4] = far;
        }
        _ => {
            let (two, more) = (constant::<V>(2.0), constant::<V>(2.5));
            let (near_even, near_odd) = (two.neg_mul_add(d[2], d[4]), two.neg_mul_add(d[1], d[3]));
            let (far_even, far_odd) = (half.neg_mul_add(d[2], d[4]), half.neg_mul_add(d[1], d[3]));
            v[0] = more.neg_mul_add(d[2], d[0] + d[4]);
            v[1] = a.mul_add(near_odd, near_even);
            v[2] = a.neg_mul_add(near_odd, near_even);
            v[3] = more.neg_mul_add(d[3], d[1] + d[5]);
            v[4] = b.mul_add(far_odd, far_even);
            v[5] = b.neg_mul_add(far_odd, far_even);
        }
    }
    v
}

/// The outputs of a row or column from the products at the points; those beyond the tile's are not meant.
#[inline(always)]
pub(super) fn from_points<V: Vector, const N: usize>(m: [V; N]) -> [V; 4] {
    let (half, a, b, two) =
        (constant::<V>(0.5), constant::<V>(A), constant::<V>(B), constant::<V>(2.0));
    let (sum, difference) = (m[1] + m[2], m[1] - m[2]);
    match N {
        4 => {
            let second = a.mul_add(difference, m[3]);
            [m[0] + sum, second, second, second]
        }
        5 => {
            let third = half.mul_add(sum, two.mul_add(m[4], m[3]));
            [m[0] + sum + m[4], a.mul_add(difference, b * m[4]), third, third]
        }
        _ => {
            let (far_sum, far_difference) = (m[4] + m[5], m[4] - m[5]);
            [
                m[0] + (sum + far_sum),
                a.mul_add(difference, b * far_difference),
                half.mul_add(sum, two * far_sum),
                constant::<V>(A * 0.5)
                    .mul_add(difference, constant::<V>(B * 2.0).mul_add(far_difference, m[3])),
            ]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use simd::vector::Scalar;

    fn all_lanes(numbers: &[f32]) -> Vec<Scalar> {
        // SAFETY: plain code may run everywhere.
        numbers.iter().map(|&number| unsafe { Scalar::splat(number) }).collect()
    }

    fn first_lane(vector: Scalar) -> f32 {
        let mut out = [0.0; Scalar::LANES];
        // SAFETY: there is room for a vector.
        unsafe { vector.store(out.as_mut_ptr()) };
        out[0]
    }

    fn check<const N: usize>() {
        let input: [f32; N] = std::array::from_fn(|i| (i * i) as f32 * 0.37 - 1.3 * i as f32 + 0.5);
        let kernel = [0.7, -1.1, 0.45];
        let read: [Scalar; N] = all_lanes(&input).try_into().ok().unwrap();
        let values = to_points(read);
        let mut products = values;
        for (point, product) in products.iter_mut().enumerate() {
            let weight: f64 = KERNEL[point].iter().zip(kernel).map(|(k, g)| k * g).sum();
            *product = *product
                * constant::<Scalar>(factors(N)[point])
                * constant::<Scalar>(weight as f32);
        }
        let outputs = from_points(products);
        for (at, &output) in outputs.iter().enumerate().take(N - 2) {
            let expected: f64 = (0..3).map(|i| kernel[i] * f64::from(input[at + i])).sum();
            let found = f64::from(first_lane(output));
            assert!((found - expected).abs() < 1e-5, "{N}, {at}: {found} {expected}");
        }
    }

    #[test]
    fn transforms_give_what_convolutions_give() {
        check::<4>();
        check::<5>();
        check::<6>();
    }
}
