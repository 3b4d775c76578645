//! A handoff lets nobody write where its goal does not.

use super::{Anchor, DocumentContext, Finding, Rule, RuleCheck};
use crate::document::Route;
use crate::finding::Label;
use crate::privacy::Text;
use crate::vocabulary::{Glob, Kind, Level, Record};

pub(super) const RULE: Rule = Rule {
    id: "authority/outside-goal",
    level: Level::Error,
    summary: "a handoff's write scope cannot be shown to be inside its goal's",
    why: "Whoever approves a handoff decides within the goal's boundary; a wider scope would move the boundary unseen.",
    check: RuleCheck::Document(&[Kind::Handoff], check),
};

fn check(it: &DocumentContext<'_>, findings: &mut Vec<Finding>) {
    let (Record::Handoff(handoff), Some((file, goal))) = (it.record, it.goal()) else { return };
    let outer = &goal.boundary.write_scope;
    for (index, glob) in handoff.write_scope.iter().enumerate() {
        if glob.is_within(outer) {
            continue;
        }
        let list = Label::new(&file.path, Anchor::Value(Route::of("boundary.write_scope")))
            .note(Text::fixed("the goal's scope"));
        let scopes = outer.iter().map(Glob::as_str).collect::<Vec<_>>().join(", ");
        findings.push(
            it.at(
                Anchor::Value(Route::of("write_scope").index(index)),
                format!("`{glob}` is not inside the goal's write scope"),
            )
            .also(list)
            .legal(it.context.text(format!("globs inside {scopes}")))
            .now(Text::fixed("the handoff reads as not approved")),
        );
    }
}
