//! Which vector instructions the engines use on this processor, and the one way in which code for them is chosen: for
//! networks, patterns and evaluations alike.
//!
//! A kernel that is written for vectors stands once for each level in modules named after it, [`avx512`, `avx2`,
//! `scalar`](dispatch!), under the same name; `scalar` is plain code, which says what the kernel computes and is there
//! for every kernel. [`dispatch!`] calls the highest that the processor has. Where plain code is enough and only has to
//! be compiled for wider registers, [`multiversion!`] does that without a kernel of its own. Kernels that differ only in how
//! many floats a register holds are written once, with [`vector`].
//!
//! All levels give the same results, so that a game played with a seed is the same on every processor; where floats are
//! summed with fused steps and so only nearly agree, the kernel says so, and nothing that plays a game by default rests on
//! it. Tests hold kernels to that with [`Level::available`]. The environment variable `TESUJI_SIMD` (`scalar`, `avx2` or
//! `avx512`) holds the programs to a lower level than the processor's, which is how that is checked for whole programs.

mod dispatch;
pub mod vector;

use std::sync::OnceLock;

/// The environment variable that holds programs to a lower level.
pub const VARIABLE: &str = "TESUJI_SIMD";

/// What the processor can do; each level has what those before it have.
///
/// There is no way to make a level that the processor does not have: they come from [`level()`] and
/// [`Level::available`]. So whoever holds one may run its kernels, and [`dispatch!`] is safe.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(Name);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    Scalar,
    Avx2,
    Avx512,
}

impl std::fmt::Debug for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl Level {
    /// Nothing beyond what every build asks for.
    pub const SCALAR: Level = Level(Name::Scalar);

    /// All levels that this processor has, the lowest first; for tests that compare kernels.
    ///
    /// ```
    /// assert_eq!(simd::Level::available().first(), Some(&simd::Level::SCALAR));
    /// ```
    pub fn available() -> Vec<Level> {
        let highest = detected();
        let all = [Name::Scalar, Name::Avx2, Name::Avx512];
        all.into_iter().filter(|&name| name <= highest).map(Level).collect()
    }

    /// Whether kernels for AVX2 and FMA may run (Haswell, Zen and later).
    #[inline(always)]
    pub const fn has_avx2(self) -> bool {
        matches!(self.0, Name::Avx2 | Name::Avx512)
    }

    /// Whether kernels for AVX-512 with the extensions F, BW, VL, DQ, VNNI, VBMI2 and VPOPCNTDQ may run (Ice Lake, Zen 4 and
    /// later).
    #[inline(always)]
    pub const fn has_avx512(self) -> bool {
        matches!(self.0, Name::Avx512)
    }
}

impl Name {
    fn parse(name: &str) -> Option<Name> {
        match name.to_ascii_lowercase().as_str() {
            "scalar" => Some(Name::Scalar),
            "avx2" => Some(Name::Avx2),
            "avx512" => Some(Name::Avx512),
            _ => None,
        }
    }
}

/// What `TESUJI_SIMD` says where that is no level's name, and so changes nothing.
pub fn unknown_name() -> Option<String> {
    let name = std::env::var_os(VARIABLE)?.to_string_lossy().into_owned();
    (!name.is_empty() && Name::parse(&name).is_none()).then_some(name)
}

/// The level to use: the processor's, or a lower one that `TESUJI_SIMD` names. Another word in it changes nothing.
#[inline]
pub fn level() -> Level {
    static LEVEL: OnceLock<Level> = OnceLock::new();
    *LEVEL.get_or_init(|| {
        let asked = std::env::var(VARIABLE).ok().and_then(|name| Name::parse(&name));
        Level(asked.map_or(detected(), |asked| asked.min(detected())))
    })
}

#[cfg(target_arch = "x86_64")]
fn detected() -> Name {
    use std::arch::is_x86_feature_detected as has;
    if !(has!("avx2") && has!("fma")) {
        return Name::Scalar;
    }
    let avx512 = has!("avx512f")
        && has!("avx512bw")
        && has!("avx512vl")
        && has!("avx512dq")
        && has!("avx512vnni")
        && has!("avx512vbmi2")
        && has!("avx512vpopcntdq");
    if avx512 { Name::Avx512 } else { Name::Avx2 }
}

#[cfg(not(target_arch = "x86_64"))]
fn detected() -> Name {
    Name::Scalar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_an_order_and_names() {
        assert!(Name::Scalar < Name::Avx2 && Name::Avx2 < Name::Avx512);
        assert_eq!(Name::parse("AVX2"), Some(Name::Avx2));
        assert_eq!(Name::parse("sse"), None);
        assert!(level() <= Level(detected()));
        assert_eq!(Level::available().last(), Some(&Level(detected())));
        assert_eq!(format!("{:?}", Level::SCALAR), "Scalar");
    }
}
