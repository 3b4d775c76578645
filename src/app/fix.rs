//! Carries out the sure fixes of findings.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::error::Error;
pub(super) use super::lint::{LintTarget, Linted};
use super::plan::PATIENCE;
use crate::document::{Edit, apply};
use crate::finding::{Finding, Fix};
use crate::git::Repository;
use crate::privacy::{Text, Wall};
use crate::store::{Durability, Store, Wanted};
use crate::workspace::{Files, Folder};

/// One file with every sure fix of it carried out.
#[derive(Debug)]
pub struct FixedFile<'a> {
    /// The path as it may be shown.
    pub shown: Text,
    /// What stands there.
    pub old: String,
    /// What is to stand there.
    pub new: String,
    /// What may be shown of both.
    pub wall: &'a Wall,
    /// The path that it is to have as it may be shown, where that is another one.
    pub renamed: Option<Text>,
    root: PathBuf,
    path: String,
    new_path: Option<String>,
}

/// Mends every file that was judged and has a sure fix, in memory. Of fixes that overlap the first one counts; the next
/// run finds the other.
#[must_use]
pub fn fixed(linted: &Linted) -> Vec<FixedFile<'_>> {
    linted.batches.iter().flat_map(of_batch).collect()
}

fn of_batch(batch: &LintTarget) -> Vec<FixedFile<'_>> {
    let Some(root) = &batch.root else { return Vec::new() };
    let files = Folder::of(root, Vec::new());
    let wall = &batch.judged.workspace.wall;
    let mut fixes: BTreeMap<&str, (Vec<&Edit>, Option<&String>)> = BTreeMap::new();
    for Finding { primary, fix, .. } in &batch.judged.findings {
        let Some(Fix { edits: own, rename, .. }) = fix else { continue };
        let (edits, new_path) = fixes.entry(&primary.path).or_default();
        edits.extend(own);
        *new_path = new_path.or(rename.as_ref());
    }
    let one = |(path, (edits, new_path)): (&str, (Vec<&Edit>, Option<&String>))| {
        let old = String::from_utf8(files.read(path).ok()?).ok()?;
        let new = apply(&old, &apart(edits)).filter(|new| *new != old || new_path.is_some())?;
        let (shown, renamed) = (batch.paths.text(wall, path), new_path.map(|path| batch.paths.text(wall, path)));
        let (path, new_path) = (path.to_owned(), new_path.cloned());
        Some(FixedFile { shown, old, new, wall, renamed, root: root.clone(), path, new_path })
    };
    fixes.into_iter().filter_map(one).collect()
}

/// Leaves out each edit that begins inside an earlier one.
fn apart(mut edits: Vec<&Edit>) -> Vec<Edit> {
    edits.sort_by_key(|edit| edit.span);
    edits.dedup();
    let mut kept: Vec<Edit> = Vec::new();
    for edit in edits {
        if kept.last().is_none_or(|last| last.span.end <= edit.span.start) {
            kept.push(edit.clone());
        }
    }
    kept
}

/// Writes mended files, unless somebody has changed one of them since it was read.
///
/// # Errors
/// A file was changed meanwhile, or cannot be written.
pub fn fix(fixed: &[FixedFile<'_>]) -> Result<(), Error> {
    let mut by_root: BTreeMap<&PathBuf, Vec<&FixedFile<'_>>> = BTreeMap::new();
    for one in fixed {
        by_root.entry(&one.root).or_default().push(one);
    }
    for (root, files) in by_root {
        let read: BTreeMap<&str, &str> = files.iter().map(|file| (file.path.as_str(), file.old.as_str())).collect();
        let wanted = files.iter().flat_map(|file| {
            let content = Wanted::Content(file.new.clone().into_bytes());
            let gone = file.new_path.as_ref().map(|_| (file.path.clone(), Wanted::Absent));
            gone.into_iter().chain([(file.new_path.as_ref().unwrap_or(&file.path).clone(), content)])
        });
        let store = Store::open(root, Repository::discover(root)?, PATIENCE)?;
        let is_as_read = |path: &str, now: &[u8]| read.get(path).is_some_and(|old| old.as_bytes() == now);
        store.write(&wanted.collect(), &is_as_read, Durability::Kept)?;
    }
    Ok(())
}
