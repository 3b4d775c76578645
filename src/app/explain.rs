//! Says what a word means: rules, rows of the privacy table and of the lifecycles, reasons, error codes, kinds of
//! documents, vocabularies and their words.

use serde_json::Value;

use super::error::ErrorCode;
use super::schema::is_called;
use crate::privacy::{Class, Row, Text, Wall};
use crate::report::{Explanation, Meaning, NamedText, Topics, WordTopic};
use crate::rules::lifecycle::{Constraint, LifecycleRow, constraints};
use crate::rules::{self, Rule};
use crate::vocabulary::{ClosedWords, Kind, Reason, Vocabulary, nearest, schema, vocabularies};
use crate::workspace::has_levels;

/// Something that a word means.
#[derive(Clone, Copy)]
enum Definition {
    Rule(&'static Rule),
    Row(&'static Row),
    Reason(Reason),
    Code(ErrorCode),
    Kind(Kind),
    Vocabulary(Vocabulary),
    Word(Vocabulary, usize),
    Law(&'static LifecycleRow, &'static Constraint),
}

/// Explains a word: each thing that is called so, or the nearest word that means something.
///
/// Rules also go by the part of their id behind the slash, kinds by their name and their version word.
#[must_use]
pub fn explain(asked: &str) -> Explanation {
    let known = all();
    let meanings: Vec<_> = known.iter().filter(|known| known.is_called(asked)).map(Definition::meaning).collect();
    let near = match meanings.is_empty() {
        true => nearest(asked, known.iter().map(Definition::word)),
        false => None,
    };
    Explanation::new(Wall::shipped().text(asked), meanings, near.map(text))
}

/// Lists what can be explained; the words of a vocabulary stand beside its name, the rows of a privacy rule in its
/// explanation.
#[must_use]
pub fn topics() -> Topics {
    let titles = ["Rules", "Lifecycles", "Reasons", "Error codes", "Kinds of documents", "Vocabularies"];
    let mut topics: Vec<WordTopic> =
        titles.map(|title| WordTopic { title: Text::fixed(title), words: Vec::new() }).into();
    for known in all() {
        let topic = match known {
            Definition::Rule(_) => 0,
            Definition::Law(..) => 1,
            Definition::Reason(_) => 2,
            Definition::Code(_) => 3,
            Definition::Kind(_) => 4,
            Definition::Vocabulary(_) => 5,
            Definition::Row(_) | Definition::Word(..) => continue,
        };
        topics[topic].words.push(NamedText::new(text(known.word()), known.summary()));
    }
    Topics::new(topics)
}

/// Everything that has a name. The reasons are a vocabulary too, and have more to say of themselves.
fn all() -> Vec<Definition> {
    let mut all: Vec<Definition> = rules::ALL.iter().map(Definition::Rule).collect();
    all.extend(Class::all().flat_map(Class::rows).map(Definition::Row));
    all.extend(constraints(|_, _| true).map(|(step, law)| Definition::Law(step, law)));
    all.extend(Reason::ALL.iter().copied().map(Definition::Reason));
    all.extend(ErrorCode::ALL.iter().copied().map(Definition::Code));
    all.extend(Kind::ALL.iter().copied().map(Definition::Kind));
    let closed = vocabularies();
    all.extend(closed.iter().copied().map(Definition::Vocabulary));
    let worded = closed.iter().filter(|one| one.name != Reason::VOCABULARY.name);
    all.extend(worded.flat_map(|one| (0..one.words.len()).map(|number| Definition::Word(*one, number))));
    all
}

/// The program's own words.
fn text(words: &'static str) -> Text {
    Text::fixed(words)
}

fn joined<'a>(words: impl Iterator<Item = &'a str>) -> Text {
    Wall::shipped().text(words.collect::<Vec<_>>().join(", "))
}

impl Definition {
    /// What it is called.
    fn word(&self) -> &'static str {
        match self {
            Self::Rule(rule) => rule.id,
            Self::Row(row) => row.id,
            Self::Reason(reason) => reason.word(),
            Self::Code(code) => code.row().word,
            Self::Kind(kind) => kind.row().version,
            Self::Vocabulary(vocabulary) => vocabulary.name,
            Self::Word(vocabulary, number) => vocabulary.words[*number].0,
            Self::Law(_, law) => law.name,
        }
    }

