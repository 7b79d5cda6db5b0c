//! Which of the processor's vector instructions a forward pass may use.

#[cfg(target_arch = "x86_64")]
use std::arch::is_x86_feature_detected as has;

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
            if has!("avx512f") {
                return Vectors::Avx512;
            }
            if has!("avx2") && has!("fma") {
                return Vectors::Avx2;
            }
        }
        Vectors::Plain
    }

    /// The widest for sums of products of bytes: AVX-512 is taken with VNNI.
    pub(super) fn for_bytes() -> Vectors {
        #[cfg(target_arch = "x86_64")]
        {
            if has!("avx512f") && has!("avx512bw") && has!("avx512vl") && has!("avx512vnni") {
                return Vectors::Avx512;
            }
            if has!("avx2") {
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
