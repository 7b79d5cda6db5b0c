//! The processor's wider vectors, where it has them.

/// Defines a function that does what another does, compiled for AVX2 where the processor has it.
///
/// The results are the same on every processor: each number is computed by the same operations in the same
/// order, since nothing is fused. The function named must be `#[inline(always)]`.
macro_rules! widened {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $kind:ty),* $(,)?) = $plain:path) => {
        $(#[$meta])*
        $vis fn $name($($arg: $kind),*) {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn wide($($arg: $kind),*) {
                    $plain($($arg),*);
                }
                if simd::has_avx2() {
                    // SAFETY: the processor has AVX2.
                    return unsafe { wide($($arg),*) };
                }
            }
            $plain($($arg),*);
        }
    };
}

pub(crate) use widened;
