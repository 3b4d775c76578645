//! The shape of a document: what jsonschema found, in our words. The rules of `shape/` and `vocabulary/`.

use super::{Rule, RuleCheck};
use crate::document::{Edit, Route, Style, quoted};
use crate::finding::{Anchor, Finding, Fix};
use crate::privacy::Text;
use crate::vocabulary::{Kind, Level, nearest, vocabulary};
use crate::workspace::{FaultTarget, Reading, Shape, ShapeFault};

const fn rule(id: &'static str, summary: &'static str, why: &'static str) -> Rule {
    Rule { id, level: Level::Error, summary, why, check: RuleCheck::Table }
}

const UNKNOWN_KEY: Rule = rule(
    "shape/unknown-key",
    "a key that this kind of document does not have",
    "A misspelled optional key would silently read as its default; so every unknown key is an error.",
);
const MISSING_FIELD: Rule = rule(
    "shape/missing-field",
    "a required field is absent",
    "Without it the document says too little to act on; nothing is guessed in its place.",
);
const WRONG_TYPE: Rule = rule(
    "shape/wrong-type",
    "a value of another type",
    "A value is read as what it is, never coerced: `no` is no boolean, an empty value is no absent field.",
);
const TOO_LONG: Rule = rule(
    "shape/too-long",
    "text over the limit of its field",
    "Short text keeps transcripts and logs out by shape, and a reviewer can read all of it.",
);
const MALFORMED: Rule = rule(
    "shape/malformed",
    "a value that does not look like its field",
    "An id, a time, a duration or a glob has one form, so that equal things are equal text.",
);
const OUT_OF_RANGE: Rule =
    rule("shape/out-of-range", "a value outside its limits", "The limits keep a typing slip from becoming a decision.");
const UNKNOWN_WORD: Rule = rule(
    "vocabulary/unknown-value",
    "a word that its closed vocabulary does not have",
    "An unknown word could mean anything; so it is refused, with the nearest legal one.",
);
const UNKNOWN_KIND: Rule = Rule {
    id: "shape/unknown-kind",
    level: Level::Error,
    summary: "no known `schema_version`",
    why: "The version word says how a document is read; without it nothing in the file means anything.",
    check: RuleCheck::File(kind),
};

pub(super) const RULES: &[Rule] =
    &[UNKNOWN_KEY, MISSING_FIELD, WRONG_TYPE, TOO_LONG, MALFORMED, OUT_OF_RANGE, UNKNOWN_WORD, UNKNOWN_KIND];

/// The rule that reports a fault; text that only needs quotes is reported by `yaml/ambiguous-scalar`.
fn rule_of(shape: &Shape) -> Option<&'static Rule> {
    Some(match shape {
        Shape::UnknownKey { .. } => &UNKNOWN_KEY,
        Shape::MissingField { .. } => &MISSING_FIELD,
        Shape::WrongType { .. } => &WRONG_TYPE,
        Shape::TooLong { .. } => &TOO_LONG,
        Shape::NotLike { .. } | Shape::Impossible { .. } | Shape::Repeated => &MALFORMED,
        Shape::OutOfRange { .. } => &OUT_OF_RANGE,
        Shape::UnknownWord { .. } => &UNKNOWN_WORD,
        Shape::NotText => return None,
    })
}

/// Lists the faults of a file's shape.
pub(super) fn faults(reading: &Reading<'_>, findings: &mut Vec<Finding>) {
    let Some(kind) = reading.kind else { return };
    let misspelled: Vec<(Route, &str)> = reading.shape.iter().filter_map(misspelled).collect();
    let is_misspelled = |fault: &ShapeFault| match &fault.shape {
        Shape::MissingField { field } => misspelled.iter().any(|(route, near)| near == field && *route == fault.route),
        _ => false,
    };
    for fault in reading.shape.iter().filter(|fault| !is_misspelled(fault) && !is_forbidden(reading, fault)) {
        findings.extend(rule_of(&fault.shape).map(|rule| finding(rule, reading, kind, fault)));
    }
}

