//! One document is one file.

use super::{Finding, Rule, RuleCheck, RuleContext, misplaced};
use crate::finding::{Anchor, Label};
use crate::privacy::Text;
use crate::vocabulary::Level;

pub(super) const RULE: Rule = Rule {
    id: "path/two-formats",
    level: Level::Error,
    summary: "the same document as JSON and as YAML",
    why: "Two files for one id can say two things, and nothing tells which of them holds.",
    check: RuleCheck::Directory(check),
};

fn check(rule: &Rule, context: &RuleContext<'_>, findings: &mut Vec<Finding>) {
    for (entry, _) in misplaced(rule, context) {
        let Some(stem) = entry.path.strip_suffix(".json") else { continue };
        let Some(other) = context.workspace.file_at(&format!("{stem}.yaml")) else { continue };
        let other = Label::new(&other.path, Anchor::File).note(Text::fixed("the other one"));
        findings.push(
            rule.at(&entry.path, Anchor::File, Text::fixed("this document stands here as YAML too"))
                .also(other)
                .help(Text::fixed("keep one of the two files"))
                .now(Text::fixed("neither is read; what depends on it stays closed")),
        );
    }
}
