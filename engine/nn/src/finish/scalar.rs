//! What follows a convolution, by plain code.

super::kernel::kernels!(simd::vector::Scalar);
