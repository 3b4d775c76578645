//! The globs of a policy are globs.

use super::{Anchor, Finding, Rule, RuleCheck, RuleContext, policies, route};
use crate::privacy::Text;
use crate::vocabulary::{FieldPlace, Level};
use crate::workspace::path_glob;

pub(super) const RULE: Rule = Rule {
    id: "policy/bad-glob",
    level: Level::Error,
    summary: "a policy's path glob does not parse",
    why: "A glob that matches nothing takes the level or the transition beside it out of force.",
    check: RuleCheck::Directory(check),
};

fn check(rule: &Rule, context: &RuleContext<'_>, findings: &mut Vec<Finding>) {
    for (_, entry, policy) in policies(context) {
        let levels = policy.rules.iter().flatten().flat_map(|(id, level)| {
            level.paths.keys().map(move |glob| (Anchor::Key(route("rules", id).key("paths").key(glob)), glob.as_str()))
        });
        let transitions = policy.transitions.iter().flatten().enumerate().filter_map(|(index, transition)| {
            let place = FieldPlace::FieldOfItem("transitions", index, "path");
            Some((Anchor::Value(place.route()), transition.path.as_ref()?.as_str()))
        });
        for (anchor, glob) in levels.chain(transitions).filter(|(_, glob)| path_glob(glob).is_none()) {
            findings.push(
                rule.at(&entry.path, anchor, context.text(format!("`{glob}` is no glob")))
                    .help(Text::fixed("close every bracket and brace, such as goals/*/gates/**"))
                    .now(Text::fixed("it matches nothing")),
            );
        }
    }
}
