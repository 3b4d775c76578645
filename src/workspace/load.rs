//! Loads a state directory: policies first, then every file in parallel, each judged while its tree is at hand.

use std::sync::Arc;

use rayon::prelude::*;

use super::files::Files;
use super::index::Index;
use super::misplaced::{Misplaced, misplaced};
use super::policies::Policies;
use super::reading::{Reading, read};
use super::suppression::{Suppression, suppressions};
use crate::finding::Finding;
use crate::privacy::Wall;
use crate::vocabulary::{Kind, Policy, Record, Workspace as Settings};

/// One file of a loaded state directory, without its text and tree.
#[derive(Debug)]
pub struct Entry {
    /// The path below the state directory.
    pub path: Arc<str>,
    /// The kind and field values that the path says, when it is a place of the layout.
    pub place: Option<(Kind, Vec<(&'static str, Box<str>)>)>,
    /// The record, when the document can be read.
    pub record: Option<Record>,
    /// The first rule that makes it unreadable.
    pub unreadable: Option<&'static str>,
    /// The first rule that refuses material in it.
    pub refused: Option<&'static str>,
    /// How its path and its content disagree.
    pub misplaced: Option<Misplaced>,
    /// Comments that take findings out of the report.
    pub suppressions: Vec<Suppression>,
    /// Whether the file is a document by its name.
    pub is_document: bool,
}

impl Entry {
    /// The kind: what the path says, else what the document says.
    #[must_use]
    pub fn kind(&self) -> Option<Kind> {
        self.place.as_ref().map(|(kind, _)| *kind).or_else(|| self.record.as_ref().map(Record::kind))
    }

    /// The value that the path gives a field.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&str> {
        let (_, fields) = self.place.as_ref()?;
        fields.iter().find(|(field, _)| *field == name).map(|(_, value)| &**value)
    }
}

/// A loaded state directory.
#[derive(Debug)]
pub struct Workspace {
    /// The settings; the defaults where `loopx.yaml` is absent or unreadable.
    pub settings: Settings,
    /// The team's policies.
    pub policies: Policies,
    /// The privacy wall of this team.
    pub wall: Wall,
    /// Every file, sorted by path.
    pub entries: Vec<Entry>,
    /// Look-ups by kind and id.
    pub index: Index,
}

/// What rules see in one file while its tree is at hand.
pub type Inspect<'a> = &'a (dyn Fn(&Reading<'_>) -> Vec<Finding> + Sync);

/// Loads every file. Findings come in the order of the files.
pub fn load(files: &dyn Files, inspect: Inspect<'_>) -> (Workspace, Vec<Finding>) {
    let policies = policies(files);
    let wall = Wall::new(&policies.wall());
    let judged: Vec<_> = files.list().par_iter().map(|path| one(files, path, &wall, inspect)).collect();
    let mut entries = Vec::with_capacity(judged.len());
    let mut findings = Vec::new();
    for (entry, found) in judged {
        entries.push(entry);
        findings.extend(found);
    }
    let settings = entries.iter().find_map(|entry| match &entry.record {
        Some(Record::Workspace(settings)) if &*entry.path == "loopx.yaml" => Some(settings.clone()),
        _ => None,
    });
    let index = Index::new(&entries);
    (Workspace { settings: settings.unwrap_or_default(), policies, wall, entries, index }, findings)
}

/// The policies, read before anything else: they decide what the wall refuses.
fn policies(files: &dyn Files) -> Policies {
    let read_policy = |path: &String| -> Option<Policy> {
        let bytes = files.read(path).ok()?;
        match read(&Arc::from(path.as_str()), &bytes, Wall::shipped()).record? {
            Record::Policy(policy) => Some(policy),
            _ => None,
        }
    };
    let paths = files.list().iter().filter(|path| Kind::at(path).is_some_and(|(kind, _)| kind == Kind::Policy));
    Policies::join(&paths.filter_map(read_policy).collect::<Vec<_>>())
}

fn one(files: &dyn Files, path: &str, wall: &Wall, inspect: Inspect<'_>) -> (Entry, Vec<Finding>) {
    let path: Arc<str> = Arc::from(path);
    let place = Kind::at(&path).map(|(kind, fields)| {
        (kind, fields.into_iter().map(|(field, value)| (field, value.into())).collect::<Vec<_>>())
    });
    let bytes = files.read(&path);
    let mut reading = read(&path, bytes.as_deref().unwrap_or_default(), wall);
    reading.fault = bytes.as_ref().err().cloned();
    let findings = inspect(&reading);
    let first = |areas: &[&str]| {
        let of = |finding: &&Finding| areas.iter().any(|area| finding.rule.starts_with(area));
        findings.iter().find(of).map(|finding| finding.rule)
    };
    let refused = first(&["privacy/"]);
    let misplaced = misplaced(&reading, place.as_ref());
    let unreadable = match &reading.record {
        _ if !reading.is_document() || place.is_none() => None,
        None => Some(first(&["yaml/", "shape/", "vocabulary/"]).unwrap_or("shape/unknown-kind")),
        Some(_) => misplaced.as_ref().map(|_| "path/mismatch"),
    };
    let suppressions = suppressions(&reading);
    let is_document = reading.is_document();
    let record = reading.record.filter(|_| unreadable.is_none());
    (Entry { path, place, record, unreadable, refused, misplaced, suppressions, is_document }, findings)
}
