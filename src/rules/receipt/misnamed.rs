//! A receipt's name is that of its effect.

use super::{Anchor, DocumentContext, Finding, Kind, Route, Rule, RuleCheck, receipt};
use crate::privacy::Text;
use crate::vocabulary::{Level, run_id};

/// A receipt that is not called as its effect is.
pub const RULE: Rule = Rule {
    id: "receipt/misnamed",
    level: Level::Error,
    summary: "a receipt stands under another name than its effect's",
    why: "Two answers to one question share one path, so that git shows the conflict; another name would hide it.",
    check: RuleCheck::Document(&[Kind::Receipt], check),
};

fn check(it: &DocumentContext<'_>, findings: &mut Vec<Finding>) {
    let Some(receipt) = receipt(it) else { return };
    if receipt.belongs_at(&it.entry.path) {
        return;
    }
    let (id, path) = (run_id(receipt.effect_key.as_str()), receipt.effect_path());
    findings.push(
        it.at(Anchor::Value(Route::of("run_id")), format!("the effect of this receipt is called `{id}`"))
            .help(it.context.text(format!("a receipt is never renamed; this effect's belongs at {path}")))
            .now(Text::fixed("conflicting_decisions: what it records stays closed")),
    );
}
