//! Documents are files, never links.

use super::{Finding, Rule, RuleCheck, RuleContext};
use crate::finding::Anchor;
use crate::privacy::Text;
use crate::vocabulary::Level;

pub(super) const RULE: Rule = Rule {
    id: "path/link",
    level: Level::Error,
    summary: "a symbolic link among the documents",
    why: "Git holds the link and not what it shows, so each clone would read something else.",
    check: RuleCheck::Directory(check),
};

fn check(rule: &Rule, context: &RuleContext<'_>, findings: &mut Vec<Finding>) {
    for path in &context.workspace.links {
        findings.push(
            rule.at(path, Anchor::File, Text::fixed("a symbolic link stands where only files and folders may"))
                .help(Text::fixed("put the file itself here"))
                .now(Text::fixed("it is not followed; nothing behind it is read")),
        );
    }
}
