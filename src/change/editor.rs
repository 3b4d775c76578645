//! Writes entries into the text of one document. Every stroke reads the text anew, so that no two edits can collide.

use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

use super::Refusal;
use crate::document::{
    Document, Edit, Entry as TreeEntry, Format, Node, Resolved, Route, Value, apply, parse, scalar, to_yaml,
};
use crate::vocabulary::{Id, Priority, Record};

/// A document with its text.
#[derive(Debug, Clone, Copy)]
pub struct SourceDocument<'a> {
    /// Its path below the state directory.
    pub path: &'a str,
    /// Its text.
    pub text: &'a str,
    /// What it says.
    pub record: &'a Record,
}

/// The text of one document while acts are written into it.
pub(super) struct DocumentEditor<'a> {
    path: &'a str,
    text: String,
    format: Format,
}

impl<'a> DocumentEditor<'a> {
    pub(super) fn new(source: SourceDocument<'a>) -> Self {
        let format = if source.path.ends_with(".json") { Format::Json } else { Format::Yaml };
        Self { path: source.path, text: source.text.to_owned(), format }
    }

    /// The text of a new document.
    pub(super) fn of_new(path: &'a str, text: String) -> Self {
        Self { path, text, format: Format::Yaml }
    }

    /// The text as it stands.
    pub(super) fn text(self) -> String {
        self.text
    }

    /// Writes an entry of the document: in the place of the one with this key, else behind the first of `behind` that is
    /// there, else at the end.
    pub(super) fn put(&mut self, key: &str, value: &impl Serialize, behind: &[&str]) -> Result<(), Refusal> {
        let document = self.read()?;
        let keys: Vec<&str> = document.root.entries().iter().map(|entry| &*entry.key.text).collect();
        let position = keys.iter().position(|known| *known == key);
        let last = keys.last().copied();
        let anchor = match position {
            // The place of the first entry is behind nothing; the order of entries means nothing.
            Some(0) => last,
            Some(position) => Some(keys[position - 1]),
            None => behind.iter().copied().find(|anchor| keys.contains(anchor)).or(last),
        };
        let anchor = Route::root().key(anchor.ok_or_else(|| self.unwritable())?);
        let entry = self.entry(key, value, &document.root)?;
        let removed = position.map(|_| document.remove(&self.text, &Route::root().key(key)));
        let inserted = document.insert_after(&self.text, &anchor, &entry);
        self.carry_out(removed.into_iter().chain([inserted]))
    }

    /// Writes an entry of one of the document's mappings, behind all others.
    pub(super) fn add(&mut self, mapping: &str, key: &str, value: &impl Serialize) -> Result<(), Refusal> {
        let document = self.read()?;
        let node = document.root.get(mapping).ok_or_else(|| self.unwritable())?;
        let Some(last) = node.entries().last() else {
            return self.put(mapping, &MappingEntry { key, value }, &[]);
        };
        let anchor = Route::root().key(mapping).key(&last.key.text);
        let inserted = document.insert_after(&self.text, &anchor, &self.entry(key, value, node)?);
        self.carry_out([inserted])
    }

    /// Writes an entry of one of the document's mappings: in the place of the one with this key, else behind all others.
    pub(super) fn put_in(&mut self, mapping: &str, key: &str, value: &impl Serialize) -> Result<(), Refusal> {
        let document = self.read()?;
        let node = document.root.get(mapping).ok_or_else(|| self.unwritable())?;
        let keys: Vec<&str> = node.entries().iter().map(|entry| &*entry.key.text).collect();
        let Some(position) = keys.iter().position(|known| *known == key) else { return self.add(mapping, key, value) };
        let anchor = match (position, keys.len()) {
            (0, 1) => return self.put(mapping, &MappingEntry { key, value }, &[]),
            (0, count) => keys[count - 1],
            (position, _) => keys[position - 1],
        };
        let route = Route::root().key(mapping);
        let removed = document.remove(&self.text, &route.clone().key(key));
        let entry = self.entry(key, value, node)?;
        let inserted = document.insert_after(&self.text, &route.key(anchor), &entry);
        self.carry_out([removed, inserted])
    }

    /// Writes an item at the end of one of the document's lists, or the list where there is none yet.
    pub(super) fn append(&mut self, list: &str, item: &impl Serialize) -> Result<(), Refusal> {
        let document = self.read()?;
        let Some(node) = document.root.get(list) else { return self.put(list, &[item], &[]) };
        if let Some(text) = self.with_item(list, node, item) {
            self.text = text;
            return Ok(());
        }
        let mut items: Vec<serde_json::Value> = node.items().iter().map(Node::to_json).collect();
        items.push(serde_json::to_value(item).map_err(|_| self.unwritable())?);
        self.put(list, &items, &[])
    }

    /// The text with one more item behind a list of dashes; `None` where the list is written in another way.
    fn with_item(&self, list: &str, node: &Node, item: &impl Serialize) -> Option<String> {
        let last = node.items().last().filter(|_| self.format == Format::Yaml)?;
        let start = last.span.range().start;
        let line = self.text[..start].rfind('\n')? + 1;
        let dash = self.text[line..start].strip_suffix("- ").filter(|indent| indent.trim().is_empty())?;
        let end = last.span.range().end;
        let rest = self.text[end..].split('\n').next().unwrap_or_default();
        let at = end + rest.trim_end_matches('\r').len();
        let newline = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        let item = in_words(&to_yaml(item))?;
        let lines = item.lines().enumerate();
        let lines =
            lines.map(|(number, line)| format!("{newline}{dash}{}{line}", if number == 0 { "- " } else { "  " }));
        let text = format!("{}{}{}", &self.text[..at], lines.collect::<String>(), &self.text[at..]);
        let read = parse(text.as_bytes(), self.format).document?;
        let count = |root: &Node| root.get(list).map(|list| list.items().len());
        (count(&read.root) == Some(node.items().len() + 1)).then_some(text)
    }

