//! A fact is not from the future.

use super::{Anchor, Check, Finding, Kind, Level, Rule, Subject, facts};
use crate::privacy::Text;
use crate::vocabulary::{Duration, FieldPlace};

pub(super) const RULE: Rule = Rule {
    id: "fact/in-the-future",
    level: Level::Error,
    summary: "a fact is dated more than five minutes ahead",
    why: "A fact from the future never becomes stale, so a session that stopped talking would look alive.",
    check: Check::Document(&[Kind::Facts], check),
};

/// How far the clock of a host may be ahead.
const SLACK: Duration = Duration::seconds(300);

fn check(it: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(facts) = facts(it) else { return };
    let limit = it.scene.as_of.after(SLACK);
    let items = facts.items().map(|item| (FieldPlace::FieldOfItem(item.list, item.index, "at"), item.at));
    let instants = std::iter::once((FieldPlace::Field("updated_at"), facts.updated_at)).chain(items);
    for (place, _) in instants.filter(|(_, at)| *at > limit) {
        findings.push(
            it.at(Anchor::Value(place.route()), "this lies more than five minutes ahead")
                .help(Text::fixed("look at the clock of the host"))
                .now(Text::fixed("it counts as said, and nothing later can replace it")),
        );
    }
}
