//! Tunables in the form of GoGui's parameter dialogs.
//!
//! A command of GoGui's type `param` answers without arguments with one row for each parameter,
//! `[type] name value`, and sets one when called with a name and a value (GoGui's documentation,
//! chapter "Analyze Commands"). GoGui knows the types `bool`, `list/A/B/...` and `string`; numbers
//! are strings to it, checked here. What a user sets comes in one dialog, what the engine is made of in a second.

use super::answer::{Failure, Reply};
use super::parse::Args;
use tunables::{Kind, Table, Tunable};

/// A parameter as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    /// Its name, what values it takes and what it does.
    pub tunable: Tunable,
    /// The present value; switches are `0` and `1`.
    pub value: String,
    /// It is one of the engine's tunables, which users need not know.
    pub is_internal: bool,
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
    /// A setting of the user's, which is a row of no table.
    pub fn new(name: &'static str, kind: Kind, value: impl ToString, help: &'static str) -> Param {
        let tunable = Tunable { name, aliases: &[], kind, help };
        Param { tunable, value: value.to_string(), is_internal: false }
    }

    /// The same, known by other names too.
    pub fn known_as(mut self, aliases: &'static [&'static str]) -> Param {
        self.tunable.aliases = aliases;
        self
    }

    /// The rows of a table with their values, all internal but those of `settings`.
    pub fn rows(table: &dyn Table, settings: &[&str]) -> impl Iterator<Item = Param> {
        let value = |row: &Tunable| table.get(row.name).unwrap_or_default();
        table.rows().iter().map(move |row| Param {
            tunable: *row,
            value: value(row),
            is_internal: !settings.contains(&row.name),
        })
    }

    /// A switch that is a row of no table.
    pub fn switch(name: &'static str, is_on: bool, help: &'static str) -> Param {
        Param::new(name, Kind::Switch, u8::from(is_on), help)
    }

    fn row(&self) -> String {
        let kind = match &self.tunable.kind {
            Kind::Switch => "bool".to_owned(),
            Kind::Choice(words) => format!("list/{}", words.join("/")),
            Kind::Integer(..) | Kind::Real(..) | Kind::Text(_) => "string".to_owned(),
        };
        format!("[{kind}] {} {}", self.tunable.name, self.value)
    }

    fn help_row(&self) -> String {
        let Tunable { name, kind, help, .. } = &self.tunable;
        format!("{name} = {} ({kind}): {help}", self.value)
    }
}

/// All parameters, the user's settings first.
pub fn all(game: &impl Params) -> Vec<Param> {
    let mut params = game.params();
    params.sort_by_key(|param| param.is_internal);
    params
}

/// The answer of a `param` command: the settings or the internals, one parameter (`NAME`), all explained (`help`), or,
/// with `NAME VALUE`, the parameter set. Either command shows and sets all when they are named.
pub fn answer(game: &mut impl Params, args: &mut Args<'_>, is_internal: bool) -> Reply {
    let rows = |params: Vec<Param>, row: fn(&Param) -> String| {
        params.iter().map(row).collect::<Vec<_>>().join("\n")
    };
    match args.next() {
        None => {
            let mut shown = game.params();
            shown.retain(|param| param.is_internal == is_internal);
            Ok(rows(shown, Param::row))
        }
        Some("help") => Ok(rows(all(game), Param::help_row)),
        Some(name) if args.is_empty() => get(game, name),
        Some(name) => set(game, name, args.rest()),
    }
}

/// The value of a parameter.
pub fn get(game: &impl Params, name: &str) -> Reply {
    find(game, name).map(|param| param.value)
}

/// Sets a parameter.
pub fn set(game: &mut impl Params, name: &str, value: &str) -> Reply {
    let param = find(game, name)?;
    let value = param.tunable.check(value).map_err(|error| Failure::new(error.to_string()))?;
    game.set_param(param.tunable.name, &value).map_err(Failure::new)?;
    Ok(String::new())
}

/// The parameter of a name, be it an old one.
///
/// # Errors
/// When there is none.
pub fn find(game: &impl Params, name: &str) -> Result<Param, Failure> {
    game.params()
        .into_iter()
        .find(|param| param.tunable.name == name || param.tunable.aliases.contains(&name))
        .ok_or_else(|| Failure::new(format!("unknown parameter {name:?}")))
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
            let param = self.0.iter_mut().find(|param| param.tunable.name == name);
            let param = param.ok_or("no such")?;
            param.value = value.to_owned();
            Ok(())
        }
    }

    fn engine() -> Engine {
        let param =
            |name, kind, value: &str| Param::new(name, kind, value.to_owned(), "Does this.");
        let mut playouts = param("playouts", Kind::Integer(1, 1000), "100");
        playouts.tunable.aliases = &["simulations"];
        let mut exploration = param("exploration", Kind::Real(0.0, 2.0), "0.5");
        exploration.is_internal = true;
        Engine(vec![
            param("ponder", Kind::Switch, "0"),
            exploration,
            playouts,
            param("style", Kind::Choice(&["fast", "Good"]), "fast"),
        ])
    }

    #[test]
    fn rows_are_in_goguis_form() {
        let text = answer(&mut engine(), &mut Args::new(""), false).unwrap();
        assert_eq!(text, "[bool] ponder 0\n[string] playouts 100\n[list/fast/Good] style fast");
        let text = answer(&mut engine(), &mut Args::new(""), true).unwrap();
        assert_eq!(text, "[string] exploration 0.5");
        let text = answer(&mut engine(), &mut Args::new("help"), true).unwrap();
        assert!(text.contains("playouts = 100 (a whole number from 1 to 1000): Does this."));
        assert!(text.ends_with("exploration = 0.5 (a number from 0 to 2): Does this."), "{text}");
    }

    #[test]
    fn values_are_checked_and_set() {
        let mut engine = engine();
        let mut set = |text: &str| answer(&mut engine, &mut Args::new(text), false);
        assert_eq!(set("ponder true"), Ok(String::new()));
        assert_eq!(set("ponder"), Ok("1".to_owned()));
        assert_eq!(set("simulations 20"), Ok(String::new()));
        assert_eq!(set("playouts"), Ok("20".to_owned()));
        assert_eq!(set("style good"), Ok(String::new()));
        assert_eq!(set("style"), Ok("Good".to_owned()));
        for bad in ["playouts 0", "playouts x", "exploration nan", "style slow", "nothing 1"] {
            assert!(matches!(set(bad), Err(Failure::Message(text)) if text.len() > 12), "{bad}");
        }
    }
}
