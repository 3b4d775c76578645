//! Facts of one session: one item more, or the host's latest status.

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};

use super::editor::{DocumentEditor, text_of};
use super::{Refusal, SourceDocument};
use crate::document::Route;
use crate::privacy::Wall;
use crate::vocabulary::{
    ApprovalFact, ArtifactFact, ArtifactStatus, ClosedWords, DecisionFact, EventFact, Facts, HostKind, ID_LIMIT, Id,
    Instant, Kind, LINE_LIMIT, OutcomeFact, Record, RuntimeId, SessionStatus,
};

/// The largest item, in bytes; what is longer is no compact summary.
const LIMIT: usize = 16 * 1024;

/// How many keys a message lists.
const LISTED: usize = 8;

/// One item of a session's facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FactItem {
    /// Something ended.
    Outcome(OutcomeFact),
    /// Something happened on the way.
    Event(EventFact),
    /// The host asked somebody.
    Approval(ApprovalFact),
    /// Something was made.
    Artifact(ArtifactFact),
    /// The host was told about a decision.
    Decision(DecisionFact),
}

/// Why a text is no item of facts. It names keys of the text and never repeats a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ItemFault {
    /// It is no JSON object, or too long for a compact summary.
    #[error("the item is no JSON object of at most 16 KiB; transcripts and output of tools are not taken")]
    NoObject,
    /// No key says which kind of item it is.
    #[error("the item has no id: give outcome_id, event_id, approval_id, artifact_id or decision_id")]
    NoId,
    /// Keys that such an item does not have.
    #[error("an item of facts has no such keys: {}", keys.join(", "))]
    UnknownKeys {
        /// The keys.
        keys: Vec<String>,
    },
    /// Keys whose values are missing or of another form.
    #[error("these keys hold no value of their form, or none: {}", keys.join(", "))]
    BadValues {
        /// The keys.
        keys: Vec<String>,
    },
    /// Keys whose values the privacy wall refuses.
    #[error("these keys hold refused material: {}", keys.join(", "))]
    Unsafe {
        /// The keys.
        keys: Vec<String>,
    },
}

impl FactItem {
    /// Reads an item of JSON. Without `at`, it happened at `now`.
    ///
    /// # Errors
    /// The text is no item; the fault names keys and no value.
    pub fn read(text: &str, now: Instant, wall: &Wall) -> Result<Self, ItemFault> {
        let json = (text.len() <= LIMIT).then(|| serde_json::from_str(text).ok()).flatten();
        let Some(Json::Object(mut item)) = json else { return Err(ItemFault::NoObject) };
        let list = List::of(&item).ok_or_else(|| match shown(item.keys().filter(|key| !is_known(key)), wall) {
            keys if keys.is_empty() => ItemFault::NoId,
            keys => ItemFault::UnknownKeys { keys },
        })?;
        let unknown = shown(item.keys().filter(|key| !list.keys().contains(&key.as_str())), wall);
        if !unknown.is_empty() {
            return Err(ItemFault::UnknownKeys { keys: unknown });
        }
        item.entry("at").or_insert_with(|| Json::from(now.to_string()));
        let bad: Vec<String> =
            list.keys().iter().filter(|key| !list.fits(&item, key)).map(|key| (*key).to_owned()).collect();
        if !bad.is_empty() {
            return Err(ItemFault::BadValues { keys: bad });
        }
        let is_refused = |value: &Json| value.as_str().is_some_and(|text| !wall.scan_text(text).is_empty());
        let refused: Vec<String> =
            item.iter().filter(|(_, value)| is_refused(value)).map(|(key, _)| key.clone()).collect();
        if !refused.is_empty() {
            return Err(ItemFault::Unsafe { keys: refused });
        }
        list.decode(item).ok_or_else(|| ItemFault::BadValues { keys: vec!["kind".to_owned(), "status".to_owned()] })
    }

    /// Its id.
    fn id(&self) -> &Id {
        match self {
            Self::Outcome(item) => &item.outcome_id,
            Self::Event(item) => &item.event_id,
            Self::Approval(item) => &item.approval_id,
            Self::Artifact(item) => &item.artifact_id,
            Self::Decision(item) => &item.decision_id,
        }
    }

    fn is_in(&self, facts: &Facts) -> bool {
        match self {
            Self::Outcome(item) => facts.outcomes.contains(item),
            Self::Event(item) => facts.events.contains(item),
            Self::Approval(item) => facts.approvals.contains(item),
            Self::Artifact(item) => facts.artifacts.contains(item),
            Self::Decision(item) => facts.decision_results.contains(item),
        }
    }

