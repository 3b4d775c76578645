//! Facts come from the runtime that the session's binding names.

use super::{Anchor, DocumentContext, Finding, Kind, Level, Rule, RuleCheck, facts};
use crate::document::Route;
use crate::privacy::Text;
use crate::vocabulary::{Binding, Facts, HostKind, RuntimeId, SessionMode};

pub(super) const RULE: Rule = Rule {
    id: "fact/runtime-mismatch",
    level: Level::Error,
    summary: "facts name another runtime or host than their session's binding",
    why: "Two hosts speak for one session, so what is reported may be about another one.",
    check: RuleCheck::Document(&[Kind::Facts], check),
};

fn check(it: &DocumentContext<'_>, findings: &mut Vec<Finding>) {
    let Some(facts) = facts(it) else { return };
    for (file, binding) in it.context.workspace.bindings_of(facts.session_id.as_str()) {
        if let Some((field, wanted)) = difference(facts, binding) {
            findings.push(
                it.at(Anchor::Value(Route::of(field)), format!("the session's binding says {wanted}"))
                    .also(it.context.label(file, Text::fixed("the binding")))
                    .now(Text::fixed("the agent projects blocked: mode_mismatch")),
            );
        }
    }
}

/// The first field of the facts that disagrees with the binding's row of the host table, and what it should be.
fn difference(facts: &Facts, binding: &Binding) -> Option<(&'static str, String)> {
    let (runtime, host) = row(binding)?;
    if facts.runtime_id != runtime {
        return Some(("runtime_id", runtime.to_string()));
    }
    let differs = |host: &HostKind| facts.host_kind.is_some_and(|named| named != *host);
    host.filter(differs).map(|host| ("host_kind", host.to_string()))
}

/// The row of the host table; `None` when the binding does not say where its session lives.
fn row(binding: &Binding) -> Option<(RuntimeId, Option<HostKind>)> {
    match binding.session_mode {
        Some(SessionMode::AttachedHost) => binding.host_surface.map(|surface| {
            let (runtime, host) = surface.row();
            (runtime, Some(host))
        }),
        Some(SessionMode::ManagedRuntime) | None => Some((RuntimeId::CustomWorker, None)),
    }
}
