//! Scopes are globs below the repository.

use super::{Anchor, DocumentContext, Finding, Rule, RuleCheck};
use crate::document::Route;
use crate::privacy::Text;
use crate::vocabulary::{Glob, Kind, Level, Record};

pub(super) const RULE: Rule = Rule {
    id: "authority/outside-repository",
    level: Level::Error,
    summary: "a scope that leaves the repository, or is no glob",
    why: "A scope that nobody can compare with a path permits whatever its reader makes of it.",
    check: RuleCheck::Document(&[Kind::Goal], check),
};

fn check(it: &DocumentContext<'_>, findings: &mut Vec<Finding>) {
    let scopes: &[(&str, &[Glob])] = match it.record {
        Record::Goal(goal) => {
            &[("boundary.read_scope", &goal.boundary.read_scope), ("boundary.write_scope", &goal.boundary.write_scope)]
        }
        // Of a handoff that leaves the repository, the rule for its goal's scope says more.
        _ => &[],
    };
    for (field, globs) in scopes {
        for (index, glob) in globs.iter().enumerate().filter(|(_, glob)| !glob.is_below_repository()) {
            findings.push(
                it.at(
                    Anchor::Value(Route::of(field).index(index)),
                    format!("`{glob}` is no glob below the repository"),
                )
                .help(Text::fixed("write it from the repository's root on, without `..`, such as services/ledger/**"))
                .now(Text::fixed("it permits nothing")),
            );
        }
    }
}
