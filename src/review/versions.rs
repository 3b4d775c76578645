//! The versions of one file within a change, and which of them wrote what a field says.

use serde_json::Value as Json;

use super::fields::{is_same, plain};
use crate::vocabulary::Record;

/// One version of a file within a change.
#[derive(Debug, Clone, Default)]
pub struct Version {
    /// The number of the commit that made it; `None`: the base reaches its commit, so that it is no part of the change.
    pub commit: Option<usize>,
    /// What it says; `None` where there is no file, or none that can be read.
    pub record: Option<Record>,
    /// The versions that the parents of the commit have, by number.
    pub parents: Vec<usize>,
    /// For each parent of a merge after the first: the versions at its merge bases with the first parent; empty where the
    /// two have no common history.
    pub forks: Vec<Vec<usize>>,
}

/// Finds the parent from which a commit has a value, by its number; `None` when the commit itself wrote it.
///
/// A merge has what one parent alone changed since it parted from the first one, while every other parent agrees or left
/// it as it was; whatever else it holds it has written itself, however many parents it names. `forks` holds, for each
/// parent after the first, the values at its merge bases with the first.
pub fn parent_with<T>(now: &T, parents: &[T], forks: &[Vec<T>], is_same: &dyn Fn(&T, &T) -> bool) -> Option<usize> {
    let (first, others) = parents.split_first()?;
    let is_untouched = |value: &T, bases: &[T]| !bases.is_empty() && bases.iter().all(|base| is_same(base, value));
    let bases = |other: usize| forks.get(other).map_or(&[][..], Vec::as_slice);
    let is_kept = |other: usize| is_same(&others[other], now) || is_untouched(&others[other], bases(other));
    if !(0..others.len()).all(is_kept) {
        return None;
    }
    if is_same(first, now) {
        return Some(0);
    }
    let brings = |other: &usize| is_same(&others[*other], now) && is_untouched(first, bases(*other));
    (0..others.len()).find(brings).map(|other| other + 1)
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
    json: Json,
    parents: Vec<usize>,
    forks: Vec<Vec<usize>>,
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
            json: version.record.as_ref().map_or(Json::Null, plain),
            parents: version.parents.clone(),
            forks: version.forks.clone(),
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

    /// The first parent of a version.
    pub(super) fn parent(&self, version: usize) -> Option<usize> {
        self.all[version].parents.first().copied()
    }

    pub(super) fn jsons(&self) -> impl Iterator<Item = &Json> {
        self.all.iter().map(|seen| &seen.json)
    }

    /// The parent from which a version has a value; `None` when the version itself wrote it.
    fn inherited(&self, version: usize, field: &str, value: &dyn Fn(&Json) -> Json) -> Option<usize> {
        let seen = &self.all[version];
        let at = |version: &usize| value(&self.all[*version].json);
        let parents: Vec<Json> = seen.parents.iter().map(at).collect();
        let forks: Vec<Vec<Json>> = seen.forks.iter().map(|bases| bases.iter().map(at).collect()).collect();
        let same = |one: &Json, other: &Json| is_same(field, one, other);
        parent_with(&value(&seen.json), &parents, &forks, &same).map(|parent| seen.parents[parent])
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

    /// A commit's number, the value of a field, the parents, and where each after the first parted from the first.
    type Row<'r> = (Option<usize>, &'r str, &'r [usize], &'r [&'r [usize]]);

    fn versions(rows: &[Row<'_>]) -> FileVersions {
        let seen = |(commit, word, parents, forks): &Row<'_>| SeenVersion {
            commit: *commit,
            json: json!({ "field": word }),
            parents: parents.to_vec(),
            forks: forks.iter().map(|bases| bases.to_vec()).collect(),
        };
        FileVersions { all: rows.iter().map(seen).collect() }
    }

    fn origin(versions: &FileVersions) -> ValueOrigin {
        let last = versions.last().expect("a version");
        versions.origin(last, "field", &|json| value_at(json, ("field", None)).clone(), &|_| false)
    }

    #[test]
    fn a_value_is_of_the_commit_that_wrote_it_last() {
        let line = [(None, "a", &[][..], &[][..]), (Some(0), "b", &[0], &[]), (Some(1), "b", &[1], &[])];
        assert_eq!(origin(&versions(&line)), ValueOrigin::Written(1));
        let line = [(None, "a", &[][..], &[][..]), (Some(0), "b", &[0], &[]), (Some(1), "a", &[1], &[])];
        assert_eq!(origin(&versions(&line)), ValueOrigin::Written(2), "what is written again is written");
        assert_eq!(origin(&versions(&line[..1])), ValueOrigin::Outside(0));
    }

    #[test]
    fn a_merge_writes_only_what_it_resolves() {
        let merged = |ours: &'static str, theirs: &'static str, result: &'static str| {
            origin(&versions(&[
                (None, "a", &[], &[]),
                (Some(0), ours, &[0], &[]),
                (Some(1), theirs, &[0], &[]),
                (Some(2), result, &[1, 2], &[&[0]]),
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

    /// Whatever else a merge names as its parents, an older state is not what somebody changed.
    #[test]
    fn a_merge_of_many_brings_no_older_state_back() {
        let of_many = |parents: &'static [usize], forks: &'static [&'static [usize]], result: &'static str| {
            origin(&versions(&[
                (None, "old", &[], &[]),
                (None, "new", &[], &[]),
                (Some(0), "new", &[1], &[]),
                (Some(1), "old", &[0], &[]),
                (Some(2), "changed", &[1], &[]),
                (Some(3), result, parents, forks),
            ]))
        };
        let written = ValueOrigin::Written(5);
        assert_eq!(of_many(&[1, 2, 3], &[&[1], &[0]], "old"), written, "the third parent only never had the new one");
        assert_eq!(of_many(&[3, 2, 1], &[&[0], &[0]], "old"), written, "nor when it stands first");
        assert_eq!(of_many(&[1, 3], &[&[0]], "old"), written);
        assert_eq!(of_many(&[1, 2, 3], &[&[1], &[]], "old"), written, "nor without a common history");
        assert_eq!(of_many(&[1, 2, 3], &[&[1], &[1, 0]], "old"), written, "nor by one of several merge bases");
        // Its twins: what one side changed is that side's, wherever it stands.
        assert_eq!(of_many(&[1, 2, 4], &[&[1], &[1]], "changed"), ValueOrigin::Written(4));
        assert_eq!(of_many(&[1, 3, 2], &[&[0], &[1]], "new"), ValueOrigin::Outside(1));
    }
}
