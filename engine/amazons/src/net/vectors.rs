//! Which of the processor's vector instructions a forward pass may use.

/// What the processor can do. The first needs nothing; each has what those before it have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vectors {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Vectors {
    /// The widest for sums of products of floats: AVX2 is taken with FMA, AVX-512 needs its foundation alone.
    pub(super) fn for_floats() -> Vectors {
        #[cfg(target_arch = "x86_64")]
        {
            if simd::has_avx512() {
                return Vectors::Avx512;
            }
            if simd::has_avx2() {
                return Vectors::Avx2;
            }
        }
        Vectors::Plain
    }

    /// The widest for sums of products of bytes: AVX-512 is taken with VNNI.
    pub(super) fn for_bytes() -> Vectors {
        #[cfg(target_arch = "x86_64")]
        {
            if simd::has_avx512() {
                return Vectors::Avx512;
            }
            if simd::has_avx2() {
                return Vectors::Avx2;
            }
        }
        Vectors::Plain
    }

    /// All up to these, for tests that compare them.
    #[cfg(test)]
    pub(super) fn and_below(self) -> Vec<Vectors> {
        match self {
            Vectors::Plain => vec![Vectors::Plain],
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx2 => vec![Vectors::Plain, Vectors::Avx2],
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512 => vec![Vectors::Plain, Vectors::Avx2, Vectors::Avx512],
        }
    }
}
