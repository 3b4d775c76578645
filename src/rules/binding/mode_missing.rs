//! A binding says who owns the session's process.

use super::{Anchor, DocumentContext, Finding, Rule, RuleCheck};
use crate::document::Route;
use crate::privacy::Text;
use crate::vocabulary::{Kind, Level, Record};

pub(super) const RULE: Rule = Rule {
    id: "binding/mode-missing",
    level: Level::Warning,
    summary: "a binding without `session_mode`",
    why: "The mode decides who starts and stops the session; old bindings without one read as managed.",
    check: RuleCheck::Document(&[Kind::Binding], check),
};

fn check(it: &DocumentContext<'_>, findings: &mut Vec<Finding>) {
    let Record::Binding(binding) = it.record else { return };
    if binding.session_mode.is_some() {
        return;
    }
    let form = match binding.host_surface {
        Some(surface) => format!("--surface {surface}"),
        None => "--managed".to_owned(),
    };
    let help = format!("`loopx session replace {} {form} --execute` writes one that says it", binding.session_id);
    findings.push(
        it.at(Anchor::Key(Route::of("session_mode")), "no `session_mode` says who owns the process")
            .help(it.context.text(help))
            .now(Text::fixed("read as managed_runtime")),
    );
}
