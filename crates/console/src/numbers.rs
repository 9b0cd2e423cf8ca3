//! How are counts and times written?

use std::time::Duration;

/// `1 path`, `1,234 paths`.
pub fn count(number: u64, one: &str, several: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { several })
}

/// `12 ms`, `3.4 s`, `5 min 2 s`.
pub fn duration(time: Duration) -> String {
    match time.as_millis() {
        milliseconds @ 0..1000 => format!("{milliseconds} ms"),
        milliseconds @ 1000..60_000 if milliseconds % 1000 < 100 => format!("{} s", milliseconds / 1000),
        milliseconds @ 1000..60_000 => format!("{}.{} s", milliseconds / 1000, milliseconds % 1000 / 100),
        milliseconds => format!("{} min {} s", milliseconds / 60_000, milliseconds % 60_000 / 1000),
    }
}

/// `1,234,567`
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_numbers_are_readable() {
        assert_eq!(duration(Duration::from_millis(3456)), "3.4 s");
        assert_eq!(duration(Duration::from_millis(3056)), "3 s");
        assert_eq!(duration(Duration::from_secs(302)), "5 min 2 s");
        assert_eq!(count(1, "path", "paths"), "1 path");
        assert_eq!(count(1_234_567, "path", "paths"), "1,234,567 paths");
    }
}
