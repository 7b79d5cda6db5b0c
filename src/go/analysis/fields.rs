//! Fields of an object, read with their types; what is wrong is told with the field's name.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::ops::RangeInclusive;

use serde_json::{Map, Value};

/// What is wrong with a field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub(super) struct Problem {
    /// The field.
    pub field: String,
    /// What is wrong.
    pub text: String,
}

impl Problem {
    /// This is wrong with that field.
    pub fn new(field: &str, text: impl Into<String>) -> Problem {
        Problem { field: field.to_owned(), text: text.into() }
    }
}

/// What was read, or why not.
pub(super) type Read<T> = Result<T, Problem>;

/// The fields of an object. `null` is as good as nothing.
pub(super) struct Fields<'a> {
    map: &'a Map<String, Value>,
    asked: BTreeSet<&'static str>,
}

impl<'a> Fields<'a> {
    /// Those of an object.
    pub fn new(map: &'a Map<String, Value>) -> Fields<'a> {
        Fields { map, asked: BTreeSet::new() }
    }

    /// The value of a field.
    pub fn get(&mut self, name: &'static str) -> Option<&'a Value> {
        self.asked.insert(name);
        self.map.get(name).filter(|value| !value.is_null())
    }

    /// The same of one that has to be there.
    pub fn required(&mut self, name: &'static str) -> Read<&'a Value> {
        self.get(name).ok_or_else(|| Problem::new(name, format!("{name} is missing")))
    }

    /// Fields that nobody has asked for.
    pub fn unknown(&self) -> impl Iterator<Item = &'a str> {
        let names = self.map.keys().map(String::as_str);
        names.filter(|name| !self.asked.contains(name))
    }

    /// A switch, off where it is absent.
    pub fn switch(&mut self, name: &'static str) -> Read<bool> {
        match self.get(name) {
            None => Ok(false),
            Some(Value::Bool(is_on)) => Ok(*is_on),
            Some(_) => Err(Problem::new(name, format!("{name} must be true or false"))),
        }
    }

    /// A whole number.
    pub fn integer(&mut self, name: &'static str, range: RangeInclusive<i64>) -> Read<Option<i64>> {
        self.get(name).map(|value| integer(name, value, range)).transpose()
    }

    /// A number.
    pub fn real(&mut self, name: &'static str, range: RangeInclusive<f64>) -> Read<Option<f64>> {
        self.get(name).map(|value| real(name, value, range)).transpose()
    }

    /// A list.
    pub fn list(&mut self, name: &'static str) -> Read<Option<&'a [Value]>> {
        self.get(name).map(|value| list(name, value)).transpose()
    }
}

/// A value as a list.
pub(super) fn list<'a>(field: &str, value: &'a Value) -> Read<&'a [Value]> {
    let list = value.as_array().map(Vec::as_slice);
    list.ok_or_else(|| Problem::new(field, format!("{field} must be a list")))
}

/// A value as a text.
pub(super) fn text<'a>(field: &str, value: &'a Value) -> Read<&'a str> {
    value.as_str().ok_or_else(|| Problem::new(field, format!("{field} must be a string")))
}

/// A value as a whole number; one that is written with a fraction of zero is as good.
pub(super) fn integer(field: &str, value: &Value, range: RangeInclusive<i64>) -> Read<i64> {
    const EXACT: f64 = (1u64 << 53) as f64;
    let whole = |number: &f64| number.fract() == 0.0 && number.abs() < EXACT;
    let number = value.as_i64().or_else(|| value.as_f64().filter(whole).map(|n| n as i64));
    number.filter(|number| range.contains(number)).ok_or_else(|| {
        let bounds = bounds(&range, i64::MIN, i64::MAX);
        Problem::new(field, format!("{field} must be a whole number{bounds}"))
    })
}

/// A value as a number.
pub(super) fn real(field: &str, value: &Value, range: RangeInclusive<f64>) -> Read<f64> {
    value.as_f64().filter(|number| range.contains(number)).ok_or_else(|| {
        let bounds = bounds(&range, f64::MIN, f64::MAX);
        Problem::new(field, format!("{field} must be a number{bounds}"))
    })
}

/// A range in words; ends that are those of the type say nothing.
fn bounds<T: PartialEq + Display>(range: &RangeInclusive<T>, lowest: T, highest: T) -> String {
    let from = (*range.start() != lowest).then(|| format!(" from {}", range.start()));
    let to = (*range.end() != highest).then(|| format!(" to {}", range.end()));
    from.unwrap_or_default() + &to.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn fields_are_read_by_type_and_range() {
        let object =
            json!({"a": 3, "b": 2.5, "c": true, "d": null, "e": 4.0, "f": 1e300, "g": "x"});
        let mut fields = Fields::new(object.as_object().unwrap());
        assert_eq!(fields.integer("a", 1..=3), Ok(Some(3)));
        assert_eq!(fields.integer("e", 1..=9), Ok(Some(4)));
        assert_eq!(fields.real("b", 0.0..=3.0), Ok(Some(2.5)));
        assert_eq!(fields.integer("d", 1..=9), Ok(None));
        assert_eq!((fields.switch("c"), fields.switch("absent")), (Ok(true), Ok(false)));
        for (name, text) in [("b", "whole number"), ("f", "from 1 to 9"), ("g", "whole number")] {
            let problem = fields.integer(name, 1..=9).unwrap_err();
            assert!(problem.field == name && problem.text.contains(text), "{problem:?}");
        }
        let endless = fields.integer("g", i64::MIN..=i64::MAX).unwrap_err();
        assert_eq!(endless.text, "g must be a whole number");
        let endless = fields.real("g", 0.0..=f64::MAX).unwrap_err();
        assert_eq!(endless.text, "g must be a number from 0");
        assert_eq!(fields.required("absent").unwrap_err().text, "absent is missing");
        assert_eq!(fields.unknown().count(), 0);
        assert_eq!(Fields::new(object.as_object().unwrap()).unknown().count(), 7);
    }
}
