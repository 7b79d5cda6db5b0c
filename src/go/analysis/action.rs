//! What is asked beside positions.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::fields::{Fields, Problem, Read, integer, list, text};

/// What is asked.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Which program this is.
    Version,
    /// What it knows.
    Models,
    /// Forget what was found.
    ClearCache,
    /// Positions are not wanted any more: those of one query or of all, of some turns or of all.
    Terminate(Option<String>, Option<BTreeSet<usize>>),
}

impl Action {
    /// Reads an object that has an `action`.
    pub fn read(object: &Map<String, Value>) -> Read<Action> {
        let mut fields = Fields::new(object);
        let field = "action";
        let name = text(field, fields.required(field)?)?;
        match name {
            "query_version" => Ok(Action::Version),
            "query_models" => Ok(Action::Models),
            "clear_cache" => Ok(Action::ClearCache),
            "terminate" => {
                let field = "terminateId";
                let id = text(field, fields.required(field)?)?.to_owned();
                Ok(Action::Terminate(Some(id), turns(&mut fields)?))
            }
            "terminate_all" => Ok(Action::Terminate(None, turns(&mut fields)?)),
            _ => {
                let known = "query_version, query_models, clear_cache, terminate, terminate_all";
                let shown: String = name.chars().take(60).collect();
                Err(Problem::new(field, format!("unknown action {shown:?}; known are {known}")))
            }
        }
    }
}

fn turns(fields: &mut Fields) -> Read<Option<BTreeSet<usize>>> {
    let field = "turnNumbers";
    let Some(value) = fields.get(field) else { return Ok(None) };
    let turn = |value| integer(field, value, 0..=i64::from(u32::MAX)).map(|turn| turn as usize);
    list(field, value)?.iter().map(turn).collect::<Read<_>>().map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn actions_are_read() {
        let read = |object: Value| Action::read(object.as_object().unwrap());
        assert_eq!(read(json!({"action": "query_version"})), Ok(Action::Version));
        let some = json!({"action": "terminate", "terminateId": "a", "turnNumbers": [2, 1, 2]});
        assert_eq!(read(some), Ok(Action::Terminate(Some("a".to_owned()), Some([1, 2].into()))));
        assert_eq!(read(json!({"action": "terminate_all"})), Ok(Action::Terminate(None, None)));
        for (object, field) in [
            (json!({"action": 3}), "action"),
            (json!({"action": "dance"}), "action"),
            (json!({"action": "terminate"}), "terminateId"),
            (json!({"action": "terminate", "terminateId": 3}), "terminateId"),
            (json!({"action": "terminate_all", "turnNumbers": [-1]}), "turnNumbers"),
        ] {
            assert_eq!(read(object.clone()).unwrap_err().field, field, "{object}");
        }
    }
}
