//! A privacy exception excuses something.

use super::{Anchor, Check, Finding, Rule, Scene, exceptions};
use crate::privacy::Text;
use crate::vocabulary::Level;

pub(super) const RULE: Rule = Rule {
    id: "policy/unused-exception",
    level: Level::Warning,
    summary: "a privacy exception for a document that is not there",
    why: "An exception that outlived its document would excuse the next one of that name unseen.",
    check: Check::Directory(check),
};

fn check(rule: &Rule, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for (entry, index, exception) in exceptions(scene) {
        if scene.workspace.index.at(exception.document.as_str()).is_none() {
            let anchor = Anchor::Value(super::exception_route(index).key("document"));
            let message = scene.text(format!("no document stands at {}", exception.document));
            findings.push(
                rule.at(&entry.path, anchor, message)
                    .help(Text::fixed("remove it, or name the document by its path below the state directory"))
                    .now(Text::fixed("it excuses nothing")),
            );
        }
    }
}
