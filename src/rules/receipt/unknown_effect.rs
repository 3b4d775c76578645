//! A receipt's effect is one of the known forms, of its own goal and class.

use super::{Anchor, DocumentContext, Finding, Kind, Route, Rule, RuleCheck, receipt};
use crate::privacy::Text;
use crate::vocabulary::{Effect, Level};

pub(super) const RULE: Rule = Rule {
    id: "receipt/unknown-effect",
    level: Level::Error,
    summary: "a receipt's effect key is of no known form, another goal or another class",
    why: "Nobody looks for an effect of another form, so the receipt would count for nothing and still look like one.",
    check: RuleCheck::Document(&[Kind::Receipt], check),
};

fn check(it: &DocumentContext<'_>, findings: &mut Vec<Finding>) {
    let Some(receipt) = receipt(it) else { return };
    let key = receipt.effect_key.as_str();
    let (field, message) = match Effect::read(key).filter(|effect| effect.key() == key) {
        // A pointer names what was made, not what was asked; its key is free.
        None if receipt.event_class.is_pointer() => return,
        None => ("effect_key", "this is no effect key in its one spelling".to_owned()),
        Some(effect) if receipt.goal_id != *effect.goal_id() => {
            ("effect_key", format!("the effect is of goal `{}`", effect.goal_id()))
        }
        Some(effect) if effect.event_class() != receipt.event_class => {
            ("event_class", format!("the effect is of class `{}`", effect.event_class()))
        }
        Some(_) => return,
    };
    findings.push(
        it.at(Anchor::Value(Route::of(field)), message)
            .help(Text::fixed("receipts are written by loopx alone; take this one out"))
            .now(Text::fixed("it records nothing")),
    );
}
