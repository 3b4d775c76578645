//! What the commits of a change publish beside its result: contents that a later commit removed, and the headers of the
//! commits. Merging a branch publishes all of it.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::revisions::Revisions;
use crate::app::Error;
use crate::app::other_files::OtherFiles;
use crate::finding::{Anchor, Finding};
use crate::git::{BlobId, CommitInfo, Form, History, Repository};
use crate::privacy::{Class, Text, Wall};
use crate::rules;
use crate::vocabulary::Level;
use crate::workspace::Workspace;

/// What removes material from the history of a branch.
const REWRITE: &str =
    "rewrite the branch so that no commit holds it: git rebase -i BASE; revoke what was pushed already";

/// Lists what the wall refuses in the versions of files that the result does not show, and in the headers of the commits.
pub(super) fn findings(
    repository: &Repository,
    revisions: &Revisions,
    history: &History,
    base: &Workspace,
) -> Result<Vec<Finding>, Error> {
    let mut findings = Vec::new();
    let mut seen: HashSet<BlobId> = HashSet::new();
    for change in &history.changes {
        let Some(blob) = change.blob.filter(|blob| seen.insert(*blob)) else { continue };
        // What the result or the base holds at this path is judged there.
        let mut is_shown = false;
        for commit in [revisions.head, revisions.base] {
            let here = match change.form {
                Form::Link => repository.link(commit, &change.path)?,
                Form::File | Form::Submodule => repository.file(commit, &change.path)?,
            };
            is_shown |= here == Some(blob);
        }
        let version = [(change.path.clone(), blob)].into();
        let version = match change.form {
            Form::File if !is_shown => OtherFiles::with(version, BTreeMap::new()),
            Form::Link if !is_shown => OtherFiles::with(BTreeMap::new(), version),
            Form::File | Form::Link | Form::Submodule => continue,
        };
        let short = repository.commit(change.commit)?.short;
        let mut rules = HashSet::new();
        for finding in version.findings(Some(repository), base)? {
            if finding.level == Level::Error && finding.rule.starts_with("privacy/") && rules.insert(finding.rule) {
                let what = rules::find(finding.rule).map_or(finding.rule, |rule| rule.summary);
                let message = format!("commit {short} holds {what} in {}; a later commit removed it", change.path);
                findings.extend(of_commit(&short, finding.rule, base.wall.text(message)));
            }
        }
    }
    for commit in repository.commits(revisions.head, &[revisions.base])? {
        findings.extend(of_headers(repository, &commit, &base.wall)?);
    }
    Ok(findings)
}

/// Tells whether a class is refused in a header.
type IsRefused<'a> = &'a dyn Fn(Class) -> bool;

/// Lists what the wall refuses in the headers of a commit. The name and the address of a person are what two of them are
/// for; what no policy may excuse is refused there too.
fn of_headers(repository: &Repository, commit: &CommitInfo, wall: &Wall) -> Result<Vec<Finding>, Error> {
    let in_name = |class: Class| class != Class::PersonalData;
    let in_address = |class: Class| !class.can_be_excepted();
    let anywhere = |_: Class| true;
    let extra = repository.extra_headers(commit.id)?;
    let headers: [(&str, &str, IsRefused<'_>); 5] = [
        ("author name", &commit.author_name, &in_name),
        ("author address", &commit.author_email, &in_address),
        ("committer name", &commit.committer_name, &in_name),
        ("committer address", &commit.committer_email, &in_address),
        ("headers", &extra, &anywhere),
    ];
    let mut findings = Vec::new();
    for (name, value, is_refused) in headers {
        let mut seen = HashSet::new();
        for class in wall.scan_text(value).into_iter().map(|hit| hit.rule.class).filter(|class| is_refused(*class)) {
            if seen.insert(class.rule()) {
                let message = format!("the {name} of commit {}: {}", commit.short, class.title());
                findings.extend(of_commit(&commit.short, class.rule(), wall.text(message)));
            }
        }
    }
    Ok(findings)
}

/// A finding of a commit, and of no file of the result.
fn of_commit(short: &str, rule: &str, message: Text) -> Option<Finding> {
    let path: Arc<str> = Arc::from(format!("commit {short}"));
    Some(rules::find(rule)?.at(&path, Anchor::File, message).help(Text::fixed(REWRITE)))
}
