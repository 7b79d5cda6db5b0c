//! Which moves a query leaves out of the search, or allows alone: `avoidMoves` and `allowMoves`.

use go_engine::{Color, Move};
use serde_json::Value;

use super::fields::{Fields, Problem, Read, integer, list, text};
use super::vertex::{read_color, read_move};
use crate::gtp::{Step, Vertex};
use crate::session::{Filter, Restriction};

/// What both fields say, for a board of this size.
///
/// # Errors
/// What is no list of such objects, or holds two of `allowMoves` for one player.
pub(super) fn filter(fields: &mut Fields, size: (u8, u8)) -> Read<Filter> {
    let avoid = restrictions(fields, "avoidMoves", size)?;
    let allow = restrictions(fields, "allowMoves", size)?;
    let of = |color| allow.iter().filter(|part| part.color == color).count();
    if Color::BOTH.into_iter().any(|color| of(color) > 1) {
        return Err(Problem::new("allowMoves", "there may be one object for each player"));
    }
    Ok(Filter { avoid, allow })
}

fn restrictions(
    fields: &mut Fields,
    field: &'static str,
    size: (u8, u8),
) -> Read<Vec<Restriction>> {
    /// As many as there is any sense in.
    const MAX: usize = 1000;
    let Some(items) = fields.list(field)? else { return Ok(Vec::new()) };
    if items.len() > MAX {
        return Err(Problem::new(field, format!("there are more than {MAX} objects")));
    }
    let restriction = |item: &Value| {
        let problem = |why: String| Problem::new(field, why);
        let object = item
            .as_object()
            .ok_or_else(|| problem(format!("{field} must be a list of objects")))?;
        let part =
            |name: &str| object.get(name).ok_or_else(|| problem(format!("{name} is missing")));
        let color = read_color(part("player")?);
        let color = color.ok_or_else(|| problem("player must be B or W".to_owned()))?;
        let depth = integer(field, part("untilDepth")?, 1..=i64::from(u32::MAX));
        let depth =
            depth.map_err(|_| problem("untilDepth must be a whole number from 1".to_owned()))?;
        let mut steps = list(field, part("moves")?)?
            .iter()
            .map(|at| match read_move(text(field, at)?, size).map_err(&problem)? {
                Move::Pass => Ok(Step::Pass),
                Move::Play(point) => Ok(Step::At(Vertex { column: point.col(), row: point.row() })),
            })
            .collect::<Read<Vec<Step>>>()?;
        steps.sort_unstable();
        steps.dedup();
        Ok(Restriction { color, steps, depth: depth as u32 })
    };
    items.iter().map(restriction).collect()
}
