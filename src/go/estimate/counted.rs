//! The counted games of folders of records, and the commands that measure models and fit constants
//! on them.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Result, ensure};
use go_influence::{Model, Tuned};
use go_patterns::influence::{Compared, Counted, Evaluation, Objective, count, fit};
use go_patterns::progress::Progress;

use crate::go::train::games::{Part, Source, collect_as};
use crate::go::train::interrupted;
use crate::interrupt::Interrupted;
use crate::output::{print, say};
use crate::progress::Bar;

/// Which games to look at.
pub struct Chosen<'a> {
    /// Folders of records, or records.
    pub paths: &'a [PathBuf],
    /// Side of the board.
    pub size: u8,
    /// Which part of the games.
    pub part: Part,
    /// Games at most, spread evenly.
    pub games: Option<usize>,
}

/// Reads the games that were counted at the end, finds whose each point then was, and says how many
/// were left out since their score could not be found again.
///
/// # Errors
/// When a path does not exist, no game is left, or the work was broken off.
pub fn collect(chosen: &Chosen, bar: &Bar) -> Result<Vec<Counted>> {
    let source = Source { paths: chosen.paths.to_vec(), size: chosen.size, quiet: true };
    let mut games: Vec<Counted> = collect_as(&source, bar, &|record, moves| {
        let counted = Counted::of_record(record, moves)?;
        Ok(chosen.part.has(&counted.moves).then_some(counted))
    })?;
    let all = games.len();
    if let Some(most) = chosen.games.filter(|&most| most < all) {
        let mut place = 0;
        games.retain(|_| {
            place += 1;
            // Every (all / most)-th game.
            place * most / all != (place - 1) * most / all
        });
    }
    let counted = games.len();
    count(&mut games, bar);
    if bar.stopped() {
        return Err(Interrupted.into());
    }
    ensure!(!games.is_empty(), "no game that was counted at the end was found");
    bar.say(&format!(
        "{counted} games were counted at the end; {} left out, since their score could not be found again",
        counted - games.len()
    ));
    Ok(games)
}

/// Runs `tesuji estimate --eval`: measures the models, and a search of so many playouts on so many
/// of the games.
///
/// # Errors
/// When records cannot be read.
pub fn evaluate(chosen: &Chosen, tuned: Arc<Tuned>, search: (usize, u64)) -> Result<ExitCode> {
    let bar = Bar::new();
    let games = collect(chosen, &bar)?;
    let compared = Compared::new(tuned, chosen.size)?;
    let mut evaluation = Evaluation::new(chosen.size, &games, &compared, &bar);
    if search.0 > 0 {
        evaluation.search(search, &games, &compared, &bar);
    }
    if bar.stopped() {
        return Ok(interrupted());
    }
    print(&evaluation.to_string())?;
    Ok(ExitCode::SUCCESS)
}

/// Runs `tesuji estimate --fit`: fits the constants of each model that has some, and prints them.
///
/// # Errors
/// When records cannot be read.
pub fn fit_constants(chosen: &Chosen) -> Result<ExitCode> {
    let bar = Bar::new();
    let games = collect(chosen, &bar)?;
    let shown = |(right, error): Objective| {
        format!("{:.2}% right, squared error {:.3}", 100.0 * right, -error)
    };
    for mut model in Model::all() {
        let Some(found) = fit(&mut model, &games, &bar) else { return Ok(interrupted()) };
        let [before, after] = found.map(shown);
        say(&format!("{:8} {before} -> {after}", model.name()))?;
        let Some(constants) = model.constants() else { continue };
        for (place, constant) in constants.table().iter().enumerate() {
            say(&format!("    {} = {}", constant.name, constants.value(place)))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
