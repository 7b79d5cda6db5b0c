//! A query: some positions of one game, and what is wanted of them.

use std::time::Duration;

use go_engine::game::{MAX_KOMI, Played};
use go_engine::rules::{Bonus, Scoring};
use go_engine::{Color, Game, Move, Point, Rules};
use serde_json::{Map, Value};

use super::fields::{Fields, Problem, Read, integer, list};
use super::restrictions;
use super::settings::{MAX_PV, MAX_TIME, MAX_VISITS, Set, Settings};
use super::vertex::{read_color, read_move};
use crate::go::rules::{with_field, with_fields};
use crate::session::{Filter, Pace};

/// A query. It is kept small, since many may wait: games are made of it when their turn comes.
#[derive(Debug)]
pub(super) struct Query {
    pub id: String,
    size: (u8, u8),
    rules: Rules,
    komi: f64,
    stones: Box<[(Point, Color)]>,
    first: Color,
    moves: Box<[Played]>,
    /// How long each position is searched, and how it is told.
    pub settings: Settings,
    pub filter: Filter,
    /// When results are told that are not the last.
    pub pace: Option<Pace>,
    pub include: Include,
}

/// What is told beside the usual, each when it is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Include {
    pub ownership: bool,
    pub ownership_stdev: bool,
    pub moves_ownership: bool,
    pub moves_ownership_stdev: bool,
    pub policy: bool,
    pub pv_visits: bool,
    pub pv_edge_visits: bool,
    pub no_result: bool,
}

/// A query as it was read: with the turns that are to be analysed, and how urgent each is.
#[derive(Debug)]
pub(super) struct ParsedQuery {
    pub query: Query,
    pub turns: Vec<(usize, i64)>,
    /// Fields that are passed over, with the reason.
    pub warnings: Vec<Problem>,
}

/// More moves than any game has.
const MAX_MOVES: usize = 10_000;
/// A result that is not the last comes this early, however far apart the others are to be.
const FIRST_RESULT: Duration = Duration::from_millis(100);
/// Fields that are settings too.
const SETTINGS: [&str; 2] = ["rootPolicyTemperature", "rootFpuReductionMax"];

impl Query {
    /// Reads an object; what it does not say is as in the settings.
    pub fn read(object: &Map<String, Value>, id: &str, settings: &Settings) -> Read<ParsedQuery> {
        let mut fields = Fields::new(object);
        let _ = fields.get("id");
        let mut warnings = Vec::new();
        let size = size(&mut fields)?;
        let rules = rules(&mut fields)?;
        let komi = fields.real("komi", -MAX_KOMI..=MAX_KOMI)?.unwrap_or(match rules.scoring {
            Scoring::Area => 7.5,
            Scoring::Territory => 6.5,
        });
        let moves = moves(&mut fields, size)?;
        let stones = stones(&mut fields, size)?;
        let first = first_player(&mut fields, &moves, is_handicap(&stones))?;
        let mut settings = settings.clone();
        overrides(&mut fields, &mut settings, &mut warnings)?;
        if let Some(visits) = fields.integer("maxVisits", 1..=MAX_VISITS)? {
            settings.visits = visits as u64;
        }
        if let Some(moves) = fields.integer("analysisPVLen", 1..=MAX_PV)? {
            settings.pv_len = moves as usize;
        }
        let include = Include {
            ownership: fields.switch("includeOwnership")?,
            ownership_stdev: fields.switch("includeOwnershipStdev")?,
            moves_ownership: fields.switch("includeMovesOwnership")?,
            moves_ownership_stdev: fields.switch("includeMovesOwnershipStdev")?,
            policy: fields.switch("includePolicy")?,
            pv_visits: fields.switch("includePVVisits")?,
            pv_edge_visits: fields.switch("includePVEdgeVisits")?,
            no_result: fields.switch("includeNoResultValue")?,
        };
        for name in SETTINGS {
            if let Some(value) = fields.real(name, 0.0..=f64::MAX)? {
                set(&mut settings, name, name, &value.to_string(), &mut warnings)?;
            }
        }
        let filter = restrictions::filter(&mut fields, size)?;
        let pace = pace(&mut fields)?;
        let turns = turns(&mut fields, moves.len())?;
        let unknown = fields.unknown().map(|name| Problem::new(name, "this field is not known"));
        warnings.extend(unknown);
        let query = Query {
            id: id.to_owned(),
            size,
            rules,
            komi,
            stones: stones.into(),
            first,
            moves: moves.into(),
            settings,
            filter,
            pace,
            include,
        };
        // Once, so that what is wrong is told now.
        query.game(query.moves.len())?;
        Ok(ParsedQuery { query, turns, warnings })
    }

