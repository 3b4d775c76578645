//! A YAML document's name ends with `.yaml`.

use super::{Finding, Rule, RuleCheck, RuleContext, misplaced};
use crate::finding::{Anchor, Fix};
use crate::privacy::Text;
use crate::vocabulary::Level;

pub(super) const RULE: Rule = Rule {
    id: "path/yml-ending",
    level: Level::Error,
    summary: "a document whose name ends with `.yml`",
    why: "One ending means one path for each id; a second spelling would let the same document stand twice.",
    check: RuleCheck::Directory(check),
};

fn check(rule: &Rule, context: &RuleContext<'_>, findings: &mut Vec<Finding>) {
    for (entry, _) in misplaced(rule, context) {
        let stem = entry.path.trim_end_matches(".yml");
        let is_free =
            ["yaml", "json"].iter().all(|ending| context.workspace.index.at(&format!("{stem}.{ending}")).is_none());
        let found = rule
            .at(&entry.path, Anchor::File, Text::fixed("a document's name ends with `.yaml`"))
            .help(context.text(format!("rename it: git mv {} {stem}.yaml", entry.path)))
            .now(Text::fixed("nothing reads it; a goal whose folder holds it projects blocked"));
        findings.push(match is_free {
            true => found.fix(Fix::rename(Text::fixed("rename the file"), format!("{stem}.yaml"))),
            false => found,
        });
    }
}
