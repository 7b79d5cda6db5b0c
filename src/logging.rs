//! Log messages, which go to standard error.

use tracing::Level;

/// Starts writing log messages of `level` and above to standard error.
///
/// Some controllers merge the two streams, so no row may look like an answer: rows begin with the
/// level in capitals. A closed standard error is ignored.
pub fn start(level: Level) {
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .without_time()
        .log_internal_errors(false)
        .finish();
    // Fails only if logging was started already.
    let _ = tracing::subscriber::set_global_default(subscriber);
    if let Some(name) = simd::unknown_name() {
        tracing::warn!(
            "{}={name:?} changes nothing: scalar, avx2 and avx512 are known",
            simd::VARIABLE
        );
    }
}
