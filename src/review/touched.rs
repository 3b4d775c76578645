//! One document in two revisions: which fields differ, and whose hand changed them.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value as Json;

use super::fields::{FieldChange, at, differences, plain};
use super::phrase::PhraseBuilder;
use super::versions::{FileVersions, ValueOrigin};
use super::{ChangeCommit, FileChange, Submission};
use crate::document::Route;
use crate::finding::{Anchor, Finding};
use crate::rules::Rule;
use crate::vocabulary::{Goal, Kind, Level, Plane, Record};
use crate::workspace::{LoadedFile, Workspace};

/// What a document is called: kind, goal and id, as its path says.
pub(super) type TouchedKey = (Kind, Option<Box<str>>, Box<str>);

/// One document that the change touches.
pub(super) struct TouchedDocument<'a> {
    pub(super) it: &'a Submission<'a>,
    pub(super) phrases: PhraseBuilder<'a>,
    pub(super) kind: Kind,
    pub(super) goal: Option<Box<str>>,
    pub(super) id: Box<str>,
    /// Its files, the one that stands there after the change first.
    pub(super) files: Vec<&'a FileChange>,
    pub(super) before: Option<&'a LoadedFile>,
    pub(super) after: Option<&'a LoadedFile>,
    pub(super) fields: Vec<FieldChange>,
    /// What the commits made of the file that stands there after the change.
    pub(super) versions: FileVersions,
    old: Json,
    new: Json,
}

/// Lists the documents that the change touches. A file that changes its format only is one document, as is every
/// document whose id stays; one under another id or in another goal is another document.
pub(super) fn steps<'a>(it: &'a Submission<'a>, phrases: PhraseBuilder<'a>) -> Vec<TouchedDocument<'a>> {
    let mut by_key: BTreeMap<TouchedKey, Vec<&'a FileChange>> = BTreeMap::new();
    for file in it.files {
        if let Some(key) = key(&file.path) {
            by_key.entry(key).or_default().push(file);
        }
    }
    by_key.into_iter().map(|(key, files)| TouchedDocument::new(it, phrases, key, files)).collect()
}

/// What stands at a path; outputs follow from the rest and are no change of their own.
fn key(path: &str) -> Option<TouchedKey> {
    let (kind, fields) = Kind::at(path)?;
    if kind.row().plane == Plane::Emitted {
        return None;
    }
    let field = |name: &str| fields.iter().find(|(field, _)| *field == name).map(|(_, value)| Box::from(*value));
    let own = kind.row().id_field.and_then(field).or_else(|| field("session_id"));
    Some((kind, field("goal_id"), own.unwrap_or_else(|| Box::from(path))))
}

impl<'a> TouchedDocument<'a> {
    fn new(
        it: &'a Submission<'a>,
        phrases: PhraseBuilder<'a>,
        key: TouchedKey,
        mut files: Vec<&'a FileChange>,
    ) -> Self {
        let (kind, goal, id) = key;
        let entry = |workspace: &'a Workspace, file: &FileChange| workspace.file_at(&file.path);
        files.sort_by_key(|file| entry(it.after.workspace, file).is_none());
        let before = files.iter().find_map(|file| entry(it.before.workspace, file));
        let after = files.iter().find_map(|file| entry(it.after.workspace, file));
        let json = |entry: Option<&LoadedFile>| entry.and_then(|it| it.record.as_ref()).map_or(Json::Null, plain);
        let (old, new) = (json(before), json(after));
        let fields = differences(&old, &new);
        let versions = FileVersions::new(&files[0].versions);
        Self { it, phrases, kind, goal, id, files, before, after, fields, versions, old, new }
    }

    /// The fields that differ, but for some that may.
    pub(super) fn edited_but(&self, free: &[&str]) -> Vec<&str> {
        let is_free = |change: &&FieldChange| free.iter().any(|field| change.is_of(field));
        self.fields.iter().filter(|change| !is_free(change)).map(|change| change.field.as_str()).collect()
    }

