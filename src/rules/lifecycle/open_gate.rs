//! A completed goal has no open gate.

use super::{Anchor, DocumentContext, Finding, Rule, RuleCheck};
use crate::document::Route;
use crate::privacy::Text;
use crate::vocabulary::{Gate, GateDecision, GoalStatus, Kind, Level, Record};

pub(super) const RULE: Rule = Rule {
    id: "lifecycle/open-gate",
    level: Level::Error,
    summary: "a completed goal has a gate that nobody decided",
    why: "Nobody is asked for a completed goal any more, so the question would never be answered.",
    check: RuleCheck::Document(&[Kind::Goal], check),
};

fn check(it: &DocumentContext<'_>, findings: &mut Vec<Finding>) {
    let Record::Goal(goal) = it.record else { return };
    if goal.status != GoalStatus::Completed {
        return;
    }
    let gates = it.context.workspace.documents::<Gate>(goal.goal_id.as_str());
    for (file, gate) in gates.filter(|(_, gate)| is_open(gate)) {
        let message = format!("the goal is completed, and gate `{}` is open", gate.gate_id);
        findings.push(
            it.at(Anchor::Value(Route::of("status")), message)
                .also(it.context.label(file, Text::fixed("nobody decided this one")))
                .help(Text::fixed("decide the gate or withdraw it"))
                .now(Text::fixed("the goal reads as completed, and nobody is asked")),
        );
    }
}

fn is_open(gate: &Gate) -> bool {
    let decided = gate.decision.as_ref().is_some_and(|decision| decision.label != GateDecision::Defer);
    !decided && gate.withdrawn.is_none()
}
