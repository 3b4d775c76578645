//! Lifecycles: for each act and status, what must stand beside it and what may follow, from one table.

mod contradiction;
mod in_the_future;
mod incomplete;
mod open_gate;
mod out_of_order;
mod row;
mod table;

use super::{DocumentContext, Rule, RuleCheck};
use crate::document::{Node, Resolved, Route};
use crate::finding::{Anchor, Finding, Label};
use crate::privacy::Text;
use crate::vocabulary::{ActorClass, ClosedWords, Instant, folded};
use crate::workspace::Reading;

pub use row::{Constraint, Demand, LifecycleRow, Premise};
pub use table::TABLE;

pub(super) const RULES: &[Rule] =
    &[contradiction::RULE, in_the_future::RULE, incomplete::RULE, open_gate::RULE, out_of_order::RULE];

/// The laws of the table with their steps, for which `wanted` holds.
pub fn constraints(
    wanted: impl Fn(&LifecycleRow, &Constraint) -> bool,
) -> impl Iterator<Item = (&'static LifecycleRow, &'static Constraint)> {
    let all = TABLE.iter().flat_map(|step| step.constraints.iter().map(move |constraint| (step, constraint)));
    all.filter(move |(step, constraint)| wanted(step, constraint))
}

/// Lists where a readable document breaks the table.
pub(super) fn scan(reading: &Reading<'_>, findings: &mut Vec<Finding>) {
    let (Some(document), Some(record)) = (&reading.document, &reading.record) else { return };
    let root = &document.root;
    for step in TABLE.iter().filter(|step| step.kind == record.kind() && step.given.holds(root)) {
        for constraint in step.constraints.iter().filter(|constraint| !constraint.demand.holds(root)) {
            findings.push(finding(reading, root, step, constraint));
        }
    }
}

/// The text at a dotted route.
fn text<'a>(root: &'a Node, field: &str) -> Option<&'a str> {
    field.split('.').try_fold(root, Node::get)?.text()
}

/// The word at a dotted route; a boolean in its plain spelling.
fn word<'a>(root: &'a Node, field: &str) -> Option<&'a str> {
    let scalar = field.split('.').try_fold(root, Node::get)?.scalar()?;
    Some(match scalar.resolve() {
        Resolved::Bool(true) => "true",
        Resolved::Bool(false) => "false",
        _ => &scalar.text,
    })
}

/// Whether anything stands at a dotted route.
fn has(root: &Node, field: &str) -> bool {
    field.split('.').try_fold(root, Node::get).is_some()
}

fn class(root: &Node, act: &str) -> Option<ActorClass> {
    ActorClass::of(field_of(root, act, "actor_class")?)
}

fn field_of<'a>(root: &'a Node, act: &str, field: &str) -> Option<&'a str> {
    act.split('.').try_fold(root, Node::get)?.get(field)?.text()
}

impl Premise {
    fn holds(&self, root: &Node) -> bool {
        match self {
            Self::Has(field) => has(root, field),
            Self::Is(field, wanted) => word(root, field) == Some(*wanted),
        }
    }

    /// Where it stands.
    fn anchor(&self) -> Anchor {
        match self {
            Self::Has(field) => Anchor::Key(Route::of(field)),
            Self::Is(field, _) => Anchor::Value(Route::of(field)),
        }
    }
}

impl Demand {
    fn holds(&self, root: &Node) -> bool {
        let instant = |field: &str| text(root, field).and_then(Instant::parse);
        match self {
            Self::Needs(fields) => fields.iter().any(|field| has(root, field)),
            Self::Refuses(field) => !has(root, field),
            Self::Is(field, wanted) => word(root, field) == Some(*wanted),
            Self::Later(field, than) => match (instant(field), instant(than)) {
                (Some(later), Some(earlier)) => later > earlier,
                _ => true,
            },
            Self::Differs(field, from) => text(root, field).map(folded) != text(root, from).map(folded),
            Self::Same(field, to) => text(root, field).map(folded) == text(root, to).map(folded),
            Self::ByPerson(act) => class(root, act).is_none_or(ActorClass::is_person),
            Self::ByClass(act, required) => match class(root, act) {
                Some(ActorClass::Owner) | None => true,
                Some(class) => !class.is_person() || Some(class.word()) == text(root, required),
            },
        }
    }
}

