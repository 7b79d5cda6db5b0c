//! KataGo's configuration: `name = value` a line, `#` before comments; on a command line `name=value` with commas between.

/// The settings of a file, in their order. What is no setting is passed over.
pub(super) fn of_file(text: &str) -> Vec<(String, String)> {
    let without_comment = |line: &str| line.split('#').next().unwrap_or_default().to_owned();
    text.trim_start_matches('\u{feff}')
        .lines()
        .map(without_comment)
        .filter_map(|line| pair(&line))
        .collect()
}

/// The settings of one word of a command line.
pub(super) fn of_word(word: &str) -> Vec<(String, String)> {
    word.split(',').filter_map(pair).collect()
}

fn pair(text: &str) -> Option<(String, String)> {
    let (name, value) = text.split_once('=')?;
    let (name, value) = (name.trim(), value.trim().trim_matches('"'));
    (!name.is_empty()).then(|| (name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_from_files_and_words() {
        let file = "# KataGo\n\nlogDir = logs # there\n  maxVisits=500\n@include other.cfg\n#maxTime = 5\nx =\r\n";
        let pairs = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            pairs.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
        };
        assert_eq!(of_file(file), pairs(&[("logDir", "logs"), ("maxVisits", "500"), ("x", "")]));
        let marked = of_file("\u{feff}maxVisits = 7\r\n");
        assert_eq!(marked, pairs(&[("maxVisits", "7")]));
        let word = "homeDataDir=/home/a b/.katrain,maxVisits = 7,,z";
        assert_eq!(
            of_word(word),
            pairs(&[("homeDataDir", "/home/a b/.katrain"), ("maxVisits", "7")])
        );
    }
}
