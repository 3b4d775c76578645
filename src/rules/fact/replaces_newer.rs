//! A fact replaces an older one.

use std::collections::HashMap;

use super::{Anchor, DocumentContext, Finding, Kind, Level, Rule, RuleCheck, facts};
use crate::finding::Label;
use crate::privacy::Text;
use crate::vocabulary::{FieldPlace, Item};

pub(super) const RULE: Rule = Rule {
    id: "fact/replaces-newer",
    level: Level::Error,
    summary: "a fact replaces itself or a newer one",
    why: "The newest word counts; an older one that replaces it would hide what happened last.",
    check: RuleCheck::Document(&[Kind::Facts], check),
};

fn check(it: &DocumentContext<'_>, findings: &mut Vec<Finding>) {
    let Some(facts) = facts(it) else { return };
    let items: HashMap<&str, Item<'_>> = facts.items().map(|item| (item.id.as_str(), item)).collect();
    for item in facts.items() {
        let Some((_, replaced)) = item.links.iter().find(|(field, _)| *field == "supersedes") else { continue };
        let Some(older) = items.get(replaced.as_str()) else { continue };
        if (older.at, older.id) < (item.at, item.id) {
            continue;
        }
        let place = |item: &Item<'_>, field| FieldPlace::FieldOfItem(item.list, item.index, field).route();
        let at = Label::new(&it.entry.path, Anchor::Value(place(older, "at"))).note(Text::fixed("it happened then"));
        findings.push(
            it.at(Anchor::Value(place(&item, "supersedes")), format!("`{}` is not older than `{}`", replaced, item.id))
                .also(at)
                .help(Text::fixed("let the newer one name the older one"))
                .now(Text::fixed("the replaced item counts as replaced")),
        );
    }
}
