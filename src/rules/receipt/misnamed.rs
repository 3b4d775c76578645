//! A receipt's name is that of its effect.

use super::{Anchor, Check, Finding, Kind, Route, Rule, Subject, receipt};
use crate::privacy::Text;
use crate::vocabulary::{Level, receipt_path, run_id};

pub(super) const RULE: Rule = Rule {
    id: "receipt/misnamed",
    level: Level::Error,
    summary: "a receipt stands under another name than its effect's",
    why: "Two answers to one question share one path, so that git shows the conflict; another name would hide it.",
    check: Check::Document(&[Kind::Receipt], check),
};

fn check(it: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(receipt) = receipt(it) else { return };
    let id = run_id(receipt.effect_key.as_str());
    let path = receipt_path(receipt.goal_id.as_str(), id.as_str());
    let stands = it.entry.path.trim_end_matches(".json").trim_end_matches(".yaml");
    if receipt.run_id == id && path.trim_end_matches(".yaml") == stands {
        return;
    }
    findings.push(
        it.at(Anchor::Value(Route::of("run_id")), format!("the effect of this receipt is called `{id}`"))
            .help(it.scene.text(format!("a receipt is never renamed; this effect's belongs at {path}")))
            .now(Text::fixed("conflicting_decisions: what it records stays closed")),
    );
}
