//! Shape findings: jsonschema names every fault with a pointer; here it gets a route and our own words' data.

mod known;
mod outline;
mod quick;

use std::sync::OnceLock;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{ValidationError, Validator};
use serde_json::Value as Json;

use crate::document::{Document, Node, Resolved, Route, Style};
use crate::vocabulary::{Kind, counted, schema};
use outline::{follow, texts};

/// Whether a fault is of a key or of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultTarget {
    /// The key at the end of the route.
    Key,
    /// The value at the end of the route.
    Value,
}

/// One fault of a document's shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShapeFault {
    /// The way to the place.
    pub route: Route,
    /// The key or the value.
    pub part: FaultTarget,
    /// What is wrong.
    pub shape: Shape,
}

/// What can be wrong with a document's shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// A key that the kind does not have.
    UnknownKey {
        /// The keys that are legal here and absent.
        legal: Vec<String>,
    },
    /// A required field is absent.
    MissingField {
        /// Its name.
        field: String,
    },
    /// A value of another type.
    WrongType {
        /// The types that would be right, in JSON's words.
        expected: String,
        /// What such a value looks like, where it is more than one word.
        outline: Option<String>,
    },
    /// A word that its closed vocabulary does not have.
    UnknownWord {
        /// The name of the vocabulary.
        vocabulary: String,
        /// Its words.
        legal: Vec<String>,
    },
    /// Text over its limit, in code points.
    TooLong {
        /// The limit.
        limit: u64,
        /// What kind of text it is.
        text: String,
    },
    /// Text that does not look like its kind: id, time, line, ...
    NotLike {
        /// What kind of text it should be.
        text: String,
    },
    /// A value outside its limits.
    OutOfRange {
        /// The bound, in words.
        bound: String,
    },
    /// The same item twice.
    Repeated,
    /// A plain scalar in a text field that resolves to something else; its text is kept.
    NotText,
    /// Passed the schema, and yet no such moment or number exists.
    Impossible {
        /// Why, without the value.
        reason: String,
    },
}

impl Shape {
    /// Whether the document can be read all the same: text that only needs quotes is kept as it stands.
    #[must_use]
    pub fn is_readable(&self) -> bool {
        matches!(self, Self::NotText)
    }
}

fn validator(kind: Kind) -> &'static Validator {
    static VALIDATORS: [OnceLock<Validator>; Kind::ALL.len()] = [const { OnceLock::new() }; Kind::ALL.len()];
    VALIDATORS[kind as usize].get_or_init(|| {
        jsonschema::draft202012::options().build(schema(kind)).expect("a test compiles the schema of every kind")
    })
}

/// Lists every fault of a document's shape, in no particular order.
pub(super) fn faults(kind: Kind, document: &Document) -> Vec<ShapeFault> {
    if quick::holds(kind, &document.root) {
        return Vec::new();
    }
    let validator = validator(kind);
    let mut json = document.root.to_json();
    if validator.is_valid(&json) {
        return Vec::new();
    }
    let mut faults = keep_text(validator, document, &mut json);
    let errors = validator.iter_errors(&json);
    faults.extend(errors.flat_map(|error| fault(kind, document, &error)));
    faults
}

/// Puts the raw text where text is wanted and a plain scalar resolves to something else.
fn keep_text(validator: &Validator, document: &Document, json: &mut Json) -> Vec<ShapeFault> {
    let routes: Vec<_> = validator
        .iter_errors(json)
        .filter(|error| wants_text(error))
        .map(|error| route(&document.root, error.instance_path().as_str()))
        .collect();
    let mut faults = Vec::new();
    for route in routes {
        let scalar = document.root.at(&route).and_then(Node::scalar);
        let Some(scalar) = scalar.filter(|scalar| scalar.style == Style::Plain && !scalar.text.is_empty()) else {
            continue;
        };
        if scalar.resolve() != Resolved::Text
            && let Some(place) = json_at(json, &route)
        {
            *place = Json::from(&*scalar.text);
            faults.push(ShapeFault { route, part: FaultTarget::Value, shape: Shape::NotText });
        }
    }
    faults
}

fn wants_text(error: &ValidationError<'_>) -> bool {
    types(error.kind()).is_some_and(|types| types.iter().any(|name| name == "string"))
        || matches!(error.kind(), ValidationErrorKind::Enum { .. } if !error.instance().is_string())
}

fn types(kind: &ValidationErrorKind) -> Option<Vec<String>> {
    match kind {
        ValidationErrorKind::Type { kind: TypeKind::Single(single) } => Some(vec![single.to_string()]),
        ValidationErrorKind::Type { kind: TypeKind::Multiple(set) } => {
            Some(set.iter().map(|name| name.to_string()).collect())
        }
        _ => None,
    }
}

fn json_at<'a>(json: &'a mut Json, route: &Route) -> Option<&'a mut Json> {
    use crate::document::Step;
    route.0.iter().try_fold(json, |json, step| match step {
        Step::Key(key) => json.get_mut(&**key),
        Step::Index(index) => json.get_mut(*index as usize),
    })
}

