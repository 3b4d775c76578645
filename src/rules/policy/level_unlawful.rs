//! Some privacy rules have one level in every team.

use super::{Anchor, Finding, Rule, RuleCheck, RuleContext, policies, route};
use crate::privacy::Text;
use crate::vocabulary::Level;
use crate::workspace::has_levels;

pub(super) const RULE: Rule = Rule {
    id: "policy/level-unlawful",
    level: Level::Error,
    summary: "a level for a rule that is an error in every team",
    why: "A secret or a conversation in a public history cannot be taken back; no team may read past it.",
    check: RuleCheck::Directory(check),
};

fn check(rule: &Rule, context: &RuleContext<'_>, findings: &mut Vec<Finding>) {
    for (_, entry, policy) in policies(context) {
        for id in policy.rules.iter().flatten().map(|(id, _)| id).filter(|id| !has_levels(id)) {
            let message = context.text(format!("no policy sets a level for {id}: it is always an error"));
            findings.push(
                rule.at(&entry.path, Anchor::Key(route("rules", id)), message)
                    .help(Text::fixed("remove the line, and what the rule finds"))
                    .now(Text::fixed("this line changes nothing")),
            );
        }
    }
}
