//! The versions of one file within a change, and which of them wrote what a field says.

use serde_json::Value as Json;

use super::fields::{is_same, plain};
use crate::vocabulary::Record;

/// One version of a file within a change.
#[derive(Debug, Clone, Default)]
pub struct Version {
    /// The number of the commit that made it; `None`: it is no part of the change, such as where the branches parted, or
    /// what the branch merged from the authority ref.
    pub commit: Option<usize>,
    /// Whether it is what the branch merged from the authority ref, where it was judged already.
    pub is_on_authority: bool,
    /// What it says; `None` where there is no file, or none that can be read.
    pub record: Option<Record>,
    /// The versions that the parents of the commit have, by number.
    pub parents: Vec<usize>,
    /// The version where the parents of a merge parted.
    pub fork: Option<usize>,
}

/// A place of a document: a field, or one key of a mapping that is no act.
pub(super) type FieldPath<'p> = (&'p str, Option<&'p str>);

/// The value at a place; null where nothing stands.
pub(super) fn value_at<'j>(json: &'j Json, (key, sub): FieldPath<'_>) -> &'j Json {
    let value = json.get(key).unwrap_or(&Json::Null);
    sub.map_or(value, |sub| value.get(sub).unwrap_or(&Json::Null))
}

/// The versions of a file as plain data, each after its parents; the last one is what the change makes of the file.
#[derive(Debug, Clone)]
pub(super) struct FileVersions {
    all: Vec<SeenVersion>,
}

#[derive(Debug, Clone)]
struct SeenVersion {
    commit: Option<usize>,
    is_on_authority: bool,
    json: Json,
    parents: Vec<usize>,
    fork: Option<usize>,
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueOrigin {
    /// This version wrote it.
    Written(usize),
    /// It stood in this version, which is no part of the change.
    Outside(usize),
}

impl FileVersions {
    pub(super) fn new(versions: &[Version]) -> Self {
        let seen = |version: &Version| SeenVersion {
            commit: version.commit,
            is_on_authority: version.is_on_authority,
            json: version.record.as_ref().map_or(Json::Null, plain),
            parents: version.parents.clone(),
            fork: version.fork,
        };
        Self { all: versions.iter().map(seen).collect() }
    }

    pub(super) fn last(&self) -> Option<usize> {
        self.all.len().checked_sub(1)
    }

    pub(super) fn json(&self, version: usize) -> &Json {
        &self.all[version].json
    }

    pub(super) fn commit(&self, version: usize) -> Option<usize> {
        self.all[version].commit
    }

    pub(super) fn is_on_authority(&self, version: usize) -> bool {
        self.all[version].is_on_authority
    }

    /// The first parent of a version.
    pub(super) fn parent(&self, version: usize) -> Option<usize> {
        self.all[version].parents.first().copied()
    }

    pub(super) fn jsons(&self) -> impl Iterator<Item = &Json> {
        self.all.iter().map(|seen| &seen.json)
    }

    /// The parent from which a version has a value; `None` when the version itself wrote it. A merge writes only what it
    /// resolves: what one side alone changed is that side's.
    fn inherited(&self, version: usize, field: &str, value: &dyn Fn(&Json) -> Json) -> Option<usize> {
        let seen = &self.all[version];
        let now = value(&seen.json);
        let is_now = |parent: &usize| is_same(field, &value(&self.all[*parent].json), &now);
        match seen.parents.as_slice() {
            [] => None,
            [only] => Some(*only).filter(is_now),
            several => {
                let Some(fork) = seen.fork else { return several.iter().all(is_now).then(|| several[0]) };
                let before = value(&self.all[fork].json);
                let changed = |parent: &&usize| !is_same(field, &value(&self.all[**parent].json), &before);
                let mut sides = several.iter().filter(changed);
                match sides.next() {
                    None => Some(several[0]).filter(is_now),
                    Some(side) => sides.chain([side]).all(is_now).then_some(*side),
                }
            }
        }
    }

    /// Where the value of a version comes from; `stops` tells at which versions on the way to stop already.
    pub(super) fn origin(
        &self,
        mut version: usize,
        field: &str,
        value: &dyn Fn(&Json) -> Json,
        stops: &dyn Fn(usize) -> bool,
    ) -> ValueOrigin {
        loop {
            if self.all[version].parents.is_empty() {
                return ValueOrigin::Outside(version);
            }
            match self.inherited(version, field, value) {
                Some(parent) if !stops(version) => version = parent,
                _ => return ValueOrigin::Written(version),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A commit's number, the value of a field, the parents, and where those parted.
    type Row<'r> = (Option<usize>, &'r str, &'r [usize], Option<usize>);

    fn versions(rows: &[Row<'_>]) -> FileVersions {
        let seen = |(commit, word, parents, fork): &(Option<usize>, &str, &[usize], Option<usize>)| SeenVersion {
            commit: *commit,
            is_on_authority: false,
            json: json!({ "field": word }),
            parents: parents.to_vec(),
            fork: *fork,
        };
        FileVersions { all: rows.iter().map(seen).collect() }
    }

    fn origin(versions: &FileVersions) -> ValueOrigin {
        let last = versions.last().expect("a version");
        versions.origin(last, "field", &|json| value_at(json, ("field", None)).clone(), &|_| false)
    }

    #[test]
    fn a_value_is_of_the_commit_that_wrote_it_last() {
        let line = [(None, "a", &[][..], None), (Some(0), "b", &[0], None), (Some(1), "b", &[1], None)];
        assert_eq!(origin(&versions(&line)), ValueOrigin::Written(1));
        let line = [(None, "a", &[][..], None), (Some(0), "b", &[0], None), (Some(1), "a", &[1], None)];
        assert_eq!(origin(&versions(&line)), ValueOrigin::Written(2), "what is written again is written");
        assert_eq!(origin(&versions(&line[..1])), ValueOrigin::Outside(0));
    }

    #[test]
    fn a_merge_writes_only_what_it_resolves() {
        let merged = |ours: &'static str, theirs: &'static str, result: &'static str| {
            origin(&versions(&[
                (None, "a", &[], None),
                (Some(0), ours, &[0], None),
                (Some(1), theirs, &[0], None),
                (Some(2), result, &[1, 2], Some(0)),
            ]))
        };
        assert_eq!(merged("b", "a", "b"), ValueOrigin::Written(1));
        assert_eq!(merged("a", "b", "b"), ValueOrigin::Written(2));
        assert_eq!(merged("b", "a", "a"), ValueOrigin::Written(3), "a merge that drops a side has written that");
        assert_eq!(merged("b", "c", "c"), ValueOrigin::Written(3), "of two answers the merge chose one");
        assert_eq!(merged("b", "b", "b"), ValueOrigin::Written(1));
        assert_eq!(merged("a", "a", "b"), ValueOrigin::Written(3), "what neither side has comes from the merge");
        assert_eq!(merged("a", "a", "a"), ValueOrigin::Outside(0));
    }
}
