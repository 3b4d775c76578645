//! Acts: which mappings of which document say that somebody did something, who may do it, and what has to stand beside.
//!
//! One table, read by the rules of lint and of review and by everything that compares two versions of a document.

use super::desired::{Act, Binding, ClassedAct, Decision, Gate, Handoff, Proposal, ReasonedAct, Reward};
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
    /// Whether the document is none without it.
    pub is_required: bool,
}

/// A document that states acts.
pub trait StatesActs: Clone {
    /// The acts that it states, in the order of [`ACTS`].
    fn acts(&self) -> Vec<StatedAct<'_>>;

    /// Takes out the acts of some dates; an act that the document is none without stays.
    fn take_out(&mut self, is_out: impl Fn(Instant) -> bool);
}

/// Declares every act: a row of the table, and how it is read from its document and taken out of it.
macro_rules! acts {
    ($( $kind:ident { $( $field:ident: $doer:ident, $beside:expr; )+ } )+) => {
        /// Every act of every kind.
        pub const ACTS: &[ActRow] = &[ $($(
            ActRow { kind: Kind::$kind, field: stringify!($field), doer: Doer::$doer, beside: &$beside },
        )+)+ ];

        /// The kinds of documents that state acts.
        pub const KINDS_WITH_ACTS: &[Kind] = &[ $( Kind::$kind, )+ ];

        /// The acts that a document states, in the order of [`ACTS`].
        #[must_use]
        pub fn stated_acts(record: &Record) -> Vec<StatedAct<'_>> {
            match record {
                $( Record::$kind(it) => it.acts(), )+
                _ => Vec::new(),
            }
        }

        $( impl StatesActs for $kind {
            fn acts(&self) -> Vec<StatedAct<'_>> {
                [ $( self.$field.stated(stringify!($field)), )+ ].into_iter().flatten().collect()
            }

            fn take_out(&mut self, is_out: impl Fn(Instant) -> bool) {
                $( self.$field.take_out(&is_out); )+
            }
        } )+
    };
}

acts! {
    Gate {
        requested: Anyone, [];
        decision: Person, ["label", "actor_class", "reason"];
        withdrawn: Person, ["actor_class"];
    }
    Handoff {
        approved: Person, ["actor_class"];
        accepted: NamedAgent, [];
        withdrawn: Anyone, ["actor_class"];
    }
    Reward {
        given: Person, ["actor_class", "reason"];
    }
    Proposal {
        decision: Person, ["label", "actor_class", "reason"];
    }
    Binding {
        closed: Anyone, [];
        replaced: Anyone, [];
    }
}

/// The kinds of documents that state acts of people.
pub const KINDS_PEOPLE_DECIDE: &[Kind] = &[Kind::Gate, Kind::Handoff, Kind::Reward, Kind::Proposal];

/// The acts of a kind that only people do.
pub fn acts_of_people(kind: Kind) -> impl Iterator<Item = &'static str> {
    ACTS.iter().filter(move |row| row.kind == kind && row.doer == Doer::Person).map(|row| row.field)
}

/// A field that holds an act, of any shape.
trait ActField {
    fn stated(&self, field: &'static str) -> Option<StatedAct<'_>>;
    fn take_out(&mut self, is_out: &impl Fn(Instant) -> bool);
}

impl<T: ActField> ActField for Option<T> {
    fn stated(&self, field: &'static str) -> Option<StatedAct<'_>> {
        Some(StatedAct { is_required: false, ..self.as_ref()?.stated(field)? })
    }

    fn take_out(&mut self, is_out: &impl Fn(Instant) -> bool) {
        self.take_if(|act| act.stated("").is_some_and(|act| is_out(act.at)));
    }
}

macro_rules! act_fields {
    ($( $type:ty: $class:expr; )+) => { $(
        impl ActField for $type {
            fn stated(&self, field: &'static str) -> Option<StatedAct<'_>> {
                let class: fn(&Self) -> Option<ActorClass> = $class;
                Some(StatedAct { field, by: &self.by, actor_class: class(self), at: self.at, is_required: true })
            }

            fn take_out(&mut self, _: &impl Fn(Instant) -> bool) {}
        }
    )+ };
}

act_fields! {
    Act: |act| act.actor_class;
    ClassedAct: |act| Some(act.actor_class);
    ReasonedAct: |act| Some(act.actor_class);
    Decision: |act| Some(act.actor_class);
}

#[cfg(test)]
mod tests {
    use super::{ACTS, Doer, KINDS_PEOPLE_DECIDE, Kind};
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

    #[test]
    fn the_kinds_that_people_decide_are_those_of_the_table() {
        let mut kinds: Vec<Kind> = ACTS.iter().filter(|row| row.doer == Doer::Person).map(|row| row.kind).collect();
        kinds.dedup();
        assert_eq!(kinds, KINDS_PEOPLE_DECIDE);
    }
}