    fn is_called(&self, asked: &str) -> bool {
        let by_name = match self {
            Self::Rule(rule) => rule.id.split_once('/').is_some_and(|(_, name)| name == asked),
            Self::Kind(kind) => is_called(*kind, asked),
            _ => false,
        };
        by_name || self.word() == asked
    }

    fn summary(&self) -> Text {
        match self {
            Self::Rule(rule) => text(rule.summary),
            Self::Row(row) => Wall::shipped().text(row.description()),
            Self::Reason(reason) => text(Reason::VOCABULARY.words[*reason as usize].1),
            Self::Code(code) => text(code.row().message),
            Self::Kind(kind) => {
                Wall::shipped().text(format!("{}: {}", kind.row().name, described(*kind, schema(*kind))))
            }
            Self::Vocabulary(vocabulary) => joined(vocabulary.words.iter().map(|(word, _)| *word)),
            Self::Word(vocabulary, number) => text(vocabulary.words[*number].1),
            Self::Law(_, law) => text(law.says),
        }
    }

    fn meaning(&self) -> Meaning {
        let mut meaning = Meaning {
            word: text(self.word()),
            what: text("rule"),
            summary: self.summary(),
            facts: Vec::new(),
            words: Vec::new(),
            laws: Vec::new(),
        };
        match self {
            Self::Rule(rule) => {
                meaning.laws = of_laws(|_, law| law.rule.id == rule.id);
                meaning.facts = of_rule(rule);
                let rows = Class::all().filter(|class| class.rule() == rule.id).flat_map(Class::rows);
                meaning.words = rows.map(|row| NamedText::new(text(row.id), text(row.what))).collect();
            }
            Self::Row(row) => {
                meaning.what = text("row of the privacy table");
                meaning.facts = of_row(row);
            }
            Self::Reason(reason) => {
                meaning.what = text("reason");
                meaning.facts = vec![NamedText::new(text("severity"), text(reason.severity().word()))];
            }
            Self::Code(code) => {
                meaning.what = text("error code");
                meaning.facts = vec![NamedText::new(text("help"), text(code.row().help))];
            }
            Self::Kind(kind) => {
                meaning.what = text("kind of document");
                meaning.words = of_fields(*kind);
                meaning.facts = of_kind(*kind);
                meaning.laws = of_laws(|step, _| step.kind == *kind);
            }
            Self::Vocabulary(vocabulary) => {
                meaning.what = text("vocabulary");
                meaning.summary = Wall::shipped().text(format!("each word is {}", vocabulary.title));
                meaning.words =
                    vocabulary.words.iter().map(|(word, says)| NamedText::new(text(word), text(says))).collect();
                meaning.facts =
                    vec![NamedText::new(text("fields"), joined(fields(vocabulary.name).iter().map(|field| &**field)))];
            }
            Self::Word(vocabulary, _) => {
                meaning.what = Wall::shipped().text(format!("{}, a word of {}", vocabulary.title, vocabulary.name));
            }
            Self::Law(step, law) => {
                meaning.what = Wall::shipped().text(format!("lifecycle of a {}", step.kind.row().name));
                meaning.facts = of_law(step, law);
            }
        }
        meaning
    }
}

fn of_rule(rule: &Rule) -> Vec<NamedText> {
    let suppression = match rule.is_suppressible() {
        true => "a comment with its reason: # loopx: ignore[RULE] why",
        false if !has_levels(rule.id) => "none; no comment and no policy sets it aside",
        false => "none; it is mended, or a policy sets its level",
    };
    vec![
        NamedText::new(text("why"), text(rule.why)),
        NamedText::new(text("level"), text(rule.level.word())),
        NamedText::new(text("exception"), text(suppression)),
    ]
}