    /// The game up to a turn.
    pub fn game(&self, turn: usize) -> Read<Game> {
        let (width, height) = self.size;
        let mut game = Game::new(width, height)
            .ok_or_else(|| Problem::new("boardXSize", "there is no such board"))?;
        game.set_rules(self.rules);
        game.set_komi(self.komi);
        let problem = |why: String| Problem::new("initialStones", why);
        if is_handicap(&self.stones) && self.stones.len() < game.board().area() {
            let points: Vec<Point> = self.stones.iter().map(|&(point, _)| point).collect();
            game.place_handicap(&points).map_err(|why| problem(why.to_string()))?;
        } else if !self.stones.is_empty() {
            let stones = self.stones.iter().map(|&(point, color)| (point, Some(color)));
            game.set_up(stones).map_err(|why| problem(why.to_string()))?;
        }
        game.set_first_player(self.first);
        for (number, &Played { color, mv }) in self.moves.iter().take(turn).enumerate() {
            game.replay(color, mv).map_err(|why| {
                Problem::new("moves", format!("Illegal move {number}: {mv}: {why}"))
            })?;
        }
        Ok(game)
    }
}

fn size(fields: &mut Fields) -> Read<(u8, u8)> {
    let mut side = |name| {
        let value = fields.required(name)?;
        integer(name, value, 2..=25).map(|side| side as u8)
    };
    Ok((side("boardXSize")?, side("boardYSize")?))
}

fn rules(fields: &mut Fields) -> Read<Rules> {
    let problem = |why: String| Problem::new("rules", why);
    let mut rules = match fields.required("rules")? {
        Value::String(name) => name.parse::<Rules>().map_err(|why| problem(why.to_string()))?,
        Value::Object(parts) => {
            let parts = with_fields(Rules::TROMP_TAYLOR, parts);
            parts.map_err(|why| problem(why.to_string()))?
        }
        _ => return Err(problem("rules must be a string or an object".to_owned())),
    };
    let name = "whiteHandicapBonus";
    if let Some(value) = fields.get(name) {
        let bonus = with_field(Rules { bonus: Bonus::None, ..rules }, name, value);
        rules = bonus.map_err(|why| Problem::new(name, why.to_string()))?;
    }
    Ok(rules)
}

/// A list of pairs of a colour and something else.
fn pairs<'a>(field: &str, items: &'a [Value]) -> Read<Vec<(Color, &'a str)>> {
    let pair = |item: &'a Value| match item.as_array().map(Vec::as_slice) {
        Some([color, Value::String(at)]) => read_color(color).map(|color| (color, at.as_str())),
        _ => None,
    };
    let form = || Problem::new(field, format!("{field} must be a list of pairs [\"B\", \"Q4\"]"));
    items.iter().map(|item| pair(item).ok_or_else(form)).collect()
}

fn moves(fields: &mut Fields, size: (u8, u8)) -> Read<Vec<Played>> {
    let field = "moves";
    let items = list(field, fields.required(field)?)?;
    if items.len() > MAX_MOVES {
        return Err(Problem::new(field, format!("there are more than {MAX_MOVES} moves")));
    }
    let pairs = pairs(field, items)?;
    let played = pairs.into_iter().enumerate().map(|(number, (color, at))| {
        let mv = read_move(at, size)
            .map_err(|why| Problem::new(field, format!("Illegal move {number}: {why}")))?;
        Ok(Played { color, mv })
    });
    played.collect()
}

