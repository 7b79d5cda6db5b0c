//! The models by name, with constants set on the way.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use go_engine::Game;
use go_influence::{Model, Tuned};
use go_patterns::influence::{self, Estimator};

/// The names of all models, the best first.
pub const NAMES: [&str; 7] = ["network", "tuned", "zobrist", "ryder", "chen", "thesis", "bouzy"];

/// A tuned model from a file.
///
/// # Errors
/// When it cannot be read, or is no such model.
pub fn from_file(path: &Path) -> Result<Arc<Tuned>> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let model =
        influence::from_bytes(&bytes).with_context(|| format!("cannot use {}", path.display()))?;
    Ok(Arc::new(model))
}

/// What estimates positions, by name; `fitted` takes the constants that fit finished games best instead of the
/// source's.
///
/// # Errors
/// When there is no model of this name.
pub fn by_name(name: &str, fitted: bool, tuned: Option<Arc<Tuned>>) -> Result<Estimator> {
    if ["tuned", "network"].contains(&name) {
        let tuned = match tuned {
            Some(model) => model,
            None => Estimator::tuned()?,
        };
        return match name {
            "tuned" => Ok(Estimator::Influence(Model::Tuned(tuned))),
            _ => Ok(Estimator::network()?),
        };
    }
    let models = if fitted { Model::fitted() } else { Model::all() };
    models
        .into_iter()
        .find(|model| model.name() == name)
        .map(Estimator::Influence)
        .ok_or_else(|| anyhow!("'{}' is none of {}", name.escape_debug(), NAMES.join(", ")))
}

/// What is taken for a game where none is named: the network where it knows the board.
///
/// # Errors
/// Never with an undamaged program.
pub fn best(game: &Game) -> Result<Estimator> {
    let network = Estimator::network()?;
    if network.knows(game) { Ok(network) } else { by_name("tuned", false, None) }
}

/// Sets constants of a model, each as `NAME=VALUE`.
///
/// # Errors
/// When one is no such pair, or the model has no such constant or value.
pub fn set(estimator: &mut Estimator, pairs: &[String]) -> Result<()> {
    for pair in pairs {
        let Estimator::Influence(model) = estimator else {
            bail!("the network has no constants to set");
        };
        let name = model.name();
        let (constant, value) = pair
            .split_once('=')
            .and_then(|(constant, value)| Some((constant, value.parse().ok()?)))
            .ok_or_else(|| anyhow!("'{pair}' is not NAME=NUMBER"))?;
        model
            .constants_mut()
            .with_context(|| format!("the model {name} has no constants to set"))?
            .set(constant, value)
            .with_context(|| format!("cannot set a constant of {name}"))?;
    }
    Ok(())
}

/// All constants with their values, ranges and what they do.
pub fn help() -> String {
    let mut text = String::new();
    for (model, fitted) in Model::all().iter().zip(&Model::fitted()) {
        text += &format!("{}\n", model.name());
        let (Some(constants), Some(fitted)) = (model.constants(), fitted.constants()) else {
            continue;
        };
        for (place, constant) in constants.table().iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "    {} = {} (fitted {}, {} to {}): {}",
                constant.name,
                constant.default,
                fitted.value(place),
                constant.min,
                constant.max,
                constant.about
            );
        }
    }
    text
}
