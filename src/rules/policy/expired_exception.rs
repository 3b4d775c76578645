//! A privacy exception is looked at again in time.

use super::{Anchor, Check, Finding, Rule, Scene, exceptions};
use crate::privacy::Text;
use crate::vocabulary::Level;

pub(super) const RULE: Rule = Rule {
    id: "policy/expired-exception",
    level: Level::Warning,
    summary: "a privacy exception whose time is over",
    why: "It excuses nothing any more; whoever answers for it decides whether it is still right.",
    check: Check::Directory(check),
};

fn check(rule: &Rule, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for (entry, index, exception) in exceptions(scene) {
        if scene.as_of >= exception.expires_at {
            let anchor = Anchor::Value(super::exception_route(index).key("expires_at"));
            let message = format!("this exception is over; {} answers for it", exception.owner);
            findings.push(
                rule.at(&entry.path, anchor, scene.text(message))
                    .help(Text::fixed("remove it, or give it a later time in review"))
                    .now(Text::fixed("it excuses nothing")),
            );
        }
    }
}
