//! Some privacy rules know no exception.

use super::{Anchor, Finding, Rule, RuleCheck, RuleContext, exceptions};
use crate::privacy::{Class, Text};
use crate::vocabulary::{FieldPlace, Level};

pub(super) const RULE: Rule = Rule {
    id: "policy/exception-unlawful",
    level: Level::Error,
    summary: "an exception from a rule that knows none",
    why: "A secret or a conversation in a public history cannot be reviewed into being harmless.",
    check: RuleCheck::Directory(check),
};

fn check(rule: &Rule, context: &RuleContext<'_>, findings: &mut Vec<Finding>) {
    for (entry, index, row) in exceptions(context) {
        let class = Class::all().find(|class| class.rule() == row.rule.as_str());
        if class.is_some_and(|class| !class.can_be_excepted()) {
            let anchor = Anchor::Value(FieldPlace::FieldOfItem("privacy.exceptions", index, "rule").route());
            let message = context.text(format!("{} knows no exception", row.rule));
            findings.push(rule.at(&entry.path, anchor, message).now(Text::fixed("it excuses nothing")));
        }
    }
}