/// Where a row of the privacy table belongs, why, and what passes it.
fn of_row(row: &Row) -> Vec<NamedText> {
    let wall = Wall::shipped();
    let passes = row.clean_examples().map(|example| example.replace('\n', "\\n").replace('\t', "\\t"));
    let mut facts = vec![
        NamedText::new(text("rule"), text(row.class.rule())),
        NamedText::new(text("why"), text(row.class.why())),
        NamedText::new(text("known from"), text(row.source)),
    ];
    facts.extend(passes.map(|example| NamedText::new(text("passes"), wall.text(example))));
    facts
}

/// What the table of lifecycles demands, each law beside the act or status that brings it.
fn of_laws(wanted: impl Fn(&LifecycleRow, &Constraint) -> bool) -> Vec<NamedText> {
    let named = |(step, law): (&LifecycleRow, &Constraint)| {
        NamedText::new(Wall::shipped().text(format!("{} {}", step.kind.row().name, step.given)), text(law.says))
    };
    constraints(wanted).map(named).collect()
}

fn of_law(step: &LifecycleRow, law: &Constraint) -> Vec<NamedText> {
    vec![
        NamedText::new(text("where"), Wall::shipped().text(format!("a {} with {}", step.kind.row().name, step.given))),
        NamedText::new(text("rule"), text(law.rule.id)),
        NamedText::new(text("until fixed"), text(step.now)),
    ]
}

fn of_kind(kind: Kind) -> Vec<NamedText> {
    let row = kind.row();
    let mut facts = vec![
        NamedText::new(text("plane"), text(row.plane.word())),
        NamedText::new(text("schema"), Wall::shipped().text(format!("loopx schema {}", row.version))),
    ];
    if !row.place.is_empty() {
        facts.insert(0, NamedText::new(text("place"), text(row.place)));
    }
    facts
}

/// The fields of a kind, the required ones first.
fn of_fields(kind: Kind) -> Vec<NamedText> {
    let schema = schema(kind);
    let required = |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|one| one == name));
    let mut fields: Vec<_> = schema["properties"].as_object().into_iter().flatten().collect();
    fields.sort_by_key(|(name, _)| !required(name));
    let named = |(name, property): (&String, &Value)| {
        let need = if required(name) { "required" } else { "optional" };
        NamedText::new(
            Wall::shipped().text(name),
            Wall::shipped().text(format!("{need}: {}", described(kind, property))),
        )
    };
    fields.into_iter().map(named).collect()
}

/// What a schema says of itself, or of what it refers to.
fn described(kind: Kind, part: &Value) -> &str {
    let own = part["description"].as_str();
    own.or_else(|| target(schema(kind), part)?["description"].as_str()).unwrap_or_default()
}

/// What a schema refers to.
fn target<'a>(root: &'a Value, part: &Value) -> Option<&'a Value> {
    root.pointer(part["$ref"].as_str()?.strip_prefix('#')?)
}

/// The fields that take a word of a vocabulary, each with its kind.
fn fields(vocabulary: &str) -> Vec<String> {
    let mut fields = Vec::new();
    for kind in Kind::ALL {
        let root = schema(*kind);
        let mut waiting = vec![(String::new(), root)];
        while let Some((route, part)) = waiting.pop() {
            let part = target(root, part).unwrap_or(part);
            if part["x-vocabulary"] == vocabulary {
                fields.push(format!("{} of {}", route.trim_start_matches('.'), kind.row().name));
            }
            for (name, property) in part["properties"].as_object().into_iter().flatten() {
                waiting.push((format!("{route}.{name}"), property));
            }
            for keyword in ["items", "additionalProperties"] {
                if part[keyword].is_object() {
                    waiting.push((format!("{route}[]"), &part[keyword]));
                }
            }
            for keyword in ["anyOf", "oneOf"] {
                let branches = part[keyword].as_array().into_iter().flatten();
                waiting.extend(branches.map(|branch| (route.clone(), branch)));
            }
        }
    }
    fields.sort();
    fields.dedup();
    fields
}
