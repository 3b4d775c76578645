//! An act is not from the future.

use super::{Anchor, DocumentContext, Finding, Rule, RuleCheck};
use crate::document::Route;
use crate::privacy::Text;
use crate::vocabulary::Level;
use crate::vocabulary::acts::{KINDS_WITH_ACTS, stated_acts};

pub(in crate::rules) const RULE: Rule = Rule {
    id: "lifecycle/in-the-future",
    level: Level::Error,
    summary: "an act is dated more than five minutes ahead",
    why: "A decision that is dated tomorrow would open its gate today, before anybody could take it back.",
    check: RuleCheck::Document(KINDS_WITH_ACTS, check),
};

fn check(it: &DocumentContext<'_>, findings: &mut Vec<Finding>) {
    let as_of = it.context.as_of;
    for act in stated_acts(it.record).iter().filter(|act| act.at.is_ahead_of(as_of)) {
        let act = act.field;
        let message = format!("`{act}` is dated more than five minutes ahead");
        findings.push(
            it.at(Anchor::Value(Route::of(&format!("{act}.at"))), message)
                .help(it.context.text(format!("date it now: `at: {as_of}`")))
                .now(Text::fixed("it is not in force until that instant")),
        );
    }
}
