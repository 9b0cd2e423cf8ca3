//! How are sizes, times, scopes and ranges read from the command line?

use std::str::FromStr;
use std::time::Duration;

/// A text that is no quantity. `Display` says what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnitError {
    /// No size.
    #[error("write a size such as 512m or 2g")]
    Size,
    /// No time.
    #[error("write a time such as 500ms, 60s or 5m")]
    Duration,
    /// No scope.
    #[error("write a scope such as 3, or Node=5,List=2, or 3,Node=5")]
    Scope,
    /// A scope without objects.
    #[error("with a scope of 0 there is no input to try; write at least 1")]
    EmptyScope,
    /// A scope beyond the numbers that objects have.
    #[error("a scope is at most {LARGEST_SCOPE}")]
    ScopeTooLarge,
    /// A class has two scopes.
    #[error("{0} is named twice")]
    NamedTwice(String),
    /// No range.
    #[error("write a range such as key=0..5, Node.key=-1..1, or 0..5 for all fields")]
    FieldRange,
    /// A range whose end is before its beginning.
    #[error("there is no number from {0} to {1}")]
    EmptyRange(i64, i64),
}

/// A number of bytes with a unit: `512m`, `2g`.
pub fn size(text: &str) -> Result<usize, UnitError> {
    let lower = text.to_lowercase();
    let digits = lower.trim_end_matches('b').trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match lower.trim_end_matches('b').trim_start_matches(|letter: char| letter.is_ascii_digit()) {
        "" => 1,
        "k" => 1 << 10,
        "m" => 1 << 20,
        "g" => 1 << 30,
        _ => 0,
    };
    let number: usize = digits.parse().map_err(|_| UnitError::Size)?;
    number.checked_mul(unit).filter(|bytes| *bytes > 0).ok_or(UnitError::Size)
}

/// A number with a unit: `500ms`, `60s`, `5m`, `1h`. Seconds without one.
pub fn duration(text: &str) -> Result<Duration, UnitError> {
    let split = text.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let factor = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(UnitError::Duration),
    };
    let number: f64 = number.parse().map_err(|_| UnitError::Duration)?;
    Duration::try_from_secs_f64(number * factor).map_err(|_| UnitError::Duration)
}

/// How many input objects there may be: `3`, `Node=5,List=2`, or both: `3,Node=5`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Of each class that is not named.
    pub each: Option<usize>,
    /// Classes and their scopes.
    pub named: Vec<(String, usize)>,
}

impl FromStr for Scope {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Scope, UnitError> {
        let mut scope = Scope { each: None, named: Vec::new() };
        for part in text.split(',').map(str::trim) {
            match part.split_once('=') {
                Some((class, number)) => {
                    let (class, number) = (class.trim(), number.trim().parse());
                    let (false, Ok(number)) = (class.is_empty(), number) else { return Err(UnitError::Scope) };
                    if scope.named.iter().any(|(named, _)| named == class) {
                        return Err(UnitError::NamedTwice(class.to_string()));
                    }
                    scope.named.push((class.to_string(), number));
                }
                None => match part.parse() {
                    Ok(0) => return Err(UnitError::EmptyScope),
                    Ok(number) if scope.each.is_none() => scope.each = Some(number),
                    _ => return Err(UnitError::Scope),
                },
            }
        }
        let all = scope.named.iter().map(|(_, number)| *number).chain(scope.each);
        match all.max() {
            Some(largest) if largest > LARGEST_SCOPE => Err(UnitError::ScopeTooLarge),
            _ => Ok(scope),
        }
    }
}

/// Objects of a class have numbers of 16 bits, and no run comes near to so many.
pub const LARGEST_SCOPE: usize = u16::MAX as usize;

/// `put,remove(int, Object)` as the methods that it lists. A comma between parentheses belongs to a method.
pub fn listed_methods(text: &str) -> Vec<String> {
    let mut depth = 0;
    let parts = text.split(|letter| {
        depth += (letter == '(') as usize;
        depth -= (letter == ')' && depth > 0) as usize;
        letter == ',' && depth == 0
    });
    parts.map(str::trim).filter(|name| !name.is_empty()).map(str::to_string).collect()
}

/// The numbers of a field, or of all: `key=0..5`, `0..5`. Both ends are included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldRange {
    /// None for all fields that have no range of their own.
    pub field: Option<String>,
    /// The least and the greatest number.
    pub values: (i64, i64),
}

impl FromStr for FieldRange {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<FieldRange, UnitError> {
        let (field, values) = match text.split_once('=') {
            Some((field, values)) if !field.trim().is_empty() => (Some(field.trim().to_string()), values),
            Some(_) => return Err(UnitError::FieldRange),
            None => (None, text),
        };
        let (from, to) = values.split_once("..").ok_or(UnitError::FieldRange)?;
        let number = |text: &str| text.trim().parse::<i64>().map_err(|_| UnitError::FieldRange);
        let values = (number(from)?, number(to)?);
        if values.0 > values.1 {
            return Err(UnitError::EmptyRange(values.0, values.1));
        }
        Ok(FieldRange { field, values })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_of_a_field_or_of_all() {
        let range = |text: &str| text.parse::<FieldRange>();
        assert_eq!(range("key=0..5"), Ok(FieldRange { field: Some("key".to_string()), values: (0, 5) }));
        assert_eq!(range("Node.key=-3..-1"), Ok(FieldRange { field: Some("Node.key".to_string()), values: (-3, -1) }));
        assert_eq!(range("7..7"), Ok(FieldRange { field: None, values: (7, 7) }));
        for wrong in ["", "key", "key=", "=0..1", "key=0", "key=0..x", "key=5..0", "0..=5"] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn methods_are_listed_with_commas() {
        assert_eq!(listed_methods("put, remove"), ["put", "remove"]);
        assert_eq!(listed_methods("a.B.put(int, Object),new(I)V"), ["a.B.put(int, Object)", "new(I)V"]);
        assert_eq!(listed_methods(","), [""; 0]);
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("512m"), Ok(512 << 20));
        assert_eq!(size("2GB"), Ok(2 << 30));
        assert_eq!(size("100"), Ok(100));
        for wrong in ["", "g", "-1g", "1.5g", "1x", "0", "99999999999g"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_have_units() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        for wrong in ["", "s", "-1s", "1y", "nan"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn scopes_are_for_all_classes_or_for_named_ones() {
        let scope = |text: &str| text.parse::<Scope>();
        let node = ("Node".to_string(), 5);
        for wrong in ["65536", "2147483648", "Node=4294967295", "2,Node=4294967296"] {
            assert_eq!(scope(wrong), Err(UnitError::ScopeTooLarge), "{wrong}");
        }
        assert_eq!(scope("3"), Ok(Scope { each: Some(3), named: vec![] }));
        let both = vec![node.clone(), ("a.List".to_string(), 2)];
        assert_eq!(scope("Node=5,a.List=2"), Ok(Scope { each: None, named: both }));
        assert_eq!(scope("3, Node = 5"), Ok(Scope { each: Some(3), named: vec![node] }));
        for wrong in ["", "0", "-1", "x", "3,4", "=3", "Node=", "Node=x", "Node=1,Node=2", "3,"] {
            assert!(scope(wrong).is_err(), "{wrong}");
        }
    }
}
