//! Tables for spreadsheets, as RFC 4180 has them.

/// A row with its line end.
///
/// ```
/// assert_eq!(tesuji::csv::row(&["B+3.5", "a, \"b\""]), "B+3.5,\"a, \"\"b\"\"\"\n");
/// ```
pub fn row(fields: &[impl AsRef<str>]) -> String {
    let fields: Vec<String> = fields.iter().map(|field| quote(field.as_ref())).collect();
    fields.join(",") + "\n"
}

fn quote(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}
