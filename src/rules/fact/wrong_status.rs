//! An event says what its kind can say.

use super::{Anchor, DocumentContext, Finding, Kind, Level, Rule, RuleCheck, facts};
use crate::privacy::Text;
use crate::vocabulary::{ClosedWords, FieldPlace};

pub(super) const RULE: Rule = Rule {
    id: "fact/wrong-status",
    level: Level::Error,
    summary: "an event has a status that its kind cannot have",
    why: "Turns, executors and deliveries have words of their own; a mixed pair means nothing.",
    check: RuleCheck::Document(&[Kind::Facts], check),
};

fn check(it: &DocumentContext<'_>, findings: &mut Vec<Finding>) {
    let Some(facts) = facts(it) else { return };
    for (index, event) in facts.events.iter().enumerate() {
        let legal = event.kind.statuses();
        if legal.contains(&event.status) {
            continue;
        }
        let place = FieldPlace::FieldOfItem("events", index, "status").route();
        let words: Vec<&str> = legal.iter().map(|status| status.word()).collect();
        findings.push(
            it.at(Anchor::Value(place), format!("no event of kind `{}` is `{}`", event.kind, event.status))
                .legal(it.context.text(words.join(", ")))
                .now(Text::fixed("the event says nothing")),
        );
    }
}
