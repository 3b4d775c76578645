//! An agent does not act in a person's class.

use super::{Anchor, DocumentContext, Finding, Rule, RuleCheck, claims, is_agent};
use crate::document::Route;
use crate::privacy::Text;
use crate::vocabulary::Level;
use crate::vocabulary::acts::KINDS_PEOPLE_DECIDE;

pub(super) const RULE: Rule = Rule {
    id: "authority/disguised-agent",
    level: Level::Error,
    summary: "an act by an agent claims a person's class",
    why: "The goal or the policies know the name as an agent's, so no person answers for the act.",
    check: RuleCheck::Document(KINDS_PEOPLE_DECIDE, check),
};

fn check(it: &DocumentContext<'_>, findings: &mut Vec<Finding>) {
    for claim in claims(it.record).iter().filter(|claim| is_agent(it, claim.by)) {
        let message = format!("`{}` is an agent and claims to be {}", claim.by, claim.class);
        findings.push(
            it.at(Anchor::Value(Route::of(claim.act).key("by")), message)
                .help(Text::fixed("a person does this, and is named here"))
                .now(Text::fixed("the act does not count")),
        );
    }
}
