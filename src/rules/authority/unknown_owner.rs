//! Who acts as owner owns the goal.

use super::{Anchor, DocumentContext, Finding, Rule, RuleCheck, claims, is_agent};
use crate::document::Route;
use crate::finding::Label;
use crate::privacy::Text;
use crate::vocabulary::acts::KINDS_PEOPLE_DECIDE;
use crate::vocabulary::{ActorClass, Level};

pub(super) const RULE: Rule = Rule {
    id: "authority/unknown-owner",
    level: Level::Warning,
    summary: "somebody acts as owner whom neither the goal nor the policies know as one",
    why: "An owner may decide any gate of the goal, so the claim deserves a second look.",
    check: RuleCheck::Document(KINDS_PEOPLE_DECIDE, check),
};

fn check(it: &DocumentContext<'_>, findings: &mut Vec<Finding>) {
    let Some((file, goal)) = it.goal() else { return };
    for claim in claims(it.record).iter().filter(|claim| claim.class == ActorClass::Owner) {
        let known = it.context.workspace.policies.actor(claim.by);
        let is_owner =
            goal.owner.is_same(claim.by) || known.is_some_and(|(_, actor)| actor.class.has(ActorClass::Owner));
        if is_owner || is_agent(it, claim.by) {
            continue;
        }
        let owner = Label::new(&file.path, Anchor::Value(Route::of("owner"))).note(Text::fixed("the goal's owner"));
        findings.push(
            it.at(Anchor::Value(Route::of(claim.act).key("by")), format!("`{}` is not known as an owner", claim.by))
                .also(owner)
                .help(Text::fixed("name the class that this person has, or list the person as an owner in a policy")),
        );
    }
}
