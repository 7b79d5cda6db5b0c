//! The transforms by plain code.

super::kernel::kernels!(simd::vector::Scalar);