/// The mapping of an unknown key and the legal key that it most likely means: that one is not missing too.
fn misspelled(fault: &ShapeFault) -> Option<(Route, &str)> {
    let Shape::UnknownKey { legal } = &fault.shape else { return None };
    let (_, parents) = fault.route.0.split_last()?;
    let near = nearest(fault.route.field()?, legal.iter().map(String::as_str))?;
    Some((Route(parents.to_vec()), near))
}

/// Whether the wall speaks of this key already.
fn is_forbidden(reading: &Reading<'_>, fault: &ShapeFault) -> bool {
    fault.part == FaultTarget::Key && fault.route.field().is_some_and(|key| reading.wall.forbids_field(key))
}

fn finding(rule: &Rule, reading: &Reading<'_>, kind: Kind, fault: &ShapeFault) -> Finding {
    let wall = reading.wall;
    let anchor = match fault.part {
        FaultTarget::Key => Anchor::Key(fault.route.clone()),
        FaultTarget::Value => Anchor::Value(fault.route.clone()),
    };
    let name = kind.row().name;
    let field = fault.route.field().unwrap_or(name);
    let value =
        reading.document.as_ref().and_then(|document| document.root.at(&fault.route)).and_then(|node| node.text());
    let at = |message: String| rule.at(&reading.path, anchor.clone(), wall.text(message));
    let found = match &fault.shape {
        Shape::UnknownKey { legal } => {
            let found = at(format!("`{field}` is no key of {}", holder(&fault.route, name)));
            let near = nearest(field, legal.iter().map(String::as_str));
            let found = match near {
                Some(near) => found.note(wall.text(format!("did you mean `{near}`?"))),
                None => found,
            };
            found.legal(wall.text(legal.join(", ")))
        }
        Shape::MissingField { field: missing } => {
            let owner = fault.route.field().map_or_else(|| format!("this {name}"), |field| format!("`{field}`"));
            missing_help(at(format!("{owner} has no `{missing}`")), reading, missing)
        }
        Shape::WrongType { expected, outline } => {
            let found = at(format!("`{field}` is not {}", article(expected)));
            match outline {
                _ if expected == "boolean" => found.legal(Text::fixed("true, false")),
                Some(outline) => found.help(wall.text(format!("write `{field}: {outline}`"))),
                None => unquoted(found, reading, fault),
            }
        }
        Shape::UnknownWord { vocabulary: words, legal } => {
            let title = vocabulary(words).map_or("the word that stands here", |vocabulary| vocabulary.title);
            let shown = value.unwrap_or("this value");
            let found = at(format!("`{shown}` is not {title}")).legal(wall.text(legal.join(", ")));
            match nearest(shown, legal.iter().map(String::as_str)) {
                Some(near) => found.note(wall.text(format!("did you mean `{near}`?"))),
                None => found,
            }
        }
        Shape::TooLong { limit, text } => {
            let length = value.map_or(0, |value| value.chars().count());
            at(format!("`{field}` is {length} characters long; {} holds {limit}", article(text)))
        }
        Shape::NotLike { text } => at(format!("`{field}` is not {}", looks(text))),
        Shape::Repeated => at(format!("`{field}` lists an item twice")),
        Shape::OutOfRange { bound } => at(format!("`{field}` has to be {bound}")),
        Shape::Impossible { reason } => at(format!("`{field}` is {reason}")),
        Shape::NotText => at(format!("`{field}` needs quotes")),
    };
    found.now(wall.text(format!("the {name} is unreadable; {}", consequence(kind))))
}

