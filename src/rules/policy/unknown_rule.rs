//! A policy names rules that exist.

use super::{Anchor, Check, Finding, Rule, Scene, exception_route, policies, route};
use crate::privacy::Text;
use crate::rules::{ALL, find};
use crate::vocabulary::{Level, Policy, nearest};

pub(super) const RULE: Rule = Rule {
    id: "policy/unknown-rule",
    level: Level::Error,
    summary: "a policy names a rule that does not exist",
    why: "A level for a misspelled rule changes nothing, and its author believes it does.",
    check: Check::Directory(check),
};

fn check(rule: &Rule, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for (_, entry, policy) in policies(scene) {
        let levels = policy.rules.iter().flatten().map(|(id, _)| (Anchor::Key(route("rules", id)), id.as_str()));
        for (anchor, id) in levels.chain(excepted(policy)).filter(|(_, id)| find(id).is_none()) {
            let found = rule.at(&entry.path, anchor, scene.text(format!("`{id}` is no rule")));
            let found = match nearest(id, ALL.iter().map(|rule| rule.id)) {
                Some(near) => found.note(scene.text(format!("did you mean `{near}`?"))),
                None => found.help(Text::fixed("`loopx explain` lists the rules")),
            };
            findings.push(found.now(Text::fixed("this line changes nothing")));
        }
    }
}

/// The rules that a policy excepts something from.
fn excepted(policy: &Policy) -> impl Iterator<Item = (Anchor, &str)> {
    let exceptions = policy.privacy.iter().flat_map(|section| section.exceptions.iter().enumerate());
    exceptions.map(|(index, exception)| (Anchor::Value(exception_route(index).key("rule")), exception.rule.as_str()))
}
