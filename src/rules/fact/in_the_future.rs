//! A fact is not from the future.

use super::{Anchor, DocumentContext, Finding, Kind, Level, Rule, RuleCheck, facts};
use crate::privacy::Text;
use crate::vocabulary::FieldPlace;

pub(super) const RULE: Rule = Rule {
    id: "fact/in-the-future",
    level: Level::Error,
    summary: "a fact is dated more than five minutes ahead",
    why: "A fact from the future never becomes stale, so a session that stopped talking would look alive.",
    check: RuleCheck::Document(&[Kind::Facts], check),
};

fn check(it: &DocumentContext<'_>, findings: &mut Vec<Finding>) {
    let Some(facts) = facts(it) else { return };
    let items = facts.items().map(|item| (FieldPlace::FieldOfItem(item.list, item.index, "at"), item.at));
    let instants = std::iter::once((FieldPlace::Field("updated_at"), facts.updated_at)).chain(items);
    for (place, _) in instants.filter(|(_, at)| at.is_ahead_of(it.context.as_of)) {
        findings.push(
            it.at(Anchor::Value(place.route()), "this lies more than five minutes ahead")
                .help(Text::fixed("look at the clock of the host"))
                .now(Text::fixed("it does not count until that instant")),
        );
    }
}