fn finding(reading: &Reading<'_>, root: &Node, step: &LifecycleRow, constraint: &Constraint) -> Finding {
    let wall = reading.wall;
    let value = |field: &str| Anchor::Value(Route::of(field));
    let also = |anchor: Anchor, note: &'static str| Some(Label::new(&reading.path, anchor).note(Text::fixed(note)));
    let (anchor, message, related) = match constraint.demand {
        Demand::Needs(fields) => {
            let fields: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
            (step.given.anchor(), format!("{} needs {}", step.given, fields.join(" or ")), None)
        }
        Demand::Refuses(field) => (
            Anchor::Key(Route::of(field)),
            format!("`{field}` cannot stand beside {}", step.given),
            also(step.given.anchor(), "beside this"),
        ),
        Demand::Is(field, word) => (
            step.given.anchor(),
            format!("{} needs `{field}: {word}`", step.given),
            has(root, field).then(|| also(value(field), "it stands beside this")).flatten(),
        ),
        Demand::Later(field, than) => {
            (value(field), format!("`{field}` is not after `{than}`"), also(value(than), "this comes first"))
        }
        Demand::Differs(field, from) => {
            (value(field), format!("`{field}` and `{from}` are the same"), also(value(from), "the other one"))
        }
        Demand::Same(field, to) => (value(field), format!("`{field}` is not `{to}`"), also(value(to), "this one")),
        Demand::ByPerson(act) => {
            let class = field_of(root, act, "actor_class").unwrap_or_default();
            (Anchor::Value(Route::of(act).key("actor_class")), format!("`{act}` is an act of class `{class}`"), None)
        }
        Demand::ByClass(act, required) => {
            let class = field_of(root, act, "actor_class").unwrap_or_default();
            let wanted = text(root, required).unwrap_or_default();
            let message = format!("`{act}` is an act of class `{class}`, and the gate asks for `{wanted}`");
            (Anchor::Value(Route::of(act).key("actor_class")), message, also(value(required), "asked for here"))
        }
    };
    let mut found = constraint
        .rule
        .at(&reading.path, anchor, wall.text(message))
        .help(help(reading, constraint))
        .now(Text::fixed(step.now));
    found.related.extend(related);
    found
}

/// What to do: the line to paste where a time is missing, else the law in words.
fn help(reading: &Reading<'_>, constraint: &Constraint) -> Text {
    match constraint.demand {
        Demand::Needs([field]) if field.ends_with("at") || field.ends_with("until") => {
            let key = field.rsplit('.').next().unwrap_or(field);
            reading.wall.text(format!("add the line `{key}: <time>`, such as `{key}: 2026-01-31T09:00:00Z`"))
        }
        _ => Text::fixed(constraint.says),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;
    use std::sync::Arc;

    use super::*;
    use crate::privacy::Wall;
    use crate::workspace::read;

    fn folder() -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/lifecycle")
    }

    /// The laws that a fixture breaks.
    fn broken(name: &str) -> Vec<&'static str> {
        let bytes = std::fs::read(folder().join(name)).expect("the fixture is there");
        let reading = read(&Arc::from(name), &bytes, Wall::shipped());
        let root = &reading.document.as_ref().expect("a fixture parses").root;
        let kind = reading.record.as_ref().unwrap_or_else(|| panic!("{name}: {:?}", reading.shape)).kind();
        let steps = TABLE.iter().filter(|step| step.kind == kind && step.given.holds(root));
        steps
            .flat_map(|step| step.constraints.iter().filter(|constraint| !constraint.demand.holds(root)))
            .map(|constraint| constraint.name)
            .collect()
    }

    #[test]
    fn each_row_has_a_fixture_that_breaks_it_alone() {
        let rows: BTreeSet<String> = TABLE
            .iter()
            .flat_map(|step| step.constraints)
            .map(|constraint| format!("{}.yaml", constraint.name))
            .collect();
        let entries = std::fs::read_dir(folder()).expect("fixtures");
        let fixtures: BTreeSet<String> =
            entries.map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned()).collect();
        assert_eq!(rows, fixtures);
        for name in &fixtures {
            assert_eq!(broken(name), [name.trim_end_matches(".yaml")], "{name}");
        }
    }
}