    fn append(&self, editor: &mut DocumentEditor<'_>) -> Result<(), Refusal> {
        match self {
            Self::Outcome(item) => editor.append("outcomes", item),
            Self::Event(item) => editor.append("events", item),
            Self::Approval(item) => editor.append("approvals", item),
            Self::Artifact(item) => editor.append("artifacts", item),
            Self::Decision(item) => editor.append("decision_results", item),
        }
    }
}

/// The lists of facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum List {
    Outcomes,
    Events,
    Approvals,
    Artifacts,
    Decisions,
}

impl List {
    const ALL: [Self; 5] = [Self::Decisions, Self::Events, Self::Approvals, Self::Outcomes, Self::Artifacts];

    /// The list that an item belongs to. An outcome and an artifact may link each other; the status tells them apart.
    fn of(item: &Map<String, Json>) -> Option<Self> {
        let status = item.get("status").and_then(Json::as_str).and_then(ArtifactStatus::of);
        let has = |list: &Self| item.contains_key(list.keys()[0]);
        if has(&Self::Outcomes) && has(&Self::Artifacts) && status.is_some() {
            return Some(Self::Artifacts);
        }
        Self::ALL.into_iter().find(has)
    }

    /// Every key of its items, the id first.
    fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Outcomes => OutcomeFact::KEYS,
            Self::Events => EventFact::KEYS,
            Self::Approvals => ApprovalFact::KEYS,
            Self::Artifacts => ArtifactFact::KEYS,
            Self::Decisions => DecisionFact::KEYS,
        }
    }

    /// Whether a key holds a value of its form; `kind` and `status` are decoded later, where they are closed words.
    fn fits(self, item: &Map<String, Json>, key: &str) -> bool {
        let is_required = key == self.keys()[0] || ["kind", "status", "at"].contains(&key);
        let Some(value) = item.get(key) else { return !is_required };
        let Some(text) = value.as_str() else { return false };
        match key {
            "at" => Instant::parse(text).is_some(),
            "summary" => !text.trim().is_empty() && text.chars().count() <= LINE_LIMIT && !text.contains(['\n', '\r']),
            _ => is_id(text),
        }
    }

    fn decode(self, item: Map<String, Json>) -> Option<FactItem> {
        fn of<T: DeserializeOwned>(item: Map<String, Json>) -> Option<T> {
            serde_json::from_value(Json::Object(item)).ok()
        }
        Some(match self {
            Self::Outcomes => FactItem::Outcome(of(item)?),
            Self::Events => FactItem::Event(of(item)?),
            Self::Approvals => FactItem::Approval(of(item)?),
            Self::Artifacts => FactItem::Artifact(of(item)?),
            Self::Decisions => FactItem::Decision(of(item)?),
        })
    }
}

fn is_known(key: &str) -> bool {
    List::ALL.iter().any(|list| list.keys().contains(&key))
}

/// Whether a text has the form of an id; the rules judge the rest.
fn is_id(text: &str) -> bool {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "._-".contains(character);
    text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.len() <= ID_LIMIT
        && text.chars().all(is_plain)
}

/// Keys as a message may name them: one that is no plain name, or that the wall refuses, could hold anything.
fn shown<'k>(keys: impl Iterator<Item = &'k String>, wall: &Wall) -> Vec<String> {
    let is_name = |key: &str| is_id(key) && key.len() <= 60 && wall.scan_text(key).is_empty();
    let name = |key: &String| if is_name(key) { key.clone() } else { "a key that is no plain name".to_owned() };
    let mut names: Vec<String> = keys.map(name).collect::<BTreeSet<_>>().into_iter().collect();
    if names.len() > LISTED {
        let more = names.len() - LISTED;
        names.truncate(LISTED);
        names.push(format!("and {more} more"));
    }
    names
}

/// The session that facts are reported of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reporting {
    /// The session.
    pub session_id: Id,
    /// Its runtime, by its binding.
    pub runtime_id: RuntimeId,
    /// Its kind of host, by its binding.
    pub host_kind: Option<HostKind>,
}

impl Reporting {
    /// The path of the facts of the session below the state directory.
    #[must_use]
    pub fn path(&self) -> String {
        format!("facts/{}/{}.yaml", self.runtime_id, self.session_id)
    }

    fn start(&self, status: SessionStatus, at: Instant) -> Facts {
        Facts {
            schema_version: Default::default(),
            runtime_id: self.runtime_id,
            session_id: self.session_id.clone(),
            host_kind: self.host_kind,
            status,
            updated_at: at,
            outcomes: Vec::new(),
            events: Vec::new(),
            approvals: Vec::new(),
            artifacts: Vec::new(),
            decision_results: Vec::new(),
        }
    }
}

