//! Numbers that begin at a whole line of the cache, so that no vector lies across two.

use std::ops::{Deref, DerefMut};

/// A line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Line([u32; LINE]);

const LINE: usize = 16;

/// An array that begins at a whole line of the cache.
#[repr(C, align(64))]
pub(crate) struct AlignedArray<T, const N: usize>(pub(crate) [T; N]);

/// Numbers of four bytes.
pub(crate) trait FourBytes: Copy + Default {}

impl FourBytes for u32 {}
impl FourBytes for f32 {}

/// A vector of numbers of four bytes that begins at a whole line of the cache.
#[derive(Clone, Debug, Default)]
pub(crate) struct AlignedVec<T> {
    lines: Vec<Line>,
    length: usize,
    kind: std::marker::PhantomData<T>,
}

impl<T: FourBytes> AlignedVec<T> {
    /// So many zeros.
    pub(crate) fn zeros(length: usize) -> Self {
        let lines = vec![Line([0; LINE]); length.div_ceil(LINE)];
        AlignedVec { lines, length, kind: std::marker::PhantomData }
    }

    /// Makes it at least as long; what is new is 0.
    pub(crate) fn grow_to(&mut self, length: usize) {
        if length > self.length {
            self.lines.resize(length.div_ceil(LINE), Line([0; LINE]));
            self.length = length;
        }
    }
}

impl<T: FourBytes> From<&[T]> for AlignedVec<T> {
    fn from(numbers: &[T]) -> Self {
        let mut all = AlignedVec::zeros(numbers.len());
        all.copy_from_slice(numbers);
        all
    }
}

impl<T: FourBytes> Deref for AlignedVec<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: the lines hold as many numbers of four bytes, for which any bits will do.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.length) }
    }
}

impl<T: FourBytes> DerefMut for AlignedVec<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and nobody else has them.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.length) }
    }
}
