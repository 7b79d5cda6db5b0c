//! What kind of machine this is, as far as the system says.

/// The processor's name.
pub fn processor() -> String {
    named(&read("/proc/cpuinfo"), "model name").unwrap_or_else(|| "the system does not say".into())
}

/// The vector instructions in use, and why no others where they are held down.
pub fn vectors() -> String {
    let level = simd::level();
    let highest = simd::Level::available().last().copied().unwrap_or(simd::Level::SCALAR);
    let words = |level| match level {
        simd::Level::SCALAR => "none: plain code, which is several times slower".to_owned(),
        level => format!("{level:?}").to_uppercase(),
    };
    match level == highest {
        true => words(level),
        false => format!("{} ({} holds it below {})", words(level), simd::VARIABLE, words(highest)),
    }
}

/// How much memory there is, and how much of it is free.
pub fn memory() -> String {
    let text = read("/proc/meminfo");
    let mib = |name| {
        let value = named(&text, name)?;
        Some(value.split(' ').next()?.parse::<u64>().ok()? / 1024)
    };
    match (mib("MemTotal"), mib("MemAvailable")) {
        (Some(total), Some(free)) => {
            let needed =
                if free < 1024 { "; --max-memory 256 takes less than the usual 512" } else { "" };
            format!("{total} MiB, {free} MiB of them free{needed}")
        }
        _ => "the system does not say".to_owned(),
    }
}

/// A file of the system's, which other systems do not have.
fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

/// The value of the first row `NAME : VALUE`.
fn named(text: &str, name: &str) -> Option<String> {
    let rows = text.lines().filter_map(|row| row.split_once(':'));
    let mut values = rows.filter(|(key, _)| key.trim() == name).map(|(_, value)| value.trim());
    values.next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_name() {
        let text = "processor\t: 0\nmodel name\t: Some: CPU\nMemTotal:  2048 kB\n";
        assert_eq!(named(text, "model name").as_deref(), Some("Some: CPU"));
        assert_eq!(named(text, "MemTotal").as_deref(), Some("2048 kB"));
        assert_eq!(named(text, "flags"), None);
    }
}
