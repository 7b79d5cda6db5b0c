//! Which vector instructions the engines use on this processor: decided once, in one place, for networks, patterns
//! and evaluations alike.
//!
//! Every kernel has plain code beside its vector code, and both give the same results, so that a game played with a
//! seed is the same on every processor. The environment variable `TESUJI_SIMD` (`scalar`, `avx2` or `avx512`) holds
//! the programs to a lower level than the processor's, which is how that is checked.

use std::sync::OnceLock;

/// The environment variable that holds programs to a lower level.
pub const VARIABLE: &str = "TESUJI_SIMD";

/// What the processor can do; each level has what those before it have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Nothing beyond what every build asks for.
    Scalar,
    /// AVX2 and FMA (Haswell, Zen and later).
    Avx2,
    /// AVX-512 with the extensions F, BW, VL, VNNI, VBMI2 and VPOPCNTDQ (Ice Lake, Zen 4 and later).
    Avx512,
}

impl Level {
    /// All levels that this processor has, the lowest first; for tests that compare kernels.
    ///
    /// ```
    /// assert_eq!(simd::Level::available().first(), Some(&simd::Level::Scalar));
    /// ```
    pub fn available() -> Vec<Level> {
        let highest = detected();
        let all = [Level::Scalar, Level::Avx2, Level::Avx512];
        all.into_iter().filter(|&level| level <= highest).collect()
    }

    fn from_name(name: &str) -> Option<Level> {
        match name.to_ascii_lowercase().as_str() {
            "scalar" => Some(Level::Scalar),
            "avx2" => Some(Level::Avx2),
            "avx512" => Some(Level::Avx512),
            _ => None,
        }
    }
}

/// The level to use: the processor's, or a lower one that `TESUJI_SIMD` names. Another word in it changes nothing.
#[inline]
pub fn level() -> Level {
    static LEVEL: OnceLock<Level> = OnceLock::new();
    *LEVEL.get_or_init(|| {
        let asked = std::env::var(VARIABLE).ok().and_then(|name| Level::from_name(&name));
        asked.map_or(detected(), |asked| asked.min(detected()))
    })
}

/// Whether kernels for AVX2 and FMA may run.
#[inline]
pub fn has_avx2() -> bool {
    level() >= Level::Avx2
}

/// Whether kernels for AVX-512 may run.
#[inline]
pub fn has_avx512() -> bool {
    level() >= Level::Avx512
}

#[cfg(target_arch = "x86_64")]
fn detected() -> Level {
    use std::arch::is_x86_feature_detected as has;
    if !(has!("avx2") && has!("fma")) {
        return Level::Scalar;
    }
    let avx512 = has!("avx512f")
        && has!("avx512bw")
        && has!("avx512vl")
        && has!("avx512vnni")
        && has!("avx512vbmi2")
        && has!("avx512vpopcntdq");
    if avx512 { Level::Avx512 } else { Level::Avx2 }
}

#[cfg(not(target_arch = "x86_64"))]
fn detected() -> Level {
    Level::Scalar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_an_order_and_names() {
        assert!(Level::Scalar < Level::Avx2 && Level::Avx2 < Level::Avx512);
        assert_eq!(Level::from_name("AVX2"), Some(Level::Avx2));
        assert_eq!(Level::from_name("sse"), None);
        assert!(level() <= detected());
        assert_eq!(Level::available().last(), Some(&detected()));
    }
}