fn stones(fields: &mut Fields, size: (u8, u8)) -> Read<Vec<(Point, Color)>> {
    let field = "initialStones";
    let Some(items) = fields.list(field)? else { return Ok(Vec::new()) };
    if items.len() > usize::from(size.0) * usize::from(size.1) {
        return Err(Problem::new(field, "there are more stones than points"));
    }
    let stones = pairs(field, items)?.into_iter().map(|(color, at)| match read_move(at, size) {
        Ok(Move::Play(point)) => Ok((point, color)),
        Ok(Move::Pass) => Err(Problem::new(field, "a pass is no stone")),
        Err(why) => Err(Problem::new(field, why)),
    });
    let stones: Vec<(Point, Color)> = stones.collect::<Read<_>>()?;
    let mut points: Vec<Point> = stones.iter().map(|&(point, _)| point).collect();
    points.sort_unstable();
    match points.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Problem::new(field, format!("{} is named twice", pair[0]))),
        None => Ok(stones),
    }
}

/// Whether stones that are there before the first move are a handicap: several of Black's, and none of White's.
fn is_handicap(stones: &[(Point, Color)]) -> bool {
    stones.len() >= 2 && stones.iter().all(|&(_, color)| color == Color::Black)
}

/// Who moves first: as it is said, else whoever makes the first move, else White after a handicap.
fn first_player(fields: &mut Fields, moves: &[Played], is_handicap: bool) -> Read<Color> {
    let usual = if is_handicap { Color::White } else { Color::Black };
    let field = "initialPlayer";
    match fields.get(field) {
        Some(value) => {
            read_color(value).ok_or_else(|| Problem::new(field, "initialPlayer must be B or W"))
        }
        None => Ok(moves.first().map_or(usual, |first| first.color)),
    }
}

fn overrides(
    fields: &mut Fields,
    settings: &mut Settings,
    warnings: &mut Vec<Problem>,
) -> Read<()> {
    let field = "overrideSettings";
    let Some(value) = fields.get(field) else { return Ok(()) };
    let object = value.as_object();
    let object = object.ok_or_else(|| Problem::new(field, "overrideSettings must be an object"))?;
    for (name, value) in object {
        let word = match value {
            Value::String(word) => word.clone(),
            other => other.to_string(),
        };
        let place = format!("{field}.{}", name.chars().take(60).collect::<String>());
        set(settings, name, &place, &word, warnings)?;
    }
    Ok(())
}

/// Sets what KataGo calls so; `place` is where it stands in the query.
fn set(
    settings: &mut Settings,
    name: &str,
    place: &str,
    value: &str,
    warnings: &mut Vec<Problem>,
) -> Read<()> {
    match settings.set(name, value) {
        Set::Done => {}
        Set::Bad(why) => {
            let field = place.split('.').next().unwrap_or(place);
            return Err(Problem::new(field, why));
        }
        Set::Ignored => warnings.push(Problem::new(place, "this means nothing to this engine")),
    }
    Ok(())
}

fn pace(fields: &mut Fields) -> Read<Option<Pace>> {
    let every = fields.real("reportDuringSearchEvery", 0.001..=MAX_TIME)?;
    let first = fields.real("firstReportDuringSearchAfter", 0.001..=MAX_TIME)?;
    let Some(every) = every.map(Duration::from_secs_f64) else {
        return Ok(first.map(|first| Pace {
            first: Duration::from_secs_f64(first),
            every: Duration::from_secs_f64(MAX_TIME),
        }));
    };
    let first = first.map_or(FIRST_RESULT.min(every), Duration::from_secs_f64);
    Ok(Some(Pace { first, every }))
}

