//! The words of the contracts as types: kinds of documents, their fields, closed vocabularies, reasons.
//!
//! Comes in: nothing. Goes out: typed records, their JSON Schemas, every word with its meaning. Each fact is
//! declared once here; messages, `explain`, schemas and docs derive from it. Must not know: files, rules, time.

pub mod acts;
mod closed;
pub mod contract;
mod count;
mod desired;
mod emitted;
mod fold;
mod form;
mod identity;
mod kinds;
pub mod memory;
mod near;
mod observed;
pub mod plugin;
mod policy;
pub mod projection;
pub mod readonly;
mod reason;
pub mod receipts;
mod recorded;
mod references;
mod schema;
mod scope;
mod shape;
mod text;
mod time;
mod turns;
mod words;
pub mod writeback;

pub use closed::{ClosedWords, Vocabulary};
pub use count::{agrees, counted};
pub use desired::*;
pub use emitted::*;
pub use fold::folded;
pub use form::certainly_matches;
pub use identity::*;
pub use kinds::{Kind, KindRow, Plane, Record, TypedRecord};
pub use near::nearest;
pub use observed::*;
pub use policy::*;
pub use reason::{Reason, reasons};
pub use recorded::*;
pub use references::{FieldPlace, Reference, ReferenceTarget};
pub use schema::{bare_schema, schema, schema_of_all};
pub use shape::{Blocks, Outcome, RuleLevel, StaleAfter};
pub use text::*;
pub use time::{CLOCK_TOLERANCE, Duration, Instant};
pub use turns::*;
pub use words::*;

/// Every closed vocabulary, in the order in which `explain` lists them.
#[must_use]
pub fn vocabularies() -> Vec<Vocabulary> {
    let mut all = words::DOCUMENT_WORDS.to_vec();
    for words in [memory::WORDS, writeback::WORDS, readonly::WORDS, plugin::WORDS, turns::WORDS] {
        all.extend(words);
    }
    all.push(kinds::PLANES);
    all.push(Reason::VOCABULARY);
    all
}

/// The closed vocabulary of a name.
#[must_use]
pub fn vocabulary(name: &str) -> Option<Vocabulary> {
    vocabularies().into_iter().find(|vocabulary| vocabulary.name == name)
}
