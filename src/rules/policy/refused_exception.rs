//! Only what a team may except is excepted.

use super::{Anchor, Check, Finding, Rule, Scene, exceptions};
use crate::privacy::{Class, Text};
use crate::rules::find;
use crate::vocabulary::Level;

pub(super) const RULE: Rule = Rule {
    id: "policy/refused-exception",
    level: Level::Error,
    summary: "an exception from a rule that has none",
    why: "A secret or a conversation is never right in a repository, whoever answers for it.",
    check: Check::Directory(check),
};

fn check(rule: &Rule, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for (entry, index, exception) in exceptions(scene) {
        let id = exception.rule.as_str();
        let is_lawful = Class::all().any(|class| class.rule() == id && class.can_be_excepted());
        // A rule that does not exist is another rule's.
        if is_lawful || find(id).is_none() {
            continue;
        }
        let lawful = Class::all().filter(|class| class.can_be_excepted()).map(Class::rule).collect::<Vec<_>>();
        let anchor = Anchor::Value(super::exception_route(index).key("rule"));
        findings.push(
            rule.at(&entry.path, anchor, scene.text(format!("nothing is excepted from `{id}`")))
                .legal(scene.text(lawful.join(", ")))
                .now(Text::fixed("it excuses nothing")),
        );
    }
}