    /// Writes another text or number in the place of the one at a route.
    pub(super) fn set(&mut self, route: &Route, value: &str) -> Result<(), Refusal> {
        let value = match self.format {
            Format::Json => serde_json::Value::from(value).to_string(),
            Format::Yaml => scalar(value),
        };
        let set = self.read()?.set(route, &value);
        self.carry_out([set])
    }

    /// Takes an entry of the document out, if it is there.
    pub(super) fn remove(&mut self, key: &str) -> Result<(), Refusal> {
        let document = self.read()?;
        if document.root.get(key).is_none() {
            return Ok(());
        }
        let removed = document.remove(&self.text, &Route::root().key(key));
        self.carry_out([removed])
    }

    fn read(&self) -> Result<Document, Refusal> {
        parse(self.text.as_bytes(), self.format).document.ok_or_else(|| self.unwritable())
    }

    fn carry_out(&mut self, edits: impl IntoIterator<Item = Option<Edit>>) -> Result<(), Refusal> {
        let edits: Option<Vec<Edit>> = edits.into_iter().collect();
        let text = edits.and_then(|edits| apply(&self.text, &edits));
        self.text = text.ok_or_else(|| self.unwritable())?;
        Ok(())
    }

    /// An entry as the mapping that gets it is written.
    fn entry(&self, key: &str, value: &impl Serialize, mapping: &Node) -> Result<String, Refusal> {
        let in_braces = self.text[mapping.span.range()].starts_with('{');
        written(key, value, self.format, in_braces).ok_or_else(|| self.unwritable())
    }

    fn unwritable(&self) -> Refusal {
        Refusal::Unwritable { path: self.path.to_owned() }
    }
}

/// An entry as it is written in a block, or on one line in braces. Text stands as people write it: quoted only where a
/// reader could take it for something else.
fn written(key: &str, value: &impl Serialize, format: Format, in_braces: bool) -> Option<String> {
    let entry = MappingEntry { key, value };
    if format == Format::Json {
        let json = serde_json::to_string(&entry).expect("a record is a tree with text keys");
        return Some(json[1..json.len() - 1].to_owned());
    }
    let text = to_yaml(&entry);
    match in_braces {
        true => Some(on_one_line(parse(text.as_bytes(), format).document?.root.entries())),
        false => in_words(&text),
    }
}

/// The text of a new document of any kind.
pub(super) fn text_of(record: &Record) -> Option<String> {
    in_words(&to_yaml(record))
}

/// A new document of a goal: its path, and its text without the values that hold where nothing is written.
pub(super) fn page_of(record: &Record, goal_id: &Id, id: &Id) -> Option<(String, String)> {
    let row = record.kind().row();
    let path = record.kind().path(|field| match field {
        "goal_id" => Some(goal_id.as_str()),
        field if Some(field) == row.id_field => Some(id.as_str()),
        _ => None,
    })?;
    let mut editor = DocumentEditor { path: &path, text: text_of(record)?, format: Format::Yaml };
    if matches!(record, Record::Todo(_)) {
        editor.remove("status").ok()?;
    }
    let priority = match record {
        Record::Todo(todo) => Some(todo.priority),
        Record::Goal(goal) => Some(goal.priority),
        _ => None,
    };
    if priority == Some(Priority::P1) {
        editor.remove("priority").ok()?;
    }
    if let Record::Binding(_) = record {
        editor.remove("channel_id").ok()?;
    }
    let text = editor.text();
    Some((path, text))
}

/// Block YAML with every text as people write it.
fn in_words(text: &str) -> Option<String> {
    let mut edits = Vec::new();
    respell(&parse(text.as_bytes(), Format::Yaml).document?.root, &mut edits);
    apply(text, &edits)
}

/// A scalar as people write it; numbers and the like stay as they are.
fn spelled(node: &Node) -> Option<String> {
    let found = node.scalar()?;
    Some(if found.resolve() == Resolved::Text { scalar(&found.text) } else { found.text.to_string() })
}

fn respell(node: &Node, edits: &mut Vec<Edit>) {
    edits.extend(spelled(node).map(|text| Edit { span: node.span, text }));
    node.items().iter().for_each(|item| respell(item, edits));
    node.entries().iter().for_each(|entry| respell(&entry.value, edits));
}

fn on_one_line(entries: &[TreeEntry]) -> String {
    let pairs = entries.iter().map(|entry| format!("{}: {}", scalar(&entry.key.text), in_brackets(&entry.value)));
    pairs.collect::<Vec<_>>().join(", ")
}

fn in_brackets(node: &Node) -> String {
    match &node.value {
        Value::Scalar(_) => spelled(node).unwrap_or_default(),
        Value::Sequence(items) => format!("[{}]", items.iter().map(in_brackets).collect::<Vec<_>>().join(", ")),
        Value::Mapping(entries) => format!("{{ {} }}", on_one_line(entries)),
    }
}

/// A mapping of one entry.
struct MappingEntry<'a, T> {
    key: &'a str,
    value: &'a T,
}

impl<T: Serialize> Serialize for MappingEntry<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(self.key, self.value)?;
        map.end()
    }
}
