//! What follows a convolution, by AVX-512.

super::kernel::kernels!(
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
    simd::vector::Avx512
);
