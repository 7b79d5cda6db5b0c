//! The log of one game's GTP traffic, kept on request.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// A log shared by the engines of one game; the default one keeps nothing.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    log: Option<Arc<(Instant, Mutex<BufWriter<File>>)>>,
}

impl Transcript {
    /// A log written to `path`, from its beginning.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn create(path: &Path) -> std::io::Result<Transcript> {
        let file = BufWriter::new(File::create(path)?);
        Ok(Transcript { log: Some(Arc::new((Instant::now(), Mutex::new(file)))) })
    }

    /// Adds one line: `seconds  who direction text`. `>` is to the engine, `<` from it, `!` text it should not have sent.
    pub fn line(&self, who: &str, direction: char, text: &str) {
        if let Some((start, file)) = self.log.as_deref()
            && let Ok(mut file) = file.lock()
        {
            // A log that cannot be written must not stop a game.
            let _ =
                writeln!(file, "{:10.4} {who} {direction} {text}", start.elapsed().as_secs_f64());
        }
    }
}
