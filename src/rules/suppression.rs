//! Comments that take findings out of the report, and what is wrong with them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::find;
use super::tables::{REFUSED, UNUSED};
use crate::finding::{Anchor, Finding};
use crate::privacy::{Text, Wall};
use crate::workspace::Suppression;

/// The suppressions of the files that have some.
pub(super) type ByFile = BTreeMap<Arc<str>, Vec<Suppression>>;

/// Takes suppressed findings out, and gives what is wrong with the suppressions.
pub(super) fn apply(wall: &Wall, suppressions: &ByFile, findings: &mut Vec<Finding>) -> Vec<Finding> {
    let mut about_comments = Vec::new();
    if suppressions.is_empty() {
        return about_comments;
    }
    let mut used: BTreeMap<(&str, usize), bool> = BTreeMap::new();
    findings.retain(|finding| {
        let comments = suppressions.get(&finding.primary.path).map(Vec::as_slice).unwrap_or_default();
        let hides = |comment: &Suppression| &*comment.rule == finding.rule && comment.line == finding.line();
        match comments.iter().position(hides) {
            Some(number) if problem(&comments[number]).is_none() => {
                used.insert((&comments[number].rule, comments[number].span.range().start), true);
                false
            }
            _ => true,
        }
    });
    for (path, comments) in suppressions {
        for comment in comments {
            let anchor = Anchor::Bytes(comment.span);
            if let Some(problem) = problem(comment) {
                about_comments.push(REFUSED.at(path, anchor, wall.text(problem)));
            } else if !used.contains_key(&(&*comment.rule, comment.span.range().start)) {
                let message = wall.text(format!("nothing of `{}` is found on line {}", comment.rule, comment.line));
                about_comments.push(UNUSED.at(path, anchor, message).help(Text::fixed("remove the comment")));
            }
        }
    }
    about_comments
}

fn problem(comment: &Suppression) -> Option<String> {
    let rule = &comment.rule;
    match find(rule) {
        None => Some(format!("`{rule}` is no rule")),
        Some(found) if !found.is_suppressible() => Some(format!("no comment may hide `{rule}`")),
        Some(_) if !comment.has_reason => Some("a suppression has to say why, behind the bracket".to_owned()),
        Some(_) => None,
    }
}
