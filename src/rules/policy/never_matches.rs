//! Each row of a policy can match something.

use super::{Anchor, Finding, Rule, RuleCheck, RuleContext, policies};
use crate::privacy::{FieldPath, FieldStep, Text};

use crate::rules::privacy::schemas_at;
use crate::vocabulary::{FieldPlace, Kind, Level, Transition, nearest, schema};

pub(super) const RULE: Rule = Rule {
    id: "policy/never-matches",
    level: Level::Error,
    summary: "a row of a policy that nothing can match",
    why: "A row with a typing error protects nothing, and its author believes it does.",
    check: RuleCheck::Directory(check),
};

fn check(rule: &Rule, context: &RuleContext<'_>, findings: &mut Vec<Finding>) {
    for (_, entry, policy) in policies(context) {
        for (index, row) in policy.transitions.iter().flatten().enumerate() {
            let Some(Mistake { field, message, near }) = mistake(row) else { continue };
            let anchor = Anchor::Value(FieldPlace::FieldOfItem("transitions", index, field).route());
            let found = rule.at(&entry.path, anchor, context.text(message));
            let found = match near {
                Some(near) => found.note(context.text(format!("did you mean `{near}`?"))),
                None => found.help(Text::fixed("`loopx explain KIND` lists the fields of a kind and their values")),
            };
            findings.push(found.now(Text::fixed("this row allows and refuses nothing")));
        }
        let Some(privacy) = &policy.privacy else { continue };
        let tickets = privacy.ticket_prefixes.iter().enumerate().filter(|(_, word)| !is_prefix(word.as_str()));
        let hosts = privacy.private_hosts.iter().enumerate().filter(|(_, word)| !is_host(word.as_str()));
        let tickets = tickets.map(|(index, _)| (FieldPlace::Item("privacy.ticket_prefixes", index), PREFIX));
        let hosts = hosts.map(|(index, _)| (FieldPlace::Item("privacy.private_hosts", index), HOST));
        for (place, (message, help)) in tickets.chain(hosts) {
            let found = rule.at(&entry.path, Anchor::Value(place.route()), Text::fixed(message));
            findings.push(found.help(Text::fixed(help)).now(Text::fixed("this line hides nothing")));
        }
    }
}

const PREFIX: (&str, &str) = ("no ticket begins with this", "write the letters before the number: `LED` for LED-12");
const HOST: (&str, &str) =
    ("no host is called this", "write a name alone, without scheme, path or `*`: it covers the hosts below it too");

fn is_prefix(word: &str) -> bool {
    word.contains(char::is_alphanumeric) && !word.contains('*')
}

fn is_host(word: &str) -> bool {
    word.contains(char::is_alphanumeric)
        && !word.contains(|sign: char| sign.is_whitespace() || "*/\\@?#".contains(sign))
}

/// What is wrong with a row.
struct Mistake {
    /// The field of the row.
    field: &'static str,
    message: String,
    /// What was meant, as it seems.
    near: Option<&'static str>,
}

fn mistake(row: &Transition) -> Option<Mistake> {
    let named = row.kind.as_ref().map(|kind| kind.as_str());
    let kinds: Vec<Kind> = match named {
        None => Kind::ALL.to_vec(),
        Some(name) => {
            let is_named = |kind: &&Kind| [kind.row().name, kind.row().version].contains(&name);
            let Some(kind) = Kind::ALL.iter().find(is_named) else {
                let names = Kind::ALL.iter().flat_map(|kind| [kind.row().name, kind.row().version]);
                return Some(Mistake {
                    field: "kind",
                    message: format!("`{name}` is no kind"),
                    near: nearest(name, names),
                });
            };
            vec![*kind]
        }
    };
    let field = row.field.as_ref()?.as_str();
    let route = FieldPath(field.split('.').map(|key| FieldStep::Key(key.into())).collect());
    if !kinds.iter().any(|kind| !schemas_at(schema(*kind), &route).is_empty()) {
        let fields =
            kinds.iter().flat_map(|kind| schema(*kind).get("properties").and_then(serde_json::Value::as_object));
        let message = match named {
            Some(name) => format!("a {name} has no field `{field}`"),
            None => format!("no kind has a field `{field}`"),
        };
        let names: Vec<&'static str> = fields.flat_map(|fields| fields.keys().map(String::as_str)).collect();
        let begins = || names.iter().copied().find(|name| name.starts_with(field) && !field.is_empty());
        let near = nearest(field, names.iter().copied()).or_else(begins);
        return Some(Mistake { field: "field", message, near });
    }
    let values = [("from", &row.from), ("to", &row.to)];
    values.into_iter().find_map(|(end, value)| {
        let (value, words) = (value.as_ref()?.as_str(), words(&kinds, &route)?);
        if value == "none" || words.contains(&value) {
            return None;
        }
        let message = format!("`{field}` is never `{value}`");
        Some(Mistake { field: end, message, near: nearest(value, words) })
    })
}

/// The words that a field may hold; `None` where it may hold others too.
fn words(kinds: &[Kind], route: &FieldPath) -> Option<Vec<&'static str>> {
    let mut words = Vec::new();
    for place in kinds.iter().flat_map(|kind| schemas_at(schema(*kind), route)) {
        let is_choice = ["$ref", "anyOf", "oneOf", "allOf"].iter().any(|key| place.get(key).is_some());
        if let Some(word) = place.get("const") {
            words.push(word.as_str()?);
        } else if let Some(list) = place.get("enum").and_then(serde_json::Value::as_array) {
            for word in list {
                words.push(word.as_str()?);
            }
        } else if !is_choice {
            return None;
        }
    }
    Some(words)
}