/// Turns a JSON pointer into a route of the tree.
fn route(root: &Node, pointer: &str) -> Route {
    let mut route = Route::root();
    let mut node = Some(root);
    for part in pointer.split('/').skip(1) {
        let part = part.replace("~1", "/").replace("~0", "~");
        let items = node.map(Node::items).unwrap_or_default();
        route = match part.parse::<usize>() {
            Ok(index) if index < items.len() => {
                node = items.get(index);
                route.index(index)
            }
            _ => {
                node = node.and_then(|node| node.get(&part));
                route.key(&part)
            }
        };
    }
    route
}

/// Turns one error into faults: one for each unknown key, else one.
fn fault(kind: Kind, document: &Document, error: &ValidationError<'_>) -> Vec<ShapeFault> {
    let route = route(&document.root, error.instance_path().as_str());
    let subschema = enclosing(schema(kind), error.schema_path().as_str());
    if let ValidationErrorKind::AdditionalProperties { unexpected } = error.kind() {
        let legal = absent_keys(subschema, document.root.at(&route));
        let unknown = |key: &String| ShapeFault {
            route: route.clone().key(key),
            part: FaultTarget::Key,
            shape: Shape::UnknownKey { legal: legal.clone() },
        };
        return unexpected.iter().map(unknown).collect();
    }
    match shape(schema(kind), error, subschema) {
        Some(shape) => vec![ShapeFault { route, part: FaultTarget::Value, shape }],
        None => Vec::new(),
    }
}

fn shape(root: &Json, error: &ValidationError<'_>, subschema: Option<&Json>) -> Option<Shape> {
    let word = |key: &str| subschema.and_then(|schema| schema.get(key)).and_then(Json::as_str).map(str::to_owned);
    let text = || word("x-text").unwrap_or_else(|| "text".to_owned());
    let of = |limit: u64, noun: &str| counted(usize::try_from(limit).unwrap_or(usize::MAX), noun);
    Some(match error.kind() {
        ValidationErrorKind::Required { property } => {
            Shape::MissingField { field: property.as_str().unwrap_or_default().to_owned() }
        }
        ValidationErrorKind::Enum { options } => Shape::UnknownWord {
            vocabulary: word("x-vocabulary").unwrap_or_default(),
            legal: texts(options.as_array().map(Vec::as_slice).unwrap_or_default()),
        },
        ValidationErrorKind::Constant { expected_value } => Shape::UnknownWord {
            vocabulary: String::new(),
            legal: vec![expected_value.as_str().map_or_else(|| expected_value.to_string(), str::to_owned)],
        },
        ValidationErrorKind::Pattern { .. } => match word("x-word") {
            Some(name) => Shape::UnknownWord { legal: words_of(&name), vocabulary: name },
            None => Shape::NotLike { text: text() },
        },
        ValidationErrorKind::MaxLength { limit } => Shape::TooLong { limit: *limit, text: text() },
        ValidationErrorKind::MinLength { .. } => Shape::OutOfRange { bound: "at least one character".to_owned() },
        ValidationErrorKind::MinItems { limit } => {
            Shape::OutOfRange { bound: format!("at least {}", of(*limit, "item")) }
        }
        ValidationErrorKind::MaxItems { limit } => {
            Shape::OutOfRange { bound: format!("at most {}", of(*limit, "item")) }
        }
        ValidationErrorKind::MinProperties { .. } => Shape::OutOfRange { bound: "at least one section".to_owned() },
        ValidationErrorKind::MaxProperties { limit } => {
            Shape::OutOfRange { bound: format!("at most {}", of(*limit, "key")) }
        }
        ValidationErrorKind::Minimum { limit } => Shape::OutOfRange { bound: format!("at least {limit}") },
        ValidationErrorKind::Maximum { limit } => Shape::OutOfRange { bound: format!("at most {limit}") },
        ValidationErrorKind::UniqueItems => Shape::Repeated,
        kind => {
            let outline = subschema.and_then(|part| outline::of(root, part));
            Shape::WrongType { expected: types(kind)?.join(" or "), outline }
        }
    })
}

fn words_of(name: &str) -> Vec<String> {
    match crate::vocabulary::vocabulary(name) {
        Some(vocabulary) => vocabulary.words.iter().map(|(word, _)| (*word).to_owned()).collect(),
        None => vec![name.to_owned()],
    }
}

/// The keys that a schema names and a mapping does not have yet.
fn absent_keys(schema: Option<&Json>, node: Option<&Node>) -> Vec<String> {
    let properties = schema.and_then(|schema| schema.get("properties")).and_then(Json::as_object);
    let present = |key: &String| node.is_some_and(|node| node.entry(key).is_some());
    properties.into_iter().flat_map(|map| map.keys()).filter(|key| !present(key)).cloned().collect()
}

/// The schema that holds the keyword at the end of a schema path, through references.
fn enclosing<'a>(root: &'a Json, path: &str) -> Option<&'a Json> {
    let parts: Vec<_> = path.split('/').skip(1).map(|part| part.replace("~1", "/").replace("~0", "~")).collect();
    let (_, parents) = parts.split_last()?;
    let mut schema = root;
    for part in parents {
        if part == "$ref" {
            schema = follow(root, schema)?;
            continue;
        }
        let child = match schema {
            Json::Array(items) => items.get(part.parse::<usize>().ok()?),
            _ => schema.get(part),
        };
        schema = child.or_else(|| follow(root, schema).and_then(|target| target.get(part)))?;
    }
    if schema.get("$ref").is_some() { follow(root, schema) } else { Some(schema) }
}
