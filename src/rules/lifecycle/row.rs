//! What a row of the table is made of.

use std::fmt;

use crate::rules::Rule;
use crate::vocabulary::Kind;

/// One act or status of a kind, with what holds where it stands.
#[derive(Debug, Clone, Copy)]
pub struct LifecycleRow {
    /// The kind of document.
    pub kind: Kind,
    /// The act or status.
    pub given: Premise,
    /// How the document reads while a law is broken.
    pub now: &'static str,
    /// What holds.
    pub constraints: &'static [Constraint],
}

/// One thing that holds where an act or a status stands.
#[derive(Debug, Clone, Copy)]
pub struct Constraint {
    /// Its name, unique in the table; that of its fixture.
    pub name: &'static str,
    /// The rule that reports it.
    pub rule: &'static Rule,
    /// What is demanded.
    pub demand: Demand,
    /// The same in words.
    pub says: &'static str,
}

/// An act or a status. Fields are dotted routes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Premise {
    /// The field stands there.
    Has(&'static str),
    /// The field has this word.
    Is(&'static str, &'static str),
}

/// What an act or a status demands. Fields are dotted routes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Demand {
    /// One of these fields stands there.
    Needs(&'static [&'static str]),
    /// The field does not stand there.
    Refuses(&'static str),
    /// The field has this word.
    Is(&'static str, &'static str),
    /// The first instant is later than the second, where both stand there.
    Later(&'static str, &'static str),
    /// Two fields differ.
    Differs(&'static str, &'static str),
    /// Two fields are the same.
    Same(&'static str, &'static str),
    /// A person did this act.
    ByPerson(&'static str),
    /// The class that a field names did this act, or an owner; people only.
    ByClass(&'static str, &'static str),
}

impl fmt::Display for Premise {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Has(field) => write!(formatter, "`{field}`"),
            Self::Is(field, word) => write!(formatter, "`{field}: {word}`"),
        }
    }
}
