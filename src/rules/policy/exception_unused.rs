//! An exception excuses something.

use super::{Anchor, Finding, Rule, RuleCheck, RuleContext, exceptions};
use crate::privacy::Text;
use crate::vocabulary::{FieldPlace, Level};
use crate::workspace::is_judged;

/// Where the document stands, the look at that document reports it; here is what names no document.
pub(super) const RULE: Rule = Rule {
    id: "policy/exception-unused",
    level: Level::Warning,
    summary: "an exception from a privacy rule that excuses nothing",
    why: "It would excuse what somebody writes there one day, and nobody would look.",
    check: RuleCheck::Directory(check),
};

fn check(rule: &Rule, context: &RuleContext<'_>, findings: &mut Vec<Finding>) {
    for (entry, index, row) in exceptions(context) {
        // A file that is no document may stand there all the same.
        if is_judged(row.document.as_str()) && context.workspace.index.at(row.document.as_str()).is_none() {
            let anchor = Anchor::Value(FieldPlace::FieldOfItem("privacy.exceptions", index, "document").route());
            let message = context.text(format!("there is no `{}`", row.document));
            findings.push(rule.at(&entry.path, anchor, message).help(Text::fixed("remove it from the policy")));
        }
    }
}
