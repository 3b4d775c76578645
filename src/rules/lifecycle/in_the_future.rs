//! An act is not from the future.

use super::{Anchor, DocumentContext, Finding, Rule, RuleCheck};
use crate::document::Route;
use crate::privacy::Text;
use crate::vocabulary::{Instant, Kind, Level, Record};

pub(in crate::rules) const RULE: Rule = Rule {
    id: "lifecycle/in-the-future",
    level: Level::Error,
    summary: "an act is dated more than five minutes ahead",
    why: "A decision that is dated tomorrow would open its gate today, before anybody could take it back.",
    check: RuleCheck::Document(&[Kind::Gate, Kind::Handoff, Kind::Reward, Kind::Proposal, Kind::Binding], check),
};

/// The acts of a document, each with its date.
fn acts(record: &Record) -> Vec<(&'static str, Option<Instant>)> {
    match record {
        Record::Gate(it) => vec![
            ("requested", Some(it.requested.at)),
            ("decision", it.decision.as_ref().map(|act| act.at)),
            ("withdrawn", it.withdrawn.as_ref().map(|act| act.at)),
        ],
        Record::Handoff(it) => vec![
            ("approved", it.approved.as_ref().map(|act| act.at)),
            ("accepted", it.accepted.as_ref().map(|act| act.at)),
            ("withdrawn", it.withdrawn.as_ref().map(|act| act.at)),
        ],
        Record::Reward(it) => vec![("given", Some(it.given.at))],
        Record::Proposal(it) => vec![("decision", it.decision.as_ref().map(|act| act.at))],
        Record::Binding(it) => {
            vec![("closed", it.closed.as_ref().map(|act| act.at)), ("replaced", it.replaced.as_ref().map(|act| act.at))]
        }
        _ => Vec::new(),
    }
}

fn check(it: &DocumentContext<'_>, findings: &mut Vec<Finding>) {
    let as_of = it.context.as_of;
    for (act, _) in acts(it.record).into_iter().filter(|(_, at)| at.is_some_and(|at| at.is_ahead_of(as_of))) {
        let message = format!("`{act}` is dated more than five minutes ahead");
        findings.push(
            it.at(Anchor::Value(Route::of(&format!("{act}.at"))), message)
                .help(it.context.text(format!("date it now: `at: {as_of}`")))
                .now(Text::fixed("it is not in force until that instant")),
        );
    }
}
