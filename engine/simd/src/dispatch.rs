//! The macros that choose between kernels.

/// Calls the kernel of the highest level up to one: a function that stands under the same name in modules called
/// `avx512`, `avx2` and `scalar`, of which the first two may be lacking where they would gain nothing.
///
/// Arguments are names, so that nothing is computed beside the kernel. The modules for vectors are only there on x86-64.
///
/// ```
/// mod scalar {
///     pub fn sum(numbers: &[i32; 8]) -> i32 {
///         numbers.iter().sum()
///     }
/// }
///
/// #[cfg(target_arch = "x86_64")]
/// mod avx2 {
///     use std::arch::x86_64::*;
///
///     #[target_feature(enable = "avx2")]
///     pub fn sum(numbers: &[i32; 8]) -> i32 {
///         // SAFETY: these are 32 bytes, which may lie anywhere.
///         let all = unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) };
///         let four = _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256::<1>(all));
///         let two = _mm_hadd_epi32(four, four);
///         _mm_cvtsi128_si32(_mm_hadd_epi32(two, two))
///     }
/// }
///
/// fn sum(level: simd::Level, numbers: &[i32; 8]) -> i32 {
///     simd::dispatch!(level => avx2 | scalar: sum(numbers))
/// }
///
/// let numbers = [3, 1, 4, 1, 5, 9, 2, 6];
/// for level in simd::Level::available() {
///     assert_eq!(sum(level, &numbers), 31, "{level:?}");
/// }
/// assert_eq!(sum(simd::level(), &numbers), 31);
/// ```
#[macro_export]
macro_rules! dispatch {
    ($level:expr => avx512 | avx2 | scalar: $kernel:ident($($argument:ident),*)) => {
        $crate::dispatch!(@ $level, [avx512 has_avx512, avx2 has_avx2], $kernel($($argument),*))
    };
    ($level:expr => avx512 | scalar: $kernel:ident($($argument:ident),*)) => {
        $crate::dispatch!(@ $level, [avx512 has_avx512], $kernel($($argument),*))
    };
    ($level:expr => avx2 | scalar: $kernel:ident($($argument:ident),*)) => {
        $crate::dispatch!(@ $level, [avx2 has_avx2], $kernel($($argument),*))
    };
    (@ $level:expr, [$($module:ident $has:ident),*], $kernel:ident $arguments:tt) => {{
        let level: $crate::Level = $level;
        match level {
            $(
                // SAFETY: there are only levels that the processor has, see `Level`.
                #[cfg(target_arch = "x86_64")]
                level if level.$has() => unsafe { $module::$kernel $arguments },
            )*
            _ => scalar::$kernel $arguments,
        }
    }};
}

/// Defines a function that does what another does, compiled for AVX2 too, and taken so where the processor has it.
///
/// The results are the same on every processor: each number is computed by the same operations in the same order, since
/// the compiler fuses and reorders nothing. The function named must be `#[inline(always)]`, and so must what it calls.
///
/// ```
/// #[inline(always)]
/// fn add_plainly<const N: usize>(sums: &mut [i16; N], row: &[i16; N]) {
///     for (sum, number) in sums.iter_mut().zip(row) {
///         *sum += number;
///     }
/// }
///
/// simd::multiversion! {
///     /// Adds a row of numbers.
///     pub fn add<const N: usize>(sums: &mut [i16; N], row: &[i16; N]) = add_plainly;
/// }
///
/// let mut sums = [1; 64];
/// add(&mut sums, &[2; 64]);
/// assert_eq!(sums, [3; 64]);
/// ```
#[macro_export]
macro_rules! multiversion {
    ($($(#[$meta:meta])* $vis:vis fn $name:ident $(<$(const $n:ident: usize),+>)? (
        $($argument:ident: $kind:ty),* $(,)?
    ) $(-> $out:ty)? = $plain:path;)+) => { $(
        $(#[$meta])*
        $vis fn $name $(<$(const $n: usize),+>)? ($($argument: $kind),*) $(-> $out)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn avx2 $(<$(const $n: usize),+>)? ($($argument: $kind),*) $(-> $out)? {
                    $plain($($argument),*)
                }
                if $crate::level().has_avx2() {
                    // SAFETY: there are only levels that the processor has, see `Level`.
                    return unsafe { avx2 $(::<$($n),+>)? ($($argument),*) };
                }
            }
            $plain($($argument),*)
        }
    )+ };
}
