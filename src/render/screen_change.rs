//! What becomes of a first screen, in words: whom it waits for, and what it says otherwise.

use std::collections::BTreeSet;

use serde_json::Value as Json;

/// What the first sentence says already.
const SAID: [&str; 9] = [
    "waiting_on",
    "waiting_on_actor_class",
    "next_action",
    "may_continue",
    "first_gate_id",
    "first_gate_question",
    "first_executable_agent_todo",
    "first_executable_agent_todo_title",
    "open_user_todo_title",
];

/// The lines that say how two projections differ; `leaves` are the fields that do, each with its old and new value. Of
/// any other document the fields themselves.
pub(super) fn lines(old: &Json, new: &Json, leaves: &[(String, &Json, &Json)]) -> Vec<String> {
    let (was, is) = (sentence(old), sentence(new));
    let is_told = was != is;
    let first = is.filter(|_| is_told).map(|is| turned(&is, &was.unwrap_or_else(|| "unknown".to_owned())));
    let others = leaves.iter().filter_map(|(route, old, new)| {
        let field = ["first_screen.", "loopx_refs."].iter().find_map(|part| route.strip_prefix(part)).unwrap_or(route);
        (!is_told || !SAID.contains(&field)).then(|| one(field, old, new))
    });
    first.into_iter().chain(others).collect()
}

/// Whom a projection waits for, or what comes next; `None`: it is no projection.
pub(super) fn sentence(projection: &Json) -> Option<String> {
    let screen = projection.get("first_screen")?;
    let word = |field: &str| screen.get(field).and_then(Json::as_str);
    let next = word("next_action")?;
    let who = word("waiting_on_actor_class").or(word("waiting_on")).unwrap_or("nobody");
    Some(match (word("may_continue"), word("first_gate_id")) {
        (Some("yes"), _) => next.to_owned(),
        (_, Some(gate)) => format!("waits on {who} for {gate}"),
        (_, None) if word("waiting_on") == Some("none") => next.to_owned(),
        (_, None) => format!("waits on {who}: {next}"),
    })
}

/// One field that differs. Of a list what came and what went.
fn one(field: &str, old: &Json, new: &Json) -> String {
    let name = field.replace('_', " ");
    match (old.as_array(), new.as_array()) {
        (Some(old), Some(new)) => {
            let [was, is] = [old, new].map(|list| list.iter().map(said).collect::<BTreeSet<_>>());
            let came = is.difference(&was).map(|one| format!("+ {one}"));
            let changes: Vec<String> = came.chain(was.difference(&is).map(|one| format!("- {one}"))).collect();
            // The same in another order.
            let changes =
                if changes.is_empty() { vec![new.iter().map(said).collect::<Vec<_>>().join(", ")] } else { changes };
            format!("{name}: {}", changes.join(", "))
        }
        _ => format!("{name}: {}", turned(&said(new), &said(old))),
    }
}

fn turned(is: &str, was: &str) -> String {
    format!("{is} (was: {was})")
}

fn said(value: &Json) -> String {
    match value {
        Json::Null => "none".to_owned(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}
