//! A policy names rules that exist.

use super::{Anchor, Finding, Rule, RuleCheck, RuleContext, policies, route};
use crate::privacy::Text;
use crate::vocabulary::{FieldPlace, Level, nearest};

pub(super) const RULE: Rule = Rule {
    id: "policy/unknown-rule",
    level: Level::Error,
    summary: "a policy names a rule that does not exist",
    why: "A level for a misspelled rule changes nothing, and its author believes it does.",
    check: RuleCheck::Directory(check),
};

fn check(rule: &Rule, context: &RuleContext<'_>, findings: &mut Vec<Finding>) {
    for (_, entry, policy) in policies(context) {
        let levels = policy.rules.iter().flatten().map(|(id, _)| (Anchor::Key(route("rules", id)), id.as_str()));
        let exceptions = policy.privacy.iter().flat_map(|section| section.exceptions.iter().enumerate());
        let exceptions = exceptions.map(|(index, exception)| {
            let place = FieldPlace::FieldOfItem("privacy.exceptions", index, "rule");
            (Anchor::Value(place.route()), exception.rule.as_str())
        });
        for (anchor, id) in levels.chain(exceptions).filter(|(_, id)| !context.is_rule(id)) {
            let found = rule.at(&entry.path, anchor, context.text(format!("`{id}` is no rule")));
            let found = match nearest(id, context.rules.iter().map(|rule| rule.id)) {
                Some(near) => found.note(context.text(format!("did you mean `{near}`?"))),
                None => found.help(Text::fixed("`loopx explain` lists the rules")),
            };
            findings.push(found.now(Text::fixed("this line changes nothing")));
        }
    }
}
