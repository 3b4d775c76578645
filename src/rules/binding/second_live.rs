//! An agent of a goal has one live session.

use std::collections::BTreeMap;

use super::{Anchor, Finding, Rule, RuleCheck, RuleContext};
use crate::document::Route;
use crate::privacy::Text;
use crate::vocabulary::{Binding, Level};
use crate::workspace::LoadedFile;

pub(super) const RULE: Rule = Rule {
    id: "binding/second-live",
    level: Level::Error,
    summary: "a second live binding of one agent in one goal",
    why: "Two executors would advance the same work, each without knowing of the other.",
    check: RuleCheck::Directory(check),
};

fn check(rule: &Rule, context: &RuleContext<'_>, findings: &mut Vec<Finding>) {
    for goal in context.workspace.index.goals.keys() {
        let mut live: BTreeMap<&str, &LoadedFile> = BTreeMap::new();
        for (file, binding) in context.workspace.documents::<Binding>(goal) {
            if binding.closed.is_some() || binding.replaced.is_some() {
                continue;
            }
            let first = *live.entry(binding.agent_id.as_str()).or_insert(file);
            if first.path != file.path {
                let session = &binding.session_id;
                let message =
                    context.text(format!("`{session}` is a second live session of agent `{}`", binding.agent_id));
                findings.push(
                    rule.at(&file.path, Anchor::Value(Route::of("agent_id")), message)
                        .also(context.label(first, Text::fixed("this one is live")))
                        .help(context.text(format!(
                            "close one of the two: `loopx session close {session} --reason \"...\" --execute`"
                        )))
                        .now(Text::fixed("the agent projects blocked: second_executor")),
                );
            }
        }
    }
}
