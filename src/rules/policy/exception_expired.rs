//! A reviewed exception holds for a time.

use super::{Anchor, Finding, Rule, RuleCheck, RuleContext, exceptions};
use crate::privacy::Text;
use crate::vocabulary::{FieldPlace, Level};

pub(super) const RULE: Rule = Rule {
    id: "policy/exception-expired",
    level: Level::Error,
    summary: "an exception from a privacy rule whose time is over",
    why: "Somebody promised to look at it again by then.",
    check: RuleCheck::Directory(check),
};

fn check(rule: &Rule, context: &RuleContext<'_>, findings: &mut Vec<Finding>) {
    for (entry, index, row) in exceptions(context).filter(|(_, _, row)| context.as_of >= row.expires_at) {
        let anchor = Anchor::Value(FieldPlace::FieldOfItem("privacy.exceptions", index, "expires_at").route());
        let message = context.text(format!("this exception ended at {}", row.expires_at));
        findings.push(
            rule.at(&entry.path, anchor, message)
                .help(Text::fixed("remove what it excuses, or review it again and move the date"))
                .now(Text::fixed("it excuses nothing any more")),
        );
    }
}
