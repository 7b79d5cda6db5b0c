//! Lines of the analysis protocol.

use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex};

use tesuji::go::analysis::server;

/// `tesuji analysis` over any bytes: nothing panics, every answer is an object, each line that is not blank has at least one,
/// and all that is asked is answered in the end.
pub fn analysis(data: &[u8]) {
    let output = Shared::default();
    server::run_small(Cursor::new(data.to_vec()), output.clone()).expect("threads");
    let written = output.0.lock().expect("it has not panicked").clone();
    let text = String::from_utf8(written).expect("text");
    let answers = text.lines().map(|line| {
        let value: serde_json::Value = line.parse().expect("JSON");
        assert!(value.is_object(), "{line}");
        // A query is quoted in what is said of it, so the whole text is looked for.
        let error = value.get("error").and_then(|error| error.as_str());
        assert_ne!(error, Some("this query could not be taken"), "{line}");
        assert_ne!(error, Some("the search of this position failed"), "{line}");
    });
    let lines = data.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    // One that asks for no turn at all has none.
    let needed = lines.filter(|line| !line.windows(12).any(|part| part == b"analyzeTurns"));
    assert!(answers.count() >= needed.count(), "{text}");
}

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("it has not panicked").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