/// Writes one item into the facts of a session, or starts them with it; gives the whole text.
///
/// # Errors
/// The facts hold another item of this id, or no edit fits the file.
pub fn record_item(
    session: &Reporting,
    facts: Option<SourceDocument<'_>>,
    item: &FactItem,
    at: Instant,
) -> Result<String, Refusal> {
    let Some(source) = facts else {
        let path = session.path();
        let mut editor = DocumentEditor::of_new(&path, started(session, SessionStatus::Running, at)?);
        item.append(&mut editor)?;
        return Ok(editor.text());
    };
    let known = read(source)?;
    if item.is_in(known) {
        return Ok(source.text.to_owned());
    }
    if known.items().any(|other| other.id.is_same(item.id())) {
        return Err(Refusal::ItemDiffers { session: session.session_id.clone(), item: item.id().clone() });
    }
    let mut editor = DocumentEditor::new(source);
    item.append(&mut editor)?;
    Ok(editor.text())
}

/// Writes the latest status of a session, and that its host spoke at an instant; gives the whole text. Without a status
/// the one that stands there holds.
///
/// # Errors
/// No edit fits the file.
pub fn refresh(
    session: &Reporting,
    facts: Option<SourceDocument<'_>>,
    status: Option<SessionStatus>,
    at: Instant,
) -> Result<String, Refusal> {
    let Some(source) = facts else { return started(session, status.unwrap_or(SessionStatus::Running), at) };
    let known = read(source)?;
    let mut editor = DocumentEditor::new(source);
    if let Some(status) = status.filter(|status| *status != known.status) {
        editor.set(&Route::root().key("status"), status.word())?;
    }
    // What a host said later stays said.
    if at > known.updated_at {
        editor.set(&Route::root().key("updated_at"), &at.to_string())?;
    }
    Ok(editor.text())
}

fn started(session: &Reporting, status: SessionStatus, at: Instant) -> Result<String, Refusal> {
    let text = text_of(&Record::Facts(session.start(status, at)));
    text.ok_or_else(|| Refusal::Unwritable { path: session.path() })
}

fn read(source: SourceDocument<'_>) -> Result<&Facts, Refusal> {
    match source.record {
        Record::Facts(facts) => Ok(facts),
        record => Err(Refusal::OtherKind { is: record.kind(), wanted: Kind::Facts }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: &str = "2026-03-07T17:00:00Z";

    fn item(text: &str) -> Result<FactItem, ItemFault> {
        FactItem::read(text, Instant::parse(NOW).expect("an instant"), Wall::shipped())
    }

    #[test]
    fn an_item_goes_to_the_list_of_its_id_and_is_dated_now() {
        let read = item(r#"{"outcome_id": "out-1", "kind": "work", "status": "passed", "todo_id": "t-1"}"#);
        let Ok(FactItem::Outcome(outcome)) = read else { panic!("{read:?}") };
        assert_eq!(outcome.at.to_string(), NOW);
        let linked = r#"{"outcome_id": "o", "artifact_id": "a", "kind": "KIND", "status": "STATUS"}"#;
        let of = |kind: &str, status: &str| item(&linked.replace("KIND", kind).replace("STATUS", status));
        assert!(matches!(of("work", "passed"), Ok(FactItem::Outcome(_))));
        assert!(matches!(of("report", "current"), Ok(FactItem::Artifact(_))));
        let event = r#"{"event_id": "e", "outcome_id": "o", "kind": "turn", "status": "completed"}"#;
        assert!(matches!(item(event), Ok(FactItem::Event(_))));
    }

    #[test]
    fn a_fault_names_keys_and_no_value() {
        let secret = "what nobody may read";
        for (text, keys) in [
            (format!(r#"{{"outcome_id": "o", "kind": "work", "status": "passed", "stdout": "{secret}"}}"#), "stdout"),
            (format!(r#"{{"messages": ["{secret}"], "transcript": "{secret}"}}"#), "messages, transcript"),
            (format!(r#"{{"outcome_id": "o", "{secret}": 1}}"#), "a key that is no plain name"),
            (
                format!(r#"{{"outcome_id": "o", "kind": "work", "status": "passed", "summary": "a\n{secret}"}}"#),
                "summary",
            ),
            (format!(r#"{{"outcome_id": "{secret}", "kind": "work", "status": "passed"}}"#), "outcome_id"),
            (format!(r#"{{"outcome_id": "o", "kind": "{secret}"}}"#), "kind, status"),
            (r#"{"outcome_id": "o", "kind": "other", "status": "passed"}"#.to_owned(), "kind, status"),
            (format!(r#"{{"summary": "{secret}"}}"#), "outcome_id"),
            (format!("User: {secret}"), "no JSON object"),
        ] {
            let said = item(&text).expect_err(&text).to_string();
            assert!(said.contains(keys) && !said.contains("nobody"), "{text}: {said}");
        }
    }
}
