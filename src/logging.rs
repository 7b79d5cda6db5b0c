//! Log messages, which go to standard error.

use tracing::{Level, Subscriber};
use tracing_subscriber::fmt::MakeWriter;

/// Starts writing log messages of `level` and above to standard error.
///
/// Some controllers merge the two streams, so no row may look like an answer: rows begin with the
/// level in capitals. A closed standard error is ignored.
pub fn start(level: Level) {
    // Fails only if logging was started already.
    let _ = tracing::subscriber::set_global_default(subscriber(level, std::io::stderr));
    if let Some(name) = simd::unknown_name() {
        tracing::warn!(
            "{}={name:?} changes nothing: scalar, avx2 and avx512 are known",
            simd::VARIABLE
        );
    }
}

/// What writes messages of `level` and above as rows.
pub fn subscriber(
    level: Level,
    to: impl for<'a> MakeWriter<'a> + Send + Sync + 'static,
) -> impl Subscriber + Send + Sync {
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(to)
        .with_ansi(false)
        .without_time()
        .log_internal_errors(false)
        .finish()
}
