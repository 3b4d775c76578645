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

/// The name alone: the reader knows the folder, and git takes paths from wherever the command runs.
fn help(path: &str, stem: &str, is_free: bool) -> String {
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    match is_free {
        true => format!("rename it to {}.yaml: loopx lint --fix", name(stem)),
        false => format!("move what is only in {0} to the document of that name beside it, and remove {0}", name(path)),
    }
}

fn check(rule: &Rule, context: &RuleContext<'_>, findings: &mut Vec<Finding>) {
    for (entry, _) in misplaced(rule, context) {
        let stem = entry.path.trim_end_matches(".yml");
        let is_free =
            ["yaml", "json"].iter().all(|ending| context.workspace.index.at(&format!("{stem}.{ending}")).is_none());
        let found = rule
            .at(&entry.path, Anchor::File, Text::fixed("a document's name ends with `.yaml`"))
            .help(context.text(help(&entry.path, stem, is_free)))
            .now(Text::fixed("nothing reads it; a goal whose folder holds it projects blocked"));
        findings.push(match is_free {
            true => found.fix(Fix::rename(Text::fixed("rename the file"), format!("{stem}.yaml"))),
            false => found,
        });
    }
}
