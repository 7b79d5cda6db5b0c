//! What follows a convolution, by AVX2 with FMA.

super::kernel::kernels!(
    #[target_feature(enable = "avx2,fma")]
    simd::vector::Avx2
);
