//! Tunables in the form of GoGui's parameter dialogs.
//!
//! A command of GoGui's type `param` answers without arguments with one row for each parameter,
//! `[type] name value`, and sets one when called with a name and a value (GoGui's documentation,
//! chapter "Analyze Commands"). GoGui knows the types `bool`, `list/A/B/...` and `string`; numbers
//! are strings to it, checked here.

use super::answer::{Failure, Reply};
use super::words::Args;
use tunables::Tunable;

/// What values a parameter takes.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// `0` or `1`.
    Switch,
    /// A whole number between two others, ends included.
    Integer(i64, i64),
    /// A number between two others, ends included.
    Real(f64, f64),
    /// One of several words.
    Choice(Vec<String>),
    /// Any text.
    Text,
}

/// A parameter as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    /// One word.
    pub name: String,
    /// What values it takes.
    pub kind: Kind,
    /// The present value; switches are `0` and `1`.
    pub value: String,
    /// What it does, in one sentence.
    pub help: String,
}

/// A game with parameters.
pub trait Params {
    /// All parameters with their present values, in the order in which a person should see them.
    fn params(&self) -> Vec<Param>;

    /// Sets the parameter of this name. The value has been checked against its [`Kind`].
    ///
    /// # Errors
    /// A text that says why the value is impossible.
    fn set_param(&mut self, name: &str, value: &str) -> Result<(), String>;
}

impl Param {
    /// A row of an engine's table of tunables with its value: a switch when it is 0 or 1, whole where only whole
    /// numbers make sense.
    pub fn tunable(row: &Tunable, value: f64) -> Param {
        let kind = match (row.whole, row.least, row.greatest) {
            (true, 0.0, 1.0) => Kind::Switch,
            (true, least, greatest) => Kind::Integer(least as i64, greatest as i64),
            (false, least, greatest) => Kind::Real(least, greatest),
        };
        // The engines reckon with single precision: more digits than that mean nothing.
        let value = if row.whole { value.to_string() } else { (value as f32).to_string() };
        Param { name: row.name.to_owned(), kind, value, help: row.help.to_owned() }
    }

    fn row(&self) -> String {
        let kind = match &self.kind {
            Kind::Switch => "bool".to_owned(),
            Kind::Choice(words) => format!("list/{}", words.join("/")),
            Kind::Integer(..) | Kind::Real(..) | Kind::Text => "string".to_owned(),
        };
        format!("[{kind}] {} {}", self.name, self.value)
    }

    fn help_row(&self) -> String {
        let range = match &self.kind {
            Kind::Switch => "0 or 1".to_owned(),
            Kind::Integer(low, high) => format!("{low} to {high}"),
            Kind::Real(low, high) => format!("{low} to {high}"),
            Kind::Choice(words) => words.join(", "),
            Kind::Text => "text".to_owned(),
        };
        format!("{} = {} ({range}): {}", self.name, self.value, self.help)
    }

    /// The value in its own spelling, or what is wrong with it.
    fn check(&self, value: &str) -> Result<String, String> {
        let bad = |wanted: String| format!("{} takes {wanted}, not {value:?}", self.name);
        match &self.kind {
            Kind::Switch => match Args::new(value).boolean() {
                Ok(on) => Ok(if on { "1" } else { "0" }.to_owned()),
                Err(_) => Err(bad("0 or 1".to_owned())),
            },
            &Kind::Integer(low, high) => match value.parse::<i64>() {
                Ok(number) if (low..=high).contains(&number) => Ok(number.to_string()),
                _ => Err(bad(format!("a whole number from {low} to {high}"))),
            },
            &Kind::Real(low, high) => match value.parse::<f64>() {
                Ok(number) if (low..=high).contains(&number) => Ok(number.to_string()),
                _ => Err(bad(format!("a number from {low} to {high}"))),
            },
            Kind::Choice(words) => words
                .iter()
                .find(|word| word.eq_ignore_ascii_case(value))
                .cloned()
                .ok_or_else(|| bad(format!("one of {}", words.join(", ")))),
            Kind::Text => Ok(value.to_owned()),
        }
    }
}

/// The answer of a `param` command: all parameters, one (`NAME`), all explained (`help`), or, with
/// `NAME VALUE`, the parameter set.
pub fn answer(game: &mut impl Params, args: &mut Args<'_>) -> Reply {
    let params = game.params();
    let rows = |row: fn(&Param) -> String| params.iter().map(row).collect::<Vec<_>>().join("\n");
    let Some(name) = args.next() else {
        return Ok(rows(Param::row));
    };
    if name == "help" {
        return Ok(rows(Param::help_row));
    }
    let param = params
        .iter()
        .find(|param| param.name == name)
        .ok_or_else(|| Failure::new(format!("unknown parameter {name:?}")))?;
    if args.is_empty() && param.kind != Kind::Text {
        return Ok(param.value.clone());
    }
    let value = param.check(args.rest()).map_err(Failure::new)?;
    game.set_param(name, &value).map_err(Failure::new)?;
    Ok(String::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Engine(Vec<Param>);

    impl Params for Engine {
        fn params(&self) -> Vec<Param> {
            self.0.clone()
        }

        fn set_param(&mut self, name: &str, value: &str) -> Result<(), String> {
            let param = self.0.iter_mut().find(|param| param.name == name).ok_or("no such")?;
            param.value = value.to_owned();
            Ok(())
        }
    }

    fn engine() -> Engine {
        let param = |name: &str, kind, value: &str| Param {
            name: name.to_owned(),
            kind,
            value: value.to_owned(),
            help: "Does this.".to_owned(),
        };
        let words = ["fast", "Good"].map(str::to_owned).to_vec();
        Engine(vec![
            param("ponder", Kind::Switch, "0"),
            param("playouts", Kind::Integer(1, 1000), "100"),
            param("exploration", Kind::Real(0.0, 2.0), "0.5"),
            param("style", Kind::Choice(words), "fast"),
        ])
    }

    #[test]
    fn rows_are_in_goguis_form() {
        let text = answer(&mut engine(), &mut Args::new("")).unwrap();
        let expected = "[bool] ponder 0\n[string] playouts 100\n\
                        [string] exploration 0.5\n[list/fast/Good] style fast";
        assert_eq!(text, expected);
        let text = answer(&mut engine(), &mut Args::new("help")).unwrap();
        assert!(text.contains("playouts = 100 (1 to 1000): Does this."));
    }

    #[test]
    fn values_are_checked_and_set() {
        let mut engine = engine();
        let mut set = |text: &str| answer(&mut engine, &mut Args::new(text));
        assert_eq!(set("ponder true"), Ok(String::new()));
        assert_eq!(set("ponder"), Ok("1".to_owned()));
        assert_eq!(set("style good"), Ok(String::new()));
        assert_eq!(set("style"), Ok("Good".to_owned()));
        for bad in ["playouts 0", "playouts x", "exploration nan", "style slow", "nothing 1"] {
            assert!(matches!(set(bad), Err(Failure::Message(text)) if text.len() > 12), "{bad}");
        }
    }
}