/// Text with a colon in it, which YAML reads as a key and its value, needs quotes.
fn unquoted(found: Finding, reading: &Reading<'_>, fault: &ShapeFault) -> Finding {
    let place = || {
        let (document, text) = (reading.document.as_ref()?, reading.text?);
        let node = document.root.at(&fault.route)?;
        let [entry] = node.entries() else { return None };
        let plain = entry.key.style == Style::Plain && entry.value.scalar().is_some_and(|it| it.style == Style::Plain);
        let written = text.get(node.span.range())?;
        (plain && !written.contains('\n')).then_some((node.span, written))
    };
    let Some((span, written)) = place() else { return found };
    let fix = Fix::edits(Text::fixed("quote the text"), vec![Edit { span, text: quoted(written) }]);
    found.help(Text::fixed("quote the value")).fix(fix)
}

/// An act without `at` is helped by the line to paste.
fn missing_help(found: Finding, reading: &Reading<'_>, missing: &str) -> Finding {
    match missing {
        "at" | "done_at" | "updated_at" => found.help(
            reading.wall.text(format!("add the line `{missing}: <time>`, such as `{missing}: 2026-01-31T09:00:00Z`")),
        ),
        _ => found.help(reading.wall.text(format!("add `{missing}`"))),
    }
}

fn consequence(kind: Kind) -> &'static str {
    match kind {
        Kind::Workspace | Kind::Policy => "every goal projects blocked",
        Kind::Goal => "it projects blocked",
        Kind::Admission => "the host counts as not admitted",
        Kind::Facts => "what the host reported is left out",
        Kind::Receipt => "what it records does not count",
        _ => "its goal projects blocked",
    }
}

fn holder(route: &Route, name: &str) -> String {
    let parent = Route(route.0[..route.0.len().saturating_sub(1)].to_vec());
    match parent.field() {
        Some(field) => format!("`{field}`"),
        None => format!("a {name}"),
    }
}

fn article(word: &str) -> String {
    let vowel = word.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {word}", if vowel { "an" } else { "a" })
}

fn looks(text: &str) -> String {
    match text {
        "time" => "a moment: RFC 3339 with an offset, such as 2026-01-31T09:00:00Z".to_owned(),
        "duration" => "a duration: a number with s, m, h or d".to_owned(),
        "id" => "an id: letters, digits, `.`, `_`, `-`; a letter or digit first, no `.` last".to_owned(),
        "glob" => "a glob below the repository, with `/` between folders and no blanks".to_owned(),
        "line" | "label" => "text on one line".to_owned(),
        "digest" => "a SHA-256 in lower-case hex".to_owned(),
        "resume" => "todo_done:ID, pr_merged:[OWNER/REPO]#N or capacity_available:CAP".to_owned(),
        _ => "of the form that this field has".to_owned(),
    }
}

fn kind(rule: &Rule, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
    let Some(document) = reading.document.as_ref().filter(|_| reading.kind.is_none()) else { return };
    let versions = || Kind::ALL.iter().map(|kind| kind.row().version);
    let version = document.root.get("schema_version");
    if !reading.must_be_document && version.is_none() {
        return;
    }
    let found = match version.and_then(|node| node.text()) {
        Some(version) => {
            let anchor = Anchor::Value(Route::of("schema_version"));
            let found = rule.at(&reading.path, anchor, reading.wall.text(format!("`{version}` is no known version")));
            match nearest(version, versions()) {
                Some(near) => found.note(reading.wall.text(format!("did you mean `{near}`?"))),
                None => found,
            }
        }
        None => {
            let found = rule.at(
                &reading.path,
                Anchor::Value(Route::root()),
                Text::fixed("no `schema_version` says what this is"),
            );
            match Kind::at(&reading.path) {
                Some((kind, _)) => {
                    found.help(reading.wall.text(format!("add `schema_version: {}`", kind.row().version)))
                }
                None => found.help(Text::fixed("add `schema_version`; `loopx schema` lists the kinds")),
            }
        }
    };
    findings.push(found.now(Text::fixed("the document is unreadable; what depends on it stays closed")));
}
