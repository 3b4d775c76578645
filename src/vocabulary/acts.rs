//! Acts: which mappings of which document say that somebody did something, who may do it, and what has to stand beside.
//!
//! One table, read by the rules of lint and of review and by everything that compares two versions of a document.

use super::desired::{Act, ClassedAct, Decision, ReasonedAct};
use super::kinds::{Kind, Record};
use super::text::Id;
use super::time::Instant;
use super::words::ActorClass;

/// Who may do an act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doer {
    /// A person: agents and hosts ask and never decide.
    Person,
    /// The agent that the document names.
    NamedAgent,
    /// Anybody.
    Anyone,
}

/// One act of one kind of document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActRow {
    /// The kind of the document.
    pub kind: Kind,
    /// The field that holds the act.
    pub field: &'static str,
    /// Who may do it.
    pub doer: Doer,
    /// What has to stand beside `by` and `at`.
    pub beside: &'static [&'static str],
}

const fn act(kind: Kind, field: &'static str, doer: Doer, beside: &'static [&'static str]) -> ActRow {
    ActRow { kind, field, doer, beside }
}

/// Every act of every kind.
pub const ACTS: &[ActRow] = &[
    act(Kind::Gate, "requested", Doer::Anyone, &[]),
    act(Kind::Gate, "decision", Doer::Person, &["label", "actor_class", "reason"]),
    act(Kind::Gate, "withdrawn", Doer::Person, &["actor_class"]),
    act(Kind::Handoff, "approved", Doer::Person, &["actor_class"]),
    act(Kind::Handoff, "accepted", Doer::NamedAgent, &[]),
    act(Kind::Handoff, "withdrawn", Doer::Anyone, &["actor_class"]),
    act(Kind::Reward, "given", Doer::Person, &["actor_class", "reason"]),
    act(Kind::Proposal, "decision", Doer::Person, &["label", "actor_class", "reason"]),
    act(Kind::Binding, "closed", Doer::Anyone, &[]),
    act(Kind::Binding, "replaced", Doer::Anyone, &[]),
];

/// The acts of a kind that only people do.
pub fn acts_of_people(kind: Kind) -> impl Iterator<Item = &'static str> {
    ACTS.iter().filter(move |row| row.kind == kind && row.doer == Doer::Person).map(|row| row.field)
}

/// An act as a document states it: a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatedAct<'a> {
    /// The field of the act.
    pub field: &'static str,
    /// Who.
    pub by: &'a Id,
    /// The class of who, where it is stated.
    pub actor_class: Option<ActorClass>,
    /// When.
    pub at: Instant,
}

/// An act of any shape.
trait Stated {
    fn stated(&self, field: &'static str) -> StatedAct<'_>;
}

macro_rules! stated {
    ($type:ty, $class:expr) => {
        impl Stated for $type {
            fn stated(&self, field: &'static str) -> StatedAct<'_> {
                let class: fn(&Self) -> Option<ActorClass> = $class;
                StatedAct { field, by: &self.by, actor_class: class(self), at: self.at }
            }
        }
    };
}

stated!(Act, |act| act.actor_class);
stated!(ClassedAct, |act| Some(act.actor_class));
stated!(ReasonedAct, |act| Some(act.actor_class));
stated!(Decision, |act| Some(act.actor_class));

/// The acts that a document states, in the order of [`ACTS`].
#[must_use]
pub fn stated_acts(record: &Record) -> Vec<StatedAct<'_>> {
    fn of<'a>(act: Option<&'a impl Stated>, field: &'static str) -> Option<StatedAct<'a>> {
        act.map(|act| act.stated(field))
    }
    let acts = match record {
        Record::Gate(gate) => [
            of(Some(&gate.requested), "requested"),
            of(gate.decision.as_ref(), "decision"),
            of(gate.withdrawn.as_ref(), "withdrawn"),
        ],
        Record::Handoff(handoff) => [
            of(handoff.approved.as_ref(), "approved"),
            of(handoff.accepted.as_ref(), "accepted"),
            of(handoff.withdrawn.as_ref(), "withdrawn"),
        ],
        Record::Reward(reward) => [of(Some(&reward.given), "given"), None, None],
        Record::Proposal(proposal) => [of(proposal.decision.as_ref(), "decision"), None, None],
        Record::Binding(binding) => {
            [of(binding.closed.as_ref(), "closed"), of(binding.replaced.as_ref(), "replaced"), None]
        }
        _ => [None; 3],
    };
    acts.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::{ACTS, Kind};
    use crate::vocabulary::schema;

    /// Finds the schema that a property leads to, through one reference and one list of alternatives.
    fn followed<'a>(root: &'a serde_json::Value, at: &'a serde_json::Value) -> &'a serde_json::Value {
        let at = at["anyOf"].get(0).or_else(|| at["allOf"].get(0)).unwrap_or(at);
        let place = at["$ref"].as_str().and_then(|place| place.strip_prefix('#'));
        place.and_then(|place| root.pointer(place)).unwrap_or(at)
    }

    /// The table says of every mapping with `by` and `at` what the schema requires of it, and of nothing else.
    #[test]
    fn the_table_holds_every_act_of_the_schemas() {
        for kind in Kind::ALL.iter().filter(|kind| kind.row().plane == crate::vocabulary::Plane::Desired) {
            let schema = schema(*kind);
            for (field, property) in schema["properties"].as_object().into_iter().flatten() {
                let act = followed(schema, property);
                let row = ACTS.iter().find(|row| row.kind == *kind && row.field == field);
                let is_act = act["properties"].get("by").is_some() && act["properties"].get("at").is_some();
                assert_eq!(row.is_some(), is_act, "{kind:?} {field}");
                let Some(row) = row else { continue };
                let mut required: Vec<&str> =
                    act["required"].as_array().into_iter().flatten().filter_map(|name| name.as_str()).collect();
                required.retain(|name| !["by", "at"].contains(name));
                let mut beside = row.beside.to_vec();
                required.sort_unstable();
                beside.sort_unstable();
                assert_eq!(required, beside, "{kind:?} {field}");
            }
        }
    }
}