    pub(super) fn old(&self) -> Option<&'a Record> {
        self.before.and_then(|entry| entry.record.as_ref())
    }

    pub(super) fn new_record(&self) -> Option<&'a Record> {
        self.after.and_then(|entry| entry.record.as_ref())
    }

    /// What it said before; null where nothing stands.
    pub(super) fn old_json(&self) -> &Json {
        &self.old
    }

    /// The value of a field before; null where nothing stands.
    pub(super) fn was(&self, field: &str) -> &Json {
        at(&self.old, field)
    }

    /// The value of a field after; null where nothing stands.
    pub(super) fn is(&self, field: &str) -> &Json {
        at(&self.new, field)
    }

    pub(super) fn is_added(&self) -> bool {
        self.before.is_none() && self.after.is_some()
    }

    pub(super) fn is_removed(&self) -> bool {
        self.before.is_some() && self.after.is_none()
    }

    /// Whether a field, or a part of it, is otherwise.
    pub(super) fn differs(&self, field: &str) -> bool {
        self.is_added() && !self.is(field).is_null()
            || self.is_removed() && !self.was(field).is_null()
            || self.fields.iter().any(|change| change.is_of(field))
    }

    /// Its paths, the one that stands there after the change first.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Arc<str>> {
        self.files.iter().map(|file| &file.path)
    }

    pub(super) fn path(&self) -> &'a Arc<str> {
        &self.files[0].path
    }

    /// Whether the base changed it too since the branches parted.
    pub(super) fn is_of_both(&self) -> bool {
        self.files.iter().any(|file| file.is_of_both)
    }

    /// What this document said where the branches parted.
    pub(super) fn start(&self) -> Option<&'a Record> {
        self.files.iter().find_map(|file| file.start.as_ref())
    }

    /// Whether a field is otherwise only because the base changed it since the branches parted.
    pub(super) fn is_of_base(&self, field: &str) -> bool {
        self.is_of_both() && self.start().is_some_and(|start| at(&plain(start), field) == self.is(field))
    }

    /// Every commit that made a version of it.
    pub(super) fn commits(&self) -> impl Iterator<Item = &'a ChangeCommit> {
        let versions = self.files.iter().flat_map(|file| &file.versions);
        versions.filter_map(|version| version.commit).map(|commit| &self.it.commits[commit])
    }

    /// The version that wrote what a field says now; `None` when no commit of the change did.
    pub(super) fn version_of(&self, field: &str) -> Option<usize> {
        let last = self.versions.last()?;
        match self.versions.origin(last, field, &|json| at(json, field).clone(), &|_| false) {
            ValueOrigin::Written(version) => Some(version),
            ValueOrigin::Outside(_) => None,
        }
    }

    /// The commit that wrote what a field says now.
    pub(super) fn author_of(&self, field: &str) -> Option<&'a ChangeCommit> {
        self.commit_of(self.version_of(field)?)
    }

    /// The commit that added or removed the document.
    pub(super) fn author_of_existence(&self) -> Option<&'a ChangeCommit> {
        let is_there = |json: &Json| Json::Bool(!json.is_null());
        match self.versions.origin(self.versions.last()?, "", &is_there, &|_| false) {
            ValueOrigin::Written(version) => self.commit_of(version),
            ValueOrigin::Outside(_) => None,
        }
    }

    pub(super) fn commit_of(&self, version: usize) -> Option<&'a ChangeCommit> {
        self.versions.commit(version).map(|commit| &self.it.commits[commit])
    }

    /// The commit, where it is not one of people whom the base knows or who reviewed the change, and how much that
    /// matters: where the base knows nobody, it can tell nobody from an agent.
    pub(super) fn untrusted(&self, commit: Option<&'a ChangeCommit>) -> Option<(&'a ChangeCommit, Level)> {
        let commit = commit.filter(|commit| !self.it.is_trusted(commit))?;
        let level = if commit.is_agents() || self.it.knows_anybody() { Level::Error } else { Level::Warning };
        Some((commit, level))
    }

    /// The goal after the change, when it can be read.
    pub(super) fn goal_after(&self) -> Option<&'a Goal> {
        self.it.after.workspace.goal(self.goal.as_deref()?)
    }

    /// The goal before the change, when it can be read.
    pub(super) fn goal_before(&self) -> Option<&'a Goal> {
        self.it.before.workspace.goal(self.goal.as_deref()?)
    }

    /// The same finding, at most as loud as a level.
    pub(super) fn finding_at_most(
        &self,
        level: Level,
        rule: &Rule,
        field: Option<&str>,
        message: impl AsRef<str>,
    ) -> Finding {
        let mut finding = self.finding(rule, field, message);
        finding.level = finding.level.max(level);
        finding
    }

    /// Starts a finding at a field, or at the file when there is none.
    pub(super) fn finding(&self, rule: &Rule, field: Option<&str>, message: impl AsRef<str>) -> Finding {
        let anchor = match field {
            Some(field) if self.after.is_some() => Anchor::Value(Route::of(field)),
            _ => Anchor::File,
        };
        let mut finding = rule.at(self.path(), anchor, self.phrases.0.text(message));
        finding.level = self.it.before.workspace.policies.level(rule.id, self.path(), rule.level);
        finding
    }
}