/// The turns that are to be analysed, each once, with their priorities.
fn turns(fields: &mut Fields, moves: usize) -> Read<Vec<(usize, i64)>> {
    let field = "analyzeTurns";
    let mut turns: Vec<usize> = Vec::new();
    let asked = fields.list(field)?;
    for value in asked.unwrap_or_default() {
        let last = moves as i64;
        turns.push(integer(field, value, 0..=last).map_err(|_| {
            Problem::new(field, format!("analyzeTurns must be whole numbers from 0 to {last}"))
        })? as usize);
    }
    match asked {
        None => turns.push(moves),
        // Nothing would ever come back.
        Some([]) => return Err(Problem::new(field, "analyzeTurns must name a turn")),
        Some(_) => {}
    }
    let priority = fields.integer("priority", i64::MIN..=i64::MAX)?;
    let field = "priorities";
    let priorities = match fields.list(field)? {
        None => vec![priority.unwrap_or(0); turns.len()],
        Some(_) if priority.is_some() => {
            return Err(Problem::new(field, "there may be a priority or priorities, not both"));
        }
        Some(_) if asked.is_none() => {
            return Err(Problem::new(field, "priorities need analyzeTurns"));
        }
        Some(values) if values.len() != turns.len() => {
            return Err(Problem::new(field, "there must be one for each of analyzeTurns"));
        }
        Some(values) => {
            let priority = |value| integer(field, value, i64::MIN..=i64::MAX);
            values.iter().map(priority).collect::<Read<_>>()?
        }
    };
    let mut pairs: Vec<(usize, i64)> = turns.into_iter().zip(priorities).collect();
    // Of one that is named twice the first counts.
    pairs.sort_by_key(|&(turn, _)| turn);
    pairs.dedup_by_key(|&mut (turn, _)| turn);
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::super::settings::View;
    use super::*;
    use crate::gtp::Step;
    use serde_json::json;

    const DEFAULT: Settings =
        Settings { view: View::Black, visits: 100, time: None, pv_len: 15, network: None };

    /// A query with some fields put in, replaced, or with `null` taken out.
    fn read(parts: Value) -> Read<ParsedQuery> {
        let mut object = json!({
            "id": "a", "moves": [["B", "C3"], ["W", "(2,2)"], ["B", "pass"]], "rules": "japanese",
            "boardXSize": 9, "boardYSize": 9,
        });
        for (name, value) in parts.as_object().unwrap() {
            object[name] = value.clone();
        }
        Query::read(object.as_object().unwrap(), "a", &DEFAULT)
    }

    fn problem(parts: Value) -> (String, String) {
        let Problem { field, text } = read(parts).unwrap_err();
        (field, text)
    }

    #[test]
    fn what_is_not_said_is_as_katago_has_it() {
        let ParsedQuery { query, turns, warnings } = read(json!({})).unwrap();
        assert_eq!((turns, warnings), (vec![(3, 0)], Vec::new()));
        let game = query.game(2).unwrap();
        assert_eq!((game.komi(), game.to_play()), (6.5, Color::Black));
        assert_eq!(game.moves()[1].mv.to_string(), "C7");
        assert_eq!(query.settings, DEFAULT);
        let area =
            read(json!({"rules": {"scoring": "AREA", "tax": "NONE", "ko": "SIMPLE"}})).unwrap();
        assert_eq!(area.query.game(0).unwrap().komi(), 7.5);
        // Without a move nobody says who is first: White after a handicap.
        for (stones, first) in [
            (json!([["B", "E5"], ["B", "G7"]]), Color::White),
            (json!([["B", "E5"]]), Color::Black),
            (json!([["B", "E5"], ["B", "G7"], ["W", "C3"]]), Color::Black),
        ] {
            let asked = read(json!({"moves": [], "initialStones": stones})).unwrap();
            assert_eq!(asked.query.game(0).unwrap().to_play(), first, "{stones}");
        }
    }

    #[test]
    fn everything_that_can_be_asked_is_read() {
        let ParsedQuery { query, turns, warnings } = read(json!({
            "komi": 0, "initialStones": [["B", "E5"], ["B", "G7"]], "initialPlayer": "w",
            "whiteHandicapBonus": "N-1", "rules": "chinese", "analyzeTurns": [3, 0, 2, 0], "priorities": [1, 2, 3, 4],
            "maxVisits": 7, "analysisPVLen": 3, "includeOwnership": true, "includePolicy": true,
            "overrideSettings": {"reportAnalysisWinratesAs": "WHITE", "maxTime": 8.0, "wideRootNoise": 0.04},
            "avoidMoves": [{"player": "B", "moves": ["C3", "C3", "pass"], "untilDepth": 3}],
            "allowMoves": [{"player": "W", "moves": ["A1"], "untilDepth": 1}],
            "reportDuringSearchEvery": 0.5, "rootPolicyTemperature": 1.5, "wrong": 1,
        }))
        .unwrap();
        assert_eq!(turns, [(0, 2), (2, 3), (3, 1)]);
        let fields: Vec<&str> = warnings.iter().map(|warning| warning.field.as_str()).collect();
        // Without a network nothing has a temperature.
        assert_eq!(fields, ["overrideSettings.wideRootNoise", "rootPolicyTemperature", "wrong"]);
        let game = query.game(0).unwrap();
        assert_eq!((game.handicap(), game.compensation(), game.to_play()), (2, 1.0, Color::White));
        let Settings { view, visits, time, pv_len, .. } = query.settings;
        assert_eq!((view, visits, pv_len), (View::White, 7, 3));
        assert_eq!(time, Some(Duration::from_secs(8)));
        let step = |name: &str| [Step::At(name.parse().unwrap())];
        assert_eq!(query.filter.depth(Color::Black, &step("C3")), 3);
        assert_eq!(query.filter.depth(Color::White, &step("C3")), 1);
        assert_eq!(query.filter.depth(Color::White, &step("A1")), 0);
        let pace = Pace { first: FIRST_RESULT, every: Duration::from_millis(500) };
        assert_eq!(query.pace, Some(pace));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_field() {
        for (parts, field, text) in [
            (json!({"moves": null}), "moves", "missing"),
            (json!({"moves": 3}), "moves", "list"),
            (json!({"moves": [["B"]]}), "moves", "pairs"),
            (json!({"moves": [["X", "C3"]]}), "moves", "pairs"),
            (json!({"moves": [["B", "C3"], ["W", "C3"]]}), "moves", "Illegal move 1: C3"),
            (json!({"moves": [["B", "T19"]]}), "moves", "Illegal move 0: T19"),
            (json!({"rules": null}), "rules", "missing"),
            (json!({"rules": "chess"}), "rules", "unknown rules"),
            (json!({"rules": {"ko": "SPIGHT"}}), "rules", "SIMPLE"),
            (json!({"rules": 3}), "rules", "string or an object"),
            (json!({"whiteHandicapBonus": 9}), "whiteHandicapBonus", "N-1"),
            (json!({"boardXSize": 26}), "boardXSize", "from 2 to 25"),
            (json!({"boardYSize": "9"}), "boardYSize", "whole number"),
            (json!({"komi": 1e300}), "komi", "number from"),
            (json!({"initialStones": [["B", "pass"]]}), "initialStones", "pass"),
            (json!({"initialStones": [["B", "A1"], ["W", "A1"]]}), "initialStones", "twice"),
            (
                json!({"initialStones": [["B", "A1"], ["W", "A2"], ["W", "B1"]]}),
                "initialStones",
                "no liberty",
            ),
            (json!({"initialPlayer": "green"}), "initialPlayer", "B or W"),
            (json!({"maxVisits": 0}), "maxVisits", "from 1"),
            (json!({"maxVisits": 2.5}), "maxVisits", "whole"),
            (json!({"analyzeTurns": [4]}), "analyzeTurns", "0 to 3"),
            (json!({"analyzeTurns": []}), "analyzeTurns", "must name a turn"),
            (json!({"analyzeTurns": "all"}), "analyzeTurns", "list"),
            (json!({"priorities": [1]}), "priorities", "need"),
            (json!({"priorities": [1], "analyzeTurns": [1, 2]}), "priorities", "one for each"),
            (json!({"priorities": [1], "priority": 1, "analyzeTurns": [1]}), "priorities", "both"),
            (json!({"includePolicy": "yes"}), "includePolicy", "true or false"),
            (json!({"avoidMoves": [3]}), "avoidMoves", "objects"),
            (json!({"avoidMoves": [{"player": "B", "moves": []}]}), "avoidMoves", "untilDepth"),
            (
                json!({"avoidMoves": [{"player": "B", "moves": ["Z1"], "untilDepth": 1}]}),
                "avoidMoves",
                "Z1",
            ),
            (
                json!({"allowMoves": [{"player": "B", "moves": ["A1"], "untilDepth": 1},
                                      {"player": "B", "moves": ["A2"], "untilDepth": 1}]}),
                "allowMoves",
                "one object",
            ),
            (json!({"overrideSettings": {"maxVisits": "x"}}), "overrideSettings", "maxVisits"),
            (json!({"overrideSettings": 1}), "overrideSettings", "object"),
            (json!({"reportDuringSearchEvery": 0}), "reportDuringSearchEvery", "number from"),
        ] {
            let (at, why) = problem(parts.clone());
            assert!(at == field && why.contains(text), "{parts}: {at}: {why}");
        }
    }
}
