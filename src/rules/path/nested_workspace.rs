//! No state directory stands inside another.

use super::{Finding, Rule, RuleCheck, RuleContext, misplaced};
use crate::finding::Anchor;
use crate::privacy::Text;
use crate::vocabulary::Level;

pub(super) const RULE: Rule = Rule {
    id: "path/nested-workspace",
    level: Level::Error,
    summary: "a state directory inside another",
    why: "Which of the two a command means would depend on where it is started.",
    check: RuleCheck::Directory(check),
};

fn check(rule: &Rule, context: &RuleContext<'_>, findings: &mut Vec<Finding>) {
    for (entry, _) in misplaced(rule, context) {
        findings.push(
            rule.at(&entry.path, Anchor::File, Text::fixed("this marks a state directory inside this one"))
                .help(Text::fixed("move it beside this one, or join the two"))
                .now(Text::fixed("nothing in its folder is read from here")),
        );
    }
}
